import type { App } from "../core/context";
import { perServer } from "../core/per-server";
import { makeRandomId } from "../core/secrets/secrets";
import { reachableSince } from "../core/storage/database-outage";
import { isTroubleOfDatabase } from "../core/storage/database-trouble";
import { write } from "../core/write";
import { type Held, type JobRow, leaseJob, prolongLease } from "./store";

/** Time after which other nodes may take over the jobs of a node that has died. */
export const leaseSeconds = 60;

/** Longest pause between two tries to store the end of a job. */
export const endPauseSecondsMax = 10;

/** Time that a node has to store the ends of its jobs when the database works again. */
const graceSeconds = 2 * endPauseSecondsMax;

/** When a job of another node last could not be taken over (UNIX seconds), by realm. */
const failures = perServer(() => new Map<number, number>());

/**
 * Whether this server could not reach the database near the end of another node's lease, or was not
 * running. The node may then be alive, and have done the job without being able to say so.
 */
function mayBeDone(app: App, { lease, dueAt, realmId }: JobRow): boolean {
  // Only a remote database has several nodes.
  if (lease === null || dueAt === null || !app.engine.isRemote) return false;
  const worksSince = Math.max(reachableSince(app), failures.of(app).get(realmId) ?? 0);
  return dueAt < worksSince + graceSeconds;
}

/**
 * Takes a job for this node alone, which may be one of a node that has died. Undefined where
 * another node has it, or may have done it: such a lease is prolonged, because its node must first
 * have had the time to store the end of the job.
 */
export async function takeJob(app: App, row: JobRow): Promise<Held | undefined> {
  const now = app.clock.now();
  const scope = { app, realm: { id: row.realmId }, now };
  try {
    if (!mayBeDone(app, row))
      return await write(scope, (tx) => leaseJob(tx, row, makeRandomId(), now + leaseSeconds));
    await write(scope, (tx) => prolongLease(tx, row, now + graceSeconds));
    return undefined;
  } catch (error) {
    if (row.lease !== null && isTroubleOfDatabase(error)) failures.of(app).set(row.realmId, now);
    throw error;
  }
}
