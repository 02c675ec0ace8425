import type { Audience } from "../core/audience";
import type { RealmMoment, Tx } from "../core/context";
import { roles } from "../core/rights/role";
import { formOf } from "./archived-events";
import { viewersOf } from "./channel-visibility";
import type { ChannelRow } from "./queries";
import { subscriberIds } from "./subscribers";
import { peersAdded, type peersRemoved } from "./subscription-events";

/**
 * Announces that users have joined some channels, all of them each, or have left them. Events:
 * `subscription` peer_add or peer_remove, to other people who may know the channels. Members get
 * one event for several public channels, because they know them all; everybody else gets one for
 * each channel.
 */
export async function announcePeers(
  tx: Tx,
  moment: RealmMoment,
  channels: readonly ChannelRow[],
  userIds: number[],
  event: typeof peersAdded | typeof peersRemoved,
) {
  const open = channels.filter(({ inviteOnly, isArchived }) => !inviteOnly && !isArchived);
  const together = open.length > 1 ? open : [];
  if (together.length > 0) {
    const members: Audience = {
      to: "realm",
      except: userIds,
      roles: { from: 0, to: roles.member },
    };
    await tx.emit(members, event({ stream_ids: together.map(({ id }) => id), user_ids: userIds }));
  }
  for (const channel of channels) {
    const guests = together.includes(channel)
      ? { roles: { from: roles.guest, to: roles.guest } }
      : {};
    const viewers: Audience = {
      ...(await viewersOf(tx, moment, channel)),
      ...guests,
      except: userIds,
    };
    await tx.emit(
      viewers,
      event({ stream_ids: [channel.id], user_ids: userIds, ...formOf(channel) }),
    );
  }
}

/**
 * Announces the subscribers of a channel to people for whom it has just become visible. Event:
 * `subscription` peer_add.
 */
export async function announceSubscribers(tx: Tx, audience: Audience, channel: ChannelRow) {
  const user_ids = await subscriberIds(tx, channel.realmId, channel.id);
  if (user_ids.length > 0)
    await tx.emit(audience, peersAdded({ stream_ids: [channel.id], user_ids, ...formOf(channel) }));
}
