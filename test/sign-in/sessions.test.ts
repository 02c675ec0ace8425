import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import type { Context } from "../../src/core/context";
import { ApiError } from "../../src/core/errors";
import { write } from "../../src/core/write";
import { deactivateUser } from "../../src/management/accounts/deactivate";
import { setPassword } from "../../src/management/accounts/update";
import { deactivateRealm } from "../../src/management/organization/deactivate";
import { getKey } from "../../src/management/own-account/account";
import { loadUser } from "../../src/people/users/queries";
import { endOtherKeys, listApiKeys } from "../../src/sign-in/api-keys";
import { createLoginLink, useLoginLink } from "../../src/sign-in/login-links";
import { fetchApiKey } from "../../src/sign-in/password-sign-in";
import { fullPasswordCosts } from "../../src/sign-in/passwords";
import { endSessions, listSessions, openSessionIn, tidySessions } from "../../src/sign-in/sessions";
import { Browser } from "../support/browser";
import { Client } from "../support/client";
import { isHeld, startPoll, until } from "../support/polls";
import { refusalOf } from "../support/refusal";
import { makeWorld, type World, worldHost } from "../support/world";

const password = "correct-horse-battery";
const otherPassword = "another-horse-battery";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
  await setPassword(world.operator, world.alice.id, password);
});
afterEach(() => world.close());

const newBrowser = (host = worldHost, isEncrypted = true) =>
  new Browser(world.site, host, isEncrypted);

async function signedIn(
  email = world.alice.email,
  secret = password,
  browser = newBrowser(),
): Promise<Browser> {
  const { status } = await browser.submit("/login", { email, password: secret });
  expect(status).toBe(303);
  return browser;
}

const codeOf = (error: unknown) => (error instanceof ApiError ? error.code : error);

const sessionsOf = (userId = world.alice.id) =>
  listSessions({ ...world.operator, now: world.clock.now() }, userId).then((list) =>
    list.map(({ id }) => id),
  );

describe("a person with nothing but a browser", () => {
  test("signs in, reads how to connect a client, gets an API key for their password, and signs out", async () => {
    const browser = newBrowser();
    const form = await browser.open("/login");
    expect(await form.text()).toContain('<label for="email">E-mail address</label>');
    const answer = await browser.submit("/login", { email: "alice@example.com", password });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/"]);
    const page = await (await browser.open("/account")).text();
    for (const told of ["<h1>Alice</h1>", "alice@example.com", `https://${worldHost}`, "member"]) {
      expect(page).toContain(told);
    }
    const shown = await browser.submit("/account/key", { password });
    const apiKey = /^key=([A-Za-z0-9]{32})$/m.exec(await shown.text())?.[1] ?? "";
    const { alice } = world;
    const client = new Client(world.site, worldHost, { email: alice.email, apiKey });
    expect((await client.get("/users/me")).body.user_id).toBe(alice.id);
    const left = await browser.submit("/logout");
    expect([left.status, left.headers.get("location")]).toEqual([303, "/login"]);
    // It is known again: nobody signs in with that.
    expect([...browser.cookies.keys()]).toEqual([`__Host-chatd_browser_${alice.id}`]);
    const shut = await browser.open("/account");
    expect(shut.headers.get("location")).toBe("/login?next=%2Faccount");
    expect((await client.get("/users/me")).status).toBe(200);
  });

  test("who opens a link to a file signs in first, and comes to the file; a program is refused", async () => {
    const form = new FormData();
    form.append("file", new File(["what Alice wrote"], "note.txt"));
    const { body } = await world.alice.ask("POST", "/user_uploads", {}, { body: form });
    const browser = newBrowser();
    const headers = { accept: "text/html,application/xhtml+xml" };
    const first = await browser.open(`${body.url}?x=1`, { headers });
    expect([first.status, first.headers.get("cache-control")]).toEqual([303, "no-store"]);
    const login = first.headers.get("location") ?? "";
    expect(login).toBe(`/login?next=${encodeURIComponent(`${body.url}?x=1`)}`);
    const next = /name="next" value="([^"]+)"/.exec(await (await browser.open(login)).text())?.[1];
    const answer = await browser.submit("/login", { email: world.alice.email, password, next });
    expect(answer.headers.get("location")).toBe(`${body.url}?x=1`);
    expect(await (await browser.open(`${body.url}?x=1`, { headers })).text()).toBe(
      "what Alice wrote",
    );
    expect((await newBrowser().open(body.url)).status).toBe(401);
    const withKey = { ...headers, authorization: "Basic eDp5" };
    expect((await newBrowser().open(body.url, { headers: withKey })).status).toBe(401);
    expect((await newBrowser().open("/api/v1/users/me", { headers })).status).toBe(401);
  });

  test("is told what went wrong, in a way that screen readers read, with the address kept", async () => {
    const browser = newBrowser();
    const answer = await browser.submit("/login", {
      email: 'x"><b>@example.com',
      password: "a-wrong-guess",
    });
    expect(answer.status).toBe(401);
    const text = await answer.text();
    expect(text).toContain('role="alert"');
    expect(text).toContain('aria-describedby="problem"');
    expect(text).toContain("x&quot;&gt;&lt;b&gt;@example.com");
    expect(text).not.toContain("a-wrong-guess");
    expect(browser.cookies.size).toBe(0);
    expect((await browser.submit("/login", {})).status).toBe(400);
  });

  test("is warned where the way to the server is not encrypted, and not on the same machine", async () => {
    const page = async (host: string, isEncrypted: boolean) =>
      (await newBrowser(host, isEncrypted).open("/login")).text();
    expect(await page(worldHost, false)).toContain("not encrypted");
    expect(await page(worldHost, true)).not.toContain("not encrypted");
    await world.close();
    world = await makeWorld({ url: "http://localhost:8080" });
    expect(await page("localhost", false)).not.toContain("not encrypted");
  });

  test("changes their password, which ends what was opened with the old one", async () => {
    const [browser, elsewhere] = [await signedIn(), await signedIn()];
    const refused = await browser.submit("/account/password", {
      old_password: "wrong",
      new_password: otherPassword,
    });
    expect([refused.status, await refused.text()]).toEqual([
      400,
      expect.stringContaining("not your current password"),
    ]);
    const changed = await browser.submit("/account/password", {
      old_password: password,
      new_password: otherPassword,
    });
    expect([changed.status, await changed.text()]).toEqual([
      200,
      expect.stringContaining('role="status"'),
    ]);
    expect((await elsewhere.open("/account")).status).toBe(303);
    expect((await world.alice.get("/users/me")).status).toBe(401);
    expect((await browser.open("/account")).status).toBe(200);
    await signedIn(world.alice.email, otherPassword);
  });

  test("without a password gets an API key for ten minutes after a login link, and then needs another link", async () => {
    const { operator, bob } = world;
    const { url } = await createLoginLink(operator, bob.id, 3_600);
    const browser = newBrowser();
    const used = await browser.submit(new URL(url).pathname, {}, { token: undefined });
    expect([used.status, used.headers.get("location")]).toEqual([303, "/"]);
    expect((await (await browser.submit("/account/key")).text()).includes("key=")).toBe(true);
    world.clock.advance(600);
    const late = await browser.submit("/account/key", { password: "" });
    expect([late.status, await late.text()]).toEqual([
      403,
      expect.stringContaining("new login link"),
    ]);
  });
});

describe("somebody without a password", () => {
  test("chooses one within ten minutes after a login link, and signs in with it from then on", async () => {
    const { operator, bob } = world;
    const { url } = await createLoginLink(operator, bob.id, 3_600);
    const other = await createLoginLink(operator, bob.id, 3_600);
    const strange = newBrowser();
    await strange.submit(new URL((await createLoginLink(operator, bob.id, 3_600)).url).pathname);
    const browser = newBrowser();
    await browser.submit(new URL(url).pathname);
    expect(await (await browser.open("/account")).text()).toContain("<h2>Choose a password</h2>");
    const sent = { new_password: password };
    expect((await browser.submit("/account/password", { new_password: "short" })).status).toBe(400);
    expect((await browser.submit("/account/password", { ...sent, csrf_token: "" })).status).toBe(
      403,
    );
    expect((await browser.submit("/account/password", sent)).status).toBe(200);
    expect((await browser.api("GET", "/users/me")).status).toBe(200);
    // A stranger who has used a link before has nothing left of it.
    expect((await strange.api("GET", "/users/me")).status).toBe(401);
    expect((await bob.get("/users/me")).status).toBe(401);
    await signedIn(bob.email);
    // A link that somebody else may have leads in no more, and the next change takes the old one.
    expect((await newBrowser().submit(new URL(other.url).pathname)).status).toBe(404);
    expect((await browser.submit("/account/password", sent)).status).toBe(400);
  });

  test("chooses none later: whoever comes to an open browser gets no way in of their own", async () => {
    const { url } = await createLoginLink(world.operator, world.bob.id, 3_600);
    const browser = newBrowser();
    await browser.submit(new URL(url).pathname);
    world.clock.advance(600);
    expect(await (await browser.open("/account")).text()).not.toContain("Choose a password");
    const late = await browser.submit("/account/password", { new_password: password });
    expect(late.status).toBe(403);
    const signIn = await newBrowser().submit("/login", { email: world.bob.email, password });
    expect(signIn.status).toBe(401);
  });
});

describe("a session", () => {
  test("signs requests to the API, beside which an API key counts alone", async () => {
    const browser = await signedIn();
    const { body } = await browser.api("GET", "/users/me");
    expect(body.user_id).toBe(world.alice.id);
    const asBob = await browser.api("GET", "/users/me", {}, { authorization: basic(world.bob) });
    expect(asBob.body.user_id).toBe(world.bob.id);
    const wrong = await browser.api("GET", "/users/me", {}, { authorization: "Basic eDp5" });
    expect([wrong.status, wrong.body.code]).toEqual([401, "UNAUTHORIZED"]);
  });

  test("ends when it is not used, when it is old, and is cleaned away with its queues", async () => {
    await world.close();
    world = await makeWorld({ session_idle_seconds: "1000", session_life_seconds: "5000" });
    await setPassword(world.operator, world.alice.id, password);
    const [used, idle] = [await signedIn(), await signedIn()];
    expect(used.setCookie).toContain("Max-Age=5000");
    for (let i = 0; i < 5; i++) {
      expect((await used.open("/account")).status).toBe(200);
      world.clock.advance(999);
    }
    expect((await idle.open("/account")).status).toBe(303);
    expect((await used.open("/account")).status).toBe(200);
    const queue = await used.register();
    world.clock.advance(5);
    expect((await used.open("/account")).status).toBe(303);
    expect(await sessionsOf()).toEqual([]);
    await tidySessions(world.app, [world.realm.id]);
    const { db, t } = world.app.engine.reader;
    expect(await db.select().from(t.sessions)).toEqual([]);
    expect(
      (await db.select().from(t.eventQueues)).filter(({ id }) => id === queue.queue_id),
    ).toEqual([]);
  });

  test("is cleaned away with many others at once", async () => {
    const { operator, app, alice, bob } = world;
    for (const { id } of [alice, bob]) {
      const user = await loadUser(app.engine.reader, operator.realm.id, id);
      await write(operator, async (tx) => {
        for (let i = 0; i < 55; i++) await openSessionIn(tx, operator, user, null);
      });
    }
    await signedIn();
    world.clock.advance(app.config.sessionIdleSeconds);
    await tidySessions(app, [operator.realm.id]);
    const { db, t } = app.engine.reader;
    expect(await db.select().from(t.sessions)).toEqual([]);
    expect(await db.select().from(t.apiKeys).where(eq(t.apiKeys.isSession, true))).toEqual([]);
  });

  test("is ended everywhere, with API keys if wished, held polls at once; by the operator too", async () => {
    const { alice, operator } = world;
    const [one, other] = [await signedIn(), await signedIn()];
    const queue = await alice.register();
    expect((await one.submit("/logout/everywhere")).status).toBe(303);
    for (const browser of [one, other]) expect((await browser.open("/account")).status).toBe(303);
    expect(await queue.events()).toEqual([]);
    const third = await signedIn();
    const { answer } = await startPoll(world, queue);
    await third.submit("/logout/everywhere", { end_api_keys: "true" });
    expect((await answer).body.code).toBe("BAD_EVENT_QUEUE_ID");
    expect((await alice.get("/users/me")).status).toBe(401);
    const fourth = await signedIn();
    expect(await endSessions(operator, alice.id)).toBe(1);
    expect((await fourth.open("/account")).status).toBe(303);
  });

  test("is listed to a script on its pages, and ended from another one alone, with its held poll", async () => {
    const [here, there, third] = [await signedIn(), await signedIn(), await signedIn()];
    const list = async () =>
      JSON.parse(await (await here.open("/account/sessions")).text()).sessions;
    const sessions: { id: number; is_current: boolean }[] = await list();
    expect(sessions.map(({ is_current }) => is_current)).toEqual([true, false, false]);
    const end = async (fields: Record<string, string>) =>
      (await here.submit("/account/sessions/end", fields, await here.proof())).status;
    const other = String(sessions[1]?.id);
    expect(await end({ session_id: other })).toBe(200);
    expect((await there.open("/account")).status).toBe(303);
    expect((await third.open("/account")).status).toBe(200);
    expect(await end({ session_id: other })).toBe(400);
    expect(await end({})).toBe(200);
    expect((await third.open("/account")).status).toBe(303);
    expect(await list()).toEqual([expect.objectContaining({ id: sessions[0]?.id })]);
  });

  test("E10: of somebody else is not ended by its number, nor by another site, nor without the token", async () => {
    await setPassword(world.operator, world.bob.id, password);
    const [hers, his] = [await signedIn(), await signedIn(world.bob.email)];
    const [id] = await sessionsOf();
    const end = async (headers: Record<string, string>) =>
      (await his.submit("/account/sessions/end", { session_id: String(id) }, headers)).status;
    expect(await end(await his.proof())).toBe(400);
    const [own] = await sessionsOf(world.bob.id);
    const endOwn = async (headers: Record<string, string | undefined>) =>
      (await his.submit("/account/sessions/end", { session_id: String(own) }, headers)).status;
    expect(await endOwn({})).toBe(403);
    const foreign = { origin: "https://evil.example.com", "sec-fetch-site": "cross-site" };
    expect(await endOwn({ ...(await his.proof()), ...foreign })).toBe(403);
    for (const one of [hers, his]) expect((await one.open("/account")).status).toBe(200);
  });

  test("E10: of somebody else is neither listed nor ended", async () => {
    await signedIn();
    const { operator, alice } = world;
    const user = await loadUser(operator.reader, world.realm.id, world.bob.id);
    const asBob = { ...operator, actor: { kind: "user" as const, user, apiKeyId: 1 } };
    expect((await refusalOf(listSessions(asBob, alice.id))).status).toBe(403);
    expect((await refusalOf(endSessions(asBob, alice.id))).status).toBe(403);
    expect(await sessionsOf()).toHaveLength(1);
  });

  test("H5: of one person there are so many at the most; the oldest makes room", async () => {
    await world.close();
    world = await makeWorld({ sessions_per_user_max: "2" });
    await setPassword(world.operator, world.alice.id, password);
    const [first, second, third] = [await signedIn(), await signedIn(), await signedIn()];
    const statuses = await Promise.all(
      [first, second, third].map(async (one) => (await one.open("/account")).status),
    );
    expect(statuses).toEqual([303, 200, 200]);
    expect(await sessionsOf()).toHaveLength(2);
  });

  test("works on another node, and after a restart", async () => {
    const browser = await signedIn();
    const node = await world.startNode();
    expect((await browser.at(node.site).open("/account")).status).toBe(200);
    await world.restart();
    expect((await browser.open("/account")).status).toBe(200);
  });

  test("tells a script on our pages whose it is, and what to send with changes", async () => {
    const browser = await signedIn();
    const answer = await browser.open("/account/session");
    const { csrf_token, user_id, email, has_password } = JSON.parse(await answer.text());
    expect([user_id, email, has_password]).toEqual([world.alice.id, "alice@example.com", true]);
    const written = await browser.api(
      "POST",
      "/users/me/status",
      { status_text: "in a browser" },
      { "x-csrftoken": csrf_token, "sec-fetch-site": "same-origin" },
    );
    expect(written.status).toBe(200);
    expect((await newBrowser().open("/account/session")).status).toBe(401);
  });
});

const basic = ({ credentials }: World["bob"]) =>
  `Basic ${Buffer.from(`${credentials?.email}:${credentials?.apiKey}`).toString("base64")}`;

/** Starts a poll in a session; answers once the server holds it. */
async function heldPoll(browser: Browser, queueId: string) {
  const answer = browser.api("GET", "/events", { queue_id: queueId, last_event_id: -1 });
  await until(() => isHeld(world.app, queueId, world.realm.id));
  return { answer };
}

describe("what ends sessions", () => {
  test("C1, C3, C4: deactivation ends them at once, with held polls, and no way leads in again", async () => {
    const { alice, operator } = world;
    const { url } = await createLoginLink(operator, alice.id, 3_600);
    const browser = await signedIn();
    const queue = await browser.register();
    const poll = await heldPoll(browser, queue.queue_id);
    await deactivateUser(operator, alice.id);
    expect((await poll.answer).body.code).toBe("BAD_EVENT_QUEUE_ID");
    expect((await browser.open("/account")).status).toBe(303);
    expect((await browser.api("GET", "/users/me")).status).toBe(401);
    const again = await newBrowser().submit("/login", { email: alice.email, password });
    expect([again.status, await again.text()]).toEqual([
      401,
      expect.stringContaining("deactivated"),
    ]);
    expect((await newBrowser().submit(new URL(url).pathname)).status).toBe(404);
    const { db, t } = world.app.engine.reader;
    expect(await db.select().from(t.sessions)).toEqual([]);
  });

  test("C2: signing in that races with deactivation leaves no session", async () => {
    const { alice, operator } = world;
    const browsers = Array.from({ length: 6 }, () => newBrowser());
    const attempts = browsers.map((browser) =>
      browser.submit("/login", { email: alice.email, password }),
    );
    await deactivateUser(operator, alice.id);
    await Promise.all(attempts);
    const { db, t } = world.app.engine.reader;
    expect(await db.select().from(t.sessions)).toEqual([]);
    expect(await db.select().from(t.apiKeys).where(eq(t.apiKeys.isSession, true))).toEqual([]);
    for (const browser of browsers) expect((await browser.open("/account")).status).toBe(303);
  });

  test("C2: a session that ends while somebody without a password asks for a key in it gives none", async () => {
    const { bob, operator, realm, site } = world;
    const browser = newBrowser();
    const { url } = await createLoginLink(operator, bob.id, 3_600);
    await browser.submit(new URL(url).pathname);
    const token = (await browser.csrfToken()) ?? "";
    const header = (name: string) =>
      ({
        cookie: [...browser.cookies].map((pair) => pair.join("=")).join(),
        origin: browser.origin,
      })[name] ?? null;
    const ctx: Context = { ...operator, actor: { kind: "anonymous" }, url: browser.origin };
    const asking = getKey(ctx, { csrfToken: token }, { header, address: () => site });
    // The session is looked up by now, and the key is written after what comes next.
    const ending = write(operator, (tx) => endOtherKeys(tx, realm.id, bob.id));
    await Promise.all([asking, ending]);
    expect(await listApiKeys(operator, bob.id)).toEqual([]);
  });

  test("C2: an organization that is deactivated while somebody signs in lets nobody in", async () => {
    await world.close();
    // A password takes long to check, so that the organization is mostly deactivated meanwhile.
    world = await makeWorld({}, undefined, fullPasswordCosts);
    const { alice, bob, operator } = world;
    await setPassword(operator, alice.id, password);
    const ctx: Context = { ...operator, actor: { kind: "anonymous" } };
    const { url } = await createLoginLink(operator, bob.id, 3_600);
    const connection = { header: () => null, address: () => "192.0.2.1" };
    const order: unknown[] = [];
    const before = await listApiKeys(operator, alice.id);
    const signingIn = fetchApiKey(ctx, { username: alice.email, password }, connection).then(
      () => order.push("signed in"),
      (error) => order.push(codeOf(error)),
    );
    const following = useLoginLink(ctx, { token: url.split("/").at(-1) ?? "" }, connection);
    await deactivateRealm({ ...operator, now: world.clock.now() }, {});
    order.push("deactivated");
    await signingIn;
    const used = (await following).status === 200;
    const keys = await listApiKeys(operator, alice.id);
    const isRefused = order.includes("REALM_DEACTIVATED");
    if (!isRefused) expect(order).toEqual(["signed in", "deactivated"]);
    expect(keys).toHaveLength(before.length + (isRefused ? 0 : 1));
    expect(used).toBe((await listApiKeys(operator, bob.id)).length > 1);
  });

  test("C10: a lower role counts in a session at once", async () => {
    await setPassword(world.operator, world.adam.id, password);
    const browser = await signedIn(world.adam.email);
    expect(
      (await browser.api("PATCH", "/realm", { description: "x" }, await browser.proof())).status,
    ).toBe(200);
    await world.olga.patch(`/users/${world.adam.id}`, { role: 600 });
    const refused = await browser.api(
      "PATCH",
      "/realm",
      { description: "y" },
      await browser.proof(),
    );
    expect([refused.status, refused.body.code]).toEqual([400, "UNAUTHORIZED_PRINCIPAL"]);
  });

  test("I1: a new password ends all others, with their held polls, and takes the old one", async () => {
    const { alice, operator } = world;
    const [browser, elsewhere] = [await signedIn(), await signedIn()];
    const { url } = await createLoginLink(operator, alice.id, 3_600);
    const queue = await elsewhere.register();
    const poll = await heldPoll(elsewhere, queue.queue_id);
    const own = await browser.register();
    const refused = await browser.api(
      "PATCH",
      "/settings",
      { new_password: otherPassword },
      await browser.proof(),
    );
    expect(refused.status).toBe(400);
    const change = { new_password: otherPassword, old_password: password };
    expect((await browser.api("PATCH", "/settings", change, await browser.proof())).status).toBe(
      200,
    );
    expect((await poll.answer).body.code).toBe("BAD_EVENT_QUEUE_ID");
    expect((await elsewhere.open("/account")).status).toBe(303);
    expect((await newBrowser().submit(new URL(url).pathname)).status).toBe(404);
    const still = await browser.api("GET", "/events", {
      queue_id: own.queue_id,
      last_event_id: -1,
      dont_block: true,
    });
    expect(still.status).toBe(200);
  });

  test("I1: a password that the operator sets ends sessions and login links, and leaves API keys", async () => {
    const { alice, operator } = world;
    const { url } = await createLoginLink(operator, alice.id, 3_600);
    const browser = await signedIn();
    await setPassword(operator, alice.id, otherPassword);
    expect((await browser.open("/account")).status).toBe(303);
    expect((await newBrowser().submit(new URL(url).pathname)).status).toBe(404);
    expect((await alice.get("/users/me")).status).toBe(200);
  });
});
