import { and, eq, isNull, ne, sql } from "drizzle-orm";
import { isRowOf } from "../../../db/sql/json";
import { isSelf } from "../../core/account";
import type { App, Context, Tx, UserRow } from "../../core/context";
import { lastOwner, lastUser, refusedFor } from "../../core/errors";
import { roles } from "../../core/rights/role";
import { write } from "../../core/write";
import { requireMayCreateBots } from "../../people/bots/create-permission";
import { readBotKind } from "../../people/bots/kinds";
import { ownsBot } from "../../people/bots/managed";
import { requireFreeBotName } from "../../people/bots/name";
import { requireMayManage } from "../../people/user-groups/may-manage";
import { announceReturningMember } from "../../people/user-groups/system-groups";
import { watchersOf } from "../../people/users/announce";
import { requireNotDeleted } from "../../people/users/deleted";
import { userActivityChanged } from "../../people/users/events";
import { loadUser } from "../../people/users/queries";
import { renewContext } from "../../people/users/renew-context";
import { announceDeparture, announceReturn } from "../subscriptions/activity";
import { cleanComment, mailDeactivation } from "./deactivation-mail";

/** Place of a query, inside a write or outside. */
type Reading = Pick<Tx, "db" | "t">;

/** Options of a deactivation, in addition to its usual effects. */
interface DeactivationOptions {
  /**
   * Ends the API keys for good, including those of all bots of the user; otherwise they work again
   * after a reactivation.
   */
  revokesKeys?: boolean | undefined;
}

/**
 * Deactivates an account and its bots; see `deactivateUserIn`. With a `comment`, even an empty one,
 * the person gets a mail; see `mailDeactivation`.
 */
export async function deactivateUser(
  ctx: Context,
  userId: number,
  { comment: given, ...options }: DeactivationOptions & { comment?: string | undefined } = {},
): Promise<void> {
  const comment = given === undefined ? undefined : cleanComment(given);
  await write(ctx, async (tx) => {
    const current = await renewContext(tx, ctx);
    if (comment !== undefined) {
      await mailDeactivation(tx, current, await loadUser(tx, current.realm.id, userId), comment);
    }
    await deactivateUserIn(tx, current, userId, options);
  });
}

/**
 * Deactivates a person or a bot, as part of a write: also their bots, and ends their sessions, push
 * registrations, event queues and held polls, their status and the invitations that they made. API
 * keys stop working until their owner is reactivated, or for good (`revokesKeys`). The account
 * stays in its groups and channels, but clients do not show it there. Events, for each account:
 * realm_user update with `is_active`, to people who see it, and `subscription` peer_remove of each
 * channel; invites_changed. Refuses the last owner and the last person
 * (CANNOT_DEACTIVATE_LAST_USER), a deactivated account and a system bot. People may deactivate
 * themselves; otherwise only administrators may (BAD_REQUEST), and for an owner only owners
 * (UNAUTHORIZED_PRINCIPAL).
 */
export async function deactivateUserIn(
  tx: Tx,
  ctx: Context,
  userId: number,
  options: DeactivationOptions = {},
): Promise<void> {
  const user = await loadUser(tx, ctx.realm.id, userId);
  if (!isSelf(ctx.actor, userId)) await requireMayManage(tx, ctx, user);
  await requireDeactivatable(tx, user);
  await endAccountIn(tx, ctx, user, options);
  const after = { is_active: false, ...(options.revokesKeys === true && { api_keys: "revoked" }) };
  tx.audit(ctx, { action: "user.deactivate", kind: "user", ids: [userId], after });
}

/**
 * Ends an active account with the bots that it owns, without a check of rights; see
 * `deactivateUserIn` for the effects and events. The effects are the steps of `src/steps.ts`.
 */
export async function endAccountIn(
  tx: Tx,
  { app }: { app: Pick<App, "steps"> },
  user: UserRow,
  { revokesKeys = false }: DeactivationOptions = {},
): Promise<void> {
  const { realmId } = user;
  const bots = await listBotsOf(tx, user);
  const gone = [user, ...bots.filter(({ isActive }) => isActive)];
  const ids = gone.map(({ id }) => id);
  const { users } = tx.t;
  await tx.db
    .update(users)
    .set({ isActive: false })
    .where(isRowOf(tx.dialect, users, realmId, sql`${JSON.stringify(ids)}`))
    .returning({ id: users.id });
  const ended = { realmId, userIds: ids, botIds: bots.map(({ id }) => id), revokesKeys };
  for (const step of app.steps.accountsEnded) await step.run(tx, ended);
  for (const one of gone) {
    await tx.emit(
      await watchersOf(tx, one),
      userActivityChanged({ person: { user_id: one.id, is_active: false } }),
    );
    await announceDeparture(tx, one);
  }
}

/** Refuses a deactivated account (BAD_REQUEST), and those of `requireOthers`. */
export async function requireDeactivatable(reader: Reading, user: UserRow): Promise<void> {
  if (!user.isActive)
    throw refusedFor(
      "account-ended",
      `The account of ${user.fullName} is already deactivated.`,
      user.fullName,
    );
  await requireOthers(reader, user);
}

/** An organization keeps an active owner; one without an owner keeps an active person. */
export async function requireOthers(tx: Reading, user: UserRow): Promise<void> {
  if (await isLastOwner(tx, user)) throw lastOwner();
  if (user.botType === null && !(await hasOtherPeople(tx, user))) throw lastUser();
}

/** Reactivates an account; see `reactivateUserIn`. */
export async function reactivateUser(ctx: Context, userId: number): Promise<void> {
  await write(ctx, async (tx) => reactivateUserIn(tx, await renewContext(tx, ctx), userId));
}

/**
 * Reactivates a person or a bot, as part of a write. Their API keys work again, except revoked
 * ones; their bots stay deactivated. Events: realm_user update with `is_active`, to people who see
 * the user, `subscription` peer_add of their channels and user_group add_members of their groups;
 * all of these also when the account was active. For administrators (BAD_REQUEST), and only owners
 * for an owner (UNAUTHORIZED_PRINCIPAL); a bot also by its owner, if they may create such bots.
 * Refuses a deleted person, a bot whose owner is deactivated, and a bot whose name another bot has
 * meanwhile.
 */
export async function reactivateUserIn(tx: Tx, ctx: Context, userId: number): Promise<void> {
  const { users } = tx.t;
  const user = await loadUser(tx, ctx.realm.id, userId);
  if (ownsBot(ctx, user)) await requireMayCreateBots(tx, ctx, readBotKind(user.botType ?? 0));
  else await requireMayManage(tx, ctx, user);
  if (user.botOwnerId !== null) await requireActiveOwner(tx, ctx, user.botOwnerId);
  if (user.botType !== null) await requireFreeBotName(tx, ctx.realm, user.fullName, user.id);
  requireNotDeleted(user);
  await tx.db
    .update(users)
    .set({ isActive: true })
    .where(and(eq(users.realmId, ctx.realm.id), eq(users.id, userId)))
    .returning({ id: users.id });
  await tx.emit(
    await watchersOf(tx, user),
    userActivityChanged({ person: { user_id: userId, is_active: true } }),
  );
  tx.audit(ctx, { action: "user.reactivate", kind: "user", ids: [userId] });
  await announceReturn(tx, user);
  await announceReturningMember(tx, ctx, user);
}

/** A bot needs an active owner who is responsible for it. */
async function requireActiveOwner(tx: Tx, ctx: Context, ownerId: number) {
  const owner = await loadUser(tx, ctx.realm.id, ownerId);
  if (owner.isActive) return;
  throw refusedFor(
    "bot-owner-ended",
    `This bot's owner is deactivated: reactivate ${owner.fullName}, or give the bot to somebody else.`,
    owner.fullName,
  );
}

/** Whether an organization would have no active owner without this user. */
export async function isLastOwner(tx: Reading, user: UserRow): Promise<boolean> {
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

/** The bots that somebody owns, active or not. */
export function listBotsOf(tx: Reading, owner: UserRow): PromiseLike<UserRow[]> {
  const { users } = tx.t;
  return tx.db
    .select()
    .from(users)
    .where(and(eq(users.realmId, owner.realmId), eq(users.botOwnerId, owner.id)));
}

async function hasOtherPeople(tx: Reading, { realmId, id }: UserRow): Promise<boolean> {
  const { users } = tx.t;
  const isOther = and(
    eq(users.realmId, realmId),
    eq(users.isActive, true),
    isNull(users.botType),
    ne(users.id, id),
  );
  return (await tx.db.select({ id: users.id }).from(users).where(isOther).limit(1)).length > 0;
}
