import type { Columns } from "./columns";

/**
 * The event log, the queues that are cursors over it, and what makes a repeated send answer with
 * the first message.
 */
export function eventTables(columns: Columns) {
  const { table, identity, identityKey, realmOrder, integer, text, index, primaryKey } = columns;
  const eventLog = table(
    "event_log",
    {
      id: identity(),
      realmId: integer("realm_id").notNull(),
      type: text("type").notNull(),
      /** JSON of an `Audience`: the rule that tells who gets the event. */
      audience: text("audience").notNull(),
      /** JSON of the event as on the wire, but for its id (a message event holds a reference). */
      body: text("body").notNull(),
      createdAt: integer("created_at").notNull(),
    },
    (t) => [...identityKey(t.realmId, t.id), ...realmOrder("event_log_realm", t.realmId, t.id)],
  );
  const eventQueues = table(
    "event_queues",
    {
      realmId: integer("realm_id").notNull(),
      id: text("id").notNull(),
      userId: integer("user_id").notNull(),
      apiKeyId: integer("api_key_id"),
      /** The log id that the state handed out at register is as of. */
      registeredAt: integer("registered_at").notNull(),
      /** JSON of `QueueOptions`. */
      options: text("options").notNull(),
      idleTimeoutSeconds: integer("idle_timeout_seconds").notNull(),
      lastSeen: integer("last_seen").notNull(),
    },
    (t) => [primaryKey(t.realmId, t.id), index("event_queues_user").on(t.realmId, t.userId)],
  );
  const sentLocals = table(
    "sent_locals",
    {
      realmId: integer("realm_id").notNull(),
      userId: integer("user_id").notNull(),
      queueId: text("queue_id").notNull(),
      localId: text("local_id").notNull(),
      messageId: integer("message_id").notNull(),
      /** SHA-256 of what was sent, to tell a repetition from another message under the same id. */
      digest: text("digest").notNull(),
    },
    (t) => [primaryKey(t.realmId, t.queueId, t.localId, t.userId)],
  );
  return { eventLog, eventQueues, sentLocals };
}
