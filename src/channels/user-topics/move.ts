import { and, eq } from "drizzle-orm";
import type { Tx } from "../../core/context";
import { mayReadChannel } from "../../core/reading-right/predicate";
import { findUsersByIds } from "../../people/users/queries";
import { topicPolicies } from "../../protocol/topics";
import type { ChannelRow } from "../queries";
import { findSubscriptions } from "../subscribers";
import { topicKey } from "../topics/empty-topic";
import { removeAllIn, setForAllIn, type TopicPlace } from "./set";

/** New topic of moved messages: `hasMessages` if it existed before. */
export interface TopicTarget {
  channel: ChannelRow;
  topic: string;
  hasMessages: boolean;
}

/** Policies, from the one that shows least to the one that shows most. */
const byVisibility: number[] = [
  topicPolicies.muted,
  topicPolicies.inherit,
  topicPolicies.unmuted,
  topicPolicies.followed,
];

const mostVisible = (one: number, other: number) =>
  byVisibility.indexOf(one) > byVisibility.indexOf(other) ? one : other;

/**
 * Moves people's policies to the topic that a whole topic has moved to; people who may not read
 * there lose theirs. If the target existed, the policy that shows more is kept. Announces
 * `user_topic` for both places, to each person whose policy changes. If only the spelling of the
 * topic changes, its policies are deleted. Source: recorded behaviour of the reference server.
 */
export async function moveUserTopicsIn(
  tx: Tx,
  realmId: number,
  from: TopicPlace,
  { channel, topic, hasMessages }: TopicTarget,
) {
  const into: TopicPlace = { channelId: channel.id, topic };
  const wanted = await removeAllIn(tx, realmId, from);
  if (into.channelId === from.channelId && topicKey(topic) === topicKey(from.topic)) return;
  const readers = await readersAmong(tx, realmId, channel, [...wanted.keys()]);
  const policies = await policiesOf(tx, realmId, into);
  const userIds = hasMessages ? [...new Set([...readers, ...policies.keys()])] : readers;
  const changes = userIds.flatMap((userId) => {
    const [ownPolicy, presentPolicy] = [
      wanted.get(userId) ?? topicPolicies.inherit,
      policies.get(userId) ?? topicPolicies.inherit,
    ];
    const policy = hasMessages ? mostVisible(ownPolicy, presentPolicy) : ownPolicy;
    return policy === presentPolicy ? [] : [{ userId, policy }];
  });
  for (const [policy, group] of Map.groupBy(changes, (change) => change.policy)) {
    await setForAllIn(
      tx,
      realmId,
      group.map(({ userId }) => userId),
      into,
      policy,
    );
  }
}

async function policiesOf(
  tx: Tx,
  realmId: number,
  { channelId, topic }: TopicPlace,
): Promise<Map<number, number>> {
  const { userTopics } = tx.t;
  const rows = await tx.db
    .select({ userId: userTopics.userId, policy: userTopics.visibilityPolicy })
    .from(userTopics)
    .where(
      and(
        eq(userTopics.realmId, realmId),
        eq(userTopics.channelId, channelId),
        eq(userTopics.topicKey, topicKey(topic)),
      ),
    );
  return new Map(rows.map(({ userId, policy }) => [userId, policy]));
}

async function readersAmong(
  tx: Tx,
  realmId: number,
  channel: ChannelRow,
  userIds: number[],
): Promise<number[]> {
  if (userIds.length === 0) return [];
  const subscriptions = await findSubscriptions(tx, realmId, [channel.id], userIds);
  const isIn = new Set(subscriptions.flatMap(({ userId, isActive }) => (isActive ? [userId] : [])));
  const users = await findUsersByIds(tx, realmId, userIds);
  return users
    .filter(({ id, role }) => mayReadChannel(role, channel, isIn.has(id)))
    .map(({ id }) => id);
}
