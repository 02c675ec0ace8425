import type { Columns } from "./columns";
import { channel, html, idOfGone, markdown, name, person } from "./traits";

/** Drafts and other objects of single people. Times are UNIX seconds. */
export const ownThingsTables = (columns: Columns) => ({
  drafts: draftsTable(columns),
  savedSnippets: savedSnippetsTable(columns),
  scheduledMessages: scheduledMessagesTable(columns),
  reminders: remindersTable(columns),
});

const draftsTable = ({ table, identity, identityKey, integer, text, index }: Columns) =>
  table(
    "drafts",
    {
      of: "person",
      exported: true,
      holds: { userId: person, to: { is: "target" }, topic: name, content: markdown },
      onPersonDeleted: "remove",
      changes: "notLogged",
    },
    {
      id: identity(),
      realmId: integer("realm_id").notNull(),
      userId: integer("user_id").notNull(),
      /** `stream`, `private`, or empty where there are no recipients. */
      type: text("type").notNull(),
      /** A JSON list: the id of a channel, or those of people. */
      to: text("to").notNull(),
      topic: text("topic").notNull(),
      content: text("content").notNull(),
      editedAt: integer("edited_at").notNull(),
    },
    (t) => [...identityKey(t.realmId, t.id), index("drafts_user").on(t.realmId, t.userId, t.id)],
  );

const savedSnippetsTable = ({ table, identity, identityKey, integer, text, index }: Columns) =>
  table(
    "saved_snippets",
    {
      of: "person",
      exported: true,
      holds: { userId: person, title: name, content: markdown },
      onPersonDeleted: "remove",
      changes: "notLogged",
    },
    {
      id: identity(),
      realmId: integer("realm_id").notNull(),
      userId: integer("user_id").notNull(),
      title: text("title").notNull(),
      content: text("content").notNull(),
      createdAt: integer("created_at").notNull(),
    },
    (t) => [
      ...identityKey(t.realmId, t.id),
      index("saved_snippets_user").on(t.realmId, t.userId, t.id),
    ],
  );

const scheduledMessagesTable = ({
  table,
  identity,
  identityKey,
  integer,
  text,
  boolean,
  index,
}: Columns) =>
  table(
    "scheduled_messages",
    {
      of: "person",
      exported: true,
      holds: {
        userId: person,
        channelId: channel,
        topic: name,
        userIds: { is: "peopleJson" },
        content: markdown,
        renderedContent: html("content"),
      },
      onPersonDeleted: "remove",
      changes: "notLogged",
    },
    {
      id: identity(),
      realmId: integer("realm_id").notNull(),
      userId: integer("user_id").notNull(),
      /** Destination: a channel's topic, or the people of a JSON list. */
      channelId: integer("channel_id"),
      topic: text("topic").notNull(),
      userIds: text("user_ids"),
      content: text("content").notNull(),
      renderedContent: text("rendered_content").notNull(),
      client: text("client").notNull(),
      readBySender: boolean("read_by_sender").notNull(),
      deliverAt: integer("deliver_at").notNull(),
      /** Whether it could not be sent. */
      hasFailed: boolean("has_failed").notNull().default(false),
    },
    (t) => [
      ...identityKey(t.realmId, t.id),
      index("scheduled_messages_user").on(t.realmId, t.userId, t.id),
    ],
  );

const remindersTable = ({ table, identity, identityKey, integer, text, index }: Columns) =>
  table(
    "reminders",
    {
      of: "person",
      exported: true,
      holds: {
        userId: person,
        messageId: idOfGone("messages"),
        note: markdown,
        content: markdown,
        renderedContent: html("content"),
      },
      onPersonDeleted: "remove",
      onMessageDeleted: { otherwise: "a reminder comes all the same, with its note" },
      changes: "notLogged",
    },
    {
      id: identity(),
      realmId: integer("realm_id").notNull(),
      userId: integer("user_id").notNull(),
      messageId: integer("message_id").notNull(),
      note: text("note").notNull(),
      /** Text in lists: the place of the message, but none of its text. */
      content: text("content").notNull(),
      renderedContent: text("rendered_content").notNull(),
      deliverAt: integer("deliver_at").notNull(),
    },
    (t) => [...identityKey(t.realmId, t.id), index("reminders_user").on(t.realmId, t.userId, t.id)],
  );
