import { isNotNull, ne } from "drizzle-orm";
import type { Columns } from "./columns";
import {
  channel,
  html,
  idOf,
  idOrNullOf,
  idOrZeroOf,
  markdown,
  message,
  messagePlace,
  name,
  person,
  type Traits,
} from "./traits";

/** Messages, each stored once, their former states, and the direct conversations. */
export const messageTables = (columns: Columns) => ({
  messages: messagesTable(columns),
  messageEdits: messageEditsTable(columns),
  conversations: conversationsTable(columns),
  conversationMembers: conversationMembersTable(columns),
});

const messagesTraits = {
  of: "message",
  exported: true,
  holds: {
    senderId: person,
    channelId: channel,
    sentChannelId: channel,
    placedAt: messagePlace,
    conversationId: idOf("conversations"),
    topic: name,
    content: markdown,
    renderedContent: html("content"),
    mentionsAllOf: idOrZeroOf("channels"),
  },
  onPersonDeleted: { keep: "others have read them" },
  changes: "loggedUnlessNew",
} as const satisfies Traits;

const messagesColumns = ({ identity, integer, text, boolean }: Columns) => ({
  id: identity(),
  realmId: integer("realm_id").notNull(),
  senderId: integer("sender_id").notNull(),
  /** The channel it is in now and the one it was sent to, which determines who received it. */
  channelId: integer("channel_id"),
  sentChannelId: integer("sent_channel_id"),
  /**
   * 0 until it is moved between channels, then the newest id at its last move: its place is the
   * larger of this and its id.
   */
  placedAt: integer("placed_at").notNull().default(0),
  conversationId: integer("conversation_id"),
  topic: text("topic").notNull(),
  topicKey: text("topic_key").notNull(),
  content: text("content").notNull(),
  renderedContent: text("rendered_content").notNull(),
  client: text("client").notNull(),
  sentAt: integer("sent_at").notNull(),
  /** Whether it counts as read by the sender from the start. */
  readBySender: boolean("read_by_sender").notNull(),
  /** Times of the last change of its content and of its last move, except resolving its topic. */
  lastEditedAt: integer("last_edited_at"),
  lastMovedAt: integer("last_moved_at"),
  /**
   * The channel it was sent to if it mentions everybody there; 0 if it mentions everybody in its
   * direct conversation.
   */
  mentionsAllOf: integer("mentions_all_of"),
});

const messagesTable = (columns: Columns) => {
  const { table, identityKey, realmOrder, index } = columns;
  return table("messages", messagesTraits, messagesColumns(columns), (t) => [
    ...identityKey(t.realmId, t.id),
    ...realmOrder("messages_realm", t.realmId, t.id),
    index("messages_channel").on(t.realmId, t.channelId, t.id).where(isNotNull(t.channelId)),
    index("messages_topic")
      .on(t.realmId, t.channelId, t.topicKey, t.id)
      .where(isNotNull(t.channelId)),
    index("messages_sent_channel")
      .on(t.realmId, t.sentChannelId, t.id)
      .where(isNotNull(t.sentChannelId)),
    // Messages in another channel than they were sent to: few, so a send never changes this index.
    index("messages_moved")
      .on(t.realmId, t.sentChannelId, t.channelId, t.id)
      .where(ne(t.channelId, t.sentChannelId)),
    index("messages_conversation")
      .on(t.realmId, t.conversationId, t.id)
      .where(isNotNull(t.conversationId)),
    index("messages_sender").on(t.realmId, t.senderId, t.id),
    index("messages_mentions_all")
      .on(t.realmId, t.mentionsAllOf, t.id)
      .where(isNotNull(t.mentionsAllOf)),
  ]);
};

const conversationsTable = ({
  table,
  identity,
  identityKey,
  integer,
  text,
  uniqueIndex,
}: Columns) =>
  table(
    "conversations",
    {
      of: "conversation",
      exported: true,
      holds: { userIds: { is: "people" } },
      onPersonDeleted: { keep: "others are in the conversation" },
      changes: "notLogged",
    },
    {
      id: identity(),
      realmId: integer("realm_id").notNull(),
      /** The ids of all participants, ascending, joined by commas. */
      userIds: text("user_ids").notNull(),
    },
    (t) => [
      ...identityKey(t.realmId, t.id),
      uniqueIndex("conversations_users").on(t.realmId, t.userIds),
    ],
  );

const conversationMembersTable = ({ table, integer, primaryKey }: Columns) =>
  table(
    "conversation_members",
    {
      of: "conversation",
      exported: true,
      holds: { userId: person, conversationId: idOf("conversations") },
      onPersonDeleted: { keep: "others are in the conversation" },
      changes: "notLogged",
    },
    {
      realmId: integer("realm_id").notNull(),
      userId: integer("user_id").notNull(),
      conversationId: integer("conversation_id").notNull(),
    },
    (t) => [primaryKey(t.realmId, t.userId, t.conversationId)],
  );

/** State of a message before each change; unchanged fields are null. */
function messageEditsTable({ table, identity, identityKey, integer, text, index }: Columns) {
  return table(
    "message_edits",
    {
      of: "message",
      exported: true,
      holds: {
        messageId: message,
        userId: person,
        prevContent: markdown,
        prevRenderedContent: html("prevContent"),
        prevTopic: name,
        topic: name,
        prevChannelId: idOrNullOf("channels"),
        channelId: idOrNullOf("channels"),
      },
      onPersonDeleted: { keep: "the message stays" },
      onMessageDeleted: "remove",
      changes: "notLogged",
    },
    {
      id: identity(),
      realmId: integer("realm_id").notNull(),
      messageId: integer("message_id").notNull(),
      /** Person who changed it. */
      userId: integer("user_id").notNull(),
      editedAt: integer("edited_at").notNull(),
      prevContent: text("prev_content"),
      prevRenderedContent: text("prev_rendered_content"),
      prevTopic: text("prev_topic"),
      topic: text("topic"),
      prevChannelId: integer("prev_channel_id"),
      channelId: integer("channel_id"),
    },
    (t) => [
      ...identityKey(t.realmId, t.id),
      index("message_edits_message").on(t.realmId, t.messageId, t.id),
    ],
  );
}
