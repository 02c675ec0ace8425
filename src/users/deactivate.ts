import { and, eq, inArray, ne } from "drizzle-orm";
import { removeAccess } from "../auth/api-keys";
import type { Context, Tx, UserRow } from "../core/context";
import { badRequest, lastOwner } from "../core/errors";
import { roles } from "../core/role";
import { write } from "../core/write";
import { announceReturn } from "../subscriptions/role-change";
import { announceReturningMember } from "../user-groups/system-groups";
import { userActivityChanged } from "./events";
import { requireMayManage } from "./permission";
import { loadUser } from "./queries";
import { renewContext } from "./renew-context";

/** Ends an account, and those of its bots; see `deactivateUserIn`. */
export async function deactivateUser(ctx: Context, userId: number): Promise<void> {
  await write(ctx, async (tx) => deactivateUserIn(tx, await renewContext(tx, ctx), userId));
}

/**
 * The part of deactivating a person or a bot that runs in a write. With them go the bots that they own, all API keys and
 * all event queues, held polls at once. Event: realm_user update with `is_active`, to the realm, for each account.
 * Refuses the last owner, a deactivated account and a bot of the system. One may leave oneself; else it takes an
 * administrator, and an owner for an owner (UNAUTHORIZED_PRINCIPAL).
 */
export async function deactivateUserIn(tx: Tx, ctx: Context, userId: number): Promise<void> {
  const user = await loadAccount(tx, ctx, userId);
  const isSelf = "user" in ctx.actor && ctx.actor.user.id === userId;
  if (!isSelf) requireMayManage(ctx.actor, user);
  if (!user.isActive) throw badRequest(`The account of ${user.email} is deactivated already.`);
  if (await isLastOwner(tx, user)) throw lastOwner();
  const gone = [user, ...(await listActiveBotsOf(tx, user))].map(({ id }) => id);
  const { users } = tx.t;
  await tx.db
    .update(users)
    .set({ isActive: false })
    .where(and(eq(users.realmId, ctx.realm.id), inArray(users.id, gone)))
    .returning({ id: users.id });
  await removeAccess(tx, ctx.realm.id, gone);
  for (const id of gone) {
    await tx.emit({ to: "realm" }, userActivityChanged({ person: { user_id: id, is_active: false } }));
  }
}

/** Lets somebody in again; see `reactivateUserIn`. */
export async function reactivateUser(ctx: Context, userId: number): Promise<void> {
  await write(ctx, async (tx) => reactivateUserIn(tx, await renewContext(tx, ctx), userId));
}

/**
 * The part of reactivating a person or a bot that runs in a write. Their keys stay gone, their bots stay deactivated.
 * Events: realm_user update with `is_active`, then user_group add_members of every group and `subscription` peer_add of
 * every channel that they are in, to the realm;
 * the same when the account was active. For administrators, and owners if it is an owner's (UNAUTHORIZED_PRINCIPAL).
 */
export async function reactivateUserIn(tx: Tx, ctx: Context, userId: number): Promise<void> {
  const { users } = tx.t;
  const user = await loadAccount(tx, ctx, userId);
  requireMayManage(ctx.actor, user);
  await tx.db
    .update(users)
    .set({ isActive: true })
    .where(and(eq(users.realmId, ctx.realm.id), eq(users.id, userId)))
    .returning({ id: users.id });
  await tx.emit({ to: "realm" }, userActivityChanged({ person: { user_id: userId, is_active: true } }));
  await announceReturningMember(tx, ctx, user);
  await announceReturn(tx, user);
}

async function loadAccount(tx: Tx, ctx: Context, userId: number): Promise<UserRow> {
  const user = await loadUser(tx, ctx.realm.id, userId);
  if (user.isSystemBot) throw badRequest("The bots of the system cannot be changed.");
  return user;
}

/** Whether an organization would be left without an active person who owns it. */
export async function isLastOwner(tx: Tx, user: UserRow): Promise<boolean> {
  if (user.role > roles.owner || user.botType !== null || !user.isActive) return false;
  const { users } = tx.t;
  const owners = await tx.db
    .select({ botType: users.botType })
    .from(users)
    .where(
      and(
        eq(users.realmId, user.realmId),
        eq(users.role, roles.owner),
        eq(users.isActive, true),
        ne(users.id, user.id),
      ),
    );
  return !owners.some(({ botType }) => botType === null);
}

function listActiveBotsOf(tx: Tx, owner: UserRow): PromiseLike<{ id: number }[]> {
  const { users } = tx.t;
  return tx.db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.realmId, owner.realmId), eq(users.botOwnerId, owner.id), eq(users.isActive, true)));
}
