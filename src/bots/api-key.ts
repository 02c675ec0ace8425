import { type Static, Type } from "@sinclair/typebox";
import type { Context, UserRow } from "../core/context";
import { badRequest } from "../core/errors";
import { type Input, id, record } from "../core/params";
import { write } from "../core/write";
import { loadManagedBot } from "../people/bots/managed";
import { renewContext } from "../people/users/renew-context";
import { findBotKey, insertApiKey, removeAccess } from "../sign-in/api-keys";

export const GetBotApiKey = record({ botId: id() });

export const BotApiKey = Type.Object({ api_key: Type.String() });

/**
 * The API key of a bot, for its owner and for administrators. Refuses other actors, a user who is
 * no bot of the organization, a deactivated bot and one without a key (BAD_REQUEST). Source:
 * `test/recorded/api/api-surface.json`, get-bot-api-key.
 */
export async function getBotApiKey(
  ctx: Context,
  input: Input<typeof GetBotApiKey>,
): Promise<Static<typeof BotApiKey>> {
  const bot = await loadManagedBot(ctx.reader, ctx, input.botId);
  requireActive(bot);
  const apiKey = await findBotKey(ctx, bot);
  if (apiKey === undefined) throw badRequest("This bot has no API key. Regenerate it to make one.");
  return { api_key: apiKey };
}

/** The key of a deactivated bot does not work until it is reactivated, so it is not shown. */
function requireActive({ isActive, fullName }: UserRow) {
  if (!isActive) throw badRequest(`The bot ${fullName} is deactivated.`);
}

/**
 * Gives a bot a new API key. Its earlier keys end at once, with their event queues and held polls.
 * Announced to nobody. Refuses as `getBotApiKey` does, and a deactivated bot (BAD_REQUEST).
 */
export async function regenerateBotApiKey(
  ctx: Context,
  input: Input<typeof GetBotApiKey>,
): Promise<Static<typeof BotApiKey>> {
  return write(ctx, async (tx) => {
    const current = await renewContext(tx, ctx);
    const bot = await loadManagedBot(tx, current, input.botId);
    requireActive(bot);
    await removeAccess(tx, ctx.realm.id, [bot.id], { revokesKeys: true });
    const { apiKey } = await insertApiKey(tx, current, bot, "regenerated");
    tx.audit(current, { action: "api_key.renew", kind: "user", ids: [bot.id] });
    return { api_key: apiKey };
  });
}
