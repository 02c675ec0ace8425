import { and, eq, inArray, sql } from "drizzle-orm";
import { type Given, statement } from "../../../db/reader";
import { inChunks } from "../../core/chunks";
import type { Tx } from "../../core/context";
import { topicPolicies } from "../../protocol/topics";
import { topicKey } from "../topics/empty-topic";
import { mutedTopicsChanged, userTopicChanged } from "./events";
import { findPolicy } from "./queries";

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
  realmId: number,
  userId: number,
  place: TopicPlace,
  policy: number,
): Promise<boolean> {
  const before = await findPolicy(tx, realmId, userId, place);
  if (before === policy) return false;
  if (policy === topicPolicies.inherit) await removeRow(tx, realmId, userId, place);
  else await storeRow(tx, realmId, userId, place, policy);
  await announce(
    tx,
    [userId],
    place,
    policy,
    before === topicPolicies.muted || policy === topicPolicies.muted,
  );
  return true;
}

interface StoredPolicy {
  realmId: number;
  userId: number;
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

async function storeRow(
  tx: Tx,
  realmId: number,
  userId: number,
  { channelId, topic }: TopicPlace,
  policy: number,
) {
  await storePolicy(tx, {
    realmId,
    userId,
    channelId,
    topicKey: topicKey(topic),
    topic,
    visibilityPolicy: policy,
    updatedAt: tx.now,
  });
}

async function removeRow(
  tx: Tx,
  realmId: number,
  userId: number,
  { channelId, topic }: TopicPlace,
) {
  const { userTopics } = tx.t;
  const isIt = and(
    eq(userTopics.realmId, realmId),
    eq(userTopics.userId, userId),
    eq(userTopics.channelId, channelId),
    eq(userTopics.topicKey, topicKey(topic)),
  );
  await tx.db.delete(userTopics).where(isIt);
}

/** Deletes everybody's policy for a topic that is gone, and announces it to each of them. */
export async function forgetTopicIn(tx: Tx, realmId: number, place: TopicPlace) {
  await removeAllIn(tx, realmId, place);
}

/** Deletes all policies for a topic, and answers them. */
export async function removeAllIn(
  tx: Tx,
  realmId: number,
  place: TopicPlace,
): Promise<Map<number, number>> {
  const wanted = await deleteRows(tx, realmId, place, undefined);
  await announceAll(tx, [...wanted.keys()], place, topicPolicies.inherit, wanted);
  return wanted;
}

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

/** Deletes the policies of these users for a topic, or of everybody; answers them. */
async function deleteRows(
  tx: Tx,
  realmId: number,
  { channelId, topic }: TopicPlace,
  userIds: number[] | undefined,
) {
  const { userTopics } = tx.t;
  const rows = await tx.db
    .delete(userTopics)
    .where(
      and(
        eq(userTopics.realmId, realmId),
        eq(userTopics.channelId, channelId),
        eq(userTopics.topicKey, topicKey(topic)),
        userIds && inArray(userTopics.userId, userIds),
      ),
    )
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
