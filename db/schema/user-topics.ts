import type { Columns } from "./columns";
import { channel, name, person } from "./traits";

/** Visibility policy of somebody for a topic: 1 muted, 2 unmuted, 3 followed. */
export function userTopicTables({ table, integer, text, index, primaryKey }: Columns) {
  const userTopics = table(
    "user_topics",
    {
      of: "person",
      exported: true,
      holds: { userId: person, channelId: channel, topic: name },
      onPersonDeleted: "remove",
      changes: "notLogged",
    },
    {
      realmId: integer("realm_id").notNull(),
      userId: integer("user_id").notNull(),
      channelId: integer("channel_id").notNull(),
      topicKey: text("topic_key").notNull(),
      /** The topic as written when the row was made. */
      topic: text("topic").notNull(),
      visibilityPolicy: integer("visibility_policy").notNull(),
      updatedAt: integer("updated_at").notNull(),
    },
    (t) => [
      primaryKey(t.realmId, t.userId, t.channelId, t.topicKey),
      index("user_topics_topic").on(t.realmId, t.channelId, t.topicKey),
    ],
  );
  return { userTopics };
}
