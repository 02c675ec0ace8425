import { and, asc, eq } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../../db/reader";
import { cached } from "../../memory/cached";
import type { MutedUserObject } from "./wire";

const selectOf = statement(
  (db, { mutedUsers: m }, given: Given<{ realmId: number; userId: number }>) =>
    db
      .select({ id: m.mutedUserId, timestamp: m.mutedAt })
      .from(m)
      .where(and(eq(m.realmId, given.realmId), eq(m.userId, given.userId)))
      .orderBy(asc(m.mutedUserId)),
);

/** People whom somebody mutes, by id, with the time of muting. */
export const listMutedUsers = (
  reader: Reader,
  realmId: number,
  userId: number,
): PromiseLike<MutedUserObject[]> => selectOf(reader, { realmId, userId });

const selectAll = statement((db, { mutedUsers: m }, given: Given<{ realmId: number }>) =>
  db
    .select({ userId: m.userId, mutedUserId: m.mutedUserId })
    .from(m)
    .where(eq(m.realmId, given.realmId)),
);

const muters = cached(
  ["muted_users"],
  async (reader, realmId): Promise<ReadonlyMap<number, readonly number[]>> => {
    const rows = await selectAll(reader, { realmId });
    const byMuted = Map.groupBy(rows, ({ mutedUserId }) => mutedUserId);
    return new Map([...byMuted].map(([id, group]) => [id, group.map(({ userId }) => userId)]));
  },
);

/**
 * People who mute somebody; undefined where nobody does. Cached outside writes until somebody mutes
 * a user.
 */
export async function findMuters(
  reader: Reader,
  realmId: number,
  mutedUserId: number,
): Promise<readonly number[] | undefined> {
  return (await muters(reader, realmId)).get(mutedUserId);
}
