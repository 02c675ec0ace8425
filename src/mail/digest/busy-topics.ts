import { and, asc, eq, gt, gte, isNotNull, sql } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../../db/reader";
import { newestMessageId } from "../../people/users/queries";

/** Topic of a channel with messages in a period. */
export interface BusyTopic {
  channelId: number;
  topicKey: string;
  /** The topic's name as one of the messages spells it. */
  topic: string;
  messages: number;
  people: number;
}

const selectFrom = statement((db, { messages: m }, given: Given<{ realmId: number; id: number }>) =>
  db
    .select({ id: m.id, sentAt: m.sentAt })
    .from(m)
    .where(and(eq(m.realmId, given.realmId), gte(m.id, given.id)))
    .orderBy(asc(m.id))
    .limit(1),
);

/** The newest message id that is older than a time, by binary search over the ids. */
export async function lastBefore(reader: Reader, realmId: number, since: number): Promise<number> {
  let [low, high] = [0, (await newestMessageId(reader, realmId)) + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [found] = await selectFrom(reader, { realmId, id: middle });
    if (found && found.sentAt < since) low = found.id + 1;
    else high = middle;
  }
  return low - 1;
}

const topicsMax = 2_000;

/**
 * The topics of a realm with messages since a given one: those with most people first, then those
 * with most messages.
 */
export function listBusyTopics(
  reader: Reader,
  realmId: number,
  after: number,
): PromiseLike<BusyTopic[]> {
  const { messages: m } = reader.t;
  const people = sql<number>`count(distinct ${m.senderId})`.mapWith(Number);
  const count = sql<number>`count(*)`.mapWith(Number);
  return reader.db
    .select({
      channelId: sql<number>`${m.channelId}`.mapWith(Number),
      topicKey: m.topicKey,
      topic: sql<string>`max(${m.topic})`,
      messages: count,
      people,
    })
    .from(m)
    .where(and(eq(m.realmId, realmId), gt(m.id, after), isNotNull(m.channelId)))
    .groupBy(m.channelId, m.topicKey)
    .orderBy(sql`count(distinct ${m.senderId}) desc, count(*) desc`)
    .limit(topicsMax);
}
