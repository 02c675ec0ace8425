import { branchOf, type EventForms, each, eventOf, type Integration } from "../integration";
import { type Posted, pick, pickText } from "../payload";
import { signedBody } from "../signature";
import { pushedWhat } from "./github";

const who = "{sender.login}";
const repository = "{repository.name}";
const quote = (path: string) => `{?${path}}:\n\n{${path}:quote}{/${path}}{^${path}}.{/${path}}`;
const issueTopic = `${repository} / issue #{issue.number} {issue.title}`;
const issue = "[issue #{issue.number}]({issue.html_url:url})";
const requestTopic = `${repository} / PR #{pull_request.number} {pull_request.title}`;
const request = "[PR #{pull_request.number}]({pull_request.html_url:url})";

const pushes: EventForms = {
  "push:commits": {
    topic: `${repository} / {ref:branch}`,
    text: "{pusher.login} [pushed]({compare_url:url}) {commits:count commit} to branch {ref:branch}.\n{#commits}\n* {message:line} ([{id:short}]({url:url})){/commits}",
  },
  ...each("push", ["branch_created", "branch_moved"], {
    topic: `${repository} / {ref:branch}`,
    text: "{pusher.login} [pushed]({compare_url:url}) branch {ref:branch}.",
  }),
  "push:branch_deleted": null,
  "push:tag": null,
  create: {
    topic: `${repository} / {ref:branch}`,
    text: `${who} created {ref_type} {ref:branch}.`,
  },
  delete: {
    topic: `${repository} / {ref:branch}`,
    text: `${who} deleted {ref_type} {ref:branch}.`,
  },
};

const conversations: EventForms = {
  "issues:opened": { topic: issueTopic, text: `${who} opened ${issue}${quote("issue.body")}` },
  "issues:edited": { topic: issueTopic, text: `${who} edited ${issue}${quote("issue.body")}` },
  ...each("issues", ["closed", "reopened", "assigned", "unassigned"], {
    topic: issueTopic,
    text: `${who} {action} ${issue}.`,
  }),
  "pull_request:opened": {
    topic: requestTopic,
    text: `${who} opened ${request} from {pull_request.head.ref:name} to {pull_request.base.ref:name}${quote("pull_request.body")}`,
  },
  "pull_request:edited": {
    topic: requestTopic,
    text: `${who} edited ${request}${quote("pull_request.body")}`,
  },
  "pull_request:closed": {
    topic: requestTopic,
    text: `${who} {?pull_request.merged}merged{/pull_request.merged}{^pull_request.merged}closed{/pull_request.merged} ${request}{^pull_request.merged} without merge{/pull_request.merged}.`,
  },
  "pull_request:synchronized": { topic: requestTopic, text: `${who} updated ${request}.` },
  ...each("pull_request", ["reopened", "assigned", "unassigned"], {
    topic: requestTopic,
    text: `${who} {action} ${request}.`,
  }),
  ...each("", ["pull_request_approved", "pull_request_rejected", "pull_request_comment"], {
    topic: requestTopic,
    text: `${who} {review.type:say|reviewed} ${request}${quote("review.content")}`,
  }),
  "issue_comment:created": {
    topic: `${repository} / {?is_pull}PR{/is_pull}{^is_pull}issue{/is_pull} #{issue.number} {issue.title}`,
    text: `${who} [commented]({comment.html_url:url}) on {?is_pull}PR{/is_pull}{^is_pull}issue{/is_pull} #{issue.number}${quote("comment.body")}`,
  },
  ...each("issue_comment", ["edited", "deleted"], {
    topic: `${repository} / {?is_pull}PR{/is_pull}{^is_pull}issue{/is_pull} #{issue.number} {issue.title}`,
    text: `${who} {action} a [comment]({comment.html_url:url}) on #{issue.number}.`,
  }),
};

const others: EventForms = {
  ...each("release", ["published", "updated", "deleted"], {
    topic: `${repository} / {release.tag_name}`,
    text: `${who} {action} release [{release.name|of a tag}]({release.html_url:url}) for tag {release.tag_name:name}.`,
  }),
  ...each("repository", ["created", "deleted"], {
    topic: repository,
    text: `${who} {action} the repository [{repository.full_name}]({repository.html_url:url}).`,
  }),
  fork: {
    topic: "{forkee.name}",
    text: `${who} forked [{forkee.full_name}]({forkee.html_url:url}) to [{repository.full_name}]({repository.html_url:url}).`,
  },
};

const giteaEvent = (header: Posted["header"]) =>
  header("x-gitea-event") ?? header("x-forgejo-event");
const gogsEvent = (header: Posted["header"]) => header("x-gogs-event");

const eventNamed = (name: string | null, payload: unknown) =>
  eventOf(name, name === "push" ? pushedWhat(payload) : pickText(payload, "action"));

const branchesOf = (name: string | null, payload: unknown) =>
  name === "push" ? branchOf(pickText(payload, "ref")) : [];

const isPrivate = (payload: unknown) => pick(payload, "repository.private") === true;

/** The events of Gitea and Forgejo. Source: docs.gitea.com, Webhooks. */
export const gitea: Integration = {
  name: "gitea",
  title: "Gitea",
  signature: signedBody(["x-gitea-signature", "x-forgejo-signature"]),
  event: ({ payload, header }) => eventNamed(giteaEvent(header), payload),
  branches: ({ payload, header }) => branchesOf(giteaEvent(header), payload),
  isPrivate,
  forms: { ...pushes, ...conversations, ...others },
  words: {
    pull_request_review_approved: "approved",
    pull_request_review_rejected: "requested changes in",
    pull_request_review_comment: "reviewed",
  },
};

/** Changes of labels and milestones, of which nothing is said. */
const changesOfLists = ["label_updated", "label_cleared", "milestoned", "demilestoned"];

/** Object at a name of a payload with more members, which do not replace those that it has. */
function withMembers(payload: object, name: string, more: object) {
  const found = pick(payload, name);
  return typeof found === "object" ? { [name]: { ...more, ...found } } : {};
}

/**
 * The events of Gogs, from which Gitea was forked. Its branches have other names, and its issues
 * and releases have no addresses. Source: github.com/gogs/gogs, internal/route/api/v1/types.
 */
export const gogs: Integration = {
  ...gitea,
  name: "gogs",
  title: "Gogs",
  signature: signedBody(["x-gogs-signature"]),
  event: ({ payload, header }) => eventNamed(gogsEvent(header), payload),
  branches: ({ payload, header }) => branchesOf(gogsEvent(header), payload),
  prepare(payload) {
    const page = pickText(payload, "repository.html_url");
    const branch = (name: string) => ({ ref: pickText(payload, `pull_request.${name}_branch`) });
    return {
      is_pull: pick(payload, "issue.pull_request") !== undefined,
      ...withMembers(payload, "issue", {
        html_url: `${page}/issues/${pickText(payload, "issue.number")}`,
      }),
      ...withMembers(payload, "pull_request", { head: branch("head"), base: branch("base") }),
      ...withMembers(payload, "release", { html_url: `${page}/releases` }),
    };
  },
  forms: {
    ...gitea.forms,
    ...each("issues", changesOfLists, null),
    ...each("pull_request", changesOfLists, null),
  },
};
