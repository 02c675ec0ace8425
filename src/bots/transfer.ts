import { and, eq } from "drizzle-orm";
import type { Context, Tx, UserRow } from "../core/context";
import { badRequest } from "../core/errors";
import { roles } from "../core/role";
import { onlyRow } from "../core/write";
import { announceNewOwner } from "../people/bots/announce";
import { requireMayManage } from "../people/user-groups/may-manage";
import { announceBotOwner } from "../people/users/announce";
import { findUser } from "../people/users/queries";
import { endOtherKeys } from "../sign-in/api-keys";

/**
 * The part of giving a bot to somebody else that runs in a write; the caller has seen that the
 * actor manages the bot. Its keys stay where the former owner is active. They end where the former
 * owner is deactivated, because a person who has lost their account should not go on through the
 * bot; `regenerateBotApiKey` makes it a new one. Events: realm_bot delete to the former owner and
 * add to the new one, unless they are administrators, who see it all the time; realm_user update
 * with `bot_owner_id`, to the realm; none if it is theirs already. Refuses (BAD_REQUEST) an owner
 * who does not exist, is deactivated or is a bot, and a guest for a bot that may more than guests;
 * a bot that may more than members is given away by those who manage its account
 * (`requireMayManage`).
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

/** Ends the keys of a bot that somebody who is deactivated may have copies of. */
async function endKeysOfDeactivated(tx: Tx, { realmId, id }: UserRow, formerOwnerId: number) {
  const former = await findUser(tx, realmId, formerOwnerId);
  if (former?.isActive === false) await endOtherKeys(tx, realmId, id);
}
