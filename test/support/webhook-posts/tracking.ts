import type { Post } from "./post";

/**
 * Written after developer.atlassian.com, Jira webhooks, its sample of an updated issue, and a
 * recorded post in gist.github.com/lkraider/c0eccf6677ce5372e5528dba7274763d.
 */
const jiraIssue = {
  id: "99291",
  self: "https://jira.atlassian.com/rest/api/2/issue/99291",
  key: "JRA-20002",
  fields: {
    summary: "I feel the need for speed",
    priority: { name: "Minor" },
    assignee: { displayName: "Bryan Rollins" },
  },
};
const jiraUser = { name: "brollins", displayName: "Bryan Rollins [Atlassian]" };
const link = "[JRA-20002: I feel the need for speed](https://jira.atlassian.com/browse/JRA-20002)";

/** Written after linear.app/developers/webhooks, data change events. */
const linearIssue = {
  action: "create",
  type: "Issue",
  actor: { id: "b5ea5f1f", type: "user", name: "James Moriarty" },
  createdAt: "2020-01-23T12:53:18.084Z",
  url: "https://linear.app/issue/LIN-1778/foo-bar",
  data: {
    id: "2174add1",
    number: 1778,
    title: "Foo bar",
    priorityLabel: "Urgent",
    team: { id: "72b2a2dc", key: "LIN", name: "Linear" },
    state: { name: "Todo" },
  },
};

export const trackingPosts: Post[] = [
  {
    integration: "jira",
    what: "an issue is created",
    payload: { webhookEvent: "jira:issue_created", user: jiraUser, issue: jiraIssue },
    topic: "JRA-20002: I feel the need for speed",
    text: `Bryan Rollins [Atlassian] created ${link}:\n\n* **Priority**: Minor\n* **Assignee**: Bryan Rollins`,
  },
  {
    integration: "jira",
    what: "an issue is changed, with a comment",
    payload: {
      webhookEvent: "jira:issue_updated",
      user: { displayName: "Bryan" },
      issue: jiraIssue,
      changelog: {
        items: [{ field: "status", fromString: "Open", toString: "Done" }],
        id: 10124,
      },
      comment: { body: "Just in time." },
    },
    topic: "JRA-20002: I feel the need for speed",
    text: `Bryan updated ${link}.\n* Changed status from **Open** to **Done**\n\n\`\`\`quote\nJust in time.\n\`\`\``,
  },
  {
    integration: "jira",
    what: "an issue is linked",
    payload: { webhookEvent: "issuelink_created", issueLink: { id: 10201 } },
  },
  {
    integration: "linear",
    what: "an issue is created",
    payload: linearIssue,
    topic: "LIN-1778 Foo bar",
    text: "James Moriarty created [LIN-1778 Foo bar](https://linear.app/issue/LIN-1778/foo-bar).\n* State: Todo\n* Priority: Urgent",
  },
  {
    integration: "linear",
    what: "a comment",
    payload: {
      ...linearIssue,
      type: "Comment",
      url: "https://linear.app/issue/LIN-1778/foo-bar#comment-77217de3",
      data: {
        id: "77217de3",
        body: "Indeed, I think this is **great**",
        issue: { title: "Foo bar" },
      },
    },
    topic: "Foo bar",
    text: "James Moriarty [commented](https://linear.app/issue/LIN-1778/foo-bar#comment-77217de3) on the issue Foo bar:\n\n```quote\nIndeed, I think this is **great**\n```",
  },
  {
    integration: "helloworld",
    what: "the article of the day",
    payload: {
      featured_title: "Marilyn Monroe",
      featured_url: "https://en.wikipedia.org/wiki/Marilyn_Monroe",
    },
    topic: "Hello World",
    text: "Hello! I am happy to be here! :smile:\nThe Wikipedia featured article for today is **[Marilyn Monroe](https://en.wikipedia.org/wiki/Marilyn_Monroe)**",
  },
];
