import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { systemClock } from "../../src/core/clock";
import { type Endpoint, endpoint } from "../../src/core/endpoint";
import { record, text } from "../../src/core/params";
import { databaseUnavailable } from "../../src/core/storage/storage-errors";
import { askRarely, readinessAnswer } from "../../src/http/health";
import { type HttpServer, listen } from "../../src/http/serve";
import { makeFakeClock } from "../support/fake-clock";
import { errorOf, outcomeOf } from "../support/outcome";
import { signedByItself, textOf } from "../support/servers/certificates";
import { makeWorld, type World, worldHost } from "../support/world";

let world: World;
let server: HttpServer;
/** Asked when a request arrives at the endpoint below. */
let answering: () => Promise<void> = async () => undefined;

const greeting: Endpoint = endpoint({
  method: "GET",
  path: "/greeting",
  summary: "Greets.",
  who: "anyone",
  input: record({}),
  output: record({ greeting: text() }),
  verb: async () => {
    await answering();
    return { greeting: "hello" };
  },
});

beforeEach(async () => {
  answering = async () => undefined;
  world = await makeWorld();
  server = await listen({ host: "127.0.0.1", port: 0 }, { endpoints: [greeting] });
});
afterEach(async () => {
  await server.stop(true);
  await world.close();
});

const ask = (path: string, method = "GET") =>
  fetch(`http://127.0.0.1:${server.port}${path}`, { method, headers: { host: worldHost } });

const statuses = (answers: Response[]) => answers.map(({ status }) => status);

test("requests that come before the data is open wait for it, also those for pages", async () => {
  const early = Promise.all(
    ["/api/v1/greeting", "/api/v1/openapi.json", "/connect", "/static/style.css"].map((path) =>
      ask(path),
    ),
  );
  expect((await ask("/healthz")).status).toBe(200);
  expect(Bun.peek.status(early)).toBe("pending");
  server.open(world.app);
  expect(statuses(await early)).toEqual([200, 200, 200, 200]);
  expect(await (await ask("/api/v1/greeting")).json()).toMatchObject({ greeting: "hello" });
});

test("requests are refused in JSON while the database is awaited, also those that have waited, and answered afterwards", async () => {
  const early = ask("/api/v1/greeting");
  server.refuse(databaseUnavailable("away"));
  for (const answer of [await early, await ask("/api/v1/greeting"), await ask("/connect")]) {
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([
      503,
      expect.stringMatching(/^\d+$/),
    ]);
    expect(await answer.json()).toMatchObject({ result: "error", code: "DATABASE_UNAVAILABLE" });
  }
  server.open(world.app);
  expect((await ask("/api/v1/greeting")).status).toBe(200);
});

test("a port that is taken is refused", async () => {
  const again = listen({ host: "127.0.0.1", port: server.port }, { endpoints: [] });
  expect(await errorOf(again)).toMatchObject({
    message: expect.stringContaining("is in use. Choose another one with --port."),
    cause: expect.objectContaining({ code: "EADDRINUSE" }),
  });
});

test("a stop waits for requests that came before a change of certificates, however long ago that was", async () => {
  const [first, second] = ["one", "two"].map((name) => {
    const { certificate, key } = signedByItself(name, ["localhost"]);
    return { host: undefined, chain: textOf(certificate), key: textOf(key) };
  });
  const tls = (one = first) => ({ certificates: one ? [one] : [] });
  const listening = { tls: tls(), retiredMilliseconds: 1 };
  const https = await listen({ host: "127.0.0.1", port: 0 }, { endpoints: [greeting] }, listening);
  https.open(world.app);
  const site = `https://127.0.0.1:${https.port}`;
  const options = { headers: { host: worldHost }, tls: { rejectUnauthorized: false } };
  const [arrived, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  answering = () => {
    arrived.resolve();
    return answered.promise;
  };
  const slow = fetch(`${site}/api/v1/greeting`, options);
  await arrived.promise;
  expect(await https.changeTls(tls(second))).toBe(true);
  // Timers run in their order: by then the former listener takes nothing new.
  await new Promise<void>((resolve) => systemClock.after(20, resolve));
  const order: string[] = [];
  const stopped = https.stop().then(() => order.push("stopped"));
  await new Promise<void>((resolve) => systemClock.after(50, resolve));
  order.push("answered");
  answered.resolve();
  expect((await slow).status).toBe(200);
  await stopped;
  expect(order).toEqual(["answered", "stopped"]);
});

describe("a load balancer", () => {
  const told = async (path: string) => {
    const answer = await ask(path);
    return [answer.status, await answer.json()];
  };

  test("is told that a server is alive from the start, and ready once it answers", async () => {
    expect(await told("/healthz")).toEqual([200, { status: "alive" }]);
    expect(await told("/readyz")).toEqual([503, { status: "starting" }]);
    server.open(world.app);
    expect(await told("/readyz")).toEqual([200, { status: "ready" }]);
    server.drain();
    expect(await told("/readyz")).toEqual([503, { status: "stopping" }]);
    expect(await told("/healthz")).toEqual([200, { status: "alive" }]);
  });

  test("is told that the database does not answer, which is asked once in a second", async () => {
    const clock = makeFakeClock();
    let asked = 0;
    const check = askRarely(async () => {
      asked += 1;
      return asked === 1 ? "The database does not answer." : undefined;
    }, clock.nowMilliseconds);
    const readiness = async () => {
      const answer = await readinessAnswer("ready", check);
      return [answer.status, await answer.json()];
    };
    const unavailable = [
      503,
      { status: "storage_unavailable", reason: "The database does not answer." },
    ];
    for (let i = 0; i < 20; i++) expect(await readiness()).toEqual(unavailable);
    expect(asked).toBe(1);
    clock.advance(1);
    expect(await readiness()).toEqual([200, { status: "ready" }]);
  });
});

test("a server that stops ends each kept connection with its next answer, and still takes requests", async () => {
  server.open(world.app);
  const connection = async () => (await ask("/api/v1/greeting")).headers.get("connection");
  expect(await connection()).not.toBe("close");
  server.drain();
  expect([await connection(), await connection()]).toEqual(["close", "close"]);
  await server.stop();
  expect(await outcomeOf(connection())).toThrow();
});

test("a request right before the end is answered after nothing more can be asked", async () => {
  server.open(world.app);
  const began = Promise.withResolvers<void>();
  answering = async () => began.resolve();
  server.drain();
  const stopped = server.stop();
  const answer = ask("/api/v1/greeting");
  await began.promise;
  expect(await (await answer).json()).toMatchObject({ greeting: "hello" });
  expect(await outcomeOf(ask("/api/v1/greeting"))).toThrow();
  await stopped;
});
