import { type EventForms, each, eventOf, type Integration } from "../integration";
import { type Posted, pickText } from "../payload";
import { sharedToken } from "../signature";

const who = "{user.name}{user_name}";
const project = "{project.name}";
const quote = (path: string) => `{?${path}}:\n\n{${path}:quote}{/${path}}{^${path}}.{/${path}}`;
const at = "object_attributes";
const issueTopic = `${project} / issue #{${at}.iid} {${at}.title}`;
const issue = `[issue #{${at}.iid}]({${at}.url:url})`;
const mergeTopic = `${project} / MR !{${at}.iid} {${at}.title}`;
const merge = `[MR !{${at}.iid}]({${at}.url:url})`;

const pushes: EventForms = {
  "push:commits": {
    topic: `${project} / {ref:branch}`,
    text: "{user_name} pushed {total_commits_count:count commit} to branch {ref:branch}.\n{#commits}\n* {message:line} ([{id:short}]({url:url})){/commits}",
  },
  "push:created": {
    topic: `${project} / {ref:branch}`,
    text: "{user_name} created branch {ref:branch}.",
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
  "note:Issue": {
    topic: `${project} / issue #{issue.iid} {issue.title}`,
    text: `${who} [commented]({${at}.url:url}) on issue #{issue.iid}${quote(`${at}.note`)}`,
  },
  "note:MergeRequest": {
    topic: `${project} / MR !{merge_request.iid} {merge_request.title}`,
    text: `${who} [commented]({${at}.url:url}) on MR !{merge_request.iid}${quote(`${at}.note`)}`,
  },
  "note:Commit": {
    topic: `${project} / {commit.id:short}`,
    text: `${who} [commented]({${at}.url:url}) on {commit.id:short}${quote(`${at}.note`)}`,
  },
  "note:Snippet": {
    topic: `${project} / snippet #{snippet.id} {snippet.title}`,
    text: `${who} [commented]({${at}.url:url}) on snippet #{snippet.id}${quote(`${at}.note`)}`,
  },
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
  return isZero(pickText(payload, "before")) && pickText(payload, "commits.0.id") === ""
    ? "created"
    : "commits";
}

function gitlabEvent({ payload }: Posted): string {
  const kind = pickText(payload, "object_kind");
  if (kind === "push" || kind === "tag_push")
    return eventOf(kind, refChange(payload, kind === "push"));
  if (kind === "note") return eventOf(kind, pickText(payload, `${at}.noteable_type`));
  const status = kind === "pipeline" || kind === "deployment";
  const state = pickText(payload, kind === "pipeline" ? `${at}.status` : "status");
  return eventOf(
    kind,
    status ? state : pickText(payload, `${at}.action`) || pickText(payload, "action"),
  );
}

/** GitLab's events. Source: docs.gitlab.com, Webhook events. */
export const gitlab: Integration = {
  name: "gitlab",
  title: "GitLab",
  signature: sharedToken("x-gitlab-token"),
  event: gitlabEvent,
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
