import { afterEach, beforeEach, expect, test } from "bun:test";
import postgres from "postgres";
import { troubleOf } from "../../db/trouble";
import { openApp, type RunningApp } from "../../src/app";
import { loadConfig } from "../../src/config/config";
import { makeLog } from "../../src/core/log";
import { tidyQueues } from "../../src/events/housekeeping";
import type { HttpServer } from "../../src/http/serve";
import { serve } from "../../src/server";
import type { WireEvent } from "../support/client";
import { loseNewestEntry, newestEntry } from "../support/client-state/lost-entries";
import { makeFakeClock } from "../support/fake-clock";
import { errorOf } from "../support/outcome";
import { startPoll, until } from "../support/polls";
import { type FailingNetwork, openFailingNetwork } from "../support/servers/failing-network";
import { makeWorld, type World } from "../support/world";

/* A server whose PostgreSQL goes away and comes back. */

let world: World;
let network: FailingNetwork;
let node: { app: RunningApp; http: HttpServer; site: string };
const clock = makeFakeClock();
const logged: string[] = [];
const exitCodes: number[] = [];

beforeEach(async () => {
  logged.length = 0;
  exitCodes.length = 0;
  world = await makeWorld();
  const { databaseUrl = "", dataFolder } = world.place;
  network = await openFailingNetwork(databaseUrl);
  const app = await openOn(dataFolder, network.url);
  const http = await serve(app);
  app.startBackground();
  node = { app, http, site: `http://127.0.0.1:${http.port}` };
});

afterEach(async () => {
  expect(exitCodes).toEqual([]);
  await node.http.stop();
  await node.app.close();
  await network.close();
  await world.close();
});

function openOn(data: string, database: string) {
  const given = { host: "127.0.0.1", port: "0", data, database };
  return openApp(loadConfig({ ...given, requests_per_minute_per_key: "0" }, undefined, {}), {
    clock,
    log: makeLog(clock, "info", (line) => void logged.push(line)),
    exit: (code) => void exitCodes.push(code),
  });
}

const eventsLogged = () => logged.map((line) => JSON.parse(line).event);

test("while PostgreSQL is away requests are refused with 503, the log has one line, and another one when it is back", async () => {
  const bob = world.bob.at(node);
  const queue = await bob.register({ event_types: ["message"] });
  const { answer } = await startPoll({ app: node.app, realm: world.realm }, queue);
  await network.down();
  await until(() => eventsLogged().includes("database_away"));
  const requests = [
    "/users/me",
    "/messages?anchor=newest&num_before=1&num_after=0",
    "/server_settings",
  ];
  for (let round = 0; round < 20; round++) {
    const answers = await Promise.all([
      ...requests.map((path) => bob.get(path)),
      bob.post("/messages", { type: "channel", to: "general", topic: "t", content: "lost" }),
      bob.post("/register", {}),
    ]);
    for (const { status, body, headers } of answers)
      expect([status, body.code, headers.get("retry-after")]).toEqual([
        503,
        "DATABASE_UNAVAILABLE",
        "2",
      ]);
    // Ten minutes in which background work falls due.
    for (let second = 0; second < 30; second++) clock.advance(1);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(eventsLogged()).toEqual(["database_away"]);
  await network.up();
  await until(() => eventsLogged().includes("database_back"));
  await world.alice.say("general", "lunch", "afterwards");
  await until(async () => (await bob.get("/users/me")).status === 200);
  // The poll that was held had heartbeats meanwhile, or the message: its client goes on from there.
  const { body } = await answer;
  queue.lastEventId = body.events.at(-1)?.id ?? queue.lastEventId;
  const first = body.events.filter(({ type }: WireEvent) => type === "message");
  const heard = first.length > 0 ? first : await queue.next();
  expect(heard.filter(({ type }: WireEvent) => type === "message")).toHaveLength(1);
  expect(eventsLogged()).toEqual(["database_away", "database_back"]);
});

test("writes and reads that wait for a connection when PostgreSQL goes away are told that it is away", async () => {
  const { engine } = node.app;
  network.cut();
  const [written, read] = await Promise.allSettled([
    engine.write(
      world.realm.id,
      async () => undefined,
      () => undefined,
    ),
    engine.snapshot(({ db, t }) => db.select().from(t.realms)),
  ]);
  expect([written, read].map((one) => one.status === "rejected" && troubleOf(one.reason))).toEqual([
    "away",
    "away",
  ]);
  expect(eventsLogged()[0]).toBe("database_away");
  network.mend();
});

test("queues outlive a time without PostgreSQL that is longer than they may be idle, and no longer than that", async () => {
  const { app } = node;
  const bob = world.bob.at(node);
  const queue = await bob.register({ event_types: ["message"] });
  const tidy = () => tidyQueues(app, app.events, [world.realm.id]);
  await network.down();
  await until(() => eventsLogged().includes("database_away"));
  clock.advance(3_600);
  await network.up();
  await until(() => eventsLogged().includes("database_back"));
  await tidy();
  await world.alice.say("general", "lunch", "afterwards");
  expect(await queue.next()).toHaveLength(1);
  clock.advance(600);
  await tidy();
  expect(await queue.events()).toEqual([]);
  clock.advance(661);
  await tidy();
  expect((await queue.poll({ dont_block: true })).body.code).toBe("BAD_EVENT_QUEUE_ID");
});

test("a server whose PostgreSQL comes back without its last writes, as after a failover, ends to start with what is there", async () => {
  const bob = world.bob.at(node);
  await bob.register({ event_types: ["message"] });
  await bob.say("general", "lunch", "kept");
  await bob.say("general", "lunch", "lost");
  await network.down();
  await until(() => eventsLogged().includes("database_away"));
  await loseNewestEntry(world);
  expect(exitCodes).toEqual([]);
  await network.up();
  await until(() => exitCodes.length > 0);
  expect(exitCodes.splice(0)).toEqual([74]);
  expect(logged.join("\n")).toContain("PostgreSQL lacks writes that this server has seen there");
});

test("a server ends although PostgreSQL has newer writes than the lost ones when it comes back", async () => {
  await world.zoe.at(node).register({ event_types: ["message"] });
  await world.bob.at(node).register({ event_types: ["message"] });
  await world.bob.at(node).say("general", "lunch", "kept");
  await world.bob.at(node).say("general", "lunch", "lost");
  await network.down();
  await until(() => eventsLogged().includes("database_away"));
  await loseNewestEntry(world);
  for (let count = 0; count < 3; count++) await world.alice.say("general", "lunch", "newer");
  await network.up();
  await until(() => exitCodes.length > 0);
  expect(exitCodes.splice(0)).toEqual([74]);
});

test("a server that could not look for lost writes when PostgreSQL was back looks again", async () => {
  const bob = world.bob.at(node);
  await bob.register({ event_types: ["message"] });
  await bob.say("general", "lunch", "lost");
  await network.down();
  await until(() => eventsLogged().includes("database_away"));
  await loseNewestEntry(world);
  const sql = postgres(world.place.databaseUrl ?? "", { max: 1, onnotice: () => undefined });
  await sql`ALTER TABLE event_log RENAME TO unreadable`;
  await network.up();
  // The second failure comes with the next pulse, when the first look has failed too.
  await until(() => eventsLogged().filter((event) => event === "log_read_failed").length > 1);
  expect(exitCodes).toEqual([]);
  await sql`ALTER TABLE unreadable RENAME TO event_log`;
  await sql.end();
  await until(() => exitCodes.length > 0);
  expect(exitCodes.splice(0)).toEqual([74]);
});

/** Gives the numbers of lost entries to new ones, from this one on, as the new primary does. */
async function giveOutAgain(lost: number, newest: (sql: postgres.Sql) => Promise<unknown>) {
  const sql = postgres(world.place.databaseUrl ?? "", { max: 1, onnotice: () => undefined });
  await sql`SELECT setval('event_log_id_seq', ${lost}, false)`;
  await newest(sql);
  await sql.end();
}

test("a server ends although another one has given the numbers of lost writes to new ones before it is back", async () => {
  const { alice, bob } = world;
  await bob.at(node).register({ event_types: ["message"] });
  await bob.at(node).say("general", "lunch", "lost");
  await network.down();
  await until(() => eventsLogged().includes("database_away"));
  const lost = await loseNewestEntry(world);
  await giveOutAgain(lost, () => alice.say("general", "lunch", "newer"));
  expect(await newestEntry(world)).toBe(lost);
  await network.up();
  await until(() => exitCodes.length > 0);
  expect(exitCodes.splice(0)).toEqual([74]);
});

test("a server ends although the numbers of lost writes were given to new ones before it could look", async () => {
  const bob = world.bob.at(node);
  await bob.register({ event_types: ["message"] });
  await bob.say("general", "lunch", "lost");
  await network.down();
  await until(() => eventsLogged().includes("database_away"));
  const lost = await loseNewestEntry(world);
  await giveOutAgain(lost, async (sql) => {
    await sql`ALTER TABLE event_log RENAME TO unreadable`;
    await network.up();
    await until(() => eventsLogged().filter((event) => event === "log_read_failed").length > 1);
    await sql`INSERT INTO unreadable (realm_id, type, audience, body, created_at)
      VALUES (${world.realm.id}, 'newer', '{"to":"realm"}', '{"type":"newer"}', ${clock.now()})`;
    await sql`ALTER TABLE unreadable RENAME TO event_log`;
  });
  expect(await newestEntry(world)).toBe(lost);
  await until(() => exitCodes.length > 0);
  expect(exitCodes.splice(0)).toEqual([74]);
});

test("a server forgets lost writes of an organization of which it serves no event queue, although their numbers were given to new ones", async () => {
  const { carol, realm } = world;
  const nameAt = async () => (await carol.at(node).get("/users/me")).body.full_name;
  const before = await newestEntry(world);
  await carol.patch("/settings", { full_name: "Lost" });
  expect(await nameAt()).toBe("Lost");
  await network.down();
  await until(() => eventsLogged().includes("database_away"));
  const newest = await newestEntry(world);
  await giveOutAgain(before + 1, async (sql) => {
    await sql`DELETE FROM event_log WHERE realm_id = ${realm.id} AND id > ${before}`;
    await sql`UPDATE users SET full_name = 'Carol' WHERE id = ${carol.id}`;
    for (let id = before; id < newest; id++)
      await sql`INSERT INTO event_log (realm_id, type, audience, body, created_at)
        VALUES (${realm.id}, 'newer', '{"to":"server"}', '{"type":"newer"}', ${clock.now()})`;
  });
  expect(await newestEntry(world)).toBe(newest);
  await network.up();
  await until(() => eventsLogged().includes("database_back"));
  expect(await nameAt()).toBe("Carol");
});

test("a poll with an id of another node, whose log cannot be read, fails as the database does, and its queue lives on", async () => {
  const { bob, alice, realm } = world;
  const queue = await bob.at(node).register({ event_types: ["message"] });
  expect(await queue.events()).toEqual([]);
  await network.down();
  await until(() => eventsLogged().includes("database_away"));
  await alice.say("general", "lunch", "heard at the other node");
  const given = { queue_id: queue.id, last_event_id: queue.lastEventId, dont_block: true };
  const [event] = (await bob.get("/events", given)).body.events;
  const poll = node.app.events.poll({
    realmId: realm.id,
    userId: bob.id,
    queueId: queue.id,
    lastEventId: event.id,
    dontBlock: true,
    expect: () => undefined,
    beginLongWork: () => undefined,
    endLongWork: () => undefined,
    signal: new AbortController().signal,
  });
  expect(troubleOf(await errorOf(poll))).toBe("away");
  await network.up();
  await until(() => eventsLogged().includes("database_back"));
  queue.lastEventId = event.id;
  expect(await queue.events()).toEqual([]);
});

test.each([
  ["crowded", "53300", 503, "5"],
  ["read_only", "25006", 503, "60"],
  ["full", "53100", 507, "60"],
  ["busy", "55P03", 503, "5"],
  ["away", "57P03", 503, "2"],
])(
  "PostgreSQL that is %s (%s) is told of in words, to people in each answer, to the operator once a minute",
  async (trouble, code, status, wait) => {
    const { engine } = node.app;
    const bob = world.bob.at(node);
    expect((await bob.get("/users/me")).status).toBe(200);
    const { write } = engine;
    const failure = Object.assign(new Error("as PostgreSQL says it"), {
      name: "PostgresError",
      code,
    });
    Object.assign(engine, { write: async () => Promise.reject(failure) });
    for (let send = 0; send < 5; send++) {
      const {
        status: given,
        body,
        headers,
      } = await bob.post("/messages", {
        type: "channel",
        to: "general",
        topic: "t",
        content: "hi",
      });
      expect([given, body.code, headers.get("retry-after")]).toEqual([
        status,
        "DATABASE_UNAVAILABLE",
        wait,
      ]);
      expect(body.msg).toMatch(/again/);
    }
    Object.assign(engine, { write });
    expect(eventsLogged()).toEqual(trouble === "away" ? [] : [`database_${trouble}`]);
  },
);

test("a PostgreSQL that takes no more connections is told of once a minute by the server's own work, with advice", async () => {
  const app = await openOn(world.place.dataFolder, network.url);
  const failure = Object.assign(new Error("sorry, too many clients already"), {
    name: "PostgresError",
    code: "53300",
  });
  let failed = 0;
  const refuse = () => {
    failed += 1;
    throw failure;
  };
  Object.assign(app.engine, { reader: new Proxy(app.engine.reader, { get: refuse }) });
  app.startBackground();
  for (let second = 0; second < 5; second++) {
    const before = failed;
    clock.advance(1);
    await until(() => failed > before);
  }
  await app.close();
  expect(eventsLogged()).toEqual(["database_crowded"]);
  expect(JSON.parse(logged[0] ?? "").advice).toContain("raise its max_connections");
});

test("a send of which nobody knows whether it was stored is not to be sent again unseen, and is there once", async () => {
  const bob = world.bob.at(node);
  const say = (content: string) =>
    bob.post("/messages", { type: "channel", to: "general", topic: "t", content });
  const text = "stored all the same";
  network.loseCommit(text);
  const lost = await say(text);
  expect([lost.status, lost.body.code, lost.headers.get("retry-after")]).toEqual([
    503,
    "DATABASE_UNAVAILABLE",
    null,
  ]);
  expect(lost.body.msg).toContain("before you send it again");
  expect((await say("and on")).status).toBe(200);
  const { body } = await bob.get("/messages", {
    anchor: "newest",
    num_before: 10,
    num_after: 0,
    apply_markdown: false,
  });
  const contents = body.messages.map(({ content }: { content: string }) => content);
  expect(contents).toEqual([text, "and on"]);
});
