import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import postgres from "postgres";
import type { Engine } from "../../db/engine";
import { databaseFile, openEngine } from "../../db/open";
import { until } from "../support/polls";
import { freshPlace, notingHooks, testEngine } from "../support/storage";

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
const [looks, pauseMilliseconds] = [10, 20];

const rounds = 5;

async function readInTurns() {
  for (let look = 0; look < looks; look++) {
    await read();
    await new Promise((resolve) => setTimeout(resolve, pauseMilliseconds));
  }
}

/** Share of the processor that this process takes during some work: 1 where it is never idle. */
async function processorShare(work: () => Promise<void>): Promise<number> {
  const [before, startedAt] = [process.cpuUsage(), performance.now()];
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / (performance.now() - startedAt);
}

test("H14: a write that waits for a lock leaves the processor to others, who read meanwhile", async () => {
  await Promise.all([read(), write()]);
  const release = await holdLock();
  const waiting = write();
  const shares: number[] = [];
  for (let round = 0; round < rounds; round++) shares.push(await processorShare(readInTurns));
  // The least of some rounds: the process may have other work in one of them, a wait that does not
  // leave the processor has it in all of them.
  expect(Math.min(...shares)).toBeLessThan(0.5);
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

const writesAtOnce = 200;

/**
 * So many writes, of which half wait for nobody's answer: more than the client sends ahead. Each
 * adds two entries to the log.
 */
const defers = (note: (id: number) => void) =>
  Array.from({ length: writesAtOnce }, (_, at) =>
    engine.write(
      1,
      async (tx) => {
        if (at >= writesAtOnce / 2) note((await tx.nextMessageId?.()) ?? 0);
        tx.defer(tx.db.insert(engine.schema.eventLog).values(entry));
        tx.defer(tx.db.insert(engine.schema.eventLog).values(entry));
      },
      () => undefined,
    ),
  );
const entry = { realmId: 1, type: "test", audience: "{}", body: "{}", createdAt: 1 };

const entries = async () => (await engine.reader.db.select().from(engine.schema.eventLog)).length;

/** Does something to the connection that waits for the lock, once there is one. */
async function toWaiting(what: "pg_cancel_backend" | "pg_terminate_backend") {
  const client = postgres(place.databaseUrl ?? "", { max: 1, onnotice: () => undefined });
  const isWaiting =
    "datname = current_database() AND application_name = 'chatd' AND wait_event_type = 'Lock'";
  const strike = `SELECT ${what}(pid) FROM pg_stat_activity WHERE ${isWaiting}`;
  await until(async () => (await client.unsafe(strike)).length > 0);
  await client.end();
}

test("a wait for the lock that fails fails the writes behind it, and no later one", async () => {
  if (testEngine === "sqlite") return;
  await write();
  const release = await holdLock();
  const waiting = Promise.allSettled(defers(() => undefined));
  await toWaiting("pg_cancel_backend");
  const reasons = (await waiting).map((one) => one.status === "rejected" && String(one.reason));
  await release();
  expect(new Set(reasons)).toEqual(
    new Set(["PostgresError: canceling statement due to user request"]),
  );
  expect(await write()).toBe("written");
  expect(await entries()).toBe(0);
});

test("writes whose connection is lost while they wait for the lock are done once each", async () => {
  if (testEngine === "sqlite") return;
  await write();
  const release = await holdLock();
  const ids: number[] = [];
  const waiting = Promise.all(defers((id) => ids.push(id)));
  await toWaiting("pg_terminate_backend");
  await release();
  await waiting;
  expect(await entries()).toBe(2 * writesAtOnce);
  expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
});
