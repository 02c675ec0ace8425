import type { Post } from "./post";

/**
 * Written after developer.atlassian.com/cloud/trello/guides/rest-api/webhooks, and a recorded post.
 */
const trelloCard = { id: "53582e2d", idShort: 2, name: "This is a card.", shortLink: "r33ylX2Z" };
const trelloAction = (type: string, data: object) => ({
  model: { id: "53582e2d", name: "Welcome Board" },
  action: {
    id: "572a3406",
    type,
    data: { board: { name: "Welcome Board", shortLink: "iqXXzYEj" }, card: trelloCard, ...data },
    memberCreator: { id: "53582e2d", fullName: "Tomasz", username: "tomasz" },
  },
});

/** Written after docs.taiga.io/webhooks.html. */
const taigaStory = {
  type: "userstory",
  action: "create",
  by: { id: 6, full_name: "Ana", username: "ana" },
  date: "2016-04-12T12:17:20+0000",
  data: {
    id: 139,
    ref: 19,
    subject: "Soup for all",
    permalink: "http://localhost:9001/project/kitchen/us/19",
    project: { id: 3, name: "Kitchen", permalink: "http://localhost:9001/project/kitchen" },
  },
};

/** Written after github.com/wekan/wekan/wiki/Webhook-data, and a recorded post. */
const wekanCard = {
  text: 'John created card "Soup" to list "Doing" at board "Kitchen"\nhttp://127.0.0.1/b/J/kitchen/p',
  cardId: "pMtu7kPZvMuhhC4hL",
  boardId: "Jinj4Xj7qnHLRmrTY",
  user: "John",
  card: "Soup",
  description: "act-createCard",
};

/** Written after www.openproject.org/docs and the resource of its API. */
const openProjectPackage = {
  action: "work_package:created",
  work_package: {
    _type: "WorkPackage",
    id: 39,
    subject: "Soup",
    _embedded: {
      type: { name: "Task" },
      author: { name: "Nirved" },
      project: { name: "Kitchen" },
      status: { name: "New" },
    },
  },
};

/** Written after developers.notion.com/reference/webhooks. */
const notionPage = {
  id: "1782edd6-a853-4d4a-b02c-9c8c16f28e53",
  type: "page.created",
  authors: [{ id: "c7c11cca-1d73-471d-9b6e-bdef51470190", type: "person" }],
  entity: { id: "153104cd-477e-809d-8dc4-ff2d96ae3090", type: "page" },
  data: {},
};

/** Written after github.com/basecamp/bc3-api, sections/webhooks.md, its sample. */
const basecampPost = (kind: string, recording: object = {}) => ({
  id: 9007199254741210,
  kind,
  details: {},
  created_at: "2016-06-08T19:00:41.933Z",
  recording: {
    id: 9007199254741622,
    title: "Welcome to Basecamp!",
    type: "Message",
    app_url: "https://3.basecamp.com/195539477/buckets/2085958498/messages/9007199254741622",
    bucket: { id: 2085958498, name: "The Leto Laptop", type: "Project" },
    content: "<div>Hey all, here are some <b>shots</b>.</div>",
    ...recording,
  },
  creator: { id: 1007299165, name: "Matt Donahue" },
});

export const boardsPosts: Post[] = [
  {
    integration: "trello",
    what: "a card is moved",
    payload: trelloAction("updateCard", {
      listBefore: { name: "Basics" },
      listAfter: { name: "Intermediate" },
      old: { idList: "53582e2d" },
    }),
    topic: "Welcome Board",
    text: "Tomasz moved [This is a card.](https://trello.com/c/r33ylX2Z) from Basics to Intermediate.",
  },
  {
    integration: "trello",
    what: "a card is archived",
    payload: trelloAction("updateCard", { old: { closed: false } }),
    topic: "Welcome Board",
    text: "Tomasz archived [This is a card.](https://trello.com/c/r33ylX2Z).",
  },
  {
    integration: "trello",
    what: "a due date is taken away",
    payload: trelloAction("updateCard", { old: { due: "2016-05-11T10:00:00.000Z" } }),
    topic: "Welcome Board",
    text: "Tomasz took the due date of [This is a card.](https://trello.com/c/r33ylX2Z) away.",
  },
  {
    integration: "trello",
    what: "the cover of a card",
    payload: trelloAction("updateCard", { old: { cover: null } }),
  },
  {
    integration: "trello",
    what: "a comment",
    payload: trelloAction("commentCard", { text: "New comment" }),
    topic: "Welcome Board",
    text: "Tomasz commented on [This is a card.](https://trello.com/c/r33ylX2Z):\n\n```quote\nNew comment\n```",
  },
  {
    integration: "trello",
    what: "an item is checked",
    payload: trelloAction("updateCheckItemStateOnCard", {
      checklist: { name: "To do" },
      checkItem: { name: "Cut the leek", state: "complete" },
    }),
    topic: "Welcome Board",
    text: "Tomasz marked Cut the leek of [This is a card.](https://trello.com/c/r33ylX2Z) as complete.",
  },
  {
    integration: "taiga",
    what: "a user story",
    payload: taigaStory,
    topic: "Kitchen",
    text: "Ana created the user story [Soup for all](http://localhost:9001/project/kitchen/us/19).",
  },
  {
    integration: "taiga",
    what: "a comment, with a new status",
    payload: {
      ...taigaStory,
      action: "change",
      change: { comment: "Done", diff: { status: { from: "New", to: "Ready" } } },
    },
    topic: "Kitchen",
    text: "Ana commented on the user story [Soup for all](http://localhost:9001/project/kitchen/us/19), which is **Ready** now:\n\n```quote\nDone\n```",
  },
  {
    integration: "wekan",
    what: "a card",
    payload: wekanCard,
    topic: "Soup",
    text: 'John created card "Soup" to list "Doing" at board "Kitchen" ([open](http://127.0.0.1/b/J/kitchen/p))',
  },
  {
    integration: "openproject",
    what: "a work package",
    payload: openProjectPackage,
    topic: "Kitchen",
    text: "Nirved created **Soup** (Task).",
  },
  {
    integration: "openproject",
    what: "a changed work package",
    payload: { ...openProjectPackage, action: "work_package:updated" },
    topic: "Kitchen",
    text: "**Soup** (Task) was changed, it is **New**.",
  },
  {
    integration: "notion",
    what: "a page",
    payload: notionPage,
    topic: "Notion",
    text: "A [page](https://www.notion.so/153104cd477e809d8dc4ff2d96ae3090) was created.",
  },
  {
    integration: "basecamp",
    what: "a message",
    payload: basecampPost("message_created"),
    topic: "The Leto Laptop",
    text: "Matt Donahue created the message [Welcome to Basecamp!](https://3.basecamp.com/195539477/buckets/2085958498/messages/9007199254741622):\n\n```quote\nHey all, here are some shots.\n```",
  },
  {
    integration: "basecamp",
    what: "a comment",
    payload: basecampPost("comment_created", {
      type: "Comment",
      title: "Re: Soup",
      parent: { title: "Soup" },
      content: "<div>Hot</div>",
    }),
    topic: "The Leto Laptop",
    text: "Matt Donahue [commented](https://3.basecamp.com/195539477/buckets/2085958498/messages/9007199254741622) on Soup:\n\n```quote\nHot\n```",
  },
  {
    integration: "basecamp",
    what: "a to-do is done",
    payload: basecampPost("todo_completed", { type: "Todo", title: "Soup", content: "Soup" }),
    topic: "The Leto Laptop",
    text: "Matt Donahue marked the todo [Soup](https://3.basecamp.com/195539477/buckets/2085958498/messages/9007199254741622) as done.",
  },
  {
    integration: "basecamp",
    what: "a card is deleted",
    payload: basecampPost("kanban_card_deleted", { type: "Kanban::Card", title: "Soup" }),
    topic: "The Leto Laptop",
    text: "Matt Donahue deleted the kanban card Soup.",
  },
  {
    integration: "basecamp",
    what: "who is told of a message",
    payload: basecampPost("message_subscribers_changed"),
  },
];
