import { daySeconds } from "../core/clock";
import type { Tx } from "../core/context";
import { serverCounters } from "../core/counters";
import { describeError } from "../core/log";
import { perServer } from "../core/per-server";
import { traced } from "../core/traced";
import { defineJob, type JobContext } from "../jobs/define";
import { mailJobName } from "../letters/cancel";
import { openEnvelope } from "../letters/envelope";
import { queueMail } from "../letters/queue";
import { isAboutMail, MailRefusedError, sendByRelay } from "../letters/relay";
import { hasRelay, requireRelay } from "../letters/relay-needed";
import { WaitingMail } from "../letters/waiting-mail";
import { findNoticeTime, sendNoticeIn } from "../messages/send/notice";
import { findUser } from "../people/users/queries";
import { lookAgainIn } from "./missed-mail/store";

/**
 * Time that a mail about messages may wait for the relay, because these may have been read since.
 * One of whose messages was changed, or may not be read by the person any more, waits no longer.
 */
const freshSeconds = 600;

/**
 * Time after which a rewritten mail is given up, counted from the first attempt: about as long as
 * other mails are tried, because a mailbox may be full for good.
 */
export const patienceSeconds = 2 * daySeconds;

/**
 * Pause after the relay could not be reached or refused the sign-in, because each attempt takes a
 * place of the work outside.
 */
const restSeconds = 15;
const rest = perServer(() => ({ until: 0 }));

/** A mail that is given to the relay, as traces show it. */
const giving = { name: "mail", kind: "client" } as const;

/**
 * Sends one mail. A permanent refusal ends the job; it is logged and told to the person concerned.
 * After any other failure it is tried again for about two days. Then the person is told, too, and
 * the mail stays on the list of failed jobs for the operator. A mail that has expired is dropped,
 * and so is one about messages or channels to somebody who was deactivated meanwhile.
 */
export const mailJob = defineJob(
  mailJobName,
  WaitingMail,
  async (ctx, { about, sealed, expiresAt, lookAgain, digestOf }, signal) => {
    const { app, now } = ctx;
    requireRelay(app);
    const envelope = openEnvelope(ctx, sealed);
    const facts = { about, to: envelope.to.address, message_id: envelope.messageId };
    const why = await whyDropped(ctx, expiresAt, lookAgain?.userId ?? digestOf);
    if (why !== undefined) {
      serverCounters.of(app).add("mails", "dropped");
      app.log.info("mail_dropped", { ...facts, why });
      return undefined;
    }
    const isFresh = now < envelope.date + freshSeconds;
    const inTime = { expiresAt: expiresAt ?? envelope.date + patienceSeconds };
    if (digestOf !== undefined && !isFresh) {
      const { digestAgain } = await import("./digest/job");
      const mail = await digestAgain(ctx, digestOf);
      return async (tx) => {
        if (mail) await queueMail(tx, ctx, { ...mail, ...inTime });
        return undefined;
      };
    }
    if (lookAgain && !(isFresh && (await stillHolds(ctx, lookAgain)))) {
      const { userId, messageIds } = lookAgain;
      if (!messageIds) return (tx) => putBack(tx, ctx, lookAgain);
      const { composeAgain } = await import("./missed-mail/again");
      const mails = await composeAgain(ctx, userId, messageIds);
      return async (tx) => {
        for (const mail of mails) await queueMail(tx, ctx, { ...mail, ...inTime });
        return undefined;
      };
    }
    // A longer rest began while the clock was ahead.
    const restLeft = rest.of(app).until - now;
    if (restLeft > 0 && restLeft <= restSeconds)
      throw new Error("The mail server could not be used a moment ago.");
    const send = () => sendByRelay(app.config, envelope, signal);
    const response = await traced(app, giving, send).catch((error: unknown) => {
      if (!isAboutMail(error) && !signal.aborted) rest.of(app).until = now + restSeconds;
      serverCounters.of(app).add("mails", error instanceof MailRefusedError ? "refused" : "failed");
      throw error;
    });
    serverCounters.of(app).add("mails", "sent");
    app.log.info("mail_sent", { ...facts, response });
    return undefined;
  },
  {
    isLeased: true,
    isOutside: true,
    canRun: hasRelay,
    isFinal: (error) => error instanceof MailRefusedError,
    staysFailed: true,
    onFinalFailure: async (tx, ctx, { about, sealed, tellUserId }, error) => {
      const { to, messageId } = openEnvelope(ctx, sealed);
      const why = String(describeError(error)["error"]);
      const event = error instanceof MailRefusedError ? "mail_refused" : "mail_given_up";
      ctx.app.log.warn(event, { about, to: to.address, message_id: messageId, why });
      if (tellUserId !== null) await tell(tx, ctx, tellUserId, `${about} (${to.address})`, why);
    },
  },
);

/**
 * The reason why a mail is not sent at all; undefined for one that is. `readerId` is the person who
 * reads in it of messages or channels: somebody who was deactivated meanwhile must not.
 */
async function whyDropped(
  { reader, realm, now }: JobContext,
  expiresAt: number | null,
  readerId: number | undefined,
): Promise<string | undefined> {
  if (expiresAt !== null && now >= expiresAt) return "it has expired";
  if (readerId === undefined) return undefined;
  const person = await findUser(reader, realm.id, readerId);
  return person?.isActive ? undefined : "the person is deactivated";
}

/** Whether a mail about messages holds as it was written, as far as it tells these. */
async function stillHolds(
  ctx: JobContext,
  { userId, messageIds, shown }: { userId: number; messageIds?: number[]; shown?: string },
): Promise<boolean> {
  if (!messageIds) return true;
  const { isAsWritten } = await import("./missed-mail/again");
  return isAsWritten(ctx, userId, messageIds, shown);
}

async function putBack(
  tx: Tx,
  { realm }: JobContext,
  lookAgain: { userId: number; fromMessage: number },
) {
  await lookAgainIn(tx, realm.id, lookAgain);
  return undefined;
}

/**
 * Time before somebody gets an equal notice again, because they may miss many mails.
 */
const silentSeconds = 7 * daySeconds;

async function tell(tx: Tx, ctx: JobContext, userId: number, what: string, why: string) {
  const person = await findUser(tx, ctx.realm.id, userId);
  if (!person?.isActive) return;
  // The relay wrote this text, so it is shown as code, without formatting.
  const reason = why.replaceAll("`", "'").replaceAll(/\s+/g, " ").slice(0, 300);
  const content = `The mail with ${what} could not be delivered: \`${reason}\``;
  const toldAt = await findNoticeTime(tx, ctx.realm, person, (text) => text === content);
  if (toldAt === undefined || toldAt <= tx.now - silentSeconds)
    await sendNoticeIn(tx, ctx, { person, content });
}
