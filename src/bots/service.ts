import { and, eq, isNotNull } from "drizzle-orm";
import type { Context, Tx, UserRow } from "../core/context";
import { accessDenied, badRequest } from "../core/errors";
import { isUnbound, roles } from "../core/role";
import { write } from "../core/write";
import { requireMay } from "../user-groups/may";
import { announceNewMember } from "../user-groups/system-groups";
import { announceAccount } from "../users/announce";
import { cleanEmail, cleanFullName, insertAccount } from "../users/create";
import { loadUser } from "../users/queries";
import { renewContext } from "../users/renew-context";
import { botAdded } from "./events";
import { botWire } from "./wire";

const genericBot = 1;

export interface NewBot {
  email: string;
  fullName: string;
  /** Who answers for it: an active person of the realm. */
  ownerId: number;
}

/** Adds a generic bot; see `createBotIn`. */
export async function createBot(ctx: Context, input: NewBot): Promise<UserRow> {
  return write(ctx, async (tx) => createBotIn(tx, await renewContext(tx, ctx), input));
}

/**
 * The part of adding a generic bot that runs in a write; answers its row. It is a member, whatever its owner is, and
 * starts without an API key and without subscriptions. Events: realm_bot add, to administrators and the owner; realm_user
 * add and user_group add_members, to the realm. Refuses bad values, an address in use, a name that another active bot has,
 * and who may not create bots (BAD_REQUEST).
 */
export async function createBotIn(tx: Tx, ctx: Context, { email, fullName, ownerId }: NewBot): Promise<UserRow> {
  const owner = await loadOwner(tx, ctx, ownerId);
  await requireMayCreate(tx, ctx, owner);
  const name = cleanFullName(fullName);
  await requireFreeName(tx, ctx.realm.id, name);
  const bot = await insertAccount(tx, ctx, {
    email: cleanEmail(email),
    fullName: name,
    role: roles.member,
    passwordHash: null,
    botType: genericBot,
    botOwnerId: owner.id,
  });
  const added = botAdded({ bot: botWire(bot) });
  await tx.emit({ to: "administrators", except: [owner.id] }, added);
  await tx.emit({ to: "users", ids: [owner.id] }, added);
  await announceAccount(tx, bot);
  await announceNewMember(tx, ctx, bot);
  return bot;
}

async function loadOwner(tx: Tx, ctx: Context, ownerId: number): Promise<UserRow> {
  const owner = await loadUser(tx, ctx.realm.id, ownerId);
  if (!owner.isActive || owner.botType !== null) throw badRequest("A bot's owner must be an active person.");
  return owner;
}

/** The operator makes bots for everybody; people for themselves, if the organization lets them. */
async function requireMayCreate(tx: Tx, ctx: Context, owner: UserRow) {
  const isOwn = "user" in ctx.actor && ctx.actor.user.id === owner.id;
  if (!isOwn && !isUnbound(ctx.actor)) throw accessDenied("You can only create bots of your own.");
  const refusal = () => badRequest("You do not have permission to create bots. Ask an administrator.");
  await requireMay(tx, ctx, refusal, { realm: "can_create_bots_group" });
}

async function requireFreeName(tx: Tx, realmId: number, fullName: string) {
  const { users } = tx.t;
  const taken = await tx.db
    .select({ id: users.id })
    .from(users)
    .where(
      and(eq(users.realmId, realmId), eq(users.fullName, fullName), eq(users.isActive, true), isNotNull(users.botType)),
    );
  if (taken.length > 0) throw badRequest(`There is a bot named '${fullName}' already.`);
}
