import { and, desc, eq, gt, isNull, lte, not, or, sql } from "drizzle-orm";
import type { Reader } from "../../db/reader";
import { findMessages, type MessageReader, type MessageRow } from "./queries";
import { directScope, listExceptions, scopeOf } from "./read-state";

/** How many unread messages are looked at, the newest first. */
const unreadMax = 50_000;

/** What is told of an unread message. */
export type UnreadMessage = Pick<
  MessageRow,
  "id" | "senderId" | "channelId" | "sentChannelId" | "conversationId" | "topic" | "readBySender"
>;

/** The messages that a user has received and not read, in channels that they are subscribed to and direct; oldest first. */
export async function listUnread(reader: Reader, { realmId, userId }: MessageReader): Promise<UnreadMessage[]> {
  const exceptions = await listExceptions(reader, realmId, userId);
  const candidates = [
    ...(await unreadInChannels(reader, realmId, userId)),
    ...(await unreadDirect(reader, realmId, userId)),
  ];
  const candidateIds = new Set(candidates.map(({ id }) => id));
  const unread = candidates.filter((message) => !exceptions.get(scopeOf(message))?.has(message.id));
  const marked = [...exceptions.values()].flatMap((ids) => [...ids]).filter((id) => !candidateIds.has(id));
  unread.push(...(await findMessages(reader, realmId, marked)));
  return unread.sort((a, b) => a.id - b.id).slice(-unreadMax);
}

const columnsOf = ({ messages }: Reader["t"]) => ({
  id: messages.id,
  senderId: messages.senderId,
  channelId: messages.channelId,
  sentChannelId: messages.sentChannelId,
  conversationId: messages.conversationId,
  topic: messages.topic,
  readBySender: messages.readBySender,
});

/** Above the watermark of their scope, and not the user's own that count as read. */
function isAboveWatermark({ messages, readWatermarks }: Reader["t"], userId: number) {
  return and(
    gt(messages.id, sql`coalesce(${readWatermarks.readUpTo}, 0)`),
    not(and(eq(messages.senderId, userId), eq(messages.readBySender, true)) ?? sql`false`),
  );
}

function unreadInChannels(reader: Reader, realmId: number, userId: number) {
  const { t } = reader;
  const { messages, subscriptionPeriods: periods, readWatermarks: marks } = t;
  const received = and(
    eq(messages.realmId, periods.realmId),
    eq(messages.sentChannelId, periods.channelId),
    gt(messages.id, periods.fromMessage),
  );
  const mark = and(eq(marks.realmId, realmId), eq(marks.userId, userId), eq(marks.scope, periods.channelId));
  return reader.db
    .select(columnsOf(t))
    .from(periods)
    .innerJoin(messages, received)
    .leftJoin(marks, mark)
    .where(
      and(
        eq(periods.realmId, realmId),
        eq(periods.userId, userId),
        or(isNull(periods.toMessage), lte(messages.id, periods.toMessage)),
        isSubscribedNow(t, realmId, userId),
        isAboveWatermark(t, userId),
      ),
    )
    .orderBy(desc(messages.id))
    .limit(unreadMax);
}

const isSubscribedNow = ({ subscriptions: s, messages }: Reader["t"], realmId: number, userId: number) =>
  sql`exists (select 1 from ${s} where ${s.realmId} = ${realmId} and ${s.userId} = ${userId}
    and ${s.channelId} = ${messages.channelId} and ${s.isActive} = ${true})`;

function unreadDirect(reader: Reader, realmId: number, userId: number) {
  const { t } = reader;
  const { messages, conversationMembers: members, readWatermarks: marks } = t;
  const received = and(eq(messages.realmId, members.realmId), eq(messages.conversationId, members.conversationId));
  const mark = and(eq(marks.realmId, realmId), eq(marks.userId, userId), eq(marks.scope, directScope));
  return reader.db
    .select(columnsOf(t))
    .from(members)
    .innerJoin(messages, received)
    .leftJoin(marks, mark)
    .where(and(eq(members.realmId, realmId), eq(members.userId, userId), isAboveWatermark(t, userId)))
    .orderBy(desc(messages.id))
    .limit(unreadMax);
}
