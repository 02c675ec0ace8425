import { and, eq } from "drizzle-orm";
import { hashPassword } from "../auth/passwords";
import { announceBots } from "../bots/role-change";
import type { Context, Tx } from "../core/context";
import { accessDenied, badRequest } from "../core/errors";
import { type Role, roles } from "../core/role";
import { onlyRow, write } from "../core/write";
import { announceSight } from "../subscriptions/role-change";
import { announceChangedRole } from "../user-groups/system-groups";
import { cleanFullName } from "./create";
import { isLastOwner } from "./deactivate";
import { userNameChanged, userRoleChanged } from "./events";
import { requireMayManage, requireOwner } from "./permission";
import { loadUser } from "./queries";
import { renewContext } from "./renew-context";

/** Gives somebody another role; see `updateUserRoleIn`. */
export async function updateUserRole(ctx: Context, userId: number, role: Role): Promise<void> {
  await write(ctx, async (tx) => updateUserRoleIn(tx, await renewContext(tx, ctx), userId, role));
}

/**
 * The part of changing a role that runs in a write. Events: realm_user update with `role`, and user_group add_members and
 * remove_members of the system groups, to the realm; to the user what the role brings into sight and takes out of it
 * (`announceSight`, `announceBots`); none when the role is the same. For administrators; owners are made
 * and unmade by owners (UNAUTHORIZED_PRINCIPAL). Refuses to take the last owner's role away, and bots of the system.
 */
export async function updateUserRoleIn(tx: Tx, ctx: Context, userId: number, role: Role): Promise<void> {
  const { users } = tx.t;
  const before = await loadUser(tx, ctx.realm.id, userId);
  requireMayManage(ctx.actor, before);
  if (role === roles.owner) requireOwner(ctx.actor);
  if (before.isSystemBot) throw badRequest("The bots of the system cannot be changed.");
  if (before.role === role) return;
  if (await isLastOwner(tx, before)) {
    throw badRequest("An organization must keep at least one active owner: make somebody else an owner first.");
  }
  const rows = await tx.db
    .update(users)
    .set({ role })
    .where(and(eq(users.realmId, ctx.realm.id), eq(users.id, userId)))
    .returning();
  await tx.emit({ to: "realm" }, userRoleChanged({ person: { user_id: userId, role } }));
  const after = onlyRow(rows);
  if (before.isActive) await announceChangedRole(tx, ctx, before, after);
  await announceSight(tx, before, after);
  await announceBots(tx, before, after);
}

/**
 * The part of renaming somebody that runs in a write. Event: realm_user update with `full_name`, to the realm; none when
 * the name is the same. For administrators, and owners if it is an owner (UNAUTHORIZED_PRINCIPAL).
 */
export async function renameUserIn(tx: Tx, ctx: Context, userId: number, fullName: string): Promise<void> {
  const { users } = tx.t;
  const before = await loadUser(tx, ctx.realm.id, userId);
  requireMayManage(ctx.actor, before);
  if (before.isSystemBot) throw badRequest("The bots of the system cannot be changed.");
  const name = cleanFullName(fullName);
  if (name === before.fullName) return;
  await tx.db
    .update(users)
    .set({ fullName: name })
    .where(and(eq(users.realmId, ctx.realm.id), eq(users.id, userId)))
    .returning({ id: users.id });
  await tx.emit({ to: "realm" }, userNameChanged({ person: { user_id: userId, full_name: name } }));
}

/** Gives a person another password, for the operator. Refuses one that is too short or too long (BAD_REQUEST). */
export async function setPassword(ctx: Context, userId: number, password: string): Promise<void> {
  const passwordHash = await hashPassword(ctx.app, password);
  await write(ctx, (tx) => setPasswordIn(tx, ctx, userId, passwordHash));
}

/** The part of setting a password that runs in a write. Announced to nobody. Refuses bots, which have no password. */
export async function setPasswordIn(tx: Tx, ctx: Context, userId: number, passwordHash: string): Promise<void> {
  const { users } = tx.t;
  if (ctx.actor.kind !== "operator") throw accessDenied("Only the operator of the server can set a password.");
  const user = await loadUser(tx, ctx.realm.id, userId);
  if (user.botType !== null) throw badRequest("Bots have no password: they sign in with their API key.");
  await tx.db
    .update(users)
    .set({ passwordHash })
    .where(and(eq(users.realmId, ctx.realm.id), eq(users.id, userId)))
    .returning({ id: users.id });
}
