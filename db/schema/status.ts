import type { Columns } from "./columns";
import { person } from "./traits";

/** Statuses of people. An empty field is not set, and a person without a status has no row. */
export function statusTables({ table, integer, text, primaryKey }: Columns) {
  const userStatuses = table(
    "user_statuses",
    {
      of: "realm",
      exported: true,
      holds: { userId: person, emojiCode: { is: "emojiCode" } },
      onPersonDeleted: "remove",
      changes: "notLogged",
    },
    {
      realmId: integer("realm_id").notNull(),
      userId: integer("user_id").notNull(),
      statusText: text("status_text").notNull(),
      emojiName: text("emoji_name").notNull(),
      emojiCode: text("emoji_code").notNull(),
      reactionType: text("reaction_type").notNull(),
      /** UNIX seconds at which it ends by itself; null where it does not. */
      endsAt: integer("ends_at"),
    },
    (t) => [primaryKey(t.realmId, t.userId)],
  );
  return { userStatuses };
}
