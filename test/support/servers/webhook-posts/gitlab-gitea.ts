import type { Post } from "./post";

const id = "da1560886d4f094c3e6c9ef40349f7d38b5d27d7";
const zeros = "0".repeat(40);

/** Written after docs.gitlab.com, Webhook events. */
const lab = "https://gitlab.example.com/kitchen/soup";
const user = { id: 1, name: "Octo Cat", username: "octocat" };
const project = { id: 15, name: "Soup", web_url: lab, path_with_namespace: "kitchen/soup" };
const push = {
  object_kind: "push",
  ref: "refs/heads/main",
  before: "95790bf891e76fee5e1747ab589903a6a1f80f22",
  after: id,
  user_name: "Octo Cat",
  project,
  total_commits_count: 1,
  commits: [{ id, message: "Add leek\n\nIt was missing.\n", url: `${lab}/-/commit/${id}` }],
};
const attributes = {
  id: 301,
  iid: 23,
  title: "Soup is cold",
  url: `${lab}/-/issues/23`,
  description: "Brr",
};
const merge = {
  id: 99,
  iid: 1,
  title: "Less salt",
  url: `${lab}/-/merge_requests/1`,
  description: "",
  source_branch: "less-salt",
  target_branch: "main",
};
const note = (noteable_type: string, more: object, action?: string) => ({
  object_kind: "note",
  user,
  project,
  ...more,
  object_attributes: { note: "Sounds *good*", noteable_type, url: `${lab}/-/notes/1`, action },
});
const task = { ...attributes, type: "Task", url: `${lab}/-/work_items/23` };

const lp = (what: string, event: string, payload: object, topic?: string, text?: string): Post => ({
  what,
  integration: "gitlab",
  headers: { "x-gitlab-event": event },
  payload,
  ...(topic === undefined ? {} : { topic }),
  ...(text === undefined ? {} : { text }),
});

export const gitlabPosts: Post[] = [
  lp(
    "push that moves a branch back",
    "Push Hook",
    { ...push, total_commits_count: 0, commits: [] },
    "Soup / main",
    "Octo Cat pushed branch `main`: its head is da15608 now.",
  ),
  lp(
    "comment on an issue",
    "Note Hook",
    note("Issue", { issue: attributes }, "create"),
    "Soup / issue #23 Soup is cold",
    "Octo Cat [commented](https://gitlab.example.com/kitchen/soup/-/notes/1) on issue #23:\n\n```quote\nSounds *good*\n```",
  ),
  lp(
    "comment that is edited",
    "Note Hook",
    note("Issue", { issue: attributes }, "update"),
    "Soup / issue #23 Soup is cold",
    "Octo Cat changed a [comment](https://gitlab.example.com/kitchen/soup/-/notes/1) on issue #23.",
  ),
  lp(
    "task",
    "Issue Hook",
    { object_kind: "work_item", user, project, object_attributes: { ...task, action: "open" } },
    "Soup / task #23 Soup is cold",
    "Octo Cat opened [task #23](https://gitlab.example.com/kitchen/soup/-/work_items/23):\n\n```quote\nBrr\n```",
  ),
  lp(
    "task that is closed",
    "Issue Hook",
    { object_kind: "work_item", user, project, object_attributes: { ...task, action: "close" } },
    "Soup / task #23 Soup is cold",
    "Octo Cat closed [task #23](https://gitlab.example.com/kitchen/soup/-/work_items/23).",
  ),
  lp(
    "push",
    "Push Hook",
    push,
    "Soup / main",
    "Octo Cat pushed 1 commit to branch `main`.\n\n* Add leek ([da15608](https://gitlab.example.com/kitchen/soup/-/commit/da1560886d4f094c3e6c9ef40349f7d38b5d27d7))",
  ),
  lp(
    "new branch",
    "Push Hook",
    { ...push, before: zeros, commits: [], total_commits_count: 0 },
    "Soup / main",
    "Octo Cat created branch `main`.",
  ),
  lp(
    "removed branch",
    "Push Hook",
    { ...push, after: zeros, commits: [] },
    "Soup / main",
    "Octo Cat deleted branch `main`.",
  ),
  lp(
    "tag",
    "Tag Push Hook",
    { ...push, object_kind: "tag_push", ref: "refs/tags/v1.0", before: zeros, commits: [] },
    "Soup / tags",
    "Octo Cat pushed tag `v1.0`.",
  ),
  lp(
    "opened issue",
    "Issue Hook",
    { object_kind: "issue", user, project, object_attributes: { ...attributes, action: "open" } },
    "Soup / issue #23 Soup is cold",
    "Octo Cat opened [issue #23](https://gitlab.example.com/kitchen/soup/-/issues/23):\n\n```quote\nBrr\n```",
  ),
  lp(
    "closed issue",
    "Issue Hook",
    { object_kind: "issue", user, project, object_attributes: { ...attributes, action: "close" } },
    "Soup / issue #23 Soup is cold",
    "Octo Cat closed [issue #23](https://gitlab.example.com/kitchen/soup/-/issues/23).",
  ),
  lp(
    "opened merge request",
    "Merge Request Hook",
    {
      object_kind: "merge_request",
      user,
      project,
      object_attributes: { ...merge, action: "open" },
    },
    "Soup / MR !1 Less salt",
    "Octo Cat opened [MR !1](https://gitlab.example.com/kitchen/soup/-/merge_requests/1) from `less-salt` to `main`.",
  ),
  lp(
    "merged merge request",
    "Merge Request Hook",
    {
      object_kind: "merge_request",
      user,
      project,
      object_attributes: { ...merge, action: "merge" },
    },
    "Soup / MR !1 Less salt",
    "Octo Cat merged [MR !1](https://gitlab.example.com/kitchen/soup/-/merge_requests/1).",
  ),
  lp(
    "approved merge request",
    "Merge Request Hook",
    {
      object_kind: "merge_request",
      user,
      project,
      object_attributes: { ...merge, action: "approved" },
    },
    "Soup / MR !1 Less salt",
    "Octo Cat approved [MR !1](https://gitlab.example.com/kitchen/soup/-/merge_requests/1).",
  ),
  lp(
    "comment on an issue",
    "Note Hook",
    note("Issue", { issue: attributes }),
    "Soup / issue #23 Soup is cold",
    "Octo Cat [commented](https://gitlab.example.com/kitchen/soup/-/notes/1) on issue #23:\n\n```quote\nSounds *good*\n```",
  ),
  lp(
    "comment on a merge request",
    "Note Hook",
    note("MergeRequest", { merge_request: merge }),
    "Soup / MR !1 Less salt",
    "Octo Cat [commented](https://gitlab.example.com/kitchen/soup/-/notes/1) on MR !1:\n\n```quote\nSounds *good*\n```",
  ),
  lp(
    "comment on a commit",
    "Note Hook",
    note("Commit", { commit: { id } }),
    "Soup / da15608",
    "Octo Cat [commented](https://gitlab.example.com/kitchen/soup/-/notes/1) on da15608:\n\n```quote\nSounds *good*\n```",
  ),
  lp(
    "failed pipeline",
    "Pipeline Hook",
    {
      object_kind: "pipeline",
      user,
      project,
      object_attributes: {
        id: 31,
        ref: "main",
        sha: id,
        status: "failed",
        url: `${lab}/-/pipelines/31`,
      },
      builds: [
        { name: "lint", stage: "test", status: "success" },
        { name: "unit", stage: "test", status: "failed" },
      ],
    },
    "Soup / main",
    "[Pipeline #31](https://gitlab.example.com/kitchen/soup/-/pipelines/31) has failed (da15608).\n* unit (test)",
  ),
  lp("running pipeline", "Pipeline Hook", {
    object_kind: "pipeline",
    user,
    project,
    object_attributes: { id: 31, ref: "main", status: "running" },
  }),
  lp(
    "release",
    "Release Hook",
    {
      object_kind: "release",
      action: "create",
      project,
      tag: "v1.0",
      name: "First",
      url: `${lab}/-/releases/v1.0`,
    },
    "Soup / v1.0",
    "Release [First](https://gitlab.example.com/kitchen/soup/-/releases/v1.0) was published for tag `v1.0`.",
  ),
  lp(
    "page of the wiki",
    "Wiki Page Hook",
    {
      object_kind: "wiki_page",
      user,
      project,
      object_attributes: { title: "Recipes", url: `${lab}/-/wikis/recipes`, action: "create" },
    },
    "Soup / wiki",
    "Octo Cat created the wiki page [Recipes](https://gitlab.example.com/kitchen/soup/-/wikis/recipes).",
  ),
];

/** Written after docs.gitea.com, Webhooks. */
const tea = "https://gitea.example.com/kitchen/soup";
const sender = { login: "octocat", full_name: "Octo Cat" };
const repository = { id: 1, name: "soup", full_name: "kitchen/soup", html_url: tea };
const issue = { number: 3, title: "Soup is cold", html_url: `${tea}/issues/3`, body: "Brr" };
const pull_request = {
  number: 4,
  title: "Less salt",
  html_url: `${tea}/pulls/4`,
  body: "",
  merged: false,
  head: { ref: "less-salt" },
  base: { ref: "main" },
};

const tp = (what: string, event: string, payload: object, topic?: string, text?: string): Post => ({
  what,
  integration: "gitea",
  headers: { "x-gitea-event": event },
  payload: { sender, repository, ...payload },
  ...(topic === undefined ? {} : { topic }),
  ...(text === undefined ? {} : { text }),
});

export const giteaPosts: Post[] = [
  tp(
    "push",
    "push",
    {
      ref: "refs/heads/main",
      before: zeros.replace("0", "1"),
      after: id,
      compare_url: `${tea}/compare/1...2`,
      commits: [{ id, message: "Add leek\n", url: `${tea}/commit/${id}` }],
      pusher: sender,
    },
    "soup / main",
    "octocat [pushed](https://gitea.example.com/kitchen/soup/compare/1...2) 1 commit to branch `main`.\n\n* Add leek ([da15608](https://gitea.example.com/kitchen/soup/commit/da1560886d4f094c3e6c9ef40349f7d38b5d27d7))",
  ),
  tp(
    "new branch",
    "create",
    { ref: "less-salt", ref_type: "branch", sha: id },
    "soup / less-salt",
    "octocat created branch `less-salt`.",
  ),
  tp(
    "removed tag",
    "delete",
    { ref: "v1.0", ref_type: "tag" },
    "soup / v1.0",
    "octocat deleted tag `v1.0`.",
  ),
  tp(
    "opened issue",
    "issues",
    { action: "opened", number: 3, issue },
    "soup / issue #3 Soup is cold",
    "octocat opened [issue #3](https://gitea.example.com/kitchen/soup/issues/3):\n\n```quote\nBrr\n```",
  ),
  tp(
    "closed issue",
    "issues",
    { action: "closed", number: 3, issue },
    "soup / issue #3 Soup is cold",
    "octocat closed [issue #3](https://gitea.example.com/kitchen/soup/issues/3).",
  ),
  tp(
    "comment",
    "issue_comment",
    {
      action: "created",
      issue,
      is_pull: false,
      comment: { body: "Yes", html_url: `${tea}/issues/3#issuecomment-1` },
    },
    "soup / issue #3 Soup is cold",
    "octocat [commented](https://gitea.example.com/kitchen/soup/issues/3#issuecomment-1) on issue #3:\n\n```quote\nYes\n```",
  ),
  tp(
    "opened pull request",
    "pull_request",
    { action: "opened", number: 4, pull_request },
    "soup / PR #4 Less salt",
    "octocat opened [PR #4](https://gitea.example.com/kitchen/soup/pulls/4) from `less-salt` to `main`.",
  ),
  tp(
    "merged pull request",
    "pull_request",
    { action: "closed", number: 4, pull_request: { ...pull_request, merged: true } },
    "soup / PR #4 Less salt",
    "octocat merged [PR #4](https://gitea.example.com/kitchen/soup/pulls/4).",
  ),
  tp(
    "approved pull request",
    "pull_request_approved",
    {
      action: "reviewed",
      pull_request,
      review: { type: "pull_request_review_approved", content: "Fine" },
    },
    "soup / PR #4 Less salt",
    "octocat approved [PR #4](https://gitea.example.com/kitchen/soup/pulls/4):\n\n```quote\nFine\n```",
  ),
  tp(
    "release",
    "release",
    {
      action: "published",
      release: { tag_name: "v1.0", name: "First", html_url: `${tea}/releases/v1.0` },
    },
    "soup / v1.0",
    "octocat published release [First](https://gitea.example.com/kitchen/soup/releases/v1.0) for tag `v1.0`.",
  ),
  tp(
    "repository",
    "repository",
    { action: "created" },
    "soup",
    "octocat created the repository [kitchen/soup](https://gitea.example.com/kitchen/soup).",
  ),
];
