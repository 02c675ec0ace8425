import type { Columns } from "./columns";

/** Patterns in texts that an organization turns into links. */
export function linkifierTables({
  table,
  identity,
  identityKey,
  integer,
  text,
  uniqueIndex,
}: Columns) {
  const linkifiers = table(
    "linkifiers",
    { of: "realm", exported: true },
    {
      id: identity(),
      realmId: integer("realm_id").notNull(),
      /**
       * Linkifiers are tried in the order of their positions; equal positions, in the order of
       * their ids.
       */
      position: integer("position").notNull(),
      pattern: text("pattern").notNull(),
      urlTemplate: text("url_template").notNull(),
      reverseTemplate: text("reverse_template"),
      exampleInput: text("example_input"),
      /** A JSON list. */
      alternativeUrlTemplates: text("alternative_url_templates").notNull(),
    },
    (t) => [
      ...identityKey(t.realmId, t.id),
      uniqueIndex("linkifiers_pattern").on(t.realmId, t.pattern),
    ],
  );
  return { linkifiers };
}
