import { and, eq, inArray, lt, or, sql } from "drizzle-orm";
import type { Reader } from "../../db/reader";
import { inChunks } from "../core/chunks";
import type { App, Tx } from "../core/context";
import { queuesEnded } from "../core/event-hub";
import { reachableSince } from "../core/storage/database-outage";
import { write } from "../core/write";
import { deleteQueues, type QueueState } from "./queues";

/** Interval at which a queue's `last_seen` is saved. A queue may expire later by this time. */
const savedEverySeconds = 60;

/** The times by which queues expire, in UNIX seconds. */
interface Expiry {
  now: number;
  /**
   * Events before this time may be deleted. So a queue that was last polled before it may have
   * missed some, and expires.
   */
  logKeptFrom: number;
}

/** Queue whose time is saved. A new poll may come meanwhile, so the time is copied first. */
interface Unsaved {
  queue: QueueState;
  lastSeen: number;
}

/** Number of times that one write saves, so that other writes do not wait for all of them. */
const timesPerWrite = 1_000;

/**
 * Saves when the queues of a realm were last polled, and deletes queues that were not polled for
 * too long. Answers the deleted queues.
 */
export async function saveAndExpire(
  app: App,
  realmId: number,
  queues: QueueState[],
  { now, logKeptFrom }: Expiry,
): Promise<string[]> {
  const expiry = { now, logKeptFrom, reachableFrom: reachableSince(app) };
  const unsaved = queues.flatMap((queue): Unsaved[] =>
    !queue.hasEnded && queue.lastSeen > queue.savedAt ? [{ queue, lastSeen: queue.lastSeen }] : [],
  );
  const hasExpired = (await listExpired(app.engine.reader, realmId, expiry)).length > 0;
  if (unsaved.length === 0 && !hasExpired) return [];
  const parts = inChunks(unsaved, timesPerWrite);
  const last = parts.pop() ?? [];
  const saveWith = async <Result>(part: Unsaved[], then: (tx: Tx) => Promise<Result>) => {
    const result = await write({ app, realm: { id: realmId }, now }, async (tx) => {
      await saveTimes(tx, realmId, part);
      return then(tx);
    });
    for (const { queue, lastSeen } of part) queue.savedAt = lastSeen;
    return result;
  };
  for (const part of parts) await saveWith(part, async () => undefined);
  return saveWith(last, (tx) => expireIn(tx, realmId, expiry));
}

async function expireIn(tx: Tx, realmId: number, expiry: Expiry & { reachableFrom: number }) {
  const ids = await listExpired(tx, realmId, expiry);
  await deleteQueues(tx, realmId, ids);
  // Other nodes may still serve one of these queues, so they are told that it has ended.
  for (const chunk of inChunks(ids))
    await tx.emit({ to: "server" }, queuesEnded({ queueIds: chunk }));
  return ids;
}

async function saveTimes(tx: Tx, realmId: number, part: readonly Unsaved[]) {
  for (const [lastSeen, group] of Map.groupBy(part, (one) => one.lastSeen)) {
    for (const ids of inChunks(group.map(({ queue }) => queue.id)))
      await saveLastSeen(tx, realmId, ids, lastSeen);
  }
}

async function saveLastSeen(tx: Tx, realmId: number, ids: string[], lastSeen: number) {
  const { eventQueues } = tx.t;
  await tx.db
    .update(eventQueues)
    .set({ lastSeen })
    .where(
      and(
        eq(eventQueues.realmId, realmId),
        inArray(eventQueues.id, ids),
        // The saved time is never set back, because another node may have answered a later poll.
        lt(eventQueues.lastSeen, lastSeen),
      ),
    );
}

async function listExpired(
  { db, t: { eventQueues } }: Reader,
  realmId: number,
  { now, logKeptFrom, reachableFrom }: Expiry & { reachableFrom: number },
): Promise<string[]> {
  const { lastSeen, idleTimeoutSeconds } = eventQueues;
  const life = sql`${idleTimeoutSeconds} + ${savedEverySeconds}`;
  const isIdle = and(lt(sql`${lastSeen} + ${life}`, now), lt(sql`${reachableFrom} + ${life}`, now));
  const rows = await db
    .select({ id: eventQueues.id })
    .from(eventQueues)
    .where(and(eq(eventQueues.realmId, realmId), or(isIdle, lt(lastSeen, logKeptFrom))));
  return rows.map(({ id }) => id);
}
