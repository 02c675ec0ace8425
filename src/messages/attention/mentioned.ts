import { and, desc, eq, gt, inArray, isNull, lte, or, sql } from "drizzle-orm";
import { type Reader, statement } from "../../../db/reader";
import { directScope } from "../flags/read-state";
import { unmutedAmong } from "../flags/unmuted";
import type { UnreadMessage } from "../flags/unread";

const flagged = ["mentioned", "topic_wildcard_mentioned"];
/** Of so many messages that mention somebody the newest are listed. */
const listedMax = 10_000;

const selectFlagged = statement((db, { messageFlags }) =>
  db
    .select({ id: messageFlags.messageId, flag: messageFlags.flag })
    .from(messageFlags)
    .where(
      and(
        eq(messageFlags.realmId, sql.placeholder("realmId")),
        eq(messageFlags.userId, sql.placeholder("userId")),
        inArray(messageFlags.flag, flagged),
      ),
    )
    .orderBy(desc(messageFlags.messageId))
    .limit(listedMax),
);

/** What mentions all of a channel, and came to somebody by subscription. The join is crossed to go from the periods. */
const selectAllOfChannel = statement((db, { messages, subscriptionPeriods: periods }) =>
  db
    .select({ id: messages.id })
    .from(periods)
    .crossJoin(messages)
    .where(
      and(
        eq(periods.realmId, sql.placeholder("realmId")),
        eq(periods.userId, sql.placeholder("userId")),
        eq(messages.realmId, sql.placeholder("realmId")),
        eq(messages.mentionsAllOf, periods.channelId),
        gt(messages.id, periods.fromMessage),
        or(isNull(periods.toMessage), lte(messages.id, periods.toMessage)),
      ),
    )
    .orderBy(desc(messages.id))
    .limit(listedMax),
);

const selectAllOfConversation = statement((db, { messages, conversationMembers: members }) =>
  db
    .select({ id: messages.id })
    .from(messages)
    .innerJoin(
      members,
      and(
        eq(members.realmId, messages.realmId),
        eq(members.conversationId, messages.conversationId),
        eq(members.userId, sql.placeholder("userId")),
      ),
    )
    .where(and(eq(messages.realmId, sql.placeholder("realmId")), eq(messages.mentionsAllOf, directScope)))
    .orderBy(desc(messages.id))
    .limit(listedMax),
);

/** The ids of the newest messages that mention somebody, by name, by a group or by a wildcard; in no order. */
export async function listMentioning(reader: Reader, realmId: number, userId: number): Promise<number[]> {
  const who = { realmId, userId };
  const lists = await Promise.all([
    selectFlagged(reader, who),
    selectAllOfChannel(reader, who),
    selectAllOfConversation(reader, who),
  ]);
  return [...new Set(lists.flat().map(({ id }) => id))];
}

/** A message that has come to somebody. */
type Received = Pick<UnreadMessage, "id" | "channelId" | "topic" | "mentionsAllOf">;

/**
 * The ids of those of some messages that count as mentions for somebody to whom they have come: by a wildcard not where they
 * have muted it. A statement or two. Source: `api/register.json`, unread_msgs.
 */
export async function mentionedAmong(
  reader: Reader,
  realmId: number,
  userId: number,
  received: readonly Received[],
): Promise<number[]> {
  if (received.length === 0) return [];
  const flags = await selectFlagged(reader, { realmId, userId });
  const idsOf = (name: string) => new Set(flags.filter(({ flag }) => flag === name).map(({ id }) => id));
  const [named, inTopic] = [idsOf("mentioned"), idsOf("topic_wildcard_mentioned")];
  const byWildcard = received.filter(({ id, mentionsAllOf }) => mentionsAllOf !== null || inTopic.has(id));
  const isUnmuted = await unmutedAmong(reader, realmId, userId, byWildcard);
  const counted = new Set(byWildcard.filter(isUnmuted).map(({ id }) => id));
  return received.map(({ id }) => id).filter((id) => named.has(id) || counted.has(id));
}
