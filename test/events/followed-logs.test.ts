import { afterEach, beforeEach, expect, test } from "bun:test";
import { and, eq } from "drizzle-orm";
import type { LogEntry } from "../../src/core/context";
import { FollowedLogs, logsMax } from "../../src/events/followed-logs";
import { entriesAfter, type RealmLog, readLogPage } from "../../src/events/realm-log";
import { loseNewestEntry, newestEntry } from "../support/client-state/lost-entries";
import { makeWorld, type World } from "../support/world";

let world: World;
let logs: FollowedLogs;
beforeEach(async () => {
  world = await makeWorld();
  logs = new FollowedLogs(world.app.engine, {
    added: () => undefined,
    caughtUp: () => undefined,
    failed: (error) => {
      throw error;
    },
  });
});
afterEach(() => world?.close());

/** Numbers of organizations that have no rows. */
const busyRealms = Array.from({ length: 40 }, (_, i) => 1_000_000 + i);

const entryOf = (realmId: number, id: number, sizeBytes: number): LogEntry => ({
  id,
  realmId,
  audience: { to: "realm" },
  event: { type: "numbered", number: id },
  live: undefined,
  sizeBytes,
  digest: id,
});

/** As much happens in many organizations as the memory for the log of each has room for. */
async function happenElsewhere({ count, sizeBytes }: { count: number; sizeBytes: number }) {
  for (const realmId of busyRealms) {
    const log = await logs.follow(realmId);
    for (let id = 1; id <= count; id++) logs.append(log, entryOf(realmId, id, sizeBytes));
  }
}

const sumOf = (part: (log: RealmLog) => number) =>
  [...logs.all()].reduce((sum, log) => sum + part(log), 0);

test("the logs of many organizations have one room in memory, by their bytes", async () => {
  await happenElsewhere({ count: 16, sizeBytes: 1024 * 1024 });
  expect(sumOf((log) => log.sizeBytes)).toBeLessThanOrEqual(logsMax.sizeBytes);
  expect(sumOf((log) => log.sizeBytes)).toBeGreaterThan(logsMax.sizeBytes / 2);
});

test("and by the number of their entries, of which those stay where something happened last", async () => {
  await happenElsewhere({ count: 4_000, sizeBytes: 100 });
  expect(sumOf((log) => log.entries.length)).toBeLessThanOrEqual(logsMax.entries);
  expect(logs.find(busyRealms.at(-1) ?? 0)?.entries).toHaveLength(4_000);
  expect(logs.find(busyRealms[0] ?? 0)).toMatchObject({ entries: [], start: 4_000, head: 4_000 });
});

test("what made room is read from the database, each entry once", async () => {
  const { alice, app, realm } = world;
  const log = await logs.follow(realm.id);
  const { head } = log;
  const sent = [await alice.say("general", "lunch", "soup"), await alice.say("general", "a", "b")];
  await logs.catchUp(log);
  expect(log.entries).not.toEqual([]);
  await happenElsewhere({ count: 16, sizeBytes: 1024 * 1024 });
  expect(log.entries).toEqual([]);
  sent.push(await alice.say("general", "lunch", "bread"));
  await logs.catchUp(log);
  const room = { sizeBytesMax: 1024 * 1024, expect: () => undefined };
  const isMessage = ({ event }: LogEntry) => event.type === "message";
  const found = await entriesAfter(log, app.engine.reader, head, isMessage, {
    countMax: 1_000,
    room,
  });
  expect(found.entries.map(({ event }) => Number(event["message_id"]))).toEqual(sent);
});

test("an entry that the database has lost is noticed, although newer ones were read since the connection was lost", async () => {
  const { alice, realm } = world;
  for (const realmId of busyRealms) await logs.follow(realmId);
  const log = await logs.follow(realm.id);
  for (const content of ["kept", "lost"]) await alice.say("general", "lunch", content);
  await logs.catchUp(log);
  const haveLostEntries = logs.connectionLost();
  expect(await haveLostEntries()).toBe(false);
  const haveLostNewest = logs.connectionLost();
  await loseNewestEntry(world);
  await alice.say("general", "lunch", "newer");
  await logs.catchUp(log);
  expect(await haveLostNewest()).toBe(true);
});

test("an entry that came after the connection was lost is looked for, too", async () => {
  const { alice, realm } = world;
  const log = await logs.follow(realm.id);
  const haveLostNewest = logs.connectionLost();
  await alice.say("general", "lunch", "lost");
  await logs.catchUp(log);
  await loseNewestEntry(world);
  await alice.say("general", "lunch", "newer");
  expect(await haveLostNewest()).toBe(true);
});

test.each([
  ["says something else", { body: '{"type":"other"}' }],
  ["goes to others", { audience: '{"to":"users","ids":[]}' }],
  ["was written in another second", { createdAt: 1 }],
])("a lost entry is noticed although its id was given to one that %s", async (_how, other) => {
  const { alice, app, realm } = world;
  const { eventLog } = app.engine.schema;
  const opened = { added: () => undefined, caughtUp: () => undefined, failed: () => undefined };
  const log = await logs.follow(realm.id);
  await alice.say("general", "lunch", "lost");
  await logs.catchUp(log);
  // One process has read the entry, the other one has only seen that it is the newest.
  const later = new FollowedLogs(app.engine, opened);
  await later.follow(realm.id);
  const checks = [logs.connectionLost(), later.connectionLost()];
  for (const haveLostEntries of checks) expect(await haveLostEntries()).toBe(false);
  const again = [logs.connectionLost(), later.connectionLost()];
  await app.engine.write(
    realm.id,
    async ({ db }) =>
      void (await db
        .update(eventLog)
        .set(other)
        .where(and(eq(eventLog.realmId, realm.id), eq(eventLog.id, log.head)))),
    () => undefined,
  );
  for (const haveLostEntries of again) expect(await haveLostEntries()).toBe(true);
});

test("an entry has one digest, on the server that has written it and on those that read it", async () => {
  const { app, alice, bob, realm } = world;
  const { committed } = app.events;
  const written: LogEntry[] = [];
  Object.assign(app.events, {
    committed(realmId: number, entries: LogEntry[], logHeadBefore: number) {
      written.push(...entries);
      committed.call(app.events, realmId, entries, logHeadBefore);
    },
  });
  const head = await newestEntry(world);
  expect((await bob.patch("/settings", { full_name: "Bob Ångström 東 🎉" })).status).toBe(200);
  await alice.say("general", "süß €", "é");
  const read = await readLogPage(app.engine.reader, realm.id, head);
  const digests = (entries: LogEntry[]) => entries.map(({ id, digest }) => [id, digest]);
  expect(digests(read)).toEqual(digests(written));
  expect(new Set(read.map(({ digest }) => digest)).size).toBe(read.length);
  expect(JSON.stringify(read)).toContain("東");
});

test("ids belong to entries that the log has or has tidied, not to entries that it lacks", async () => {
  const { alice, app, realm } = world;
  const first = await logs.follow(realm.id).then(({ head }) => head);
  for (const content of ["kept", "lost"]) await alice.say("general", "lunch", content);
  const lost = await loseNewestEntry(world);
  await alice.say("general", "lunch", "newer");
  const later = new FollowedLogs(app.engine, {
    added: () => undefined,
    caughtUp: () => undefined,
    failed: () => undefined,
  });
  const kept = lost - 1;
  for (const followed of [logs, later]) {
    const log = await followed.follow(realm.id);
    const ids = [first * 1024, kept * 1024 - 127, kept * 1024, kept * 1024 + 1, lost * 1024 - 128];
    for (const id of ids) expect([id, await followed.mayHaveGiven(log, id)]).toEqual([id, true]);
    for (const id of [lost * 1024 - 127, lost * 1024, lost * 1024 + 1])
      expect([id, await followed.mayHaveGiven(log, id)]).toEqual([id, false]);
    expect(await followed.mayHaveGiven(log, (lost + 1) * 1024)).toBe(true);
  }
});

test("new entries of many organizations are looked for with one statement, and read where there are any", async () => {
  const { alice, app, realm } = world;
  const { reader } = app.engine;
  const counts = { asked: 0 };
  const counting: typeof reader = Object.create(reader, {
    db: {
      get() {
        counts.asked += 1;
        return reader.db;
      },
    },
  });
  const added: number[] = [];
  const failed = (error: unknown) => {
    throw error;
  };
  logs = new FollowedLogs(
    { reader: counting },
    { added: ({ realmId }) => void added.push(realmId), caughtUp: () => undefined, failed },
  );
  for (const realmId of [realm.id, ...busyRealms]) await logs.follow(realmId);
  const statementsFor = async (ask: () => void) => {
    counts.asked = 0;
    ask();
    await Promise.all([...logs.all()].map(({ catchingUp }) => catchingUp));
    return counts.asked;
  };
  // The first time, the statement is also prepared.
  await statementsFor(() => logs.catchUpAll());
  expect(await statementsFor(() => logs.catchUpAll())).toBe(1);
  await alice.say("general", "lunch", "soup");
  // The question, the page with the entries, and the page after it, which is empty.
  expect(await statementsFor(() => logs.catchUpAll())).toBe(3);
  expect(new Set(added)).toEqual(new Set([realm.id]));
  const log = await logs.follow(realm.id);
  expect(log.head).toBe(await newestEntry(world));
});

test("entries that come while new ones are looked for are read, whoever asked", async () => {
  const { alice, realm } = world;
  const log = await logs.follow(realm.id);
  const readSince = async (ask: () => void) => {
    logs.catchUpAll();
    await alice.say("general", "lunch", "soup");
    ask();
    expect(log.catchingUp).toBeDefined();
    await log.catchingUp;
    expect(log.head).toBe(await newestEntry(world));
  };
  await readSince(() => logs.catchUpAll());
  await readSince(() => void logs.catchUp(log));
  await readSince(() => {
    logs.catchUpAll();
    void logs.catchUp(log);
    logs.catchUpAll();
  });
});
