import { isRecord } from "../../../core/json/record";
import { type EventForms, each, eventOf, type Integration } from "../integration";
import { pick, pickList, pickText } from "../payload";
import { signedBody } from "../signature";

/* Services in which teams keep tasks and stories. */

const clickUpWho = "{history_items.0.user.username|Somebody}";
const clickUpTask = "[task {task_id}](https://app.clickup.com/t/{task_id:segment})";
const clickUpForm = (text: string) => ({ topic: "task {task_id}", text: `${clickUpWho} ${text}` });
const nounsOfClickUp = ["list", "folder", "space", "goal", "keyResult"];

/**
 * Webhooks of a workspace, which name a task by its number alone. Source:
 * developer.clickup.com/docs/webhooktaskpayloads and webhooksignature.
 */
export const clickUp: Integration = {
  name: "clickup",
  title: "ClickUp",
  signature: signedBody(["x-signature"]),
  event({ payload }) {
    const event = pickText(payload, "event");
    return eventOf(event, event && pickText(payload, "history_items.0.field"));
  },
  prepare(payload) {
    const due = Number(pickText(payload, "history_items.0.after"));
    return { due: due > 0 ? Math.floor(due / 1_000) : 0 };
  },
  forms: {
    taskCreated: clickUpForm(`created ${clickUpTask}.`),
    taskDeleted: { topic: "task {task_id}", text: "The task {task_id} was deleted." },
    taskStatusUpdated: clickUpForm(
      `changed the status of ${clickUpTask}{?history_items.0.before.status} from {history_items.0.before.status}{/history_items.0.before.status} to **{history_items.0.after.status}**.`,
    ),
    taskPriorityUpdated: clickUpForm(
      `{?history_items.0.after.priority}changed the priority of ${clickUpTask} to **{history_items.0.after.priority}**{/history_items.0.after.priority}{^history_items.0.after.priority}took the priority of ${clickUpTask} away{/history_items.0.after.priority}.`,
    ),
    "taskAssigneeUpdated:assignee_add": clickUpForm(
      `gave ${clickUpTask} to {history_items.0.after.username|somebody}.`,
    ),
    "taskAssigneeUpdated:assignee_rem": clickUpForm(
      `took ${clickUpTask} from {history_items.0.before.username|somebody}.`,
    ),
    taskDueDateUpdated: clickUpForm(
      `{?due}set the due date of ${clickUpTask} to {due:time}{/due}{^due}took the due date of ${clickUpTask} away{/due}.`,
    ),
    taskMoved: clickUpForm(
      `moved ${clickUpTask} from {history_items.0.before.name|a list} to {history_items.0.after.name|another list}.`,
    ),
    taskCommentPosted: clickUpForm(
      `commented on ${clickUpTask}:\n\n{history_items.0.comment.text_content:quote}`,
    ),
    ...each(
      "",
      [
        "taskUpdated",
        "taskAssigneeUpdated",
        "taskTagUpdated",
        "taskCommentUpdated",
        "taskTimeEstimateUpdated",
        "taskTimeTrackedUpdated",
        ...nounsOfClickUp.flatMap((noun) =>
          ["Created", "Updated", "Deleted"].map((done) => `${noun}${done}`),
        ),
      ],
      null,
    ),
  },
};

/** Members of a story or an epic whose change is told; those that come first go before others. */
const toldByShortcut = ["workflow_state_id", "state", "archived", "name", "description"];

/** The actions of a post: the one that it is about, and that on the story or the epic of it. */
function shortcutActions(payload: unknown) {
  const all = pickList(payload, "actions");
  const isOn = (kinds: readonly string[]) => (one: unknown) =>
    kinds.includes(pickText(one, "entity_type"));
  const about =
    all.find((one) => pickText(one, "id") === pickText(payload, "primary_id")) ?? all[0];
  return { about, story: all.find(isOn(["story", "epic"])) ?? about };
}

/** Name of something that an action refers to by its number. */
function shortcutName(payload: unknown, id: unknown): unknown {
  const found = pickList(payload, "references").find((one) => id && pick(one, "id") === id);
  return pick(found, "name");
}

const storyLink = "[{story.name}]({story.app_url:url})";
const storyTopic = "{story.name|stories}";
const shortcutForm = (text: string) => ({ topic: storyTopic, text });

/** Events that stories and epics have alike. */
const eventsOf = (noun: string): EventForms => ({
  [`${noun}:delete`]: shortcutForm(`The ${noun} {story.name} was deleted.`),
  [`${noun}:update:archived`]: shortcutForm(
    `The ${noun} ${storyLink} was {?about.changes.archived.new}archived{/about.changes.archived.new}{^about.changes.archived.new}taken back from the archive{/about.changes.archived.new}.`,
  ),
  [`${noun}:update:name`]: shortcutForm(
    `The ${noun} {about.changes.name.old} was renamed to ${storyLink}.`,
  ),
  [`${noun}:update:description`]: shortcutForm(
    `The description of the ${noun} ${storyLink} was changed{?about.changes.description.new}:\n\n{about.changes.description.new:quote}{/about.changes.description.new}{^about.changes.description.new}.{/about.changes.description.new}`,
  ),
  [`${noun}:update`]: null,
  [`${noun}-comment:create`]: shortcutForm(
    `A comment on the ${noun} ${storyLink}:\n\n{about.text:quote}`,
  ),
  ...each(`${noun}-comment`, ["update", "delete"], null),
});

/**
 * Outgoing webhooks of a workspace. Source: developer.shortcut.com/api/webhook/v1 and
 * help.shortcut.com, Registering outgoing webhooks.
 */
export const shortcut: Integration = {
  name: "shortcut",
  title: "Shortcut",
  signature: signedBody(["payload-signature"]),
  event({ payload }) {
    const { about } = shortcutActions(payload);
    const isChanged = (name: string) => pick(about, `changes.${name}`) !== undefined;
    const action = pickText(about, "action");
    return eventOf(
      pickText(about, "entity_type"),
      action,
      action === "update" ? (toldByShortcut.find(isChanged) ?? null) : null,
    );
  },
  prepare(payload) {
    const { about, story } = shortcutActions(payload);
    const state = (when: string) =>
      shortcutName(payload, pick(about, `changes.workflow_state_id.${when}`));
    return { about, story, before: state("old"), after: state("new") };
  },
  forms: {
    "story:create": shortcutForm(
      `New {story.story_type|story} ${storyLink}{?story.description}:\n\n{story.description:quote}{/story.description}{^story.description}.{/story.description}`,
    ),
    "story:update:workflow_state_id": shortcutForm(
      `The story ${storyLink} was moved{?before} from {before}{/before} to **{after|another state}**.`,
    ),
    "epic:create": shortcutForm(
      `New epic ${storyLink}{?story.description}:\n\n{story.description:quote}{/story.description}{^story.description}.{/story.description}`,
    ),
    "epic:update:state": shortcutForm(
      `The epic ${storyLink} went from {about.changes.state.old:words} to **{about.changes.state.new:words}**.`,
    ),
    ...eventsOf("story"),
    ...eventsOf("epic"),
    "story-task:create": shortcutForm(`A task of the story ${storyLink}: {about.description:line}`),
    ...each("", ["story-task", "story-link", "label", "branch", "pull-request"], null),
  },
};

/** The address from the time when Shortcut was called Clubhouse. */
export const clubhouse: Integration = { ...shortcut, name: "clubhouse", title: "Clubhouse" };

const redmineIssue =
  "{?url}[{issue.tracker.name|Issue} #{issue.id}]({url:url}){/url}{^url}{issue.tracker.name|Issue} #{issue.id}{/url}";
const redmineTopic = "{issue.project.name|Redmine} #{issue.id} {issue.subject}";
const redmineFacts =
  "{?issue.status.name}\n* Status: {issue.status.name}{/issue.status.name}{?issue.priority.name}\n* Priority: {issue.priority.name}{/issue.priority.name}{?issue.assigned_to.name}\n* Assigned to: {issue.assigned_to.name}{/issue.assigned_to.name}";

/** Name of a person, which the plug-in gives in two parts. */
const nameOf = (person: unknown) =>
  pickText(person, "name") ||
  [pickText(person, "firstname"), pickText(person, "lastname")].join(" ").trim();

/**
 * Webhooks of Redmine itself and of its plug-in redmine_webhook, which names the action and the
 * address of the issue. Source: github.com/redmine/redmine, its models, and
 * github.com/suer/redmine_webhook.
 */
export const redmine: Integration = {
  name: "redmine",
  title: "Redmine",
  signature: signedBody(["x-redmine-signature-256"], "sha256="),
  event({ payload }) {
    const action = pickText(payload, "payload.action").replace("opened", "created");
    return pickText(payload, "type") || (action && `issue.${action}`);
  },
  prepare(payload) {
    const posted = pick(payload, "data") ?? pick(payload, "payload");
    const issue = pick(posted, "issue");
    const author = nameOf(pick(issue, "author"));
    const editor = nameOf(pick(posted, "journal.user") ?? pick(posted, "journal.author"));
    const owner = nameOf(pick(issue, "assigned_to") ?? pick(issue, "assignee"));
    return {
      issue: { ...(isRecord(issue) ? issue : {}), assigned_to: { name: owner } },
      author,
      editor,
      notes: pick(posted, "journal.notes"),
      url: pick(posted, "url"),
    };
  },
  forms: {
    "issue.created": {
      topic: redmineTopic,
      text: `{author|Somebody} opened ${redmineIssue}: {issue.subject}${redmineFacts}{?issue.description}\n\n{issue.description:quote}{/issue.description}`,
    },
    "issue.updated": {
      topic: redmineTopic,
      text: `{editor|Somebody} changed ${redmineIssue}: {issue.subject}${redmineFacts}{?notes}\n\n{notes:quote}{/notes}`,
    },
    "issue.deleted": {
      topic: redmineTopic,
      text: "{issue.tracker.name|Issue} #{issue.id} {issue.subject} was deleted.",
    },
    ...Object.fromEntries(
      ["wiki_page", "time_entry", "news", "version"].flatMap((noun) =>
        ["created", "updated", "deleted"].map((done): [string, null] => [`${noun}.${done}`, null]),
      ),
    ),
  },
};
