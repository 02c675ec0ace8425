import type { Context, Tx, UserRow } from "../core/context";
import type { ApiError } from "../core/errors";
import { perServer } from "../core/per-server";
import { sendNoticeIn } from "../messages/send/notice";
import { findUser } from "../people/users/queries";

/** Least time between two notices about one bot to its owner. */
const toldSeconds = 600;
/** Time of the last notice to a bot's owner, by the bot. */
const toldAt = perServer(() => new Map<number, number>());

/** Whether a refusal names something, such as a channel, that the bot's owner may not know of. */
export const namesSomething = ({ reason }: ApiError): boolean => (reason?.values.length ?? 0) > 0;

/** Whether the owner of a bot got a notice about it so recently that there is no further one yet. */
export const isOwnerTold = ({ app }: Pick<Context, "app">, botId: number, now: number): boolean =>
  now < (toldAt.of(app).get(botId) ?? 0) + toldSeconds;

/**
 * Sends a notice about a bot to its owner, as Notification Bot, unless there was one recently.
 * `contentFor` makes its Markdown.
 */
export async function sendOwnerNotice(
  tx: Tx,
  ctx: Context,
  botId: number,
  contentFor: (bot: UserRow, owner: UserRow) => string | Promise<string>,
): Promise<void> {
  const bot = await findUser(tx, ctx.realm.id, botId);
  const owner =
    bot?.botOwnerId == null ? undefined : await findUser(tx, ctx.realm.id, bot.botOwnerId);
  if (!bot || !owner?.isActive || isOwnerTold(ctx, botId, tx.now)) return;
  tx.afterCommit(() => toldAt.of(ctx.app).set(bot.id, tx.now));
  await sendNoticeIn(tx, ctx, { person: owner, content: await contentFor(bot, owner) });
}
