import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { setPassword } from "../../src/management/accounts/update";
import { issueApiKey } from "../../src/sign-in/api-keys";
import { createLoginLink } from "../../src/sign-in/login-links";
import { Browser } from "../support/browser";
import { Client } from "../support/client";
import { accept, goodPassword, toldDirectly } from "../support/invitations";
import { isHeld, startPoll } from "../support/polls";
import { linkIn, type Received, type Relay, startRelay } from "../support/servers/relay";
import { makeWorld, type Person, type World, worldHost } from "../support/world";

let world: World;
let relay: Relay;
beforeEach(async () => {
  relay = await startRelay();
  world = await makeWorld(relay.flags);
});
afterEach(async () => {
  await world.close();
  await relay.close();
});

const site = "https://chat.example.com";
const browser = (host = worldHost) => new Browser(world.site, host);
const invite = (person: Person, invitee_emails: string) =>
  person.post("/invites", { invitee_emails, stream_ids: [] });
const idOf = async (email: string) =>
  (await world.olga.get("/invites")).body.invites.find(
    (one: { email?: string }) => one.email === email,
  ).id;

/** The mails that have come since the last call. */
async function mails(): Promise<Received[]> {
  await world.pass(0);
  await world.pass(0);
  return relay.received.splice(0);
}

const only = (found: Received[]): Received => {
  const [first, ...rest] = found;
  if (!first || rest.length > 0) throw new Error(`there are ${found.length} mails`);
  return first;
};

describe("an invitation", () => {
  test("is mailed to each address, and joined by the link in it", async () => {
    await invite(world.alice, "nina@example.com, noel@example.com");
    const found = await mails();
    expect(found.flatMap(({ to }) => to).sort()).toEqual(["nina@example.com", "noel@example.com"]);
    const ninas = only(found.filter(({ to }) => to.includes("nina@example.com")));
    expect(ninas.mail.subject).toBe("Alice invites you to Acme");
    expect(ninas.mail.text).toContain("until 11 January 2026 at 00:00 UTC");
    const { status } = await accept(world, linkIn(ninas, "/join/"), { full_name: "Nina" });
    expect(status).toBe(303);
    expect((await accept(world, linkIn(ninas, "/join/"), { full_name: "Nora" })).status).toBe(404);
  });

  test("that is sent again has a new link, and the one before works no more", async () => {
    await invite(world.alice, "nina@example.com");
    const before = linkIn(only(await mails()), "/join/");
    await world.alice.post(`/invites/${await idOf("nina@example.com")}/resend`);
    const after = linkIn(only(await mails()), "/join/");
    expect((await accept(world, before, { full_name: "Nina" })).status).toBe(404);
    expect((await accept(world, after, { full_name: "Nina" })).status).toBe(303);
  });

  test("D1: that is withdrawn before its mail has gone is not sent, nor is that of somebody who has gone", async () => {
    const { alice, adam } = world;
    relay.answers.push(...Array.from({ length: 2 }, () => ({ code: 451, text: "busy" })));
    await invite(alice, "nina@example.com");
    await invite(world.bob, "noel@example.com");
    await world.pass(0);
    await alice.delete(`/invites/${await idOf("nina@example.com")}`);
    await adam.delete(`/users/${world.bob.id}`);
    await world.pass(10);
    await world.pass(60);
    expect(await mails()).toEqual([]);
  });

  test("to an address that is refused is told to who invited, and to nobody else", async () => {
    relay.refuse("nina@example.com");
    await invite(world.alice, "nina@example.com");
    expect(await mails()).toEqual([]);
    expect(await toldDirectly(world.alice)).toEqual([
      "The mail with the invitation (nina@example.com) could not be delivered: `550 no such user '@**all**' here`",
    ]);
    expect(await toldDirectly(world.bob)).toEqual([]);
  });
});

describe("G10: the links in mails", () => {
  test("begin with the configured address, whatever a request says of its own", async () => {
    const { email, credentials } = world.alice;
    const forged = new Client(world.site, `${worldHost}:666`, {
      email,
      apiKey: credentials?.apiKey ?? "",
    });
    const headers = { "x-forwarded-host": "evil.example.net", "x-forwarded-proto": "http" };
    await forged.ask(
      "POST",
      "/invites",
      { invitee_emails: "nina@example.com", stream_ids: [] },
      { headers },
    );
    const { mail } = only(await mails());
    expect(mail.text?.match(/https?:\/\/[^\s/]+/g)).toEqual([site]);
    expect(mail.html?.match(/https?:\/\/[^\s/"<]+/g)).toEqual([site, site]);
  });

  test("begin with the organization's own host where no address is configured", async () => {
    const { url: _, ...flags } = relay.flags;
    const other = await makeWorld(flags);
    const forged = new Browser(other.site, `${worldHost}:666`, false);
    await forged.submit("/password/reset", { email: "alice@example.com" });
    await other.pass(0);
    await other.pass(0);
    expect(linkIn(only(relay.received.splice(0)), "/password/")).toStartWith(
      `http://${worldHost}:0/password/reset/`,
    );
    await other.close();
  });
});

describe("a login link by mail", () => {
  test("signs in once whoever has the address", async () => {
    const page = await (await browser().open("/login")).text();
    expect(page).toContain('<input type="hidden" name="wants" value="link">');
    const asked = await browser().submit("/login/mail", { email: " Alice@example.COM " });
    expect(asked.status).toBe(200);
    const mail = only(await mails());
    expect([mail.to, mail.mail.subject]).toEqual([["alice@example.com"], "Sign in to Acme"]);
    const path = new URL(linkIn(mail, "/login/link/")).pathname;
    const alices = browser();
    expect(await (await alices.submit(path)).text()).toContain("You are signed in");
    expect((await alices.api("GET", "/users/me")).body.email).toBe("alice@example.com");
    expect((await browser().submit(path)).status).toBe(404);
  });

  test("is asked for on the login page itself, where one goes on at the same place afterwards", async () => {
    const tab = browser();
    const sent = { email: "alice@example.com", wants: "link", next: "/" };
    const page = await (await tab.submit("/login?next=%2F", sent)).text();
    // Neither form has an action: so a browser keeps the fragment of the address.
    expect(page).toContain('<form><input type="hidden" name="next" value="/"><button>');
    expect((await tab.open("/login?next=%2F")).status).toBe(200);
    await tab.submit(new URL(linkIn(only(await mails()), "/login/link/")).pathname);
    const goneOn = await tab.open("/login?next=%2F");
    expect([goneOn.status, goneOn.headers.get("location")]).toEqual([303, "/"]);
    expect((await browser().submit("/login", { ...sent, email: "" })).status).toBe(400);
  });

  test("I5: the answer and the work for it are the same for every address", async () => {
    const { db, t } = world.app.engine.reader;
    for (const path of ["/login/mail", "/password/reset"]) {
      const answers: unknown[] = [];
      for (const email of ["alice@example.com", "nobody@example.com", "robot-bot@example.com"]) {
        const before = await db.select().from(t.eventLog);
        const response = await browser().submit(path, { email });
        const wrote = (await db.select().from(t.eventLog)).length - before.length;
        answers.push([response.status, await response.text(), wrote]);
      }
      expect(new Set(answers.map((one) => JSON.stringify(one))).size).toBe(1);
    }
    expect((await mails()).flatMap(({ to }) => to)).toEqual([
      "alice@example.com",
      "alice@example.com",
    ]);
  });

  test("goes neither to bots nor to those who were deactivated, and to nobody more than five times an hour", async () => {
    await world.adam.delete(`/users/${world.bob.id}`);
    await mails();
    for (const email of ["bob@example.com", "robot-bot@example.com"])
      await browser().submit("/login/mail", { email });
    expect(await mails()).toEqual([]);
    let sent = 0;
    for (let i = 0; i < 8; i++) {
      await browser().submit("/login/mail", { email: "alice@example.com" });
      sent += (await mails()).length;
    }
    expect(sent).toBe(5);
    world.clock.advance(3_600);
    await browser().submit("/login/mail", { email: "alice@example.com" });
    expect((await mails()).length).toBe(1);
  });

  test("is not asked for by other sites, nor where no mail is sent", async () => {
    const foreign = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
    expect(
      (await browser().submit("/login/mail", { email: "alice@example.com" }, foreign)).status,
    ).toBe(403);
    expect((await browser().submit("/login/mail", { email: "" })).status).toBe(400);
    const quiet = await makeWorld();
    const there = new Browser(quiet.site, worldHost);
    expect((await there.submit("/login/mail", { email: "alice@example.com" })).status).toBe(400);
    expect((await there.open("/password/reset")).status).toBe(400);
    expect(await (await there.open("/login")).text()).toContain("Ask the operator");
    await quiet.close();
    expect(await mails()).toEqual([]);
  });
});

describe("another password by mail", () => {
  /** Asks for a link and answers its path. */
  async function resetPath(email = "alice@example.com"): Promise<string> {
    await browser().submit("/password/reset", { email });
    return new URL(linkIn(only(await mails()), "/password/reset/")).pathname;
  }

  test("I1: ends all sessions, keys, queues and held polls; the account opens with the new one alone", async () => {
    const { alice, app, realm } = world;
    await setPassword(world.operator, alice.id, "the-old-password");
    const signedIn = browser();
    await signedIn.submit("/login", { email: alice.email, password: "the-old-password" });
    const queue = await alice.register();
    const { answer } = await startPoll({ app, realm }, queue);
    await mails();
    const older = await createLoginLink(world.operator, alice.id, 3_600);
    const path = await resetPath();
    expect(await (await browser().open(path)).text()).toContain("<b>Alice</b>");
    expect((await browser().submit(path, { password: "short" })).status).toBe(400);
    expect(await (await browser().submit(path, { password: goodPassword })).text()).toContain(
      "has been changed",
    );
    expect((await answer).body.code).toBe("BAD_EVENT_QUEUE_ID");
    expect(isHeld(app, queue.id, realm.id)).toBe(false);
    expect([
      (await alice.get("/users/me")).status,
      (await signedIn.api("GET", "/users/me")).status,
    ]).toEqual([401, 401]);
    expect((await browser().submit(new URL(older.url).pathname)).status).toBe(404);
    const login = (password: string) =>
      browser().submit("/login", { email: alice.email, password });
    expect([(await login("the-old-password")).status, (await login(goodPassword)).status]).toEqual([
      401, 303,
    ]);
  });

  test("D1: works neither late, nor when the account has ended, nor after another one was used", async () => {
    const late = await resetPath();
    world.clock.advance(3_600);
    expect((await browser().submit(late, { password: goodPassword })).status).toBe(404);
    const [one, other] = [await resetPath(), await resetPath()];
    expect((await browser().submit(one, { password: goodPassword })).status).toBe(200);
    expect((await browser().submit(other, { password: goodPassword })).status).toBe(404);
    const bobs = await resetPath("bob@example.com");
    await world.adam.delete(`/users/${world.bob.id}`);
    expect((await browser().submit(bobs, { password: goodPassword })).status).toBe(404);
  });

  test("D2: works at its own organization only, and as nothing but what it is", async () => {
    const path = await resetPath();
    expect(
      (await browser("other.example.com").submit(path, { password: goodPassword })).status,
    ).toBe(404);
    expect((await browser().submit(path.replace("/password/reset", "/login/link"))).status).toBe(
      404,
    );
    expect((await browser().submit(path, { password: goodPassword })).status).toBe(200);
  });

  test("D5: works once, also under parallel use", async () => {
    const path = await resetPath();
    const all = await Promise.all(
      Array.from({ length: 4 }, () => browser().submit(path, { password: goodPassword })),
    );
    expect(all.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404]);
  });

  test("is not set by other sites; a lock of the account is lifted", async () => {
    const path = await resetPath();
    const foreign = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
    expect((await browser().submit(path, { password: goodPassword }, foreign)).status).toBe(403);
    for (let i = 0; i < 5; i++)
      await browser().submit("/login", { email: world.alice.email, password: "a-guess-more" });
    await browser().submit(path, { password: goodPassword });
    expect(
      (await browser().submit("/login", { email: world.alice.email, password: goodPassword }))
        .status,
    ).toBe(303);
  });
});

describe("word of a new sign-in", () => {
  beforeEach(async () => {
    await setPassword(world.operator, world.alice.id, goodPassword);
    world.clock.advance(3_600);
  });

  test("tells from where and with what, of browsers and of clients", async () => {
    await browser().submit("/login", { email: world.alice.email, password: goodPassword });
    await new Client(world.site, worldHost).post("/fetch_api_key", {
      username: world.alice.email,
      password: goodPassword,
    });
    const found = await mails();
    expect(found.map(({ to }) => to)).toEqual([["alice@example.com"], ["alice@example.com"]]);
    expect(found[0]?.mail.text).toContain(
      "Firefox on Linux, from 127.0.0.1, on 1 January 2026 at 01:00 UTC",
    );
  });

  test("goes neither to who does not want it, nor to who has only just joined, nor when a password is shown once more", async () => {
    const alices = browser();
    await alices.submit("/login", { email: world.alice.email, password: goodPassword });
    await mails();
    await alices.submit("/account/key", { password: goodPassword });
    await world.alice.patch("/settings", { enable_login_emails: false });
    await browser().submit("/login", { email: world.alice.email, password: goodPassword });
    await invite(world.alice, "nina@example.com");
    await accept(world, linkIn(only(await mails()), "/join/"), { full_name: "Nina" });
    await browser().submit("/login", { email: "nina@example.com", password: goodPassword });
    expect(await mails()).toEqual([]);
  });

  test("ends with one click, without signing in: RFC 8058", async () => {
    await browser().submit("/login", { email: world.alice.email, password: goodPassword });
    const { mail } = only(await mails());
    const header = (name: string) => mail.headers.find(({ key }) => key === name)?.value ?? "";
    expect(header("list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click");
    const path = new URL(header("list-unsubscribe").slice(1, -1)).pathname;
    const setting = async () => (await world.alice.get("/settings")).status;
    expect(await (await browser().open(path)).text()).toContain(
      "stop getting mails about new sign-ins",
    );
    expect(await setting()).toBeNumber();
    const queue = await world.alice.register({ event_types: ["user_settings"] });
    const others = [
      path.replace("/login/", "/digest/"),
      path.replace(`/${world.alice.id}/`, `/${world.bob.id}/`),
    ];
    for (const other of others) expect((await browser().submit(other)).status).toBe(404);
    expect((await browser("other.example.com").submit(path)).status).toBe(404);
    const oneClick = {
      method: "POST",
      body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }),
    };
    const done = await new Client(world.site, worldHost).open(path, oneClick);
    expect(done.status).toBe(200);
    expect(await queue.events()).toMatchObject([{ property: "enable_login_emails", value: false }]);
    await browser().submit("/login", { email: world.alice.email, password: goodPassword });
    expect(await mails()).toEqual([]);
  });
});

test("word of a new sign-in names the API key that it has ended", async () => {
  const { alice, operator } = world;
  await setPassword(operator, alice.id, goodPassword);
  for (let count = 2; count <= 20; count++)
    await issueApiKey(operator, alice.id, `laptop ${count}`);
  world.clock.advance(3_600);
  await new Client(world.site, worldHost).post("/fetch_api_key", {
    username: alice.email,
    password: goodPassword,
  });
  expect(only(await mails()).mail.text).toContain(
    'The key that was unused for the longest time has ended: "test" of ',
  );
});

describe("word of a deactivation", () => {
  const words = "You have left us. <b>Bye</b>";

  test("goes to who was deactivated, with the administrator's words, where these are given; not to bots", async () => {
    const { adam, alice, bob, carol, robot } = world;
    await adam.delete(`/users/${alice.id}`, { deactivation_notification_comment: words });
    const { to, mail } = only(await mails());
    expect([to, mail.subject]).toEqual([
      ["alice@example.com"],
      "Your account at Acme was deactivated",
    ]);
    expect(mail.text).toContain(words);
    expect(mail.html).toContain("You have left us. &lt;b&gt;Bye&lt;/b&gt;");
    await adam.delete(`/users/${bob.id}`, { deactivation_notification_comment: "" });
    expect(only(await mails()).mail.text).not.toContain("administrators");
    await adam.delete(`/users/${carol.id}`);
    await adam.post(`/users/${robot.id}/reactivate`);
    await adam.delete(`/users/${robot.id}`, { deactivation_notification_comment: words });
    const tooLong = await adam.delete(`/users/${world.otto.id}`, {
      deactivation_notification_comment: "x".repeat(2_001),
    });
    expect([tooLong.status, await mails()]).toEqual([400, []]);
  });
});
