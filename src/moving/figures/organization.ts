import { and, count, eq, gte, isNull, lte, max, sql } from "drizzle-orm";
import type { Reader } from "../../../db/reader";
import { countTopics } from "../../channels/topics/queries";
import { daySeconds } from "../../core/clock";
import type { RealmRow } from "../../core/context";

interface Active {
  day: number;
  week: number;
  month: number;
}

/** Numbers of an organization, or of several together. */
export interface OrganizationFigures {
  people: number;
  /** People who have used a client, an API key or a browser's session in the last days. */
  activePeople: Active;
  bots: number;
  /** Bots whose API key was used in the last days. */
  activeBots: Active;
  messages: number;
  channels: number;
  archivedChannels: number;
  topics: number;
  files: number;
  fileBytes: number;
  /** Clients that are connected, or were a short time ago. */
  queues: number;
  jobsWaiting: number;
  jobsFailed: number;
}

/**
 * Numbers of an organization as of now, cheap enough for an organization of millions of messages
 * while its server runs. Messages are counted in an index without being read. Topics are counted by
 * skipping from each to the next in an index. The bytes of files are a total that chatd keeps up to
 * date anyway.
 */
export async function readOrganizationFigures(
  reader: Reader,
  realm: RealmRow,
  now: number,
): Promise<OrganizationFigures> {
  const { t } = reader;
  const [people, times] = [
    await readPeople(reader, realm.id),
    await readTimes(reader, realm.id, now),
  ];
  const active = (ids: readonly number[]): Active => {
    const since = (days: number) =>
      ids.filter((id) => (times.get(id) ?? 0) >= now - days * daySeconds).length;
    return { day: since(1), week: since(7), month: since(30) };
  };
  const channels = await reader.db
    .select({ id: t.channels.id, isArchived: t.channels.isArchived })
    .from(t.channels)
    .where(eq(t.channels.realmId, realm.id));
  const archived = channels.filter(({ isArchived }) => isArchived);
  const channelIds = channels.map(({ id }) => id);
  return {
    people: people.ids.length,
    activePeople: active(people.ids),
    bots: people.bots.length,
    activeBots: active(people.bots),
    messages: await countRows(reader, t.messages, realm.id),
    channels: channels.length - archived.length,
    archivedChannels: archived.length,
    topics: await countTopics(reader, realm.id, channelIds),
    files: await countRows(reader, t.attachments, realm.id),
    fileBytes: realm.uploadedBytes,
    queues: await countRows(reader, t.eventQueues, realm.id),
    ...(await countJobs(reader, realm.id)),
  };
}

type Countable = Reader["t"]["messages" | "attachments" | "eventQueues"];

async function countRows({ db }: Reader, table: Countable, realmId: number): Promise<number> {
  const [row] = await db.select({ count: count() }).from(table).where(eq(table.realmId, realmId));
  return row?.count ?? 0;
}

async function readPeople({ db, t: { users } }: Reader, realmId: number) {
  const rows = await db
    .select({ id: users.id, botType: users.botType, isSystemBot: users.isSystemBot })
    .from(users)
    .where(and(eq(users.realmId, realmId), eq(users.isActive, true)));
  return {
    ids: rows.filter(({ botType }) => botType === null).map(({ id }) => id),
    bots: rows
      .filter(({ botType, isSystemBot }) => botType !== null && !isSystemBot)
      .map(({ id }) => id),
  };
}

/** The last time that each user was seen in the last month, by their id. */
async function readTimes({ db, t }: Reader, realmId: number, now: number) {
  const since = now - 30 * daySeconds;
  const { userPresences: p, apiKeys: k, sessions: s } = t;
  const seen = [
    await db
      .select({ userId: p.userId, at: p.activeAt })
      .from(p)
      // A time in the future was stored while the clock was ahead.
      .where(and(eq(p.realmId, realmId), gte(p.activeAt, since), lte(p.activeAt, now))),
    await db
      .select({ userId: k.userId, at: max(k.lastUsedAt) })
      .from(k)
      .where(and(eq(k.realmId, realmId), gte(k.lastUsedAt, since)))
      .groupBy(k.userId),
    await db
      .select({ userId: s.userId, at: max(s.lastSeenAt) })
      .from(s)
      .where(and(eq(s.realmId, realmId), gte(s.lastSeenAt, since)))
      .groupBy(s.userId),
  ];
  const times = new Map<number, number>();
  for (const { userId, at } of seen.flat())
    times.set(userId, Math.max(times.get(userId) ?? 0, at ?? 0));
  return times;
}

async function countJobs({ db, t: { jobs } }: Reader, realmId: number) {
  const [row] = await db
    .select({
      all: count(),
      waiting: sql<number>`count(case when ${isNull(jobs.failedAt)} then 1 end)`.mapWith(Number),
    })
    .from(jobs)
    .where(eq(jobs.realmId, realmId));
  const { all, waiting } = row ?? { all: 0, waiting: 0 };
  return { jobsWaiting: waiting, jobsFailed: all - waiting };
}

/** The numbers of several organizations together. */
export const sumOf = (all: readonly OrganizationFigures[]): OrganizationFigures => {
  const sum = (value: (one: OrganizationFigures) => number) =>
    all.reduce((total, one) => total + value(one), 0);
  const active = (of: (one: OrganizationFigures) => Active): Active => ({
    day: sum((one) => of(one).day),
    week: sum((one) => of(one).week),
    month: sum((one) => of(one).month),
  });
  return {
    people: sum((one) => one.people),
    activePeople: active((one) => one.activePeople),
    bots: sum((one) => one.bots),
    activeBots: active((one) => one.activeBots),
    messages: sum((one) => one.messages),
    channels: sum((one) => one.channels),
    archivedChannels: sum((one) => one.archivedChannels),
    topics: sum((one) => one.topics),
    files: sum((one) => one.files),
    fileBytes: sum((one) => one.fileBytes),
    queues: sum((one) => one.queues),
    jobsWaiting: sum((one) => one.jobsWaiting),
    jobsFailed: sum((one) => one.jobsFailed),
  };
};
