import { and, eq } from "drizzle-orm";
import { announceVisiblePeople } from "../../channels/guest-visibility";
import type { AuditFacts } from "../../core/audit";
import type { Context, Tx, UserRow } from "../../core/context";
import { accessDenied, badRequest, ownerRequired, refusedFor } from "../../core/errors";
import { type Role, roles } from "../../core/rights/role";
import { write } from "../../core/write";
import { requireNewBotName } from "../../people/bots/name";
import { announceBots } from "../../people/bots/role-change";
import { withdrawInvitationsTo, withdrawUngrantable } from "../../people/invited/store";
import { requireMay } from "../../people/user-groups/may";
import { requireMayManage } from "../../people/user-groups/may-manage";
import { announceChangedRole } from "../../people/user-groups/system-groups";
import { announceAccountChange, watchersOf } from "../../people/users/announce";
import { changeUserRow } from "../../people/users/change-row";
import { requireNotDeleted } from "../../people/users/deleted";
import { cleanEmail, requireFreeEmail } from "../../people/users/email-address";
import { userRoleChanged } from "../../people/users/events";
import { cleanFullName, requireUniqueName } from "../../people/users/names";
import { emailKeyOf, loadUser } from "../../people/users/queries";
import { renewContext } from "../../people/users/renew-context";
import { requireAcceptedDomain } from "../../realm/domains/accepted";
import { endLoginLinks, endOtherKeys } from "../../sign-in/api-keys";
import { hashPassword } from "../../sign-in/passwords";
import { endSessionsIn } from "../../sign-in/sessions";
import { announceVisibleChannels } from "../subscriptions/role-change";
import { isLastOwner, listBotsOf } from "./deactivate";

/** Changes somebody's role; see `updateUserRoleIn`. */
export async function updateUserRole(ctx: Context, userId: number, role: Role): Promise<void> {
  await write(ctx, async (tx) => updateUserRoleIn(tx, await renewContext(tx, ctx), userId, role));
}

/**
 * Changes a role, as part of a write. Events: realm_user update with `role`, to people who see the
 * user; user_group add_members and remove_members of the system groups, to the realm; to the user
 * the objects that become visible or invisible with the role (`announceVisiblePeople`,
 * `announceVisibleChannels`, `announceBots`); invites_changed when invitations are withdrawn whose
 * role the user may no longer give; none when the role does not change. Bots of somebody with a
 * lower role than before get that one, unless theirs is lower, because otherwise their keys would
 * keep the former rights. For administrators; only owners may add or remove owners
 * (UNAUTHORIZED_PRINCIPAL), so that nobody raises their own role or that of a bot. Refuses to
 * change the last owner's role, and system bots.
 */
export async function updateUserRoleIn(
  tx: Tx,
  ctx: Context,
  userId: number,
  role: Role,
): Promise<void> {
  const before = await loadUser(tx, ctx.realm.id, userId);
  await requireMayManage(tx, ctx, before);
  requireNotDeleted(before);
  if (role === roles.owner) await requireMay(tx, ctx, ownerRequired, { role: "owner" });
  if (before.role === role) return;
  if (await isLastOwner(tx, before)) {
    throw refusedFor(
      "owner-last",
      "An organization must keep at least one active owner: make somebody else an owner first.",
    );
  }
  await storeRole(tx, ctx, before, role);
  auditUser(tx, ctx, before, { role: before.role }, { role });
  if (role < before.role || before.botType !== null) return;
  for (const bot of await listBotsOf(tx, before))
    if (bot.role < role) await storeRole(tx, ctx, bot, role);
}

/** Notes a change of an account. */
export const auditUser = (
  tx: Tx,
  ctx: Context,
  { id }: Pick<UserRow, "id">,
  before: AuditFacts,
  after: AuditFacts,
) => tx.audit(ctx, { action: "user.update", kind: "user", ids: [id], before, after });

async function storeRole(tx: Tx, ctx: Context, before: UserRow, role: Role) {
  const after = await changeUserRow(tx, before, { role });
  await tx.emit(
    await watchersOf(tx, after),
    userRoleChanged({ person: { user_id: after.id, role } }),
  );
  if (!before.isActive) return;
  await announceChangedRole(tx, ctx, before, after);
  await announceVisiblePeople(tx, before, after);
  await announceVisibleChannels(tx, before, after);
  await announceBots(tx, before, after);
  await withdrawUngrantable(tx, after);
}

/**
 * Renames somebody, as part of a write. Event: realm_user update with `full_name`, to people who
 * see the user; none when the name does not change. For administrators, and only owners for an
 * owner (UNAUTHORIZED_PRINCIPAL). Refuses a name in use, where names must be unique, and for a bot
 * one that another active bot has (BAD_REQUEST).
 */
export async function renameUserIn(
  tx: Tx,
  ctx: Context,
  userId: number,
  fullName: string,
): Promise<void> {
  const before = await loadUser(tx, ctx.realm.id, userId);
  await requireMayManage(tx, ctx, before);
  requireNotDeleted(before);
  const name = fullName === before.fullName ? fullName : cleanFullName(fullName);
  if (name === before.fullName) return;
  if (before.botType === null) await requireUniqueName(tx, ctx.realm, name, userId);
  else await requireNewBotName(tx, ctx.realm, name, userId);
  await storeAccount(tx, before, { fullName: name });
  auditUser(tx, ctx, before, { full_name: before.fullName }, { full_name: name });
}

/**
 * Changes the e-mail address of a person, as part of a write. It is valid for sign-in at once;
 * login links that were sent to the old one end. Events: realm_user update with `delivery_email`,
 * `new_email` and the avatar that depends on the address, to people who may read it; none when it
 * does not change. Only for owners (UNAUTHORIZED_PRINCIPAL), because the holder of the address can
 * get into the account. Refuses bots, an invalid address and one in use (BAD_REQUEST).
 */
export async function changeEmailIn(
  tx: Tx,
  ctx: Context,
  userId: number,
  newEmail: string,
): Promise<void> {
  const before = await loadUser(tx, ctx.realm.id, userId);
  await requireMayManage(tx, ctx, before);
  requireNotDeleted(before);
  await requireMay(tx, ctx, ownerRequired, { role: "owner" });
  if (before.botType !== null)
    throw badRequest("The address of a bot is made from its short name.");
  const email = cleanEmail(newEmail);
  if (email === before.email) return;
  await requireAcceptedDomain(tx, ctx.realm, email);
  await requireFreeEmail(tx, ctx.realm, email, userId);
  await endLoginLinks(tx, before.realmId, [userId]);
  await storeAccount(tx, before, { email, emailKey: emailKeyOf(email) });
  auditUser(tx, ctx, before, { email: before.email }, { email });
}

/**
 * Stores the changes of an account, without a check of rights. Invitations of a new address are
 * withdrawn, because it has an account now. Events: realm_user update for each part
 * (`announceAccountChange`), to people who see the user; invites_changed for withdrawn invitations.
 */
export async function storeAccount(
  tx: Tx,
  before: UserRow,
  values: Partial<Pick<UserRow, "fullName" | "email" | "emailKey">>,
): Promise<void> {
  const after = await changeUserRow(tx, before, values);
  if (after.emailKey !== before.emailKey)
    await withdrawInvitationsTo(tx, after.realmId, after.emailKey);
  await announceAccountChange(tx, before, after);
}

/**
 * Sets a person's password, for the operator. It ends the person's sessions in browsers and their
 * login links, because somebody else may have known the old password. API keys stay, so that
 * programs keep working, unless `endsKeys`. Announced to nobody. Refuses one that is too short or
 * too long (BAD_REQUEST), and bots.
 */
export async function setPassword(
  ctx: Context,
  userId: number,
  password: string,
  endsKeys = false,
): Promise<void> {
  const passwordHash = await hashPassword(ctx.app, password);
  await write(ctx, async (tx) => {
    await storePasswordIn(tx, ctx, userId, passwordHash);
    await endSessionsIn(tx, ctx.realm.id, userId);
    await endLoginLinks(tx, ctx.realm.id, [userId]);
    if (endsKeys) await endOtherKeys(tx, ctx.realm.id, userId);
  });
}

/** Refuses bots, because they have no password, and deleted people (BAD_REQUEST). */
export function requireTakesPassword(user: Pick<UserRow, "botType" | "isDeleted">) {
  requireNotDeleted(user);
  if (user.botType !== null)
    throw badRequest("Bots have no password: they sign in with their API key.");
}

/**
 * Stores a password, for the operator, without ending sessions, as for a first one. Announced to
 * nobody. Refuses bots, because they have no password.
 */
export async function storePasswordIn(
  tx: Tx,
  ctx: Context,
  userId: number,
  passwordHash: string,
): Promise<void> {
  const { users } = tx.t;
  if (ctx.actor.kind !== "operator")
    throw accessDenied("Only the operator of the server can set a password.");
  requireTakesPassword(await loadUser(tx, ctx.realm.id, userId));
  await tx.db
    .update(users)
    .set({ passwordHash })
    .where(and(eq(users.realmId, ctx.realm.id), eq(users.id, userId)))
    .returning({ id: users.id });
  tx.audit(ctx, { action: "user.change_password", kind: "user", ids: [userId] });
}
