import type { Reader } from "../../../db/reader";
import type { Context, UserRow } from "../../core/context";
import { badRequest } from "../../core/errors";
import { roles } from "../../core/role";
import { may } from "../user-groups/may";
import { findUser } from "../users/queries";
import { isOwnableBot } from "./kinds";

/** Whether the actor is whom a bot belongs to. */
export const ownsBot = ({ actor }: Context, { botOwnerId }: Pick<UserRow, "botOwnerId">): boolean =>
  botOwnerId !== null && "user" in actor && actor.user.id === botOwnerId;

/**
 * A bot that the actor manages: their own, or any for administrators. Refuses (BAD_REQUEST) others,
 * and what is no bot of the organization. A person who has a bot's key acts as the bot: that of an
 * owner's rank is not for administrators.
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
  throw badRequest("You can only manage bots of your own.");
}
