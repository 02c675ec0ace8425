import { afterAll, beforeAll, describe, expect, spyOn, test } from "bun:test";
import type { Endpoint } from "../../src/core/endpoint";
import type { HttpServer } from "../../src/http/serve";
import { endpoints, rootEndpoints, serve } from "../../src/server";
import { makeWorld, type World, worldHost } from "../support/world";

/*
 * The app of Elysia is asked by itself here, without a network: all that the server answers is a
 * route of it.
 */

let world: World;
let server: HttpServer;
beforeAll(async () => {
  world = await makeWorld();
  server = await serve(world.app);
});
afterAll(async () => {
  await server.stop(true);
  await world.close();
});

const ask = (method: string, path: string) =>
  server.elysia.handle(
    new Request(`http://${worldHost}${path}`, { method, headers: { host: worldHost } }),
  );

test("the headers of a request to an endpoint are not parsed all together", async () => {
  const parse = spyOn(Headers.prototype, "toJSON");
  const { status } = await ask("GET", "/api/v1/server_settings");
  const parsedCount = parse.mock.calls.length;
  parse.mockRestore();
  expect([status, parsedCount]).toEqual([200, 0]);
});

const filled = (path: string) => path.replaceAll(/\{\w+\}/g, "7");

test.each([
  ["/connect", "text/html; charset=utf-8"],
  ["/api", "text/html; charset=utf-8"],
  ["/api/v1/openapi.json", "application/json"],
  ["/static/style.css", "text/css;charset=utf-8"],
  ["/static/look/tokens.css", "text/css;charset=utf-8"],
  ["/static/look/base.css", "text/css;charset=utf-8"],
  ["/healthz", "application/json"],
  ["/readyz", "application/json"],
])("%s is a route", async (path, type) => {
  const answer = await ask("GET", path);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, type]);
  expect((await answer.text()).length).toBeGreaterThan(10);
});

const named = (declared: readonly Endpoint[], below: string) =>
  declared.map(({ method, path }) => [method, below + path] as const);

test.each([...named(endpoints, "/api/v1"), ...named(rootEndpoints, "")])(
  "%s %s is a route",
  async (method, path) => {
    const { status } = await ask(method, filled(path));
    expect([method, path, status === 405]).toEqual([method, path, false]);
  },
);

describe("what no route takes", () => {
  const told = async (method: string, path: string) => {
    const answer = await ask(method, path);
    const text = await answer.text();
    return [
      answer.status,
      answer.headers.get("allow"),
      text === "" ? undefined : JSON.parse(text).code,
    ];
  };

  test("is not found, refused with the methods of its place, or told them", async () => {
    expect(await told("GET", "/nowhere")).toEqual([404, null, "NOT_FOUND"]);
    expect(await told("GET", "/static/nothing.css")).toEqual([404, null, "NOT_FOUND"]);
    expect(await told("PUT", "/api/v1/users")).toEqual([405, "GET, HEAD, POST", undefined]);
    expect(await told("PUT", "/api/v1/messages/7")).toEqual([
      405,
      "GET, HEAD, PATCH, DELETE",
      undefined,
    ]);
    expect(await told("OPTIONS", "/api/v1/users")).toEqual([204, "GET, HEAD, POST", undefined]);
    expect(await told("POST", "/")).toEqual([405, "GET, HEAD", undefined]);
    expect(await told("OPTIONS", "/api")).toEqual([204, "GET, HEAD", undefined]);
  });

  test("is no parameter of another place: `me` is not taken for the id of a user", async () => {
    expect(await told("PATCH", "/api/v1/users/me")).toEqual([405, "GET, HEAD, DELETE", undefined]);
    expect(await told("PATCH", "/api/v1/user_groups/create")).toEqual([405, "POST", undefined]);
    expect(await told("GET", "/api/v1/users/me/subscriptions/7")).toEqual([
      405,
      "POST, PATCH",
      undefined,
    ]);
  });

  test("has a path that is well formed, and whole", async () => {
    expect(await told("GET", "/api/v1/users/%zz")).toEqual([400, null, "BAD_REQUEST"]);
    expect(await told("GET", "/api/v1/users/7/")).toEqual([404, null, "NOT_FOUND"]);
    expect(await told("DELETE", "/api/v1/navigation_views/")).toEqual([404, null, "NOT_FOUND"]);
    expect(await told("DELETE", "/api/v1/navigation_views/%2Fx")).toEqual([
      401,
      null,
      "UNAUTHORIZED",
    ]);
  });

  test("is looked for behind any host, however short", async () => {
    const answer = await server.elysia.handle(new Request("http://a/api/v1/server_settings"));
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ code: "NONEXISTENT_SUBDOMAIN" });
  });
});

test("HEAD is GET without a body", async () => {
  const [get, head] = [
    await ask("GET", "/api/v1/server_settings"),
    await ask("HEAD", "/api/v1/server_settings"),
  ];
  expect([head.status, await head.text()]).toEqual([200, ""]);
  expect(head.headers.get("content-length")).toBe(String((await get.bytes()).length));
});

describe("in the executable, whose code is minified,", () => {
  /** Code of handlers that are given a context, as the executable has it. */
  async function handlersIn(file: string): Promise<string[]> {
    const { outputs } = await Bun.build({
      entrypoints: [`${import.meta.dir}/../../src/http/${file}`],
      external: ["*"],
      target: "bun",
      minify: { whitespace: true, syntax: true },
    });
    const text = await outputs[0]?.text();
    return [...(text ?? "").matchAll(/async\(context\)=>\{(.*?)\}[;,]/gs)].map(
      ([, body = ""]) => body,
    );
  }

  test.each(["mount.ts", "pages.ts"])("routes of %s have Elysia parse no query", async (file) => {
    const handlers = await handlersIn(file);
    expect(handlers.length).toBeGreaterThanOrEqual(2);
    // By these words Elysia takes the context for one that is handed on, and parses it for each
    // request.
    expect(handlers.filter((body) => body.includes("return context"))).toEqual([]);
  });
});
