import type { Columns } from "./columns";
import { idOf, message, noId, person } from "./traits";

/**
 * The event log; the queues, which are places in it; and the local ids of sent messages, by which a
 * repeated send is answered with the first message.
 */
export const eventTables = (columns: Columns) => ({
  eventLog: eventLogTable(columns),
  eventQueues: eventQueuesTable(columns),
  sentLocals: sentLocalsTable(columns),
});

const eventLogTable = ({ table, identity, identityKey, realmOrder, integer, text }: Columns) =>
  table(
    "event_log",
    { of: "nobody", notExported: "of the clients that were connected", changes: "notLogged" },
    {
      id: identity(),
      realmId: integer("realm_id").notNull(),
      type: text("type").notNull(),
      /** JSON of an `Audience`: the rule for the event's recipients. */
      audience: text("audience").notNull(),
      /**
       * JSON of the event as on the wire, without its id (a message event contains a reference).
       */
      body: text("body").notNull(),
      createdAt: integer("created_at").notNull(),
    },
    (t) => [...identityKey(t.realmId, t.id), ...realmOrder("event_log_realm", t.realmId, t.id)],
  );

const eventQueuesTable = ({ table, integer, text, index, primaryKey }: Columns) =>
  table(
    "event_queues",
    {
      of: "person",
      notExported: "of the clients that were connected",
      holds: { userId: person, apiKeyId: idOf("api_keys") },
      onPersonDeleted: "end",
      changes: "notLogged",
      notInBackup: "the events after a backup that is put back are others",
    },
    {
      realmId: integer("realm_id").notNull(),
      id: text("id").notNull(),
      userId: integer("user_id").notNull(),
      apiKeyId: integer("api_key_id"),
      /** The log id of the state that register answered. */
      registeredAt: integer("registered_at").notNull(),
      /** JSON of `QueueOptions`. */
      options: text("options").notNull(),
      idleTimeoutSeconds: integer("idle_timeout_seconds").notNull(),
      lastSeen: integer("last_seen").notNull(),
    },
    (t) => [primaryKey(t.realmId, t.id), index("event_queues_user").on(t.realmId, t.userId)],
  );

const sentLocalsTable = ({ table, integer, text, primaryKey }: Columns) =>
  table(
    "sent_locals",
    {
      of: "person",
      notExported: "of the clients that were connected",
      holds: { userId: person, queueId: noId, localId: noId, messageId: message },
      onPersonDeleted: "end",
      onMessageDeleted: {
        otherwise: "a send that is repeated is still known; they end with its queue",
      },
      changes: "notLogged",
      notInBackup: "the queue that it hangs on is in none",
    },
    {
      realmId: integer("realm_id").notNull(),
      userId: integer("user_id").notNull(),
      queueId: text("queue_id").notNull(),
      localId: text("local_id").notNull(),
      messageId: integer("message_id").notNull(),
      /**
       * SHA-256 of the sent message: distinguishes a repetition from another message with that
       * local id.
       */
      digest: text("digest").notNull(),
    },
    (t) => [primaryKey(t.realmId, t.queueId, t.localId, t.userId)],
  );
