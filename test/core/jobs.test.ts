import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { count, eq } from "drizzle-orm";
import type { Tx } from "../../src/core/context";
import { write } from "../../src/core/write";
import { defineJob, type Job, type JobContext } from "../../src/jobs/define";
import { tidyJobs } from "../../src/jobs/tidy";
import { deactivateRealm, reactivateRealm } from "../../src/management/organization/deactivate";
import { outcomeOf } from "../support/outcome";
import { until } from "../support/polls";
import { makeWorld, type World } from "../support/world";

/** Names that the jobs of the tests have noted, in order. */
let ran: string[] = [];
/** Next actions of a job: nothing more, or what the test has put here. */
let next: (() => Promise<void>)[] = [];

const named = Type.Object({ word: Type.String() });
type Named = { word: string };

/** Leaves a row for each time that its end was committed. */
async function leaveTrace(tx: Tx, ctx: JobContext): Promise<undefined> {
  const row = { realmId: ctx.realm.id, userId: 1, title: "trace", content: "", createdAt: tx.now };
  await tx.db.insert(tx.t.savedSnippets).values(row);
  return undefined;
}

const note: Job<Named> = defineJob("note", named, async (_ctx, { word }) => {
  ran.push(word);
  await next.shift()?.();
  return leaveTrace;
});

const fragile = defineJob(
  "fragile",
  named,
  async (_ctx, { word }) => {
    ran.push(word);
    throw new Error(`${word} is broken on purpose`);
  },
  { attemptsMax: 3 },
);

const refused = defineJob(
  "refused",
  named,
  async () => async () => {
    throw new Error("never, on purpose");
  },
  {
    isFinal: () => true,
    onFinalFailure: async (tx, ctx, { word }, error) => {
      ran.push(`instead of ${word}: ${String(error)}`);
      await leaveTrace(tx, ctx);
    },
  },
);

const outside = defineJob(
  "outside",
  named,
  async (_ctx, { word }, signal) => {
    ran.push(word);
    await next.shift()?.();
    if (word === "slow") {
      await new Promise((_resolve, reject) =>
        signal.addEventListener("abort", () => reject(signal.reason)),
      );
    }
    return leaveTrace;
  },
  { isLeased: true, attemptsMax: 2 },
);

const unleased = defineJob("unleased", named, async (_ctx, { word }, signal) => {
  ran.push(word);
  await new Promise((_resolve, reject) =>
    signal.addEventListener("abort", () => reject(signal.reason)),
  );
  return leaveTrace;
});

const replaceable = defineJob(
  "replaceable",
  named,
  async (_ctx, { word }) => {
    ran.push(word);
    await next.shift()?.();
    return leaveTrace;
  },
  {
    isLeased: true,
    onReplaced: async () => {
      ran.push("one is lost");
      throw new Error("not told, on purpose");
    },
  },
);

const countdown = defineJob(
  "countdown",
  Type.Object({ left: Type.Integer() }),
  async (_ctx, { left }) =>
    async (tx) => {
      ran.push(String(left));
      return left === 0 ? undefined : { payload: { left: left - 1 }, at: tx.now + 10 };
    },
);

let world: World;
beforeEach(async () => {
  ran = [];
  next = [];
  world = await makeWorld({}, [note, fragile, refused, outside, unleased, replaceable, countdown]);
});
afterEach(() => world.close());

type How = Parameters<typeof note.enqueue>[3];

const enqueue = (job: Job<Named>, word: string, how: How = {}, { app } = world) =>
  write({ ...world.operator, app, now: world.clock.now() }, (tx) =>
    job.enqueue(tx, { app, realm: world.realm }, { word }, how),
  );

const isSettled = (work: Promise<void>) =>
  Promise.race([work.then(() => true), new Promise<false>((tell) => setImmediate(tell, false))]);

async function traces(): Promise<number> {
  const { db, t } = world.app.engine.reader;
  const [row] = await db
    .select({ count: count() })
    .from(t.savedSnippets)
    .where(eq(t.savedSnippets.title, "trace"));
  return row?.count ?? 0;
}

test("what is enqueued runs after the commit, once, and leaves the list", async () => {
  await enqueue(note, "one");
  await world.pass(0);
  await world.pass(100_000);
  expect(ran).toEqual(["one"]);
  expect(await traces()).toBe(1);
  expect(await world.app.jobs.list()).toEqual([]);
});

test("what is enqueued in a write that is undone never runs", async () => {
  const { operator } = world;
  const undone = write(operator, async (tx) => {
    await note.enqueue(tx, operator, { word: "never" });
    throw new Error("on purpose");
  });
  expect(await outcomeOf(undone)).toThrow("on purpose");
  await undone.catch(() => undefined);
  await world.pass(60);
  expect(ran).toEqual([]);
});

test("a job waits for its time, also through a restart", async () => {
  const at = world.clock.now() + 3600;
  await enqueue(note, "later", { at });
  await world.pass(3599);
  expect(ran).toEqual([]);
  expect(await world.app.jobs.list()).toMatchObject([
    { name: "note", state: "waiting", due_at: at, attempts: 0 },
  ]);
  await world.restart();
  await world.pass(1);
  expect(ran).toEqual(["later"]);
});

test("an earlier job is not held up by the timer of a later one", async () => {
  await enqueue(note, "second", { at: world.clock.now() + 100 });
  await enqueue(note, "first", { at: world.clock.now() + 10 });
  await world.pass(10);
  expect(ran).toEqual(["first"]);
  await world.pass(90);
  expect(ran).toEqual(["first", "second"]);
});

test("what fails is tried again after growing pauses, and its end happens once", async () => {
  next = [1, 2].map((time) => async () => {
    throw new Error(`failure ${time} on purpose`);
  });
  await enqueue(note, "again");
  await world.pass(0);
  expect(await world.app.jobs.list()).toMatchObject([
    {
      attempts: 1,
      state: "waiting",
      last_error: "failure 1 on purpose",
      due_at: world.clock.now() + 5,
    },
  ]);
  await world.pass(5);
  expect(ran).toHaveLength(2);
  await world.pass(14);
  expect(ran).toHaveLength(2);
  await world.pass(1);
  expect(ran).toHaveLength(3);
  expect(await traces()).toBe(1);
  expect(await world.app.jobs.list()).toEqual([]);
});

test("what fails for good stays on the list with its error until the operator retries or deletes it", async () => {
  await enqueue(fragile, "vase");
  for (const seconds of [0, 5, 15, 1000]) await world.pass(seconds);
  expect(ran).toHaveLength(3);
  const [failed] = await world.app.jobs.list({ onlyFailed: true });
  expect(failed).toMatchObject({
    realm: "chat.example.com",
    name: "fragile",
    state: "failed",
    attempts: 3,
    due_at: null,
    last_error: "vase is broken on purpose",
  });
  const id = failed?.id ?? 0;
  await world.app.jobs.retry([id]);
  await world.pass(0);
  expect(ran).toHaveLength(4);
  expect(await world.app.jobs.list()).toMatchObject([{ id, state: "waiting", attempts: 1 }]);
  await world.app.jobs.remove([id]);
  await world.pass(1000);
  expect(ran).toHaveLength(4);
  expect(await outcomeOf(world.app.jobs.retry([id]))).toThrow(`There is no job ${id}`);
  expect(await outcomeOf(world.app.jobs.remove([id]))).toThrow(`There is no job ${id}`);
});

test("what has failed is forgotten after thirty days", async () => {
  await enqueue(fragile, "vase");
  for (const seconds of [0, 5, 15]) await world.pass(seconds);
  await world.pass(30 * 24 * 3600 - 60);
  await tidyJobs(world.app);
  expect(await world.app.jobs.list()).toHaveLength(1);
  await world.pass(61);
  await tidyJobs(world.app);
  expect(await world.app.jobs.list()).toEqual([]);
});

test("where something is to be done instead of a job that cannot be done, that ends it, in one write", async () => {
  await enqueue(refused, "door");
  await world.pass(0);
  expect(ran).toEqual(["instead of door: Error: never, on purpose"]);
  expect(await traces()).toBe(1);
  expect(await world.app.jobs.list()).toEqual([]);
});

test("a job that is not done yet runs again with what it answers", async () => {
  const { operator } = world;
  await write(operator, (tx) => countdown.enqueue(tx, operator, { left: 2 }));
  for (const seconds of [0, 10, 10, 10]) await world.pass(seconds);
  expect(ran).toEqual(["2", "1", "0"]);
});

test("a payload that is not of the job's form fails, and the server goes on", async () => {
  const { operator } = world;
  await enqueue(note, "good", { key: "k", at: world.clock.now() + 50 });
  await write(operator, async (tx) => {
    await tx.db.update(tx.t.jobs).set({ payload: '{"word":5}' });
  });
  await world.pass(50);
  expect(await world.app.jobs.list()).toMatchObject([
    { attempts: 1, last_error: expect.stringContaining("form") },
  ]);
  await enqueue(note, "other");
  await world.pass(0);
  expect(ran).toEqual(["other"]);
});

describe("a key", () => {
  test("has one job: the newest takes the place of the one that waits", async () => {
    await enqueue(note, "old", { key: "k", at: world.clock.now() + 10 });
    await enqueue(note, "new", { key: "k", at: world.clock.now() + 20 });
    await enqueue(note, "other", { key: "l", at: world.clock.now() + 20 });
    await world.pass(10);
    expect(ran).toEqual([]);
    await world.pass(10);
    expect(ran.toSorted()).toEqual(["new", "other"]);
  });

  test("is what a job is cancelled by", async () => {
    const { operator } = world;
    await enqueue(note, "gone", { key: "k", at: world.clock.now() + 10 });
    await enqueue(note, "kept", { key: "l", at: world.clock.now() + 10 });
    await write(operator, (tx) => note.cancel(tx, operator, "k"));
    await world.pass(10);
    expect(ran).toEqual(["kept"]);
  });

  test("what is enqueued while the one before is being prepared counts alone", async () => {
    next = [() => enqueue(note, "new", { key: "k" })];
    await enqueue(note, "old", { key: "k" });
    await world.pass(0);
    expect(ran).toEqual(["old", "new"]);
    expect(await traces()).toBe(1);
  });

  test("what is enqueued while the one before is being done outside runs after it", async () => {
    next = [() => enqueue(outside, "new", { key: "k" })];
    await enqueue(outside, "old", { key: "k" });
    await world.pass(0);
    expect(ran).toEqual(["old", "new"]);
    expect(await traces()).toBe(2);
    expect(await world.app.jobs.list()).toEqual([]);
  });
});

describe("a job that a newer one replaces because too many wait", () => {
  const tooMany = { key: "full:bot" };
  const toldOfError = () => world.logged.some((line) => line.includes("not told, on purpose"));

  test("and that then fails is told as lost; an error of that does not hold up the newer one", async () => {
    const { promise: failing, reject: fail } = Promise.withResolvers<void>();
    next = [() => failing];
    await enqueue(replaceable, "first", tooMany);
    await until(async () => ran.length === 1);
    await enqueue(replaceable, "second", tooMany);
    fail(new Error("failed, on purpose"));
    await world.app.jobs.settled();
    expect(ran).toEqual(["first", "one is lost", "second"]);
    expect(toldOfError()).toBe(true);
    expect(await world.app.jobs.list()).toEqual([]);
  });

  test("is told as lost if the process that ran it was killed", async () => {
    const now = world.clock.now();
    await enqueue(replaceable, "first", { ...tooMany, at: now + 10 });
    await write(world.operator, async (tx) => {
      await tx.db
        .update(tx.t.jobs)
        .set({ lease: "of a node that was killed", dueAt: now + 60, attempts: 1 });
    });
    await enqueue(replaceable, "second", tooMany);
    await world.pass(60);
    expect(ran).toEqual(["one is lost", "second"]);
    expect(await world.app.jobs.list()).toEqual([]);
  });
});

test("jobs of a lane run in their order, and one that fails holds up its lane alone", async () => {
  next = [
    async () => {
      throw new Error("on purpose");
    },
  ];
  await enqueue(note, "a1", { lane: "a" });
  await enqueue(note, "a2", { lane: "a" });
  await enqueue(note, "a3", { lane: "a" });
  await world.pass(0);
  expect(ran).toEqual(["a1"]);
  await enqueue(note, "b1", { lane: "b" });
  await world.pass(0);
  expect(ran).toEqual(["a1", "b1"]);
  await world.pass(5);
  expect(ran).toEqual(["a1", "b1", "a1", "a2", "a3"]);
});

test("a job of a deactivated organization waits until it is back", async () => {
  await enqueue(note, "quiet", { at: world.clock.now() + 10 });
  await deactivateRealm(world.operator, {});
  await world.pass(100);
  expect(ran).toEqual([]);
  await reactivateRealm(world.operator);
  await enqueue(note, "wake");
  await world.pass(0);
  expect(ran.toSorted()).toEqual(["quiet", "wake"]);
});

describe("several nodes", () => {
  test("end a job once, whoever is faster", async () => {
    await world.startNode();
    for (let round = 0; round < 5; round++)
      await enqueue(note, "x", { at: world.clock.now() + 10 });
    await world.pass(10);
    expect(await traces()).toBe(5);
  });

  test("go on with a job that is not done yet once", async () => {
    const { operator, clock } = world;
    await world.startNode();
    const at = clock.now() + 10;
    await write(operator, (tx) => countdown.enqueue(tx, operator, { left: 3 }, { at }));
    for (const seconds of [10, 10, 10, 10, 10]) await world.pass(seconds);
    expect(ran).toEqual(["3", "2", "1", "0"]);
  });

  test("run a leased job on one of them", async () => {
    await world.startNode();
    for (const word of ["x", "y", "z"])
      await enqueue(outside, word, { at: world.clock.now() + 10 });
    await world.pass(10);
    expect(ran.toSorted()).toEqual(["x", "y", "z"]);
  });

  test("notice what another process has enqueued", async () => {
    const other = await world.startNode();
    await other.app.jobs.stop();
    await enqueue(note, "from elsewhere", {}, { ...world, app: other.app });
    await until(async () => {
      await world.pass(1);
      return ran.length > 0;
    });
    expect(ran).toEqual(["from elsewhere"]);
  });

  test("take over the job of one that is gone when its lease is over", async () => {
    const now = world.clock.now();
    await enqueue(outside, "orphan", { at: now + 10 });
    await write(world.operator, async (tx) => {
      await tx.db
        .update(tx.t.jobs)
        .set({ lease: "of a node that was killed", dueAt: now + 60, attempts: 1 });
    });
    expect(await world.app.jobs.list()).toMatchObject([{ state: "running" }]);
    await world.pass(59);
    expect(ran).toEqual([]);
    await world.pass(1);
    expect(ran).toEqual(["orphan"]);
  });

  test("leave a job to the one that has taken it over, when the one that had it ends", async () => {
    await enqueue(outside, "slow");
    await until(async () => ran.length === 1);
    const now = world.clock.now();
    await write(world.operator, async (tx) => {
      await tx.db
        .update(tx.t.jobs)
        .set({ lease: "of a node that has taken it over", dueAt: now + 60, attempts: 2 });
    });
    await world.app.jobs.stop();
    expect(await world.app.jobs.list()).toMatchObject([{ state: "running", attempts: 2 }]);
  });

  test("give up a job that ends each process that begins with it", async () => {
    const now = world.clock.now();
    await enqueue(outside, "poison", { at: now + 10 });
    await write(world.operator, async (tx) => {
      await tx.db
        .update(tx.t.jobs)
        .set({ lease: "of a node that was killed", dueAt: now + 60, attempts: 2 });
    });
    await world.pass(60);
    expect(ran).toEqual([]);
    expect(await world.app.jobs.list()).toMatchObject([{ state: "failed" }]);
  });
});

test("a job that takes long keeps its lease; at the end of the server it is given back and counts as untried", async () => {
  await enqueue(outside, "slow");
  await until(async () => ran.length === 1);
  world.clock.advance(50);
  await until(async () => {
    const { db, t } = world.app.engine.reader;
    const [job] = await db.select().from(t.jobs);
    return (job?.dueAt ?? 0) > world.clock.now() + 30;
  });
  await world.app.jobs.stop();
  expect(await world.app.jobs.list()).toMatchObject([
    { state: "waiting", attempts: 0, due_at: world.clock.now() },
  ]);
});

test("a job without a lease counts as untried, too, when the end of the server cuts it off", async () => {
  await enqueue(unleased, "slow");
  await until(async () => ran.length === 1);
  await world.app.jobs.stop();
  expect(await world.app.jobs.list()).toMatchObject([
    { state: "waiting", attempts: 0, due_at: world.clock.now() },
  ]);
});

test("no job begins when the server ends while it looks for jobs", async () => {
  await enqueue(outside, "slow");
  const stopped = world.app.jobs.stop();
  await until(async () => ran.length > 0 || (await isSettled(stopped)));
  expect(ran).toEqual([]);
  expect(await world.app.jobs.list()).toMatchObject([{ state: "waiting", attempts: 0 }]);
});

test("nothing is asked of the list of jobs while nothing is to be done", async () => {
  await enqueue(note, "later", { at: world.clock.now() + 80_000 });
  await world.pass(0);
  const { reader } = world.app.engine;
  const { get, value } = Object.getOwnPropertyDescriptor(reader, "db") ?? {};
  let looks = 0;
  Object.defineProperty(reader, "db", {
    configurable: true,
    get() {
      // Queries are built once in a process, but each run of one takes the reader's connection.
      if (new Error().stack?.includes("src/jobs/")) looks += 1;
      return get ? get.call(reader) : value;
    },
  });
  await world.pass(3600);
  expect(looks).toBe(0);
  await enqueue(note, "now");
  await world.pass(0);
  expect(looks).toBeGreaterThan(0);
});
