import { afterEach, describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { makeApiKey } from "../../src/core/secrets/secrets";
import { endpoints, rootEndpoints } from "../../src/server";
import { issueApiKey } from "../../src/sign-in/api-keys";
import { type Answer, Client } from "../support/client";
import { makeWorld, type Person, type World, worldHost } from "../support/world";

/**
 * Cost to the server of somebody who has not signed in: counted in uses of the database, in bytes
 * of bodies that are read and in bytes that are answered.
 */

let world: World;
afterEach(() => world?.close());

/** Counts how often the database is turned to from now on. */
function watchDatabase({ app }: World): { count: number } {
  const uses = { count: 0 };
  const counting = new Proxy(app.engine, {
    get(engine, name) {
      uses.count += 1;
      return Reflect.get(engine, name);
    },
  });
  Object.defineProperty(app, "engine", { value: counting });
  return uses;
}

interface Heard {
  status: number;
  text: string;
}

/**
 * Sends the head of a request that declares a body, and nothing of the body; answers what comes
 * until the server hangs up.
 */
function sendHeadAlone(
  site: string,
  path: string,
  headers: Record<string, string>,
): Promise<Heard> {
  const { hostname, port } = new URL(site);
  const { promise, resolve, reject } = Promise.withResolvers<Heard>();
  const lines = Object.entries({
    host: worldHost,
    "content-type": "application/x-www-form-urlencoded",
    ...headers,
  });
  const head = [`POST ${path} HTTP/1.1`, ...lines.map(([name, value]) => `${name}: ${value}`)].join(
    "\r\n",
  );
  let text = "";
  const socket = connect(Number(port), hostname, () => socket.write(`${head}\r\n\r\n`));
  socket.on("data", (data) => {
    text += data.toString();
  });
  socket.on("error", reject);
  socket.on("close", () => resolve({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]), text }));
  return promise;
}

const basic = (email: string, apiKey: string) =>
  `Basic ${Buffer.from(`${email}:${apiKey}`).toString("base64")}`;
const signatureOf = ({ email, credentials }: Person) => basic(email, credentials?.apiKey ?? "");
const fieldsOf = (count: number) => Array.from({ length: count }, (_, i) => `p${i}=1`).join("&");
const formOf = (body: string) => ({
  body,
  headers: { "content-type": "application/x-www-form-urlencoded" },
});

async function untilRefused(ask: () => Promise<Answer>): Promise<Answer> {
  let answer = await ask();
  while (answer.status !== 429) answer = await ask();
  return answer;
}

describe("a stranger over the limit", () => {
  test("is answered without a use of the database, without a byte of the body, and hung up on", async () => {
    world = await makeWorld({ requests_per_minute_per_address: "3" });
    const { alice, anonymous, site } = world;
    await untilRefused(() => anonymous.get("/server_settings"));
    await untilRefused(() =>
      new Client(site, worldHost, { email: alice.email, apiKey: makeApiKey() }).get("/users/me"),
    );
    const uses = watchDatabase(world);
    const asked: [string, Record<string, string>][] = [
      ["/api/v1/server_settings", {}],
      ["/api/v1/fetch_api_key", {}],
      ["/api/v1/messages", {}],
      ["/api/v1/messages", { authorization: basic(alice.email, makeApiKey()) }],
      ["/api/v1/messages", { authorization: basic("nobody@example.com", "x".repeat(32)) }],
      ["/api/v1/messages", { cookie: `chatd_session=${"a".repeat(43)}` }],
      ["/api/v1/user_uploads", { "content-type": "multipart/form-data; boundary=b" }],
      [`/api/v1/external/github?api_key=${makeApiKey()}`, {}],
      ["/login", { host: "nobody.example.net" }],
      ["/password/reset", {}],
      ["/new", {}],
    ];
    for (const [path, headers] of asked) {
      const { status, text } = await sendHeadAlone(site, path, {
        "content-length": "900000",
        ...headers,
      });
      expect([path, status]).toEqual([
        path,
        path === "/api/v1/server_settings" ? 405 : path === "/new" ? 404 : 429,
      ]);
      expect(text.length).toBeLessThan(1_000);
    }
    expect(uses.count).toBe(0);
  });

  test("does not keep people at the same address out, signed with a key or in a session; their own limits do", async () => {
    world = await makeWorld({
      requests_per_minute_per_address: "3",
      requests_per_minute_per_user: "20",
    });
    const { alice, anonymous, site, operator } = world;
    expect((await alice.get("/users/me")).status).toBe(200);
    await untilRefused(() => anonymous.get("/server_settings"));
    expect((await world.carol.get("/users/me")).status).toBe(200);
    const wrong = new Client(site, worldHost, { email: alice.email, apiKey: makeApiKey() });
    await untilRefused(() => wrong.get("/users/me"));
    for (const person of [alice, world.carol]) {
      for (let i = 0; i < 9; i++) expect((await person.get("/users/me")).status).toBe(200);
    }
    await untilRefused(() => alice.get("/users/me"));
    const uses = watchDatabase(world);
    expect((await alice.post("/messages")).status).toBe(429);
    expect(uses.count).toBe(0);
    // A key that this node has not seen has to wait until the guesses have an end.
    const { apiKey } = await issueApiKey(operator, world.bob.id, "phone");
    const phone = new Client(site, worldHost, { email: world.bob.email, apiKey });
    expect((await phone.get("/users/me")).status).toBe(429);
    world.clock.advance(60);
    expect((await phone.get("/users/me")).status).toBe(200);
  });

  test("cannot have more wrong keys looked up at a time than it has requests left", async () => {
    world = await makeWorld({ requests_per_minute_per_address: "5" });
    const { alice, site } = world;
    const wrong = () =>
      new Client(site, worldHost, { email: alice.email, apiKey: makeApiKey() }).get("/users/me");
    const answers = await Promise.all(Array.from({ length: 40 }, wrong));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(35);
  });
});

describe("while the database does not answer", () => {
  test("nobody pays for it with their address, and signatures that were good stay known", async () => {
    world = await makeWorld({ requests_per_minute_per_address: "3" });
    const { app, alice, carol, anonymous, site } = world;
    expect((await alice.get("/users/me")).status).toBe(200);
    const { engine } = app;
    const failure = Object.assign(new Error("away, on purpose"), {
      name: "PostgresError",
      code: "57P03",
    });
    const away = new Proxy(engine, {
      get(target, name) {
        if (name === "checkForOtherWrites") throw failure;
        return Reflect.get(target, name);
      },
    });
    Object.defineProperty(app, "engine", { value: away, configurable: true });
    for (let n = 0; n < 6; n++) {
      for (const client of [alice, carol, anonymous]) {
        expect(
          (await client.get(client === anonymous ? "/server_settings" : "/users/me")).status,
        ).toBe(503);
      }
    }
    Object.defineProperty(app, "engine", { value: engine, configurable: true });
    expect((await anonymous.get("/server_settings")).status).toBe(200);
    const wrong = new Client(site, worldHost, { email: alice.email, apiKey: makeApiKey() });
    await untilRefused(() => wrong.get("/users/me"));
    expect((await alice.get("/users/me")).status).toBe(200);
  });
});

describe("without a valid sign-in", () => {
  test("a long body is refused before any of it is read: 401 where it takes an account, 413 where it takes none", async () => {
    world = await makeWorld();
    const { alice, site } = world;
    const long = { "content-length": "900000" };
    for (const chunked of [long, { "transfer-encoding": "chunked" }]) {
      const wrong = basic(alice.email, makeApiKey());
      expect(
        (await sendHeadAlone(site, "/api/v1/messages", { ...chunked, authorization: wrong }))
          .status,
      ).toBe(401);
      expect((await sendHeadAlone(site, "/api/v1/messages", chunked)).status).toBe(401);
    }
    for (const path of [
      "/api/v1/fetch_api_key",
      "/login",
      "/password/reset",
      "/login/mail",
      "/registration",
    ]) {
      const { status } = await sendHeadAlone(site, path, long);
      expect([path, [413, 404, 405].includes(status)]).toEqual([path, true]);
    }
    const webhook = `/api/v1/external/github?api_key=${makeApiKey()}`;
    expect((await sendHeadAlone(site, webhook, long)).status).toBe(401);
    const body = `username=a%40example.com&password=x&more=${"x".repeat(65_536)}`;
    expect((await world.anonymous.ask("POST", "/fetch_api_key", {}, formOf(body))).status).toBe(
      413,
    );
    const chunks = new ReadableStream({
      start(controller) {
        controller.enqueue(Buffer.from(body));
        controller.close();
      },
    });
    const streamed = await world.anonymous.open("/api/v1/fetch_api_key", {
      method: "POST",
      body: chunks,
    });
    expect(streamed.status).toBe(413);
    const { status } = await alice.ask(
      "POST",
      "/register",
      {},
      formOf(`more=${"x".repeat(900_000)}`),
    );
    expect(status).toBe(200);
  });

  test("what is longer than a stranger's is read only when the key is good, and counts only while it is", async () => {
    world = await makeWorld();
    const { alice, site } = world;
    const head = {
      "content-length": "900000",
      authorization: signatureOf(alice),
      "transfer-encoding": "",
    };
    const { port, hostname } = new URL(site);
    const { promise, resolve } = Promise.withResolvers<string>();
    const { "transfer-encoding": _, ...own } = head;
    const lines = Object.entries({
      host: worldHost,
      "content-type": "application/x-www-form-urlencoded",
      ...own,
    });
    const socket = connect(Number(port), hostname, () => {
      socket.write(
        `POST /api/v1/register HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}`).join("\r\n")}\r\n\r\n`,
      );
      socket.write("more=");
    });
    socket.on("data", (data) => resolve(data.toString()));
    // Another request has gone all the way meanwhile: the first is past its first sign-in, and
    // waits for the body.
    expect((await alice.get("/users/me")).status).toBe(200);
    const { body } = await alice.post("/users/me/api_key/regenerate");
    expect(body.result).toBe("success");
    socket.write("x".repeat(899_995));
    expect(await promise).toStartWith("HTTP/1.1 401");
    socket.destroy();
  });

  test("a thousand parameters are taken, of people ten thousand", async () => {
    world = await makeWorld();
    const { alice, anonymous } = world;
    const asks: [Client, number, number][] = [
      [anonymous, 998, 401],
      [anonymous, 1_001, 400],
      [alice, 1_001, 401],
      [alice, 9_990, 401],
      [alice, 10_001, 400],
    ];
    const sign = "username=alice%40example.com&password=wrong-password&";
    for (const [client, count, status] of asks) {
      const path = client === alice ? "/users/me" : "/fetch_api_key";
      const wanted = client === alice && status === 401 ? 200 : status;
      const [method, form] = client === alice ? ["PATCH", ""] : ["POST", sign];
      const inBody = await client.ask(
        method,
        path === "/users/me" ? "/settings" : path,
        {},
        formOf(form + fieldsOf(count)),
      );
      expect([count, inBody.status]).toEqual([count, wanted]);
      const inQuery = await client.get(
        `${client === alice ? "/users/me" : "/server_settings"}?${fieldsOf(count)}`,
      );
      expect([count, inQuery.status]).toEqual([count, status === 401 ? 200 : 400]);
      const json = JSON.stringify(
        Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, "1"])),
      );
      const asJson = { body: json, headers: { "content-type": "application/json" } };
      const taken = await client.ask(method, path === "/users/me" ? "/settings" : path, {}, asJson);
      expect([count, taken.body.msg.includes("parameters")]).toEqual([count, status === 400]);
    }
  });

  test("a signature that is longer than any is refused without being decoded", async () => {
    world = await makeWorld();
    const { alice, anonymous } = world;
    const ask = (authorization: string) =>
      anonymous.ask("GET", "/users/me", {}, { headers: { authorization } });
    expect((await ask(`${signatureOf(alice)}====`)).status).toBe(200);
    const { status, body } = await ask(signatureOf(alice) + "=".repeat(60_000));
    expect([status, body.code]).toEqual([401, "UNAUTHORIZED"]);
  });
});

describe("what is open to everybody", () => {
  test("counts: pages, the documentation, and pictures, of which a stranger gets sixteen for a request", async () => {
    world = await makeWorld({ requests_per_minute_per_address: "10" });
    const { site, realm, clock } = world;
    const seed = "0123456789abcdef".repeat(2);
    const folder = `/user_avatars/${realm.id}`;
    const free = [...endpoints, ...rootEndpoints].filter((one) => one.cost(new Map()) < 1 / 16);
    expect(free.map(({ path }) => path)).toEqual([]);
    const costs: [string, number][] = [
      [`${folder}/generated/${seed}.png`, 1 / 16],
      ["/static/style.css", 1 / 16],
      ["/emoji/names.json", 1],
      ["/", 1],
      ["/connect", 1],
      ["/login", 1],
      ["/api", 10],
      ["/api/v1/openapi.json", 10],
    ];
    const ask = async (path: string) => {
      const headers = { host: worldHost };
      const answer = await fetch(`${site}${path}`, { headers, redirect: "manual" });
      await answer.arrayBuffer();
      return answer.status;
    };
    for (const [path, cost] of costs) {
      clock.advance(60);
      let answered = 0;
      for (; (await ask(path)) !== 429; answered += 1) if (answered > 200) break;
      expect([path, answered]).toEqual([path, 10 / cost]);
    }
  });
});

describe("the pictures of a large organization", () => {
  test("use up nothing that people at the same address sign in with", async () => {
    world = await makeWorld({ requests_per_minute_per_address: "3" });
    const { site, realm } = world;
    const ask = async (path: string) =>
      (await fetch(`${site}${path}`, { headers: { host: worldHost } })).status;
    const picture = `/user_avatars/${realm.id}/generated/${"0123456789abcdef".repeat(2)}.png`;
    for (const path of [picture, "/static/style.css"]) while ((await ask(path)) !== 429);
    expect([await ask("/login"), await ask("/api/v1/server_settings")]).toEqual([200, 200]);
  });
});

describe("what a request has said itself", () => {
  test("comes back in an answer as twenty names, each cut short", async () => {
    world = await makeWorld();
    const names = [
      `${"n".repeat(5_000)}=1`,
      ...Array.from({ length: 40 }, (_, i) => `unknown_${i}=1`),
    ].join("&");
    const { body } = await world.alice.get(`/users/me?${names}`);
    const ignored: string[] = body.ignored_parameters_unsupported;
    expect(ignored).toHaveLength(20);
    expect(ignored[0]).toBe(`${"n".repeat(100)}…`);
    expect(ignored[19]).toBe("unknown_18");
  });

  test("comes back in a refusal cut short, wherever it stood", async () => {
    world = await makeWorld();
    const { alice, anonymous, site } = world;
    const long = "x".repeat(50_000);
    const answers = [
      await alice.get(`/no/${long}`),
      await alice.get(`/users/${long}`),
      await alice.get("/events", { queue_id: long }),
      await alice.get("/get_stream_id", { stream: long }),
      await alice.get("/messages", {
        narrow: [[long, long]],
        anchor: "newest",
        num_before: 1,
        num_after: 0,
      }),
      await alice.post("/messages", { type: "channel", to: long, topic: long, content: "hi" }),
      await alice.patch("/settings", { timezone: long }),
      await alice.patch("/settings", { color_scheme: long }),
      await anonymous.get("/server_settings", { [long]: 1 }),
      await new Client(site, `${long.slice(0, 9_000)}.example.com`).get("/server_settings"),
    ];
    for (const { status, body } of answers) {
      expect(JSON.stringify(body).length).toBeLessThan(5_000);
      expect(status).toBeGreaterThanOrEqual(200);
    }
    expect(answers.filter(({ status }) => status >= 400).length).toBeGreaterThanOrEqual(7);
  });

  test("is refused where it can be no host, also at an address that leads nowhere", async () => {
    world = await makeWorld();
    const { site } = world;
    const ask = (path: string, host: string) =>
      fetch(`${site}${path}`, { headers: { host, accept: "text/html" } });
    const long = `${"a".repeat(261)}.example`;
    for (const host of ["a b", "a:99999", "[::1", "a/b", "a@b", "1.2.3.999", long]) {
      for (const path of ["/api/v1/server_settings", "/login", "/nothing"]) {
        const answer = await ask(path, host);
        expect([host, path, answer.status]).toEqual([host, path, 400]);
        expect(await answer.json()).toMatchObject({ code: "BAD_REQUEST" });
      }
    }
    for (const host of [
      "chat_d:8080",
      "[::1]:8080",
      "10.0.0.1",
      "Nobody.Example.com.",
      "localhost",
    ])
      expect((await ask("/api/v1/server_settings", host)).status).toBe(404);
    expect((await ask("/api/v1/server_settings", `${worldHost}:443`)).status).toBe(200);
  });
});
