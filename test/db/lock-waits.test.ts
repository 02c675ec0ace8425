import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import postgres from "postgres";
import type { Engine } from "../../db/engine";
import { databaseFile, openEngine } from "../../db/open";
import { freshPlace, notingHooks, testEngine } from "../support/databases/storage";
import { until } from "../support/polls";

let place: Awaited<ReturnType<typeof freshPlace>>;
let engine: Engine;

beforeEach(async () => {
  place = await freshPlace();
  ({ engine } = await openEngine(place, notingHooks().hooks, 1_000));
});

afterEach(async () => {
  await engine.close();
  await place.remove();
});

/** Another process that is in the middle of a write of realm 1. */
async function holdLock(): Promise<() => Promise<void>> {
  if (place.databaseUrl === undefined) {
    const file = new Database(databaseFile(place.dataFolder));
    file.run("BEGIN IMMEDIATE");
    return async () => file.close();
  }
  const client = postgres(place.databaseUrl, { max: 1, onnotice: () => undefined });
  await client.unsafe("BEGIN");
  await client.unsafe("SELECT pg_advisory_xact_lock(1)");
  return () => client.end();
}

const write = () =>
  engine.write(
    1,
    async () => "written",
    () => undefined,
  );

const read = () => engine.reader.db.select().from(engine.schema.realms);
/** Number of looks at the lock; on PostgreSQL, which waits by itself, of reads meanwhile. */
const looks = 10;

/** Pauses in milliseconds that are asked for until they are restored. */
function notePauses() {
  const { setTimeout } = globalThis;
  const pauses: number[] = [];
  globalThis.setTimeout = Object.assign((run: () => void, milliseconds = 0) => {
    pauses.push(milliseconds);
    return setTimeout(run, milliseconds);
  }, setTimeout);
  return { pauses, restore: () => void Object.assign(globalThis, { setTimeout }) };
}

test("H14: a write that waits for a lock leaves the processor to others, who read meanwhile", async () => {
  await Promise.all([read(), write()]);
  const release = await holdLock();
  const { pauses, restore } = notePauses();
  const waiting = write();
  let reads = 0;
  await until(async () => {
    await read();
    reads++;
    return (testEngine === "postgres" ? reads : pauses.length) >= looks;
  }).finally(restore);
  if (testEngine === "sqlite") expect(Math.min(...pauses)).toBeGreaterThanOrEqual(1);
  await release();
  expect(await waiting).toBe("written");
});

test("H14: the wait for a lock has an end, after which the next write finds it free", async () => {
  if (testEngine === "postgres") {
    expect(await lockTimeout()).toMatchObject([{ lock_timeout: "10s" }]);
    return;
  }
  const release = await holdLock();
  const { setTimeout } = globalThis;
  // Ten seconds of looking again and again, without the pauses between.
  globalThis.setTimeout = Object.assign((run: () => void) => setTimeout(run, 0), setTimeout);
  const error = await write().catch((refusal: unknown) => refusal);
  globalThis.setTimeout = setTimeout;
  expect(error).toMatchObject({ code: "SQLITE_BUSY" });
  await release();
  expect(await write()).toBe("written");
});

/** After which PostgreSQL itself ends a wait within a write. */
const lockTimeout = () =>
  engine.write(
    1,
    async ({ db }) =>
      (db as unknown as { execute(query: unknown): Promise<unknown> }).execute(
        sql`SHOW lock_timeout`,
      ),
    () => undefined,
  );
