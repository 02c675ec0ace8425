import { and, asc, eq } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../../db/reader";

const selectAll = statement(
  (db, { alertWords }, given: Given<{ realmId: number; userId: number }>) =>
    db
      .select({ word: alertWords.word })
      .from(alertWords)
      .where(and(eq(alertWords.realmId, given.realmId), eq(alertWords.userId, given.userId)))
      .orderBy(asc(alertWords.wordKey)),
);

/** The words that somebody wants to be told of, in the alphabet's order. */
export async function listAlertWords(
  reader: Reader,
  realmId: number,
  userId: number,
): Promise<string[]> {
  const rows = await selectAll(reader, { realmId, userId });
  return rows.map(({ word }) => word);
}

const selectOfRealm = statement((db, { alertWords }, given: Given<{ realmId: number }>) =>
  db
    .select({ userId: alertWords.userId, wordKey: alertWords.wordKey })
    .from(alertWords)
    .where(eq(alertWords.realmId, given.realmId)),
);

/** The words that anybody of a realm wants to be told of, in lower case. */
export async function listAllAlertWords(
  reader: Reader,
  realmId: number,
): Promise<{ userId: number; wordKey: string }[]> {
  return selectOfRealm(reader, { realmId });
}
