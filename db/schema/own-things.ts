import type { Columns } from "./columns";

/** What people keep for themselves around messages. Times are UNIX seconds. */
export const ownThingsTables = (columns: Columns) => ({
  ...keptTables(columns),
  ...laterTables(columns),
});

function keptTables(columns: Columns) {
  const { table, identity, identityKey, integer, text, index } = columns;
  const drafts = table(
    "drafts",
    {
      id: identity(),
      realmId: integer("realm_id").notNull(),
      userId: integer("user_id").notNull(),
      /** `stream`, `private`, or empty where nobody is addressed. */
      type: text("type").notNull(),
      /** A JSON list: the id of a channel, or those of people. */
      to: text("to").notNull(),
      topic: text("topic").notNull(),
      content: text("content").notNull(),
      editedAt: integer("edited_at").notNull(),
    },
    (t) => [...identityKey(t.realmId, t.id), index("drafts_user").on(t.realmId, t.userId, t.id)],
  );
  const savedSnippets = table(
    "saved_snippets",
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
  return { drafts, savedSnippets };
}

/** What is sent at a later time. */
function laterTables(columns: Columns) {
  const { table, identity, identityKey, integer, text, boolean, index } = columns;
  const scheduledMessages = table(
    "scheduled_messages",
    {
      id: identity(),
      realmId: integer("realm_id").notNull(),
      userId: integer("user_id").notNull(),
      /** Where it goes: a channel's topic, or the people of a JSON list. */
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
  const reminders = table(
    "reminders",
    {
      id: identity(),
      realmId: integer("realm_id").notNull(),
      userId: integer("user_id").notNull(),
      messageId: integer("message_id").notNull(),
      note: text("note").notNull(),
      /** What is said of it in lists: nothing of the message but where it stands. */
      content: text("content").notNull(),
      renderedContent: text("rendered_content").notNull(),
      deliverAt: integer("deliver_at").notNull(),
    },
    (t) => [...identityKey(t.realmId, t.id), index("reminders_user").on(t.realmId, t.userId, t.id)],
  );
  return { scheduledMessages, reminders };
}
