import { Type } from "@sinclair/typebox";
import { isGuest } from "../core/rights/role";
import type { StateLoader } from "../core/state";
import { filterKnown } from "./channel-visibility";
import { defaultChannelIds, listStandings } from "./queries";
import { channelTexts } from "./texts";
import { channelObject } from "./wire";

/**
 * The channels that the user may know. `stream` create and delete events add and remove channels,
 * update changes one property; `subscriber_count` follows the `peer_add` and `peer_remove` events
 * of the subscriptions.
 */
export const channelsState = {
  fetchTypes: ["stream"],
  keys: { streams: Type.Array(channelObject) },
  async load(ctx, reader, options) {
    const { realm, actor } = ctx;
    const standings = await listStandings(reader, realm.id, actor.user.id);
    const shown = standings.filter(
      ({ channel }) => !channel.isArchived || options.archivedChannels,
    );
    const visible = await filterKnown(reader, ctx, actor.user, shown);
    return {
      streams: await channelTexts(
        reader,
        realm.id,
        visible.map(({ channel }) => channel),
      ),
    };
  },
} satisfies StateLoader;

/**
 * The default channels of new members; a `default_streams` event replaces the list. Guests see
 * none.
 */
export const defaultChannelsState = {
  fetchTypes: ["default_streams"],
  keys: { realm_default_streams: Type.Array(Type.Integer()) },
  async load({ realm, actor }, reader) {
    const ids = isGuest(actor.user.role) ? [] : await defaultChannelIds(reader, realm.id);
    return { realm_default_streams: ids };
  },
} satisfies StateLoader;
