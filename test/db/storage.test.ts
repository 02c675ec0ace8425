import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import { asc, eq } from "drizzle-orm";
import type { Committed, Engine } from "../../db/engine";
import { openEngine } from "../../db/open";
import type { Reader } from "../../db/reader";
import { freshPlace, notingHooks, testEngine } from "../support/databases/storage";

let place: Awaited<ReturnType<typeof freshPlace>>;
let engine: Engine;
/** Each test writes for an organization that no earlier one has written for, and for the next. */
let ours = 1;
const { notes, hooks } = notingHooks();

beforeAll(async () => {
  place = await freshPlace();
});

beforeEach(async () => {
  notes.length = 0;
  ours += 2;
  ({ engine } = await openEngine(place, hooks, 1_000));
});

afterEach(() => engine.close());
afterAll(() => place.remove());

const addRow = async ({ db, t }: Reader, type: string, realmId = ours) => {
  const row = { realmId, type, audience: "{}", body: "{}", createdAt: 1 };
  const [added] = await db.insert(t.eventLog).values(row).returning({ id: t.eventLog.id });
  return added?.id ?? 0;
};

const listTypes = async ({ db, t }: Reader, realmId = ours) => {
  const rows = await db
    .select()
    .from(t.eventLog)
    .where(eq(t.eventLog.realmId, realmId))
    .orderBy(asc(t.eventLog.id));
  return rows.map(({ type }) => type);
};

const write = <T>(
  run: (tx: Reader) => Promise<T>,
  settled: (value: T, commit: Committed) => void = () => undefined,
) => engine.write(ours, run, settled);

test("a write is seen by readers once it has been answered", async () => {
  await write((tx) => addRow(tx, "first"));
  expect(await listTypes(engine.reader)).toEqual(["first"]);
});

test("of writes that share a commit the one that throws is undone alone", async () => {
  const outcomes = await Promise.allSettled([
    write((tx) => addRow(tx, "before")),
    write(async (tx) => {
      await addRow(tx, "undone");
      throw new Error("refused");
    }),
    write((tx) => addRow(tx, "after")),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(await listTypes(engine.reader)).toEqual(["before", "after"]);
});

test("a statement that a write did not wait for fails that write alone, also the last one of a commit", async () => {
  const fact = (tx: Reader) => tx.db.insert(tx.t.serverFacts).values({ name: "twice", value: "" });
  const outcomes = await Promise.allSettled([
    write((tx) => addRow(tx, "before")),
    engine.write(
      ours,
      async (tx) => {
        tx.defer(fact(tx));
        tx.defer(fact(tx));
      },
      () => undefined,
    ),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  expect(await listTypes(engine.reader)).toEqual(["before"]);
  expect(await engine.reader.db.select().from(engine.schema.serverFacts)).toEqual([]);
});

test("a write sees the rows of those before it, and its own", async () => {
  const [, seen] = await Promise.all([
    write((tx) => addRow(tx, "one")),
    write(async (tx) => {
      await addRow(tx, "two");
      return listTypes(tx);
    }),
  ]);
  expect(seen).toEqual(["one", "two"]);
});

test("what settles a write runs after the commit and before its caller goes on", async () => {
  const order: string[] = [];
  let committed: Committed | undefined;
  await write((tx) => addRow(tx, "earlier"));
  await write(
    (tx) => addRow(tx, "row"),
    (_id, commit) => {
      committed = commit;
      order.push("settled");
    },
  ).then(() => order.push("answered"));
  expect(order).toEqual(["settled", "answered"]);
  expect(committed?.realmId).toBe(ours);
  expect(committed?.logHeadBefore).toBeGreaterThan(0);
});

test("what goes wrong after a commit is reported, and stops neither the caller nor later writes", async () => {
  const outcomes = await Promise.all([
    write(
      (tx) => addRow(tx, "first"),
      () => {
        throw new Error("a bug");
      },
    ),
    write((tx) => addRow(tx, "second")),
  ]);
  expect(outcomes).toHaveLength(2);
  expect(notes).toContain("warn settling_failed");
  await write((tx) => addRow(tx, "third"));
  expect(await listTypes(engine.reader)).toEqual(["first", "second", "third"]);
});

test("log ids of a realm grow in the order of its commits", async () => {
  const ids = await Promise.all(
    Array.from({ length: 40 }, (_, i) => write((tx) => addRow(tx, `row ${i}`))),
  );
  expect(ids).toEqual([...ids].sort((a, b) => a - b));
  expect(new Set(ids).size).toBe(40);
});

test("two realms write side by side", async () => {
  const theirs = ours + 1;
  await Promise.all([
    engine.write(
      ours,
      (tx) => addRow(tx, "ours"),
      () => undefined,
    ),
    engine.write(
      theirs,
      (tx) => addRow(tx, "theirs", theirs),
      () => undefined,
    ),
  ]);
  expect(await listTypes(engine.reader, ours)).toEqual(["ours"]);
  expect(await listTypes(engine.reader, theirs)).toEqual(["theirs"]);
});

test("a snapshot does not see what is committed while it is read", async () => {
  await write((tx) => addRow(tx, "old"));
  const other = await openEngine(place, notingHooks().hooks, 1_000);
  const seen = await engine.snapshot(async (reader) => {
    const before = await listTypes(reader);
    if (testEngine === "postgres")
      await other.engine.write(
        ours,
        (tx) => addRow(tx, "new"),
        () => undefined,
      );
    return { before, after: await listTypes(reader) };
  });
  expect(seen).toEqual({ before: ["old"], after: ["old"] });
  await other.engine.close();
});

test("a closed engine has finished the writes that were queued", async () => {
  const writes = Promise.all([1, 2, 3].map((i) => write((tx) => addRow(tx, `row ${i}`))));
  await engine.close();
  expect(await writes).toHaveLength(3);
  ({ engine } = await openEngine(place, hooks, 1_000));
  expect(await listTypes(engine.reader)).toEqual(["row 1", "row 2", "row 3"]);
});

test("another process that opens the same data is noticed when it writes", async () => {
  const other = notingHooks();
  const { engine: second } = await openEngine(place, other.hooks, 1_000);
  other.notes.length = 0;
  await write((tx) => addRow(tx, "row"));
  engine.announce(ours);
  const deadline = performance.now() + 3_000;
  while (!other.notes.some((note) => note.startsWith("changed")) && performance.now() < deadline) {
    second.checkForOtherWrites();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(other.notes.some((note) => note.startsWith("changed"))).toBe(true);
  await second.close();
});

test("two processes take turns writing the same realm", async () => {
  const { engine: second } = await openEngine(place, notingHooks().hooks, 1_000);
  const add = (one: Engine, type: string) =>
    one.write(
      ours,
      (tx) => addRow(tx, type),
      () => undefined,
    );
  const ids = await Promise.all(
    Array.from({ length: 20 }, (_, i) => add(i % 2 === 0 ? engine : second, `row ${i}`)),
  );
  expect(new Set(ids).size).toBe(20);
  expect(await listTypes(engine.reader)).toHaveLength(20);
  await second.close();
});
