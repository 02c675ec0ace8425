import { and, asc, desc, eq, type SQL, sql } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../../db/reader";
import type { Schema } from "../../../db/schema";
import { isIn } from "../../../db/sql/json";
import { topicKey } from "./empty-topic";

/** A topic under its newest spelling, with the id of its newest message. */
interface TopicRow {
  name: string;
  maxId: number;
}

/**
 * The topic keys of a channel, found by skipping from each to the next in the index
 * `messages_topic`: the cost depends on the number of topics, not of messages. Ends with a row of
 * null, or where `goesOn` does not hold for the place of a key.
 */
function topicKeys(
  { messages }: Schema,
  given: Given<{ realmId: number; channelId: number }>,
  goesOn: SQL = sql`true`,
): SQL {
  const isInChannel = sql`m.realm_id = ${given.realmId} and m.channel_id = ${given.channelId}`;
  return sql`with recursive topic_keys(topic_key, place) as (
    select min(m.topic_key), 1 from ${messages} m where ${isInChannel}
    union all
    select (select min(m.topic_key) from ${messages} m where ${isInChannel} and m.topic_key > topic_keys.topic_key),
      topic_keys.place + 1
    from topic_keys where topic_keys.topic_key is not null and ${goesOn}
  )`;
}

/** The newest message of the current topic of `topic_keys`. */
const newestOfTopic = (
  { messages }: Schema,
  given: Given<{ realmId: number; channelId: number }>,
) =>
  sql`(select max(m.id) from ${messages} m where m.realm_id = ${given.realmId}
    and m.channel_id = ${given.channelId} and m.topic_key = topic_keys.topic_key)`;

const selectTopics = statement((db, t, given: Given<{ realmId: number; channelId: number }>) =>
  db
    .select({ name: t.messages.topic, maxId: t.messages.id })
    .from(t.messages)
    .where(
      and(
        eq(t.messages.realmId, given.realmId),
        sql`${t.messages.id} in (${topicKeys(t, given)} select ${newestOfTopic(t, given)}
          from topic_keys where topic_keys.topic_key is not null)`,
      ),
    )
    .orderBy(desc(t.messages.id)),
);

/** Uses the index `messages_channel`, whose first entry is the result. */
const selectFirstMessage = statement(
  (db, { messages }, given: Given<{ realmId: number; channelId: number }>) =>
    db
      .select({ id: messages.id })
      .from(messages)
      .where(and(eq(messages.realmId, given.realmId), eq(messages.channelId, given.channelId)))
      .orderBy(asc(messages.id))
      .limit(1),
);

const selectOfTopic = statement(
  (db, t, given: Given<{ realmId: number; channelId: number; topicKey: string }>) =>
    db
      .select({ id: t.messages.id })
      .from(t.messages)
      .where(
        and(
          eq(t.messages.realmId, given.realmId),
          eq(t.messages.channelId, given.channelId),
          eq(t.messages.topicKey, given.topicKey),
        ),
      )
      .limit(1),
);

/** Whether a channel has a topic with messages, ignoring case and without a check of rights. */
export async function isTopicThere(
  reader: Reader,
  realmId: number,
  channelId: number,
  topic: string,
): Promise<boolean> {
  const rows = await selectOfTopic(reader, { realmId, channelId, topicKey: topicKey(topic) });
  return rows.length > 0;
}

const selectSomeTopics = statement(
  (db, t, given: Given<{ realmId: number; channelId: number; count: number }>) => {
    const keys = topicKeys(t, given, sql`topic_keys.place < ${given.count}`);
    return db
      .select({ key: t.messages.topicKey, maxId: t.messages.id })
      .from(t.messages)
      .where(
        and(
          eq(t.messages.realmId, given.realmId),
          sql`${t.messages.id} in (${keys} select ${newestOfTopic(t, given)}
            from topic_keys where topic_keys.topic_key is not null)`,
        ),
      );
  },
);

/**
 * Keys of a channel's topics, each with the id of its newest message; undefined if there are more
 * than `countMax`. The cost depends on that number alone.
 */
export async function listFewTopics(
  reader: Reader,
  realmId: number,
  channelId: number,
  countMax: number,
): Promise<{ key: string; maxId: number }[] | undefined> {
  const topics = await selectSomeTopics(reader, { realmId, channelId, count: countMax + 1 });
  return topics.length > countMax ? undefined : topics;
}

/** All topics of a channel, the one with the newest message first. */
export async function listTopics(
  reader: Reader,
  realmId: number,
  channelId: number,
): Promise<TopicRow[]> {
  return selectTopics(reader, { realmId, channelId });
}

const countInChannel = statement((db, t, given: Given<{ realmId: number; channelId: number }>) =>
  db
    .select({
      count:
        sql<number>`(${topicKeys(t, given)} select count(topic_keys.topic_key) from topic_keys)`.mapWith(
          Number,
        ),
    })
    .from(sql`(select 1) as one`),
);

/** Number of topics of some channels. The cost depends on the topics, not on the messages. */
export async function countTopics(
  reader: Reader,
  realmId: number,
  channelIds: readonly number[],
): Promise<number> {
  let total = 0;
  for (const channelId of channelIds)
    for (const { count } of await countInChannel(reader, { realmId, channelId })) total += count;
  return total;
}

/** The topics of a channel's messages that match a condition, newest first. */
export async function listTopicsWhere(
  reader: Reader,
  realmId: number,
  channelId: number,
  condition: SQL,
): Promise<TopicRow[]> {
  const { messages } = reader.t;
  const newest = await reader.db
    .select({ id: sql<number>`max(${messages.id})`.mapWith(Number) })
    .from(messages)
    .where(and(eq(messages.realmId, realmId), eq(messages.channelId, channelId), condition))
    .groupBy(messages.topicKey);
  const ids = newest.map(({ id }) => id);
  return selectTopicsOf(reader, { realmId, ids: JSON.stringify(ids) });
}

const selectTopicsOf = statement(
  (db, { messages }, given: Given<{ realmId: number; ids: string }>, dialect) =>
    db
      .select({ name: messages.topic, maxId: messages.id })
      .from(messages)
      .where(and(eq(messages.realmId, given.realmId), isIn(dialect, messages.id, given.ids)))
      .orderBy(desc(messages.id)),
);

/** The id of a channel's oldest message, null if it has none. */
export async function findFirstMessageId(
  reader: Reader,
  realmId: number,
  channelId: number,
): Promise<number | null> {
  const [row] = await selectFirstMessage(reader, { realmId, channelId });
  return row?.id ?? null;
}
