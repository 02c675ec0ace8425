import type { Columns } from "./columns";
import { person } from "./traits";

/** People whom somebody has muted. */
export function mutedUserTables({ table, integer, primaryKey }: Columns) {
  const mutedUsers = table(
    "muted_users",
    {
      of: "person",
      exported: true,
      holds: { userId: person, mutedUserId: person },
      onPersonDeleted: "remove",
    },
    {
      realmId: integer("realm_id").notNull(),
      userId: integer("user_id").notNull(),
      mutedUserId: integer("muted_user_id").notNull(),
      mutedAt: integer("muted_at").notNull(),
    },
    (t) => [primaryKey(t.realmId, t.userId, t.mutedUserId)],
  );
  return { mutedUsers };
}
