import { SQL } from "bun";
import { measureGrowth, measureUnreadGrowth } from "./growth";
import type { Figures } from "./load-target";
import { measureAllNeighbours } from "./neighbours";
import { memoryKiB } from "./process-usage";
import type { Repeat } from "./report";
import { crowdChannel, messagesChannel } from "./seeding";
import {
  measureStart,
  type Program,
  runLoad,
  type Seed,
  type Server,
  startServer,
} from "./servers";
import { measureSteady } from "./steady";

export type Run = {
  floor: Program;
  subject: Program;
  limited: Program;
  scratch: string;
  seconds: number;
  repeats: number;
  database: string;
  beside: string[];
  steadyMinutes: number;
};

type Scenario = {
  group: string;
  name: string;
  measure: (run: Run, name: string) => Promise<Repeat[]>;
};

type Pair = { floor: Server; subject: Server; stop: () => Promise<void> };

export const scenarios: Scenario[] = [
  { group: "send", name: "send1", measure: repeatLoad },
  { group: "send", name: "send16", measure: repeatLoad },
  { group: "send", name: "send64", measure: repeatLoad },
  { group: "deliver", name: "deliver", measure: repeatWithQueues },
  { group: "fanout", name: "fanOut", measure: repeatWithQueues },
  { group: "fanout", name: "crowd", measure: repeatCrowd },
  { group: "register", name: "register", measure: repeatLoad },
  {
    group: "register",
    name: "registerLarge",
    measure: repeatAlone({ users: 1_000, messages: 0, keys: 0, channels: 200 }),
  },
  { group: "fetch", name: "fetch", measure: repeatLoad },
  { group: "edit", name: "edit", measure: repeatAlone(undefined) },
  { group: "move", name: "move", measure: repeatAlone({ users: 100, messages: 80_000, keys: 0 }) },
  { group: "mixed", name: "mixed", measure: repeatAlone(undefined) },
  {
    group: "search",
    name: "search",
    measure: repeatAlone({ users: 100, messages: 10_000, keys: 0 }),
  },
  {
    group: "search",
    name: "narrows",
    measure: repeatAlone({ users: 100, messages: 1_000_000, keys: 0 }),
  },
  {
    group: "sessions",
    name: "sessions",
    measure: repeatAlone({ users: 36, messages: 1_000, keys: 0, channels: 200 }),
  },
  { group: "idle", name: "hold", measure: repeatIdle },
  { group: "start", name: "start", measure: repeatStart },
  { group: "growth", name: "growth", measure: repeatGrowth },
  { group: "unread", name: "unread", measure: repeatUnreadGrowth },
  { group: "neighbours", name: "neighbours", measure: repeatNeighbours },
  { group: "steady", name: "steady", measure: watchSteady },
];

export const groups = [...new Set(scenarios.map((scenario) => scenario.group))];

/** Too long to be measured each time. */
export const groupsOnDemand = ["steady"];

const idleMs = 5000;

const startRepeats = 9;

/** A million messages that were put into the database come into the search index first. */
const aloneLimitMs = 300_000;

/** A channel with 10,000 members, of whom every one of those with a key has a client that waits. */
const crowd: Seed = { users: 10_000, messages: 0, keys: 1_000 };

/** A new database beside the one of the address, for one server. */
async function createDatabase(
  address: string,
): Promise<{ address: string; drop: () => Promise<void> }> {
  const name = `chatd_bench_${process.pid}_${Math.random().toString(36).slice(2, 8)}`;
  const admin = new SQL(address, { max: 1 });
  await admin.unsafe(`CREATE DATABASE ${name}`);
  const url = new URL(address);
  url.pathname = `/${name}`;
  async function drop(): Promise<void> {
    await admin.unsafe(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await admin.close();
  }
  return { address: url.href, drop };
}

const makeDatabase = async ({ database }: Run) =>
  database === "" ? undefined : createDatabase(database);

/** The two servers; the seed is for the subject only: the floor knows nobody but who sends. */
async function startPair(run: Run, seed?: Seed): Promise<Pair> {
  const database = await makeDatabase(run);
  const floor = await startServer(run.floor, run.scratch, "");
  const address = database?.address ?? "";
  const subject = await startServer(run.subject, run.scratch, address, seed).catch(
    async (error: unknown) => {
      await floor.stop();
      await database?.drop();
      throw error;
    },
  );
  async function stop(): Promise<void> {
    await Promise.all([floor.stop(), subject.stop()]);
    await database?.drop();
  }
  return { floor, subject, stop };
}

async function withPair<T>(run: Run, measure: (pair: Pair) => Promise<T>, seed?: Seed): Promise<T> {
  const pair = await startPair(run, seed);
  try {
    return await measure(pair);
  } finally {
    await pair.stop();
  }
}

async function loadBoth(
  run: Run,
  pair: Pair,
  scenario: string,
  channel = messagesChannel,
): Promise<Repeat> {
  const limitMs = run.seconds * 5000 + 60_000;
  const floor = await runLoad(pair.floor, scenario, run.seconds, limitMs, channel);
  const subject = await runLoad(pair.subject, scenario, run.seconds, limitMs, channel);
  return { floor, subject };
}

/** Repeats a scenario on one pair of servers, in turns. */
function repeatLoad(run: Run, scenario: string): Promise<Repeat[]> {
  return withPair(run, async (pair) => {
    const repeats: Repeat[] = [];
    while (repeats.length < run.repeats) repeats.push(await loadBoth(run, pair, scenario));
    return repeats;
  });
}

/** Repeats a scenario that leaves queues behind, each time on new servers. */
async function repeatWithQueues(run: Run, scenario: string): Promise<Repeat[]> {
  const repeats: Repeat[] = [];
  while (repeats.length < run.repeats)
    repeats.push(await withPair(run, (pair) => loadBoth(run, pair, scenario)));
  return repeats;
}

/** One message to many people of a channel of 10,000; on the floor to as many queues. */
function repeatCrowd(run: Run, scenario: string): Promise<Repeat[]> {
  const measure = async (pair: Pair) => {
    const repeats: Repeat[] = [];
    while (repeats.length < run.repeats)
      repeats.push(await loadBoth(run, pair, scenario, crowdChannel));
    return repeats;
  };
  return withPair(run, measure, crowd);
}

/** A scenario that the floor does not have is measured by itself; the stored result comes first. */
function repeatAlone(seed: Seed | undefined): Scenario["measure"] {
  return async (run, scenario) => {
    const database = await makeDatabase(run);
    try {
      const subject = await startServer(run.subject, run.scratch, database?.address ?? "", seed);
      const repeats: Repeat[] = [];
      while (repeats.length < run.repeats) {
        const figures = await runLoad(subject, scenario, run.seconds, aloneLimitMs).catch(
          async (error: unknown) => {
            await subject.stop();
            throw error;
          },
        );
        repeats.push({ floor: {}, subject: figures });
      }
      await subject.stop();
      return repeats;
    } finally {
      await database?.drop();
    }
  };
}

/**
 * A cost that grows is compared with itself, small with large, in a number of rounds of its own.
 */
function repeatGrowth(run: Run): Promise<Repeat[]> {
  return measureGrowth({ ...run, makeDatabase: () => makeDatabase(run) });
}

/** A cost that does not grow with unread messages is compared in that way too. */
function repeatUnreadGrowth(run: Run): Promise<Repeat[]> {
  return measureUnreadGrowth({ ...run, makeDatabase: () => makeDatabase(run) });
}

/**
 * Ordinary people are compared with themselves, without and beside each attack, in slices of one
 * run.
 */
function repeatNeighbours(run: Run): Promise<Repeat[]> {
  return measureAllNeighbours({ ...run, makeDatabase: () => makeDatabase(run) });
}

/** The memory of one server over a long time, once. */
async function watchSteady(run: Run): Promise<Repeat[]> {
  const database = await makeDatabase(run);
  const watch = { ...run, database: database?.address ?? "", minutes: run.steadyMinutes };
  const subject = await measureSteady(watch).finally(() => database?.drop());
  return [{ floor: {}, subject }];
}

/**
 * Memory of two servers that have done nothing since they were provisioned, then with 1,000 polls
 * held.
 */
async function repeatIdle(run: Run, scenario: string): Promise<Repeat[]> {
  const repeats: Repeat[] = [];
  while (repeats.length < run.repeats) {
    const repeat = await withPair(run, async (pair) => {
      await Bun.sleep(idleMs);
      const idle = {
        floor: memoryKiB(pair.floor.pid) / 1024,
        subject: memoryKiB(pair.subject.pid) / 1024,
      };
      const held = await loadBoth(run, pair, scenario);
      return {
        floor: { ...held.floor, idleMiB: idle.floor },
        subject: { ...held.subject, idleMiB: idle.subject },
      };
    });
    repeats.push(repeat);
  }
  return repeats;
}

/**
 * Start to listening; the first start of each, which reads the binary from disk, does not count.
 */
async function repeatStart(run: Run): Promise<Repeat[]> {
  if (run.database !== "") return [];
  const repeats: Repeat[] = [];
  for (let index = -1; index < startRepeats; index++) {
    const floor: Figures = { startMs: await measureStart(run.floor, run.scratch) };
    const subject: Figures = { startMs: await measureStart(run.subject, run.scratch) };
    if (index >= 0) repeats.push({ floor, subject });
  }
  return repeats;
}
