import type { Columns } from "./columns";
import { idOf, message, noId, person } from "./traits";

/**
 * Devices and browsers that get notifications of messages. Each ends with the API key, or session,
 * that registered it.
 */
export const deviceTables = (columns: Columns) => ({
  devices: devicesTable(columns),
  pushSubscriptions: pushSubscriptionsTable(columns),
  pushedMessages: pushedMessagesTable(columns),
});

/**
 * Devices of the protocol's mobile clients, which are reached through the push relay. Times are
 * UNIX seconds.
 */
const devicesTable = ({ table, identity, identityKey, integer, text, index }: Columns) =>
  table(
    "devices",
    {
      of: "person",
      notExported: "secrets of programs that were signed in",
      holds: {
        userId: person,
        apiKeyId: idOf("api_keys"),
        pushKeyId: noId,
        pushTokenId: noId,
        pendingPushTokenId: noId,
      },
      onPersonDeleted: "end",
    },
    {
      id: identity(),
      realmId: integer("realm_id").notNull(),
      userId: integer("user_id").notNull(),
      apiKeyId: integer("api_key_id").notNull(),
      /**
       * Key that encrypts its notifications, sealed under the server's secret; null before it is
       * registered for push.
       */
      sealedPushKey: text("sealed_push_key"),
      /** The device's id of that key. */
      pushKeyId: integer("push_key_id"),
      /**
       * Token ids of the device at the relay: the accepted one and the pending one. Eight bytes in
       * base64.
       */
      pushTokenId: text("push_token_id"),
      pendingPushTokenId: text("pending_push_token_id"),
      /** `fcm` or `apns`. */
      pushTokenKind: text("push_token_kind"),
      pushTokenUpdatedAt: integer("push_token_updated_at"),
      /** Reason why the relay did not accept the pending token. */
      pushErrorCode: text("push_error_code"),
      createdAt: integer("created_at").notNull(),
    },
    (t) => [...identityKey(t.realmId, t.id), index("devices_user").on(t.realmId, t.userId)],
  );

/**
 * Other receivers of notifications: browsers, programs with UnifiedPush, ntfy topics, and tokens of
 * older mobile clients.
 */
const pushSubscriptionsTable = ({
  table,
  identity,
  identityKey,
  integer,
  text,
  uniqueIndex,
}: Columns) =>
  table(
    "push_subscriptions",
    {
      of: "person",
      notExported: "secrets of programs that were signed in",
      holds: { userId: person, apiKeyId: idOf("api_keys") },
      onPersonDeleted: "end",
    },
    {
      id: identity(),
      realmId: integer("realm_id").notNull(),
      userId: integer("user_id").notNull(),
      apiKeyId: integer("api_key_id").notNull(),
      /** `web_push`, `unified_push`, `ntfy`, `apns` or `fcm`. */
      kind: text("kind").notNull(),
      /** SHA-256 of the address or token, hexadecimal; unique per user and kind. */
      targetHash: text("target_hash").notNull(),
      /**
       * The address or token with its keys, as JSON sealed under the server's secret, because
       * whoever knows it could send notifications.
       */
      sealedTarget: text("sealed_target").notNull(),
      createdAt: integer("created_at").notNull(),
    },
    (t) => [
      ...identityKey(t.realmId, t.id),
      uniqueIndex("push_subscriptions_target").on(t.realmId, t.userId, t.kind, t.targetHash),
    ],
  );

/**
 * Messages of which somebody was notified and which they have not read yet. When they read them,
 * the notifications are withdrawn.
 */
const pushedMessagesTable = ({ table, integer, index, primaryKey }: Columns) =>
  table(
    "pushed_messages",
    {
      of: "person",
      notExported: "of the programs that were signed in",
      holds: { userId: person, messageId: message },
      onPersonDeleted: "end",
      onMessageDeleted: { otherwise: "they go when the devices have been told" },
      changes: "notLogged",
    },
    {
      realmId: integer("realm_id").notNull(),
      userId: integer("user_id").notNull(),
      messageId: integer("message_id").notNull(),
      pushedAt: integer("pushed_at").notNull(),
    },
    (t) => [
      primaryKey(t.realmId, t.userId, t.messageId),
      index("pushed_messages_message").on(t.realmId, t.messageId),
    ],
  );
