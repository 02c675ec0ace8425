import { and, desc, eq, gte, inArray } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../../db/reader";
import { joinInOrder } from "../../../db/sql/rows";
import { periodHolds } from "../../core/reading-right/sql";
import { directScope } from "../../reading/read-blocks";
import { endsOf } from "../../reading/read-state";
import { unmutedAmong } from "../../reading/unmuted";
import { firstAbove } from "../../reading/unread/ascending-ids";
import { oldestOf } from "../../reading/unread/gathering";
import type { UnreadMessage } from "../../reading/unread/split-by-reading";
import type { UnreadSummary } from "../../reading/unread/unread-summary";

const flagged = ["mentioned", "topic_wildcard_mentioned"];
/** Number of messages with mentions that are listed, the newest first. */
const listedMax = 10_000;

const selectFlagged = statement(
  (db, { messageFlags }, given: Given<{ realmId: number; userId: number; since: number }>) =>
    db
      .select({ id: messageFlags.messageId, flag: messageFlags.flag })
      .from(messageFlags)
      .where(
        and(
          eq(messageFlags.realmId, given.realmId),
          eq(messageFlags.userId, given.userId),
          inArray(messageFlags.flag, flagged),
          gte(messageFlags.messageId, given.since),
        ),
      )
      .orderBy(desc(messageFlags.messageId))
      .limit(listedMax),
);

/** Messages that mention everybody in a channel, and were delivered to somebody by subscription. */
const selectAllOfChannel = statement(
  (db, t, given: Given<{ realmId: number; userId: number }>, dialect) => {
    const { messages, subscriptionPeriods: periods } = t;
    const received = and(
      eq(messages.realmId, given.realmId),
      eq(messages.mentionsAllOf, periods.channelId),
      periodHolds(t, messages.id),
    );
    const lateral = joinInOrder(dialect, messages, received);
    return db
      .select(lateral.columns({ id: messages.id }))
      .from(periods)
      .crossJoin(lateral.rows)
      .where(
        and(eq(periods.realmId, given.realmId), eq(periods.userId, given.userId), lateral.where),
      )
      .orderBy(desc(messages.id))
      .limit(listedMax);
  },
);

const selectAllOfConversation = statement(
  (
    db,
    { messages, conversationMembers: members },
    given: Given<{ realmId: number; userId: number }>,
  ) =>
    db
      .select({ id: messages.id })
      .from(messages)
      .innerJoin(
        members,
        and(
          eq(members.realmId, messages.realmId),
          eq(members.conversationId, messages.conversationId),
          eq(members.userId, given.userId),
        ),
      )
      .where(and(eq(messages.realmId, given.realmId), eq(messages.mentionsAllOf, directScope)))
      .orderBy(desc(messages.id))
      .limit(listedMax),
);

/**
 * The ids of the newest messages that mention somebody, by name, by a group or by a wildcard; in
 * any order.
 */
export async function listMentioning(
  reader: Reader,
  realmId: number,
  userId: number,
): Promise<number[]> {
  const who = { realmId, userId };
  const lists = await Promise.all([
    selectFlagged(reader, { ...who, since: 0 }),
    selectAllOfChannel(reader, who),
    selectAllOfConversation(reader, who),
  ]);
  return [...new Set(lists.flat().map(({ id }) => id))];
}

/** A message that was delivered to somebody. */
type Received = Pick<UnreadMessage, "id" | "channelId" | "topic" | "mentionsAllOf">;

/** Stored mention flags of somebody's messages: by name, and as a participant of a topic. */
interface MentionFlags {
  named: ReadonlySet<number>;
  inTopic: ReadonlySet<number>;
}

async function mentionFlags(
  reader: Reader,
  realmId: number,
  userId: number,
  since: number,
): Promise<MentionFlags> {
  const flags = await selectFlagged(reader, { realmId, userId, since });
  const idsOf = (name: string) =>
    new Set(flags.filter(({ flag }) => flag === name).map(({ id }) => id));
  return { named: idsOf("mentioned"), inTopic: idsOf("topic_wildcard_mentioned") };
}

/**
 * The ids of those messages that count as mentions for somebody who received them. A wildcard does
 * not count where they have muted the place. A statement or two. Source:
 * `test/recorded/api/register.json`, unread_msgs.
 */
export async function mentionedAmong(
  reader: Reader,
  realmId: number,
  userId: number,
  received: readonly Received[],
): Promise<number[]> {
  if (received.length === 0) return [];
  const { named, inTopic } = await mentionFlags(reader, realmId, userId, endsOf(received).first);
  const byWildcard = received.filter(
    ({ id, mentionsAllOf }) => mentionsAllOf !== null || inTopic.has(id),
  );
  const isUnmuted = await unmutedAmong(reader, realmId, userId, byWildcard);
  const counted = new Set(byWildcard.filter(isUnmuted).map(({ id }) => id));
  return received.map(({ id }) => id).filter((id) => named.has(id) || counted.has(id));
}

/** Mentions in all unread messages, oldest first. */
export async function mentionedInUnread(
  reader: Reader,
  realmId: number,
  userId: number,
  { count, topics, conversations, wildcards }: UnreadSummary,
): Promise<number[]> {
  if (count === 0) return [];
  const since = Math.min(...[...topics.slice(0, 1), ...conversations.slice(0, 1)].map(oldestOf));
  const { named, inTopic } = await mentionFlags(reader, realmId, userId, since);
  const candidates = [...new Set([...named, ...inTopic, ...wildcards])].sort((a, b) => a - b);
  const byName: number[] = [];
  const byWildcard: { id: number; channelId: number | null; topic: string }[] = [];
  for (const { place, pieces } of candidates.length > 0 ? [...topics, ...conversations] : []) {
    const { channelId, topic } = place;
    for (const id of pieces.flatMap(({ ids }) => idsInBoth(candidates, ids)))
      if (named.has(id)) byName.push(id);
      else byWildcard.push({ id, channelId, topic });
  }
  const counted = byWildcard.filter(await unmutedAmong(reader, realmId, userId, byWildcard));
  return [...byName, ...counted.map(({ id }) => id)].sort((a, b) => a - b);
}

/** The ids that are in two ascending lists. */
function idsInBoth(some: readonly number[], others: readonly number[]): number[] {
  const [first, last] = [others[0], others.at(-1)];
  if (first === undefined || last === undefined) return [];
  const within = some.slice(firstAbove(some, first - 1), firstAbove(some, last));
  const isIn = (ids: readonly number[]) => (id: number) => ids[firstAbove(ids, id - 1)] === id;
  return within.length < others.length ? within.filter(isIn(others)) : others.filter(isIn(within));
}
