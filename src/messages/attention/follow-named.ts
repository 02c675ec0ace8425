import type { Tx, UserRow } from "../../core/context";
import { parseUserSettings } from "../../settings/user-settings";
import { visibility } from "../../user-topics/queries";
import { setVisibilityIn, type TopicPlace } from "../../user-topics/set";

/**
 * Follows a topic for people whom a message there mentions by their names, if they want that; even one that they have muted.
 * Announces `user_topic` to each for whom that is new. Source: recorded behaviour of the reference server.
 */
export async function followNamed(
  tx: Tx,
  realmId: number,
  named: readonly UserRow[],
  place: TopicPlace,
): Promise<void> {
  for (const user of named) {
    if (user.botType !== null || !parseUserSettings(user.settings).automatically_follow_topics_where_mentioned)
      continue;
    await setVisibilityIn(tx, realmId, user.id, place, visibility.followed);
  }
}
