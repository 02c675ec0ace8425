import { announcePeers } from "../../channels/peers";
import { type ChannelRow, listStandings } from "../../channels/queries";
import { peersAdded, peersRemoved } from "../../channels/subscription-events";
import type { RealmMoment, Tx, UserRow } from "../../core/context";
import { loadRealm } from "../../realm/queries";

/**
 * Announces the end of a deactivated user's subscriptions. Events: `subscription` peer_remove, to
 * people who may know the channels.
 */
export async function announceDeparture(tx: Tx, user: UserRow) {
  await announcePeers(
    tx,
    await momentOf(tx, user.realmId),
    await listJoined(tx, user),
    [user.id],
    peersRemoved,
  );
}

/**
 * Announces the channels of a reactivated user, because clients removed the user from all channels
 * on deactivation. Events: `subscription` peer_add, to people who may know the channels.
 */
export async function announceReturn(tx: Tx, user: UserRow) {
  await announcePeers(
    tx,
    await momentOf(tx, user.realmId),
    await listJoined(tx, user),
    [user.id],
    peersAdded,
  );
}

async function listJoined(tx: Tx, { realmId, id }: UserRow): Promise<ChannelRow[]> {
  const standings = await listStandings(tx, realmId, id);
  return standings.filter(({ isSubscribed }) => isSubscribed).map(({ channel }) => channel);
}

const momentOf = async (tx: Tx, realmId: number): Promise<RealmMoment> => ({
  realm: await loadRealm(tx, realmId),
  now: tx.now,
});
