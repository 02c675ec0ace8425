import { afterAll, afterEach, beforeEach, expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import postgres from "postgres";
import type { Transaction } from "../../db/engine";
import { openEngine } from "../../db/open";
import { isAway } from "../../db/trouble";
import type { Queue, WireEvent } from "../support/client";
import { notingHooks } from "../support/databases/storage";
import { until } from "../support/polls";
import {
  endLeftServers,
  type ServerProcess,
  startServer,
} from "../support/processes/server-process";
import type { Serving } from "../support/processes/serving-process";
import { type FailingNetwork, openFailingNetwork } from "../support/servers/failing-network";
import { makeWorld, type Person, type World } from "../support/world";

/*
 * Two servers on one PostgreSQL, of which one falls silent in the middle of a write: its process is
 * stopped, or its network is cut without a word. A SQLite file has one server.
 */

/** `CHATD_SILENT_ROUNDS=10 make test ARGS="silent-nodes"` for the figure that we publish. */
const rounds = Number(process.env["CHATD_SILENT_ROUNDS"] ?? 1);
const roundMilliseconds = 30_000;
const senders = 6;
const messagesOnly = { event_types: ["message"], apply_markdown: false };

let world: World;
let network: FailingNetwork;
let control: postgres.Sql;

beforeEach(async () => {
  world = await makeWorld();
  const { databaseUrl = "" } = world.place;
  network = await openFailingNetwork(databaseUrl);
  control = postgres(databaseUrl, { max: 1, onnotice: () => undefined });
});

afterEach(async () => {
  await control.end();
  await world.close();
  await network.close();
});
afterAll(endLeftServers);

/**
 * Another server on the world's data, a process of its own, which reaches PostgreSQL by the network
 * that may fail.
 */
function startVictim(): Promise<ServerProcess> {
  const { dataFolder } = world.place;
  const serving: Serving = {
    dataFolder,
    databaseUrl: network.url,
    now: world.clock.now(),
    flags: { requests_per_minute_per_user: "0", requests_per_minute_per_address: "0" },
  };
  return startServer([
    process.execPath,
    `${import.meta.dir}/../support/processes/serving-process.ts`,
    JSON.stringify(serving),
  ]).ready();
}

/**
 * Several people who send all the time at a server, until they are told to stop; each text once.
 */
function keepSending(people: readonly Person[]) {
  const acknowledged = new Map<string, number>();
  const statuses = new Map<number, number>();
  let isOver = false;
  const send = async (person: Person, lane: number) => {
    for (let i = 0; !isOver; i++) {
      const content = `${lane} ${i}`;
      const { status, body } = await person.post("/messages", {
        type: "channel",
        to: "general",
        topic: "t",
        content,
      });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status === 200) acknowledged.set(content, body.id);
      // A client that is told to wait does so.
      else await Bun.sleep(50);
    }
  };
  const done = Promise.all(people.map(send));
  return {
    acknowledged,
    statuses,
    async end() {
      isOver = true;
      await done;
    },
  };
}

/**
 * When a session that has the lock of the world's realm came to wait for its client, undefined
 * where none does.
 */
async function waitingSince(): Promise<string | undefined> {
  const rows = await control.unsafe(
    `SELECT state_change::text AS since FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE locktype = 'advisory'
      AND granted AND objid = $1 AND datname = current_database() AND state = 'idle in transaction'`,
    [world.realm.id],
  );
  return rows?.[0]?.["since"];
}

/**
 * Lets a server fall silent until one of these moments is one at which it has the lock, and has
 * said nothing more.
 */
async function silence(fall: () => void, rise: () => void) {
  for (;;) {
    fall();
    const since = await waitingSince();
    if (since !== undefined) {
      await Bun.sleep(20);
      if (since === (await waitingSince())) return;
    }
    rise();
    await Bun.sleep(Math.random() * 3);
  }
}

async function hearAll(queue: Queue, ids: Iterable<number>) {
  const heard: number[] = [];
  const missing = new Set(ids);
  while (missing.size > 0) {
    const events = await queue.next();
    heard.push(...events.map(({ message }: WireEvent) => message.id));
    for (const { message } of events) missing.delete(message.id);
  }
  return heard;
}

/**
 * Every message that the two servers acknowledged stands in the data once, and both tell them in
 * one order.
 */
async function expectNothingLost(
  victim: ServerProcess,
  queue: Queue,
  acknowledged: ReadonlyMap<string, number>,
) {
  const rows =
    (await control.unsafe("SELECT id, content FROM messages WHERE realm_id = $1 ORDER BY id", [
      world.realm.id,
    ])) ?? [];
  const stored = new Map(rows.map(({ id, content }) => [content, Number(id)]));
  expect(rows.length).toBe(stored.size);
  for (const [content, id] of acknowledged)
    expect([content, stored.get(content)]).toEqual([content, id]);
  const heard = await hearAll(queue, acknowledged.values());
  expect(heard).toEqual([...new Set(heard)].sort((a, b) => a - b));
  expect(victim.log()).not.toContain("request_failed");
}

/**
 * A server that does not reach PostgreSQL says so, and to wait, instead of letting people wait for
 * it.
 */
async function expectRefusal(person: Person) {
  const { status, body, headers } = await person.get("/users/me");
  expect([status, body.code, headers.get("retry-after")]).toEqual([
    503,
    "DATABASE_UNAVAILABLE",
    "2",
  ]);
}

/**
 * Lets a server fall silent again and again while people send at it, and somebody at the other one.
 */
async function fallSilent(
  fall: (victim: ServerProcess) => void,
  rise: (victim: ServerProcess) => void,
  meanwhile: (victim: ServerProcess) => Promise<void> = async () => undefined,
) {
  const { alice, bob, carol } = world;
  const victim = await startVictim();
  const queue = await bob.at(victim).register(messagesOnly);
  const sending = keepSending(
    Array.from({ length: senders }, (_, lane) => (lane % 2 ? alice : carol).at(victim)),
  );
  const acknowledged = new Map<string, number>();
  const waits: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const before = sending.acknowledged.size;
    await until(() => sending.acknowledged.size > before + 20);
    await silence(
      () => fall(victim),
      () => rise(victim),
    );
    const since = performance.now();
    const content = `meanwhile ${round}`;
    const { status, body } = await world.alice.post("/messages", {
      type: "channel",
      to: "general",
      topic: "t",
      content,
    });
    waits.push(Math.round(performance.now() - since));
    expect([status, body.code]).toEqual([200, undefined]);
    acknowledged.set(content, body.id);
    await meanwhile(victim);
    rise(victim);
  }
  const before = sending.acknowledged.size;
  await until(() => sending.acknowledged.size > before + 20);
  await sending.end();
  for (const [content, id] of sending.acknowledged) acknowledged.set(content, id);
  await expectNothingLost(victim, queue, acknowledged);
  await victim.stop();
  return { waits, statuses: sending.statuses };
}

const told = (
  what: string,
  { waits, statuses }: { waits: number[]; statuses: Map<number, number> },
) =>
  console.log(
    `${what} ${rounds} times: the other one's write waited ${Math.max(...waits)} ms at the most; answers ${JSON.stringify([...statuses])}`,
  );

test(
  "a server whose process is stopped in a write holds up the other one for a moment, and goes on when it wakes up",
  async () => {
    const seen = await fallSilent(
      ({ pid }) => process.kill(pid, "SIGSTOP"),
      ({ pid }) => process.kill(pid, "SIGCONT"),
    );
    told("stopped", seen);
  },
  30_000 + rounds * roundMilliseconds,
);

test(
  "a server that is cut off from PostgreSQL in a write holds up the other one for a moment, and comes back by itself",
  async () => {
    const seen = await fallSilent(
      () => network.cut(),
      () => network.mend(),
      (victim) => expectRefusal(world.bob.at(victim)),
    );
    told("cut off", seen);
  },
  30_000 + rounds * roundMilliseconds,
);

test("a session that falls silent between the messages of one statement is ended by whoever waits for it", async () => {
  const { hooks, notes } = notingHooks();
  const { engine: cutOff } = await openEngine(
    { ...world.place, databaseUrl: network.url },
    hooks,
    1_000,
  );
  const { realms } = cutOff.schema;
  const lost = cutOff
    .write(
      world.realm.id,
      async ({ db }) => {
        await db.select().from(realms);
        // PostgreSQL gets the statement, and then waits for its value.
        network.cutBefore("nowhere");
        await db.select().from(realms).where(eq(realms.host, "nowhere"));
      },
      () => undefined,
    )
    .catch((error: unknown) => error);
  await until(async () => (await control.unsafe(betweenMessages))?.length === 1);
  expect(await world.alice.say("general", "lunch", "meanwhile")).toBeGreaterThan(0);
  expect(world.logged.filter((line) => line.includes("silent_session_ended"))).toHaveLength(1);
  expect(isAway(await lost)).toBe(true);
  network.mend();
  await until(() => notes.includes("back"));
  expect(notes.filter((note) => /^(warn|back)/.test(note))).toEqual(["warn database_away", "back"]);
  await cutOff.close();
});

const betweenMessages = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND state = 'active'
  AND wait_event = 'ClientRead' AND query LIKE 'select%'`;

test("a write whose statement takes long is ended by nobody, however long others wait for it", async () => {
  const sleep = ({ db }: Transaction) =>
    (db as unknown as PgDatabase).execute(sql`SELECT pg_sleep(4.5)`);
  const working = world.app.engine.write(world.realm.id, sleep, () => undefined);
  const other = await world.startNode();
  expect(await world.alice.at(other).say("general", "lunch", "after it")).toBeGreaterThan(0);
  expect(await working).toHaveLength(1);
  expect(world.logged.filter((line) => line.includes("silent_session"))).toEqual([]);
});

interface PgDatabase {
  execute(query: unknown): Promise<unknown[]>;
}
