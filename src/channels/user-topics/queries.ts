import { and, asc, eq } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../../db/reader";
import type { Schema } from "../../../db/schema";
import { isIn } from "../../../db/sql/json";
import { topicPolicies } from "../../protocol/topics";
import { loadRealm } from "../../realm/queries";
import { filterKnown } from "../channel-visibility";
import { shownTopic } from "../topics/empty-topic";

export type UserTopicRow = Schema["userTopics"]["$inferSelect"];

/**
 * A topic of a channel; `topicKey` is its name in lower case. Direct messages have no channel, and
 * so no followers.
 */
interface TopicPlace {
  realmId: number;
  channelId: number | null;
  topicKey: string;
}

const selectPolicy = statement((db, t, given: Given<TopicPlace & { userId: number }>) =>
  db
    .select({ policy: t.userTopics.visibilityPolicy })
    .from(t.userTopics)
    .where(
      and(
        eq(t.userTopics.realmId, given.realmId),
        eq(t.userTopics.userId, given.userId),
        eq(t.userTopics.channelId, given.channelId),
        eq(t.userTopics.topicKey, given.topicKey),
      ),
    ),
);

/** Policy of somebody for a topic: 0 where there is none. */
export async function findPolicy(
  reader: Reader,
  realmId: number,
  userId: number,
  { channelId, topic }: { channelId: number; topic: string },
): Promise<number> {
  const [row] = await selectPolicy(reader, {
    realmId,
    userId,
    channelId,
    topicKey: topic.toLowerCase(),
  });
  return row?.policy ?? topicPolicies.inherit;
}

/** Users who follow a topic. */
export const selectFollowers = statement((db, { userTopics: u }, given: Given<TopicPlace>) =>
  db
    .select({ userId: u.userId })
    .from(u)
    .where(
      and(
        eq(u.realmId, given.realmId),
        eq(u.channelId, given.channelId),
        eq(u.topicKey, given.topicKey),
        eq(u.visibilityPolicy, topicPolicies.followed),
      ),
    ),
);

const selectFollowersAmong = statement(
  (db, { userTopics: u }, given: Given<TopicPlace & { ids: string }>, dialect) =>
    db
      .select({ userId: u.userId })
      .from(u)
      .where(
        and(
          eq(u.realmId, given.realmId),
          isIn(dialect, u.userId, given.ids),
          eq(u.channelId, given.channelId),
          eq(u.topicKey, given.topicKey),
          eq(u.visibilityPolicy, topicPolicies.followed),
        ),
      ),
);

/** Followers of a topic among some users. */
export async function followersAmong(
  reader: Reader,
  realmId: number,
  userIds: readonly number[],
  { channelId, topic }: { channelId: number; topic: string },
): Promise<Set<number>> {
  const place = { realmId, channelId, topicKey: topic.toLowerCase() };
  const rows = await selectFollowersAmong(reader, { ...place, ids: JSON.stringify(userIds) });
  return new Set(rows.map(({ userId }) => userId));
}

const selectAll = statement(
  (db, { userTopics }, given: Given<{ realmId: number; userId: number }>) =>
    db
      .select()
      .from(userTopics)
      .where(and(eq(userTopics.realmId, given.realmId), eq(userTopics.userId, given.userId)))
      .orderBy(asc(userTopics.channelId), asc(userTopics.topicKey)),
);

/** All of somebody's policies for topics, by channel and topic. */
export async function listUserTopics(
  reader: Reader,
  realmId: number,
  userId: number,
): Promise<UserTopicRow[]> {
  return selectAll(reader, { realmId, userId });
}

export type MutedTopic = [channelName: string, topic: string, mutedAt: number];

const selectMuted = statement(
  (
    db,
    { userTopics: u, channels, users, subscriptions },
    given: Given<{ realmId: number; userId: number }>,
  ) =>
    db
      .select({
        channel: channels,
        topic: u.topic,
        updatedAt: u.updatedAt,
        user: users,
        isSubscribed: subscriptions.isActive,
      })
      .from(u)
      .innerJoin(channels, and(eq(channels.realmId, u.realmId), eq(channels.id, u.channelId)))
      .innerJoin(users, and(eq(users.realmId, u.realmId), eq(users.id, u.userId)))
      .leftJoin(
        subscriptions,
        and(
          eq(subscriptions.realmId, u.realmId),
          eq(subscriptions.userId, u.userId),
          eq(subscriptions.channelId, u.channelId),
        ),
      )
      .where(
        and(
          eq(u.realmId, given.realmId),
          eq(u.userId, given.userId),
          eq(u.visibilityPolicy, topicPolicies.muted),
        ),
      )
      .orderBy(asc(u.channelId), asc(u.topicKey)),
);

/**
 * The topics that somebody has muted, for clients that know only muting. Without those of channels
 * that they may not know any more, because each comes with the channel's present name (A2). `now`
 * in UNIX seconds; without `emptyTopicName` the empty topic has the name of `shownTopic`.
 */
export async function listMutedTopics(
  reader: Reader,
  realmId: number,
  userId: number,
  { now, emptyTopicName }: { now: number; emptyTopicName: boolean },
): Promise<MutedTopic[]> {
  const rows = await selectMuted(reader, { realmId, userId });
  const [first] = rows;
  if (!first) return [];
  const moment = { realm: await loadRealm(reader, realmId), now };
  const standings = rows.map((row) => ({ ...row, isSubscribed: row.isSubscribed === true }));
  const shown = await filterKnown(reader, moment, first.user, standings);
  return shown.map(({ channel, topic, updatedAt }) => [
    channel.name,
    shownTopic(topic, emptyTopicName),
    updatedAt,
  ]);
}
