import { and, eq } from "drizzle-orm";
import type { Reader } from "../../../db/reader";

/** The ids of direct members, by the group's id. */
export async function listMembers({ db, t }: Reader, realmId: number) {
  const { groupId, userId } = t.userGroupMembers;
  const rows = await db
    .select({ holder: groupId, userId })
    .from(t.userGroupMembers)
    .where(eq(t.userGroupMembers.realmId, realmId));
  return idsByHolder(rows);
}

/** The ids of subscribers by the channel's id. */
export async function listSubscribers({ db, t }: Reader, realmId: number) {
  const { channelId, userId, isActive } = t.subscriptions;
  const rows = await db
    .select({ holder: channelId, userId })
    .from(t.subscriptions)
    .where(and(eq(t.subscriptions.realmId, realmId), eq(isActive, true)));
  return idsByHolder(rows);
}

function idsByHolder(
  rows: readonly { holder: number; userId: number }[],
): Map<number, Set<number>> {
  const groups = Map.groupBy(rows, ({ holder }) => holder);
  return new Map(
    [...groups].map(([holder, members]) => [holder, new Set(members.map(({ userId }) => userId))]),
  );
}
