import { isRecord } from "../../../core/json/record";
import { documentMarkdown, isDocument } from "../atlassian-document";
import { each, eventOf, type Integration } from "../integration";
import { pick, pickText } from "../payload";
import { signedBody } from "../signature";

/* Services that track the issues of a project. */

const linearIssue = "[{data.team.key}-{data.number} {data.title}]({url:url})";
const linearTopic = "{data.team.key|Linear}-{data.number} {data.title}";
const linearState =
  "{?data.state.name}\n* State: {data.state.name}{/data.state.name}{?data.assignee.name}\n* Assignee: {data.assignee.name}{/data.assignee.name}{?data.priorityLabel}\n* Priority: {data.priorityLabel}{/data.priorityLabel}";

/** Webhooks of a workspace. Source: linear.app/developers/webhooks. */
export const linear: Integration = {
  name: "linear",
  title: "Linear",
  signature: signedBody(["linear-signature"]),
  event: ({ payload }) =>
    pickText(payload, "type") && eventOf(pickText(payload, "type"), pickText(payload, "action")),
  forms: {
    "Issue:create": {
      topic: linearTopic,
      text: `{actor.name|Somebody} created ${linearIssue}.${linearState}{?data.description}\n\n{data.description:quote}{/data.description}`,
    },
    "Issue:update": {
      topic: linearTopic,
      text: `{actor.name|Somebody} changed ${linearIssue}.${linearState}`,
    },
    "Issue:remove": {
      topic: linearTopic,
      text: "{actor.name|Somebody} deleted the issue {data.title}.",
    },
    "Comment:create": {
      topic: "{data.issue.title|Linear}",
      text: "{actor.name|Somebody} [commented]({url:url}) on the issue {data.issue.title}:\n\n{data.body:quote}",
    },
    "Comment:update": {
      topic: "{data.issue.title|Linear}",
      text: "{actor.name|Somebody} changed a [comment]({url:url}) on the issue {data.issue.title}:\n\n{data.body:quote}",
    },
    "Comment:remove": null,
  },
};

const jiraIssue = "[{issue.key}: {issue.fields.summary}]({browse:url})";
const jiraTopic = "{issue.key}: {issue.fields.summary}";
const jiraWho = "{user.displayName|Somebody}";

/** The comment with its text in Markdown, where Jira posts it in Atlassian's document format. */
function readComment(payload: object): object {
  const body = pick(payload, "comment.body");
  if (!isDocument(body)) return {};
  return { comment: { ...recordAt(payload, "comment"), body: documentMarkdown(body) } };
}

const recordAt = (payload: object, path: string): object => {
  const found = pick(payload, path);
  return isRecord(found) ? found : {};
};

/** Address of an issue for people, by that for programs: the server's, and the key. */
function addBrowse(payload: object): object {
  const self = URL.parse(pickText(payload, "issue.self"));
  const key = pickText(payload, "issue.key");
  const base = self?.href.replace(/\/rest\/api\/.*$/, "");
  return base === undefined ? {} : { browse: `${base}/browse/${encodeURIComponent(key)}` };
}

/** Updates of an issue that are about a comment, as verbs. */
const jiraChanges: ReadonlyMap<string, string> = new Map([
  ["issue_commented", "commented on"],
  ["issue_comment_edited", "changed a comment on"],
  ["issue_comment_deleted", "deleted a comment on"],
]);

/**
 * The event of a post. A step in a workflow posts without one. Data Center posts a comment twice:
 * without its issue, of which nobody could tell anything, and with it as an update of the issue.
 */
function jiraEvent(payload: unknown): string {
  const name = pickText(payload, "webhookEvent");
  if (name === "" && pick(payload, "transition") !== undefined) return "jira:issue_updated";
  const lacksIssue = name.startsWith("comment_") && pick(payload, "issue") === undefined;
  return eventOf(name, lacksIssue ? "without_issue" : null);
}

/** Webhooks of Jira Cloud and Data Center. Source: developer.atlassian.com, Jira webhooks. */
export const jira: Integration = {
  name: "jira",
  title: "Jira",
  signature: signedBody(["x-hub-signature"], "sha256="),
  escapesTwice: true,
  event: ({ payload }) => jiraEvent(payload),
  prepare: (payload) => ({
    ...addBrowse(payload),
    ...readComment(payload),
    change: jiraChanges.get(pickText(payload, "issue_event_type_name")) ?? "updated",
  }),
  forms: {
    "jira:issue_created": {
      topic: jiraTopic,
      text: `${jiraWho} created ${jiraIssue}:\n\n* **Priority**: {issue.fields.priority.name|none}\n* **Assignee**: {issue.fields.assignee.displayName|no one}`,
    },
    "jira:issue_updated": {
      topic: jiraTopic,
      text: `${jiraWho} {change} ${jiraIssue}.{#changelog.items}\n* Changed {field} from **{fromString|nothing}** to **{toString|nothing}**{/changelog.items}{^changelog.items}{?transition}\n* Changed status from **{transition.from_status|nothing}** to **{transition.to_status|nothing}**{/transition}{/changelog.items}{?comment.body}\n\n{comment.body:quote}{/comment.body}`,
    },
    "jira:issue_deleted": { topic: jiraTopic, text: `${jiraWho} deleted **${jiraTopic}**.` },
    comment_created: {
      topic: jiraTopic,
      text: `{comment.author.displayName|Somebody} commented on ${jiraIssue}:\n\n{comment.body:quote}`,
    },
    comment_updated: {
      topic: jiraTopic,
      text: `{comment.updateAuthor.displayName|Somebody} changed a comment on ${jiraIssue}:\n\n{comment.body:quote}`,
    },
    comment_deleted: {
      topic: jiraTopic,
      text: `{comment.author.displayName|Somebody} deleted a comment on ${jiraIssue}.`,
    },
    ...each("comment_created", ["without_issue"], null),
    ...each("comment_updated", ["without_issue"], null),
    ...each("comment_deleted", ["without_issue"], null),
    ...each(
      "",
      ["issuelink_created", "issuelink_deleted", "worklog_created", "worklog_updated"],
      null,
    ),
  },
};

/**
 * The example with which its documentation explains webhooks. Source: zulip.com/api, Incoming
 * webhooks walkthrough.
 */
export const helloworld: Integration = {
  name: "helloworld",
  title: "Hello World",
  event: ({ payload }) => pickText(payload, "featured_title") && "article",
  forms: {
    article: {
      topic: "Hello World",
      text: "Hello! I am happy to be here! :smile:\nThe Wikipedia featured article for today is **[{featured_title}]({featured_url:url})**",
    },
  },
};
