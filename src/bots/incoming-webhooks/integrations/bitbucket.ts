import { type EventForms, each, eventOf, type Integration } from "../integration";
import { pick, pickList, pickText } from "../payload";
import { signedBody } from "../signature";

const who = "{actor.display_name}";
const quote = (path: string) => `{?${path}}:\n\n{${path}:quote}{/${path}}{^${path}}.{/${path}}`;
const requestTopic = "{repository.name} / PR #{pullrequest.id} {pullrequest.title}";
const request = "[PR #{pullrequest.id}]({pullrequest.links.html.href:url})";
const issueTopic = "{repository.name} / issue #{issue.id} {issue.title}";
const issue = "[issue #{issue.id}]({issue.links.html.href:url})";
const commented = "[commented]({comment.links.html.href:url})";

/** Changes of a push, with a verb, the kind of what is changed and its name. */
const addChanges = (payload: object): object => ({
  changes: pickList(payload, "push.changes").map((change) => ({
    verb: changeVerb(change),
    kind: pickText(change, "new.type") || pickText(change, "old.type"),
    name: pickText(change, "new.name") || pickText(change, "old.name"),
    commits: pickList(change, "commits"),
  })),
});

function changeVerb(change: unknown): string {
  if (pick(change, "new") === undefined) return "deleted";
  if (pick(change, "old") === undefined) return "created";
  return pick(change, "forced") === true ? "force-pushed to" : "pushed to";
}

const requests: EventForms = {
  "pullrequest:created": {
    topic: requestTopic,
    text: `${who} created ${request} from {pullrequest.source.branch.name:name} to {pullrequest.destination.branch.name:name}${quote("pullrequest.description")}`,
  },
  "pullrequest:updated": { topic: requestTopic, text: `${who} updated ${request}.` },
  "pullrequest:approved": { topic: requestTopic, text: `${who} approved ${request}.` },
  "pullrequest:unapproved": {
    topic: requestTopic,
    text: `${who} no longer approves ${request}.`,
  },
  "pullrequest:fulfilled": { topic: requestTopic, text: `${who} merged ${request}.` },
  "pullrequest:rejected": { topic: requestTopic, text: `${who} rejected ${request}.` },
  "pullrequest:comment_created": {
    topic: requestTopic,
    text: `${who} ${commented} on ${request}${quote("comment.content.raw")}`,
  },
  ...each("pullrequest", ["comment_updated", "comment_deleted", "changes_request_removed"], null),
};

/**
 * Webhooks of Bitbucket Cloud. Source: support.atlassian.com/bitbucket-cloud/docs/event-payloads.
 */
export const bitbucket: Integration = {
  name: "bitbucket2",
  title: "Bitbucket",
  signature: signedBody(["x-hub-signature"], "sha256="),
  escapesTwice: true,
  event({ payload, header }) {
    const key = header("x-event-key");
    const isEmpty = key === "repo:push" && pickList(payload, "push.changes").length === 0;
    return eventOf(key, isEmpty ? "nothing" : null);
  },
  branches: ({ payload }) =>
    pickList(payload, "push.changes")
      .map((change) => pick(change, "new") ?? pick(change, "old"))
      .filter((ref) => pickText(ref, "type") === "branch")
      .map((ref) => pickText(ref, "name")),
  isPrivate: (payload) => pick(payload, "repository.is_private") === true,
  prepare: addChanges,
  forms: {
    "repo:push": {
      topic: "{repository.name} / {changes.0.name}",
      text: `{#changes}${who} {verb} {kind} {name:name}{?commits}:{/commits}{#commits}\n* {message:line} ([{hash:short}]({links.html.href:url})){/commits}\n\n{/changes}`,
    },
    "repo:push:nothing": null,
    "repo:fork": {
      topic: "{repository.name}",
      text: `${who} forked {repository.full_name} to [{fork.full_name}]({fork.links.html.href:url}).`,
    },
    "repo:commit_comment_created": {
      topic: "{repository.name}",
      text: `${who} ${commented} on [{commit.hash:short}]({commit.links.html.href:url})${quote("comment.content.raw")}`,
    },
    ...each("repo", ["commit_status_created", "commit_status_updated"], {
      topic: "{repository.name}",
      text: "[{commit_status.name}]({commit_status.url:url}): **{commit_status.state:words}**{?commit_status.description}: {commit_status.description}{/commit_status.description}",
    }),
    ...each("repo", ["updated", "transfer", "imported", "created", "deleted"], null),
    ...requests,
    "issue:created": {
      topic: issueTopic,
      text: `${who} created ${issue}${quote("issue.content.raw")}`,
    },
    "issue:updated": { topic: issueTopic, text: `${who} updated ${issue}.` },
    "issue:comment_created": {
      topic: issueTopic,
      text: `${who} ${commented} on ${issue}${quote("comment.content.raw")}`,
    },
  },
};

const serverWho = "{actor.displayName}";
const serverTopic =
  "{pullRequest.toRef.repository.name} / PR #{pullRequest.id} {pullRequest.title}";
const serverRequest = "[PR #{pullRequest.id}]({pullRequest.links.self.0.href:url})";
const serverForm = (verb: string) => ({
  topic: serverTopic,
  text: `${serverWho} ${verb} ${serverRequest}.`,
});

/**
 * Webhooks of Bitbucket Server and Data Center. Source:
 * confluence.atlassian.com/bitbucketserver/event-payload-938025882.html.
 */
export const bitbucketServer: Integration = {
  name: "bitbucket3",
  title: "Bitbucket Server",
  signature: signedBody(["x-hub-signature"], "sha256="),
  escapesTwice: true,
  event: ({ payload, header }) => pickText(payload, "eventKey") || (header("x-event-key") ?? ""),
  branches: ({ payload }) =>
    pickList(payload, "changes")
      .filter((change) => pickText(change, "ref.type") === "BRANCH")
      .map((change) => pickText(change, "ref.displayId")),
  forms: {
    "diagnostics:ping": { topic: "Bitbucket Server", text: "Bitbucket Server can post here." },
    "repo:refs_changed": {
      topic: "{repository.name} / {changes.0.ref.displayId}",
      text: `{#changes}${serverWho} {type:say} {ref.type:words} {ref.displayId:name}.\n{/changes}`,
    },
    "repo:forked": {
      topic: "{repository.name}",
      text: `${serverWho} forked {repository.origin.name} to {repository.project.name}/{repository.name}.`,
    },
    "repo:comment:added": {
      topic: "{repository.name}",
      text: `${serverWho} commented on {commit:short}${quote("comment.text")}`,
    },
    ...each("repo", ["modified", "comment:edited", "comment:deleted"], null),
    "pr:opened": {
      topic: serverTopic,
      text: `${serverWho} opened ${serverRequest} from {pullRequest.fromRef.displayId:name} to {pullRequest.toRef.displayId:name}${quote("pullRequest.description")}`,
    },
    "pr:modified": serverForm("modified"),
    "pr:from_ref_updated": serverForm("pushed to"),
    "pr:merged": serverForm("merged"),
    "pr:declined": serverForm("declined"),
    "pr:deleted": serverForm("deleted"),
    "pr:reviewer:approved": serverForm("approved"),
    "pr:reviewer:unapproved": serverForm("no longer approves"),
    "pr:reviewer:needs_work": serverForm("asks for more work on"),
    "pr:reviewer:updated": null,
    "pr:comment:added": {
      topic: serverTopic,
      text: `${serverWho} commented on ${serverRequest}${quote("comment.text")}`,
    },
    ...each("pr:comment", ["edited", "deleted"], null),
  },
  words: { ADD: "created", UPDATE: "pushed to", DELETE: "deleted" },
};
