import { and, asc, eq, gt, gte, isNotNull, sql } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../../db/reader";
import { newestMessageId } from "../../people/users/queries";

/** Topic of a channel that was talked about in some time. */
export interface BusyTopic {
  channelId: number;
  topicKey: string;
  /** Spelling of one of the messages. */
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

/**
 * The newest id below which all messages are older than a time: found in as many steps as the ids
 * have binary digits.
 */
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
 * The topics of a realm that were talked about since a message: those of many people first, then
 * those of many messages.
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
