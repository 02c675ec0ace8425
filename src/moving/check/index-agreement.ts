import { and, between, eq, inArray } from "drizzle-orm";
import type { Reader } from "../../../db/reader";
import { searchIndexOf } from "../../../db/sql/search/search-index";
import type { Finding, Progress } from "./check";
import { messagePages } from "./message-pages";

export const makeIndexAnew =
  "Have the search index made anew: chatd admin check --repair. A server that runs does so in the background.";

/**
 * Checks that the search index contains all messages that it should, except those that wait to be
 * indexed again.
 */
export async function checkIndex(
  reader: Reader,
  realmId: number,
  progress: Progress,
): Promise<Finding[]> {
  const { searchProgress } = reader.t;
  const [reached] = await reader.db
    .select()
    .from(searchProgress)
    .where(eq(searchProgress.realmId, realmId));
  let missing = 0;
  let checkedCount = 0;
  for await (const ids of messagePages(reader, realmId, reached?.indexedUpTo ?? 0)) {
    missing += await countMissing(reader, realmId, ids);
    checkedCount += ids.length;
    progress("Messages in the search index", checkedCount);
  }
  if (missing === 0) return [];
  const what = `realm ${realmId}: ${missing === 1 ? "1 message is" : `${missing} messages are`} not in the search index`;
  return [{ part: "search index", what, whatToDo: makeIndexAnew, isOfIndex: true }];
}

async function countMissing(
  reader: Reader,
  realmId: number,
  ids: readonly number[],
): Promise<number> {
  const { db, t } = reader;
  const { messageWords: words, searchChanges: changes, messages: m } = t;
  const isOfRealm = searchIndexOf(reader.dialect).isOfRealm(realmId);
  const [from = 0, to = 0] = [ids[0], ids.at(-1)];
  const indexed = await db
    .select({ id: words.messageId })
    .from(words)
    .where(and(isOfRealm, inArray(words.messageId, [...ids])));
  const waiting = await db
    .select({ id: changes.messageId })
    .from(changes)
    .where(and(eq(changes.realmId, realmId), between(changes.messageId, from, to)));
  const coveredIds = new Set([...indexed, ...waiting].map(({ id }) => id));
  const missing = ids.filter((id) => !coveredIds.has(id));
  if (missing.length === 0) return 0;
  // Some messages may have been deleted since their ids were read.
  const still = await db
    .select({ id: m.id })
    .from(m)
    .where(and(eq(m.realmId, realmId), inArray(m.id, missing.slice(0, 500))));
  return still.length;
}
