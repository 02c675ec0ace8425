import { and, eq, inArray, lte } from "drizzle-orm";
import type { App, Context, Tx, UserRow } from "../core/context";
import { accessDenied, rateLimitHit } from "../core/errors";
import { secondsUntil, TokenBuckets } from "../core/token-buckets";
import { write } from "../core/write";

const failuresMax = 5;
const lockSeconds = 1_800;

/** What has failed lately under one address: what a sign-in is counted under, whether or not somebody has it. */
interface Failures {
  failures: number;
  failedAt: number;
}

/** Whether nobody may sign in with this e-mail address at the moment: after five failures, for half an hour. */
export async function isLocked(tx: Tx, realmId: number, emailKey: string): Promise<boolean> {
  return (await readFailures(tx, realmId, emailKey)).failures >= failuresMax;
}

/** Failures that are half an hour old do not count any more. */
async function readFailures({ db, t, now }: Tx, realmId: number, emailKey: string): Promise<Failures> {
  const [row] = await db
    .select()
    .from(t.failedSignIns)
    .where(isOf(t, realmId, emailKey));
  return row && now < row.failedAt + lockSeconds ? row : { failures: 0, failedAt: now };
}

const isOf = ({ failedSignIns }: Tx["t"], realmId: number, emailKey: string) =>
  and(eq(failedSignIns.realmId, realmId), eq(failedSignIns.emailKey, emailKey));

/**
 * Counts a sign-in that failed. One that meets a lock does not make it longer, but writes all the same: it must not be told
 * apart by its time.
 */
export async function countFailure(tx: Tx, realmId: number, emailKey: string): Promise<void> {
  const { failedSignIns } = tx.t;
  const before = await readFailures(tx, realmId, emailKey);
  const after: Failures = before.failures >= failuresMax ? before : { failures: before.failures + 1, failedAt: tx.now };
  await tx.db
    .insert(failedSignIns)
    .values({ realmId, emailKey, ...after })
    .onConflictDoUpdate({
      target: [failedSignIns.realmId, failedSignIns.emailKey],
      set: { failures: after.failures, failedAt: after.failedAt },
    })
    .returning({ failures: failedSignIns.failures });
}

/** Starts the counting anew: part of signing in, and of unlocking. */
export async function forgetFailures(tx: Tx, realmId: number, emailKey: string): Promise<void> {
  const { failedSignIns } = tx.t;
  await tx.db
    .delete(failedSignIns)
    .where(isOf(tx.t, realmId, emailKey))
    .returning({ failures: failedSignIns.failures });
}

/** Lets somebody sign in again whose failures have locked their account. For the operator. */
export async function unlockSignIn(ctx: Context, user: UserRow): Promise<void> {
  if (ctx.actor.kind !== "operator") throw accessDenied("Only the operator of the server can unlock an account.");
  await write(ctx, (tx) => forgetFailures(tx, ctx.realm.id, user.emailKey));
}

/** Removes what has no effect any more: failures that are too old to count, and links that have expired. */
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

const attempts = new WeakMap<App, TokenBuckets<string>>();

function attemptsOf(app: App): TokenBuckets<string> | undefined {
  const capacity = app.config.failedSignInsPerAddressMax;
  if (capacity === 0) return undefined;
  const buckets = attempts.get(app) ?? new TokenBuckets<string>({ capacity, seconds: lockSeconds });
  attempts.set(app, buckets);
  return buckets;
}

/**
 * Takes a sign-in from those that a client's address may still fail with; refuses it when there is none left
 * (RATE_LIMIT_HIT). The answer gives it back, for a sign-in that did not fail.
 */
export function takeAttempt(app: App, address: string, now: number): () => void {
  const bucket = attemptsOf(app)?.of(address, now);
  if (!bucket) return () => undefined;
  const wait = secondsUntil(bucket, 1);
  if (wait > 0) throw rateLimitHit(wait);
  bucket.tokens -= 1;
  return () => {
    bucket.tokens = Math.min(bucket.allowance.capacity, bucket.tokens + 1);
  };
}
