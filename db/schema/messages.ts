import { isNotNull } from "drizzle-orm";
import type { Columns } from "./columns";

/** Messages, each stored once, and the direct conversations that those outside channels belong to. */
export function messageTables(columns: Columns) {
  const { table, identity, identityKey, realmOrder, integer, text, boolean, index, uniqueIndex, primaryKey } = columns;
  const messages = table(
    "messages",
    {
      id: identity(),
      realmId: integer("realm_id").notNull(),
      senderId: integer("sender_id").notNull(),
      /** The channel it is in now and the one it was sent to (who received it follows from the latter). */
      channelId: integer("channel_id"),
      sentChannelId: integer("sent_channel_id"),
      /** 0 until it is moved between channels, then the newest id at its last move: it was placed at the larger of this and its id. */
      placedAt: integer("placed_at").notNull().default(0),
      conversationId: integer("conversation_id"),
      topic: text("topic").notNull(),
      topicKey: text("topic_key").notNull(),
      content: text("content").notNull(),
      renderedContent: text("rendered_content").notNull(),
      client: text("client").notNull(),
      sentAt: integer("sent_at").notNull(),
      /** Whether the sender counts as having read it from the start. */
      readBySender: boolean("read_by_sender").notNull(),
    },
    (t) => [
      ...identityKey(t.realmId, t.id),
      ...realmOrder("messages_realm", t.realmId, t.id),
      index("messages_channel").on(t.realmId, t.channelId, t.id).where(isNotNull(t.channelId)),
      index("messages_topic").on(t.realmId, t.channelId, t.topicKey, t.id).where(isNotNull(t.channelId)),
      index("messages_sent_channel").on(t.realmId, t.sentChannelId, t.id).where(isNotNull(t.sentChannelId)),
      index("messages_conversation").on(t.realmId, t.conversationId, t.id).where(isNotNull(t.conversationId)),
      index("messages_sender").on(t.realmId, t.senderId, t.id),
    ],
  );
  const conversations = table(
    "conversations",
    {
      id: identity(),
      realmId: integer("realm_id").notNull(),
      /** The ids of all participants, ascending, joined by commas. */
      userIds: text("user_ids").notNull(),
    },
    (t) => [...identityKey(t.realmId, t.id), uniqueIndex("conversations_users").on(t.realmId, t.userIds)],
  );
  const conversationMembers = table(
    "conversation_members",
    {
      realmId: integer("realm_id").notNull(),
      userId: integer("user_id").notNull(),
      conversationId: integer("conversation_id").notNull(),
    },
    (t) => [primaryKey(t.realmId, t.userId, t.conversationId)],
  );
  return { messages, conversations, conversationMembers };
}
