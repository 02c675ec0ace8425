import { and, asc, count, eq, isNotNull, isNull, min, not, or, type SQL, sql } from "drizzle-orm";
import { type Database, type Given, type Reader, statement } from "../../db/reader";
import type { Dialect, Schema } from "../../db/schema";
import { isAmongTexts, isIn } from "../../db/sql/json";
import type { Tx } from "../core/context";

export type JobRow = Schema["jobs"]["$inferSelect"];

/**
 * A job that a worker has taken. The worker holds it as long as its row is unchanged, or as long as
 * the lease lasts.
 */
export type Held = Pick<
  JobRow,
  "id" | "realmId" | "name" | "key" | "payload" | "generation" | "attempts" | "lease"
>;

interface NewJob {
  name: string;
  key: string | undefined;
  lane: string | undefined;
  holder: Holder | undefined;
  payload: string;
  at: number;
}

/** Person whose jobs are limited, and their bot or device that a job is for. */
export interface Holder {
  id: number;
  part: string;
}

/** Most jobs of one kind that wait for a person's bots or devices, and for one of the bots. */
export const waitingMax = { ofHolder: 1_000, ofLane: 100 };

/**
 * Puts a job on the list. It replaces a waiting job with this key; a worker that is running that
 * one finishes first. Where too many jobs of the holder wait, only the newest further one for each
 * bot or device is kept. Answers whether a job was replaced that nobody will run.
 */
export async function enqueueRow(
  tx: Tx,
  realmId: number,
  { name, key: givenKey, lane, holder, payload, at }: NewJob,
): Promise<boolean> {
  const { jobs } = tx.t;
  const key = givenKey ?? (holder && keyIfFull(tx, { realmId, name, lane, holder }));
  const changed = { realmId, name, lane, holderId: holder?.id, payload, runAt: at };
  const inserted = tx.db.insert(jobs).values({ ...changed, key, dueAt: at, createdAt: tx.now });
  if (key === undefined) {
    await inserted;
    return false;
  }
  const generation = sql`${jobs.generation} + 1`;
  const renewed = { ...changed, attempts: 0, lastError: null, failedAt: null, generation };
  const [stored] = await inserted
    .onConflictDoUpdate({
      target: [jobs.realmId, jobs.name, jobs.key],
      targetWhere: isNotNull(jobs.key),
      set: { ...renewed, dueAt: at },
      setWhere: isNull(jobs.lease),
    })
    .returning({ generation: jobs.generation });
  if (stored) return stored.generation > 0;
  // Taking a lease counts an attempt. So a leased job with 0 attempts was replaced after its worker
  // had begun, and nobody will run that replacement.
  const isRunning = and(eq(jobs.realmId, realmId), eq(jobs.name, name), eq(jobs.key, key));
  const [running] = await tx.db.select({ attempts: jobs.attempts }).from(jobs).where(isRunning);
  await tx.db.update(jobs).set(renewed).where(isRunning);
  return running?.attempts === 0;
}

/** Begins the keys of jobs for which there was no room, so that each takes the place of another. */
const fullPrefix = "full:";

const isOneOfTooMany = ({ key }: Pick<JobRow, "key">) => key?.startsWith(fullPrefix) === true;

/**
 * Whether a job that is due has taken the place of one that is lost: one of too many, whose worker
 * did not give it back. Such a job has a lease and 0 attempts (see `enqueueRow`).
 */
export const replacesLost = (row: JobRow): boolean =>
  row.lease !== null && row.attempts === 0 && isOneOfTooMany(row);

/** The key of further jobs of a holder while too many wait, else null. */
function keyIfFull(
  { db, t: { jobs } }: Tx,
  { realmId, name, lane, holder }: { realmId: number; name: string; lane?: string; holder: Holder },
): SQL {
  const waiting = (isTheirs: SQL) => {
    const isWaiting = isNotNull(jobs.dueAt);
    return db
      .select({ count: count() })
      .from(jobs)
      .where(and(eq(jobs.realmId, realmId), eq(jobs.name, name), isTheirs, isWaiting));
  };
  const isFull = or(
    sql`(${waiting(eq(jobs.holderId, holder.id))}) >= ${waitingMax.ofHolder}`,
    lane === undefined ? undefined : sql`(${waiting(eq(jobs.lane, lane))}) >= ${waitingMax.ofLane}`,
  );
  return sql`case when ${isFull} then ${`${fullPrefix}${holder.part}`} end`;
}

export async function cancelRow(tx: Tx, realmId: number, name: string, key: string) {
  const { jobs } = tx.t;
  await tx.db
    .delete(jobs)
    .where(and(eq(jobs.realmId, realmId), eq(jobs.name, name), eq(jobs.key, key)));
}

const selectSoonest = statement((db, { jobs }) =>
  db
    .select({ at: min(jobs.dueAt) })
    .from(jobs)
    .where(isNotNull(jobs.dueAt)),
);

/** When the first job of all kinds is due; undefined where none waits. */
export async function findSoonest(reader: Reader): Promise<number | undefined> {
  const [row] = await selectSoonest(reader);
  return row?.at ?? undefined;
}

/** Realms and people whose jobs are left out, because they use as many places as they may. */
export interface Full {
  realmIds: readonly number[];
  holderIds: readonly number[];
}

type Asked = { names: string; limit: number };
type AskedExcept = Asked & { exceptRealmIds: string; exceptHolderIds: string };

/** Column names are written out, because drizzle omits the table's name in a query on one table. */
function dueJobs(
  db: Database,
  { jobs, realms }: Schema,
  given: Given<Asked>,
  dialect: Dialect,
  isElsewhere?: SQL,
) {
  const isOfActiveRealm = sql`exists (select 1 from ${realms} r where r.id = jobs.realm_id and r.is_active = ${true})`;
  const isForemost = sql`(jobs.lane is null or not exists (select 1 from ${jobs} e where e.realm_id = jobs.realm_id
    and e.name = jobs.name and e.lane = jobs.lane and e.due_at is not null and e.id < jobs.id))`;
  const isOneOf = isAmongTexts(dialect, jobs.name, given.names);
  return db
    .select()
    .from(jobs)
    .where(and(isNotNull(jobs.dueAt), isOneOf, isElsewhere, isOfActiveRealm, isForemost))
    .orderBy(asc(jobs.dueAt), asc(jobs.id))
    .limit(given.limit);
}

const selectDue = statement((db, t, given: Given<Asked>, dialect) =>
  dueJobs(db, t, given, dialect),
);

const selectDueExcept = statement((db, t, given: Given<AskedExcept>, dialect) =>
  dueJobs(
    db,
    t,
    given,
    dialect,
    and(
      not(isIn(dialect, t.jobs.realmId, given.exceptRealmIds)),
      not(isIn(dialect, sql`coalesce(jobs.holder_id, 0)`, given.exceptHolderIds)),
    ),
  ),
);

/**
 * The first due jobs in active realms, without those of some realms and people; only the first of a
 * lane.
 */
export function nextJobs(
  reader: Reader,
  names: readonly string[],
  limit: number,
  { realmIds, holderIds }: Full = { realmIds: [], holderIds: [] },
): PromiseLike<JobRow[]> {
  const asked = { names: JSON.stringify(names), limit };
  return realmIds.length === 0 && holderIds.length === 0
    ? selectDue(reader, asked)
    : selectDueExcept(reader, {
        ...asked,
        exceptRealmIds: JSON.stringify(realmIds),
        exceptHolderIds: JSON.stringify(holderIds),
      });
}

type HeldKey = Pick<Held, "realmId" | "id" | "lease">;

const isHeld = ({ jobs }: Schema, given: Given<HeldKey>): SQL | undefined =>
  and(
    eq(jobs.realmId, given.realmId),
    eq(jobs.id, given.id),
    sql`${jobs.lease} is not distinct from ${given.lease}`,
    isNotNull(jobs.dueAt),
  );

const takeLease = statement(
  (
    db,
    t,
    given: Given<
      HeldKey & {
        generation: number;
        dueAt: number;
        newLease: string;
        until: number;
        attempts: number;
      }
    >,
  ) => {
    const { jobs } = t;
    const isSame = and(eq(jobs.generation, given.generation), eq(jobs.dueAt, given.dueAt));
    return db
      .update(jobs)
      .set({
        lease: sql`${given.newLease}`,
        dueAt: sql`${given.until}`,
        attempts: sql`${given.attempts}`,
      })
      .where(and(isHeld(t, given), isSame))
      .returning();
  },
);

/**
 * Takes a job for some time, for this node alone, and counts an attempt. Undefined when another
 * node has taken it.
 */
export async function leaseJob(
  tx: Tx,
  row: JobRow,
  newLease: string,
  until: number,
): Promise<Held | undefined> {
  const attempts = row.attempts + 1;
  const [held] = await takeLease(tx, { ...keysOf(row), newLease, until, attempts });
  return held;
}

/** Leaves a job to its node for longer, if the job is unchanged. */
export async function prolongLease(tx: Tx, row: JobRow, until: number): Promise<void> {
  const { lease, attempts } = row;
  await takeLease(tx, { ...keysOf(row), newLease: lease ?? "", until, attempts });
}

const keysOf = ({ realmId, id, lease, generation, dueAt }: JobRow) => ({
  realmId,
  id,
  lease,
  generation,
  dueAt: dueAt ?? 0,
});

const extendLease = statement((db, t, given: Given<HeldKey & { until: number }>) =>
  db
    .update(t.jobs)
    .set({ dueAt: sql`${given.until}` })
    .where(isHeld(t, given))
    .returning({ id: t.jobs.id }),
);

/** Answers whether the lease was still held. */
export async function renewLease(
  tx: Tx,
  { realmId, id, lease }: Held,
  until: number,
): Promise<boolean> {
  return (await extendLease(tx, { realmId, id, lease, until })).length > 0;
}

const selectHeld = statement((db, t, given: Given<HeldKey>) =>
  db.select().from(t.jobs).where(isHeld(t, given)),
);

/** The current row of a job that is still held; one without a lease must be unchanged. */
export async function findHeld(tx: Tx, held: Held): Promise<JobRow | undefined> {
  const { realmId, id, lease } = held;
  const [row] = await selectHeld(tx, { realmId, id, lease });
  if (!row || held.lease !== null) return row;
  return row.generation === held.generation && row.attempts === held.attempts ? row : undefined;
}

/** Result of an attempt at a job. */
export type Outcome =
  | { is: "done" }
  | { is: "again"; payload: unknown; at: number }
  | { is: "retried"; at: number; attempts: number; error?: string }
  | { is: "failed"; attempts: number; error: string };

const removeDone = statement(
  (db, { jobs }, given: Given<{ realmId: number; id: number; generation: number }>) =>
    db
      .delete(jobs)
      .where(
        and(
          eq(jobs.realmId, given.realmId),
          eq(jobs.id, given.id),
          eq(jobs.generation, given.generation),
        ),
      ),
);

const endLease = statement(
  (db, { jobs }, given: Given<{ realmId: number; id: number; lease: string }>) =>
    db
      .update(jobs)
      .set({ lease: null, dueAt: sql`${jobs.runAt}` })
      .where(
        and(eq(jobs.realmId, given.realmId), eq(jobs.id, given.id), eq(jobs.lease, given.lease)),
      ),
);

/**
 * Gives a held job back. A job that was enqueued again under its key meanwhile stays on the list.
 * Answers whether the held job is lost by that: it is not done, and was one of too many, each of
 * which has work of its own (`keyIfFull`).
 */
export async function giveBack(tx: Tx, held: Held, outcome: Outcome): Promise<boolean> {
  const { jobs } = tx.t;
  const { realmId, id, generation, lease } = held;
  let isLost = false;
  if (outcome.is === "done") await removeDone(tx, { realmId, id, generation });
  else {
    const isIt = and(eq(jobs.realmId, realmId), eq(jobs.id, id));
    const isSame = and(isIt, eq(jobs.generation, generation));
    const change = tx.db.update(jobs).set(changeFor(tx, outcome)).where(isSame);
    const kept = await change.returning({ id: jobs.id });
    isLost = kept.length === 0 && isOneOfTooMany(held);
  }
  if (lease !== null) await endLease(tx, { realmId, id, lease });
  return isLost;
}

function changeFor({ now, t: { jobs } }: Tx, outcome: Exclude<Outcome, { is: "done" }>) {
  switch (outcome.is) {
    case "again":
      return {
        payload: JSON.stringify(outcome.payload),
        runAt: outcome.at,
        dueAt: outcome.at,
        attempts: 0,
        lease: null,
        lastError: null,
        // Another node may have prepared the earlier version of the job.
        generation: sql`${jobs.generation} + 1`,
      };
    case "retried":
      return {
        dueAt: outcome.at,
        attempts: outcome.attempts,
        lease: null,
        ...(outcome.error === undefined ? {} : { lastError: outcome.error }),
      };
    case "failed":
      return {
        dueAt: null,
        failedAt: now,
        attempts: outcome.attempts,
        lease: null,
        lastError: outcome.error,
      };
  }
}
