import { afterEach, beforeEach, expect, test } from "bun:test";
import postgres from "postgres";
import type { Engine } from "../../db/engine";
import { openEngine } from "../../db/open";
import { freshPlace, notingHooks } from "../support/databases/storage";
import { until } from "../support/polls";

/* Writes that wait for the lock of their realm, on a connection that fails meanwhile. */

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

const connect = () => postgres(place.databaseUrl ?? "", { max: 1, onnotice: () => undefined });

/** Another process that is in the middle of a write of realm 1. */
async function holdLock(): Promise<() => Promise<void>> {
  const client = connect();
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
  const client = connect();
  const isWaiting =
    "datname = current_database() AND application_name = 'chatd' AND wait_event_type = 'Lock'";
  const strike = `SELECT ${what}(pid) FROM pg_stat_activity WHERE ${isWaiting}`;
  await until(async () => (await client.unsafe(strike)).length > 0);
  await client.end();
}

test("a wait for the lock that fails fails the writes behind it, and no later one", async () => {
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
