import { and, desc, eq, gt, isNull, lte, not, or, sql } from "drizzle-orm";
import type { Reader } from "../../db/reader";
import { findMessages, type MessageReader, type MessageRow } from "./queries";
import { directScope, isRead, listExceptions, loadReadState } from "./read-state";

/** How many unread messages are told of, the newest first. */
export const unreadMax = 50_000;

/** What is told of an unread message. */
export type UnreadMessage = Pick<MessageRow, "id" | "channelId" | "conversationId" | "topic">;

type Who = Pick<MessageReader, "realmId" | "userId">;

/** A user's unread messages, oldest first: at most the newest `unreadMax`. Says the same as `isRead`. */
export async function listUnread(reader: Reader, who: Who): Promise<UnreadMessage[]> {
  const exceptions = new Set(await listExceptions(reader, who.realmId, who.userId));
  const limit = unreadMax + exceptions.size;
  const byRule = [...(await inChannels(reader, who, limit)), ...(await inConversations(reader, who, limit))];
  const unread = byRule.filter(({ id }) => !exceptions.has(id));
  for (const { id } of byRule) exceptions.delete(id);
  unread.push(...(await unreadAmong(reader, who, [...exceptions])));
  return unread.sort((a, b) => a.id - b.id).slice(-unreadMax);
}

/** Those of some messages that are unread, each looked at by itself. */
async function unreadAmong(reader: Reader, { realmId, userId }: Who, ids: number[]): Promise<UnreadMessage[]> {
  if (ids.length === 0) return [];
  const messages = await findMessages(reader, realmId, ids);
  const state = await loadReadState(reader, realmId, userId, messages);
  return messages.filter((message) => !isRead(state, message));
}

const columnsOf = ({ messages }: Reader["t"]) => ({
  id: messages.id,
  channelId: messages.channelId,
  conversationId: messages.conversationId,
  topic: messages.topic,
});

/** Above the watermark of their scope, and not the user's own that count as read. */
const isAboveWatermark = ({ messages, readWatermarks }: Reader["t"], userId: number) =>
  and(
    gt(messages.id, sql`coalesce(${readWatermarks.readUpTo}, 0)`),
    not(and(eq(messages.senderId, userId), eq(messages.readBySender, true)) ?? sql`false`),
  );

/** What came to the user in channels that they are subscribed to now, and is unread by rule; the newest first. */
function inChannels({ t, db }: Reader, { realmId, userId }: Who, limit: number): PromiseLike<UnreadMessage[]> {
  const { messages, subscriptionPeriods: periods, readWatermarks: marks, subscriptions: s } = t;
  const received = and(
    eq(messages.realmId, periods.realmId),
    eq(messages.sentChannelId, periods.channelId),
    gt(messages.id, periods.fromMessage),
    or(isNull(periods.toMessage), lte(messages.id, periods.toMessage)),
  );
  const mark = and(eq(marks.realmId, realmId), eq(marks.userId, userId), eq(marks.scope, periods.channelId));
  const isSubscribedNow = sql`exists (select 1 from ${s} where ${s.realmId} = ${realmId} and ${s.userId} = ${userId}
    and ${s.channelId} = ${messages.channelId} and ${s.isActive} = ${true})`;
  return db
    .select(columnsOf(t))
    .from(periods)
    .innerJoin(messages, received)
    .leftJoin(marks, mark)
    .where(and(eq(periods.realmId, realmId), eq(periods.userId, userId), isSubscribedNow, isAboveWatermark(t, userId)))
    .orderBy(desc(messages.id))
    .limit(limit);
}

/** The same of direct messages. */
function inConversations({ t, db }: Reader, { realmId, userId }: Who, limit: number): PromiseLike<UnreadMessage[]> {
  const { messages, conversationMembers: members, readWatermarks: marks } = t;
  const received = and(eq(messages.realmId, members.realmId), eq(messages.conversationId, members.conversationId));
  const mark = and(eq(marks.realmId, realmId), eq(marks.userId, userId), eq(marks.scope, directScope));
  return db
    .select(columnsOf(t))
    .from(members)
    .innerJoin(messages, received)
    .leftJoin(marks, mark)
    .where(and(eq(members.realmId, realmId), eq(members.userId, userId), isAboveWatermark(t, userId)))
    .orderBy(desc(messages.id))
    .limit(limit);
}
