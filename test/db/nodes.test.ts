import { afterEach, beforeEach, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import postgres from "postgres";
import type { Transaction } from "../../db/engine";
import { operatorContext } from "../../src/core/operator";
import { tidyQueues } from "../../src/events/housekeeping";
import { deactivateUser, reactivateUser } from "../../src/management/accounts/deactivate";
import { updateUserRole } from "../../src/management/accounts/update";
import { deactivateRealm, reactivateRealm } from "../../src/management/organization/deactivate";
import { listApiKeys, revokeApiKey } from "../../src/sign-in/api-keys";
import { Queue, type WireEvent } from "../support/client";
import { loseNewestEntry } from "../support/client-state/lost-entries";
import { testEngine } from "../support/databases/storage";
import { startPoll, until } from "../support/polls";
import { makeWorld, type Node, type World } from "../support/world";

/**
 * Two servers on one database; on SQLite that is what the command line beside a running server is.
 */
let world: World;
let other: Node;
beforeEach(async () => {
  world = await makeWorld();
  other = await world.startNode();
});
afterEach(() => world.close());

const messagesOnly = { event_types: ["message"], apply_markdown: false };
const contents = (events: WireEvent[]) => events.map(({ message }) => message.content);

/** Queue, asked for at another server. */
function at(node: { site: string }, queue: Queue, person: World["bob"]): Queue {
  const moved = new Queue(person.at(node), queue.state);
  moved.lastEventId = queue.lastEventId;
  return moved;
}

/**
 * Lets both servers read what the other has written. PostgreSQL tells them of it. On SQLite a
 * server checks for writes of others when its clock moves, so the clock moves here. It moves in a
 * new turn of the event loop, which both servers share, so that neither is still reading.
 */
async function readOthersWrites() {
  await new Promise((resolve) => setImmediate(resolve));
  world.clock.advance(1);
}

test("a message that is sent at one arrives at once at a poll that the other holds", async () => {
  const queue = await world.bob.at(other).register(messagesOnly);
  const { answer } = await startPoll({ app: other.app, realm: world.realm }, queue);
  await world.alice.say("general", "lunch", "across");
  await readOthersWrites();
  expect(contents((await answer).body.events)).toEqual(["across"]);
});

test("a queue that was registered at one is served by the other, and goes on there", async () => {
  const { alice, bob } = world;
  const here = await bob.register(messagesOnly);
  await alice.say("general", "lunch", "one");
  expect(contents(await here.events())).toEqual(["one"]);
  const there = at(other, here, bob);
  await alice.at(other).say("general", "lunch", "two");
  expect(contents(await there.next())).toEqual(["two"]);
  const { answer } = await startPoll({ app: other.app, realm: world.realm }, there);
  await alice.say("general", "lunch", "three");
  await readOthersWrites();
  expect(contents((await answer).body.events)).toEqual(["three"]);
});

test("a client that has got an event which a failover has lost is told to register again, though newer events are there", async () => {
  const { alice, bob } = world;
  const here = await bob.register(messagesOnly);
  await alice.say("general", "lunch", "kept");
  expect(contents(await here.events())).toEqual(["kept"]);
  const kept = at(other, here, bob);
  await alice.say("general", "lunch", "lost");
  expect(contents(await here.events())).toEqual(["lost"]);
  const lost = at(other, here, bob);
  await loseNewestEntry(world);
  await alice.say("general", "lunch", "newer");
  const { status, body } = await lost.poll({ dont_block: true });
  expect([status, body.code]).toEqual([400, "BAD_EVENT_QUEUE_ID"]);
  expect(contents(await kept.events())).toEqual(["newer"]);
});

test("C1: deactivating at one ends the polls that the other holds, with no event after", async () => {
  const queue = await world.bob.at(other).register();
  const { answer } = await startPoll({ app: other.app, realm: world.realm }, queue);
  await deactivateUser(world.operator, world.bob.id);
  await world.alice.say("general", "lunch", "secret");
  await readOthersWrites();
  const { status, body } = await answer;
  expect([status, body.code, body.events]).toEqual([400, "BAD_EVENT_QUEUE_ID", undefined]);
  expect((await queue.poll({ dont_block: true })).status).toBe(401);
});

test("a queue that is deleted at one is refused by the other", async () => {
  const queue = await world.bob.register(messagesOnly);
  const there = at(other, queue, world.bob);
  expect(await there.events()).toEqual([]);
  await world.bob.delete("/events", { queue_id: queue.id });
  await readOthersWrites();
  await until(
    async () => (await there.poll({ dont_block: true })).body.code === "BAD_EVENT_QUEUE_ID",
  );
});

test("a queue is as old as its last poll at either, whichever notes that first", async () => {
  const { bob, clock, app, realm } = world;
  const here = await bob.register(messagesOnly);
  const there = new Queue(bob.at(other), here.state);
  clock.advance(10);
  expect(await here.events()).toEqual([]);
  clock.advance(40);
  expect(await there.events()).toEqual([]);
  await tidyQueues(other.app, other.app.events, [realm.id]);
  await tidyQueues(app, app.events, [realm.id]);
  const { db, t } = app.engine.reader;
  const rows = await db.select({ lastSeen: t.eventQueues.lastSeen }).from(t.eventQueues);
  expect(rows).toEqual([{ lastSeen: clock.now() }]);
});

test("people who send at both are heard everywhere in one order, and nothing is missing", async () => {
  const { alice, bob, carol, mona } = world;
  const listeners = [
    await bob.register(messagesOnly),
    await bob.at(other).register(messagesOnly),
    await mona.at(other).register(messagesOnly),
  ];
  const heard = listeners.map((): number[] => []);
  const sends: Promise<number>[] = [];
  const take = async () => {
    for (const [index, queue] of listeners.entries()) {
      heard[index]?.push(...(await queue.events()).map(({ message }: WireEvent) => message.id));
    }
  };
  for (let i = 0; i < 60; i++) {
    const sender = i % 3 === 0 ? carol : alice;
    sends.push((i % 2 === 0 ? sender : sender.at(other)).say("general", "lunch", `${i}`));
    if (i % 10 === 9) await take();
  }
  const sent = (await Promise.all(sends)).sort((a, b) => a - b);
  await until(async () => {
    await readOthersWrites();
    await take();
    return heard.every((ids) => ids.length >= sent.length);
  });
  for (const ids of heard) expect(ids).toEqual(sent);
});

test("an account that is made at one can be used at the other at once", async () => {
  const ctx = operatorContext(other.app, world.realm);
  await deactivateUser(ctx, world.carol.id);
  expect((await world.carol.get("/users/me")).status).toBe(401);
});

test("a key that is revoked and a name that is changed at one count at the other with the next request", async () => {
  const { carol } = world;
  const nameHere = async () => (await carol.get("/users/me")).body.full_name;
  expect(await nameHere()).not.toBe("Carola");
  expect((await carol.at(other).patch("/settings", { full_name: "Carola" })).status).toBe(200);
  expect(await nameHere()).toBe("Carola");
  expect((await carol.at(other).post("/users/me/api_key/regenerate")).status).toBe(200);
  expect((await carol.get("/users/me")).status).toBe(401);
});

test("what may no longer be done counts at the other with the next request, whoever has changed it", async () => {
  const { alice, bob, carol, olga, zoe } = world;
  const at = operatorContext(other.app, world.realm);
  const statusOf = async (person: World["bob"], path = "/users/me") =>
    (await person.get(path)).status;
  const everyone = [alice, bob, carol, olga, zoe];
  for (const person of everyone) expect(await statusOf(person)).toBe(200);
  const describe = async () => (await alice.patch("/realm", { description: "ours" })).status;
  await updateUserRole(at, alice.id, 200);
  expect(await describe()).toBe(200);
  await updateUserRole(at, alice.id, 400);
  expect(await describe()).toBe(400);
  const [key] = await listApiKeys(at, bob.id);
  await revokeApiKey(at, key?.id ?? 0);
  await deactivateUser(at, carol.id);
  expect(await Promise.all(everyone.map((person) => statusOf(person)))).toEqual([
    200, 401, 401, 200, 200,
  ]);
  await reactivateUser(at, carol.id);
  await deactivateRealm(at, {});
  expect(await Promise.all([alice, zoe].map((person) => statusOf(person)))).toEqual([401, 200]);
  await reactivateRealm(operatorContext(other.app, { ...world.realm, isActive: false }));
  expect(await Promise.all([alice, bob].map((person) => statusOf(person)))).toEqual([200, 401]);
});

test("a key that is revoked counts at one that has slept until the log had forgotten it", async () => {
  const { alice, bob } = world;
  expect((await bob.get("/users/me")).status).toBe(200);
  const at = operatorContext(other.app, world.realm);
  const [key] = await listApiKeys(at, bob.id);
  await revokeApiKey(at, key?.id ?? 0);
  const { engine } = other.app;
  const { eventLog } = engine.schema;
  const forget = async ({ db }: Transaction) =>
    void (await db.delete(eventLog).where(eq(eventLog.realmId, at.realm.id)));
  await engine.write(at.realm.id, forget, () => undefined);
  await alice.at(other).say("general", "lunch", "later");
  expect((await bob.get("/users/me")).status).toBe(401);
});

test("typing reaches who polls at another node of a PostgreSQL; a SQLite file has one that is polled", async () => {
  const queue = await world.bob.at(other).register({ event_types: ["typing"] });
  const { answer } = await startPoll({ app: other.app, realm: world.realm }, queue);
  await world.alice.post("/typing", { type: "direct", op: "start", to: [world.bob.id] });
  if (testEngine === "sqlite") other.app.events.close();
  const ops = (await answer).body.events.map(({ op }: WireEvent) => op);
  expect(ops).toEqual(testEngine === "postgres" ? ["start"] : []);
});

test("connections that are lost lose nothing that was answered, and polls go on", async () => {
  const { alice, bob, carol } = world;
  const queue = await bob.at(other).register(messagesOnly);
  const sent: number[] = [];
  let isOver = false;
  const send = async (sender: World["alice"]) => {
    for (let i = 0; !isOver; i++) {
      const { status, body } = await sender.post("/messages", {
        type: "channel",
        to: "general",
        topic: "t",
        content: `${i}`,
      });
      if (status === 200) sent.push(body.id);
      else expect(status).toBe(503);
    }
  };
  const senders = [send(alice), send(carol.at(other))];
  for (let round = 0; round < 3; round++) {
    const before = sent.length;
    await until(() => sent.length > before + 20);
    await breakConnections();
  }
  const before = sent.length;
  await until(() => sent.length > before + 20);
  isOver = true;
  await Promise.all(senders);
  const heard: number[] = [];
  await until(async () => {
    await readOthersWrites();
    const { status, body } = await queue.poll({ dont_block: true });
    if (status !== 200 || body.events.length === 0) return sent.every((id) => heard.includes(id));
    heard.push(...body.events.map(({ message }: WireEvent) => message.id));
    queue.lastEventId = body.events.at(-1).id;
    return false;
  });
  expect(heard).toEqual([...new Set(heard)].sort((a, b) => a - b));
  const { answer } = await startPoll({ app: other.app, realm: world.realm }, queue);
  await alice.say("general", "lunch", "afterwards");
  await readOthersWrites();
  expect(contents((await answer).body.events)).toEqual(["afterwards"]);
});

/** Ends every connection to the database as its administrator can; a file has none. */
async function breakConnections() {
  const url = world.place.databaseUrl;
  if (testEngine !== "postgres" || url === undefined) return;
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'chatd'`;
  await sql.end();
}
