import { and, eq } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../db/reader";
import {
  holdsPlace,
  isSubscribedNow,
  type Periods,
  periodsIn,
} from "../core/reading-right/periods";
import { listPeriods } from "../core/reading-right/stored";
import { blockKey, blockOf, directScope, hasBit, loadBlocks, type ReadBlocks } from "./read-blocks";

/**
 * Read state of a user's messages, without a row per message. Messages that were never delivered to
 * the user count as read. For the others, each scope (a channel, or all direct messages) has a
 * watermark: every message up to it is read. A user's own message may count as read from the start.
 * A bitmap per block of ids has the exceptions: a set bit reverses the rule. In a channel that the
 * user is not subscribed to now, nothing counts as unread: leaving a channel marks it as read
 * (`read-on-leave.ts`), but where many people leave at once, their unread messages come back with
 * the subscription.
 */

/** Facts of a message that decide whether it is read. */
export interface ReadableMessage {
  id: number;
  senderId: number;
  channelId: number | null;
  sentChannelId: number | null;
  readBySender: boolean;
}

export const scopeOf = ({ sentChannelId }: Pick<ReadableMessage, "sentChannelId">) =>
  sentChannelId ?? directScope;

/** The loaded part of a user's subscriptions, watermarks and exceptions. */
export interface ReadState {
  userId: number;
  periods: Periods;
  watermarks: Map<number, number>;
  blocks: ReadBlocks;
}

const selectWatermarks = statement((db, t, given: Given<{ realmId: number; userId: number }>) =>
  db
    .select({ scope: t.readWatermarks.scope, readUpTo: t.readWatermarks.readUpTo })
    .from(t.readWatermarks)
    .where(
      and(eq(t.readWatermarks.realmId, given.realmId), eq(t.readWatermarks.userId, given.userId)),
    ),
);

/** The watermarks of a user, by scope. */
export async function listWatermarks(
  reader: Reader,
  realmId: number,
  userId: number,
): Promise<Map<number, number>> {
  const watermarks = new Map<number, number>();
  for (const { scope, readUpTo } of await selectWatermarks(reader, { realmId, userId }))
    watermarks.set(scope, readUpTo);
  return watermarks;
}

/** The lowest and the highest id of some messages. */
export function endsOf(messages: readonly Pick<ReadableMessage, "id">[]): {
  first: number;
  last: number;
} {
  let [first, last] = [Number.POSITIVE_INFINITY, 0];
  for (const { id } of messages) {
    if (id < first) first = id;
    if (id > last) last = id;
  }
  return { first, last };
}

/** Loads the read state that some messages depend on. */
export async function loadReadState(
  reader: Reader,
  realmId: number,
  userId: number,
  messages: ReadableMessage[],
): Promise<ReadState> {
  const watermarks = await listWatermarks(reader, realmId, userId);
  const periods = await listPeriods(reader, realmId, userId);
  return {
    userId,
    periods,
    watermarks,
    blocks: await loadBlocks(reader, { realmId, userId }, messages, scopeOf),
  };
}

/**
 * Whether a message was delivered to the user when it was sent: by subscription, or as a direct
 * message.
 */
export function isReceived(
  { periods }: Pick<ReadState, "periods">,
  { id, sentChannelId }: Pick<ReadableMessage, "id" | "sentChannelId">,
): boolean {
  return sentChannelId === null || holdsPlace(periodsIn(periods, sentChannelId), id);
}

/** Whether a message is in a channel that the user is subscribed to now, or is a direct one. */
export const isWithinReach = (
  { periods }: Pick<ReadState, "periods">,
  { channelId }: Pick<ReadableMessage, "channelId">,
): boolean => channelId === null || isSubscribedNow(periodsIn(periods, channelId));

function isReadByRule(state: ReadState, message: ReadableMessage, hasCome: boolean): boolean {
  if (!hasCome) return true;
  if (message.id <= (state.watermarks.get(scopeOf(message)) ?? 0)) return true;
  return message.senderId === state.userId && message.readBySender;
}

/** Whether the rule for a message is reversed. */
export function isException(state: ReadState, message: ReadableMessage): boolean {
  if (state.blocks.size === 0) return false;
  const bits = bitsOf(state.blocks, scopeOf(message), blockOf(message.id));
  return bits !== undefined && hasBit(bits, message.id);
}

/** The block of the last check, because messages that are checked together are in few blocks. */
let lastBlock:
  | { blocks: ReadBlocks; scope: number; block: number; bits: Buffer | undefined }
  | undefined;

function bitsOf(blocks: ReadBlocks, scope: number, block: number): Buffer | undefined {
  if (lastBlock?.blocks === blocks && lastBlock.scope === scope && lastBlock.block === block)
    return lastBlock.bits;
  const bits = blocks.get(blockKey(scope, block));
  lastBlock = { blocks, scope, block, bits };
  return bits;
}

/** Drops the last block, because the blocks have changed. */
export const forgetLastBlock = () => {
  lastBlock = undefined;
};

/**
 * Whether a message counts as read, if the user is subscribed to its channel. `hasCome`: whether it
 * was delivered to them, for callers that know it.
 */
export const isMarkedRead = (
  state: ReadState,
  message: ReadableMessage,
  hasCome = isReceived(state, message),
): boolean => isReadByRule(state, message, hasCome) !== isException(state, message);

/** Whether a message counts as read. `hasCome` as for `isMarkedRead`. */
export const isRead = (state: ReadState, message: ReadableMessage, hasCome?: boolean): boolean =>
  !isWithinReach(state, message) || isMarkedRead(state, message, hasCome);
