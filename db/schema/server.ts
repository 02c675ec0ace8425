import type { Columns } from "./columns";

/** Facts about the whole installation, by name. */
export function serverTables({ table, text }: Columns) {
  const serverFacts = table(
    "server_facts",
    { of: "server", notExported: "of the server" },
    {
      name: text("name").primaryKey(),
      value: text("value").notNull(),
    },
  );
  return { serverFacts };
}
