import { and, eq, inArray, like, lte, or } from "drizzle-orm";
import type { App, Context, Tx, UserRow } from "../core/context";
import { accessDenied } from "../core/errors";
import { write } from "../core/write";
import { type Counter, ownKeysOf } from "./sign-in-source";

/**
 * Time for which failures count after the latest one, and lock an account if there are too many.
 */
export const lockSeconds = 1_800;

interface Failures {
  failures: number;
  failedAt: number;
}

/** Access to failures: a write, or a reader and the time. */
type FailuresReader = Pick<Tx, "db" | "t" | "now">;

/**
 * Whether one of the counters is full: then attempts that it counts are refused for half an hour.
 */
export async function isLocked(
  reader: FailuresReader,
  realmId: number,
  counters: readonly Counter[],
): Promise<boolean> {
  for (const counter of counters) {
    if ((await readFailures(reader, realmId, counter)).failures >= counter.max) return true;
  }
  return false;
}

/**
 * Failures count for half an hour. A failure of a later time does not count, because it was noted
 * while the clock was ahead.
 */
async function readFailures(
  { db, t, now }: FailuresReader,
  realmId: number,
  { key }: Pick<Counter, "key">,
): Promise<Failures> {
  const [row] = await db
    .select()
    .from(t.failedSignIns)
    .where(isOf(t, realmId, key));
  return row && Math.abs(now - row.failedAt) < lockSeconds ? row : { failures: 0, failedAt: now };
}

const isOf = ({ failedSignIns }: Tx["t"], realmId: number, key: string) =>
  and(eq(failedSignIns.realmId, realmId), eq(failedSignIns.emailKey, key));

/**
 * Counts a failed proof of a password. A failure during a lock does not prolong the lock, but is
 * written nevertheless, because otherwise its time would reveal the lock. An attempt that one
 * counter refuses is not counted by the other counters, so that one source that continues does not
 * use up the attempts of all others.
 */
export async function countFailure(
  tx: Tx,
  realmId: number,
  counters: readonly Counter[],
): Promise<void> {
  const isRefused = await isLocked(tx, realmId, counters);
  for (const counter of counters) {
    const before = await readFailures(tx, realmId, counter);
    await store(
      tx,
      realmId,
      counter,
      isRefused ? before : { failures: before.failures + 1, failedAt: tx.now },
    );
  }
}

async function store(tx: Tx, realmId: number, { key }: Counter, { failures, failedAt }: Failures) {
  const { failedSignIns } = tx.t;
  await tx.db
    .insert(failedSignIns)
    .values({ realmId, emailKey: key, failures, failedAt })
    .onConflictDoUpdate({
      target: [failedSignIns.realmId, failedSignIns.emailKey],
      set: { failures, failedAt },
    })
    .returning({ failures: failedSignIns.failures });
}

/**
 * Resets the counter of a source: part of a successful proof. The counters that the source shares
 * with others lose only the source's own failures, so that a successful sign-in does not help
 * others who guess.
 */
export async function forgetOwnFailures(
  tx: Tx,
  realmId: number,
  [ownCounter, ...shared]: readonly Counter[],
): Promise<void> {
  if (!ownCounter) return;
  const { failures } = await readFailures(tx, realmId, ownCounter);
  await remove(tx, realmId, ownCounter.key);
  for (const counter of shared) {
    const before = await readFailures(tx, realmId, counter);
    const left = Math.max(0, before.failures - failures);
    if (left === 0) await remove(tx, realmId, counter.key);
    else if (failures > 0) await store(tx, realmId, counter, { ...before, failures: left });
  }
}

async function remove({ db, t }: Tx, realmId: number, key: string) {
  await db
    .delete(t.failedSignIns)
    .where(isOf(t, realmId, key))
    .returning({ failures: t.failedSignIns.failures });
}

/**
 * Forgets all failures of an account, from every source: part of unlocking it and of giving it
 * another password.
 */
export async function forgetFailures(
  tx: Tx,
  { secrets }: Pick<App, "secrets">,
  user: UserRow,
): Promise<void> {
  const { failedSignIns: t } = tx.t;
  const isOwn = ownKeysOf(secrets, user).map((start) => like(t.emailKey, `${start}%`));
  await tx.db
    .delete(t)
    .where(and(eq(t.realmId, user.realmId), or(eq(t.emailKey, user.emailKey), ...isOwn)))
    .returning({ failures: t.failures });
}

/** Unlocks a person's account after too many failed sign-ins. For the operator. */
export async function unlockSignIn(ctx: Context, user: UserRow): Promise<void> {
  if (ctx.actor.kind !== "operator")
    throw accessDenied("Only the operator of the server can unlock an account.");
  await write(ctx, async (tx) => {
    await forgetFailures(tx, ctx.app, user);
    tx.audit(ctx, { action: "user.unlock", kind: "user", ids: [user.id] });
  });
}

/** Removes data without effect: failures that are too old to count, and expired links. */
export async function tidySignIns(app: App, realmIds: readonly number[]): Promise<void> {
  const { reader, schema: t } = app.engine;
  const now = app.clock.now();
  const isOld = lte(t.failedSignIns.failedAt, now - lockSeconds);
  const isExpired = lte(t.loginLinks.expiresAt, now);
  const isStale = lte(t.addressProofs.expiresAt, now);
  const tables = [t.failedSignIns, t.loginLinks, t.addressProofs];
  const among = (column: (typeof tables)[number]["realmId"]) => inArray(column, [...realmIds]);
  const failures = await reader.db
    .selectDistinct({ realmId: t.failedSignIns.realmId })
    .from(t.failedSignIns)
    .where(and(among(t.failedSignIns.realmId), isOld));
  const links = await reader.db
    .selectDistinct({ realmId: t.loginLinks.realmId })
    .from(t.loginLinks)
    .where(and(among(t.loginLinks.realmId), isExpired));
  const proofs = await reader.db
    .selectDistinct({ realmId: t.addressProofs.realmId })
    .from(t.addressProofs)
    .where(and(among(t.addressProofs.realmId), isStale));
  for (const id of new Set([...failures, ...links, ...proofs].map(({ realmId }) => realmId))) {
    await write({ app, realm: { id }, now }, async (tx) => {
      await tx.db.delete(t.failedSignIns).where(and(eq(t.failedSignIns.realmId, id), isOld));
      await tx.db.delete(t.loginLinks).where(and(eq(t.loginLinks.realmId, id), isExpired));
      await tx.db.delete(t.addressProofs).where(and(eq(t.addressProofs.realmId, id), isStale));
    });
  }
}
