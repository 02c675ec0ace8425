import type { Columns } from "./columns";
import { person } from "./traits";

/** Alert words of people. */
export function alertWordTables({ table, integer, text, primaryKey }: Columns) {
  const alertWords = table(
    "alert_words",
    { of: "person", exported: true, holds: { userId: person }, onPersonDeleted: "remove" },
    {
      realmId: integer("realm_id").notNull(),
      userId: integer("user_id").notNull(),
      /** The word in lower case, because two words of a user must not differ only by case. */
      wordKey: text("word_key").notNull(),
      word: text("word").notNull(),
    },
    (t) => [primaryKey(t.realmId, t.userId, t.wordKey)],
  );
  return { alertWords };
}
