import { and, asc, eq, gt, isNotNull, sql } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../../db/reader";
import { turn } from "../../core/turns/turn";

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
/** Number of messages that are counted at once, because a week may have very many. */
const messagesPerPage = 2_000;

const selectPage = statement(
  (db, { messages: m }, given: Given<{ realmId: number; after: number }>) =>
    db
      .select({
        id: m.id,
        channelId: sql<number>`${m.channelId}`.mapWith(Number),
        topicKey: m.topicKey,
        topic: m.topic,
        senderId: m.senderId,
      })
      .from(m)
      .where(and(eq(m.realmId, given.realmId), gt(m.id, given.after), isNotNull(m.channelId)))
      .orderBy(asc(m.id))
      .limit(messagesPerPage),
);

interface Counted extends Omit<BusyTopic, "people"> {
  senders: Set<number>;
}

/**
 * The topics of a realm with messages since a given one: those with most people first, then those
 * with most messages. Others have their turn between its pages.
 */
export async function listBusyTopics(
  reader: Reader,
  realmId: number,
  after: number,
): Promise<BusyTopic[]> {
  const topics = new Map<string, Counted>();
  for (let last = after; ; await turn()) {
    const page = await selectPage(reader, { realmId, after: last });
    for (const message of page) count(topics, message);
    last = page.at(-1)?.id ?? last;
    if (page.length < messagesPerPage) break;
  }
  return [...topics.values()]
    .map(({ senders, ...topic }) => ({ ...topic, people: senders.size }))
    .sort((a, b) => b.people - a.people || b.messages - a.messages)
    .slice(0, topicsMax);
}

function count(
  topics: Map<string, Counted>,
  { channelId, topicKey, topic, senderId }: Awaited<ReturnType<typeof selectPage>>[number],
) {
  const key = `${channelId} ${topicKey}`;
  const counted = topics.get(key);
  if (counted) {
    counted.topic = topic;
    counted.messages += 1;
    counted.senders.add(senderId);
  } else topics.set(key, { channelId, topicKey, topic, messages: 1, senders: new Set([senderId]) });
}
