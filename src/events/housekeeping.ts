import { and, asc, desc, eq, inArray, lt, sql } from "drizzle-orm";
import { type Given, statement } from "../../db/reader";
import { daySeconds } from "../core/clock";
import type { App, Tx } from "../core/context";
import { perServer } from "../core/per-server";
import { write } from "../core/write";
import { logHeadIn } from "../memory/log-head";
import { keepUp } from "../memory/realm-memory";
import { saveAndExpire } from "./queue-expiry";
import { idleTimeoutSecondsMax, type QueueState } from "./queues";
import type { ServingHub } from "./serving-hub";

/** Seconds that an event stays in the log: a day longer than a queue lives without a poll. */
const logKeptSeconds = ({ queueIdleSeconds }: App["config"]) =>
  Math.max(idleTimeoutSecondsMax, queueIdleSeconds) + daySeconds;

/**
 * Saves when queues were last polled, deletes abandoned queues, and deletes events that no queue
 * can ask for. The age of a queue or an event counts from the server's start at the earliest,
 * because nobody can poll a server that is down. For that reason the age of a queue also counts
 * from the end of the last time in which the database did not answer.
 */
export async function tidyQueues(app: App, hub: ServingHub, realmIds: number[]): Promise<void> {
  const now = app.clock.now();
  for (const realmId of realmIds) {
    const queues = hub.queuesIn(realmId);
    for (const queue of queues) if (queue.held) queue.lastSeen = now;
    const logKeptFrom = await findLogKeptFrom(app, realmId, now);
    hub.endQueues(realmId, await saveAndExpire(app, realmId, queues, { now, logKeptFrom }));
    hub.endQueues(realmId, forgotten(queues, now));
    await keepUp(app.engine.reader, realmId);
    await pruneLog(app, realmId, { now, before: logKeptFrom });
  }
}

const selectLastBefore = statement((db, t, given: Given<{ realmId: number; before: number }>) =>
  db
    .select({ createdAt: t.eventLog.createdAt })
    .from(t.eventLog)
    .where(and(eq(t.eventLog.realmId, given.realmId), lt(t.eventLog.createdAt, given.before)))
    .orderBy(desc(t.eventLog.id))
    .limit(1),
);

/**
 * UNIX seconds of the newest event before a server's start, by realm. It is read once, in the
 * minute after the start.
 */
const stoppedAt = perServer(() => new Map<number, number>());

async function findStop(app: App, realmId: number): Promise<number> {
  const stops = stoppedAt.of(app);
  const cached = stops.get(realmId);
  if (cached !== undefined) return cached;
  const [last] = await selectLastBefore(app.engine.reader, { realmId, before: app.startedAt });
  const stop = last?.createdAt ?? app.startedAt;
  stops.set(realmId, stop);
  return stop;
}

/**
 * Time in UNIX seconds from which events are kept. A queue that existed at the last stop gets its
 * full idle time again after the start. Until that is over, events from before the stop are kept
 * for it, as far back as its idle time.
 */
async function findLogKeptFrom(app: App, realmId: number, now: number): Promise<number> {
  const kept = logKeptSeconds(app.config);
  const usual = now - kept;
  return usual > app.startedAt ? usual : Math.min(usual, (await findStop(app, realmId)) - kept);
}

/** Expired queues in memory, whether or not this node deleted their rows. */
const forgotten = (queues: QueueState[], now: number) =>
  queues
    .filter(({ lastSeen, idleTimeoutSeconds }) => lastSeen + idleTimeoutSeconds * 2 < now)
    .map(({ id }) => id);

const selectOldest = statement((db, t, given: Given<{ realmId: number }>) =>
  db
    .select({ createdAt: t.eventLog.createdAt })
    .from(t.eventLog)
    .where(eq(t.eventLog.realmId, given.realmId))
    .orderBy(asc(t.eventLog.id))
    .limit(1),
);

/**
 * Number of entries that one write deletes, so that other writes do not wait for it longer than for
 * a large message.
 */
const entriesPerWrite = 1_000;
const writesPerRound = 100;

/**
 * Deletes the oldest expired entries. The newest entry always stays, so that ids of the log are
 * never used again.
 */
async function pruneLog(
  app: App,
  realmId: number,
  { now, before }: { now: number; before: number },
) {
  for (let written = 0; written < writesPerRound; written++) {
    const [oldest] = await selectOldest(app.engine.reader, { realmId });
    if (!oldest || oldest.createdAt >= before) return;
    const removed = await write({ app, realm: { id: realmId }, now }, (tx) =>
      removeOldest(tx, realmId, before),
    );
    if (removed === 0) return;
  }
}

async function removeOldest({ db, t }: Tx, realmId: number, before: number): Promise<number> {
  const { eventLog } = t;
  const oldest = db
    .select({ id: eventLog.id })
    .from(eventLog)
    .where(and(eq(eventLog.realmId, realmId), lt(eventLog.id, logHeadIn(t, sql`${realmId}`))))
    .orderBy(asc(eventLog.id))
    .limit(entriesPerWrite);
  const isOver = and(
    eq(eventLog.realmId, realmId),
    inArray(eventLog.id, oldest),
    lt(eventLog.createdAt, before),
  );
  return (await db.delete(eventLog).where(isOver).returning({ id: eventLog.id })).length;
}

/** Appends an entry without an audience. */
export async function logBlank(app: App, realmId: number): Promise<void> {
  await write({ app, realm: { id: realmId }, now: app.clock.now() }, (tx) =>
    tx.emit({ to: "server" }, { type: "server_blank" }),
  );
}
