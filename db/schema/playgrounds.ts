import type { Columns } from "./columns";

/** Sites that run code of a language: clients offer them beside a block of code. */
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
      /** Language as in the protocol: the name of a lexer of Pygments. */
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
