import { branchOf, type EventForms, each, eventOf, type Integration } from "../integration";
import { type Posted, pick, pickText } from "../payload";
import { sharedToken } from "../signature";

const who = "{user.name}{user_name}";
const project = "{project.name}";
const quote = (path: string) => `{?${path}}:\n\n{${path}:quote}{/${path}}{^${path}}.{/${path}}`;
const at = "object_attributes";
const issueTopic = `${project} / issue #{${at}.iid} {${at}.title}`;
const issue = `[issue #{${at}.iid}]({${at}.url:url})`;
const mergeTopic = `${project} / MR !{${at}.iid} {${at}.title}`;
const merge = `[MR !{${at}.iid}]({${at}.url:url})`;

const item = `{${at}.type:words|item} #{${at}.iid}`;
const itemTopic = `{project.name|GitLab} / ${item} {${at}.title}`;

/** Tasks, incidents and epics, which belong to a project or to a group. */
const itemForms: EventForms = {
  "work_item:open": {
    topic: itemTopic,
    text: `${who} opened [${item}]({${at}.url:url})${quote(`${at}.description`)}`,
  },
  ...each("work_item", ["close", "reopen", "update"], {
    topic: itemTopic,
    text: `${who} {${at}.action:say} [${item}]({${at}.url:url}).`,
  }),
};

/** A new comment, and the change of one, which GitLab posts since 16.11. */
function noted(type: string, what: string, title = ""): EventForms {
  const topic = `${project} / ${what}${title}`;
  const address = `({${at}.url:url})`;
  const quoted = quote(`${at}.note`);
  return {
    [`note:${type}`]: { topic, text: `${who} [commented]${address} on ${what}${quoted}` },
    [`note:${type}:update`]: { topic, text: `${who} changed a [comment]${address} on ${what}.` },
  };
}

const pushes: EventForms = {
  "push:commits": {
    topic: `${project} / {ref:branch}`,
    text: "{user_name} pushed {total_commits_count:count commit} to branch {ref:branch}.\n{#commits}\n* {message:line} ([{id:short}]({url:url})){/commits}",
  },
  "push:created": {
    topic: `${project} / {ref:branch}`,
    text: "{user_name} created branch {ref:branch}.",
  },
  "push:moved": {
    topic: `${project} / {ref:branch}`,
    text: "{user_name} pushed branch {ref:branch}: its head is {after:short} now.",
  },
  "push:removed": {
    topic: `${project} / {ref:branch}`,
    text: "{user_name} deleted branch {ref:branch}.",
  },
  tag_push: { topic: `${project} / tags`, text: "{user_name} pushed tag {ref:branch}." },
  "tag_push:removed": { topic: `${project} / tags`, text: "{user_name} removed tag {ref:branch}." },
};

const conversations: EventForms = {
  "issue:open": { topic: issueTopic, text: `${who} opened ${issue}${quote(`${at}.description`)}` },
  ...each("issue", ["close", "reopen", "update"], {
    topic: issueTopic,
    text: `${who} {${at}.action:say} ${issue}.`,
  }),
  "merge_request:open": {
    topic: mergeTopic,
    text: `${who} opened ${merge} from {${at}.source_branch:name} to {${at}.target_branch:name}${quote(`${at}.description`)}`,
  },
  ...each(
    "merge_request",
    ["close", "reopen", "update", "approved", "approval", "unapproved", "unapproval", "merge"],
    {
      topic: mergeTopic,
      text: `${who} {${at}.action:say} ${merge}.`,
    },
  ),
  ...itemForms,
  ...noted("Issue", "issue #{issue.iid}", " {issue.title}"),
  ...noted("MergeRequest", "MR !{merge_request.iid}", " {merge_request.title}"),
  ...noted("Commit", "{commit.id:short}"),
  ...noted("Snippet", "snippet #{snippet.id}", " {snippet.title}"),
};

const others: EventForms = {
  ...each("wiki_page", ["create", "update", "delete"], {
    topic: `${project} / wiki`,
    text: `${who} {${at}.action:say} the wiki page [{${at}.title}]({${at}.url:url}).`,
  }),
  ...each("pipeline", ["success", "failed", "canceled"], {
    topic: `${project} / {${at}.ref}`,
    text: `[Pipeline #{${at}.id}]({${at}.url:url}) {${at}.status:say} ({${at}.sha:short}).{#failed_builds}\n* {name} ({stage}){/failed_builds}`,
  }),
  ...each(
    "pipeline",
    [
      "created",
      "waiting_for_resource",
      "preparing",
      "pending",
      "running",
      "manual",
      "scheduled",
      "skipped",
    ],
    null,
  ),
  build: null,
  "release:create": {
    topic: `${project} / {tag}`,
    text: "Release [{name}]({url:url}) was published for tag {tag:name}.",
  },
  ...each("deployment", ["success", "failed"], {
    topic: `${project} / deployments`,
    text: "The [deployment]({deployable_url:url}) to {environment} {status:say} ({short_sha}).",
  }),
  ...each("deployment", ["running", "created", "canceled"], null),
};

const isZero = (id: string) => /^0+$/.test(id);

/** Change of a branch or a tag; empty for a new tag. */
function refChange(payload: unknown, isBranch: boolean): string {
  if (isZero(pickText(payload, "after"))) return "removed";
  if (!isBranch) return "";
  if (pickText(payload, "commits.0.id") !== "") return "commits";
  return isZero(pickText(payload, "before")) ? "created" : "moved";
}

function gitlabEvent({ payload }: Posted): string {
  const kind = pickText(payload, "object_kind");
  if (kind === "push" || kind === "tag_push")
    return eventOf(kind, refChange(payload, kind === "push"));
  const action = pickText(payload, `${at}.action`);
  if (kind === "note")
    return eventOf(
      kind,
      pickText(payload, `${at}.noteable_type`),
      action === "update" ? action : null,
    );
  const status = kind === "pipeline" || kind === "deployment";
  const state = pickText(payload, kind === "pipeline" ? `${at}.status` : "status");
  return eventOf(kind, status ? state : action || pickText(payload, "action"));
}

/**
 * The event as Zulip names it: GitLab's header, and the action or the kind of object. Source:
 * zulip.com/integrations/gitlab, Filtering.
 */
function zulipNames({ payload, header }: Posted): string[] {
  const hook = header("x-gitlab-event") ?? "";
  const detail = pickText(payload, `${at}.noteable_type`) || pickText(payload, `${at}.action`);
  return hook === "" ? [] : [hook, ...(detail === "" ? [] : [`${hook} ${detail}`])];
}

/** GitLab's events. Source: docs.gitlab.com, Webhook events. */
export const gitlab: Integration = {
  name: "gitlab",
  title: "GitLab",
  signature: sharedToken("x-gitlab-token"),
  event: gitlabEvent,
  zulipNames: (_event, posted) => zulipNames(posted),
  branches: ({ payload }) =>
    pickText(payload, "object_kind") === "push" ? branchOf(pickText(payload, "ref")) : [],
  isPrivate: (payload) => pick(payload, "project.visibility_level") === 0,
  prepare: (payload) => {
    const builds = "builds" in payload && Array.isArray(payload.builds) ? payload.builds : [];
    return { failed_builds: builds.filter((build) => pickText(build, "status") === "failed") };
  },
  forms: { ...pushes, ...conversations, ...others },
  words: {
    close: "closed",
    reopen: "reopened",
    update: "updated",
    merge: "merged",
    create: "created",
    delete: "deleted",
    approved: "approved",
    approval: "added an approval to",
    unapproved: "took back the approval of",
    unapproval: "took back an approval of",
    success: "has succeeded",
    failed: "has failed",
    canceled: "was canceled",
  },
};
