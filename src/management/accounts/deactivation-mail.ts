import type { Context, Tx, UserRow } from "../../core/context";
import { cleanText } from "../../core/name";
import { paragraph } from "../../letters/letter";
import { queueMail } from "../../letters/queue";

const commentLengthMax = 2_000;

/**
 * Comment of an administrator to somebody whom they deactivate. Refuses what is too long
 * (BAD_REQUEST).
 */
export const cleanComment = (comment: string): string =>
  cleanText("deactivation_notification_comment", comment.trim(), commentLengthMax);

/**
 * Writes to a person that their account has ended, with the administrator's words where there are
 * any. Not to bots, nor to who has gone before.
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
