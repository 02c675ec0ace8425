import type { Audience } from "../core/audience";
import { inChunks } from "../core/chunks";
import type { RealmMoment, Tx, UserRow } from "../core/context";
import { roles } from "../core/rights/role";
import { listGroupsWithin } from "../people/user-groups/queries";
import { findUsersByIds, listUsers } from "../people/users/queries";
import { describeChannels, hideChannels, showChannels } from "./describe";
import { grantedViewersOfEach, viewerGroupIds } from "./granted-viewers";
import { announceSubscribers } from "./peers";
import { type ChannelRow, listChannels } from "./queries";
import { subscriberIds } from "./subscribers";

/** People who know of a private channel by its permissions. */
export interface Granted {
  before: ReadonlySet<number>;
  after: ReadonlySet<number>;
}

/**
 * Announces a channel to people for whom it becomes visible, by its change or by `granted`, and its
 * removal to people for whom it becomes invisible: see `announceChanges`.
 */
export async function announceVisibilityOf(
  tx: Tx,
  before: ChannelRow,
  after: ChannelRow,
  granted: Granted,
) {
  const isWebPublic = before.isWebPublic || after.isWebPublic;
  const outsiders = (userIds: ReadonlySet<number>): Audience => ({
    to: "channelOutsiders",
    channelId: after.id,
    also: [...userIds],
    ...(isWebPublic ? { isWebPublic } : {}),
  });
  if (before.inviteOnly && !after.inviteOnly)
    return announceGained(tx, after, outsiders(granted.before));
  if (!before.inviteOnly && after.inviteOnly)
    return hideChannels(tx, outsiders(granted.after), [after]);
  if (!after.inviteOnly) return announceToGuests(tx, before, after);
  const gained = await outsidersAmong(tx, after, granted.after.difference(granted.before));
  const lost = await outsidersAmong(tx, after, granted.before.difference(granted.after));
  if (gained.length > 0) await announceGained(tx, after, { to: "users", ids: gained });
  if (lost.length > 0) await hideChannels(tx, { to: "users", ids: lost }, [after]);
}

/** Guests see a public channel without a subscription only while it is web-public. */
async function announceToGuests(tx: Tx, before: ChannelRow, after: ChannelRow) {
  if (before.isWebPublic === after.isWebPublic) return;
  const roleRange = { from: roles.guest, to: roles.guest };
  const guests: Audience = {
    to: "channelOutsiders",
    channelId: after.id,
    isWebPublic: true,
    roles: roleRange,
  };
  if (after.isWebPublic) await announceGained(tx, after, guests);
  else await hideChannels(tx, guests, [after]);
}

async function announceGained(tx: Tx, channel: ChannelRow, audience: Audience) {
  await showChannels(tx, audience, await describeChannels(tx, channel.realmId, [channel]));
  await announceSubscribers(tx, audience, channel);
}

/**
 * Users among these who know of a private channel neither by their role nor by a subscription;
 * never guests.
 */
async function outsidersAmong(
  tx: Tx,
  channel: ChannelRow,
  ids: ReadonlySet<number>,
): Promise<number[]> {
  if (ids.size === 0) return [];
  const subscribed = new Set(await subscriberIds(tx, channel.realmId, channel.id));
  const outsiders: number[] = [];
  for (const chunk of inChunks([...ids])) {
    const users = await findUsersByIds(tx, channel.realmId, chunk);
    const isOutside = ({ id, role }: { id: number; role: number }) =>
      role > roles.administrator && role < roles.guest && !subscribed.has(id);
    outsiders.push(...users.filter(isOutside).map(({ id }) => id));
  }
  return outsiders;
}

/**
 * A group that is about to change, and the changed users; `userIds` is left out where groups
 * change.
 */
interface ChangingGroup {
  groupId: number;
  userIds?: readonly number[];
}

/**
 * Changes the members of a group, and announces private channels that become visible or invisible
 * to people because they are in the group or in one that contains it. Events: `stream` create and
 * `subscription` peer_add, to people for whom a channel becomes visible; `stream` delete, to people
 * for whom it becomes invisible.
 */
export async function changeWithVisibility(
  tx: Tx,
  moment: RealmMoment,
  { groupId, userIds }: ChangingGroup,
  change: () => Promise<void>,
): Promise<void> {
  const { id: realmId } = moment.realm;
  const channels = await listChannelsKnownBy(tx, realmId, groupId);
  if (channels.length === 0) return change();
  const users = userIds ? await findUsersByIds(tx, realmId, userIds) : await listUsers(tx, realmId);
  const viewersBefore = await grantedViewersOfEach(tx, moment, channels, users);
  await change();
  const viewersAfter = await grantedViewersOfEach(tx, moment, channels, users);
  await announceVisibilityOfEach(tx, channels, viewersBefore, viewersAfter);
}

/**
 * The private channels that members of a group know, directly or because another group contains it.
 */
async function listChannelsKnownBy(
  tx: Tx,
  realmId: number,
  groupId: number,
): Promise<ChannelRow[]> {
  const channels = (await listChannels(tx, realmId)).filter(
    (channel) => viewerGroupIds(channel).length > 0,
  );
  const containing = new Set<number>();
  for (const id of new Set(channels.flatMap(viewerGroupIds))) {
    const within = await listGroupsWithin(tx, realmId, { id });
    if (within.some((group) => group.id === groupId)) containing.add(id);
  }
  return channels.filter((channel) => viewerGroupIds(channel).some((id) => containing.has(id)));
}

/**
 * Announces private channels that become visible or invisible to people because they become full
 * members, or no longer are: by the time, or by another waiting period. Events: as of
 * `changeWithVisibility`.
 */
export async function announceVisibilityBetween(
  tx: Tx,
  before: RealmMoment,
  after: RealmMoment,
  users: readonly UserRow[],
) {
  const channels = (await listChannels(tx, after.realm.id)).filter(({ inviteOnly }) => inviteOnly);
  const viewersBefore = await grantedViewersOfEach(tx, before, channels, users);
  const viewersAfter = await grantedViewersOfEach(tx, after, channels, users);
  await announceVisibilityOfEach(tx, channels, viewersBefore, viewersAfter);
}

async function announceVisibilityOfEach(
  tx: Tx,
  channels: readonly ChannelRow[],
  viewersBefore: readonly ReadonlySet<number>[],
  viewersAfter: readonly ReadonlySet<number>[],
) {
  for (const [index, channel] of channels.entries()) {
    const [before = new Set<number>(), after = new Set<number>()] = [
      viewersBefore[index],
      viewersAfter[index],
    ];
    await announceVisibilityOf(tx, channel, channel, { before, after });
  }
}
