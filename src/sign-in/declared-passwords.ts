import { type Static, Type } from "@sinclair/typebox";
import { and, eq, isNull } from "drizzle-orm";
import type { Reader } from "../../db/reader";
import type { App, Context, RealmRow, Tx, UserRow } from "../core/context";
import { perServer } from "../core/per-server";
import { write } from "../core/write";
import { defineJob } from "../jobs/define";
import { hashPasswords } from "./passwords";

/*
 * Passwords that an organization's file declares. Hashing takes longer than everything else in the
 * file, and nobody waits for it: the write that makes the account stores the password sealed with
 * the server's secret. Later a job hashes it, or the first sign-in that needs it.
 */

const name = "hash_password";
const Sealed = Type.Object({ userId: Type.Integer(), sealed: Type.String() });
/** Enough attempts to last until a full disk has space again. */
const attemptsMax = 1_000;

const purposeOf = (realmId: number, userId: number) => `declared-password:${realmId}:${userId}`;

export const hashPasswordJob = defineJob(
  name,
  Sealed,
  async ({ app, realm }, { userId, sealed }) => {
    const hash = await hashSealed(app, realm.id, userId, sealed);
    return async (tx) => {
      await storeFirstPassword(tx, realm.id, userId, hash);
      return undefined;
    };
  },
  { isLong: true, attemptsMax },
);

/** Stores a password as the first one of an account, in the write that declares it. */
export async function declarePasswordIn(
  tx: Tx,
  ctx: Context,
  userId: number,
  password: string,
): Promise<void> {
  const sealed = ctx.app.secrets.seal(purposeOf(ctx.realm.id, userId), password);
  await hashPasswordJob.enqueue(tx, ctx, { userId, sealed }, { key: String(userId) });
}

/**
 * The declared passwords that are not hashed yet, by the person's id. Leaves out passwords that the
 * server's current secret cannot open, because they will never be hashed.
 */
export async function listAwaitedPasswords(
  { secrets }: App,
  { db, t }: Reader,
  realmId: number,
): Promise<Map<number, string>> {
  const { name: jobName, payload, failedAt } = t.jobs;
  const rows = await db
    .select({ payload })
    .from(t.jobs)
    .where(and(eq(t.jobs.realmId, realmId), eq(jobName, name), isNull(failedAt)));
  const passwords = new Map<number, string>();
  for (const row of rows) {
    const { userId, sealed }: Static<typeof Sealed> = JSON.parse(row.payload);
    try {
      passwords.set(userId, secrets.open(purposeOf(realmId, userId), sealed));
    } catch {}
  }
  return passwords;
}

/** Hashes that people wait for when they sign in; several attempts wait for one hash. */
const underWay = perServer(() => new Map<string, Promise<string | null>>());

/**
 * The hash of a person's password; null if they have none. A declared password that is not hashed
 * yet is hashed now.
 */
export async function passwordHashOf(
  app: App,
  realm: RealmRow,
  user: UserRow,
): Promise<string | null> {
  if (user.passwordHash !== null) return user.passwordHash;
  const waiting = underWay.of(app);
  const key = `${realm.id} ${user.id}`;
  const hashing =
    waiting.get(key) ?? hashDeclared(app, realm, user.id).finally(() => waiting.delete(key));
  waiting.set(key, hashing);
  return hashing;
}

async function hashDeclared(app: App, realm: RealmRow, userId: number): Promise<string | null> {
  const { jobs, users } = app.engine.schema;
  const isIt = and(eq(jobs.realmId, realm.id), eq(jobs.name, name), eq(jobs.key, String(userId)));
  const [job] = await app.engine.reader.db.select({ payload: jobs.payload }).from(jobs).where(isIt);
  if (job) {
    const { sealed }: { sealed: string } = JSON.parse(job.payload);
    const hash = await hashSealed(app, realm.id, userId, sealed);
    const scope = { app, realm, now: app.clock.now() };
    await write(scope, async (tx) => {
      await storeFirstPassword(tx, realm.id, userId, hash);
      await hashPasswordJob.cancel(tx, scope, String(userId));
    });
  }
  const isUser = and(eq(users.realmId, realm.id), eq(users.id, userId));
  const [user] = await app.engine.reader.db
    .select({ hash: users.passwordHash })
    .from(users)
    .where(isUser);
  return user?.hash ?? null;
}

async function hashSealed(
  app: App,
  realmId: number,
  userId: number,
  sealed: string,
): Promise<string> {
  const password = app.secrets.open(purposeOf(realmId, userId), sealed);
  const hashes: string[] = [];
  await hashPasswords(app, [{ password }], (_one, hash) => void hashes.push(hash));
  return hashes[0] ?? "";
}

/**
 * A person who has chosen a password in the meantime keeps it; a person who was deleted for good
 * gets none.
 */
async function storeFirstPassword(
  { db, t: { users } }: Tx,
  realmId: number,
  userId: number,
  passwordHash: string,
) {
  const isThere = and(eq(users.realmId, realmId), eq(users.id, userId), eq(users.isDeleted, false));
  const isTheirs = and(isThere, isNull(users.passwordHash));
  await db.update(users).set({ passwordHash }).where(isTheirs);
}
