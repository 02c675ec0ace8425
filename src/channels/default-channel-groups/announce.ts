import { and, eq } from "drizzle-orm";
import type { Tx } from "../../core/context";
import { roles } from "../../core/rights/role";
import { defaultGroupsChanged } from "./events";
import { listDefaultGroups } from "./queries";
import { defaultGroupWire } from "./wire";

const groupsWire = async (tx: Tx, realmId: number) =>
  (await listDefaultGroups(tx, realmId)).map(defaultGroupWire);

/** Announces `default_stream_groups` to all but guests. */
export async function announceDefaultGroups(tx: Tx, realmId: number) {
  const members = { from: 0, to: roles.member };
  const event = defaultGroupsChanged({ default_stream_groups: await groupsWire(tx, realmId) });
  await tx.emit({ to: "realm", roles: members }, event);
}

/**
 * Announces to somebody whose role has changed the groups that they see from now on: guests see
 * none. Without groups there is nothing to announce.
 */
export async function announceDefaultGroupsTo(
  tx: Tx,
  realmId: number,
  userId: number,
  role: number,
) {
  const groups = await groupsWire(tx, realmId);
  if (groups.length === 0) return;
  const event = defaultGroupsChanged({
    default_stream_groups: role === roles.guest ? [] : groups,
  });
  await tx.emit({ to: "users", ids: [userId] }, event);
}

/**
 * Takes a channel, which nobody is put into any more, out of all groups. Announces
 * `default_stream_groups` if it was in any.
 */
export async function leaveDefaultGroups(tx: Tx, realmId: number, channelId: number) {
  const { defaultChannelGroupChannels: held } = tx.t;
  const left = await tx.db
    .delete(held)
    .where(and(eq(held.realmId, realmId), eq(held.channelId, channelId)))
    .returning({ groupId: held.groupId });
  if (left.length > 0) await announceDefaultGroups(tx, realmId);
}
