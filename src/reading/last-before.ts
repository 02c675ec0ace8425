import { and, asc, eq, gt } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../db/reader";
import { newestMessageId } from "../people/users/queries";

const selectNext = statement((db, { messages }, given: Given<{ realmId: number; after: number }>) =>
  db
    .select({ id: messages.id, sentAt: messages.sentAt })
    .from(messages)
    .where(and(eq(messages.realmId, given.realmId), gt(messages.id, given.after)))
    .orderBy(asc(messages.id))
    .limit(1),
);

/**
 * The id of the last message before a moment (UNIX seconds), or 0. Ids are in the order of sending,
 * so a binary search finds it.
 */
export async function lastBefore(
  reader: Reader,
  realmId: number,
  seconds: number,
): Promise<number> {
  let before = 0;
  let notBefore = (await newestMessageId(reader, realmId)) + 1;
  while (before + 1 < notBefore) {
    const middle = Math.floor((before + notBefore) / 2);
    const [next] = await selectNext(reader, { realmId, after: middle - 1 });
    if (next && next.sentAt < seconds) before = next.id;
    else notBefore = middle;
  }
  return before;
}
