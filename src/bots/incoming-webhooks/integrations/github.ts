import { branchOf, type EventForms, each, eventOf, type Integration } from "../integration";
import { type Posted, pick, pickText } from "../payload";
import { signedBody } from "../signature";

const who = "{sender.login}";
const repository = "{repository.name}";
const link = (label: string, path: string) => `[${label}]({${path}:url})`;
const quote = (path: string) => `{?${path}}:\n\n{${path}:quote}{/${path}}`;
const period = (path: string) => `{^${path}}.{/${path}}`;

const issueTopic = `${repository} / issue #{issue.number} {issue.title}`;
const issue = link("issue #{issue.number}", "issue.html_url");
const requestTopic = `${repository} / PR #{pull_request.number} {pull_request.title}`;
const request = link("PR #{pull_request.number}", "pull_request.html_url");
const runTopic = (run: string) => `${repository} / {${run}.head_branch|checks}`;

const issues: EventForms = {
  "issues:opened": {
    topic: issueTopic,
    text: `${who} opened ${issue}{?issue.assignees} (assigned to{#issue.assignees} {login}{/issue.assignees}){/issue.assignees}${quote("issue.body")}${period("issue.body")}`,
  },
  ...each(
    "issues",
    ["closed", "reopened", "deleted", "locked", "unlocked", "pinned", "unpinned", "transferred"],
    {
      topic: issueTopic,
      text: `${who} {action} ${issue}.`,
    },
  ),
  "issues:edited": {
    topic: issueTopic,
    text: `${who} edited ${issue}${quote("issue.body")}${period("issue.body")}`,
  },
  ...each("issues", ["assigned", "unassigned"], {
    topic: issueTopic,
    text: `${who} {action} {assignee.login|somebody} {action:say} ${issue}.`,
  }),
  ...each("issues", ["labeled", "unlabeled"], {
    topic: issueTopic,
    text: `${who} {action} ${issue}: {label.name:name}.`,
  }),
  ...each("issues", ["milestoned", "demilestoned"], {
    topic: issueTopic,
    text: `${who} {action} ${issue}: {issue.milestone.title:name|no milestone}.`,
  }),
  "issue_comment:created": {
    topic: `${repository} / {?issue.pull_request}PR{/issue.pull_request}{^issue.pull_request}issue{/issue.pull_request} #{issue.number} {issue.title}`,
    text: `${who} ${link("commented", "comment.html_url")} on {?issue.pull_request}PR{/issue.pull_request}{^issue.pull_request}issue{/issue.pull_request} #{issue.number}${quote("comment.body")}`,
  },
  ...each("issue_comment", ["edited", "deleted"], {
    topic: `${repository} / {?issue.pull_request}PR{/issue.pull_request}{^issue.pull_request}issue{/issue.pull_request} #{issue.number} {issue.title}`,
    text: `${who} {action} a ${link("comment", "comment.html_url")} on #{issue.number}.`,
  }),
};

const pullRequests: EventForms = {
  "pull_request:opened": {
    topic: requestTopic,
    text: `${who} opened {?pull_request.draft}draft {/pull_request.draft}${request} from {pull_request.head.ref:name} to {pull_request.base.ref:name}${quote("pull_request.body")}${period("pull_request.body")}`,
  },
  "pull_request:closed": {
    topic: requestTopic,
    text: `${who} {?pull_request.merged}merged{/pull_request.merged}{^pull_request.merged}closed{/pull_request.merged} ${request}{^pull_request.merged} without merge{/pull_request.merged}.`,
  },
  ...each("pull_request", ["reopened", "locked", "unlocked"], {
    topic: requestTopic,
    text: `${who} {action} ${request}.`,
  }),
  "pull_request:synchronize": {
    topic: requestTopic,
    text: `${who} updated ${request}: it is at {after:short} now.`,
  },
  "pull_request:edited": {
    topic: requestTopic,
    text: `${who} edited ${request}${quote("pull_request.body")}${period("pull_request.body")}`,
  },
  "pull_request:ready_for_review": {
    topic: requestTopic,
    text: `${who} marked ${request} as ready for review.`,
  },
  "pull_request:converted_to_draft": {
    topic: requestTopic,
    text: `${who} made ${request} a draft.`,
  },
  ...each("pull_request", ["assigned", "unassigned"], {
    topic: requestTopic,
    text: `${who} {action} {assignee.login|somebody} {action:say} ${request}.`,
  }),
  "pull_request:review_requested": {
    topic: requestTopic,
    text: `${who} asked {requested_reviewer.login}{requested_team.name} to review ${request}.`,
  },
  ...each("pull_request", ["labeled", "unlabeled"], {
    topic: requestTopic,
    text: `${who} {action} ${request}: {label.name:name}.`,
  }),
  "pull_request_review:submitted": {
    topic: requestTopic,
    text: `${who} ${link("{review.state:say}", "review.html_url")} PR #{pull_request.number}${quote("review.body")}${period("review.body")}`,
  },
  "pull_request_review:dismissed": {
    topic: requestTopic,
    text: `${who} dismissed a ${link("review", "review.html_url")} of PR #{pull_request.number}.`,
  },
  "pull_request_review_comment:created": {
    topic: requestTopic,
    text: `${who} ${link("commented", "comment.html_url")} on {comment.path:name} in PR #{pull_request.number}${quote("comment.body")}`,
  },
};

const code: EventForms = {
  "push:commits": {
    topic: `${repository} / {ref:branch}`,
    text: `{pusher.name} {?forced}force-{/forced}${link("pushed", "compare")} {commits:count commit} to branch {ref:branch}.\n{#commits}\n* {message:line} (${link("{id:short}", "url")}){/commits}`,
  },
  "push:branch_created": {
    topic: `${repository} / {ref:branch}`,
    text: `{pusher.name} ${link("created", "compare")} branch {ref:branch}.`,
  },
  "push:branch_moved": {
    topic: `${repository} / {ref:branch}`,
    text: `{pusher.name} {?forced}force-{/forced}${link("pushed", "compare")} branch {ref:branch}: its head is {after:short} now.`,
  },
  "push:branch_deleted": {
    topic: `${repository} / {ref:branch}`,
    text: `{pusher.name} ${link("deleted", "compare")} branch {ref:branch}.`,
  },
  "push:tag": {
    topic: `${repository} / tags`,
    text: `{pusher.name} {?deleted}removed{/deleted}{^deleted}pushed{/deleted} tag {ref:branch}.`,
  },
  // Ignored, because a push also reports the new or deleted branch.
  create: null,
  delete: null,
  "commit_comment:created": {
    topic: `${repository} / {comment.commit_id:short}`,
    text: `${who} ${link("commented", "comment.html_url")} on {comment.commit_id:short}${quote("comment.body")}`,
  },
  ...each("release", ["published", "edited", "deleted", "prereleased", "unpublished"], {
    topic: `${repository} / {release.tag_name}`,
    text: `${who} {action} release ${link("{release.name|of a tag}", "release.html_url")} for tag {release.tag_name:name}.`,
  }),
  ...each("release", ["created", "released"], null),
  status: {
    topic: `${repository} / {sha:short}`,
    text: `${link("{sha:short}", "commit.html_url")} changed its status to {state}{?target_url}: ${link("{description|details}", "target_url")}{/target_url}.`,
  },
  "check_run:completed": {
    topic: `${repository} / {check_run.check_suite.head_branch|checks}`,
    text: `Check ${link("{check_run.name}", "check_run.html_url")} {check_run.conclusion:say} ({check_run.head_sha:short}).`,
  },
  "workflow_run:completed": {
    topic: runTopic("workflow_run"),
    text: `Workflow ${link("{workflow_run.name}", "workflow_run.html_url")} {workflow_run.conclusion:say} ({workflow_run.head_sha:short}).`,
  },
  ...each("check_run", ["created", "rerequested", "requested_action"], null),
  ...each("workflow_run", ["requested", "in_progress"], null),
  check_suite: null,
  workflow_job: null,
  deployment: {
    topic: `${repository} / deployments`,
    text: `${who} began a deployment of {deployment.ref:branch} to {deployment.environment}.`,
  },
  deployment_status: {
    topic: `${repository} / deployments`,
    text: `The deployment to {deployment.environment} is {deployment_status.state:words} now{?deployment_status.target_url} (${link("details", "deployment_status.target_url")}){/deployment_status.target_url}.`,
  },
};

const about: EventForms = {
  ping: {
    topic: "{repository.name|GitHub}",
    text: "GitHub webhook is configured for {repository.full_name:name|the organization}{?sender} by {sender.login}{/sender}.",
  },
  fork: {
    topic: repository,
    text: `${who} forked the repository to ${link("{forkee.full_name}", "forkee.html_url")}.`,
  },
  "star:created": {
    topic: repository,
    text: `${who} starred the repository ${link("{repository.full_name}", "repository.html_url")}.`,
  },
  "star:deleted": {
    topic: repository,
    text: `${who} unstarred the repository ${link("{repository.full_name}", "repository.html_url")}.`,
  },
  watch: null,
  public: {
    topic: repository,
    text: `${who} made the repository ${link("{repository.full_name}", "repository.html_url")} public.`,
  },
  ...each(
    "repository",
    [
      "created",
      "deleted",
      "archived",
      "unarchived",
      "renamed",
      "publicized",
      "privatized",
      "transferred",
    ],
    {
      topic: repository,
      text: `${who} {action} the repository ${link("{repository.full_name}", "repository.html_url")}.`,
    },
  ),
  ...each("member", ["added", "removed"], {
    topic: repository,
    text: `${who} {action} {member.login} as a collaborator of ${link("{repository.full_name}", "repository.html_url")}.`,
  }),
  gollum: {
    topic: `${repository} / wiki`,
    text: `${who} changed the wiki:{#pages}\n* {action} ${link("{title}", "html_url")}{/pages}`,
  },
  "discussion:created": {
    topic: `${repository} / discussion #{discussion.number} {discussion.title}`,
    text: `${who} began ${link("discussion #{discussion.number}", "discussion.html_url")} in {discussion.category.name}${quote("discussion.body")}${period("discussion.body")}`,
  },
  "discussion_comment:created": {
    topic: `${repository} / discussion #{discussion.number} {discussion.title}`,
    text: `${who} ${link("commented", "comment.html_url")} on discussion #{discussion.number}${quote("comment.body")}`,
  },
};

/** Kind of the pushed ref. Pushes of tags, new branches and removed ones have no commits. */
export function pushedWhat(payload: unknown): string {
  if (pickText(payload, "ref").startsWith("refs/tags/")) return "tag";
  if (pickText(payload, "deleted") === "true" || /^0+$/.test(pickText(payload, "after")))
    return "branch_deleted";
  if (pickText(payload, "commits.0.id") !== "") return "commits";
  const isNew = pickText(payload, "created") === "true" || /^0+$/.test(pickText(payload, "before"));
  return isNew ? "branch_created" : "branch_moved";
}

function githubEvent({ payload, header }: Posted): string {
  const event = header("x-github-event");
  return eventOf(event, event === "push" ? pushedWhat(payload) : pickText(payload, "action"));
}

const everyEvent = (kind: string, actions: readonly string[], zulipName: string) =>
  Object.fromEntries(actions.map((action) => [`${kind}:${action}`, [zulipName]]));

/** Events with another name in Zulip. Source: zulip.com/integrations/github, Filtering. */
const zulipNames: Readonly<Record<string, string[]>> = {
  ...everyEvent(
    "push",
    ["commits", "branch_created", "branch_moved", "branch_deleted"],
    "push_commits",
  ),
  ...everyEvent("push", ["tag"], "push_tags"),
  ...everyEvent("issues", ["labeled", "unlabeled"], "issue_labeled_or_unlabeled"),
  ...everyEvent("issues", ["milestoned", "demilestoned"], "issue_milestoned_or_demilestoned"),
  ...everyEvent("pull_request", ["opened", "reopened"], "opened_pull_request"),
  ...everyEvent("pull_request", ["synchronize", "edited"], "updated_pull_request"),
  ...everyEvent("pull_request", ["closed"], "closed_pull_request"),
  ...everyEvent("pull_request", ["assigned", "unassigned"], "assigned_or_unassigned_pull_request"),
  ...everyEvent("pull_request", ["labeled", "unlabeled"], "pull_request_labeled_or_unlabeled"),
  ...everyEvent("pull_request", ["locked", "unlocked"], "locked_or_unlocked_pull_request"),
};

/** GitHub's events. Source: docs.github.com, Webhook events and payloads. */
export const github: Integration = {
  name: "github",
  title: "GitHub",
  signature: signedBody(["x-hub-signature-256"], "sha256="),
  event: githubEvent,
  zulipNames: (event) => (Object.hasOwn(zulipNames, event) ? zulipNames[event] : undefined) ?? [],
  branches: ({ payload, header }) =>
    header("x-github-event") === "push" ? branchOf(pickText(payload, "ref")) : [],
  isPrivate: (payload) => pick(payload, "repository.private") === true,
  forms: { ...about, ...code, ...issues, ...pullRequests },
  words: {
    assigned: "to",
    unassigned: "from",
    approved: "approved",
    changes_requested: "requested changes in",
    commented: "reviewed",
    success: "has succeeded",
    failure: "has failed",
    cancelled: "was cancelled",
    skipped: "was skipped",
    timed_out: "has timed out",
    neutral: "has ended",
    stale: "is stale",
    action_required: "needs somebody",
  },
};
