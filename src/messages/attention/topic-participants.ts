import { and, desc, eq } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../../db/reader";
import type { Schema } from "../../../db/schema";
import { topicKey } from "../../channels/topics/empty-topic";

/** In a longer topic, only the participants of its newest messages count. */
const messagesMax = 10_000;

type Database = Reader["db"];

const newestOf = (
  db: Database,
  { messages }: Schema,
  given: Given<{ realmId: number; channelId: number; topicKey: string }>,
) =>
  db
    .select({ id: messages.id, senderId: messages.senderId })
    .from(messages)
    .where(
      and(
        eq(messages.realmId, given.realmId),
        eq(messages.channelId, given.channelId),
        eq(messages.topicKey, given.topicKey),
      ),
    )
    .orderBy(desc(messages.id))
    .limit(messagesMax)
    .as("newest");

const selectSenders = statement(
  (db, t, given: Given<{ realmId: number; channelId: number; topicKey: string }>) => {
    const newest = newestOf(db, t, given);
    return db.selectDistinct({ userId: newest.senderId }).from(newest);
  },
);

const selectReacting = statement(
  (db, t, given: Given<{ realmId: number; channelId: number; topicKey: string }>) => {
    const newest = newestOf(db, t, given);
    const isOnIt = and(
      eq(t.reactions.realmId, given.realmId),
      eq(t.reactions.messageId, newest.id),
    );
    // A cross join, so that the database searches the messages and not all reactions of the realm.
    return db
      .selectDistinct({ userId: t.reactions.userId })
      .from(newest)
      .crossJoin(t.reactions)
      .where(isOnIt);
  },
);

/**
 * Participants of a topic: people who have written in it, or reacted to a message in it. Two
 * statements.
 */
export async function listTopicParticipants(
  reader: Reader,
  realmId: number,
  channelId: number,
  topic: string,
): Promise<Set<number>> {
  const values = { realmId, channelId, topicKey: topicKey(topic) };
  const [senders, reacting] = await Promise.all([
    selectSenders(reader, values),
    selectReacting(reader, values),
  ]);
  return new Set([...senders, ...reacting].map(({ userId }) => userId));
}
