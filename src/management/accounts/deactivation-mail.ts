import type { Context, Tx, UserRow } from "../../core/context";
import { cleanText } from "../../core/text/name";
import { paragraph } from "../../letters/letter";
import { queueMail } from "../../letters/queue";
import { wordsOfUser } from "../account-words";

const commentLengthMax = 2_000;

/**
 * Comment of an administrator to a person whom they deactivate. Refuses one that is too long
 * (BAD_REQUEST).
 */
export const cleanComment = (comment: string): string =>
  cleanText("deactivation_notification_comment", comment.trim(), commentLengthMax);

/**
 * Mails a person that their account was deactivated, with the administrator's comment if there is
 * one. Not to bots, nor to people who were deactivated before.
 */
export async function mailDeactivation(
  tx: Tx,
  ctx: Context,
  user: UserRow,
  comment: string,
): Promise<void> {
  const { name } = ctx.realm;
  if (user.botType !== null || !user.isActive) return;
  const words = wordsOfUser(user);
  await queueMail(tx, ctx, {
    to: user,
    subject: words.accountEnded(name),
    language: words.tag,
    about: "word of a deactivation",
    letter: [
      paragraph(words.hello(user.fullName)),
      paragraph(words.wasDeactivated(name)),
      ...(comment === "" ? [] : [paragraph(words.administratorsAdd), paragraph(comment)]),
    ],
  });
}
