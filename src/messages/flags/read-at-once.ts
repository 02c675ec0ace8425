import { and, eq, sql } from "drizzle-orm";
import { type Given, statement } from "../../../db/reader";
import { isIn } from "../../../db/sql/json";
import { isSubscriptionTo } from "../../channels/subscribers";
import { inChunks } from "../../core/chunks";
import type { Tx, UserRow } from "../../core/context";
import { blockOf, directScope, emptyBlock, saveBlock, setBit } from "../../reading/read-blocks";

/**
 * Marks a message that was just stored as read for subscribers of its channel or participants of
 * its conversation other than the sender. Announced only by the message's own event. A few
 * statements for each 500 users.
 */
export async function markReadAtOnce(
  tx: Tx,
  realmId: number,
  {
    id,
    channelId,
    participants,
  }: { id: number; channelId: number | null; participants: readonly UserRow[] },
  readBy: ReadonlySet<number>,
) {
  const scope = channelId ?? directScope;
  const readers =
    channelId === null
      ? participants.map((one) => one.id).filter((one) => readBy.has(one))
      : await subscribersAmong(tx, realmId, channelId, [...readBy]);
  const block = blockOf(id);
  for (const userIds of inChunks(readers)) {
    const bitsByUser = await blocksOf(tx, realmId, scope, block, userIds);
    const blocks = userIds.map((userId) => {
      const bits = Buffer.from(bitsByUser.get(userId) ?? emptyBlock());
      setBit(bits, id);
      return { userId, bits };
    });
    await storeBlocks(tx, { realmId, scope, block }, blocks);
  }
}

async function storeBlocks(
  tx: Tx,
  place: { realmId: number; scope: number; block: number },
  blocks: { userId: number; bits: Buffer }[],
) {
  const { realmId } = place;
  const [first, ...others] = blocks;
  // For one user, as is usual, the statement is prepared.
  if (first && others.length === 0) {
    await saveBlock(tx, { realmId, userId: first.userId }, place, first.bits);
    return;
  }
  const { readBlocks: t } = tx.t;
  await tx.db
    .insert(t)
    .values(blocks.map((one) => ({ ...place, ...one })))
    .onConflictDoUpdate({
      target: [t.realmId, t.userId, t.scope, t.block],
      set: { bits: sql`excluded.bits` },
    });
}

const selectSubscribers = statement(
  (db, t, given: Given<{ realmId: number; channelId: number; userIds: string }>, dialect) => {
    const { subscriptions: of } = t;
    return db
      .select({ userId: of.userId })
      .from(of)
      .where(and(isSubscriptionTo(t, given), isIn(dialect, of.userId, given.userIds)));
  },
);

async function subscribersAmong(
  tx: Tx,
  realmId: number,
  channelId: number,
  readBy: readonly number[],
): Promise<number[]> {
  const found: number[] = [];
  for (const chunk of inChunks(readBy)) {
    const rows = await selectSubscribers(tx, {
      realmId,
      channelId,
      userIds: JSON.stringify(chunk),
    });
    found.push(...rows.map(({ userId }) => userId));
  }
  return found;
}

const selectBlocks = statement(
  (
    db,
    { readBlocks: t },
    given: Given<{ realmId: number; scope: number; block: number; userIds: string }>,
    dialect,
  ) =>
    db
      .select({ userId: t.userId, bits: t.bits })
      .from(t)
      .where(
        and(
          eq(t.realmId, given.realmId),
          eq(t.scope, given.scope),
          eq(t.block, given.block),
          isIn(dialect, t.userId, given.userIds),
        ),
      ),
);

async function blocksOf(tx: Tx, realmId: number, scope: number, block: number, userIds: number[]) {
  const rows = await selectBlocks(tx, { realmId, scope, block, userIds: JSON.stringify(userIds) });
  return new Map(rows.map(({ userId, bits }) => [userId, bits]));
}
