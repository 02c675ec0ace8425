import type { Columns } from "./columns";
import { name, person } from "./traits";

/** Views in somebody's navigation. */
export function navigationViewTables({ table, integer, text, boolean, primaryKey }: Columns) {
  const navigationViews = table(
    "navigation_views",
    {
      of: "person",
      exported: true,
      holds: { userId: person, fragment: { is: "fragment" }, name },
      onPersonDeleted: "remove",
    },
    {
      realmId: integer("realm_id").notNull(),
      userId: integer("user_id").notNull(),
      /** The part of a client's address behind `#`. */
      fragment: text("fragment").notNull(),
      isPinned: boolean("is_pinned").notNull(),
      /** Null for the built-in views, whose names clients know. */
      name: text("name"),
    },
    (t) => [primaryKey(t.realmId, t.userId, t.fragment)],
  );
  return { navigationViews };
}
