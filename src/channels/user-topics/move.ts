import type { Tx } from "../../core/context";
import { mayReadChannel } from "../../core/reading-right/predicate";
import { findUsersByIds } from "../../people/users/queries";
import { topicPolicies } from "../../protocol/topics";
import type { ChannelRow } from "../queries";
import { findSubscriptions } from "../subscribers";
import { topicKey } from "../topics/empty-topic";
import { type Placed, readersOfAny } from "./readers";
import { policiesOf, removeReadableIn, setForAllIn, type TopicPlace } from "./set";

/** Former topic of moved messages, and the places of these there. */
interface TopicSource {
  channel: ChannelRow;
  topic: string;
  moved: readonly Placed[];
}

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
 * topic changes, its policies are deleted. People who may read none of the moved messages keep
 * their policies and hear nothing, because the events tell both names. Source: recorded behaviour
 * of the reference server.
 */
export async function moveUserTopicsIn(
  tx: Tx,
  realmId: number,
  from: TopicSource,
  { channel, topic, hasMessages }: TopicTarget,
) {
  const into: TopicPlace = { channelId: channel.id, topic };
  const wanted = await removeReadableIn(tx, from.channel, from.topic, from.moved);
  const isHere = channel.id === from.channel.id;
  if (isHere && topicKey(topic) === topicKey(from.topic)) return;
  const policies = await policiesOf(tx, realmId, into);
  const concerned = [...new Set([...wanted.keys(), ...(hasMessages ? policies.keys() : [])])];
  const userIds = isHere
    ? await readersOfAny(tx, channel, from.moved, concerned)
    : await readersAmong(tx, realmId, channel, concerned);
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

/** Users among these who may read in a channel, and so messages that have just come there. */
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
