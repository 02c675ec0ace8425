import { and, eq, inArray, sql } from "drizzle-orm";
import { type Given, statement } from "../../../db/reader";
import { inChunks } from "../../core/chunks";
import type { OfPerson, Tx } from "../../core/context";
import { topicPolicies } from "../../protocol/topics";
import type { ChannelRow } from "../queries";
import { topicKey } from "../topics/empty-topic";
import { mutedTopicsChanged, userTopicChanged } from "./events";
import { findPolicy } from "./queries";
import { type Placed, readersOfAny } from "./readers";

/** A topic as written; the empty one is "". */
export interface TopicPlace {
  channelId: number;
  topic: string;
}

/**
 * Stores a user's policy for a topic, without a check of rights; answers whether it has changed.
 * Announces `user_topic` to them, and `muted_topics` when their muted topics change.
 */
export async function setVisibilityIn(
  tx: Tx,
  who: OfPerson,
  place: TopicPlace,
  policy: number,
): Promise<boolean> {
  const { realmId, userId } = who;
  const before = await findPolicy(tx, realmId, userId, place);
  if (before === policy) return false;
  if (policy === topicPolicies.inherit) await removeRow(tx, who, place);
  else await storeRow(tx, who, place, policy);
  await announceAll(tx, [userId], place, policy, new Map([[userId, before]]));
  return true;
}

interface StoredPolicy extends OfPerson {
  channelId: number;
  topicKey: string;
  topic: string;
  visibilityPolicy: number;
  updatedAt: number;
}

const storePolicy = statement((db, { userTopics: t }, given: Given<StoredPolicy>) =>
  db
    .insert(t)
    .values({
      realmId: given.realmId,
      userId: given.userId,
      channelId: given.channelId,
      topicKey: given.topicKey,
      topic: given.topic,
      visibilityPolicy: given.visibilityPolicy,
      updatedAt: given.updatedAt,
    })
    .onConflictDoUpdate({
      target: [t.realmId, t.userId, t.channelId, t.topicKey],
      set: {
        topic: sql`excluded.topic`,
        visibilityPolicy: sql`excluded.visibility_policy`,
        updatedAt: sql`excluded.updated_at`,
      },
    }),
);

async function storeRow(tx: Tx, who: OfPerson, { channelId, topic }: TopicPlace, policy: number) {
  await storePolicy(tx, {
    ...who,
    channelId,
    topicKey: topicKey(topic),
    topic,
    visibilityPolicy: policy,
    updatedAt: tx.now,
  });
}

async function removeRow(tx: Tx, { realmId, userId }: OfPerson, place: TopicPlace) {
  const { userTopics } = tx.t;
  const isIt = and(isOfTopic(tx, realmId, place), eq(userTopics.userId, userId));
  await tx.db.delete(userTopics).where(isIt);
}

/**
 * Deletes the policies for a topic that is gone, and announces it to each person. `messages` are
 * those that were deleted. Policies of people who could read none of these stay, because the event
 * would tell them of the deletion.
 */
export async function forgetTopicIn(
  tx: Tx,
  channel: ChannelRow,
  topic: string,
  messages: readonly Placed[],
) {
  await removeReadableIn(tx, channel, topic, messages);
}

/** Deletes policies of people who may read one of these messages of a topic, and answers them. */
export async function removeReadableIn(
  tx: Tx,
  channel: ChannelRow,
  topic: string,
  messages: readonly Placed[],
): Promise<Map<number, number>> {
  const { realmId, id: channelId } = channel;
  const place: TopicPlace = { channelId, topic };
  const removed = new Map<number, number>();
  const holders = [...(await policiesOf(tx, realmId, place)).keys()];
  for (const chunk of inChunks(await readersOfAny(tx, channel, messages, holders))) {
    const before = await deleteRows(tx, realmId, place, chunk);
    await announceAll(tx, chunk, place, topicPolicies.inherit, before);
    for (const [userId, policy] of before) removed.set(userId, policy);
  }
  return removed;
}

/** The policies for a topic, by user. */
export async function policiesOf(
  tx: Tx,
  realmId: number,
  place: TopicPlace,
): Promise<Map<number, number>> {
  const { userTopics } = tx.t;
  const rows = await tx.db
    .select({ userId: userTopics.userId, policy: userTopics.visibilityPolicy })
    .from(userTopics)
    .where(isOfTopic(tx, realmId, place));
  return new Map(rows.map(({ userId, policy }) => [userId, policy]));
}

const isOfTopic = ({ t: { userTopics } }: Tx, realmId: number, { channelId, topic }: TopicPlace) =>
  and(
    eq(userTopics.realmId, realmId),
    eq(userTopics.channelId, channelId),
    eq(userTopics.topicKey, topicKey(topic)),
  );

/**
 * Stores one policy for a topic for several users. Announced to each of them, even if unchanged.
 */
export async function setForAllIn(
  tx: Tx,
  realmId: number,
  userIds: number[],
  place: TopicPlace,
  policy: number,
) {
  for (const chunk of inChunks(userIds)) {
    const before = await deleteRows(tx, realmId, place, chunk);
    if (policy !== topicPolicies.inherit) {
      const values = {
        topic: place.topic,
        topicKey: topicKey(place.topic),
        visibilityPolicy: policy,
        updatedAt: tx.now,
      };
      const rows = chunk.map((userId) => ({
        realmId,
        userId,
        channelId: place.channelId,
        ...values,
      }));
      await tx.db.insert(tx.t.userTopics).values(rows);
    }
    await announceAll(tx, chunk, place, policy, before);
  }
}

/** Deletes the policies of these users for a topic; answers them. */
async function deleteRows(tx: Tx, realmId: number, place: TopicPlace, userIds: number[]) {
  const { userTopics } = tx.t;
  const rows = await tx.db
    .delete(userTopics)
    .where(and(isOfTopic(tx, realmId, place), inArray(userTopics.userId, userIds)))
    .returning({ userId: userTopics.userId, policy: userTopics.visibilityPolicy });
  return new Map(rows.map(({ userId, policy: before }) => [userId, before]));
}

/** `before`: the former policies, of people who had one. */
async function announceAll(
  tx: Tx,
  userIds: number[],
  place: TopicPlace,
  policy: number,
  before: ReadonlyMap<number, number>,
) {
  const changesMuted = (userId: number) =>
    policy === topicPolicies.muted || before.get(userId) === topicPolicies.muted;
  const [muting, others] = [
    userIds.filter(changesMuted),
    userIds.filter((userId) => !changesMuted(userId)),
  ];
  await announce(tx, muting, place, policy, true);
  await announce(tx, others, place, policy, false);
}

async function announce(
  tx: Tx,
  userIds: number[],
  { channelId, topic }: TopicPlace,
  policy: number,
  changesMuted: boolean,
) {
  if (userIds.length === 0) return;
  const changed = {
    stream_id: channelId,
    topic_name: topic,
    last_updated: tx.now,
    visibility_policy: policy,
  };
  await tx.emit({ to: "users", ids: userIds }, userTopicChanged(changed));
  if (changesMuted) await tx.emit({ to: "users", ids: userIds }, mutedTopicsChanged({}));
}
