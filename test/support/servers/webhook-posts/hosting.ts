import type { Post } from "./post";

/** Written after support.atlassian.com/bitbucket-cloud/docs/event-payloads, and recorded posts. */
const cloud = {
  actor: { type: "user", display_name: "Tomasz", nickname: "kolaszek" },
  repository: {
    type: "repository",
    name: "Repository name",
    full_name: "kolaszek/repository-name",
    links: { html: { href: "https://bitbucket.org/kolaszek/repository-name" } },
  },
};
const cloudCommit = {
  hash: "450118afff93569d1ce362174e9f1a7f104f9166",
  message: "first commit\n",
  author: { raw: "Tomasz <tomasz@example.com>" },
  links: { html: { href: "https://bitbucket.org/kolaszek/repository-name/commits/450118a" } },
};
const branch = { type: "branch", name: "master" };
const cloudRequest = {
  id: 1,
  title: "new commit",
  description: "description",
  state: "OPEN",
  source: { branch: { name: "new-branch" } },
  destination: { branch: { name: "master" } },
  links: { html: { href: "https://bitbucket.org/kolaszek/repository-name/pull-requests/1" } },
};
const comment = {
  content: { raw: "Looks good" },
  links: { html: { href: "https://bitbucket.org/kolaszek/repository-name/1#comment-3" } },
};
const cloudEvent = (key: string) => ({ "x-event-key": key });

/** Written after confluence.atlassian.com/bitbucketserver/event-payload-938025882.html. */
const server = {
  date: "2017-09-19T09:45:32+1000",
  actor: { name: "admin", displayName: "Administrator", active: true },
};
const serverRepository = { slug: "repository", name: "repository", project: { key: "PROJ" } };
const serverRequest = {
  id: 11,
  title: "A cool PR",
  state: "OPEN",
  fromRef: { id: "refs/heads/a-branch", displayId: "a-branch", repository: serverRepository },
  toRef: { id: "refs/heads/master", displayId: "master", repository: serverRepository },
  links: { self: [{ href: "https://git.example.com/projects/PROJ/repos/r/pull-requests/11" }] },
};

/** Written after learn.microsoft.com/azure/devops/service-hooks/events, and recorded posts. */
const azureRepository = { name: "test-repo", project: { name: "test-project" } };
const azurePush = {
  eventType: "git.push",
  publisherId: "tfs",
  message: { text: "Yuro Itaki pushed updates to test-repo:main" },
  resource: {
    commits: [{ commitId: "b0ce2f2009c3c87dbefadf61d7eb2c0697a6f369", comment: "Modify readme" }],
    refUpdates: [{ name: "refs/heads/main" }],
    repository: azureRepository,
    pushedBy: { displayName: "Yuro Itaki" },
  },
};
const azureRequest = {
  eventType: "git.pullrequest.created",
  publisherId: "tfs",
  message: { text: "Yuro Itaki created pull request 1 (Add PR request) in test-repo\r\nhttps://x" },
  resource: {
    repository: azureRepository,
    pullRequestId: 1,
    status: "active",
    createdBy: { displayName: "Yuro Itaki" },
    title: "Add PR request",
    description: "Why it is needed",
    sourceRefName: "refs/heads/dev",
    targetRefName: "refs/heads/main",
    mergeStatus: "conflicts",
    _links: { web: { href: "https://dev.azure.com/acme/test/_git/test-repo/pullrequest/1" } },
  },
};

/** Written after Gogs itself, internal/route/api/v1/types. */
const gogsPage = "http://localhost:3000/unknwon/webhooks";
const gogsUser = { id: 1, username: "unknwon", login: "unknwon", full_name: "" };
const gogsIssue = {
  id: 8,
  number: 3,
  user: gogsUser,
  title: "Soup",
  body: "It is cold",
  state: "open",
  pull_request: null,
};
const gogsRequest = {
  id: 9,
  number: 4,
  user: gogsUser,
  title: "Leek",
  body: "",
  head_branch: "leek",
  base_branch: "master",
  html_url: `${gogsPage}/pulls/4`,
  merged: false,
};
const gogsPost = (
  what: string,
  event: string,
  payload: object,
  topic?: string,
  text?: string,
): Post => ({
  integration: "gogs",
  what,
  headers: { "x-gogs-event": event },
  payload: {
    ...payload,
    repository: { name: "webhooks", full_name: "unknwon/webhooks", html_url: gogsPage },
    sender: gogsUser,
  },
  ...(topic === undefined ? {} : { topic }),
  ...(text === undefined ? {} : { text }),
});

export const hostingPosts: Post[] = [
  {
    integration: "bitbucket2",
    what: "a push",
    headers: cloudEvent("repo:push"),
    payload: {
      ...cloud,
      push: { changes: [{ new: branch, old: branch, forced: false, commits: [cloudCommit] }] },
    },
    topic: "Repository name / master",
    text: "Tomasz pushed to branch `master`:\n* first commit ([450118a](https://bitbucket.org/kolaszek/repository-name/commits/450118a))",
  },
  {
    integration: "bitbucket2",
    what: "a new tag and a deleted branch",
    headers: cloudEvent("repo:push"),
    payload: {
      ...cloud,
      push: {
        changes: [
          { new: { type: "tag", name: "v1" }, old: null, forced: false },
          { new: null, old: { type: "branch", name: "old-work" }, forced: false },
        ],
      },
    },
    topic: "Repository name / v1",
    text: "Tomasz created tag `v1`\n\nTomasz deleted branch `old-work`",
  },
  {
    integration: "bitbucket2",
    what: "a push without changes",
    headers: cloudEvent("repo:push"),
    payload: { ...cloud, push: { changes: [] } },
  },
  {
    integration: "bitbucket2",
    what: "a pull request",
    headers: cloudEvent("pullrequest:created"),
    payload: { ...cloud, pullrequest: cloudRequest },
    topic: "Repository name / PR #1 new commit",
    text: "Tomasz created [PR #1](https://bitbucket.org/kolaszek/repository-name/pull-requests/1) from `new-branch` to `master`:\n\n```quote\ndescription\n```",
  },
  {
    integration: "bitbucket2",
    what: "a pull request is merged",
    headers: cloudEvent("pullrequest:fulfilled"),
    payload: { ...cloud, pullrequest: { ...cloudRequest, state: "MERGED" } },
    topic: "Repository name / PR #1 new commit",
    text: "Tomasz merged [PR #1](https://bitbucket.org/kolaszek/repository-name/pull-requests/1).",
  },
  {
    integration: "bitbucket2",
    what: "a comment on an issue",
    headers: cloudEvent("issue:comment_created"),
    payload: {
      ...cloud,
      comment,
      issue: { id: 2, title: "Bug", links: { html: { href: "https://bitbucket.org/issues/2" } } },
    },
    topic: "Repository name / issue #2 Bug",
    text: "Tomasz [commented](https://bitbucket.org/kolaszek/repository-name/1#comment-3) on [issue #2](https://bitbucket.org/issues/2):\n\n```quote\nLooks good\n```",
  },
  {
    integration: "bitbucket2",
    what: "a build of a commit",
    headers: cloudEvent("repo:commit_status_updated"),
    payload: {
      ...cloud,
      commit_status: { name: "Unit Tests", state: "SUCCESSFUL", url: "https://ci.example.com/8" },
    },
    topic: "Repository name",
    text: "[Unit Tests](https://ci.example.com/8): **successful**",
  },
  {
    integration: "bitbucket3",
    what: "a push",
    headers: cloudEvent("repo:refs_changed"),
    payload: {
      ...server,
      eventKey: "repo:refs_changed",
      repository: serverRepository,
      changes: [
        {
          ref: { id: "refs/heads/master", displayId: "master", type: "BRANCH" },
          fromHash: "ecddabb624f6f5ba43816f5926e580a5f680a932",
          toHash: "178864a7d521b6f5e720b386b2c2b0ef8563e0dc",
          type: "UPDATE",
        },
      ],
    },
    topic: "repository / master",
    text: "Administrator pushed to branch `master`.",
  },
  {
    integration: "bitbucket3",
    what: "a pull request",
    payload: { ...server, eventKey: "pr:opened", pullRequest: serverRequest },
    topic: "repository / PR #11 A cool PR",
    text: "Administrator opened [PR #11](https://git.example.com/projects/PROJ/repos/r/pull-requests/11) from `a-branch` to `master`.",
  },
  {
    integration: "bitbucket3",
    what: "a comment on a pull request",
    payload: {
      ...server,
      eventKey: "pr:comment:added",
      pullRequest: serverRequest,
      comment: { id: 62, text: "I am a PR comment" },
    },
    topic: "repository / PR #11 A cool PR",
    text: "Administrator commented on [PR #11](https://git.example.com/projects/PROJ/repos/r/pull-requests/11):\n\n```quote\nI am a PR comment\n```",
  },
  {
    integration: "azuredevops",
    what: "a push",
    payload: azurePush,
    topic: "test-repo / main",
    text: "Yuro Itaki pushed 1 commit to branch `main`.\n\n* Modify readme (b0ce2f2)",
  },
  {
    integration: "azuredevops",
    what: "a branch without commits",
    payload: { ...azurePush, resource: { ...azurePush.resource, commits: [] } },
    topic: "test-repo / main",
    text: "Yuro Itaki changed branch `main`.",
  },
  {
    integration: "azuredevops",
    what: "a pull request",
    payload: azureRequest,
    topic: "test-repo / PR #1 Add PR request",
    text: "Yuro Itaki created [PR #1](https://dev.azure.com/acme/test/_git/test-repo/pullrequest/1) from `dev` to `main`:\n\n```quote\nWhy it is needed\n```",
  },
  {
    integration: "azuredevops",
    what: "a merge that fails",
    payload: { ...azureRequest, eventType: "git.pullrequest.merged" },
    topic: "test-repo / PR #1 Add PR request",
    text: "A merge of [PR #1](https://dev.azure.com/acme/test/_git/test-repo/pullrequest/1) was tried: conflicts.",
  },
  {
    integration: "azuredevops",
    what: "a pull request is merged",
    payload: {
      ...azureRequest,
      eventType: "git.pullrequest.merged",
      resource: {
        ...azureRequest.resource,
        status: "completed",
        closedBy: { displayName: "Yuro Itaki" },
      },
    },
    topic: "test-repo / PR #1 Add PR request",
    text: "Yuro Itaki merged [PR #1](https://dev.azure.com/acme/test/_git/test-repo/pullrequest/1).",
  },
  {
    integration: "azuredevops",
    what: "a build",
    payload: {
      eventType: "build.complete",
      message: { text: "Build 20241202.1 succeeded" },
      resource: {
        buildNumber: "20241202.1",
        result: "succeeded",
        definition: { name: "web-ci" },
        _links: { web: { href: "https://dev.azure.com/acme/web/_build/results?buildId=1" } },
      },
    },
    topic: "web-ci",
    text: "Build [web-ci 20241202.1](https://dev.azure.com/acme/web/_build/results?buildId=1) has **succeeded**.",
  },
  {
    integration: "azuredevops",
    what: "a work item",
    payload: {
      eventType: "workitem.created",
      message: { text: "Bug #5 (Some great new idea!) created by Jamal Hartnett.\r\n(http://x)" },
      resource: { id: 5, rev: 1 },
    },
    topic: "Work item 5",
    text: "Bug #5 (Some great new idea!) created by Jamal Hartnett.",
  },
  {
    // Written after gogs.io/docs/features/webhook, its sample.
    integration: "gogs",
    what: "a push",
    headers: { "x-gogs-event": "push" },
    payload: {
      ref: "refs/heads/develop",
      before: "28e1879d029cb852e4844d9c718537df08844e03",
      after: "bffeb74224043ba2feb48d137756c8a9331c449a",
      compare_url: "http://localhost:3000/unknwon/webhooks/compare/28e1879d029c...bffeb7422404",
      commits: [
        {
          id: "bffeb74224043ba2feb48d137756c8a9331c449a",
          message:
            "!@#0^%\u003e\u003e\u003e\u003e\u003c\u003c\u003c\u003c\u003e\u003e\u003e\u003e\n",
          url: "http://localhost:3000/unknwon/webhooks/commit/bffeb74224043ba2feb48d137756c8a9331c449a",
        },
      ],
      repository: { name: "webhooks", full_name: "unknwon/webhooks" },
      pusher: { login: "unknwon", username: "unknwon" },
      sender: { login: "unknwon", username: "unknwon" },
    },
    topic: "webhooks / develop",
    text: "unknwon [pushed](http://localhost:3000/unknwon/webhooks/compare/28e1879d029c...bffeb7422404) 1 commit to branch `develop`.\n\n* !@#0^%>>>><<<<>>>> ([bffeb74](http://localhost:3000/unknwon/webhooks/commit/bffeb74224043ba2feb48d137756c8a9331c449a))",
  },
  gogsPost(
    "an issue",
    "issues",
    { action: "opened", number: 3, issue: gogsIssue },
    "webhooks / issue #3 Soup",
    "unknwon opened [issue #3](http://localhost:3000/unknwon/webhooks/issues/3):\n\n```quote\nIt is cold\n```",
  ),
  gogsPost("labels of an issue", "issues", {
    action: "label_updated",
    number: 3,
    issue: gogsIssue,
  }),
  gogsPost(
    "a pull request",
    "pull_request",
    { action: "opened", number: 4, pull_request: gogsRequest },
    "webhooks / PR #4 Leek",
    "unknwon opened [PR #4](http://localhost:3000/unknwon/webhooks/pulls/4) from `leek` to `master`.",
  ),
  gogsPost(
    "a comment on a pull request",
    "issue_comment",
    {
      action: "created",
      issue: { ...gogsIssue, number: 4, title: "Leek", pull_request: { merged: false } },
      comment: { id: 1, html_url: `${gogsPage}/issues/4#issuecomment-1`, body: "Add salt" },
    },
    "webhooks / PR #4 Leek",
    "unknwon [commented](http://localhost:3000/unknwon/webhooks/issues/4#issuecomment-1) on PR #4:\n\n```quote\nAdd salt\n```",
  ),
  gogsPost(
    "a release",
    "release",
    { action: "published", release: { id: 1, tag_name: "v1.0", name: "First", draft: false } },
    "webhooks / v1.0",
    "unknwon published release [First](http://localhost:3000/unknwon/webhooks/releases) for tag `v1.0`.",
  ),
];
