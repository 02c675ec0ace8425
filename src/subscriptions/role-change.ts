import { announceDefaultsTo } from "../channels/default-channels";
import { describeChannels, hideChannels, showChannels } from "../channels/describe";
import { isGuest, listStandings, mayKnowChannel } from "../channels/queries";
import type { Tx, UserRow } from "../core/context";
import { peersAdded } from "./events";
import { subscribersByChannel } from "./queries";

/**
 * Announces to somebody whose role changed which channels come into their sight with it, and which go out of it. Events, to
 * that user: `stream` create and `subscription` peer_add with who is in them, `stream` delete, and `default_streams` when a
 * guest becomes a member or the other way round.
 */
export async function announceSight(tx: Tx, before: UserRow, after: UserRow) {
  const { realmId, id: userId } = after;
  const standings = (await listStandings(tx, realmId, userId)).filter(({ channel }) => !channel.isArchived);
  const knownTo = (role: number) =>
    standings
      .filter(({ channel, isSubscribed }) => mayKnowChannel(role, channel, isSubscribed))
      .map(({ channel }) => channel);
  const [known, knows] = [knownTo(before.role), knownTo(after.role)];
  const gained = knows.filter((channel) => !known.includes(channel));
  const lost = known.filter((channel) => !knows.includes(channel));
  if (gained.length > 0) await showChannels(tx, await describeChannels(tx, realmId, gained), [userId]);
  const gainedIds = gained.map(({ id }) => id);
  for (const [channelId, userIds] of await subscribersByChannel(tx, realmId, gainedIds)) {
    await tx.emit({ to: "users", ids: [userId] }, peersAdded({ stream_ids: [channelId], user_ids: userIds }));
  }
  const lostIds = lost.map(({ id }) => id);
  if (lost.length > 0) await hideChannels(tx, lostIds, [userId]);
  if (isGuest(before.role) !== isGuest(after.role)) await announceDefaultsTo(tx, realmId, userId, after.role);
}

/**
 * Announces in which channels a reactivated user is: clients took them out of all when they were deactivated. Events:
 * `subscription` peer_add of each channel, to those who may know it.
 */
export async function announceReturn(tx: Tx, { realmId, id: userId }: UserRow) {
  const standings = await listStandings(tx, realmId, userId);
  for (const { channel } of standings.filter(({ channel, isSubscribed }) => isSubscribed && !channel.isArchived)) {
    const viewers = { to: "channelViewers", channelId: channel.id, isPrivate: channel.inviteOnly } as const;
    await tx.emit({ ...viewers, except: [userId] }, peersAdded({ stream_ids: [channel.id], user_ids: [userId] }));
  }
}
