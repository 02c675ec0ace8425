import { and, eq, gt, inArray, lt, sql } from "drizzle-orm";
import { type Reader, statement } from "../../db/reader";
import type { App, RealmRow, Tx } from "../core/context";
import { idsPerLogEntry, type NewQueue, type QueueOptions, queuesEnded, queuesEndedType } from "../core/event-hub";
import { makeRandomId } from "../core/secrets";
import { write } from "../core/write";
import type { PresentedEvent } from "./present";

/** How stale the stored `last_seen` of a queue may be: as often it is saved, and as long expiry waits for it. */
const savedEverySeconds = 60;

const idsPerStatement = 500;

export type HoldOutcome = "woken" | "heartbeat" | "replaced" | "gone" | "closing";

/** A client that waits. `scannedTo`: up to there the log has nothing for it. */
export interface HeldPoll {
  scannedTo: number;
  heartbeatAt: number;
  release(outcome: HoldOutcome): void;
}

/** An event queue as this process knows it. Its durable part is a row; the client's own `last_event_id` is the cursor. */
export interface QueueState {
  readonly id: string;
  readonly realmId: number;
  readonly userId: number;
  readonly apiKeyId: number | null;
  readonly registeredAt: number;
  readonly options: QueueOptions;
  readonly idleTimeoutSeconds: number;
  lastSeen: number;
  savedAt: number;
  /** The wire id up to which the client has said that it has everything. */
  acknowledged: number;
  /** The highest wire id that was accepted from the client or handed to it. */
  highest: number;
  /** `from < log id <= to`: known to hold nothing for this queue. */
  emptyFrom: number;
  emptyTo: number;
  ephemeral: PresentedEvent[];
  held: HeldPoll | undefined;
  /** The number of the latest poll: an earlier one that is still at work gives up its place. */
  polls: number;
  hasEnded: boolean;
  /** Whether it has ended because its realm is deactivated: its client is told before. */
  hasRealmEnded: boolean;
}

const selectQueue = statement((db, t) =>
  db
    .select()
    .from(t.eventQueues)
    .where(and(eq(t.eventQueues.realmId, sql.placeholder("realmId")), eq(t.eventQueues.id, sql.placeholder("id")))),
);

const countOfUser = statement((db, t) =>
  db
    .select({ count: sql<number>`count(*)`.mapWith(Number) })
    .from(t.eventQueues)
    .where(
      and(eq(t.eventQueues.realmId, sql.placeholder("realmId")), eq(t.eventQueues.userId, sql.placeholder("userId"))),
    ),
);

/** Reads a queue's row into memory; undefined if there is none. */
export async function loadQueue(reader: Reader, realmId: number, id: string): Promise<QueueState | undefined> {
  const [row] = await selectQueue(reader, { realmId, id });
  if (!row) return undefined;
  const registered = row.registeredAt * idsPerLogEntry;
  return {
    id: row.id,
    realmId: row.realmId,
    userId: row.userId,
    apiKeyId: row.apiKeyId,
    registeredAt: row.registeredAt,
    options: JSON.parse(row.options),
    idleTimeoutSeconds: row.idleTimeoutSeconds,
    lastSeen: row.lastSeen,
    savedAt: row.lastSeen,
    acknowledged: registered,
    highest: registered,
    emptyFrom: row.registeredAt,
    emptyTo: row.registeredAt,
    ephemeral: [],
    held: undefined,
    polls: 0,
    hasEnded: false,
    hasRealmEnded: false,
  };
}

/** Writes the row of a new queue and answers its id. A user's oldest queues make room when there are too many. */
export async function insertQueue(tx: Tx, realm: RealmRow, queue: NewQueue, queuesPerUserMax: number): Promise<string> {
  const id = makeRandomId();
  const [row] = await countOfUser(tx, { realmId: realm.id, userId: queue.userId });
  if ((row?.count ?? 0) >= queuesPerUserMax) await dropOldest(tx, realm.id, queue.userId);
  const stored = { ...queue, id, realmId: realm.id, options: JSON.stringify(queue.options), lastSeen: tx.now };
  tx.defer(insertRow(tx, stored));
  return id;
}

const insertRow = statement((db, t) =>
  db
    .insert(t.eventQueues)
    .values({
      realmId: sql.placeholder("realmId"),
      id: sql.placeholder("id"),
      userId: sql.placeholder("userId"),
      apiKeyId: sql.placeholder("apiKeyId"),
      registeredAt: sql.placeholder("registeredAt"),
      options: sql.placeholder("options"),
      idleTimeoutSeconds: sql.placeholder("idleTimeoutSeconds"),
      lastSeen: sql.placeholder("lastSeen"),
    })
    .returning({ id: t.eventQueues.id }),
);

async function dropOldest(tx: Tx, realmId: number, userId: number) {
  const { t } = tx;
  const ofUser = and(eq(t.eventQueues.realmId, realmId), eq(t.eventQueues.userId, userId));
  const [oldest] = await tx.db.select().from(t.eventQueues).where(ofUser).orderBy(t.eventQueues.lastSeen).limit(1);
  if (!oldest) return;
  await deleteQueues(tx, realmId, [oldest.id]);
  await tx.emit({ to: "server" }, queuesEnded({ queueIds: [oldest.id] }));
}

export async function deleteQueues(tx: Tx, realmId: number, ids: string[]) {
  const { t } = tx;
  for (const chunk of inChunks(ids)) {
    await tx.db
      .delete(t.sentLocals)
      .where(and(eq(t.sentLocals.realmId, realmId), inArray(t.sentLocals.queueId, chunk)));
    await tx.db.delete(t.eventQueues).where(and(eq(t.eventQueues.realmId, realmId), inArray(t.eventQueues.id, chunk)));
  }
}

/** Ends all queues of a realm that is deactivated. Those who wait get what there is for them, the reason included. */
export async function endRealmQueues(tx: Tx, realmId: number) {
  const { t } = tx;
  await tx.db.delete(t.sentLocals).where(eq(t.sentLocals.realmId, realmId));
  await tx.db.delete(t.eventQueues).where(eq(t.eventQueues.realmId, realmId));
  await tx.emit({ to: "server" }, queuesEnded({ isRealm: true }));
}

/** Ends all queues of some users, with their held polls: their clients register anew. Announced to nobody. */
export async function endQueuesOf(tx: Tx, realmId: number, userIds: readonly number[]) {
  if (userIds.length === 0) return;
  const { eventQueues } = tx.t;
  for (const chunk of inChunks(userIds)) {
    const queues = await tx.db
      .select({ id: eventQueues.id })
      .from(eventQueues)
      .where(and(eq(eventQueues.realmId, realmId), inArray(eventQueues.userId, chunk)));
    const ids = queues.map(({ id }) => id);
    await deleteQueues(tx, realmId, ids);
  }
  await tx.emit({ to: "server" }, queuesEnded({ userIds }));
}

const selectEndings = statement((db, t) =>
  db
    .select({ body: t.eventLog.body })
    .from(t.eventLog)
    .where(
      and(
        eq(t.eventLog.realmId, sql.placeholder("realmId")),
        gt(t.eventLog.id, sql.placeholder("after")),
        eq(t.eventLog.type, queuesEndedType),
      ),
    ),
);

/** Whether all queues of a user were ended (`endQueuesOf`) after a place in the log. */
export async function wereQueuesEnded(reader: Reader, realmId: number, userId: number, after: number) {
  const endings = await selectEndings(reader, { realmId, after });
  return endings.some(({ body }) => {
    const { userIds = [] }: { userIds?: number[] } = JSON.parse(body);
    return userIds.includes(userId);
  });
}

const inChunks = <Id>(ids: readonly Id[]) =>
  Array.from({ length: Math.ceil(ids.length / idsPerStatement) }, (_, i) =>
    ids.slice(i * idsPerStatement, (i + 1) * idsPerStatement),
  );

/** Saves when the queues of a realm were last seen, and removes those that nobody polled for too long. Answers which. */
export async function saveAndExpire(app: App, realmId: number, queues: QueueState[], now: number): Promise<string[]> {
  const unsaved = queues.filter((queue) => !queue.hasEnded && queue.lastSeen > queue.savedAt);
  const hasExpired = (await listExpired(app.engine.reader, realmId, now)).length > 0;
  if (unsaved.length === 0 && !hasExpired) return [];
  for (const queue of unsaved) queue.savedAt = queue.lastSeen;
  return write({ app, realm: { id: realmId }, now }, async (tx) => {
    for (const [lastSeen, group] of Map.groupBy(unsaved, (queue) => queue.lastSeen)) {
      for (const ids of inChunks(group.map(({ id }) => id))) await saveLastSeen(tx, realmId, ids, lastSeen);
    }
    const ids = await listExpired(tx, realmId, now);
    await deleteQueues(tx, realmId, ids);
    // Other nodes may serve one of them still.
    for (const chunk of inChunks(ids)) await tx.emit({ to: "server" }, queuesEnded({ queueIds: chunk }));
    return ids;
  });
}

async function saveLastSeen(tx: Tx, realmId: number, ids: string[], lastSeen: number) {
  const { eventQueues } = tx.t;
  await tx.db
    .update(eventQueues)
    .set({ lastSeen })
    .where(and(eq(eventQueues.realmId, realmId), inArray(eventQueues.id, ids)));
}

async function listExpired({ db, t: { eventQueues } }: Reader, realmId: number, now: number): Promise<string[]> {
  const lapsed = sql`${eventQueues.lastSeen} + ${eventQueues.idleTimeoutSeconds} + ${savedEverySeconds}`;
  const rows = await db
    .select({ id: eventQueues.id })
    .from(eventQueues)
    .where(and(eq(eventQueues.realmId, realmId), lt(lapsed, now)));
  return rows.map(({ id }) => id);
}
