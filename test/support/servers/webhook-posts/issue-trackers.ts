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

const paragraph = (...content: object[]) => ({ type: "paragraph", content });
const text = (words: string, ...marks: object[]) => ({ type: "text", text: words, marks });
const listItem = (...content: object[]) => ({ type: "listItem", content });

/** Written after developer.atlassian.com/cloud/jira/platform/apis/document/structure. */
const jiraDocument = {
  type: "doc",
  version: 1,
  content: [
    { type: "heading", attrs: { level: 2 }, content: [text("Soup *today*")] },
    paragraph(
      { type: "mention", attrs: { id: "5b10", text: "@Eliot" } },
      text(" says "),
      text("now", { type: "strong" }),
      text(", see "),
      text("the list", { type: "link", attrs: { href: "https://soup.example/list" } }),
      { type: "hardBreak" },
      text("run ", { type: "em" }),
      text("make soup", { type: "code" }),
      text("!", { type: "link", attrs: { href: "javascript:alert(1)" } }),
    ),
    {
      type: "bulletList",
      content: [
        listItem(paragraph(text("Leek")), {
          type: "orderedList",
          content: [listItem(paragraph(text("wash"))), listItem(paragraph(text("cut")))],
        }),
        listItem(paragraph(text("Salt"))),
      ],
    },
    { type: "codeBlock", attrs: { language: "js" }, content: [text("soup(`hot`)")] },
    { type: "mediaSingle", content: [{ type: "media", attrs: { id: "1", type: "file" } }] },
    { type: "blockquote", content: [paragraph(text("Hot @**all**"))] },
  ],
};
const jiraDocumentText = `## Soup &#42;today&#42;

@Eliot says **now**, see [the list](https://soup.example/list)
*run* \`make soup\`!

* Leek
  1. wash
  2. cut
* Salt

\`\`\`js
soup(\`hot\`)
\`\`\`

> Hot @&#42;&#42;all&#42;&#42;`;

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

/**
 * Written after a post of Jira Server 8.13 in github.com/Commit451/skyhook/issues/152: its event
 * comment_created has no issue.
 */
const jiraServerComment = {
  self: "https://jira.atlassian.com/rest/api/2/issue/99291/comment/18977",
  id: "18977",
  author: { name: "brollins", displayName: "Bryan" },
  body: "Just in time.",
  updateAuthor: { name: "brollins", displayName: "Bryan" },
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
    what: "a comment in Atlassian's document format",
    payload: {
      webhookEvent: "comment_created",
      issue: jiraIssue,
      comment: { author: { displayName: "Bryan" }, body: jiraDocument },
    },
    topic: "JRA-20002: I feel the need for speed",
    text: `Bryan commented on ${link}:\n\n\`\`\`\`quote\n${jiraDocumentText}\n\`\`\`\``,
  },
  {
    integration: "jira",
    what: "a comment on a Data Center, with its issue",
    payload: {
      webhookEvent: "jira:issue_updated",
      issue_event_type_name: "issue_commented",
      user: { displayName: "Bryan" },
      issue: jiraIssue,
      comment: jiraServerComment,
    },
    topic: "JRA-20002: I feel the need for speed",
    text: `Bryan commented on ${link}.\n\n\`\`\`quote\nJust in time.\n\`\`\``,
  },
  {
    integration: "jira",
    what: "that comment once more, without its issue",
    payload: { webhookEvent: "comment_created", comment: jiraServerComment },
  },
  {
    integration: "jira",
    what: "a comment is deleted on a Data Center",
    payload: {
      webhookEvent: "jira:issue_updated",
      issue_event_type_name: "issue_comment_deleted",
      user: { displayName: "Bryan" },
      issue: jiraIssue,
    },
    topic: "JRA-20002: I feel the need for speed",
    text: `Bryan deleted a comment on ${link}.`,
  },
  {
    integration: "jira",
    what: "a step in a workflow",
    payload: {
      transition: { transitionName: "Resolve", from_status: "Open", to_status: "Resolved" },
      comment: "",
      user: { displayName: "Bryan" },
      issue: jiraIssue,
    },
    topic: "JRA-20002: I feel the need for speed",
    text: `Bryan updated ${link}.\n* Changed status from **Open** to **Resolved**`,
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
