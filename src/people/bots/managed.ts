import type { Reader } from "../../../db/reader";
import { isSelf } from "../../core/account";
import type { Context, UserRow } from "../../core/context";
import { badRequest } from "../../core/errors";
import { roles } from "../../core/rights/role";
import { may } from "../user-groups/may";
import { findUser } from "../users/queries";
import { isOwnableBot } from "./kinds";

/** Whether the actor owns a bot. */
export const ownsBot = ({ actor }: Context, { botOwnerId }: Pick<UserRow, "botOwnerId">): boolean =>
  botOwnerId !== null && isSelf(actor, botOwnerId);

/**
 * A bot that the actor may manage: their own, or any for administrators. Refuses (BAD_REQUEST)
 * other bots, and users who are no bots. Administrators may not manage bots with an owner's role,
 * because whoever has a bot's key acts as the bot.
 */
export async function loadManagedBot(
  reader: Reader,
  ctx: Context,
  botId: number,
): Promise<UserRow> {
  const bot = await findUser(reader, ctx.realm.id, botId);
  if (!bot || !isOwnableBot(bot)) throw badRequest("No such bot");
  const role = bot.role <= roles.owner ? "owner" : "administrator";
  if (ownsBot(ctx, bot) || (await may(reader, ctx, { role }))) return bot;
  throw badRequest("You can only manage your own bots.");
}
