import { and, eq, inArray, sql } from "drizzle-orm";
import { inChunks } from "../../core/chunks";
import type { Tx, UserRow } from "../../core/context";
import { blockOf, directScope, idsPerBlock } from "../../reading/read-blocks";

/**
 * Users for whom a message counts as read from its sending: the recipients among these users, or
 * all recipients.
 */
export type ReadBy = readonly number[] | "everybody";

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
  readBy: ReadBy,
) {
  const scope = channelId ?? directScope;
  const readers =
    channelId === null
      ? participants
          .map((one) => one.id)
          .filter((one) => readBy === "everybody" || readBy.includes(one))
      : await subscribersAmong(tx, realmId, channelId, readBy);
  for (const userIds of inChunks(readers)) {
    const bitsByUser = await blocksOf(tx, realmId, scope, blockOf(id), userIds);
    const rows = userIds.map((userId) => ({
      realmId,
      userId,
      scope,
      block: blockOf(id),
      bits: withBit(bitsByUser.get(userId), id),
    }));
    const { readBlocks: blocks } = tx.t;
    await tx.db
      .insert(blocks)
      .values(rows)
      .onConflictDoUpdate({
        target: [blocks.realmId, blocks.userId, blocks.scope, blocks.block],
        set: { bits: sql`excluded.bits` },
      });
  }
}

async function subscribersAmong(
  tx: Tx,
  realmId: number,
  channelId: number,
  readBy: ReadBy,
): Promise<number[]> {
  const { subscriptions } = tx.t;
  const isSubscribed = and(
    eq(subscriptions.realmId, realmId),
    eq(subscriptions.channelId, channelId),
    eq(subscriptions.isActive, true),
  );
  const found: number[] = [];
  for (const chunk of readBy === "everybody" ? [undefined] : inChunks(readBy)) {
    const rows = await tx.db
      .select({ userId: subscriptions.userId })
      .from(subscriptions)
      .where(and(isSubscribed, chunk && inArray(subscriptions.userId, chunk)));
    found.push(...rows.map(({ userId }) => userId));
  }
  return found;
}

async function blocksOf(tx: Tx, realmId: number, scope: number, block: number, userIds: number[]) {
  const { readBlocks } = tx.t;
  const rows = await tx.db
    .select({ userId: readBlocks.userId, bits: readBlocks.bits })
    .from(readBlocks)
    .where(
      and(
        eq(readBlocks.realmId, realmId),
        eq(readBlocks.scope, scope),
        eq(readBlocks.block, block),
        inArray(readBlocks.userId, userIds),
      ),
    );
  return new Map(rows.map(({ userId, bits }) => [userId, bits]));
}

function withBit(bits: Uint8Array | undefined, id: number): Buffer {
  const changed = bits ? Buffer.from(bits) : Buffer.alloc(idsPerBlock / 8);
  const place = (id % idsPerBlock) >> 3;
  changed[place] = (changed[place] ?? 0) | (1 << (id & 7));
  return changed;
}
