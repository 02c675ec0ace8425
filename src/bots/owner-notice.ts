import type { Tx, UserRow } from "../core/context";
import type { ApiError } from "../core/errors";
import { perServer } from "../core/per-server";
import type { SendMoment } from "../core/steps";
import { sendNoticeIn } from "../messages/send/notice";
import { findUser } from "../people/users/queries";

/** Least time between two notices about one bot to its owner, by their subject. */
const toldSeconds = { failure: 600, lost: 3_600 };
type NoticeSubject = keyof typeof toldSeconds;
/** Time of the last notice to a bot's owner, by the subject and the bot. */
const toldAt = perServer(() => new Map<string, number>());

/** Whether a refusal names something, such as a channel, that the bot's owner may not know of. */
export const namesSomething = ({ reason }: ApiError): boolean => (reason?.values.length ?? 0) > 0;

/**
 * Whether the owner of a bot got a notice about this subject so recently that there is no further
 * one yet.
 */
export const isOwnerTold = (
  { app }: Pick<SendMoment, "app">,
  botId: number,
  now: number,
  subject: NoticeSubject = "failure",
): boolean => now < (toldAt.of(app).get(`${subject} ${botId}`) ?? -Infinity) + toldSeconds[subject];

/**
 * Sends a notice about a bot to its owner, as Notification Bot, unless there was one about this
 * subject recently. `contentFor` makes its Markdown.
 */
export async function sendOwnerNotice(
  tx: Tx,
  ctx: SendMoment,
  botId: number,
  contentFor: (bot: UserRow, owner: UserRow) => string | Promise<string>,
  subject: NoticeSubject = "failure",
): Promise<void> {
  if (isOwnerTold(ctx, botId, tx.now, subject)) return;
  const bot = await findUser(tx, ctx.realm.id, botId);
  const owner =
    bot?.botOwnerId == null ? undefined : await findUser(tx, ctx.realm.id, bot.botOwnerId);
  if (!bot || !owner?.isActive) return;
  tx.afterCommit(() => toldAt.of(ctx.app).set(`${subject} ${bot.id}`, tx.now));
  await sendNoticeIn(tx, ctx, { person: owner, content: await contentFor(bot, owner) });
}
