import { and, asc, eq, gt, gte, inArray, lte, or, sql } from "drizzle-orm";
import { isIn, type Reader, statement } from "../../../db/reader";
import type { Tx } from "../../core/context";
import { withdrawPushes } from "../../push/withdraw";
import { listPeriods, type SubscriptionPeriod } from "../../subscriptions/queries";

/**
 * Which messages a user has read, without a row per message. What never came to a user counts as read. Of what came, a
 * watermark per scope (a channel, or all direct messages) says that everything up to it is read, and a user's own message
 * may count as read from the start. A bitmap per block of ids holds the exceptions: a set bit turns the rule around.
 * In a channel that the user is not subscribed to now nothing counts as unread: who leaves one has read it
 * (`read-on-leave.ts`), but where many leave at once what they had not read comes back with the subscription.
 */

/** What the read state looks at in a message. */
export interface ReadableMessage {
  id: number;
  senderId: number;
  channelId: number | null;
  sentChannelId: number | null;
  readBySender: boolean;
}

export const directScope = 0;
export const idsPerBlock = 1024;
/** How far one change moves a watermark forward at the most; the next goes on from there. */
const watermarkStepMax = 1_000;
/**
 * So many messages are looked at first, and so many then: of those who do not read everything the next one is unread, and
 * who reads along has nothing after it. To read 16 takes 14 µs.
 */
const watermarkLooks = [2, 16];

const scopeOf = ({ sentChannelId }: ReadableMessage) => sentChannelId ?? directScope;
export const blockOf = (id: number) => Math.floor(id / idsPerBlock);

/** A user's subscriptions, watermarks and exceptions, as far as they were loaded. */
export interface ReadState {
  userId: number;
  periods: readonly SubscriptionPeriod[];
  watermarks: Map<number, number>;
  /** By scope and block: 128 bytes, bit `id % 1024`. */
  blocks: Map<string, Buffer>;
}

const blockKey = (scope: number, block: number) => `${scope}:${block}`;

const selectWatermarks = statement((db, t) =>
  db
    .select({ scope: t.readWatermarks.scope, readUpTo: t.readWatermarks.readUpTo })
    .from(t.readWatermarks)
    .where(
      and(
        eq(t.readWatermarks.realmId, sql.placeholder("realmId")),
        eq(t.readWatermarks.userId, sql.placeholder("userId")),
      ),
    ),
);

/** Up to which message a user has read, by scope. */
export async function listWatermarks(reader: Reader, realmId: number, userId: number): Promise<Map<number, number>> {
  const marks = await selectWatermarks(reader, { realmId, userId });
  return new Map(marks.map(({ scope, readUpTo }) => [scope, readUpTo]));
}

const selectBlocks = statement((db, { readBlocks: t }, dialect) =>
  db
    .select({ scope: t.scope, block: t.block, bits: t.bits })
    .from(t)
    .where(
      and(
        eq(t.realmId, sql.placeholder("realmId")),
        eq(t.userId, sql.placeholder("userId")),
        isIn(dialect, t.scope, sql`${sql.placeholder("scopes")}`),
        isIn(dialect, t.block, sql`${sql.placeholder("blocks")}`),
      ),
    ),
);

const selectBlocksOfScope = statement((db, { readBlocks: t }) =>
  db
    .select({ scope: t.scope, block: t.block, bits: t.bits })
    .from(t)
    .where(
      and(
        eq(t.realmId, sql.placeholder("realmId")),
        eq(t.userId, sql.placeholder("userId")),
        eq(t.scope, sql.placeholder("scope")),
        gte(t.block, sql.placeholder("first")),
        lte(t.block, sql.placeholder("last")),
      ),
    ),
);

/** The exceptions around some messages. Those of one scope, as a channel has, are found in one go. */
async function loadBlocks(reader: Reader, realmId: number, userId: number, messages: ReadableMessage[]) {
  const [one] = messages;
  if (!one) return [];
  const scope = scopeOf(one);
  if (messages.every((message) => scopeOf(message) === scope)) {
    const { first, last } = endsOf(messages);
    return selectBlocksOfScope(reader, { realmId, userId, scope, first: blockOf(first), last: blockOf(last) });
  }
  const scopes = JSON.stringify([...new Set(messages.map(scopeOf))]);
  const blocks = JSON.stringify([...new Set(messages.map(({ id }) => blockOf(id)))]);
  return selectBlocks(reader, { realmId, userId, scopes, blocks });
}

/** The lowest and the highest id of some messages. */
export function endsOf(messages: readonly Pick<ReadableMessage, "id">[]): { first: number; last: number } {
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
  const blocks = await loadBlocks(reader, realmId, userId, messages);
  return {
    userId,
    periods,
    watermarks,
    blocks: blocksByKey(blocks),
  };
}

const blocksByKey = (blocks: Awaited<ReturnType<typeof loadBlocks>>) =>
  new Map(blocks.map(({ scope, block, bits }) => [blockKey(scope, block), Buffer.from(bits)]));

type Periods = readonly SubscriptionPeriod[];

const grouped = new WeakMap<Periods, Map<number, Periods>>();
const none: Periods = [];
/** What was asked for last: messages that are judged together are of few channels. */
let last: { periods: Periods; channel: number; found: Periods } = { periods: none, channel: 0, found: none };

/** Somebody's periods in a channel. They are sorted once, however many messages are judged by them. */
function periodsIn(periods: Periods, channel: number): Periods {
  if (last.periods === periods && last.channel === channel) return last.found;
  let byChannel = grouped.get(periods);
  if (!byChannel) {
    byChannel = Map.groupBy(periods, ({ channelId }) => channelId);
    grouped.set(periods, byChannel);
  }
  last = { periods, channel, found: byChannel.get(channel) ?? none };
  return last.found;
}

/** Whether a message came to the user when it was sent: by subscription, or as a direct message. */
export function isReceived(
  { periods }: Pick<ReadState, "periods">,
  { id, sentChannelId }: Pick<ReadableMessage, "id" | "sentChannelId">,
): boolean {
  if (sentChannelId === null) return true;
  for (const { fromMessage, toMessage } of periodsIn(periods, sentChannelId)) {
    if (fromMessage < id && (toMessage === null || id <= toMessage)) return true;
  }
  return false;
}

/** Whether a message is in a channel that the user is subscribed to now, or is a direct one. */
export const isWithinReach = (
  { periods }: Pick<ReadState, "periods">,
  { channelId }: Pick<ReadableMessage, "channelId">,
): boolean => channelId === null || periodsIn(periods, channelId).some(({ toLog }) => toLog === null);

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

type Blocks = ReadState["blocks"];
/** The block that was asked for last: messages that are judged together are of few. */
let lastBlock: { blocks: Blocks; scope: number; block: number; bits: Buffer | undefined } | undefined;

function bitsOf(blocks: Blocks, scope: number, block: number): Buffer | undefined {
  if (lastBlock?.blocks === blocks && lastBlock.scope === scope && lastBlock.block === block) return lastBlock.bits;
  const bits = blocks.get(blockKey(scope, block));
  lastBlock = { blocks, scope, block, bits };
  return bits;
}

export const hasBit = (bits: Buffer, id: number) => (((bits[(id % idsPerBlock) >> 3] ?? 0) >> (id & 7)) & 1) === 1;

const isMarkedRead = (state: ReadState, message: ReadableMessage) =>
  isReadByRule(state, message) !== isException(state, message);

/** Whether a message counts as read. */
export const isRead = (state: ReadState, message: ReadableMessage): boolean =>
  !isWithinReach(state, message) || isMarkedRead(state, message);

/** Marks messages that the user may read as read or unread. Answers those that were not so before. */
export async function markRead<Message extends ReadableMessage>(
  tx: Tx,
  realmId: number,
  userId: number,
  messages: Message[],
  read: boolean,
): Promise<Message[]> {
  const state = await loadReadState(tx, realmId, userId, messages);
  const changed = messages.filter((message) => isMarkedRead(state, message) !== read);
  const touched = new Set<string>();
  for (const message of changed) {
    const key = blockKey(scopeOf(message), blockOf(message.id));
    const bits = state.blocks.get(key) ?? Buffer.alloc(idsPerBlock / 8);
    const place = (message.id % idsPerBlock) >> 3;
    bits[place] = (bits[place] ?? 0) ^ (1 << (message.id & 7));
    state.blocks.set(key, bits);
    touched.add(key);
  }
  lastBlock = undefined;
  for (const key of touched) await saveBlock(tx, realmId, userId, key, state.blocks.get(key));
  if (read)
    for (const scope of new Set(changed.map(scopeOf))) await advanceWatermark(tx, realmId, userId, scope, state);
  if (read && changed.length > 0) await withdrawPushes(tx, realmId, userId, changed);
  return changed;
}

const storeBlock = statement((db, { readBlocks: t }) =>
  db
    .insert(t)
    .values({
      realmId: sql.placeholder("realmId"),
      userId: sql.placeholder("userId"),
      scope: sql.placeholder("scope"),
      block: sql.placeholder("block"),
      bits: sql.placeholder("bits"),
    })
    .onConflictDoUpdate({ target: [t.realmId, t.userId, t.scope, t.block], set: { bits: sql`excluded.bits` } }),
);

const removeBlock = statement((db, { readBlocks: t }) =>
  db
    .delete(t)
    .where(
      and(
        eq(t.realmId, sql.placeholder("realmId")),
        eq(t.userId, sql.placeholder("userId")),
        eq(t.scope, sql.placeholder("scope")),
        eq(t.block, sql.placeholder("block")),
      ),
    )
    .returning({ block: t.block }),
);

async function saveBlock(tx: Tx, realmId: number, userId: number, key: string, bits: Buffer | undefined) {
  const [scope = 0, block = 0] = key.split(":").map(Number);
  const place = { realmId, userId, scope, block };
  if (bits?.some((byte) => byte !== 0)) await storeBlock(tx, { ...place, bits });
  else await removeBlock(tx, place);
}

const storeWatermark = statement((db, { readWatermarks: t }) =>
  db
    .insert(t)
    .values({
      realmId: sql.placeholder("realmId"),
      userId: sql.placeholder("userId"),
      scope: sql.placeholder("scope"),
      readUpTo: sql.placeholder("readUpTo"),
    })
    .onConflictDoUpdate({ target: [t.realmId, t.userId, t.scope], set: { readUpTo: sql`excluded.read_up_to` } }),
);

/** Moves a watermark over the messages above it that are read, and lets go of the exceptions that it covers then. */
async function advanceWatermark(tx: Tx, realmId: number, userId: number, scope: number, loaded: ReadState) {
  const { state, covered } = await readAfter(tx, realmId, loaded, scope, loaded.watermarks.get(scope) ?? 0);
  const readUpTo = covered.at(-1)?.id;
  if (readUpTo === undefined) return;
  await storeWatermark(tx, { realmId, userId, scope, readUpTo });
  const touched = new Set<string>();
  for (const message of covered) {
    const key = blockKey(scope, blockOf(message.id));
    const bits = state.blocks.get(key);
    if (!bits || !hasBit(bits, message.id)) continue;
    const place = (message.id % idsPerBlock) >> 3;
    bits[place] = (bits[place] ?? 0) & ~(1 << (message.id & 7));
    touched.add(key);
  }
  for (const key of touched) await saveBlock(tx, realmId, userId, key, state.blocks.get(key));
}

/** The messages next to a watermark that are read, with their state: mostly there are few, and it is enough to look at few. */
async function readAfter(tx: Tx, realmId: number, loaded: ReadState, scope: number, after: number) {
  const { userId } = loaded;
  const look = async (countMax: number) => {
    const next = await receivedAfter(tx, realmId, userId, { scope, after, countMax });
    const state = { ...loaded, blocks: blocksByKey(await loadBlocks(tx, realmId, userId, next)) };
    const firstUnread = next.findIndex((message) => !isMarkedRead(state, message));
    const hasEnd = firstUnread >= 0 || next.length < countMax;
    return { state, covered: firstUnread < 0 ? next : next.slice(0, firstUnread), hasEnd };
  };
  for (const countMax of watermarkLooks) {
    const looked = await look(countMax);
    if (looked.hasEnd) return looked;
  }
  return look(watermarkStepMax);
}

const columnsOf = ({ messages }: Reader["t"]) => ({
  id: messages.id,
  senderId: messages.senderId,
  channelId: messages.channelId,
  sentChannelId: messages.sentChannelId,
  readBySender: messages.readBySender,
});

const selectSentAfter = statement((db, t) =>
  db
    .select(columnsOf(t))
    .from(t.messages)
    .where(
      and(
        eq(t.messages.realmId, sql.placeholder("realmId")),
        eq(t.messages.sentChannelId, sql.placeholder("channelId")),
        gt(t.messages.id, sql.placeholder("after")),
      ),
    )
    .orderBy(asc(t.messages.id))
    .limit(sql.placeholder("countMax")),
);

/** The next messages of a scope that the user has received, oldest first. */
async function receivedAfter(
  tx: Tx,
  realmId: number,
  userId: number,
  { scope, after, countMax }: { scope: number; after: number; countMax: number },
): Promise<ReadableMessage[]> {
  const { messages, conversationMembers } = tx.t;
  const later = () => and(eq(messages.realmId, realmId), gt(messages.id, after));
  if (scope === directScope) {
    const mine = tx.db
      .select({ id: conversationMembers.conversationId })
      .from(conversationMembers)
      .where(and(eq(conversationMembers.realmId, realmId), eq(conversationMembers.userId, userId)));
    const isMine = inArray(messages.conversationId, mine);
    return tx.db
      .select(columnsOf(tx.t))
      .from(messages)
      .where(and(later(), isMine))
      .orderBy(asc(messages.id))
      .limit(countMax);
  }
  const periods = (await listPeriods(tx, realmId, userId)).filter(({ channelId }) => channelId === scope);
  const [first, ...others] = periods;
  if (!first) return [];
  if (others.length === 0 && first.toMessage === null) {
    return selectSentAfter(tx, { realmId, channelId: scope, after: Math.max(after, first.fromMessage), countMax });
  }
  const within = periods.map(({ fromMessage, toMessage }) =>
    and(gt(messages.id, fromMessage), toMessage === null ? undefined : sql`${messages.id} <= ${toMessage}`),
  );
  return tx.db
    .select(columnsOf(tx.t))
    .from(messages)
    .where(and(later(), eq(messages.sentChannelId, scope), or(...within)))
    .orderBy(asc(messages.id))
    .limit(countMax);
}

const selectExceptions = statement((db, { readBlocks: t }) =>
  db
    .select({ block: t.block, bits: t.bits })
    .from(t)
    .where(and(eq(t.realmId, sql.placeholder("realmId")), eq(t.userId, sql.placeholder("userId")))),
);

/** The messages at which a user's read state is not what the rule says, by id. */
export async function listExceptions(reader: Reader, realmId: number, userId: number): Promise<number[]> {
  const exceptions: number[] = [];
  for (const { block, bits } of await selectExceptions(reader, { realmId, userId })) {
    for (let place = 0; place < bits.length; place++) {
      const byte = bits[place] ?? 0;
      for (let bit = 0; byte >> bit > 0; bit++) {
        if ((byte >> bit) & 1) exceptions.push(block * idsPerBlock + place * 8 + bit);
      }
    }
  }
  return exceptions;
}
