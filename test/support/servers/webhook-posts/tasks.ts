import type { Post } from "./post";

/** Written after developer.clickup.com/docs/webhooktaskpayloads, its examples. */
const clickUpPost = (event: string, item: object) => ({
  event,
  task_id: "1vj37mc",
  webhook_id: "7fa3ec74-69a8-4530-a251-8a13730bd204",
  history_items: [
    {
      id: "2800763136717140857",
      type: 1,
      date: "1642734631523",
      parent_id: "162641062",
      source: null,
      user: { id: 183, username: "John", email: "john@example.com" },
      ...item,
    },
  ],
});
const clickUpTask = "[task 1vj37mc](https://app.clickup.com/t/1vj37mc)";

/** Written after developer.shortcut.com/api/webhook/v1, and a recorded post. */
const shortcutStory = {
  id: 32,
  entity_type: "story",
  name: "Cook the soup",
  story_type: "feature",
  app_url: "https://app.shortcut.com/kitchen/story/32",
};
const shortcutPost = (primaryId: number, actions: object[], references: object[] = []) => ({
  id: "595285dc-9c43-4b9c-a1e6-0cd9aff5b084",
  changed_at: "2023-08-10T21:49:43.123Z",
  version: "v1",
  primary_id: primaryId,
  member_id: "56d8a839-1c52-437f-b981-c3a15a11d6d4",
  actions,
  references,
});
const storyMoved = shortcutPost(
  32,
  [
    {
      ...shortcutStory,
      action: "update",
      changes: {
        completed: { new: true, old: false },
        workflow_state_id: { new: 500000010, old: 500000006 },
      },
    },
  ],
  [
    { id: 500000010, entity_type: "workflow-state", name: "Done", type: "done" },
    { id: 500000006, entity_type: "workflow-state", name: "In Progress", type: "started" },
  ],
);
const shownStory = "[Cook the soup](https://app.shortcut.com/kitchen/story/32)";

/** Written after github.com/redmine/redmine, its models and the API's view of an issue. */
const redmineIssue = {
  id: 191,
  project: { id: 4, name: "Test Project" },
  tracker: { id: 1, name: "Bug" },
  status: { id: 1, name: "New" },
  priority: { id: 2, name: "Normal" },
  author: { id: 3, name: "Test User" },
  subject: "Found a bug",
  description: "I have a problem with this.",
};

/** Written after github.com/suer/redmine_webhook, its examples. */
const pluginUser = { id: 3, login: "test", firstname: "test", lastname: "user" };
const pluginIssue = {
  ...redmineIssue,
  tracker: { id: 1, name: "bug" },
  author: pluginUser,
  assignee: { ...pluginUser, firstname: "other" },
};

export const tasksPosts: Post[] = [
  {
    integration: "clickup",
    what: "a task is created",
    payload: clickUpPost("taskCreated", { field: "status", after: { status: "to do" } }),
    topic: "task 1vj37mc",
    text: `John created ${clickUpTask}.`,
  },
  {
    integration: "clickup",
    what: "a task has another status",
    payload: clickUpPost("taskStatusUpdated", {
      field: "status",
      before: { status: "to do" },
      after: { status: "in progress" },
    }),
    topic: "task 1vj37mc",
    text: `John changed the status of ${clickUpTask} from to do to **in progress**.`,
  },
  {
    integration: "clickup",
    what: "a task loses its priority",
    payload: clickUpPost("taskPriorityUpdated", {
      field: "priority",
      before: { priority: "high" },
      after: null,
    }),
    topic: "task 1vj37mc",
    text: `John took the priority of ${clickUpTask} away.`,
  },
  {
    integration: "clickup",
    what: "a task is given to somebody",
    payload: clickUpPost("taskAssigneeUpdated", {
      field: "assignee_add",
      after: { id: 184, username: "Sam" },
    }),
    topic: "task 1vj37mc",
    text: `John gave ${clickUpTask} to Sam.`,
  },
  {
    integration: "clickup",
    what: "a task has a due date",
    payload: clickUpPost("taskDueDateUpdated", {
      field: "due_date",
      before: null,
      after: "1643608800000",
    }),
    topic: "task 1vj37mc",
    text: `John set the due date of ${clickUpTask} to <time:2022-01-31T06:00:00Z>.`,
  },
  {
    integration: "clickup",
    what: "a task is moved",
    payload: clickUpPost("taskMoved", {
      field: "section_moved",
      before: { id: "162641062", name: "Webhook payloads" },
      after: { id: "162641285", name: "webhook payloads 2" },
    }),
    topic: "task 1vj37mc",
    text: `John moved ${clickUpTask} from Webhook payloads to webhook payloads 2.`,
  },
  {
    integration: "clickup",
    what: "a comment",
    payload: clickUpPost("taskCommentPosted", {
      field: "comment",
      comment: { id: "648893191", text_content: "comment abc1234\n" },
    }),
    topic: "task 1vj37mc",
    text: `John commented on ${clickUpTask}:\n\n\`\`\`quote\ncomment abc1234\n\`\`\``,
  },
  {
    integration: "clickup",
    what: "a task is deleted",
    payload: { event: "taskDeleted", task_id: "1vj37mc", webhook_id: "7fa3ec74" },
    topic: "task 1vj37mc",
    text: "The task 1vj37mc was deleted.",
  },
  {
    integration: "clickup",
    what: "a change that has an event of its own",
    payload: clickUpPost("taskUpdated", { field: "status", after: { status: "in progress" } }),
  },
  {
    integration: "shortcut",
    what: "a story is created",
    payload: shortcutPost(32, [{ ...shortcutStory, action: "create", description: "With salt" }]),
    topic: "Cook the soup",
    text: `New feature ${shownStory}:\n\n\`\`\`quote\nWith salt\n\`\`\``,
  },
  {
    integration: "shortcut",
    what: "a story has another state",
    payload: storyMoved,
    topic: "Cook the soup",
    text: `The story ${shownStory} was moved from In Progress to **Done**.`,
  },
  {
    integration: "shortcut",
    what: "a story is archived",
    payload: shortcutPost(32, [
      { ...shortcutStory, action: "update", changes: { archived: { new: true, old: false } } },
    ]),
    topic: "Cook the soup",
    text: `The story ${shownStory} was archived.`,
  },
  {
    integration: "shortcut",
    what: "a story has another place in its list",
    payload: shortcutPost(32, [
      { ...shortcutStory, action: "update", changes: { position: { new: 2, old: 1 } } },
    ]),
  },
  {
    integration: "shortcut",
    what: "a comment",
    payload: shortcutPost(84, [
      { id: 84, entity_type: "story-comment", action: "create", text: "Less salt" },
      { ...shortcutStory, action: "update", changes: { comment_ids: { adds: [84] } } },
    ]),
    topic: "Cook the soup",
    text: `A comment on the story ${shownStory}:\n\n\`\`\`quote\nLess salt\n\`\`\``,
  },
  {
    integration: "shortcut",
    what: "an epic has another state",
    payload: shortcutPost(7, [
      {
        id: 7,
        entity_type: "epic",
        action: "update",
        name: "Kitchen",
        app_url: "https://app.shortcut.com/kitchen/epic/7",
        changes: { state: { new: "in progress", old: "to do" } },
      },
    ]),
    topic: "Kitchen",
    text: "The epic [Kitchen](https://app.shortcut.com/kitchen/epic/7) went from to do to **in progress**.",
  },
  {
    integration: "clubhouse",
    what: "a story has another state",
    payload: storyMoved,
    topic: "Cook the soup",
    text: `The story ${shownStory} was moved from In Progress to **Done**.`,
  },
  {
    integration: "redmine",
    what: "an issue is opened",
    payload: {
      type: "issue.created",
      timestamp: "2026-11-21T12:00:00Z",
      data: { issue: redmineIssue },
    },
    topic: "Test Project #191 Found a bug",
    text: "Test User opened Bug #191: Found a bug\n* Status: New\n* Priority: Normal\n\n```quote\nI have a problem with this.\n```",
  },
  {
    integration: "redmine",
    what: "an issue is changed",
    payload: {
      type: "issue.updated",
      timestamp: "2026-11-21T12:00:00Z",
      data: {
        issue: { ...redmineIssue, assigned_to: { id: 5, name: "Dave Lopper" } },
        journal: { id: 1, notes: "Fixed", user: { id: 5, name: "Dave Lopper" }, details: [] },
      },
    },
    topic: "Test Project #191 Found a bug",
    text: "Dave Lopper changed Bug #191: Found a bug\n* Status: New\n* Priority: Normal\n* Assigned to: Dave Lopper\n\n```quote\nFixed\n```",
  },
  {
    integration: "redmine",
    what: "an issue is deleted",
    payload: { type: "issue.deleted", data: { issue: redmineIssue } },
    topic: "Test Project #191 Found a bug",
    text: "Bug #191 Found a bug was deleted.",
  },
  {
    integration: "redmine",
    what: "an issue is opened, told by the plug-in",
    payload: {
      payload: {
        action: "opened",
        issue: pluginIssue,
        url: "https://redmine.example.com/issues/191",
      },
    },
    topic: "Test Project #191 Found a bug",
    text: "test user opened [bug #191](https://redmine.example.com/issues/191): Found a bug\n* Status: New\n* Priority: Normal\n* Assigned to: other user\n\n```quote\nI have a problem with this.\n```",
  },
  {
    integration: "redmine",
    what: "an issue is changed, told by the plug-in",
    payload: {
      payload: {
        action: "updated",
        issue: pluginIssue,
        journal: { id: 195, notes: "", author: pluginUser, details: [] },
        url: "https://redmine.example.com/issues/191",
      },
    },
    topic: "Test Project #191 Found a bug",
    text: "test user changed [bug #191](https://redmine.example.com/issues/191): Found a bug\n* Status: New\n* Priority: Normal\n* Assigned to: other user",
  },
];
