import { isRecord } from "../../../core/record";
import { documentMarkdown, isDocument } from "../atlassian-document";
import { each, eventOf, type Integration } from "../integration";
import { pick, pickText } from "../payload";
import { signedBody } from "../signature";

/* Services in which teams keep what they are to do. */

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

/** Webhooks of Jira Cloud and Data Center. Source: developer.atlassian.com, Jira webhooks. */
export const jira: Integration = {
  name: "jira",
  title: "Jira",
  signature: signedBody(["x-hub-signature"], "sha256="),
  escapesTwice: true,
  event: ({ payload }) => pickText(payload, "webhookEvent"),
  prepare: (payload) => ({ ...addBrowse(payload), ...readComment(payload) }),
  forms: {
    "jira:issue_created": {
      topic: jiraTopic,
      text: `${jiraWho} created ${jiraIssue}:\n\n* **Priority**: {issue.fields.priority.name|none}\n* **Assignee**: {issue.fields.assignee.displayName|no one}`,
    },
    "jira:issue_updated": {
      topic: jiraTopic,
      text: `${jiraWho} updated ${jiraIssue}.{#changelog.items}\n* Changed {field} from **{fromString|nothing}** to **{toString|nothing}**{/changelog.items}{?comment.body}\n\n{comment.body:quote}{/comment.body}`,
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
