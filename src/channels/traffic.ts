import { and, asc, desc, eq, gt, gte, sql } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../db/reader";
import { daySeconds } from "../core/clock";
import type { App, Context, RealmMoment, RealmRow, Tx } from "../core/context";
import { tellFailure } from "../core/log";
import { operatorContext } from "../core/operator";
import { makePace, turn } from "../core/turns/turn";
import { write } from "../core/write";
import { renewContext } from "../people/users/renew-context";
import { listRealms } from "../realm/queries";
import { announceUpdate } from "./announce-changes";
import { type ChannelRow, findChannel, listChannels } from "./queries";
import { storeChannel } from "./store";

/**
 * The traffic of channels is counted once a day, outside of writes, so that a send only has to
 * store that a channel is active again. Several nodes may count at once, because a count is stored
 * only if it has changed.
 */

/** Days over which traffic is averaged. */
const trafficDays = 28;
/** A younger channel has no traffic value yet. */
const trafficDaysMin = 7;
/** Days without messages after which a channel is inactive. */
const activeDays = 180;
/**
 * Number of messages that are counted at once, so that other work waits no longer than for a large
 * message.
 */
const messagesPerCount = 50_000;
/** Number of channels that are counted before others have their turn. */
const channelsPerTurn = 20;
const channelsPerWrite = 25;

interface Activity {
  channelId: number;
  weeklyTraffic: number | null;
  isRecentlyActive: boolean;
}

/**
 * Makes a function that counts traffic, at most once a day however often it is called, until
 * `isEnding`.
 */
export function makeTrafficCount(app: App, isEnding: () => boolean): () => Promise<void> {
  let dueAt = 0;
  return async () => {
    if (app.clock.now() < dueAt) return;
    dueAt = app.clock.now() + daySeconds;
    for (const realm of await listRealms(app.engine.reader)) {
      if (isEnding()) return;
      if (!realm.isActive) continue;
      await countTraffic(app, realm, isEnding).catch((error: unknown) =>
        tellFailure(app.log.error, "traffic_failed", error, { realmId: realm.id }),
      );
    }
  };
}

/**
 * Stores the weekly messages of each channel and whether it is active. Announces a `stream` update
 * of `stream_weekly_traffic` and of `is_recently_active` to people who may know the channel, where
 * it changed.
 */
async function countTraffic(app: App, realm: RealmRow, isEnding: () => boolean) {
  const ctx: Context = {
    ...operatorContext(app, realm),
    actor: { kind: "job", name: "traffic" },
    client: "Internal",
  };
  const { reader } = app.engine;
  const start = await firstMessageSince(reader, realm.id, ctx.now - trafficDays * daySeconds);
  const found: Activity[] = [];
  const pace = makePace(channelsPerTurn);
  for (const channel of await listChannels(reader, realm.id)) {
    if (isEnding()) return;
    await pace(1);
    const activity = await activityOf(reader, channel, start, ctx.now);
    if (isNews(channel, activity)) found.push(activity);
  }
  for (let first = 0; first < found.length; first += channelsPerWrite) {
    const part = found.slice(first, first + channelsPerWrite);
    await write(ctx, async (tx) => noteActivity(tx, await renewContext(tx, ctx), part));
    await turn();
  }
}

const isNews = (channel: ChannelRow, { weeklyTraffic, isRecentlyActive }: Activity) =>
  channel.weeklyTraffic !== weeklyTraffic || channel.isRecentlyActive !== isRecentlyActive;

async function noteActivity(tx: Tx, moment: RealmMoment, found: readonly Activity[]) {
  for (const { channelId, ...activity } of found) {
    const channel = await findChannel(tx, moment.realm.id, channelId);
    if (!channel || !isNews(channel, { channelId, ...activity })) continue;
    const updated = await storeChannel(tx, channel, activity);
    if (updated.weeklyTraffic !== channel.weeklyTraffic) {
      await announceUpdate(tx, moment, updated, {
        property: "stream_weekly_traffic",
        value: updated.weeklyTraffic,
      });
    }
    if (updated.isRecentlyActive !== channel.isRecentlyActive)
      await announceActivity(tx, moment, updated);
  }
}

const announceActivity = (tx: Tx, moment: RealmMoment, channel: ChannelRow) =>
  announceUpdate(tx, moment, channel, {
    property: "is_recently_active",
    value: channel.isRecentlyActive,
  });

/** Whether a message of that time makes its channel active. */
export const isRecent = (sentAt: number, now: number): boolean =>
  sentAt >= now - activeDays * daySeconds;

/**
 * Marks an inactive channel as active after a recent message, and announces it: `stream` update
 * `is_recently_active`.
 */
export async function wakeChannel(tx: Tx, moment: RealmMoment, channelId: number) {
  const channel = await findChannel(tx, moment.realm.id, channelId);
  if (!channel || channel.isRecentlyActive) return;
  await announceActivity(tx, moment, await storeChannel(tx, channel, { isRecentlyActive: true }));
}

async function activityOf(
  reader: Reader,
  channel: ChannelRow,
  start: number,
  now: number,
): Promise<Activity> {
  const { id: channelId, createdAt } = channel;
  const count = await countSince(reader, channel, start);
  const newest = count > 0 ? now : Math.max(createdAt, await newestSentAt(reader, channel));
  const isRecentlyActive = isRecent(newest, now);
  return {
    channelId,
    weeklyTraffic: weeklyTrafficOf(count, Math.floor((now - createdAt) / daySeconds)),
    isRecentlyActive,
  };
}

/**
 * Messages a week, to two digits, by the count of a channel's last 28 days; null for a channel that
 * is younger than a week.
 */
export function weeklyTrafficOf(count: number, ageDays: number): number | null {
  if (ageDays < trafficDaysMin) return null;
  const average = Math.floor((count * trafficDaysMin) / Math.min(ageDays, trafficDays));
  if (average === 0) return count > 0 ? 1 : 0;
  const scale = 10 ** Math.max(0, Math.floor(Math.log10(average)) - 1);
  return Math.round(average / scale) * scale;
}

/** The id from which on a realm's messages are as young as that; ids are in the order of time. */
async function firstMessageSince(
  { db, t }: Reader,
  realmId: number,
  since: number,
): Promise<number> {
  const { messages } = t;
  const ofRealm = eq(messages.realmId, realmId);
  const [last] = await db
    .select({ id: messages.id })
    .from(messages)
    .where(ofRealm)
    .orderBy(desc(messages.id))
    .limit(1);
  let [low, high] = [0, (last?.id ?? 0) + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [next] = await db
      .select({ id: messages.id, sentAt: messages.sentAt })
      .from(messages)
      .where(and(ofRealm, gte(messages.id, middle)))
      .orderBy(asc(messages.id))
      .limit(1);
    if (!next || next.sentAt >= since) high = middle;
    else low = next.id + 1;
  }
  return low;
}

const selectPart = statement(
  (
    db,
    { messages },
    given: Given<{ realmId: number; channelId: number; after: number; limit: number }>,
  ) => {
    const part = db
      .select({ id: messages.id })
      .from(messages)
      .where(
        and(
          eq(messages.realmId, given.realmId),
          eq(messages.channelId, given.channelId),
          gt(messages.id, given.after),
        ),
      )
      .orderBy(asc(messages.id))
      .limit(given.limit)
      .as("part");
    return db
      .select({
        count: sql<number>`count(*)`.mapWith(Number),
        last: sql<number | null>`max(${part.id})`,
      })
      .from(part);
  },
);

async function countSince(
  reader: Reader,
  { realmId, id: channelId }: ChannelRow,
  start: number,
): Promise<number> {
  let [count, after] = [0, start - 1];
  for (;;) {
    const given = { realmId, channelId, after, limit: messagesPerCount };
    const [row] = await selectPart(reader, given);
    count += row?.count ?? 0;
    if (!row || row.count < messagesPerCount) return count;
    after = Number(row.last);
    await turn();
  }
}

const selectNewest = statement(
  (db, { messages }, given: Given<{ realmId: number; channelId: number }>) =>
    db
      .select({ sentAt: messages.sentAt })
      .from(messages)
      .where(and(eq(messages.realmId, given.realmId), eq(messages.channelId, given.channelId)))
      .orderBy(desc(messages.id))
      .limit(1),
);

/** Time of a channel's newest message, 0 if it has none. */
async function newestSentAt(
  reader: Reader,
  { realmId, id: channelId }: ChannelRow,
): Promise<number> {
  const [newest] = await selectNewest(reader, { realmId, channelId });
  return newest?.sentAt ?? 0;
}
