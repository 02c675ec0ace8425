import type { StateLoader } from "../core/state";
import { describeChannels } from "./describe";
import { defaultChannelIds, isGuest, listStandings, mayKnowChannel, subscriberCounts } from "./queries";

/**
 * The channels that the user may know. `stream` create and delete events add and take away, update changes one property;
 * `subscriber_count` follows the `peer_add` and `peer_remove` events of the subscriptions.
 */
export const channelsState: StateLoader = {
  fetchTypes: ["stream"],
  async load({ realm, actor }, reader) {
    const { id: userId, role } = actor.user;
    const standings = await listStandings(reader, realm.id, userId);
    const visible = standings.filter(
      ({ channel, isSubscribed }) => !channel.isArchived && mayKnowChannel(role, channel, isSubscribed),
    );
    const counts = await subscriberCounts(reader, realm.id);
    const channels = visible.map(({ channel }) => channel);
    return { streams: await describeChannels(reader, realm.id, channels, counts) };
  },
};

/** The channels that new members are subscribed to; a `default_streams` event replaces the list. Guests see none. */
export const defaultChannelsState: StateLoader = {
  fetchTypes: ["default_streams"],
  async load({ realm, actor }, reader) {
    const ids = isGuest(actor.user.role) ? [] : await defaultChannelIds(reader, realm.id);
    return { realm_default_streams: ids };
  },
};
