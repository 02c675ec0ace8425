import type { Columns } from "./columns";
import { idOrZeroOf, message, messagePlace, person } from "./traits";

/**
 * Flags that users have on messages. Read state is compact. For each user and scope (a channel's
 * id, or 0 for all direct messages) it has a watermark, and for each block of 1,024 message ids a
 * bitmap of the exceptions to the watermark. Other flags are rows that exist only where the flag is
 * set. The index by message has all their columns, because SQLite would otherwise take the one by
 * user for it, and walk all flags of the realm.
 */
export function flagTables({ table, integer, text, bytes, index, primaryKey }: Columns) {
  const readWatermarks = table(
    "read_watermarks",
    {
      of: "person",
      exported: true,
      holds: { userId: person, scope: idOrZeroOf("channels"), readUpTo: messagePlace },
      onPersonDeleted: { keep: "only numbers of messages" },
      changes: "notLogged",
    },
    {
      realmId: integer("realm_id").notNull(),
      userId: integer("user_id").notNull(),
      scope: integer("scope").notNull(),
      readUpTo: integer("read_up_to").notNull(),
    },
    (t) => [primaryKey(t.realmId, t.userId, t.scope)],
  );
  const readBlocks = table(
    "read_blocks",
    {
      of: "person",
      exported: true,
      holds: { userId: person, scope: idOrZeroOf("channels"), block: { is: "block" } },
      onPersonDeleted: { keep: "only numbers of messages" },
      changes: "notLogged",
    },
    {
      realmId: integer("realm_id").notNull(),
      userId: integer("user_id").notNull(),
      scope: integer("scope").notNull(),
      block: integer("block").notNull(),
      bits: bytes("bits").notNull(),
    },
    (t) => [primaryKey(t.realmId, t.userId, t.scope, t.block)],
  );
  const messageFlags = table(
    "message_flags",
    {
      of: "person",
      exported: true,
      holds: { userId: person, messageId: message },
      onPersonDeleted: "remove",
      onMessageDeleted: "remove",
      changes: "notLogged",
    },
    {
      realmId: integer("realm_id").notNull(),
      userId: integer("user_id").notNull(),
      messageId: integer("message_id").notNull(),
      flag: text("flag").notNull(),
    },
    (t) => [
      primaryKey(t.realmId, t.userId, t.messageId, t.flag),
      index("message_flags_flag").on(t.realmId, t.userId, t.flag, t.messageId),
      index("message_flags_message").on(t.realmId, t.messageId, t.flag, t.userId),
    ],
  );
  return { readWatermarks, readBlocks, messageFlags };
}
