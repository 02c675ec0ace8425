import { Type } from "@sinclair/typebox";
import { findChannelsByIds, listChannels } from "../../channels/queries";
import { daySeconds } from "../../core/clock";
import type { RealmRow, UserRow } from "../../core/context";
import { describeError } from "../../core/log";
import { perServer } from "../../core/per-server";
import { isDatabaseAway } from "../../core/storage/database-trouble";
import { turn } from "../../core/turns/turn";
import { defineJob, type JobContext } from "../../jobs/define";
import type { Mail } from "../../letters/envelope";
import { queueMail } from "../../letters/queue";
import { hasRelay, requireRelay } from "../../letters/relay-needed";
import { findCurrentPresences } from "../../people/presence/queries";
import { parseUserSettings } from "../../people/settings/user-settings";
import { findUser, listUsers } from "../../people/users/queries";
import { lastBefore } from "../../reading/last-before";
import { parseRealmSettings } from "../../realm/settings";
import type { Week } from "./compose";

const weekSeconds = 7 * daySeconds;
/** Time of absence after which a person gets a digest. */
const awaySeconds = 5 * daySeconds;
/** Time of day when digests are sent: ten o'clock UTC. */
const hourSeconds = 10 * 3_600;
/** Number of people who are checked in one run, and of mails per second. */
const peopleMax = 500;
const mailsPerSecond = 10;

/** The first such time after a given one. */
export const nextHour = (now: number): number =>
  now + daySeconds - ((now + daySeconds - hourSeconds) % daySeconds);

/** Day of the week; Monday is 0, as in the protocol. */
const weekdayOf = (now: number) => (Math.floor(now / daySeconds) + 3) % 7;

/**
 * Checks once a day for each realm whether it is the day of its digests (`digest_weekday`, where
 * `digest_emails_enabled`). If so, it mails people who were away (`enable_digest_emails`), many at
 * a time. `after` is the last person checked.
 */
export const digestJob = defineJob(
  "digest",
  Type.Object({ after: Type.Integer() }),
  async (ctx, { after }) => {
    const { app, realm, now } = ctx;
    requireRelay(app);
    const { digest_weekday: weekday } = parseRealmSettings(realm.settings);
    const isDay = sendsDigests(realm) && weekdayOf(now) === weekday;
    const { people, last, isMore } = isDay
      ? await listAway(ctx, after)
      : { people: [], last: 0, isMore: false };
    const mails = await composeAll(ctx, people);
    return async (tx) => {
      for (const [index, mail] of mails.entries()) {
        await queueMail(tx, ctx, {
          ...mail,
          notBefore: tx.now + Math.floor(index / mailsPerSecond),
        });
      }
      if (!isMore) countedByRealm.of(app).delete(realm.id);
      if (isMore) return { payload: { after: last }, at: tx.now + peopleMax / mailsPerSecond };
      return { payload: { after: 0 }, at: nextHour(tx.now) };
    };
  },
  { attemptsMax: Number.MAX_SAFE_INTEGER, canRun: hasRelay },
);

/**
 * The next people by id who want digests and have been away for long, and the last person checked.
 */
async function listAway(ctx: JobContext, after: number) {
  const { reader, realm, now } = ctx;
  const next: UserRow[] = [];
  for (const user of (await listUsers(reader, realm.id)).toSorted((a, b) => a.id - b.id)) {
    if (user.id > after && next.length < peopleMax && mayGet(user, now)) next.push(user);
  }
  const people = await awayAmong(ctx, next);
  return { people, last: next.at(-1)?.id ?? 0, isMore: next.length === peopleMax };
}

async function awayAmong(ctx: JobContext, users: UserRow[]) {
  const ids = users.map(({ id }) => id);
  const seen = await findCurrentPresences(ctx, ids);
  const there = new Set(
    seen.flatMap((row) => (row.connectedAt > ctx.now - awaySeconds ? [row.userId] : [])),
  );
  return users.filter(({ id }) => !there.has(id));
}

const sendsDigests = ({ settings }: RealmRow) => parseRealmSettings(settings).digest_emails_enabled;

/**
 * A new digest in place of one that waited so long that the person may have lost channels, come
 * back or unsubscribed. Undefined if they are not to get one any more.
 */
export async function digestAgain(ctx: JobContext, userId: number): Promise<Mail | undefined> {
  const { reader, realm, now } = ctx;
  const user = await findUser(reader, realm.id, userId);
  if (!user || !sendsDigests(realm) || !mayGet(user, now)) return undefined;
  return (await composeAll(ctx, await awayAmong(ctx, [user])))[0];
}

const mayGet = (user: UserRow, now: number) =>
  user.isActive &&
  user.botType === null &&
  user.createdAt <= now - awaySeconds &&
  parseUserSettings(user.settings).enable_digest_emails;

async function composeAll(ctx: JobContext, people: readonly UserRow[]): Promise<Mail[]> {
  if (people.length === 0) return [];
  const { composeDigest } = await import("./compose");
  const week = await loadWeek(ctx);
  const mails: Mail[] = [];
  for (const user of people) {
    try {
      const mail = await composeDigest(ctx, user, week);
      if (mail) mails.push(mail);
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      ctx.app.log.error("digest_failed", { user_id: user.id, ...describeError(error) });
    }
    await turn();
  }
  return mails;
}

/**
 * Counts of the last week, by realm, cached for some minutes, because they need all messages of the
 * week and thousands of people need them. No longer, because topics may be deleted or moved.
 */
const countedByRealm = perServer(() => new Map<number, Counted>());
type Counted = Pick<Week, "after" | "topics"> & { at: number };
const countedSeconds = 300;

async function countTopics({ app, reader, realm, now }: JobContext): Promise<Counted> {
  const { listBusyTopics } = await import("./busy-topics");
  const byRealm = countedByRealm.of(app);
  const counted = byRealm.get(realm.id);
  if (counted && now < counted.at + countedSeconds) return counted;
  const after = await lastBefore(reader, realm.id, now - weekSeconds);
  const found = { at: now, after, topics: await listBusyTopics(reader, realm.id, after) };
  byRealm.set(realm.id, found);
  return found;
}

async function loadWeek(ctx: JobContext): Promise<Week> {
  const { reader, realm, now } = ctx;
  const { after, topics } = await countTopics(ctx);
  const ids = [...new Set(topics.map(({ channelId }) => channelId))];
  const channels = new Map(
    (await findChannelsByIds(reader, realm.id, ids)).map((one) => [one.id, one]),
  );
  const isNew = (channel: { createdAt: number; inviteOnly: boolean; isArchived: boolean }) =>
    channel.createdAt > now - weekSeconds && !channel.inviteOnly && !channel.isArchived;
  return {
    after,
    topics,
    channels,
    newChannels: (await listChannels(reader, realm.id)).filter(isNew),
  };
}
