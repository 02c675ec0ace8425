import { formOf } from "../channels/archived-events";
import { announceDefaultsTo } from "../channels/default-channels";
import { describeChannels, hideChannels, showChannels } from "../channels/describe";
import { type ChannelRow, isGuest, listStandings } from "../channels/queries";
import { filterKnown } from "../channels/sight";
import type { Audience } from "../core/audience";
import type { RealmMoment, Tx, UserRow } from "../core/context";
import { loadRealm } from "../realm/queries";
import { peersAdded, peersRemoved } from "./events";
import { announcePeers } from "./peers";
import { subscribersByChannel } from "./queries";

/**
 * Announces to somebody whose role changed which channels come into their sight with it, and which go out of it. Events, to
 * that user: `stream` create and `subscription` peer_add with who is in them, `stream` delete, and `default_streams` when a
 * guest becomes a member or the other way round.
 */
export async function announceSight(tx: Tx, before: UserRow, after: UserRow) {
  const { realmId, id: userId } = after;
  const moment = await momentOf(tx, realmId);
  const audience: Audience = { to: "users", ids: [userId] };
  const standings = await listStandings(tx, realmId, userId);
  const knownTo = async (user: UserRow) =>
    (await filterKnown(tx, moment, user, standings)).map(({ channel }) => channel);
  const [known, knows] = [await knownTo(before), await knownTo(after)];
  const gained = knows.filter((channel) => !known.includes(channel));
  const lost = known.filter((channel) => !knows.includes(channel));
  await showChannels(tx, audience, await describeChannels(tx, realmId, gained));
  const gainedIds = gained.map(({ id }) => id);
  const subscribers = await subscribersByChannel(tx, realmId, gainedIds);
  for (const channel of gained) {
    const userIds = subscribers.get(channel.id) ?? [];
    const event = peersAdded({ stream_ids: [channel.id], user_ids: userIds, ...formOf(channel) });
    if (userIds.length > 0) await tx.emit(audience, event);
  }
  await hideChannels(tx, audience, lost);
  if (isGuest(before.role) !== isGuest(after.role)) await announceDefaultsTo(tx, realmId, userId, after.role);
}

const momentOf = async (tx: Tx, realmId: number): Promise<RealmMoment> => ({
  realm: await loadRealm(tx, realmId),
  now: tx.now,
});

/** Announces that a deactivated user is in no channel any more. Events: `subscription` peer_remove, to those who may know. */
export async function announceDeparture(tx: Tx, user: UserRow) {
  await announcePeers(tx, await momentOf(tx, user.realmId), await listJoined(tx, user), [user.id], peersRemoved);
}

/**
 * Announces in which channels a reactivated user is: clients took them out of all when they were deactivated. Events:
 * `subscription` peer_add, to those who may know the channels.
 */
export async function announceReturn(tx: Tx, user: UserRow) {
  await announcePeers(tx, await momentOf(tx, user.realmId), await listJoined(tx, user), [user.id], peersAdded);
}

async function listJoined(tx: Tx, { realmId, id }: UserRow): Promise<ChannelRow[]> {
  const standings = await listStandings(tx, realmId, id);
  return standings.filter(({ isSubscribed }) => isSubscribed).map(({ channel }) => channel);
}
