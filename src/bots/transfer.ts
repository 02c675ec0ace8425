import { and, eq } from "drizzle-orm";
import type { Context, Tx, UserRow } from "../core/context";
import { badRequest } from "../core/errors";
import { holdsRole, roles } from "../core/rights/role";
import { onlyRow } from "../core/write";
import { announceNewOwner } from "../people/bots/announce";
import { requireMayManage } from "../people/user-groups/may-manage";
import { announceBotOwner } from "../people/users/announce";
import { findUser } from "../people/users/queries";
import { endOtherKeys } from "../sign-in/api-keys";
import { requireRoom } from "./service";

/**
 * Changes the owner of a bot, as part of a write; the caller has checked that the actor manages the
 * bot. Its keys stay valid if the former owner is active. If that owner is deactivated, the keys
 * end, because somebody who has lost their account must not act through the bot;
 * `regenerateBotApiKey` makes a new one. Events: realm_bot delete to the former owner and add to
 * the new one, unless they are administrators, who always see it; realm_user update with
 * `bot_owner_id`, to the realm; none if the owner does not change. Refuses (BAD_REQUEST) an owner
 * who is missing, deactivated or a bot, one who has as many bots as the operator allows, unless an
 * administrator gives it, and a guest for a bot with more rights than guests; a bot with more
 * rights than members needs an actor who manages its account (`requireMayManage`).
 */
export async function transferBotIn(
  tx: Tx,
  ctx: Context,
  bot: UserRow,
  ownerId: number,
): Promise<UserRow> {
  if (bot.botOwnerId === ownerId) return bot;
  if (bot.role < roles.member) await requireMayManage(tx, ctx, bot);
  const owner = await findUser(tx, ctx.realm.id, ownerId);
  if (!owner) throw badRequest("The new owner of the bot does not exist.");
  if (!owner.isActive) throw badRequest("The new owner of the bot is deactivated.");
  if (owner.botType !== null) throw badRequest("Bots cannot own other bots.");
  if (owner.role >= roles.guest && bot.role < roles.guest) {
    throw badRequest("A guest's bots are guests: give the bot the role of a guest first.");
  }
  // Somebody who gives their bots away could otherwise make any number of them.
  if (!holdsRole(ctx.actor, "administrator")) await requireRoom(tx, ctx, owner);
  if (bot.botOwnerId !== null) await endKeysOfDeactivated(tx, bot, bot.botOwnerId);
  const { users } = tx.t;
  const rows = await tx.db
    .update(users)
    .set({ botOwnerId: ownerId })
    .where(and(eq(users.realmId, bot.realmId), eq(users.id, bot.id)))
    .returning();
  const after = onlyRow(rows);
  await announceNewOwner(tx, bot, after);
  await announceBotOwner(tx, after);
  return after;
}

/** Ends the keys of a bot if its former owner is deactivated, because they may have copies. */
async function endKeysOfDeactivated(tx: Tx, { realmId, id }: UserRow, formerOwnerId: number) {
  const former = await findUser(tx, realmId, formerOwnerId);
  if (former?.isActive === false) await endOtherKeys(tx, realmId, id);
}
