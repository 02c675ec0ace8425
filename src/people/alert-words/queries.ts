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

/** Somebody's alert words, in alphabetical order. */
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

/** The alert words of all people of a realm, in lower case. */
export async function listAllAlertWords(
  reader: Reader,
  realmId: number,
): Promise<{ userId: number; wordKey: string }[]> {
  return selectOfRealm(reader, { realmId });
}
