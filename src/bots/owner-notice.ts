import type { Tx, UserRow } from "../core/context";
import type { ApiError } from "../core/errors";
import { silentMention } from "../core/notice-actor";
import { perServer } from "../core/per-server";
import type { SendMoment } from "../core/steps";
import { findNoticeTime, sendNoticeIn } from "../messages/send/notice";
import { findUser } from "../people/users/queries";

/** Subjects of notices about a bot, with the least time between two and with how they name it. */
const subjects = {
  failure: { silentSeconds: 600, before: "to your bot" },
  lost: { silentSeconds: 3_600, before: "for your bot" },
};
type NoticeSubject = keyof typeof subjects;
/**
 * Time of the last notice to a bot's owner that this server knows of, by the subject and the bot:
 * it saves the question to the database.
 */
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
): boolean =>
  now < (toldAt.of(app).get(`${subject} ${botId}`) ?? -Infinity) + subjects[subject].silentSeconds;

/**
 * Sends a notice about a bot to its owner, as Notification Bot, unless there was one about this
 * subject recently. `contentFor` makes its Markdown, in which `named` has to stand: it names the
 * bot, and tells the notice from those about others.
 */
export async function sendOwnerNotice(
  tx: Tx,
  ctx: SendMoment,
  botId: number,
  contentFor: (named: string, owner: UserRow) => string | Promise<string>,
  subject: NoticeSubject = "failure",
): Promise<void> {
  if (isOwnerTold(ctx, botId, tx.now, subject)) return;
  const bot = await findUser(tx, ctx.realm.id, botId);
  const owner =
    bot?.botOwnerId == null ? undefined : await findUser(tx, ctx.realm.id, bot.botOwnerId);
  if (!bot || !owner?.isActive) return;
  const { silentSeconds, before } = subjects[subject];
  const named = `${before} ${silentMention(bot)}`;
  const last = await findNoticeTime(tx, ctx.realm, owner, (text) => text.includes(named));
  const isDue = last === undefined || tx.now >= last + silentSeconds;
  tx.afterCommit(() => toldAt.of(ctx.app).set(`${subject} ${bot.id}`, isDue ? tx.now : last));
  if (isDue)
    await sendNoticeIn(tx, ctx, { person: owner, content: await contentFor(named, owner) });
}
