import { beforeAll, describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { Client } from "../support/client";
import { chatd, freshFolder, readCredentials, type Server, serve } from "./chatd";

const host = "zulip.zulipdev.com";

/** A client that has its key from an endpoint of the server. */
async function signIn(site: string, username: string): Promise<Client> {
  const { body } = await new Client(site, host).post("/dev_fetch_api_key", { username });
  expect(body).toMatchObject({ result: "success", email: username, user_id: expect.any(Number) });
  return new Client(site, host, { email: body.email, apiKey: body.api_key });
}

const namesIn = (things: { name: string }[]) => things.map(({ name }) => name).sort();

describe("a server with the fixture dev", () => {
  let server: Server;
  let stranger: Client;
  beforeAll(async () => {
    server = await serve(["--ephemeral", "--fixture", "dev"]);
    stranger = new Client(server.site, host);
  });

  test("lets people and bots write to each other by their addresses", async () => {
    for (const from of ["hamlet@zulip.com", "default-bot@zulip.com"]) {
      const to = JSON.stringify(["iago@zulip.com"]);
      const { body } = await (await signIn(server.site, from)).post("/messages", {
        type: "direct",
        to,
        content: "Good morrow.",
      });
      expect(body.result).toBe("success");
    }
  });

  test("lists its people, administrators apart", async () => {
    const { body } = await stranger.get("/dev_list_users");
    const emails = (users: { email: string }[]) => users.map(({ email }) => email);
    expect(emails(body.direct_admins)).toEqual(["desdemona@zulip.com", "iago@zulip.com"]);
    expect(emails(body.direct_users)).toEqual([
      "shiva@zulip.com",
      "AARON@zulip.com",
      "hamlet@zulip.com",
      "cordelia@zulip.com",
      "othello@zulip.com",
      "prospero@zulip.com",
      "ZOE@zulip.com",
      "polonius@zulip.com",
    ]);
    expect(body.direct_users[0].realm_url).toBe(`http://${host}`);
  });

  test.each([
    "localhost:9991",
    "chat.localhost:9991",
    "127.0.0.1",
    "127.1.2.3:80",
    "[::1]:9991",
    "ZulipDev.com",
    "zulip.zulipdev.com",
  ])("answers at %s, and tells clients that it needs no password", async (name) => {
    const { status, body } = await new Client(server.site, name).get("/server_settings");
    expect([status, body.authentication_methods.dev]).toEqual([200, true]);
  });

  test.each([
    "evil.example",
    "127.0.0.1.evil.example",
    "localhost.evil.example",
    "evilzulipdev.com",
    "192.0.2.1",
  ])("refuses everything at %s, which may lead here from a page elsewhere", async (name) => {
    const page = new Client(server.site, name);
    const fetched = await page.post("/dev_fetch_api_key", { username: "iago@zulip.com" });
    expect([fetched.status, fetched.body.code]).toEqual([403, "BAD_REQUEST"]);
    expect(fetched.body.msg).toContain(name);
    for (const path of ["/api/v1/dev_list_users", "/login", "/nowhere", "/healthz", "/static/a"])
      expect((await page.open(path)).status).toBe(403);
  });

  test.each([
    ["X-Forwarded-For", "127.0.0.1"],
    ["X-Forwarded-Host", "localhost"],
    ["Forwarded", "for=127.0.0.1"],
    ["Via", "1.1 proxy"],
    ["X-Real-IP", "127.0.0.1"],
  ])("refuses what a proxy has passed on with %s", async (name, value) => {
    const headers = { [name]: value };
    const answer = await stranger.open("/api/v1/dev_list_users", { headers });
    expect([answer.status, (await answer.json()).msg]).toEqual([
      403,
      "This server lets everybody in, so it refuses requests through a proxy: connect to it directly.",
    ]);
  });

  test("lets people send and read with a key that anybody can fetch", async () => {
    const hamlet = await signIn(server.site, "hamlet@zulip.com");
    const polonius = await signIn(server.site, "polonius@zulip.com");
    const sent = await hamlet.post("/messages", {
      type: "channel",
      to: "Verona",
      topic: "words",
      content: "Words, words, words.",
    });
    const { body } = await polonius.get(`/messages/${sent.body.id}`);
    expect(body.message).toMatchObject({
      sender_full_name: "King Hamlet",
      content: "<p>Words, words, words.</p>",
    });
  });

  test("is found by other names of the machine, in capitals or not", async () => {
    const local = new Client(server.site, "localhost");
    const { body } = await local.ask("POST", "/dev_fetch_api_key?username=aaron@zulip.com");
    expect(body.email).toBe("AARON@zulip.com");
  });

  test("gives one key until it ends, and then another", async () => {
    const keyOf = async () =>
      (await stranger.post("/dev_fetch_api_key", { username: "ZOE@zulip.com" })).body.api_key;
    const first = await keyOf();
    expect(await keyOf()).toBe(first);
    const zoe = new Client(server.site, host, { email: "ZOE@zulip.com", apiKey: first });
    const renewed = await zoe.post("/users/me/api_key/regenerate");
    expect(renewed.status).toBe(200);
    expect(await keyOf()).not.toBe(first);
    expect((await zoe.get("/users/me")).status).toBe(401);
  });

  test("has each role, the channels, presence, profiles and mail that tests of clients expect", async () => {
    const desdemona = await signIn(server.site, "desdemona@zulip.com");
    const { body: state } = await desdemona.post("/register", { slim_presence: true });
    const roles = Object.fromEntries(
      state.realm_users.map(({ delivery_email, role }: Record<string, unknown>) => [
        delivery_email,
        role,
      ]),
    );
    expect(roles).toMatchObject({
      "desdemona@zulip.com": 100,
      "iago@zulip.com": 200,
      "shiva@zulip.com": 300,
      "prospero@zulip.com": 400,
      "polonius@zulip.com": 600,
    });
    expect(namesIn(state.subscriptions)).toEqual(
      // biome-ignore format: a list of names
      ["Denmark", "Rome", "Scotland", "Venice", "Verona", "core team", "general", "moderation", "sandbox"],
    );
    expect(state.custom_profile_fields.length).toBe(9);
    expect(Object.keys(state.presences).length).toBe(10);
    const [verona] = state.subscriptions.filter(({ name }: { name: string }) => name === "Verona");
    const mail = await desdemona.get(`/streams/${verona.stream_id}/email_address`);
    expect(mail.body.email).toMatch(/^verona\..+@zulipdev\.com$/);
    const moderation = state.subscriptions.find(
      ({ name }: { name: string }) => name === "moderation",
    );
    expect(state.realm_moderation_request_channel_id).toBe(moderation.stream_id);
    const hamlet = await signIn(server.site, "hamlet@zulip.com");
    const { body: own } = await hamlet.get("/users/me");
    expect(Object.keys(own.profile_data).length).toBe(8);
  });

  test("has bots of each kind, who get a key and no session", async () => {
    const iago = await signIn(server.site, "iago@zulip.com");
    const { body } = await iago.get("/users");
    const bots = body.members.filter(({ is_bot }: { is_bot: boolean }) => is_bot);
    const kinds = bots.map(({ bot_type }: { bot_type: number }) => bot_type);
    expect([1, 2, 3, 4].filter((kind) => !kinds.includes(kind))).toEqual([]);
    const username = "default-bot@zulip.com";
    const answer = await stranger.post("/dev_fetch_api_key", { username });
    expect(answer.headers.getSetCookie()).toEqual([]);
    const bot = new Client(server.site, host, { email: username, apiKey: answer.body.api_key });
    expect((await bot.get("/users/me")).body.is_bot).toBe(true);
  });

  test("adds and lists bots below /json, in the session that comes with a key", async () => {
    const username = "othello@zulip.com";
    const answer = await stranger.post("/dev_fetch_api_key", { username });
    const cookies = answer.headers.getSetCookie().map((one) => one.split(";")[0] ?? "");
    const token = cookies.find((one) => one.startsWith("csrftoken="))?.slice(10) ?? "";
    const body = new FormData();
    for (const [name, value] of Object.entries({ full_name: "Y", short_name: "y", bot_type: "1" }))
      body.append(name, value);
    const cookie = cookies.join("; ");
    const post = (headers: Record<string, string>) =>
      stranger.open("/json/bots", { method: "POST", body, headers });
    const added = await (await post({ cookie, "x-csrftoken": token })).json();
    expect(added).toMatchObject({ result: "success", api_key: expect.any(String) });
    const listed = await (await stranger.open("/json/bots", { headers: { cookie } })).json();
    expect(listed.bots.map(({ username: name }: { username: string }) => name)).toEqual([
      "y-bot@zulipdev.com",
    ]);
    expect((await post({ cookie })).status).toBe(403);
    expect((await post({})).status).toBe(401);
    const asBrowser = await stranger.open("/json/bots", { headers: { accept: "text/html" } });
    expect((await asBrowser.json()).code).toBe("UNAUTHORIZED");
  });

  test("refuses who is not there, who is deactivated, and other sites", async () => {
    const fetch = (username: string) => stranger.post("/dev_fetch_api_key", { username });
    expect((await fetch("yorick@zulip.com")).body).toMatchObject({ code: "AUTHENTICATION_FAILED" });
    expect((await fetch("notification-bot@zulipdev.com")).status).toBe(401);
    const desdemona = await signIn(server.site, "desdemona@zulip.com");
    const cordelia = await signIn(server.site, "cordelia@zulip.com");
    const { body: own } = await cordelia.get("/users/me");
    await desdemona.delete(`/users/${own.user_id}`);
    const { status, body } = await fetch("cordelia@zulip.com");
    expect({ status, code: body.code }).toEqual({ status: 401, code: "USER_DEACTIVATED" });
    const { body: listed } = await stranger.get("/dev_list_users");
    expect(JSON.stringify(listed)).not.toContain("cordelia");
    const headers = { origin: "https://evil.example" };
    const foreign = await stranger.open("/api/v1/dev_fetch_api_key?username=iago@zulip.com", {
      method: "POST",
      headers,
    });
    expect(foreign.status).toBe(403);
  });
});

test("keys of the fixture's people and bots can be written to a file", async () => {
  const path = `${freshFolder()}/keys.json`;
  const server = await serve(["--ephemeral", "--fixture", "dev", "--credentials", path]);
  const { users } = readCredentials(path);
  expect(users.length).toBe(14);
  expect(await server.stop()).toBe(0);
});

test("a server without a fixture has nothing there", async () => {
  const server = await serve(["--ephemeral"]);
  const stranger = new Client(server.site, "localhost");
  const { body } = await stranger.get("/server_settings");
  expect(body.authentication_methods).toMatchObject({ password: true, dev: false });
  for (const [method, path] of [
    ["GET", "/api/v1/dev_list_users"],
    ["POST", "/api/v1/dev_fetch_api_key"],
    ["GET", "/api/v1/dev_fetch_api_key"],
    ["GET", "/json/bots"],
    ["POST", "/json/bots"],
  ] as const) {
    const answer = await stranger.open(path, { method });
    expect({ path, status: answer.status }).toEqual({ path, status: 404 });
    expect((await answer.json()).msg).toBe(`There is nothing at ${path}.`);
  }
});

describe("--fixture is refused", () => {
  const refused = async (...args: string[]) => {
    const { code, stderr } = await chatd(["serve", "--port", "0", "--fixture", ...args]);
    expect(code).toBe(2);
    return stderr;
  };

  test("for data that stays", async () => {
    expect(await refused("dev")).toContain("--fixture needs --ephemeral");
    expect(await refused("dev", "--ephemeral", "--apply", "org.yaml")).toContain("no --apply");
  });

  test.each([
    ["--host", "0.0.0.0"],
    ["--host", "192.0.2.1"],
    ["--listen", "unix:/tmp/chatd.sock"],
    ["--url", "https://chat.example.com"],
    ["--trusted-proxies", "127.0.0.1"],
  ])("where others reach it by %s %s", async (name, value) => {
    expect(await refused("dev", "--ephemeral", name, value)).toContain("on this machine alone");
  });

  test("where it has no such name", async () => {
    expect(await refused("production", "--ephemeral")).toContain("Allowed choices are dev");
  });
});

describe("a throwaway server on a machine with a real server", () => {
  const production = {
    CHATD_URL: "https://chat.example.com",
    CHATD_HOST: "0.0.0.0",
    CHATD_TRUSTED_PROXIES: "127.0.0.1",
    CHATD_FILE_STORE: "s3",
    CHATD_S3_ENDPOINT: "http://127.0.0.1:9",
    CHATD_S3_BUCKET: "chat",
    CHATD_S3_ACCESS_KEY_ID: "id",
    CHATD_S3_SECRET_ACCESS_KEY: "key",
    CHATD_DATABASE: "postgres://127.0.0.1:9/chatd",
    CHATD_SECRET: "0123456789abcdef".repeat(4),
  };

  test("has its own address and keeps its uploads, and says what it leaves out", async () => {
    const args = ["--ephemeral", "--fixture", "dev"];
    const server = await serve(args, { env: production });
    expect(server.site).toStartWith("http://127.0.0.1:");
    const hamlet = await signIn(server.site, "hamlet@zulip.com");
    const form = new FormData();
    form.append("file", new File(["soup"], "soup.txt"));
    const sent = await hamlet.open("/api/v1/user_uploads", { method: "POST", body: form });
    const { url } = await sent.json();
    expect(await (await hamlet.open(url)).text()).toBe("soup");
    const { what } = await server.logged("configuration");
    expect(what).toContain("url, trusted_proxies, database, secret, file_store, s3_endpoint");
    expect(await server.stop()).toBe(0);
  });

  test("is what a command works on that names its folder", async () => {
    const env = { ...production, TMPDIR: freshFolder() };
    const server = await serve(["--ephemeral"], { env });
    const [name = ""] = readdirSync(env.TMPDIR);
    const listed = ["admin", "user", "list", "--data", join(env.TMPDIR, name)];
    expect((await chatd(listed, { env })).stdout).toContain("owner@example.com");
    expect(await server.stop()).toBe(0);
  });
});
