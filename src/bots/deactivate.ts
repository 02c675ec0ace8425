import type { Context } from "../core/context";
import { badRequest } from "../core/errors";
import { flag, type Input, id, optional, record } from "../core/params";
import { write } from "../core/write";
import { endAccountIn } from "../management/accounts/deactivate";
import { loadManagedBot } from "../people/bots/managed";
import { renewContext } from "../people/users/renew-context";

export const DeactivateBot = record({ botId: id(), revokeKeys: optional(flag()) });

/**
 * Deactivates a bot, for its owner and for administrators. `revokeKeys` ends its API keys for good.
 * Events: see `endAccountIn`. Refuses (BAD_REQUEST) other actors, a user who is no bot, and a
 * deactivated bot.
 */
export async function deactivateBot(
  ctx: Context,
  { botId, revokeKeys }: Input<typeof DeactivateBot>,
): Promise<undefined> {
  await write(ctx, async (tx) => {
    const bot = await loadManagedBot(tx, await renewContext(tx, ctx), botId);
    if (!bot.isActive) throw badRequest(`The bot ${bot.fullName} is already deactivated.`);
    await endAccountIn(tx, ctx, bot, { revokesKeys: revokeKeys });
    const after = { is_active: false, ...(revokeKeys === true && { api_keys: "revoked" }) };
    tx.audit(ctx, { action: "user.deactivate", kind: "user", ids: [botId], after });
  });
}
