import type { Columns } from "./columns";

/**
 * Places elsewhere where code of a language can be run: clients offer them beside a block of code.
 */
export function playgroundTables({
  table,
  identity,
  identityKey,
  integer,
  text,
  uniqueIndex,
}: Columns) {
  const playgrounds = table(
    "playgrounds",
    { of: "realm", exported: true },
    {
      id: identity(),
      realmId: integer("realm_id").notNull(),
      name: text("name").notNull(),
      /** Language in the words of the protocol: the name of a lexer of Pygments. */
      pygmentsLanguage: text("pygments_language").notNull(),
      /** RFC 6570, with the variable `code`. */
      urlTemplate: text("url_template").notNull(),
    },
    (t) => [
      ...identityKey(t.realmId, t.id),
      uniqueIndex("playgrounds_name").on(t.realmId, t.pygmentsLanguage, t.name),
    ],
  );
  return { playgrounds };
}
