import { afterEach, beforeEach, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import postgres from "postgres";
import { openApp, type RunningApp } from "../../src/app";
import { loadConfig } from "../../src/config/config";
import { makeLog } from "../../src/core/log";
import { write } from "../../src/core/write";
import { defineJob } from "../../src/jobs/define";
import { type FakeClock, makeFakeClock } from "../support/fake-clock";
import { until } from "../support/polls";
import { type FailingNetwork, openFailingNetwork } from "../support/servers/failing-network";
import { makeWorld, type World } from "../support/world";

/* Two servers, while PostgreSQL works for neither of them for longer than a lease. */

interface Node {
  name: string;
  app: RunningApp;
  network: FailingNetwork;
  logged: string[];
}

let sent: string[] = [];
let release = Promise.withResolvers<void>();

/** Sends something outside, which the first of the servers ends only when it is told to. */
const sendOn = (name: string) =>
  defineJob(
    "send",
    Type.Object({}),
    async () => {
      sent.push(name);
      if (sent.length === 1) await release.promise;
      return undefined;
    },
    { isLeased: true, isOutside: true },
  );

let [world, clock]: [World, FakeClock] = [{} as World, makeFakeClock()];
let nodes: Node[] = [];
beforeEach(async () => {
  [sent, release, nodes, clock] = [[], Promise.withResolvers<void>(), [], makeFakeClock()];
  world = await makeWorld({}, []);
});
afterEach(async () => {
  release.resolve();
  for (const { app, network } of nodes) {
    await app.close();
    await network.close();
  }
  await world.close();
});

async function startNode(name: string): Promise<Node> {
  const { databaseUrl = "", dataFolder } = world.place;
  const network = await openFailingNetwork(databaseUrl);
  const logged: string[] = [];
  const given = { host: "127.0.0.1", port: "0", data: dataFolder, database: network.url };
  const app = await openApp(
    loadConfig({ ...given, database_connections_max: "5" }, undefined, {}),
    {
      clock,
      log: makeLog(clock, "info", (line) => void logged.push(line)),
      exit: (code) => {
        throw new Error(`the server ended with ${code}`);
      },
      jobs: [sendOn(name)],
    },
  );
  const node = { name, app, network, logged };
  nodes.push(node);
  return node;
}

const hasLogged = (node: Node, event: string) => () =>
  node.logged.some((line) => line.includes(`"event":"${event}"`));

/** Two servers, of which the first is sending. */
async function startSending(): Promise<[Node, Node]> {
  const [a, b] = [await startNode("a"), await startNode("b")];
  await write(world.operator, (tx) => sendOn("").enqueue(tx, world.operator, {}));
  a.app.jobs.start();
  await until(() => sent.length === 1);
  b.app.jobs.start();
  await b.app.jobs.settled();
  return [a, b];
}

/** Lets time pass, of which every part of a server sees each second. */
async function pass(seconds: number, turns = 3) {
  for (let second = 0; second < seconds; second++) {
    clock.advance(1);
    for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
  }
}

async function goDown(node: Node) {
  await node.network.down();
  await until(hasLogged(node, "database_away"));
}

async function comeUp(node: Node) {
  await node.network.up();
  await until(hasLogged(node, "database_back"));
}

/** Lets the server read its list of jobs as soon as it hears of a write of another one. */
async function readJobs({ app }: Node) {
  app.jobs.changedElsewhere();
  clock.advance(1);
  await app.jobs.settled();
}

test("after an outage that is longer than a lease, another server leaves time to store the end of a job", async () => {
  const [a, b] = await startSending();
  await goDown(a);
  await goDown(b);
  release.resolve();
  await pass(70);
  await comeUp(b);
  await readJobs(b);
  expect(sent).toEqual(["a"]);
  await comeUp(a);
  await a.app.jobs.settled();
  await pass(100);
  await b.app.jobs.settled();
  expect([sent, await world.app.jobs.list()]).toEqual([["a"], []]);
});

test("a server that has died in the outage loses its job soon afterwards", async () => {
  const [a, b] = await startSending();
  await goDown(a);
  await goDown(b);
  await pass(70);
  await comeUp(b);
  await readJobs(b);
  clock.advance(19);
  await b.app.jobs.settled();
  expect(sent).toEqual(["a"]);
  clock.advance(1);
  await b.app.jobs.settled();
  expect([sent, await world.app.jobs.list()]).toEqual([["a", "b"], []]);
});

test("a server that starts when PostgreSQL is back leaves others time to store the ends of their jobs", async () => {
  const [a, b] = await startSending();
  await goDown(a);
  await goDown(b);
  release.resolve();
  await pass(70);
  const c = await startNode("c");
  c.app.jobs.start();
  await c.app.jobs.settled();
  expect(sent).toEqual(["a"]);
  await comeUp(a);
  await a.app.jobs.settled();
  await pass(100);
  expect([sent, await world.app.jobs.list()]).toEqual([["a"], []]);
});

test("when the disk of PostgreSQL has room again, another server leaves time to store the end of a job", async () => {
  const [a, b] = await startSending();
  const sql = postgres(world.place.databaseUrl ?? "", { max: 1, onnotice: () => undefined });
  await sql.unsafe(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'full, on purpose' USING ERRCODE = '53100'; END $$`);
  await sql`CREATE TRIGGER full_disk BEFORE UPDATE OR DELETE ON jobs EXECUTE FUNCTION refuse()`;
  release.resolve();
  await until(hasLogged(a, "database_full"));
  for (let step = 0; step < 12; step++) {
    clock.advance(6);
    await b.app.jobs.settled();
  }
  await until(hasLogged(b, "database_full"));
  await sql`DROP TRIGGER full_disk ON jobs`;
  await sql.end();
  // The other server may be the first to write again.
  await readJobs(b);
  expect(sent).toEqual(["a"]);
  await pass(11);
  await a.app.jobs.settled();
  await pass(100);
  expect([sent, await world.app.jobs.list()]).toEqual([["a"], []]);
});
