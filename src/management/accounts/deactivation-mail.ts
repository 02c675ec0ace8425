import type { Context, Tx, UserRow } from "../../core/context";
import { cleanText } from "../../core/name";
import { paragraph } from "../../letters/letter";
import { queueMail } from "../../letters/queue";

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
  await queueMail(tx, ctx, {
    to: user,
    subject: `Your account at ${name} has ended`,
    about: "word of a deactivation",
    letter: [
      paragraph(`Hello ${user.fullName},`),
      paragraph(`your account at ${name} was deactivated: you cannot sign in any more.`),
      ...(comment === "" ? [] : [paragraph("The administrators add:"), paragraph(comment)]),
    ],
  });
}
