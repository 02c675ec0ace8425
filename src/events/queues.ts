import { and, eq, gt, inArray, sql } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../db/reader";
import { isInTexts } from "../../db/sql/json";
import { inChunks } from "../core/chunks";
import { daySeconds } from "../core/clock";
import type { LoggedEvent, Tx } from "../core/context";
import {
  idsPerLogEntry,
  type NewQueue,
  type QueueOptions,
  queuesEnded,
  queuesEndedType,
  type StoredQueue,
} from "../core/event-hub";
import { makeRandomId } from "../core/secrets/secrets";
import type { PresentedEvent } from "./present";

/** The longest idle time that a client may ask for, in seconds. */
export const idleTimeoutSecondsMax = 7 * daySeconds;

export type HoldOutcome = "woken" | "heartbeat" | "replaced" | "gone" | "closing";

/** A poll that waits. `scannedTo` is the place up to which the log has no event for it. */
export interface HeldPoll {
  scannedTo: number;
  /** The clock's `steadyMilliseconds` when it began to wait. */
  sinceMilliseconds: number;
  release(outcome: HoldOutcome): void;
}

/**
 * An event queue in the memory of this process. Its durable part is a row. The client itself stores
 * its place, as its `last_event_id`.
 */
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
  /** The wire id up to which the client has confirmed all events. */
  acknowledged: number;
  /** The highest wire id that the client has sent or received. */
  highest: number;
  /**
   * The part of the log (`from < log id <= to`) that is known to contain no event for this queue.
   */
  emptyFrom: number;
  emptyTo: number;
  /** Number of events from the acknowledged place up to another place in the log. */
  counted: { upTo: number; count: number };
  ephemeral: PresentedEvent[];
  held: HeldPoll | undefined;
  /** Number of the latest poll. An earlier poll that is still running is replaced by it. */
  polls: number;
  hasEnded: boolean;
  /** Whether it has ended because its realm was deactivated. Its client gets that event first. */
  hasRealmEnded: boolean;
}

/** Whether a queue's client asked for events of this type. */
export const isListening = (
  { options: { eventTypes } }: Pick<QueueState, "options">,
  { type }: LoggedEvent,
): boolean => eventTypes === null || eventTypes.includes(type);

const selectQueue = statement((db, t, given: Given<{ realmId: number; id: string }>) =>
  db
    .select()
    .from(t.eventQueues)
    .where(and(eq(t.eventQueues.realmId, given.realmId), eq(t.eventQueues.id, given.id))),
);

/** Reads a queue's row into memory; undefined if there is none. */
export async function loadQueue(
  reader: Reader,
  realmId: number,
  id: string,
): Promise<QueueState | undefined> {
  const [row] = await selectQueue(reader, { realmId, id });
  return row && queueStateOf({ ...row, options: JSON.parse(row.options) });
}

/** The state of a queue that was not polled on this node yet. */
export function queueStateOf(queue: StoredQueue): QueueState {
  const { registeredAt, lastSeen } = queue;
  const registered = registeredAt * idsPerLogEntry;
  return {
    ...queue,
    savedAt: lastSeen,
    acknowledged: registered,
    highest: registered,
    emptyFrom: registeredAt,
    emptyTo: registeredAt,
    counted: { upTo: registeredAt, count: 0 },
    ephemeral: [],
    held: undefined,
    polls: 0,
    hasEnded: false,
    hasRealmEnded: false,
  };
}

/**
 * Facts that decide whether somebody may open a queue that begins at `after`, a place in the log.
 */
export interface Opening {
  isActive: boolean;
  hasKey: boolean;
  /** Whether all of their queues were ended (`endQueuesOf`) after that place. */
  wereEnded: boolean;
  /** Number of queues that they have; 0 where they are not counted. */
  queueCount: number;
}

interface OpeningPlace {
  realmId: number;
  userId: number;
  apiKeyId: number;
  after: number;
  /** Whether the queues are counted. Where there are many, that takes longer than the rest. */
  isCounted: boolean;
}

const selectOpening = statement(
  (db, { users, apiKeys, eventLog, eventQueues }, given: Given<OpeningPlace>) => {
    const [realmId, userId] = [given.realmId, given.userId];
    const hasKey = sql`exists (select 1 from ${apiKeys}
    where ${apiKeys.realmId} = ${realmId} and ${apiKeys.id} = ${given.apiKeyId})`;
    const hasEndings = sql`exists (select 1 from ${eventLog} where ${eventLog.realmId} = ${realmId}
    and ${eventLog.id} > ${given.after} and ${eventLog.type} = ${queuesEndedType})`;
    const queueCount = sql`case when ${given.isCounted} then (select count(*) from ${eventQueues}
    where ${eventQueues.realmId} = ${realmId} and ${eventQueues.userId} = ${userId}) else 0 end`;
    return db
      .select({
        isActive: users.isActive,
        hasKey: hasKey.mapWith(Boolean).as("has_key"),
        hasEndings: hasEndings.mapWith(Boolean).as("has_endings"),
        queueCount: queueCount.mapWith(Number).as("queue_count"),
      })
      .from(users)
      .where(and(eq(users.realmId, realmId), eq(users.id, userId)));
  },
);

/** Reads the facts; undefined for an unknown user. */
export async function findOpening(
  reader: Reader,
  place: OpeningPlace,
): Promise<Opening | undefined> {
  const [row] = await selectOpening(reader, place);
  if (!row) return undefined;
  const { realmId, userId, after } = place;
  return {
    ...row,
    wereEnded: row.hasEndings && (await wereQueuesEnded(reader, realmId, userId, after)),
  };
}

/** Writes the row of a new queue, and deletes the given number of the user's oldest queues. */
export async function insertQueue(
  tx: Tx,
  realmId: number,
  queue: NewQueue,
  { dropped }: { dropped: number },
): Promise<StoredQueue> {
  if (dropped > 0) await dropOldest(tx, realmId, queue.userId, dropped);
  const stored = { ...queue, id: makeRandomId(), realmId, lastSeen: tx.now };
  tx.defer(insertRow(tx, { ...stored, options: JSON.stringify(queue.options) }));
  return stored;
}

const insertRow = statement(
  (db, t, given: Given<Omit<StoredQueue, "options"> & { options: string }>) =>
    db.insert(t.eventQueues).values({
      realmId: given.realmId,
      id: given.id,
      userId: given.userId,
      apiKeyId: given.apiKeyId,
      registeredAt: given.registeredAt,
      options: given.options,
      idleTimeoutSeconds: given.idleTimeoutSeconds,
      lastSeen: given.lastSeen,
    }),
);

async function dropOldest(tx: Tx, realmId: number, userId: number, count: number) {
  const { t } = tx;
  const ofUser = and(eq(t.eventQueues.realmId, realmId), eq(t.eventQueues.userId, userId));
  const oldest = await tx.db
    .select({ id: t.eventQueues.id })
    .from(t.eventQueues)
    .where(ofUser)
    .orderBy(t.eventQueues.lastSeen)
    .limit(count);
  const ids = oldest.map(({ id }) => id);
  await deleteQueues(tx, realmId, ids);
  for (const chunk of inChunks(ids))
    await tx.emit({ to: "server" }, queuesEnded({ queueIds: chunk }));
}

const deleteLocals = statement(
  (db, { sentLocals: t }, given: Given<{ realmId: number; ids: string }>, dialect) =>
    db
      .delete(t)
      .where(and(eq(t.realmId, given.realmId), isInTexts(dialect, t.queueId, given.ids)))
      .returning({ id: t.queueId }),
);

const deleteRows = statement(
  (db, { eventQueues: t }, given: Given<{ realmId: number; ids: string }>, dialect) =>
    db
      .delete(t)
      .where(and(eq(t.realmId, given.realmId), isInTexts(dialect, t.id, given.ids)))
      .returning({ id: t.id }),
);

export async function deleteQueues(tx: Tx, realmId: number, queueIds: string[]) {
  const values = { realmId, ids: JSON.stringify(queueIds) };
  // The statements run in parallel, so that PostgreSQL gets both at once.
  if (queueIds.length > 0) await Promise.all([deleteLocals(tx, values), deleteRows(tx, values)]);
}

const selectOwner = statement(
  (db, { eventQueues: t }, given: Given<{ realmId: number; id: string }>) =>
    db
      .select({ userId: t.userId })
      .from(t)
      .where(and(eq(t.realmId, given.realmId), eq(t.id, given.id))),
);

/** Whether a user has a queue with this id. */
export async function hasQueue(
  reader: Reader,
  realmId: number,
  userId: number,
  id: string,
): Promise<boolean> {
  const [queue] = await selectOwner(reader, { realmId, id });
  return queue?.userId === userId;
}

/**
 * Ends all queues of a realm, so that clients register again. If the realm was deactivated, polls
 * that wait get the events so far, including the event of the deactivation.
 */
export async function endRealmQueues(
  tx: Tx,
  realmId: number,
  { isDeactivated = false }: { isDeactivated?: boolean } = {},
) {
  const { t } = tx;
  await tx.db.delete(t.sentLocals).where(eq(t.sentLocals.realmId, realmId));
  await tx.db.delete(t.eventQueues).where(eq(t.eventQueues.realmId, realmId));
  await tx.emit({ to: "server" }, queuesEnded({ isRealm: true, isDeactivated }));
}

/**
 * Ends all queues of some users, with the polls that wait on them, so that their clients register
 * again. No client gets an event about this.
 */
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

const selectEndings = statement((db, t, given: Given<{ realmId: number; after: number }>) =>
  db
    .select({ body: t.eventLog.body })
    .from(t.eventLog)
    .where(
      and(
        eq(t.eventLog.realmId, given.realmId),
        gt(t.eventLog.id, given.after),
        eq(t.eventLog.type, queuesEndedType),
      ),
    ),
);

/**
 * Whether all queues of a user were ended (`endQueuesOf`, `endRealmQueues`) after a place in the
 * log.
 */
async function wereQueuesEnded(reader: Reader, realmId: number, userId: number, after: number) {
  const endings = await selectEndings(reader, { realmId, after });
  return endings.some(({ body }) => {
    const { userIds = [], isRealm = false }: { userIds?: number[]; isRealm?: boolean } =
      JSON.parse(body);
    return isRealm || userIds.includes(userId);
  });
}
