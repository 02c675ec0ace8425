import type { Reader } from "../../db/reader";
import { findBotKey, insertApiKey, removeAccess } from "../auth/api-keys";
import type { Context, Person, UserRow } from "../core/context";
import { badRequest } from "../core/errors";
import { type Input, id, record } from "../core/params";
import { roles } from "../core/role";
import { write } from "../core/write";
import { may } from "../user-groups/may";
import { findUser } from "../users/queries";
import { renewContext } from "../users/renew-context";

export const GetBotApiKey = record({ botId: id() });

/**
 * The API key of a bot, for its owner and for administrators. Refuses everybody else, what is no bot of the organization
 * and a bot without a key (BAD_REQUEST). Source: `api/api-surface.json`, get-bot-api-key.
 */
export async function getBotApiKey(
  ctx: Context<Person>,
  input: Input<typeof GetBotApiKey>,
): Promise<{ api_key: string }> {
  const bot = await loadManagedBot(ctx.reader, ctx, input.botId);
  const apiKey = await findBotKey(ctx, bot);
  if (apiKey === undefined) throw badRequest("This bot has no API key. Regenerate it to make one.");
  return { api_key: apiKey };
}

/**
 * Gives a bot a new API key; those that it had end at once, with the event queues and held polls that were opened with
 * them. Announced to nobody. Refuses what `getBotApiKey` does, and a deactivated bot (BAD_REQUEST).
 */
export async function regenerateBotApiKey(
  ctx: Context<Person>,
  input: Input<typeof GetBotApiKey>,
): Promise<{ api_key: string }> {
  return write(ctx, async (tx) => {
    const current = await renewContext(tx, ctx);
    const bot = await loadManagedBot(tx, current, input.botId);
    if (!bot.isActive) throw badRequest(`The bot ${bot.fullName} is deactivated.`);
    await removeAccess(tx, ctx.realm.id, [bot.id]);
    const { apiKey } = await insertApiKey(tx, current, bot, "regenerated");
    return { api_key: apiKey };
  });
}

async function loadManagedBot(reader: Reader, ctx: Context<Person>, botId: number): Promise<UserRow> {
  const bot = await findUser(reader, ctx.realm.id, botId);
  if (!bot || bot.botType === null || bot.isSystemBot) throw badRequest("No such bot");
  // Whoever has the key acts as the bot: that of an owner's rank is not for administrators.
  const role = bot.role <= roles.owner ? "owner" : "administrator";
  if (bot.botOwnerId === ctx.actor.user.id || (await may(reader, ctx, { role }))) return bot;
  throw badRequest("You can only manage bots of your own.");
}
