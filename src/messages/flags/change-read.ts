import { and, asc, eq, gt, sql } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../../db/reader";
import type { OfPerson, Tx } from "../../core/context";
import { periodsIn } from "../../core/reading-right/periods";
import { isWithin } from "../../core/reading-right/sql";
import { listPeriods } from "../../core/reading-right/stored";
import { withdrawPushes } from "../../devices/push/withdraw";
import {
  type BlockPlace,
  blockKey,
  blockOf,
  directScope,
  emptyBlock,
  flipBit,
  loadBlocks,
  saveBlock,
} from "../../reading/read-blocks";
import {
  forgetLastBlock,
  isException,
  isMarkedRead,
  loadReadState,
  type ReadableMessage,
  type ReadState,
  scopeOf,
} from "../../reading/read-state";
import { nextDirect } from "../../reading/unread/unread-pages";

/** Greatest step of a watermark in one change; the next change continues from there. */
const watermarkStepMax = 1_000;
/**
 * Numbers of messages in the first reads. The first read is short, because for most people the next
 * message is unread, and people who are up to date have none after the watermark; the last read is
 * enough for a page of messages that was marked as read at once.
 */
const watermarkReadCounts = [2, 16, 128];

/** Marks messages that the user may read as read. Answers those that were unread. */
export async function markRead<Message extends ReadableMessage>(
  tx: Tx,
  who: OfPerson,
  messages: Message[],
): Promise<Message[]> {
  const state = await loadReadState(tx, who.realmId, who.userId, messages);
  const changed = messages.filter((message) => !isMarkedRead(state, message));
  await storeReversed(tx, who, state, changed);
  for (const scope of new Set(changed.map(scopeOf))) await advanceWatermark(tx, who, scope, state);
  if (changed.length > 0) await withdrawPushes(tx, who.realmId, who.userId, changed);
  return changed;
}

/** Marks messages that the user may read as unread. Answers those that were read. */
export async function markUnread<Message extends ReadableMessage>(
  tx: Tx,
  who: OfPerson,
  messages: Message[],
): Promise<Message[]> {
  const state = await loadReadState(tx, who.realmId, who.userId, messages);
  const changed = messages.filter((message) => isMarkedRead(state, message));
  await storeReversed(tx, who, state, changed);
  return changed;
}

/** Stores that read messages are unread, and unread ones read. */
async function storeReversed(
  tx: Tx,
  who: OfPerson,
  state: ReadState,
  messages: readonly ReadableMessage[],
) {
  const reversed = reverseExceptions(state, messages);
  forgetLastBlock();
  for (const [bits, place] of reversed) await saveBlock(tx, who, place, bits);
}

/** Reverses the exceptions of messages. Answers the changed blocks, with their places. */
function reverseExceptions(
  { blocks }: ReadState,
  messages: readonly ReadableMessage[],
): Map<Buffer, BlockPlace> {
  const reversed = new Map<Buffer, BlockPlace>();
  let at: (BlockPlace & { bits: Buffer }) | undefined;
  for (const message of messages) {
    const { id } = message;
    const [scope, block] = [scopeOf(message), blockOf(id)];
    // Messages that are marked together are mostly in one block, so its key is made once.
    if (at?.scope !== scope || at.block !== block) {
      const key = blockKey(scope, block);
      at = { scope, block, bits: blocks.get(key) ?? emptyBlock() };
      blocks.set(key, at.bits);
      reversed.set(at.bits, at);
    }
    flipBit(at.bits, id);
  }
  return reversed;
}

const storeWatermark = statement(
  (db, { readWatermarks: t }, given: Given<OfPerson & { scope: number; readUpTo: number }>) =>
    db
      .insert(t)
      .values({
        realmId: given.realmId,
        userId: given.userId,
        scope: given.scope,
        readUpTo: given.readUpTo,
      })
      .onConflictDoUpdate({
        target: [t.realmId, t.userId, t.scope],
        set: { readUpTo: sql`excluded.read_up_to` },
      }),
);

/**
 * Moves a watermark over the read messages above it, and deletes the exceptions that it then
 * covers.
 */
async function advanceWatermark(tx: Tx, who: OfPerson, scope: number, loaded: ReadState) {
  const after = loaded.watermarks.get(scope) ?? 0;
  const { state, covered } = await readAfter(tx, who, loaded, { scope, after });
  const readUpTo = covered.at(-1)?.id;
  if (readUpTo === undefined) return;
  await storeWatermark(tx, { ...who, scope, readUpTo });
  const excepted = covered.filter((message) => isException(state, message));
  await storeReversed(tx, who, state, excepted);
}

/**
 * The read messages directly above a watermark, with their state: usually few, so a short read is
 * enough.
 */
async function readAfter(
  tx: Tx,
  who: OfPerson,
  loaded: ReadState,
  { scope, after }: { scope: number; after: number },
) {
  const readAhead = async (countMax: number) => {
    const next = await receivedAfter(tx, who, { scope, after, countMax });
    // The blocks are at hand where somebody reads along, because the next messages are those that
    // they have just marked.
    const areAtHand = next.every(({ id }) => loaded.blocks.has(blockKey(scope, blockOf(id))));
    const state = areAtHand
      ? loaded
      : { ...loaded, blocks: await loadBlocks(tx, who, next, scopeOf) };
    const firstUnread = next.findIndex((message) => !isMarkedRead(state, message));
    const hasEnd = firstUnread >= 0 || next.length < countMax;
    return { state, covered: firstUnread < 0 ? next : next.slice(0, firstUnread), hasEnd };
  };
  for (const countMax of watermarkReadCounts) {
    const ahead = await readAhead(countMax);
    if (ahead.hasEnd) return ahead;
  }
  return readAhead(watermarkStepMax);
}

const columnsOf = ({ messages }: Reader["t"]) => ({
  id: messages.id,
  senderId: messages.senderId,
  channelId: messages.channelId,
  sentChannelId: messages.sentChannelId,
  readBySender: messages.readBySender,
});

const selectSentAfter = statement(
  (db, t, given: Given<{ realmId: number; channelId: number; after: number; countMax: number }>) =>
    db
      .select(columnsOf(t))
      .from(t.messages)
      .where(
        and(
          eq(t.messages.realmId, given.realmId),
          eq(t.messages.sentChannelId, given.channelId),
          gt(t.messages.id, given.after),
        ),
      )
      .orderBy(asc(t.messages.id))
      .limit(given.countMax),
);

/** The next messages of a scope that the user has received, oldest first. */
async function receivedAfter(
  tx: Tx,
  who: OfPerson,
  { scope, after, countMax }: { scope: number; after: number; countMax: number },
): Promise<ReadableMessage[]> {
  const { realmId, userId } = who;
  if (scope === directScope) {
    const direct = await nextDirect(tx, who, after, countMax);
    return direct.map(({ id, isOwnAndRead }) => ({
      id,
      channelId: null,
      sentChannelId: null,
      senderId: isOwnAndRead ? userId : 0,
      readBySender: isOwnAndRead,
    }));
  }
  const periods = periodsIn(await listPeriods(tx, realmId, userId), scope);
  const { messages } = tx.t;
  const [first, ...others] = periods;
  if (!first) return [];
  if (others.length === 0 && first.toMessage === null) {
    return selectSentAfter(tx, {
      realmId,
      channelId: scope,
      after: Math.max(after, first.fromMessage),
      countMax,
    });
  }
  return tx.db
    .select(columnsOf(tx.t))
    .from(messages)
    .where(
      and(
        eq(messages.realmId, realmId),
        gt(messages.id, after),
        eq(messages.sentChannelId, scope),
        isWithin(messages.id, periods),
      ),
    )
    .orderBy(asc(messages.id))
    .limit(countMax);
}
