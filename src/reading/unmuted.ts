import { and, eq } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../db/reader";
import { isIn } from "../../db/sql/json";
import { topicKey } from "../channels/topics/empty-topic";
import { topicPolicies } from "../protocol/topics";
import type { MessageRow } from "./queries";

type Placed = Pick<MessageRow, "channelId" | "topic">;

const keyOf = (channelId: number, topic: string) => `${channelId} ${topicKey(topic)}`;

type InChannels = { realmId: number; userId: number; channelIds: string };

const selectMuted = statement((db, { subscriptions: s }, given: Given<InChannels>, dialect) =>
  db
    .select({ channelId: s.channelId })
    .from(s)
    .where(
      and(
        eq(s.realmId, given.realmId),
        eq(s.userId, given.userId),
        eq(s.isMuted, true),
        isIn(dialect, s.channelId, given.channelIds),
      ),
    ),
);

const selectPolicies = statement((db, { userTopics: u }, given: Given<InChannels>, dialect) =>
  db
    .select({ channelId: u.channelId, topic: u.topic, policy: u.visibilityPolicy })
    .from(u)
    .where(
      and(
        eq(u.realmId, given.realmId),
        eq(u.userId, given.userId),
        isIn(dialect, u.channelId, given.channelIds),
      ),
    ),
);

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
  const channelIds = [...new Set(messages.flatMap(({ channelId }) => channelId ?? []))];
  if (channelIds.length === 0) return () => true;
  const inChannels = { realmId, userId, channelIds: JSON.stringify(channelIds) };
  const muted = await selectMuted(reader, inChannels);
  const wanted = await selectPolicies(reader, inChannels);
  const mutedChannels = new Set(muted.map(({ channelId }) => channelId));
  const policies = new Map(
    wanted.map(({ channelId, topic, policy }) => [keyOf(channelId, topic), policy]),
  );
  return ({ channelId, topic }) => {
    if (channelId === null) return true;
    const policy = policies.get(keyOf(channelId, topic)) ?? topicPolicies.inherit;
    return policy === topicPolicies.inherit
      ? !mutedChannels.has(channelId)
      : policy !== topicPolicies.muted;
  };
}
