import { afterEach, beforeEach, expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { endpoint } from "../../src/core/endpoint";
import { record, text } from "../../src/core/params";
import { type HttpServer, serveHttp } from "../../src/http/serve";
import { endpoints } from "../../src/server";
import type { Person } from "../support/world";
import { makeWorld, type World, worldHost } from "../support/world";

/** More than what a connection holds whose client does not read. */
const longBytes = 6_000_000;

let world: World;
let server: HttpServer;
let alice: Person;
/** Ends the work of the endpoints below, which wait for it. */
let finish: () => void;
let begun: () => void;
let work: Promise<void>;
let writes = 0;

const longOutput = record({ text: text() });
const longAnswer = { text: "x".repeat(longBytes) };

const longRead = endpoint({
  method: "GET",
  path: "/long",
  summary: "Answers much.",
  who: "user",
  input: record({}),
  output: longOutput,
  verb: async () => longAnswer,
});
const slowRead = endpoint({
  method: "GET",
  path: "/slow",
  summary: "Answers much, later.",
  who: "user",
  input: record({}),
  output: longOutput,
  verb: async () => {
    begun();
    await work;
    return longAnswer;
  },
});
const longWrite = endpoint({
  method: "POST",
  path: "/long",
  audit: { actions: [], reason: "it changes nothing" },
  summary: "Carries something out, and answers much.",
  who: "user",
  input: record({}),
  output: longOutput,
  verb: async () => {
    writes += 1;
    return longAnswer;
  },
});

beforeEach(async () => {
  // One such answer of each person at a time.
  world = await makeWorld({ answers_in_progress_bytes_max: String(4 * (longBytes + 1_000)) });
  server = await serveHttp(world.app, { endpoints: [...endpoints, longRead, slowRead, longWrite] });
  alice = world.alice.at({ site: `http://127.0.0.1:${server.port}` });
});
afterEach(async () => {
  await server.stop(true);
  await world.close();
});

/** Sends a request of hers over a connection of its own, and reads nothing of the answer. */
async function send(method: string, path: string): Promise<Socket> {
  const { email, apiKey } = alice.credentials ?? { email: "", apiKey: "" };
  const authorization = `Basic ${Buffer.from(`${email}:${apiKey}`).toString("base64")}`;
  const socket = connect(server.port, "127.0.0.1");
  socket.on("error", () => undefined);
  socket.pause();
  const head = `Host: ${worldHost}\r\nAuthorization: ${authorization}\r\nContent-Length: 0`;
  const request = `${method} /api/v1${path} HTTP/1.1\r\n${head}\r\n\r\n`;
  await new Promise<void>((resolve) => socket.write(request, () => resolve()));
  return socket;
}

async function statusOf(method: string, path: string): Promise<number> {
  const answer = await alice.open(`/api/v1${path}`, { method });
  await answer.arrayBuffer();
  return answer.status;
}

test("HEAD of a long answer tells its length, and takes nothing from the answers of others", async () => {
  for (let turn = 0; turn < 50; turn++) {
    const { status, headers } = await alice.open("/api/v1/long", { method: "HEAD" });
    expect(status).toBe(200);
    expect(Number(headers.get("content-length"))).toBeGreaterThan(longBytes);
  }
  expect(await statusOf("GET", "/long")).toBe(200);
});

test("A client that leaves before its long answer is made takes nothing with it", async () => {
  for (let turn = 0; turn < 5; turn++) {
    const started = new Promise<void>((resolve) => {
      begun = resolve;
    });
    work = new Promise((resolve) => {
      finish = resolve;
    });
    const socket = await send("GET", "/slow");
    await started;
    socket.destroy();
    // Others are answered meanwhile: the server has seen that the connection is closed.
    for (let n = 0; n < 5; n++) expect(await statusOf("GET", "/users/me")).toBe(200);
    finish();
    expect(await statusOf("GET", "/users/me")).toBe(200);
    expect(await statusOf("GET", "/long")).toBe(200);
  }
});

test("What was carried out is answered, however much is being answered", async () => {
  const unread = await send("GET", "/long");
  while ((await statusOf("GET", "/long")) !== 503) await Promise.resolve();
  const before = writes;
  expect(await statusOf("POST", "/long")).toBe(200);
  expect(writes).toBe(before + 1);
  unread.destroy();
});
