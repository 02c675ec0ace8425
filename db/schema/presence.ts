import type { Columns } from "./columns";
import { noId, person } from "./traits";

/** When somebody was last present. A person who was never present has no row. */
export function presenceTables({ table, integer, index, primaryKey }: Columns) {
  const userPresences = table(
    "user_presences",
    {
      of: "person",
      exported: true,
      holds: { userId: person, updateId: noId },
      onPersonDeleted: "remove",
      changes: "notLogged",
    },
    {
      realmId: integer("realm_id").notNull(),
      userId: integer("user_id").notNull(),
      /** When a client was last used; null if none ever was. */
      activeAt: integer("active_at"),
      /** When a client was last connected. */
      connectedAt: integer("connected_at").notNull(),
      /**
       * Grows with each change in the realm. A client lacks the rows with a greater number than its
       * own.
       */
      updateId: integer("update_id").notNull(),
    },
    (t) => [
      primaryKey(t.realmId, t.userId),
      index("user_presences_update").on(t.realmId, t.updateId),
    ],
  );
  return { userPresences };
}
