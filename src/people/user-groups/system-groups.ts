import type { Reader } from "../../../db/reader";
import type { Context, RealmRow, Tx, UserRow } from "../../core/context";
import type { SystemGroupIds } from "../../core/rights/group-setting";
import { type SystemGroupName, systemGroupNames } from "../../protocol/system-groups";
import { loadRealm } from "../../realm/queries";
import { listUsers } from "../users/queries";
import { directSystemGroups, systemGroupIds } from "../users/system-group-membership";
import { groupMembersAdded, groupMembersRemoved } from "./events";
import { listNamedGroupsOf } from "./queries";

const descriptions: Record<SystemGroupName, string> = {
  "role:internet": "Everyone on the Internet",
  "role:everyone": "Everyone in this organization, including guests",
  "role:members": "Members of this organization, not including guests",
  "role:fullmembers": "Members of this organization, not including new accounts and guests",
  "role:moderators": "Moderators of this organization, including administrators",
  "role:administrators": "Administrators of this organization, including owners",
  "role:owners": "Owners of this organization",
  "role:nobody": "Nobody",
};

/** Each group contains the one after it. */
const chain: readonly SystemGroupName[] = systemGroupNames.filter((name) => name !== "role:nobody");

/**
 * Lists are ordered by id, and `role:nobody` comes first in them, as recorded of the reference
 * server.
 */
const creationOrder: readonly SystemGroupName[] = ["role:nobody", ...chain];

/**
 * Makes the groups of a new realm and answers their ids by name. Announced to nobody, because there
 * is nobody yet.
 */
export async function createSystemGroups(
  tx: Reader,
  realmId: number,
  now: number,
): Promise<SystemGroupIds> {
  const { t } = tx;
  const rows = await tx.db
    .insert(t.userGroups)
    .values(
      creationOrder.map((name) => ({
        realmId,
        name,
        description: descriptions[name],
        isSystem: true,
        createdAt: now,
      })),
    )
    .returning({ id: t.userGroups.id, name: t.userGroups.name });
  const ids = Object.fromEntries(rows.map(({ id, name }) => [name, id]));
  const links = chain.slice(1).map((name, index) => ({
    realmId,
    groupId: ids[chain[index] ?? name] ?? 0,
    subgroupId: ids[name] ?? 0,
  }));
  await tx.db.insert(t.userGroupSubgroups).values(links);
  return ids;
}

/**
 * Announces a new user as a member of the system groups of their role. Events: user_group
 * add_members.
 */
export async function announceNewMember(tx: Tx, ctx: Context, user: UserRow) {
  await announceMoves(tx, ctx.realm.id, undefined, user);
}

/**
 * Announces the groups of a reactivated user, because clients removed the user from all groups on
 * deactivation. Events: user_group add_members.
 */
export async function announceReturningMember(tx: Tx, ctx: Context, user: UserRow) {
  await announceNewMember(tx, ctx, user);
  for (const { id, isActive } of await listNamedGroupsOf(tx, ctx.realm.id, user.id)) {
    const note = isActive ? {} : { of_deactivated: true };
    await tx.emit(
      { to: "realm" },
      groupMembersAdded({ group_id: id, user_ids: [user.id], ...note }),
    );
  }
}

/**
 * Announces the changes of system groups after a change of role. Events: user_group add_members and
 * remove_members.
 */
export async function announceChangedRole(tx: Tx, ctx: Context, before: UserRow, after: UserRow) {
  await announceMoves(tx, ctx.realm.id, before, after);
}

/**
 * Announces the changes of system groups after a new date of joining, from which the waiting period
 * counts. Events: user_group add_members and remove_members.
 */
export const announceChangedAge = (tx: Tx, before: UserRow, after: UserRow) =>
  announceMoves(tx, after.realmId, before, after);

async function announceMoves(tx: Tx, id: number, before: UserRow | undefined, after: UserRow) {
  const moment = { realm: await loadRealm(tx, id), now: tx.now };
  const from = before ? directSystemGroups(before, moment) : [];
  const to = directSystemGroups(after, moment);
  const ids = await systemGroupIds(tx, id);
  const fieldsOf = (name: SystemGroupName) => ({ group_id: ids[name] ?? 0, user_ids: [after.id] });
  for (const name of to) {
    if (!from.includes(name)) await tx.emit({ to: "realm" }, groupMembersAdded(fieldsOf(name)));
  }
  for (const name of from) {
    if (!to.includes(name)) await tx.emit({ to: "realm" }, groupMembersRemoved(fieldsOf(name)));
  }
}

/**
 * Announces people who have become full members, or no longer are, because the realm changed its
 * waiting period. Events: user_group add_members and remove_members of role:fullmembers.
 */
export async function announceFullMembers(tx: Tx, before: RealmRow, after: RealmRow) {
  const isFull = (user: UserRow, realm: RealmRow) =>
    directSystemGroups(user, { realm, now: tx.now }).includes("role:fullmembers");
  const { "role:fullmembers": groupId = 0 } = await systemGroupIds(tx, after.id);
  const active = (await listUsers(tx, after.id)).filter(({ isActive }) => isActive);
  const idsWhere = (was: boolean) =>
    active
      .filter((user) => isFull(user, before) === was && isFull(user, after) !== was)
      .map(({ id }) => id);
  const [come, gone] = [idsWhere(false), idsWhere(true)];
  if (come.length > 0)
    await tx.emit({ to: "realm" }, groupMembersAdded({ group_id: groupId, user_ids: come }));
  if (gone.length > 0)
    await tx.emit({ to: "realm" }, groupMembersRemoved({ group_id: groupId, user_ids: gone }));
}
