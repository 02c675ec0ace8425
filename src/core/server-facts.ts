import { eq } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../db/reader";

const selectFact = statement((db, { serverFacts }, given: Given<{ name: string }>) =>
  db.select({ value: serverFacts.value }).from(serverFacts).where(eq(serverFacts.name, given.name)),
);

/** A stored fact about the server as a whole, by its name. */
export async function findServerFact(reader: Reader, name: string): Promise<string | undefined> {
  const [fact] = await selectFact(reader, { name });
  return fact?.value;
}
