import { and, eq, isNull, lte, not, or, type SQLWrapper, sql } from "drizzle-orm";
import { type Reader, rowsLedTo, statement, statements } from "../../../db/reader";
import type { Dialect, Schema } from "../../../db/schema";
import { newestMessageId } from "../../users/queries";
import { findMessages, type MessageReader, type MessageRow } from "../queries";
import { directScope, isRead, listExceptions, loadReadState } from "./read-state";

/** How many unread messages are told of, the newest first. */
export const unreadMax = 50_000;

/** What is told of an unread message. */
export type UnreadMessage = Pick<MessageRow, "id" | "channelId" | "conversationId" | "topic" | "mentionsAllOf">;

type Who = Pick<MessageReader, "realmId" | "userId">;

/**
 * A user's unread messages, oldest first: at most the newest `unreadMax`. Says the same as `isRead`. With `channelId` only
 * those that are in that channel. Costs what it answers, however much was read.
 */
export async function listUnread(reader: Reader, who: Who, channelId?: number): Promise<UnreadMessage[]> {
  const exceptions = new Set(await listExceptions(reader, who.realmId, who.userId));
  const byRule = await unreadByRule(reader, { ...who, channelId }, unreadMax + exceptions.size);
  const unread = byRule.filter(({ id }) => !exceptions.has(id));
  for (const { id } of byRule) exceptions.delete(id);
  const others = await unreadAmong(reader, who, [...exceptions]);
  unread.push(...others.filter((message) => channelId === undefined || message.channelId === channelId));
  return unread.sort((a, b) => a.id - b.id).slice(-unreadMax);
}

/** Those of some messages that are unread, each looked at by itself. */
export async function unreadAmong(reader: Reader, { realmId, userId }: Who, ids: number[]): Promise<UnreadMessage[]> {
  if (ids.length === 0) return [];
  const messages = await findMessages(reader, realmId, ids);
  const state = await loadReadState(reader, realmId, userId, messages);
  return messages.filter((message) => !isRead(state, message));
}

/** Of which messages is asked: those of all channels and conversations, or of one channel. */
type Wanted = Who & { channelId: number | undefined };

/** An id above all others. */
const idMax = 10_000_000_000_000_000;
/** How many ids are looked at on a step back when there are more unread messages than are told of. */
const idsPerStep = 50_000;

/**
 * What is above the watermark of its scope and not the user's own that counts as read: at least the newest `limit` of
 * them. Where there are more, it goes back step by step, the steps growing where little is found.
 */
async function unreadByRule(reader: Reader, wanted: Wanted, limit: number): Promise<UnreadMessage[]> {
  const all = await unreadBetween(reader, wanted, { after: 0, upTo: idMax, limit: limit + 1 });
  if (all.length <= limit) return all;
  const found: UnreadMessage[] = [];
  let step = idsPerStep;
  for (let upTo = await newestMessageId(reader, wanted.realmId); upTo > 0 && found.length < limit; ) {
    const after = Math.max(0, upTo - step);
    const next = await unreadBetween(reader, wanted, { after, upTo, limit: idMax });
    found.push(...next);
    if (next.length < step / 10) step *= 2;
    upTo = after;
  }
  return found;
}

interface Range {
  after: number;
  upTo: number;
  limit: number;
}

/** In no order, at most `limit` of each kind. */
async function unreadBetween(reader: Reader, wanted: Wanted, range: Range): Promise<UnreadMessage[]> {
  const { realmId, userId, channelId } = wanted;
  const run = inChannels(channelId === undefined ? "all" : "one", (db, t, dialect) =>
    receivedInChannels(db, t, dialect, channelId !== undefined),
  );
  const found = await run(reader, { realmId, userId, channelId, ...range });
  if (channelId !== undefined) return found;
  return [...found, ...(await selectDirect(reader, { realmId, userId, ...range }))];
}

/** At most `limit` of the direct messages that are unread by rule, in no order. */
export const unreadDirect = (reader: Reader, { realmId, userId }: Who, limit: number): PromiseLike<UnreadMessage[]> =>
  selectDirect(reader, { realmId, userId, after: 0, upTo: idMax, limit });

const columnsOf = ({ messages }: Schema) => ({
  id: messages.id,
  channelId: messages.channelId,
  conversationId: messages.conversationId,
  topic: messages.topic,
  mentionsAllOf: messages.mentionsAllOf,
});

/** The largest of some numbers: the index is searched from there on, so that what was read before costs nothing. */
const largest = (dialect: Dialect, ...numbers: SQLWrapper[]) =>
  sql`${sql.raw(dialect === "sqlite" ? "max" : "greatest")}(${sql.join(numbers, sql`, `)})`;

const isOwnAndRead = ({ messages }: Schema) =>
  and(eq(messages.senderId, sql.placeholder("userId")), eq(messages.readBySender, true)) ?? sql`false`;

const placeholder = (name: string) => sql`${sql.placeholder(name)}`;

type Database = Reader["db"];

const inChannels = statements<Record<string, unknown>, UnreadMessage[]>(2);

/** What came to the user in channels that they are subscribed to now, and is unread by rule. */
function receivedInChannels(db: Database, t: Schema, dialect: Dialect, isOne: boolean) {
  const { messages, subscriptionPeriods: periods, readWatermarks: marks, subscriptions: s } = t;
  const [realmId, userId] = [placeholder("realmId"), placeholder("userId")];
  const mark = and(eq(marks.realmId, realmId), eq(marks.userId, userId), eq(marks.scope, periods.channelId));
  const start = largest(dialect, periods.fromMessage, sql`coalesce(${marks.readUpTo}, 0)`, bigint(dialect, "after"));
  const received = and(
    eq(messages.realmId, realmId),
    eq(messages.sentChannelId, periods.channelId),
    sql`${messages.id} > ${start}`,
    sql`${messages.id} <= ${placeholder("upTo")}`,
    or(isNull(periods.toMessage), lte(messages.id, periods.toMessage)),
    isOne ? eq(messages.channelId, placeholder("channelId")) : undefined,
  );
  const led = rowsLedTo(dialect, messages, received);
  const isSubscribedNow = sql`exists (select 1 from ${s} where ${s.realmId} = ${realmId} and ${s.userId} = ${userId}
    and ${s.channelId} = ${messages.channelId} and ${s.isActive} = ${true})`;
  return db
    .select(led.columns(columnsOf(t)))
    .from(periods)
    .leftJoin(marks, mark)
    .crossJoin(led.rows)
    .where(
      and(eq(periods.realmId, realmId), eq(periods.userId, userId), led.where, isSubscribedNow, not(isOwnAndRead(t))),
    )
    .limit(sql.placeholder("limit"));
}

/** PostgreSQL must be told what a value is where it stands in no comparison with a column. */
const bigint = (dialect: Dialect, name: string) =>
  dialect === "sqlite" ? placeholder(name) : sql`${placeholder(name)}::bigint`;

/** The same of direct messages. */
const selectDirect = statement((db, t, dialect) => {
  const { messages, conversationMembers: members, readWatermarks: marks } = t;
  const [realmId, userId] = [placeholder("realmId"), placeholder("userId")];
  const mark = and(eq(marks.realmId, realmId), eq(marks.userId, userId), eq(marks.scope, directScope));
  const start = largest(dialect, sql`coalesce(${marks.readUpTo}, 0)`, bigint(dialect, "after"));
  const received = and(
    eq(messages.realmId, realmId),
    eq(messages.conversationId, members.conversationId),
    sql`${messages.id} > ${start}`,
    sql`${messages.id} <= ${placeholder("upTo")}`,
  );
  const led = rowsLedTo(dialect, messages, received);
  return db
    .select(led.columns(columnsOf(t)))
    .from(members)
    .leftJoin(marks, mark)
    .crossJoin(led.rows)
    .where(and(eq(members.realmId, realmId), eq(members.userId, userId), led.where, not(isOwnAndRead(t))))
    .limit(sql.placeholder("limit"));
});
