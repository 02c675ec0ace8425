import { Type } from "@sinclair/typebox";
import { and, asc, eq, lte } from "drizzle-orm";
import type { Reader } from "../../../db/reader";
import type { Schema } from "../../../db/schema";
import { inChunks } from "../../core/chunks";
import type { Tx, UserRow } from "../../core/context";
import { describeError } from "../../core/log";
import { isDatabaseAway } from "../../core/storage/database-trouble";
import { turn } from "../../core/turns/turn";
import { defineJob, type Finish, type JobContext } from "../../jobs/define";
import type { Mail } from "../../letters/envelope";
import { missedMailJobName } from "../../letters/new-mentions";
import { queueMail } from "../../letters/queue";
import { hasRelay, requireRelay } from "../../letters/relay-needed";
import { presentUntil } from "../../people/presence/present-until";
import { findCurrentPresences } from "../../people/presence/queries";
import { parseUserSettings } from "../../people/settings/user-settings";
import { isActivePerson, listUsers } from "../../people/users/queries";
import { listRealms } from "../../realm/queries";
import type { News } from "./concerned";

/** The last message of a realm that was checked. */
const Place = Type.Object({ after: Type.Integer() });

type Payload = { after: number };

type Waiting = Schema["missedMail"]["$inferSelect"];

const checkSeconds = 60;
/** Number of people who get mails at a time. */
const peopleMax = 100;

/**
 * Checks once a minute for each realm which people the new messages may concern, and mails those
 * who are due: people who were away and have not read the messages when their own delay is over. A
 * send needs no work for it; the work grows with the messages since the last check, and the people
 * concerned. People who are present wait until they have gone.
 */
export const missedMailJob = defineJob(
  missedMailJobName,
  Place,
  async (ctx, { after }) => {
    requireRelay(ctx.app);
    const { checkNew } = await import("./concerned");
    const people = await listReachable(ctx);
    const wantAll = [...people.values()].filter(wantsChannels).map(({ id }) => id);
    const news = await checkNew(ctx.reader, ctx.realm.id, after, new Set(wantAll));
    const due = await listDue(ctx);
    const there = await listThere(ctx, due);
    const ready: Ready[] = [];
    for (const row of due) {
      const goneAt = there.get(row.userId);
      ready.push(
        goneAt === undefined
          ? await prepareSafely(ctx, row, people.get(row.userId), news.upTo)
          : { row, mails: undefined, goneAt },
      );
      await turn();
    }
    return finishing(news, people, ready);
  },
  { attemptsMax: Number.MAX_SAFE_INTEGER, canRun: hasRelay },
);

const wantsChannels = ({ settings }: UserRow) =>
  settings.includes("enable_stream_email_notifications") &&
  parseUserSettings(settings).enable_stream_email_notifications;

/** The people of a realm who may get mails, by id. */
async function listReachable({ reader, realm }: JobContext): Promise<Map<number, UserRow>> {
  const users = await listUsers(reader, realm.id);
  return new Map(users.filter(isActivePerson).map((user) => [user.id, user]));
}

async function listDue({ reader, realm, now }: JobContext): Promise<Waiting[]> {
  const { missedMail } = reader.t;
  const isDue = and(eq(missedMail.realmId, realm.id), lte(missedMail.dueAt, now));
  return reader.db
    .select()
    .from(missedMail)
    .where(isDue)
    .orderBy(asc(missedMail.dueAt))
    .limit(peopleMax);
}

/**
 * The present people among these, with the time when they count as away if they do nothing more.
 * Their unread messages are not checked, because these people are many and will probably read the
 * messages.
 */
async function listThere(ctx: JobContext, due: readonly Waiting[]): Promise<Map<number, number>> {
  const ids = due.map(({ userId }) => userId);
  const seen = ids.length === 0 ? [] : await findCurrentPresences(ctx, ids);
  const times = seen.map(({ userId, activeAt }) => [userId, presentUntil(activeAt)] as const);
  return new Map(times.filter(([, goneAt]) => goneAt > ctx.now));
}

/** Result for somebody who is due: mails, perhaps none; undefined for somebody who is present. */
interface Ready {
  row: Waiting;
  mails: Mail[] | undefined;
  goneAt?: number;
}

/** An error is logged, because one failed mail must not delay the others. */
async function prepareSafely(
  ctx: JobContext,
  row: Waiting,
  user: UserRow | undefined,
  upTo: number,
): Promise<Ready> {
  try {
    return await prepare(ctx, row, user, upTo);
  } catch (error) {
    // These people are found again when the database answers.
    if (isDatabaseAway(error)) throw error;
    ctx.app.log.error("missed_mail_failed", { user_id: row.userId, ...describeError(error) });
    return { row, mails: [] };
  }
}

async function prepare(
  ctx: JobContext,
  row: Waiting,
  user: UserRow | undefined,
  upTo: number,
): Promise<Ready> {
  const { reader, realm } = ctx;
  const { listMissed } = await import("./missed");
  const { composeMissed } = await import("./compose");
  if (!user) return { row, mails: [] };
  const missed = await listMissed(reader, realm, user, { from: row.fromMessage, upTo });
  if (missed.length === 0) return { row, mails: [] };
  const hasOthers = (await listRealms(reader)).length > 1;
  return { row, mails: await composeMissed(ctx, user, missed, hasOthers) };
}

function finishing(
  news: News,
  people: ReadonlyMap<number, UserRow>,
  ready: readonly Ready[],
): Finish<Payload> {
  return async (tx, ctx) => {
    const mentionedSince = await news.addMentionedSince(tx);
    for (const { row, mails, goneAt = 0 } of ready) {
      // The row stays due, because the mails may lack the message. The next check writes them.
      if (mentionedSince.has(row.userId)) continue;
      const isAsRead = await (mails ? removeRow(tx, row) : moveOn(tx, row, goneAt));
      if (!mails || !isAsRead) continue;
      for (const mail of mails) await queueMail(tx, ctx, mail);
      // The new messages were among those in the mail.
      news.concerns.delete(row.userId);
    }
    await storeConcerned(tx, ctx, news, people);
    const isMore = news.isMore || ready.length === peopleMax;
    return { payload: { after: news.upTo }, at: isMore ? tx.now : tx.now + checkSeconds };
  };
}

const isRow = ({ t: { missedMail: t } }: Reader, { realmId, userId, fromMessage }: Waiting) =>
  and(eq(t.realmId, realmId), eq(t.userId, userId), eq(t.fromMessage, fromMessage));

async function moveOn(tx: Tx, row: Waiting, goneAt: number): Promise<boolean> {
  const { missedMail: t } = tx.t;
  const dueAt = Math.max(tx.now + checkSeconds, goneAt);
  const moved = await tx.db
    .update(t)
    .set({ dueAt })
    .where(isRow(tx, row))
    .returning({ userId: t.userId });
  return moved.length > 0;
}

/**
 * Answers whether the row was unchanged: a row that was set back to an earlier message is processed
 * again.
 */
async function removeRow(tx: Tx, row: Waiting): Promise<boolean> {
  const { missedMail: t } = tx.t;
  return (await tx.db.delete(t).where(isRow(tx, row)).returning({ userId: t.userId })).length > 0;
}

/** For somebody who already waits, the first message stays. */
async function storeConcerned(
  tx: Tx,
  ctx: JobContext,
  { concerns }: News,
  people: ReadonlyMap<number, UserRow>,
) {
  const rows = [...concerns].flatMap(([userId, { messageId, sentAt }]) => {
    const user = people.get(userId);
    if (!user) return [];
    const { email_notifications_batching_period_seconds: seconds } = parseUserSettings(
      user.settings,
    );
    return [{ realmId: ctx.realm.id, userId, fromMessage: messageId, dueAt: sentAt + seconds }];
  });
  for (const chunk of inChunks(rows))
    await tx.db.insert(tx.t.missedMail).values(chunk).onConflictDoNothing();
}
