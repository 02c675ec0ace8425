import { asc, eq } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../../db/reader";

/** A site that can run code of a language. */
export interface Playground {
  id: number;
  name: string;
  pygmentsLanguage: string;
  /** RFC 6570, with the variable `code`. */
  urlTemplate: string;
}

const selectAll = statement((db, { playgrounds: t }, given: Given<{ realmId: number }>) =>
  db
    .select({
      id: t.id,
      name: t.name,
      pygmentsLanguage: t.pygmentsLanguage,
      urlTemplate: t.urlTemplate,
    })
    .from(t)
    .where(eq(t.realmId, given.realmId))
    .orderBy(asc(t.id)),
);

/** The playgrounds of a realm, oldest first. */
export async function listPlaygrounds(reader: Reader, realmId: number): Promise<Playground[]> {
  return selectAll(reader, { realmId });
}
