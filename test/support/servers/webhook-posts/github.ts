import type { Post } from "./post";

/** Written after docs.github.com, Webhook events and payloads. */
const site = "https://github.com/kitchen/soup";
const sender = { login: "octocat", id: 1, html_url: "https://github.com/octocat" };
const repository = {
  id: 35,
  name: "soup",
  full_name: "kitchen/soup",
  private: false,
  html_url: site,
};
const issue = {
  number: 3,
  title: "Soup is too *hot*",
  html_url: `${site}/issues/3`,
  state: "open",
  body: "Please **cool** it,\r\n@**all**.",
  user: sender,
  assignees: [{ login: "hubot" }],
  labels: [],
};
const pull = {
  number: 12,
  title: "Less salt",
  html_url: `${site}/pull/12`,
  body: null,
  draft: false,
  merged: false,
  head: { ref: "less-salt", sha: "6dcb09b5b57875f334f61aebed695e2e4193db5e" },
  base: { ref: "main" },
};
const commit = (id: string, message: string) => ({
  id,
  message,
  url: `${site}/commit/${id}`,
  author: { name: "Octo" },
});
const head = "0d1a26e67d8f5eaf1f6ba5c57fc3c7d91ac0fd1c";
const zeros = "0".repeat(40);
const push = {
  ref: "refs/heads/main",
  before: "6113728f27ae82c7b1a177c8d03f9e96e0adf246",
  after: head,
  created: false,
  deleted: false,
  forced: false,
  compare: `${site}/compare/6113728f27ae...0d1a26e67d8f`,
  pusher: { name: "octocat" },
};

const post = (
  what: string,
  event: string,
  payload: object,
  topic?: string,
  text?: string,
): Post => ({
  what,
  integration: "github",
  headers: { "x-github-event": event },
  payload: { sender, repository, ...payload },
  ...(topic === undefined ? {} : { topic }),
  ...(text === undefined ? {} : { text }),
});

export const githubPosts: Post[] = [
  post(
    "ping",
    "ping",
    { zen: "Keep it logically awesome.", hook_id: 1 },
    "soup",
    "GitHub webhook is configured for `kitchen/soup` by octocat.",
  ),
  post(
    "push",
    "push",
    {
      ...push,
      commits: [
        commit(head, "Add leek\n\nIt was missing."),
        commit("6113728f27ae82c7b1a177c8d03f9e96e0adf246", "Stir `it`"),
      ],
    },
    "soup / main",
    "octocat [pushed](https://github.com/kitchen/soup/compare/6113728f27ae...0d1a26e67d8f) 2 commits to branch `main`.\n\n* Add leek ([0d1a26e](https://github.com/kitchen/soup/commit/0d1a26e67d8f5eaf1f6ba5c57fc3c7d91ac0fd1c))\n* Stir &#96;it&#96; ([6113728](https://github.com/kitchen/soup/commit/6113728f27ae82c7b1a177c8d03f9e96e0adf246))",
  ),
  post(
    "forced push",
    "push",
    { ...push, forced: true, commits: [] },
    "soup / main",
    "octocat force-[pushed](https://github.com/kitchen/soup/compare/6113728f27ae...0d1a26e67d8f) branch `main`: its head is 0d1a26e now.",
  ),
  post(
    "new branch",
    "push",
    { ...push, ref: "refs/heads/less-salt", before: zeros, created: true, commits: [] },
    "soup / less-salt",
    "octocat [created](https://github.com/kitchen/soup/compare/6113728f27ae...0d1a26e67d8f) branch `less-salt`.",
  ),
  post(
    "removed branch",
    "push",
    { ...push, ref: "refs/heads/less-salt", after: zeros, deleted: true, commits: [] },
    "soup / less-salt",
    "octocat [deleted](https://github.com/kitchen/soup/compare/6113728f27ae...0d1a26e67d8f) branch `less-salt`.",
  ),
  post(
    "tag",
    "push",
    { ...push, ref: "refs/tags/v1.0", before: zeros, created: true, commits: [] },
    "soup / tags",
    "octocat pushed tag `v1.0`.",
  ),
  post("new branch, said again", "create", { ref: "less-salt", ref_type: "branch" }),
  post(
    "opened issue",
    "issues",
    { action: "opened", issue },
    "soup / issue #3 Soup is too *hot*",
    "octocat opened [issue #3](https://github.com/kitchen/soup/issues/3) (assigned to hubot):\n\n```quote\nPlease **cool** it,\n&#64;**all**.\n```",
  ),
  post(
    "closed issue",
    "issues",
    { action: "closed", issue },
    "soup / issue #3 Soup is too *hot*",
    "octocat closed [issue #3](https://github.com/kitchen/soup/issues/3).",
  ),
  post(
    "labeled issue",
    "issues",
    { action: "labeled", issue, label: { name: "good first issue" } },
    "soup / issue #3 Soup is too *hot*",
    "octocat labeled [issue #3](https://github.com/kitchen/soup/issues/3): `good first issue`.",
  ),
  post(
    "assigned issue",
    "issues",
    { action: "assigned", issue, assignee: { login: "hubot" } },
    "soup / issue #3 Soup is too *hot*",
    "octocat assigned hubot to [issue #3](https://github.com/kitchen/soup/issues/3).",
  ),
  post(
    "comment on an issue",
    "issue_comment",
    {
      action: "created",
      issue,
      comment: { html_url: `${site}/issues/3#issuecomment-9`, body: "```js\nstir()\n```" },
    },
    "soup / issue #3 Soup is too *hot*",
    "octocat [commented](https://github.com/kitchen/soup/issues/3#issuecomment-9) on issue #3:\n\n````quote\n```js\nstir()\n```\n````",
  ),
  post(
    "comment on a pull request",
    "issue_comment",
    {
      action: "created",
      issue: { ...issue, number: 12, pull_request: { url: "x" } },
      comment: { html_url: `${site}/pull/12#issuecomment-9`, body: "Yes" },
    },
    "soup / PR #12 Soup is too *hot*",
    "octocat [commented](https://github.com/kitchen/soup/pull/12#issuecomment-9) on PR #12:\n\n```quote\nYes\n```",
  ),
  post(
    "opened pull request",
    "pull_request",
    { action: "opened", pull_request: pull },
    "soup / PR #12 Less salt",
    "octocat opened [PR #12](https://github.com/kitchen/soup/pull/12) from `less-salt` to `main`.",
  ),
  post(
    "draft pull request",
    "pull_request",
    { action: "opened", pull_request: { ...pull, draft: true, body: "Try it" } },
    "soup / PR #12 Less salt",
    "octocat opened draft [PR #12](https://github.com/kitchen/soup/pull/12) from `less-salt` to `main`:\n\n```quote\nTry it\n```",
  ),
  post(
    "merged pull request",
    "pull_request",
    { action: "closed", pull_request: { ...pull, merged: true } },
    "soup / PR #12 Less salt",
    "octocat merged [PR #12](https://github.com/kitchen/soup/pull/12).",
  ),
  post(
    "closed pull request",
    "pull_request",
    { action: "closed", pull_request: pull },
    "soup / PR #12 Less salt",
    "octocat closed [PR #12](https://github.com/kitchen/soup/pull/12) without merge.",
  ),
  post(
    "changed pull request",
    "pull_request",
    { action: "synchronize", after: head, pull_request: pull },
    "soup / PR #12 Less salt",
    "octocat updated [PR #12](https://github.com/kitchen/soup/pull/12): it is at 0d1a26e now.",
  ),
  post(
    "wish for a review",
    "pull_request",
    { action: "review_requested", pull_request: pull, requested_reviewer: { login: "hubot" } },
    "soup / PR #12 Less salt",
    "octocat asked hubot to review [PR #12](https://github.com/kitchen/soup/pull/12).",
  ),
  post(
    "review",
    "pull_request_review",
    {
      action: "submitted",
      pull_request: pull,
      review: { state: "approved", html_url: `${site}/pull/12#pullrequestreview-1`, body: null },
    },
    "soup / PR #12 Less salt",
    "octocat [approved](https://github.com/kitchen/soup/pull/12#pullrequestreview-1) PR #12.",
  ),
  post(
    "comment in a review",
    "pull_request_review_comment",
    {
      action: "created",
      pull_request: pull,
      comment: { path: "soup.txt", html_url: `${site}/pull/12#discussion_r1`, body: "More leek" },
    },
    "soup / PR #12 Less salt",
    "octocat [commented](https://github.com/kitchen/soup/pull/12#discussion_r1) on `soup.txt` in PR #12:\n\n```quote\nMore leek\n```",
  ),
  post(
    "release",
    "release",
    {
      action: "published",
      release: { tag_name: "v1.0", name: "First", html_url: `${site}/releases/v1.0` },
    },
    "soup / v1.0",
    "octocat published release [First](https://github.com/kitchen/soup/releases/v1.0) for tag `v1.0`.",
  ),
  post(
    "finished workflow",
    "workflow_run",
    {
      action: "completed",
      workflow_run: {
        name: "Tests",
        html_url: `${site}/actions/runs/7`,
        head_branch: "main",
        head_sha: head,
        conclusion: "failure",
      },
    },
    "soup / main",
    "Workflow [Tests](https://github.com/kitchen/soup/actions/runs/7) has failed (0d1a26e).",
  ),
  post("begun workflow", "workflow_run", { action: "requested", workflow_run: { name: "Tests" } }),
  post(
    "finished check",
    "check_run",
    {
      action: "completed",
      check_run: {
        name: "lint",
        html_url: `${site}/runs/4`,
        head_sha: head,
        conclusion: "success",
        check_suite: { head_branch: "main" },
      },
    },
    "soup / main",
    "Check [lint](https://github.com/kitchen/soup/runs/4) has succeeded (0d1a26e).",
  ),
  post(
    "fork",
    "fork",
    { forkee: { full_name: "hubot/soup", html_url: "https://github.com/hubot/soup" } },
    "soup",
    "octocat forked the repository to [hubot/soup](https://github.com/hubot/soup).",
  ),
  post(
    "star",
    "star",
    { action: "created", starred_at: "2026-11-21T12:00:00Z" },
    "soup",
    "octocat starred the repository [kitchen/soup](https://github.com/kitchen/soup).",
  ),
  post(
    "change of the wiki",
    "gollum",
    {
      pages: [
        { page_name: "Home", title: "Home", action: "edited", html_url: `${site}/wiki/Home` },
      ],
    },
    "soup / wiki",
    "octocat changed the wiki:\n* edited [Home](https://github.com/kitchen/soup/wiki/Home)",
  ),
];
