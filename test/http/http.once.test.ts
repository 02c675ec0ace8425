import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { DrizzleQueryError } from "drizzle-orm";
import { type Endpoint, endpoint, noFields } from "../../src/core/endpoint";
import { describeError } from "../../src/core/log";
import { record, text } from "../../src/core/params";
import { serveHttp } from "../../src/http/serve";
import { endpoints, rootEndpoints } from "../../src/server";
import { Client } from "../support/client";
import { makeWorld, type World, worldHost } from "../support/world";

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.close());

const url = (path: string) => `${world.site}${path}`;
const hosted = { host: worldHost };

/** Answer of the server to bytes that no client library would send. */
async function raw(request: string): Promise<{ status: number; headers: string; body: string }> {
  const { hostname, port } = new URL(world.site);
  const socket = connect(Number(port), hostname);
  socket.write(request);
  let answer = "";
  for await (const chunk of socket) answer += chunk;
  const [headers = "", body = ""] = answer.split(/\r\n\r\n(.*)/s);
  return { status: Number(headers.split(" ")[1]), headers: headers.toLowerCase(), body };
}

const rawGet = (path: string) =>
  raw(`GET ${path} HTTP/1.1\r\nHost: ${worldHost}\r\nConnection: close\r\n\r\n`);

const basic = () => {
  const { email, apiKey } = world.alice.credentials ?? { email: "", apiKey: "" };
  return `Basic ${Buffer.from(`${email}:${apiKey}`).toString("base64")}`;
};

/** Alice's request with a body of her own making. */
const post = (path: string, body: BodyInit, type: string, method = "POST") =>
  world.alice.ask(method, path, {}, { body, headers: { "content-type": type } });

const draft = { type: "channel", to: "general", topic: "forms", content: "hello" };

describe("every error is JSON", () => {
  test("a path that nothing is at", async () => {
    for (const path of [
      "/api/v1/nothing",
      "/api/v1/users/1/2/3",
      "/api/v1/users/",
      "/nowhere",
      "/api/v1",
    ]) {
      const response = await fetch(url(path), { headers: hosted });
      const body: unknown = await response.json();
      expect([path, response.status]).toEqual([path, 404]);
      expect(body).toMatchObject({
        result: "error",
        code: "NOT_FOUND",
        msg: expect.stringMatching(/\w/),
      });
      expect(response.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  test("a method that a path does not have, with those that it has and without a code", async () => {
    const { status, body, headers } = await world.alice.ask("PUT", "/users");
    expect(status).toBe(405);
    expect(body).toEqual({
      result: "error",
      msg: expect.any(String),
      allowed_methods: expect.arrayContaining(["GET", "POST"]),
    });
    expect(headers.get("allow")).toBe(body.allowed_methods.join(", "));
    const purge = await raw(
      `PURGE /api/v1/users HTTP/1.1\r\nHost: ${worldHost}\r\nConnection: close\r\n\r\n`,
    );
    expect([400, 405]).toContain(purge.status);
  });

  test("OPTIONS tells the methods, and HEAD is GET without a body", async () => {
    const options = await fetch(url("/api/v1/users"), { method: "OPTIONS", headers: hosted });
    expect([options.status, options.headers.get("allow")]).toEqual([204, "GET, HEAD, POST"]);
    const head = await fetch(url("/api/v1/server_settings"), { method: "HEAD", headers: hosted });
    expect([head.status, await head.text()]).toEqual([200, ""]);
  });

  test("a body that is declared too large, and one that turns out to be", async () => {
    const declared = await post(
      "/messages",
      "a".repeat(1_048_577),
      "application/x-www-form-urlencoded",
    );
    expect([declared.status, declared.body.code]).toEqual([413, "REQUEST_TOO_LARGE"]);
    const stream = new ReadableStream({
      start(controller) {
        for (let i = 0; i < 40; i++) controller.enqueue(new Uint8Array(65_536).fill(97));
        controller.close();
      },
    });
    const chunked = await post("/messages", stream, "application/x-www-form-urlencoded");
    expect([chunked.status, chunked.body.code]).toEqual([413, "REQUEST_TOO_LARGE"]);
  });

  test("malformed JSON, multipart and percent-encoding", async () => {
    const bodies = [
      ["{", "application/json"],
      ["[1]", "application/json"],
      ["null", "Application/JSON; charset=utf-8"],
      ["no parts", "multipart/form-data; boundary=x"],
      ["no boundary", "multipart/form-data"],
    ] as const;
    for (const [body, type] of bodies) {
      const answer = await post("/messages", body, type);
      expect([body, answer.status, answer.body.code]).toEqual([body, 400, "BAD_REQUEST"]);
    }
    const { status, body } = await rawGet("/api/v1/users/%zz");
    expect([status, JSON.parse(body).code]).toEqual([400, "BAD_REQUEST"]);
    expect((await rawGet("/api/v1/users/%e0%a4")).status).toBe(400);
  });

  test("an empty form, or none, misses its parameters", async () => {
    for (const type of [
      "application/x-www-form-urlencoded",
      "text/plain",
      "multipart/form-data; boundary=x",
    ]) {
      const body = type.startsWith("multipart") ? "--x--\r\n" : "";
      const answer = await post("/messages", body, type);
      expect([type, answer.status, answer.body.code]).toEqual([
        type,
        400,
        "REQUEST_VARIABLE_MISSING",
      ]);
    }
  });

  test("a bug: without a stack, under the request id that the log has it by, which I12 holds no token", async () => {
    const broken: Endpoint[] = [
      endpoint({
        method: "GET",
        path: "/broken/{token}",
        summary: "Breaks.",
        who: "anyone",
        input: record({ token: text() }),
        output: noFields,
        verb: () => Promise.reject(new Error("broken on purpose")),
      }),
    ];
    const server = await serveHttp(world.app, { endpoints: broken });
    const client = new Client(`http://127.0.0.1:${server.port}`, worldHost);
    const { status, body, headers } = await client.get("/broken/the-secret-of-a-link");
    expect([status, body.code]).toEqual([500, "INTERNAL_SERVER_ERROR"]);
    expect(JSON.stringify(body)).not.toMatch(/on purpose|\.ts|at /);
    const requestId = headers.get("x-request-id") ?? "";
    const line = world.logged.find((one) => one.includes(requestId));
    expect(JSON.parse(line ?? "{}")).toMatchObject({
      level: "error",
      method: "GET",
      path: "/api/v1/broken/{token}",
      error: "broken on purpose",
    });
    expect(line).not.toContain("the-secret-of-a-link");
    await server.stop();
  });

  test("I12: a query that failed is in the log without the values that it was given", async () => {
    const error = new DrizzleQueryError(
      "select $1",
      ["a-value-of-somebody"],
      new Error("the connection is gone"),
    );
    const described = JSON.stringify(describeError(error));
    expect(described).toMatch(/Failed query: select \$1.*the connection is gone/);
    expect(described).not.toContain("a-value-of-somebody");
  });
});

describe("parameters", () => {
  test("are taken from the query, a form, multipart and JSON, for every method", async () => {
    const form = new FormData();
    for (const [name, value] of Object.entries(draft)) form.set(name, value);
    const query = new URLSearchParams(draft).toString();
    const answers = [
      await world.alice.ask("POST", `/messages?${query}`, {}),
      await post("/messages", query, "APPLICATION/X-WWW-FORM-URLENCODED"),
      await post("/messages", query, "text/plain"),
      await world.alice.ask("POST", "/messages", {}, { body: form }),
      await post("/messages", JSON.stringify(draft), "application/json"),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const subscriptions = JSON.stringify([{ name: "formed" }]);
    await post(
      "/users/me/subscriptions",
      new URLSearchParams({ subscriptions }).toString(),
      "application/x-www-form-urlencoded",
    );
    const gone = await world.alice.ask(
      "DELETE",
      `/users/me/subscriptions?subscriptions=${encodeURIComponent('["formed"]')}`,
    );
    expect(gone.body.removed).toEqual(["formed"]);
  });

  test("of a name that is given twice the last counts, and the body before the query", async () => {
    const query = new URLSearchParams({ ...draft, content: "query" }).toString();
    const body = "content=first&content=last";
    const answer = await post(`/messages?${query}`, body, "application/x-www-form-urlencoded");
    const { body: fetched } = await world.alice.get(`/messages/${answer.body.id}`, {
      apply_markdown: false,
    });
    const { body: page } = await world.alice.get("/messages", {
      anchor: "newest",
      num_before: 1,
      num_after: 0,
      apply_markdown: false,
    });
    expect(fetched.message?.content ?? page.messages[0].content).toBe("last");
  });

  test("that are unknown are named, and change nothing", async () => {
    const { body } = await world.alice.get("/users/me", { surprise: 1, another: "x" });
    expect(body.ignored_parameters_unsupported).toEqual(["surprise", "another"]);
    expect(
      (await world.alice.get("/users/me")).body.ignored_parameters_unsupported,
    ).toBeUndefined();
  });

  test("H6: the address, the header, the body and the depth of JSON are bounded", async () => {
    const long = await rawGet(`/api/v1/users?x=${"a".repeat(170_000)}`);
    expect([long.status, JSON.parse(long.body).code]).toEqual([414, "REQUEST_TOO_LARGE"]);
    expect((await rawGet(`/api/v1/server_settings?x=${"a".repeat(120_000)}`)).status).toBe(200);
    const header = await raw(
      `GET /api/v1/users HTTP/1.1\r\nHost: ${worldHost}\r\nConnection: close\r\nX-A: ${"a".repeat(1_000_000)}\r\n\r\n`,
    );
    expect([400, 413, 431, Number.NaN]).toContain(header.status);
    const deep = "[".repeat(100_000) + "]".repeat(100_000);
    for (const parameter of ["narrow", "fetch_event_types", "client_capabilities"]) {
      const { status, body } = await world.alice.post("/register", { [parameter]: deep });
      expect([parameter, status, body.code]).toEqual([parameter, 400, "BAD_REQUEST"]);
    }
    expect((await post("/register", `{"narrow":${deep}}`, "application/json")).status).toBe(400);
    const lie = await raw(
      `POST /api/v1/messages HTTP/1.1\r\nHost: ${worldHost}\r\nAuthorization: ${basic()}\r\nContent-Length: 99999999999\r\nConnection: close\r\n\r\nx`,
    );
    expect([413, 400]).toContain(lie.status);
  });
});

describe("the list of endpoints", () => {
  test.each(
    endpoints.map(({ method, path, who, body }) => [method, path, who, body.kind] as const),
  )("E9: %s %s without signing in: only if anyone may", async (method, path, who, kind) => {
    const { status, body } = await world.anonymous.ask(method, path.replaceAll(/\{\w+\}/g, "1"));
    if (who === "anyone") expect(status).not.toBe(401);
    else if (kind === "webhook") expect([status, body.var_name]).toEqual([400, "api_key"]);
    else
      expect([status, method === "HEAD" ? "UNAUTHORIZED" : body.code]).toEqual([
        401,
        "UNAUTHORIZED",
      ]);
  });

  test.each(rootEndpoints.map(({ method, path, who }) => [method, path, who] as const))(
    "E9: %s %s without signing in: only if anyone may",
    async (method, path, who) => {
      const response = await fetch(url(path.replaceAll(/\{\w+\}/g, "1")), {
        method,
        headers: hosted,
        redirect: "manual",
      });
      const isLedToLogin = path === "/" && response.headers.get("location") === "/login?next=%2F";
      const isRefused = response.status === 401 || isLedToLogin;
      expect([path, isRefused]).toEqual([path, who !== "anyone"]);
    },
  );

  test("an endpoint cannot be declared without saying who may call it", () => {
    const declaration = {
      method: "GET" as const,
      path: "/x",
      summary: "X.",
      input: record({ x: text() }),
    };
    const verb = async () => undefined;
    // @ts-expect-error `who` is missing.
    expect(() => endpoint({ ...declaration, verb })).toThrow("who");
  });

  test("is described by the OpenAPI document, each operation once", async () => {
    const { body } = await world.anonymous.get("/openapi.json");
    expect(body.openapi).toMatch(/^3\./);
    const operations = Object.entries<
      Record<string, { operationId: string; parameters: { name: string; in: string }[] }>
    >(body.paths);
    const listed = operations.flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(listed.sort()).toEqual(endpoints.map(({ method, path }) => `${method} ${path}`).sort());
    const all = operations.flatMap(([path, methods]) =>
      Object.values(methods).map((operation) => ({ path, ...operation })),
    );
    expect(new Set(all.map(({ operationId }) => operationId)).size).toBe(all.length);
    for (const { path, parameters } of all) {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? "");
      expect(
        parameters
          .filter((one) => one.in === "path")
          .map(({ name }) => name)
          .sort(),
      ).toEqual(named.sort());
    }
  });
});

describe("pages", () => {
  test("the page on clients and the reference come with a policy that lets no script run", async () => {
    for (const path of ["/connect", "/api"]) {
      const response = await fetch(url(path), { headers: hosted });
      expect([path, response.status, response.headers.get("content-type")]).toEqual([
        path,
        200,
        "text/html; charset=utf-8",
      ]);
      expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
      expect(await response.text()).toContain("<title>");
    }
  });

  test("their style is served, and nothing outside its folder", async () => {
    const style = await fetch(url("/static/style.css"));
    expect([style.status, style.headers.get("content-type")?.split(";")[0]]).toEqual([
      200,
      "text/css",
    ]);
    for (const path of [
      "/static/../../../package.json",
      "/static/%2e%2e/%2e%2e/serve.ts",
      "/static/none.css",
    ]) {
      const { status, body } = await rawGet(path);
      expect([path, status]).toEqual([path, 404]);
      expect(JSON.parse(body).code).toBe("NOT_FOUND");
    }
  });

  test("their style has an entity tag in quotes, by which it is not sent again", async () => {
    const ask = (tag?: string) =>
      fetch(url("/static/style.css"), {
        headers: tag === undefined ? {} : { "if-none-match": tag },
      });
    for (const { headers } of [await ask(), await ask(), await ask('"another"')]) {
      expect(headers.get("etag")).toMatch(/^"[^"]+"$/);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
    }
    const tag = (await ask()).headers.get("etag") ?? "";
    const again = [await ask(tag), await ask(`W/${tag}`), await ask("*")];
    expect(again.map(({ status }) => status)).toEqual([304, 304, 304]);
    expect((await ask('"another"')).status).toBe(200);
  });
});

test("H11: a null in a JSON body counts as not sent, and nothing is stored", async () => {
  const body = JSON.stringify({ type: "channel", to: "general", topic: "t", content: null });
  const headers = { "content-type": "application/json" };
  const { status, body: answer } = await world.alice.ask(
    "POST",
    "/messages",
    {},
    { body, headers },
  );
  expect({ status, code: answer.code, name: answer.var_name }).toEqual({
    status: 400,
    code: "REQUEST_VARIABLE_MISSING",
    name: "content",
  });
});
