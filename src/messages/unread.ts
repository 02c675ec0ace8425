import { and, desc, eq, isNotNull, or, type SQL, sql } from "drizzle-orm";
import type { Reader } from "../../db/reader";
import { listPeriods } from "../subscriptions/queries";
import { idRows, isAmong, type MessageReader, type MessageRow } from "./queries";
import { listExceptions } from "./read-state";

/** How many unread messages are told of, the newest first. */
export const unreadMax = 50_000;

/** What is told of an unread message. */
export type UnreadMessage = Pick<MessageRow, "id" | "channelId" | "conversationId" | "topic">;

type Who = Pick<MessageReader, "realmId" | "userId">;

/** A user's unread messages, oldest first: at most the newest `unreadMax`. */
export async function listUnread(reader: Reader, who: Who): Promise<UnreadMessage[]> {
  const { messages } = reader.t;
  const rows = await reader.db
    .select({
      id: messages.id,
      channelId: messages.channelId,
      conversationId: messages.conversationId,
      topic: messages.topic,
    })
    .from(messages)
    .where(and(eq(messages.realmId, who.realmId), await isUnread(reader, who)))
    .orderBy(desc(messages.id))
    .limit(unreadMax);
  return rows.reverse();
}

/** The condition that a message is unread by a user. Says the same as `isRead`, for all messages at once. */
export async function isUnread(reader: Reader, { realmId, userId }: Who): Promise<SQL | undefined> {
  const { messages } = reader.t;
  const exceptions = await listExceptions(reader, realmId, userId);
  const periods = await listPeriods(reader, realmId, userId);
  const subscribed = periods.filter(({ toLog }) => toLog === null).map(({ channelId }) => channelId);
  const byRule = unreadByRule(reader.t, realmId, userId);
  const ids = exceptions.length === 0 ? byRule : turnAround(byRule, idRows(reader, exceptions));
  const isWithinReach = or(isNotNull(messages.conversationId), isAmong(reader, messages.channelId, subscribed));
  return and(sql`${messages.id} in (${ids})`, isWithinReach);
}

/** What is in one of two lists of ids and not in the other. */
const turnAround = (byRule: SQL, exceptions: SQL) =>
  sql`select id from (${byRule}) by_rule where id not in (${exceptions})
    union all select id from (${exceptions}) exceptions where id not in (${byRule})`;

/** What came to the user, is above the watermark of its scope, and is not their own that counts as read. */
function unreadByRule(
  { messages, subscriptionPeriods, conversationMembers, readWatermarks }: Reader["t"],
  realmId: number,
  userId: number,
) {
  const isNew = sql`m.id > coalesce(w.read_up_to, 0) and not (m.sender_id = ${userId} and m.read_by_sender)`;
  return sql`select m.id as id from ${subscriptionPeriods} p
      join ${messages} m on m.realm_id = p.realm_id and m.sent_channel_id = p.channel_id
        and m.id > p.from_message and (p.to_message is null or m.id <= p.to_message)
      left join ${readWatermarks} w on w.realm_id = p.realm_id and w.user_id = p.user_id and w.scope = p.channel_id
      where p.realm_id = ${realmId} and p.user_id = ${userId} and ${isNew}
    union all select m.id as id from ${conversationMembers} c
      join ${messages} m on m.realm_id = c.realm_id and m.conversation_id = c.conversation_id
      left join ${readWatermarks} w on w.realm_id = c.realm_id and w.user_id = c.user_id and w.scope = 0
      where c.realm_id = ${realmId} and c.user_id = ${userId} and ${isNew}`;
}
