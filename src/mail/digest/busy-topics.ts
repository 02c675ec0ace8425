import { and, eq, gt, isNotNull, sql } from "drizzle-orm";
import type { Reader } from "../../../db/reader";

/** Topic of a channel with messages in a period. */
export interface BusyTopic {
  channelId: number;
  topicKey: string;
  /** The topic's name as one of the messages spells it. */
  topic: string;
  messages: number;
  people: number;
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
