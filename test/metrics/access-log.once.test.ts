import { afterAll, beforeAll, expect, test } from "bun:test";
import type { HttpServer } from "../../src/http/serve";
import { accessLog } from "../../src/metrics/access-log";
import { serve } from "../../src/server";
import { openPortWithSharedRoutes } from "../support/shared-routes";
import { makeWorld, type Person, type World } from "../support/world";

/* Each request as a line of the log, and its id. */

let world: World;
let server: HttpServer;
let alice: Person;
let lines: Record<string, unknown>[] = [];

const isTold = (line: string) => line.includes('"event":"request"');

/** Lines of the access log since the last call. */
function taken(): Record<string, unknown>[] {
  lines = world.logged.filter(isTold).map((line) => JSON.parse(line));
  world.logged.length = 0;
  return lines;
}

beforeAll(async () => {
  world = await makeWorld();
  const { app } = world;
  const watch = accessLog(app.log);
  server = await serve(app, { watch, openPort: openPortWithSharedRoutes });
  alice = world.alice.at({ site: `http://127.0.0.1:${server.port}` });
});
afterAll(async () => {
  await server.stop(true);
  await world.close();
});

const from = (address: string, more: Record<string, string> = {}) => ({
  headers: { "x-forwarded-for": address, ...more },
});

test("A request is a line with its route, status, size, sender and time", async () => {
  taken();
  const answer = await alice.open(
    `/api/v1/users/${world.bob.id}?api_key=hunter2`,
    from("198.51.100.7"),
  );
  const body = await answer.text();
  const [line, ...others] = taken();
  expect(others).toEqual([]);
  expect(line).toEqual({
    time: expect.any(String),
    level: "info",
    event: "request",
    requestId: answer.headers.get("x-request-id"),
    method: "GET",
    route: "/api/v1/users/{user_id_or_email}",
    status: 200,
    bytes: Buffer.byteLength(body),
    ms: expect.any(Number),
    address: "198.51.100.7",
    userId: alice.id,
  });
  expect(JSON.stringify(line)).not.toContain("hunter2");
});

test("Bytes are counted, not characters, also of refusals, and of HEAD there are none", async () => {
  await alice.patch("/settings", { full_name: "Алиса Ωmega" });
  taken();
  const sizes: number[] = [];
  for (const path of ["/users/me", "/messages/0", "/streams"])
    sizes.push((await (await alice.open(`/api/v1${path}`)).arrayBuffer()).byteLength);
  await alice.open("/api/v1/users/me", { method: "HEAD" });
  expect(taken().map(({ bytes }) => bytes)).toEqual([...sizes, 0]);
});

test("Of pages, and of refusals that are told as pages, the bytes are those of the page", async () => {
  taken();
  const site = `http://127.0.0.1:${server.port}`;
  const headers = { host: world.realm.host, accept: "text/html", "accept-language": "de" };
  const sent: [status: number, bytes: number][] = [];
  for (const [method, path] of [
    ["GET", "/login"],
    ["GET", "/nothing"],
    ["GET", "/"],
    ["POST", "/account/sessions/end"],
  ] as const) {
    const answer = await fetch(`${site}${path}`, { method, headers, redirect: "manual" });
    sent.push([answer.status, (await answer.arrayBuffer()).byteLength]);
  }
  expect(sent.map(([status]) => status)).toEqual([200, 404, 303, 401]);
  expect(taken().map(({ status, bytes }) => [status, bytes])).toEqual(sent);
});

test("Strangers, paths of nobody and load balancers are lines, too", async () => {
  taken();
  const site = `http://127.0.0.1:${server.port}`;
  const headers = { host: world.realm.host };
  for (const path of [
    "/api/v1/server_settings",
    "/healthz",
    "/nothing?api_key=hunter2",
    "/api/v1/users/me",
  ])
    await (await fetch(`${site}${path}`, { headers })).text();
  const seen = taken();
  expect(seen.map(({ route, status, userId }) => [route, status, userId])).toEqual([
    ["/api/v1/server_settings", 200, null],
    ["/healthz", 200, null],
    [null, 404, null],
    ["/api/v1/users/me", 401, null],
  ]);
  expect(seen.map(({ address }) => address)).toEqual(Array(4).fill("127.0.0.1"));
  expect(JSON.stringify(seen)).not.toContain("hunter2");
});

test("An id that a trusted proxy gives is the one of the answer and of each line of the request", async () => {
  taken();
  const id = "proxy-7f3a";
  const given = from("198.51.100.8", { "x-request-id": id });
  const body = new URLSearchParams({ username: world.alice.email, password: "wrong" });
  const headers = { ...given.headers, authorization: "" };
  const answer = await alice.open("/api/v1/fetch_api_key", { method: "POST", body, headers });
  expect(answer.headers.get("x-request-id")).toBe(id);
  const events = world.logged
    .map((line) => JSON.parse(line))
    .filter(({ requestId }) => requestId === id);
  expect(events.map(({ event }) => event)).toEqual(["sign_in_failed", "request"]);
  const elsewhere = ["/nothing", "/connect", "/api/v1/openapi.json"];
  for (const path of elsewhere)
    expect((await alice.open(path, given)).headers.get("x-request-id") ?? id).toBe(id);
  expect(taken().map(({ requestId }) => requestId)).toEqual([id, ...elsewhere.map(() => id)]);
});

test("An audited act has the id of its request", async () => {
  world.logged.length = 0;
  const given = from("198.51.100.8", { "x-request-id": "act-1" });
  const body = new URLSearchParams({ name: "walkers", description: "", members: "[]" });
  await alice.open("/api/v1/user_groups/create", { method: "POST", body, ...given });
  const acts = world.logged
    .map((line) => JSON.parse(line))
    .filter(({ event }) => event === "audited");
  expect(acts).toMatchObject([{ action: "group.create", requestId: "act-1" }]);
});

test.each([
  ["is too long", "x".repeat(129)],
  ["has a space", "one two"],
  ["is empty", ""],
  ["is not ASCII", "caf\u00e9"],
])("An id that %s is replaced", async (_why, id) => {
  const answer = await alice.open("/api/v1/users/me", from("198.51.100.8", { "x-request-id": id }));
  expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
});

test("An id that anybody else gives is replaced", async () => {
  const other = await makeWorld({ trusted_proxies: "192.0.2.1" });
  const headers = { "x-request-id": "mine" };
  const answer = await other.alice.open("/api/v1/users/me", { headers });
  expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  await other.close();
});
