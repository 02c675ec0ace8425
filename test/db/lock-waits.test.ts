import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import postgres from "postgres";
import type { Engine } from "../../db/engine";
import { databaseFile, openEngine } from "../../db/open";
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
/**
 * Turns of the event loop that such reads may ask for: they ask for about ten, and a wait that looks
 * without pause for more than a hundred.
 */
const turnsMax = 40;

/** Counts the turns of the event loop that are asked for without a pause, while some work goes on. */
async function countTurns(work: () => Promise<void>): Promise<number> {
  const { setTimeout, setImmediate } = globalThis;
  let turns = 0;
  globalThis.setTimeout = Object.assign((run: () => void, milliseconds?: number) => {
    if ((milliseconds ?? 0) < 1) turns++;
    return setTimeout(run, milliseconds);
  }, setTimeout);
  globalThis.setImmediate = Object.assign((run: () => void) => {
    turns++;
    return setImmediate(run);
  }, setImmediate);
  await work().finally(() => Object.assign(globalThis, { setTimeout, setImmediate }));
  return turns;
}

async function readInTurns() {
  for (let look = 0; look < looks; look++) {
    await read();
    await Bun.sleep(pauseMilliseconds);
  }
}

test("H14: a write that waits for a lock leaves the processor to others, who read meanwhile", async () => {
  await Promise.all([read(), write()]);
  const release = await holdLock();
  const waiting: Promise<unknown>[] = [];
  const turns = await countTurns(async () => {
    waiting.push(write());
    await readInTurns();
  });
  expect(turns).toBeLessThan(turnsMax);
  await release();
  expect(await Promise.all(waiting)).toEqual(["written"]);
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
