import { and, eq, inArray, like, lte, or } from "drizzle-orm";
import type { App, Context, Tx, UserRow } from "../core/context";
import { accessDenied } from "../core/errors";
import { write } from "../core/write";
import { type Counter, ownKeysOf } from "./sign-in-source";

/** After the latest failure they count for so long, and lock where they are too many. */
export const lockSeconds = 1_800;

interface Failures {
  failures: number;
  failedAt: number;
}

/** The means to read failures: a write, or a reader and the time. */
type FailuresReader = Pick<Tx, "db" | "t" | "now">;

/** Whether one of the counters is full: what it counts is refused for half an hour then. */
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

/** Failures that are half an hour old do not count any more. */
async function readFailures(
  { db, t, now }: FailuresReader,
  realmId: number,
  { key }: Pick<Counter, "key">,
): Promise<Failures> {
  const [row] = await db
    .select()
    .from(t.failedSignIns)
    .where(isOf(t, realmId, key));
  return row && now < row.failedAt + lockSeconds ? row : { failures: 0, failedAt: now };
}

const isOf = ({ failedSignIns }: Tx["t"], realmId: number, key: string) =>
  and(eq(failedSignIns.realmId, realmId), eq(failedSignIns.emailKey, key));

/**
 * Counts a proof of a password that failed. One that meets a lock does not make it longer, but
 * writes nevertheless, because it must not be told apart by its time. An attempt that one counter
 * refuses is not counted by the others either: one source that goes on does not use up what all
 * others have.
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
 * Starts the counting of a source anew: part of a proof that was right. The source's own failures
 * are taken back from the counters that it shares with others, and no more than these: a person who
 * signs in does not help whoever guesses.
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
 * Forgets everything that has failed with an account, from wherever: part of unlocking and of
 * giving it another password.
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

/** Lets somebody sign in again whose failures have locked their account. For the operator. */
export async function unlockSignIn(ctx: Context, user: UserRow): Promise<void> {
  if (ctx.actor.kind !== "operator")
    throw accessDenied("Only the operator of the server can unlock an account.");
  await write(ctx, async (tx) => {
    await forgetFailures(tx, ctx.app, user);
    tx.audit(ctx, { action: "user.unlock", kind: "user", ids: [user.id] });
  });
}

/**
 * Removes what has no effect any more: failures that are too old to count, and links that have
 * expired.
 */
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
