import { and, eq } from "drizzle-orm";
import type { Tx, UserRow } from "../../core/context";
import { parseStoredSettings } from "../../core/rights/group-setting";
import { userSettings } from "../../people/settings/user-settings";
import { topicPolicies } from "../../protocol/topics";
import { findPolicy } from "./queries";
import { setVisibilityIn, type TopicPlace } from "./set";

/**
 * Actions of somebody in a topic, the least first. Each action includes the lesser ones: beginning
 * a topic is also taking part.
 */
const participations = { participates: 1, sends: 2, initiates: 3 } as const;

type Participation = keyof typeof participations;

/**
 * The least action that makes a person follow a topic, and the least that makes them unmute it in a
 * muted channel.
 */
interface Wishes {
  followsFrom: number;
  unmutesFrom: number;
}

const {
  automatically_follow_topics_policy: follows,
  automatically_unmute_topics_in_muted_streams_policy: unmutes,
} = userSettings;
const standardWishes: Wishes = { followsFrom: follows.default, unmutesFrom: unmutes.default };

/**
 * Settings are stored only where they differ from their defaults, so no parsing is needed for
 * people who have not changed these.
 */
function wishesOf({ settings }: Pick<UserRow, "settings">): Wishes {
  if (!settings.includes('"automatically_')) return standardWishes;
  const chosen = parseStoredSettings(settings);
  const choose = ({ values, default: standard }: typeof follows | typeof unmutes, name: string) =>
    values.find((value) => value === chosen[name]) ?? standard;
  return {
    followsFrom: choose(follows, "automatically_follow_topics_policy"),
    unmutesFrom: choose(unmutes, "automatically_unmute_topics_in_muted_streams_policy"),
  };
}

/** Facts about a person and a topic in which they act. */
interface TopicStanding {
  /** Their policy for the topic: 0 where they have none. */
  policy: number;
  /** Whether they have muted the channel of the topic; false without a subscription. */
  isChannelMuted: boolean;
}

/**
 * Whether an action can change somebody's policy for a topic: a cheap check before their policy is
 * read.
 */
function mayWishFor(user: UserRow, participation: Participation): boolean {
  if (user.botType !== null) return false;
  const { followsFrom, unmutesFrom } = wishesOf(user);
  return (
    followsFrom <= participations[participation] || unmutesFrom <= participations[participation]
  );
}

/**
 * New policy for a topic after somebody's action, by their settings; undefined if it does not
 * change. It never shows less: a followed topic stays followed. A topic with a policy does not
 * count as begun by them. Source: recorded behaviour of the reference server;
 * `test/recorded/api/register.json`, automatically_follow_topics_policy.
 */
export function wishedPolicy(
  user: UserRow,
  participation: Participation,
  standing: TopicStanding,
): number | undefined {
  const { policy, isChannelMuted } = standing;
  if (user.botType !== null || policy === topicPolicies.followed) return undefined;
  const { followsFrom, unmutesFrom } = wishesOf(user);
  const done = Math.min(
    participations[participation],
    policy === topicPolicies.inherit ? participations.initiates : participations.sends,
  );
  if (followsFrom <= done) return topicPolicies.followed;
  return isChannelMuted && unmutesFrom <= done && policy !== topicPolicies.unmuted
    ? topicPolicies.unmuted
    : undefined;
}

/**
 * Follows or unmutes a topic for somebody who takes part in it without a message, if their settings
 * say so.
 */
export async function followParticipant(tx: Tx, realmId: number, user: UserRow, place: TopicPlace) {
  if (!mayWishFor(user, "participates")) return;
  const policy = await findPolicy(tx, realmId, user.id, place);
  const isChannelMuted = await isMuted(tx, realmId, user.id, place.channelId);
  const wished = wishedPolicy(user, "participates", { policy, isChannelMuted });
  if (wished !== undefined) await setVisibilityIn(tx, { realmId, userId: user.id }, place, wished);
}

/** Whether somebody is subscribed to a channel and has muted it. */
async function isMuted(
  tx: Tx,
  realmId: number,
  userId: number,
  channelId: number,
): Promise<boolean> {
  const { subscriptions } = tx.t;
  const [row] = await tx.db
    .select({ isMuted: subscriptions.isMuted })
    .from(subscriptions)
    .where(
      and(
        eq(subscriptions.realmId, realmId),
        eq(subscriptions.userId, userId),
        eq(subscriptions.channelId, channelId),
        eq(subscriptions.isActive, true),
      ),
    );
  return row?.isMuted ?? false;
}
