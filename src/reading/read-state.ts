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
 * Read state of a user's messages, without a row per message. Messages that never came to a user
 * count as read. Of what came, a watermark per scope (a channel, or all direct messages) says that
 * everything up to it is read, and a user's own message may count as read from the start. A bitmap
 * per block of ids holds the exceptions: a set bit turns the rule around. In a channel that the
 * user is not subscribed to now nothing counts as unread: who leaves one has read it
 * (`read-on-leave.ts`), but where many leave at once what they had not read comes back with the
 * subscription.
 */

/** Facts of a message that the read state looks at. */
export interface ReadableMessage {
  id: number;
  senderId: number;
  channelId: number | null;
  sentChannelId: number | null;
  readBySender: boolean;
}

export const scopeOf = ({ sentChannelId }: Pick<ReadableMessage, "sentChannelId">) =>
  sentChannelId ?? directScope;

/** A user's subscriptions, watermarks and exceptions, as far as they were loaded. */
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

/** Up to which message a user has read, by scope. */
export async function listWatermarks(
  reader: Reader,
  realmId: number,
  userId: number,
): Promise<Map<number, number>> {
  const marks = await selectWatermarks(reader, { realmId, userId });
  return new Map(marks.map(({ scope, readUpTo }) => [scope, readUpTo]));
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

/** Loads what is needed to judge some messages. */
export async function loadReadState(
  reader: Reader,
  realmId: number,
  userId: number,
  messages: ReadableMessage[],
): Promise<ReadState> {
  const watermarks = await listWatermarks(reader, realmId, userId);
  const periods = await listPeriods(reader, realmId, userId);
  const places = messages.map((message) => ({ scope: scopeOf(message), id: message.id }));
  return {
    userId,
    periods,
    watermarks,
    blocks: await loadBlocks(reader, { realmId, userId }, places),
  };
}

/** Whether a message came to the user when it was sent: by subscription, or as a direct message. */
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

function isReadByRule(state: ReadState, message: ReadableMessage): boolean {
  if (!isReceived(state, message)) return true;
  if (message.id <= (state.watermarks.get(scopeOf(message)) ?? 0)) return true;
  return message.senderId === state.userId && message.readBySender;
}

function isException(state: ReadState, message: ReadableMessage): boolean {
  if (state.blocks.size === 0) return false;
  const bits = bitsOf(state.blocks, scopeOf(message), blockOf(message.id));
  return bits !== undefined && hasBit(bits, message.id);
}

/** The block that was asked for last: messages that are judged together are of few. */
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

/** The last block is forgotten, because the blocks have been changed. */
export const forgetLastBlock = () => {
  lastBlock = undefined;
};

/** Whether a message counts as read as far as it is within the user's reach. */
export const isMarkedRead = (state: ReadState, message: ReadableMessage) =>
  isReadByRule(state, message) !== isException(state, message);

/** Whether a message counts as read. */
export const isRead = (state: ReadState, message: ReadableMessage): boolean =>
  !isWithinReach(state, message) || isMarkedRead(state, message);
