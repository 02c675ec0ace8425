import { and, eq } from "drizzle-orm";
import type { Reader } from "../../db/reader";
import { topicKey } from "../channels/topics/empty-topic";
import { visibility } from "../channels/user-topics/queries";
import { isAmong, type MessageRow } from "./queries";

type Placed = Pick<MessageRow, "channelId" | "topic">;

const keyOf = (channelId: number, topic: string) => `${channelId} ${topicKey(topic)}`;

/**
 * Makes a test for these messages: whether a user has muted neither a message's channel nor its
 * topic. Two queries for all.
 */
export async function unmutedAmong(
  reader: Reader,
  realmId: number,
  userId: number,
  messages: readonly Placed[],
): Promise<(message: Placed) => boolean> {
  const { subscriptions, userTopics } = reader.t;
  const channelIds = [...new Set(messages.flatMap(({ channelId }) => channelId ?? []))];
  if (channelIds.length === 0) return () => true;
  const muted = await reader.db
    .select({ channelId: subscriptions.channelId })
    .from(subscriptions)
    .where(
      and(
        eq(subscriptions.realmId, realmId),
        eq(subscriptions.userId, userId),
        eq(subscriptions.isMuted, true),
        isAmong(reader, subscriptions.channelId, channelIds),
      ),
    );
  const wanted = await reader.db
    .select({
      channelId: userTopics.channelId,
      topic: userTopics.topic,
      policy: userTopics.visibilityPolicy,
    })
    .from(userTopics)
    .where(
      and(
        eq(userTopics.realmId, realmId),
        eq(userTopics.userId, userId),
        isAmong(reader, userTopics.channelId, channelIds),
      ),
    );
  const mutedChannels = new Set(muted.map(({ channelId }) => channelId));
  const policies = new Map(
    wanted.map(({ channelId, topic, policy }) => [keyOf(channelId, topic), policy]),
  );
  return ({ channelId, topic }) => {
    if (channelId === null) return true;
    const policy = policies.get(keyOf(channelId, topic)) ?? visibility.inherit;
    return policy === visibility.inherit
      ? !mutedChannels.has(channelId)
      : policy !== visibility.muted;
  };
}
