import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { setPassword } from "../../src/management/accounts/update";
import { listSessions } from "../../src/sign-in/sessions";
import { Browser } from "../support/browser";
import { Client } from "../support/client";
import { verifyInTurn } from "../support/client-state/verify";
import { accountOf, goodPassword, toldDirectly } from "../support/invitations";
import { hear, listen } from "../support/listening";
import { linkIn, type Received, type Relay, startRelay } from "../support/servers/relay";
import { makeWorld, type World, worldHost } from "../support/world";

let world: World;
let relay: Relay;
beforeEach(async () => {
  relay = await startRelay();
  // The address that a request was sent to is in the data that `verify` compares.
  const { url: _, ...flags } = relay.flags;
  world = await makeWorld(flags);
});
afterEach(async () => {
  await world.close();
  await relay.close();
});

const browser = (host = worldHost) => new Browser(world.site, host);
const foreign = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };

/** The mails that have come since the last call. */
async function mails(): Promise<Received[]> {
  await world.pass(0);
  await world.pass(0);
  return relay.received.splice(0);
}

async function pathOfOne(to: string, path: string): Promise<string> {
  const [first, ...rest] = await mails();
  if (!first || rest.length > 0 || first.to[0] !== to)
    throw new Error(`another mail: ${first?.to}, ${rest.length} more`);
  return new URL(linkIn(first, path)).pathname;
}

describe("joining without an invitation", () => {
  beforeEach(async () => {
    await world.olga.patch("/realm", { invite_required: false });
  });
  const ask = (email: string, headers = {}) => browser().submit("/register", { email }, headers);
  const finish = (path: string, full_name = "Nina", from = browser()) =>
    from.submit(path, { full_name, password: goodPassword });

  test("takes an address that is proven by mail, and leads into the default channels", async () => {
    expect(await (await browser().open("/login")).text()).toContain('href="/register"');
    expect(await (await ask("nina@example.org")).text()).toContain("Check your mail");
    const path = await pathOfOne("nina@example.org", "/register/");
    expect(await (await browser().open(path)).text()).toContain("<b>nina@example.org</b>");
    expect((await browser().submit(path, { full_name: "Nina", password: "short" })).status).toBe(
      400,
    );
    const queues = await listen(
      { olga: world.olga, zoe: world.zoe },
      { event_types: ["realm_user"] },
    );
    const ninas = browser();
    expect((await finish(path, "Nina", ninas)).status).toBe(303);
    expect(await hear(queues, ({ op }) => op)).toEqual({ olga: ["add"], zoe: [] });
    expect(await accountOf(world, "nina@example.org")).toMatchObject({
      full_name: "Nina",
      role: 400,
    });
    expect((await ninas.api("GET", "/users/me")).body.email).toBe("nina@example.org");
    const { body } = await new Client(world.site, worldHost).post("/fetch_api_key", {
      username: "nina@example.org",
      password: goodPassword,
    });
    const nina = new Client(world.site, worldHost, {
      email: "nina@example.org",
      apiKey: body.api_key,
    });
    expect((await toldDirectly(nina))[0]).toStartWith("Hello, and welcome to Acme!");
  });

  test("ends the session that the browser had", async () => {
    await setPassword(world.operator, world.alice.id, goodPassword);
    const shared = browser();
    await shared.submit("/login", { email: world.alice.email, password: goodPassword });
    await mails();
    await ask("nina@example.org");
    const path = await pathOfOne("nina@example.org", "/register/");
    expect((await finish(path, "Nina", shared)).status).toBe(303);
    expect(await listSessions(world.operator, world.alice.id)).toEqual([]);
  });

  test("is closed where an invitation is needed, also for who has a link from before (D7)", async () => {
    await ask("nina@example.org");
    const path = await pathOfOne("nina@example.org", "/register/");
    await world.olga.patch("/realm", { invite_required: true });
    expect((await finish(path)).status).toBe(404);
    expect([
      (await ask("noel@example.org")).status,
      (await browser().open("/register")).status,
    ]).toEqual([404, 404]);
    expect(await (await browser().open("/login")).text()).not.toContain("/register");
    expect(await mails()).toEqual([]);
    const quiet = await makeWorld();
    await quiet.olga.patch("/realm", { invite_required: false });
    const there = new Browser(quiet.site, worldHost);
    expect((await there.submit("/register", { email: "nina@example.org" })).status).toBe(404);
    await quiet.close();
  });

  test("takes addresses that the organization accepts only, at the beginning and at the end", async () => {
    expect((await ask("nina@mailinator.com")).status).toBe(400);
    expect((await ask("nina")).status).toBe(400);
    await ask("nina@example.org");
    const path = await pathOfOne("nina@example.org", "/register/");
    await world.olga.post("/realm/domains", { domain: "example.com", allow_subdomains: false });
    await world.olga.patch("/realm", { emails_restricted_to_domains: true });
    const late = await ask("noel@example.org");
    expect(late.status).toBe(400);
    expect(await late.text()).toContain('value="noel@example.org"');
    const finished = await (await finish(path)).text();
    expect(finished).toContain("accepts no addresses of example.org");
    expect(finished).toContain('name="full_name" value="Nina"');
    expect(await mails()).toEqual([]);
  });

  test("I5: an address with an account is answered alike; its owner alone learns of it", async () => {
    const texts = await Promise.all(
      ["alice@example.com", "new@example.com"].map(async (one) => (await ask(one)).text()),
    );
    expect(new Set(texts).size).toBe(1);
    const found = await mails();
    const alices = found.find(({ to }) => to[0] === "alice@example.com");
    expect([found.length, alices?.mail.subject]).toEqual([2, "You are already a member of Acme"]);
    expect(alices?.mail.text).not.toContain("/register/");
  });

  test("D1, D2, D5: a link works in time, at its own organization, once, also under parallel use", async () => {
    await ask("nina@example.org");
    const path = await pathOfOne("nina@example.org", "/register/");
    await world.zoe.patch("/realm", { invite_required: false });
    expect((await finish(path, "Nina", browser("other.example.com"))).status).toBe(404);
    expect(
      (await browser().submit(path.replace("/register/", "/join/"), { full_name: "Nina" })).status,
    ).toBe(404);
    expect(
      (await browser().submit(path, { full_name: "Nina", password: goodPassword }, foreign)).status,
    ).toBe(403);
    const all = await Promise.all(["Nina", "Nora", "Noel"].map((name) => finish(path, name)));
    expect(all.map(({ status }) => status).filter((status) => status === 303)).toEqual([303]);
    await ask("late@example.org");
    const late = await pathOfOne("late@example.org", "/register/");
    world.clock.advance(86_400);
    expect((await finish(late, "Late")).status).toBe(404);
  });

  test("D4: gives nothing of what an invitation of the same address would have given", async () => {
    const { olga, channels } = world;
    const offer = { stream_ids: [channels.general], invite_as: 200, invite_expires_in_minutes: 10 };
    await olga.post("/invites", { invitee_emails: "nina@example.org", ...offer });
    await mails();
    world.clock.advance(601);
    await ask("nina@example.org");
    await finish(await pathOfOne("nina@example.org", "/register/"));
    const { role, user_id } = await accountOf(world, "nina@example.org");
    const { body } = await olga.get(`/users/${user_id}/subscriptions/${channels.general}`);
    expect([role, body.is_subscribed]).toEqual([400, false]);
  });

  test("mails no more than five links to an address at a time, and nothing for other sites", async () => {
    expect((await ask("nina@example.org", foreign)).status).toBe(403);
    for (let i = 0; i < 8; i++) {
      await ask("nina@example.org");
      await world.pass(0);
    }
    expect((await mails()).length).toBe(5);
  });
});

describe("with a reusable link", () => {
  const lunch = () => world.channels.general;
  async function newLink(parameters = {}): Promise<string> {
    const offer = { stream_ids: [lunch()], invite_as: 600, ...parameters };
    const { body } = await world.olga.post("/invites/multiuse", offer);
    return new URL(body.invite_link).pathname;
  }
  const ask = (path: string, email: string, headers = {}) =>
    browser().submit(path, { email }, headers);
  const finish = (path: string, full_name = "Nina", more = {}) =>
    browser().submit(path, { full_name, password: goodPassword, ...more });

  test("an address is proven by mail: nobody takes another's, whatever they send", async () => {
    const path = await newLink();
    const page = await (await browser().open(path)).text();
    expect([page.includes("Olga invites you as a guest"), page.includes("password")]).toEqual([
      true,
      false,
    ]);
    const taken = await finish(path, "Nina", { email: "nina@example.org" });
    expect(await taken.text()).toContain("Check your mail");
    expect(
      (await browser().submit("/login", { email: "nina@example.org", password: goodPassword }))
        .status,
    ).toBe(401);
    const proven = await pathOfOne("nina@example.org", `${path}/`);
    expect(await (await browser().open(proven)).text()).toContain("<b>nina@example.org</b>");
    expect((await finish(proven, "Nina", { email: "victim@example.org" })).status).toBe(303);
    const { role, user_id } = await accountOf(world, "nina@example.org");
    const { body } = await world.olga.get(`/users/${user_id}/subscriptions/${lunch()}`);
    expect([role, body.is_subscribed]).toEqual([600, true]);
    expect((await finish(proven, "Nora")).status).toBe(404);
    await ask(path, "noel@example.org");
    expect((await finish(await pathOfOne("noel@example.org", `${path}/`), "Noel")).status).toBe(
      303,
    );
  });

  test("D1, D2, D4, D5: the proof works once, here, in time, and with the invitation as long as there is one", async () => {
    const path = await newLink({ invite_expires_in_minutes: 60 });
    await ask(path, "nina@example.org");
    const proven = await pathOfOne("nina@example.org", `${path}/`);
    const asRegistration = proven.replace(/^.*\//, "/register/");
    await world.olga.patch("/realm", { invite_required: false });
    expect((await finish(asRegistration)).status).toBe(404);
    expect((await browser("other.example.com").submit(proven, { full_name: "Nina" })).status).toBe(
      404,
    );
    expect(
      (await browser().submit(proven, { full_name: "Nina", password: goodPassword }, foreign))
        .status,
    ).toBe(403);
    const all = await Promise.all(["Nina", "Nora", "Noel"].map((name) => finish(proven, name)));
    expect(all.map(({ status }) => status).filter((status) => status === 303)).toEqual([303]);
    await ask(path, "late@example.org");
    const late = await pathOfOne("late@example.org", `${path}/`);
    world.clock.advance(3_600);
    expect([
      (await finish(late, "Late")).status,
      (await ask(path, "more@example.org")).status,
    ]).toEqual([404, 404]);
    expect(await mails()).toEqual([]);
  });

  test("only addresses that the organization accepts, and nobody learns who has an account (I5)", async () => {
    const path = await newLink();
    for (const email of ["nina@mailinator.com", "nina"]) {
      const refused = await ask(path, email);
      expect(refused.status).toBe(400);
      expect(await refused.text()).toContain(`value="${email}"`);
    }
    expect((await ask(path, "nina@example.org", foreign)).status).toBe(403);
    const emails = ["alice@example.com", "new@example.com"];
    const texts = await Promise.all(emails.map(async (one) => (await ask(path, one)).text()));
    expect(new Set(texts).size).toBe(1);
    expect((await mails()).map(({ mail }) => mail.subject).sort()).toEqual([
      "Join Acme",
      "You are already a member of Acme",
    ]);
  });
});

describe("who asks for links to join", () => {
  const ask = (email: string) => browser().submit("/register", { email });

  test("fills nobody's mailbox, also not of who has an account", async () => {
    await world.olga.patch("/realm", { invite_required: false });
    for (let i = 0; i < 8; i++) {
      await ask("alice@example.com");
      await world.pass(0);
    }
    expect((await mails()).length).toBe(5);
  });

  test("is written to within the limit of a day, which is not that of invitations", async () => {
    const { url: _, ...flags } = relay.flags;
    const small = await makeWorld({ ...flags, invitations_per_day_per_realm: "2" });
    await small.olga.patch("/realm", { invite_required: false });
    const there = () => new Browser(small.site, worldHost);
    const register = (email: string) => there().submit("/register", { email });
    const first = [await register("alice@example.com"), await register("b@example.org")];
    const third = await register("c@example.org");
    expect([...first, third].map(({ status }) => status)).toEqual([200, 200, 400]);
    expect(await third.text()).toContain("Try again tomorrow");
    expect(
      (await small.olga.post("/invites", { invitee_emails: "d@example.org", stream_ids: [] }))
        .status,
    ).toBe(200);
    small.clock.advance(86_401);
    expect((await register("c@example.org")).status).toBe(200);
    await small.close();
  });
});

describe("another address", () => {
  const change = (email: string) =>
    world.alice.patch("/settings", { email, old_password: goodPassword });
  beforeEach(() => setPassword(world.operator, world.alice.id, goodPassword));

  test("is Alice's once she has opened the link that is mailed there; everybody hears of it then", async () => {
    const { alice, bob } = world;
    const verifyNext = verifyInTurn(world);
    await verifyNext(() => change("liddell@example.org"));
    expect((await alice.get("/users/me")).body.delivery_email).toBe("alice@example.com");
    const path = await pathOfOne("liddell@example.org", "/account/address/");
    expect(await (await browser().open(path)).text()).toContain("<b>liddell@example.org</b>");
    const queue = await bob.register({ event_types: ["realm_user"] });
    await verifyNext(async () => expect((await browser().submit(path)).status).toBe(200));
    expect((await queue.events())[0]?.person).toEqual({
      user_id: alice.id,
      delivery_email: "liddell@example.org",
    });
    const [word] = await mails();
    expect([word?.to, word?.mail.subject]).toEqual([
      ["alice@example.com"],
      "Your address at Acme has changed",
    ]);
    expect(
      (await browser().submit("/login", { email: "liddell@example.org", password: goodPassword }))
        .status,
    ).toBe(303);
    expect((await browser().submit(path)).status).toBe(404);
  });

  test("D1: is not theirs by an older link, a late one, or one from before another password", async () => {
    await change("one@example.org");
    const one = await pathOfOne("one@example.org", "/account/address/");
    await change("two@example.org");
    const two = await pathOfOne("two@example.org", "/account/address/");
    expect((await browser().submit(one)).status).toBe(404);
    expect((await browser().submit(two, {}, foreign)).status).toBe(403);
    expect((await browser("other.example.com").submit(two)).status).toBe(404);
    await world.alice.patch("/settings", {
      new_password: `${goodPassword}-2`,
      old_password: goodPassword,
    });
    expect((await browser().submit(two)).status).toBe(404);
    await world.alice.patch("/settings", {
      email: "late@example.org",
      old_password: `${goodPassword}-2`,
    });
    const late = await pathOfOne("late@example.org", "/account/address/");
    world.clock.advance(86_400);
    expect((await browser().submit(late)).status).toBe(404);
    expect((await world.alice.get("/users/me")).body.delivery_email).toBe("alice@example.com");
  });

  test("is refused at the end, too, where somebody has it or the organization accepts it no more", async () => {
    await change("nina@example.org");
    const path = await pathOfOne("nina@example.org", "/account/address/");
    await world.olga.post("/users", {
      email: "nina@example.org",
      full_name: "Nina",
      password: goodPassword,
    });
    expect(await (await browser().submit(path)).text()).toContain("already in use");
    await change("alice@example.net");
    const other = await pathOfOne("alice@example.net", "/account/address/");
    await world.olga.patch("/realm", { email_changes_disabled: true });
    expect((await browser().submit(other)).status).toBe(400);
  });

  test("is asked for five times a day, whatever address is named: nobody fills the mailbox of a stranger", async () => {
    const asked = (email: string) => change(email).then(({ status }) => status);
    for (const _ of [1, 2, 3]) expect(await asked("victim@example.org")).toBe(200);
    await world.alice.patch("/settings", {
      new_password: goodPassword,
      old_password: goodPassword,
    });
    for (const name of ["fourth", "fifth"]) expect(await asked(`${name}@example.org`)).toBe(200);
    await mails();
    const refused = await change("victim@example.org");
    expect([refused.status, refused.body.msg]).toEqual([
      400,
      "You have asked for too many new addresses today. Try again tomorrow.",
    ]);
    expect(await mails()).toEqual([]);
    world.clock.advance(86_400);
    expect(await asked("sixth@example.org")).toBe(200);
    expect((await mails()).map(({ to }) => to)).toEqual([["sixth@example.org"]]);
  });

  test("is mailed to five times a day, whoever asks", async () => {
    const { alice, bob } = world;
    await setPassword(world.operator, bob.id, goodPassword);
    const asked = (who: Client) =>
      who.patch("/settings", { email: "victim@example.org", old_password: goodPassword });
    for (const who of [alice, alice, alice, bob, bob]) expect((await asked(who)).status).toBe(200);
    expect((await asked(bob)).body.msg).toBe(
      "Too many links were mailed to victim@example.org today. Try again tomorrow.",
    );
  });

  test("that is refused by the mail server is told to who asked", async () => {
    relay.refuse("nowhere@example.org");
    await change("nowhere@example.org");
    expect(await mails()).toEqual([]);
    expect((await toldDirectly(world.alice))[0]).toContain(
      "link to your new address (nowhere@example.org)",
    );
  });
});
