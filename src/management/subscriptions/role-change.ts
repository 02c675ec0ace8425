import { formOf } from "../../channels/archived-events";
import { filterKnown } from "../../channels/channel-visibility";
import { announceDefaultGroupsTo } from "../../channels/default-channel-groups/announce";
import { announceDefaultsTo } from "../../channels/default-channels";
import { describeChannels, hideChannels, showChannels } from "../../channels/describe";
import { listStandings } from "../../channels/queries";
import { subscribersByChannel } from "../../channels/subscribers";
import { peersAdded } from "../../channels/subscription-events";
import type { Audience } from "../../core/audience";
import type { Tx, UserRow } from "../../core/context";
import { isGuest } from "../../core/rights/role";
import { endQueuesOf } from "../../events/queues";
import { loadRealm } from "../../realm/queries";

/**
 * Number of channels up to which they appear as events, because each comes with the ids of its
 * subscribers. If there are more, the user's queues end instead, and their clients register again.
 */
const gainedMax = 1_000;

/**
 * Announces the channels that become visible or invisible to somebody whose role has changed.
 * Events, to that user: `stream` create and `subscription` peer_add with the subscribers, `stream`
 * delete, and `default_streams` and `default_stream_groups` when a guest becomes a member or the
 * other way round. If very many become visible, the user's queues end instead.
 */
export async function announceVisibleChannels(tx: Tx, before: UserRow, after: UserRow) {
  const { realmId, id: userId } = after;
  const moment = { realm: await loadRealm(tx, realmId), now: tx.now };
  const audience: Audience = { to: "users", ids: [userId] };
  const standings = await listStandings(tx, realmId, userId);
  const knownTo = async (user: UserRow) =>
    (await filterKnown(tx, moment, user, standings)).map(({ channel }) => channel);
  const [channelsBefore, channelsAfter] = [await knownTo(before), await knownTo(after)];
  const gained = channelsAfter.filter((channel) => !channelsBefore.includes(channel));
  const lost = channelsBefore.filter((channel) => !channelsAfter.includes(channel));
  if (gained.length > gainedMax) return endQueuesOf(tx, realmId, [userId]);
  await showChannels(tx, audience, await describeChannels(tx, realmId, gained));
  const gainedIds = gained.map(({ id }) => id);
  const subscribers = await subscribersByChannel(tx, realmId, gainedIds);
  for (const channel of gained) {
    const userIds = subscribers.get(channel.id) ?? [];
    const event = peersAdded({ stream_ids: [channel.id], user_ids: userIds, ...formOf(channel) });
    if (userIds.length > 0) await tx.emit(audience, event);
  }
  await hideChannels(tx, audience, lost);
  if (isGuest(before.role) === isGuest(after.role)) return;
  await announceDefaultsTo(tx, realmId, userId, after.role);
  await announceDefaultGroupsTo(tx, realmId, userId, after.role);
}
