import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { codeOf } from "../support/answers";
import { newest, newHook, postTo } from "../support/servers/webhooks";
import { makeWorld, type Person, type World } from "../support/world";

/* Addresses as Zulip makes them: with its parameters, and with its names of events. */

let world: World;
let hook: Person;
beforeAll(async () => {
  world = await makeWorld();
  hook = await newHook(world);
});
afterAll(() => world.close());

interface Post {
  integration: string;
  headers?: Record<string, string>;
  payload: unknown;
}

/** Whether a post to an address with these parameters makes a message. */
async function isTold({ integration, headers = {}, payload }: Post, query: object) {
  const before = (await newest(world.alice))?.id;
  const given = { headers, query: { stream: "general", ...query } };
  expect(codeOf(await postTo(world, hook, integration, payload, given))).toBe("200");
  return (await newest(world.alice))?.id !== before;
}

const [commit, repository] = [{ id: "0123456789", message: "Salt" }, { name: "soup" }];
const pushed = (branch: string) => ({
  ref: `refs/heads/${branch}`,
  before: "1",
  after: "2",
  commits: [commit],
  repository,
});
const onEvent = (integration: string, header: string, event: string, payload: object): Post => ({
  integration,
  headers: { [header]: event },
  payload,
});

const pushes: [string, (branch: string) => Post][] = [
  ["GitHub", (branch) => onEvent("github", "x-github-event", "push", pushed(branch))],
  ["Gitea", (branch) => onEvent("gitea", "x-gitea-event", "push", pushed(branch))],
  ["Gogs", (branch) => onEvent("gogs", "x-gogs-event", "push", pushed(branch))],
  [
    "GitLab",
    (branch) => ({ integration: "gitlab", payload: { object_kind: "push", ...pushed(branch) } }),
  ],
  [
    "Bitbucket",
    (name) =>
      onEvent("bitbucket2", "x-event-key", "repo:push", {
        repository,
        push: { changes: [{ old: null, new: { type: "branch", name } }] },
      }),
  ],
  [
    "Bitbucket Server",
    (displayId) => ({
      integration: "bitbucket3",
      payload: {
        eventKey: "repo:refs_changed",
        repository,
        changes: [{ ref: { type: "BRANCH", displayId }, type: "UPDATE" }],
      },
    }),
  ],
  [
    "Azure DevOps",
    (branch) => ({
      integration: "azuredevops",
      payload: {
        eventType: "git.push",
        resource: { refUpdates: [{ name: `refs/heads/${branch}` }], repository },
      },
    }),
  ],
  [
    "Beanstalk",
    (branch) => ({
      integration: "beanstalk",
      payload: { trigger: "push", payload: { branch, repository, commits: [commit] } },
    }),
  ],
];

test.each(pushes)("Only pushes to chosen branches make messages: %s", async (_, pushTo) => {
  const branches = "main, release/*";
  expect(await isTold(pushTo("main"), {})).toBe(true);
  expect(await isTold(pushTo("main"), { branches })).toBe(true);
  expect(await isTold(pushTo("release/2"), { branches: '["release/?"]' })).toBe(true);
  expect(await isTold(pushTo("soup"), { branches })).toBe(false);
  expect(await isTold(pushTo("soup"), { branches: " " })).toBe(true);
});

describe("A choice of branches", () => {
  test("says nothing of tags and of other events", async () => {
    const tag = { ...pushed(""), ref: "refs/tags/v1" };
    const issue = { action: "opened", issue: { number: 1, title: "Salt" }, repository };
    const branches = "main";
    expect(await isTold(onEvent("github", "x-github-event", "push", tag), { branches })).toBe(true);
    expect(await isTold(onEvent("github", "x-github-event", "issues", issue), { branches })).toBe(
      true,
    );
  });

  test("of a service that escapes twice is read as its channel is", async () => {
    const push = pushes.find(([name]) => name === "Bitbucket")?.[1];
    if (!push) throw new Error("there is no push of Bitbucket");
    const branches = encodeURIComponent("main,release/*");
    expect(await isTold(push("release/2"), { branches })).toBe(true);
    expect(await isTold(push("soup"), { branches })).toBe(false);
  });
});

test("Posts of private repositories make no messages where the address says so", async () => {
  const github = (isPrivate: boolean): Post =>
    onEvent("github", "x-github-event", "push", {
      ...pushed("main"),
      repository: { ...repository, private: isPrivate },
    });
  const gitlab = (visibility_level: number): Post => ({
    integration: "gitlab",
    payload: {
      object_kind: "push",
      ...pushed("main"),
      project: { ...repository, visibility_level },
    },
  });
  const ignoring = { ignore_private_repositories: "true" };
  const told = async (post: Post) => [await isTold(post, {}), await isTold(post, ignoring)];
  expect(await told(github(true))).toEqual([true, false]);
  expect(await told(github(false))).toEqual([true, true]);
  expect(await told(gitlab(0))).toEqual([true, false]);
  expect(await told(gitlab(20))).toEqual([true, true]);
});

describe("Events by their names in Zulip", () => {
  const onGithub = (event: string, payload: object) =>
    onEvent("github", "x-github-event", event, { repository, sender: {}, ...payload });
  const request = (action: string) =>
    onGithub("pull_request", { action, pull_request: { number: 1, title: "Salt" } });
  const issue = (action: string) =>
    onGithub("issues", { action, issue: { number: 1, title: "Salt" }, label: { name: "hot" } });
  const tag = onGithub("push", { ...pushed(""), ref: "refs/tags/v1" });
  const onGitlab = (event: string, payload: object) =>
    onEvent("gitlab", "x-gitlab-event", event, { project: repository, user: {}, ...payload });
  const merge = onGitlab("Merge Request Hook", {
    object_kind: "merge_request",
    object_attributes: { action: "open", iid: 1, title: "Salt" },
  });
  const note = onGitlab("Note Hook", {
    object_kind: "note",
    object_attributes: { noteable_type: "Issue", note: "Hot" },
    issue: { iid: 1, title: "Salt" },
  });

  test.each<[string, Post]>([
    ["opened_pull_request", request("opened")],
    ["opened_pull_request", request("reopened")],
    ["updated_pull_request", request("synchronize")],
    ["closed_pull_request", request("closed")],
    ["assigned_or_unassigned_pull_request", request("assigned")],
    ["pull_request_labeled_or_unlabeled", request("labeled")],
    ["pull_request_ready_for_review", request("ready_for_review")],
    ["issue_labeled_or_unlabeled", issue("labeled")],
    ["issues", issue("opened")],
    ["push_tags", tag],
    ["push_commits", onGithub("push", pushed("main"))],
    ["push_commits", onGithub("push", { ...pushed("main"), commits: [] })],
    ["Merge Request Hook open", merge],
    ["Merge Request Hook*", merge],
    ["Note Hook Issue", note],
    ["Push Hook", onGitlab("Push Hook", { object_kind: "push", ...pushed("main") })],
  ])("%s", async (name, post) => {
    const names = JSON.stringify([name]);
    expect(await isTold(post, { only_events: names })).toBe(true);
    expect(await isTold(post, { exclude_events: names })).toBe(false);
    expect(await isTold(post, { only_events: "public" })).toBe(false);
  });
});
