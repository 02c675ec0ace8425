import { and, eq, sql } from "drizzle-orm";
import { isIn } from "../../../db/sql/json";
import type { Tx } from "../../core/context";
import { findUsersByIds } from "../../people/users/queries";
import { filterReadable, findPlaces } from "../../reading/queries";
import { pushHolders } from "./queries";
import { withdrawPushes } from "./withdraw";

/** Withdraws notifications of moved messages from people who may no longer read them. */
export async function withdrawUnreadable(
  tx: Tx,
  realmId: number,
  messageIds: readonly number[],
): Promise<void> {
  if ((await pushHolders(tx, realmId)).size === 0) return;
  const { pushedMessages: pushed } = tx.t;
  const rows = await tx.db
    .select({ id: pushed.messageId, userId: pushed.userId })
    .from(pushed)
    .where(
      and(
        eq(pushed.realmId, realmId),
        isIn(tx.dialect, pushed.messageId, sql`${JSON.stringify(messageIds)}`),
      ),
    );
  const pushedByUser = Map.groupBy(rows, ({ userId }) => userId);
  for (const user of await findUsersByIds(tx, realmId, [...pushedByUser.keys()])) {
    const pushedIds = (pushedByUser.get(user.id) ?? []).map(({ id }) => id);
    const messages = await findPlaces(tx, realmId, pushedIds);
    const readable = new Set(
      await filterReadable(tx, { realmId, userId: user.id, role: user.role }, messages),
    );
    const lost = messages.filter((message) => !readable.has(message));
    if (lost.length > 0) await withdrawPushes(tx, realmId, user.id, lost);
  }
}
