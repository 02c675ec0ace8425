import { followersAmong } from "../../channels/user-topics/queries";
import { setForAllIn, type TopicPlace } from "../../channels/user-topics/set";
import type { Tx, UserRow } from "../../core/context";
import { parseUserSettings } from "../../people/settings/user-settings";
import { topicPolicies } from "../../protocol/topics";

/**
 * Follows a topic for people whom a message there mentions by name or through a group, if their
 * settings say so, even if they have muted it. Announces `user_topic` to each for whom it changes.
 * Source: recorded behaviour of the reference server (`docs/protocol/recorded.md`, 4).
 */
export async function followMentioned(
  tx: Tx,
  realmId: number,
  mentioned: readonly UserRow[],
  place: TopicPlace,
): Promise<void> {
  const wanting = mentioned.filter(wantsToFollow).map(({ id }) => id);
  if (wanting.length === 0) return;
  const following = await followersAmong(tx, realmId, wanting, place);
  const userIds = wanting.filter((userId) => !following.has(userId));
  await setForAllIn(tx, realmId, userIds, place, topicPolicies.followed);
}

const wantsToFollow = ({ botType, settings }: UserRow): boolean =>
  botType === null && parseUserSettings(settings).automatically_follow_topics_where_mentioned;
