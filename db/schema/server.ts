import type { Columns } from "./columns";

/** What holds for the whole installation, by name. */
export function serverTables({ table, text }: Columns) {
  const serverFacts = table("server_facts", {
    name: text("name").primaryKey(),
    value: text("value").notNull(),
  });
  return { serverFacts };
}
