import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { roles } from "../../src/core/rights/role";
import { write } from "../../src/core/write";
import { listReceivers } from "../../src/devices/registration/operator";
import { deactivateUser } from "../../src/management/accounts/deactivate";
import { setPassword, updateUserRole } from "../../src/management/accounts/update";
import { withdrawInvitationsTo } from "../../src/people/invited/store";
import { listSessions } from "../../src/sign-in/sessions";
import { Browser } from "../support/browser";
import { Client } from "../support/client";
import {
  accept,
  accountOf,
  goodPassword,
  inviteByLink,
  openLink,
  reusableLink,
  signIn,
  toldDirectly,
} from "../support/invitations";
import { makeWorld, type World, worldHost } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

const storedInvitations = () => {
  const { db, t } = world.app.engine.reader;
  return db.select().from(t.invitations);
};

const channelNames = async (email: string) => {
  const { body } = await (await signIn(world, email)).get("/users/me/subscriptions");
  return body.subscriptions.map(({ name }: { name: string }) => name).sort();
};

describe("joining by an address's invitation", () => {
  test("gives the account, the role, the channels and groups offered, and the organization's defaults", async () => {
    const { olga, alice, zoe, channels } = world;
    await olga.patch("/realm/user_settings_defaults", { twenty_four_hour_time: true });
    const { body: made } = await olga.post("/user_groups/create", {
      name: "cooks",
      description: "",
      members: [],
    });
    const offer = {
      inviteAs: roles.moderator,
      groupIds: [made.group_id],
      channels: [channels.general],
    };
    const { url } = await inviteByLink(world, "Nina@Example.com", {
      ...offer,
      from: olga,
      tells: true,
    });
    const page = await openLink(world, url);
    expect([page.status, page.headers.get("content-security-policy")]).toEqual([
      200,
      "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    ]);
    // The token is in the address: it goes to no other site and into no cache.
    expect(page.headers.get("referrer-policy")).toMatch(/^(no-referrer|same-origin)$/);
    expect(page.headers.get("cache-control")).toBe("no-store");
    const text = await page.text();
    for (const part of ["Olga", "a moderator", "Nina@Example.com"]) expect(text).toContain(part);
    const queues = { alice: await alice.register(), zoe: await zoe.register() };
    const joined = await accept(world, url, { full_name: "Nina", email: "other@example.com" });
    expect([joined.status, joined.headers.get("location")]).toEqual([303, "/"]);
    const account = await accountOf(world, "Nina@Example.com");
    expect(account).toMatchObject({ full_name: "Nina", role: 300, is_active: true });
    expect(await channelNames("nina@example.com")).toEqual(["general"]);
    const nina = await signIn(world, "nina@example.com");
    const { state } = await nina.register();
    expect(state.user_settings.twenty_four_hour_time).toBe(true);
    const cooks = state.realm_user_groups.find(({ id }: { id: number }) => id === made.group_id);
    expect(cooks.members).toEqual([account.user_id]);
    const events = await queues.alice.events();
    expect(
      events.some(
        ({ type, op, person }) =>
          type === "realm_user" && op === "add" && person.full_name === "Nina",
      ),
    ).toBe(true);
    expect(await queues.zoe.events()).toEqual([]);
    expect(await toldDirectly(olga)).toEqual([expect.stringContaining("accepted your invitation")]);
    expect(await storedInvitations()).toEqual([]);
  });

  test("ends the session that the browser had: its pushes go to nobody who joins there", async () => {
    const { alice, operator } = world;
    await setPassword(operator, alice.id, goodPassword);
    const [shared, own] = [new Browser(world.site, worldHost), new Browser(world.site, worldHost)];
    for (const browser of [shared, own])
      await browser.submit("/login", { email: alice.email, password: goodPassword });
    const [id] = (await listSessions(operator, alice.id)).map((session) => session.id);
    const receiver = { kind: "ntfy", endpoint: "https://ntfy.example.com/shared" };
    await shared.api("POST", "/push_subscriptions", receiver, await shared.proof());
    expect(await listReceivers(operator, alice.id)).toHaveLength(1);
    const { url } = await inviteByLink(world, "nina@example.com");
    const form = { full_name: "Nina", password: goodPassword };
    expect((await shared.submit(new URL(url).pathname, form)).status).toBe(303);
    expect((await shared.api("GET", "/users/me")).body.email).toBe("nina@example.com");
    const left = await listSessions(operator, alice.id);
    expect(left.map((session) => session.id)).toEqual([expect.any(Number)]);
    expect(left[0]?.id).not.toBe(id);
    expect(await listReceivers(operator, alice.id)).toEqual([]);
    expect((await own.api("GET", "/users/me")).body.email).toBe(alice.email);
  });

  test("offers the chat, or to sign out first, to somebody who is signed in already", async () => {
    const { alice, operator } = world;
    await setPassword(operator, alice.id, goodPassword);
    const browser = new Browser(world.site, worldHost);
    const { pathname } = new URL((await reusableLink(world)).url);
    const pageOf = async () => (await browser.open(pathname)).text();
    const leaveFor = async (next: string) => {
      await browser.submit("/login", { email: alice.email, password: goodPassword });
      const page = await pageOf();
      const token = /name="csrf_token" value="([^"]+)"/.exec(page)?.[1];
      const { status, headers } = await browser.submit("/logout", { csrf_token: token, next });
      const again = await browser.submit("/logout", { csrf_token: token, next });
      return { page, left: [status, headers.get("location"), again.headers.get("location")] };
    };
    expect(await pageOf()).toContain("Your name");
    const { page, left } = await leaveFor(pathname);
    expect(page).toContain(`You are signed in as <b>Alice</b> (${alice.email}).`);
    expect(page).toContain('<a href="/">Open the chat</a>');
    expect(page).toContain(`name="next" value="${pathname}"`);
    expect(page).not.toContain("Your name");
    // A second click finds the session ended.
    expect(left).toEqual([303, pathname, pathname]);
    expect(await pageOf()).toContain("Your name");
    expect((await leaveFor("https://evil.example/")).left).toEqual([303, "/login", "/login"]);
  });

  test("puts into the default channels where that was offered, and tells the inviter only where they asked", async () => {
    const { alice, olga } = world;
    const some = await inviteByLink(world, "n1@example.com", {
      includeRealmDefaultSubscriptions: true,
      tells: false,
    });
    const none = await inviteByLink(world, "n2@example.com", { tells: false });
    const guest = await inviteByLink(world, "n3@example.com", { inviteAs: 600, tells: false });
    for (const [index, { url }] of [some, none, guest].entries()) {
      expect((await accept(world, url, { full_name: `N${index}` })).status).toBe(303);
    }
    const { body } = await alice.get("/streams", { include_default: true });
    const defaults = body.streams.filter((one: { is_default: boolean }) => one.is_default);
    expect(await channelNames("n1@example.com")).toEqual(
      defaults.map(({ name }: { name: string }) => name).sort(),
    );
    expect([await channelNames("n2@example.com"), await channelNames("n3@example.com")]).toEqual([
      [],
      [],
    ]);
    expect((await accountOf(world, "n3@example.com")).role).toBe(600);
    expect(await toldDirectly(olga)).toEqual([]);
  });

  test("says what is wrong with the name or the password, without showing it, and the invitation stays", async () => {
    const { olga } = world;
    await olga.patch("/realm", { require_unique_names: true });
    const { url } = await inviteByLink(world, "nina@example.com");
    const wrong: Record<string, string>[] = [
      { full_name: "" },
      { full_name: "<script>alert(1)</script>" },
      { full_name: "alice" },
      { full_name: "Nina", password: "short" },
      { full_name: "Nina", password: "x".repeat(101) },
    ];
    for (const form of wrong) {
      const { status, text } = await accept(world, url, form);
      expect([form, status, text.includes("<script"), text.includes("<form")]).toEqual([
        form,
        400,
        false,
        true,
      ]);
      if (form["password"]) expect(text).not.toContain(form["password"]);
    }
    expect(await accountOf(world, "nina@example.com")).toBeUndefined();
    expect((await accept(world, url, { full_name: "Nina" })).status).toBe(303);
  });

  test("a refusal keeps what was typed, except the password", async () => {
    const { url } = await inviteByLink(world, "nina@example.com");
    const byName = await accept(world, url, { full_name: 'Nina "N" N', password: "short" });
    expect(byName.text).toContain('name="full_name" value="Nina &quot;N&quot; N"');
    expect(byName.text).not.toContain("short");
    const { url: reusable } = await reusableLink(world);
    const form = { full_name: "Nina", email: "nina@example.com", password: "short" };
    const { text } = await accept(world, reusable, form);
    expect(text).toContain('name="full_name" value="Nina"');
    expect(text).toContain('name="email" type="email" value="nina@example.com"');
  });

  test("is refused where the address has an account by now, and where the organization does not accept it any more", async () => {
    const { olga } = world;
    const { url } = await inviteByLink(world, "nina@example.com");
    await olga.post("/realm/domains", { domain: "example.net", allow_subdomains: false });
    await olga.patch("/realm", { emails_restricted_to_domains: true });
    expect((await accept(world, url, { full_name: "Nina" })).status).toBe(400);
    await olga.patch("/realm", { emails_restricted_to_domains: false });
    await olga.patch(`/users/${world.bob.id}`, { new_email: "nina@example.com" });
    expect((await accept(world, url, { full_name: "Nina" })).status).toBe(404);
  });
});

describe("joining by a reusable link", () => {
  test("each with an address of their own, as often as people come", async () => {
    const { url } = await reusableLink(world, { channels: [world.channels.general] });
    for (const name of ["nina", "noel"]) {
      const form = { full_name: name, email: `${name}@example.com` };
      expect((await accept(world, url, form)).status).toBe(303);
      expect(await channelNames(`${name}@example.com`)).toEqual(["general"]);
      expect((await accept(world, url, { ...form, full_name: "Another" })).status).toBe(400);
    }
    for (const email of [
      "",
      "bad",
      '"><script>@example.com',
      "nina@mailinator.com",
      "user9@chat.example.com",
    ]) {
      const { status, text } = await accept(world, url, { full_name: "Nobody", email });
      expect([email, status, text.includes("<script")]).toEqual([email, 400, false]);
    }
    expect(await storedInvitations()).toHaveLength(1);
  });
});

describe("security", () => {
  test("D1: an expired, a withdrawn and a mutilated link are refused alike, opened and sent", async () => {
    const { olga, clock } = world;
    const expired = await inviteByLink(world, "n1@example.com", { inviteExpiresInMinutes: 1 });
    const withdrawn = await reusableLink(world);
    const used = await inviteByLink(world, "n3@example.com");
    await accept(world, used.url, { full_name: "Used" });
    await olga.delete(`/invites/multiuse/${withdrawn.id}`);
    clock.advance(60);
    const shown = new Set<string>();
    for (const url of [
      expired.url,
      withdrawn.url,
      used.url,
      `${used.url.slice(0, -1)}_`,
      `${used.url}/x`.slice(0, -2),
    ]) {
      const page = await openLink(world, url);
      const sent = await accept(world, url, { full_name: "Nina", email: "nina@example.com" });
      expect([page.status, sent.status]).toEqual([404, 404]);
      shown.add(await page.text()).add(sent.text);
    }
    expect(shown.size).toBe(1);
    expect(await accountOf(world, "nina@example.com")).toBeUndefined();
  });

  test("D2: a link works only for the organization that made it", async () => {
    const { url } = await reusableLink(world);
    const form = { full_name: "Nina", email: "nina@example.com" };
    expect((await openLink(world, url, world.zoe.host)).status).toBe(404);
    expect((await accept(world, url, form, { host: world.zoe.host })).status).toBe(404);
    expect((await accept(world, url, form)).status).toBe(303);
  });

  test("D3: what the inviter may not give any more is not given", async () => {
    const { operator, olga, adam, alice, channels } = world;
    const asAdministrator = await inviteByLink(world, "n1@example.com", {
      inviteAs: 200,
      from: adam,
    });
    const asMember = await reusableLink(world, { from: adam, channels: [channels.general] });
    const intoPlans = await inviteByLink(world, "n3@example.com", {
      from: alice,
      channels: [channels.plans],
    });
    await updateUserRole(operator, adam.id, roles.member);
    expect((await openLink(world, asAdministrator.url)).status).toBe(404);
    expect((await accept(world, asAdministrator.url, { full_name: "N1" })).status).toBe(404);
    expect(
      (await accept(world, asMember.url, { full_name: "N2", email: "n2@example.com" })).status,
    ).toBe(303);
    await updateUserRole(operator, adam.id, roles.guest);
    expect((await openLink(world, asMember.url)).status).toBe(404);
    await alice.delete("/users/me/subscriptions", { subscriptions: ["plans"] });
    expect((await accept(world, intoPlans.url, { full_name: "N3" })).status).toBe(303);
    expect(await channelNames("n3@example.com")).toEqual([]);
    expect((await accountOf({ ...world, olga }, "n3@example.com")).role).toBe(400);
  });

  test("D4: what an address was invited to is gone once it has an account by another way", async () => {
    const { olga, clock } = world;
    const grand = await inviteByLink(world, "nina@example.com", {
      inviteAs: 100,
      inviteExpiresInMinutes: 1,
    });
    const other = await inviteByLink(world, "Nina@example.com", {
      channels: [world.channels.general],
    });
    clock.advance(60);
    const queue = await olga.register({ event_types: ["invites_changed"] });
    const { url } = await reusableLink(world, { inviteAs: 600 });
    expect(
      (await accept(world, url, { full_name: "Nina", email: "nina@example.com" })).status,
    ).toBe(303);
    expect([
      (await accountOf(world, "nina@example.com")).role,
      await channelNames("nina@example.com"),
    ]).toEqual([600, []]);
    for (const gone of [grand, other]) expect((await openLink(world, gone.url)).status).toBe(404);
    expect((await queue.events()).map(({ type }) => type)).toEqual([
      "invites_changed",
      "invites_changed",
    ]);
    const again = await inviteByLink(world, "noel@example.com", { inviteAs: 100 });
    await olga.post("/users", {
      email: "noel@example.com",
      full_name: "Noel",
      password: "correct-horse-battery",
    });
    expect((await openLink(world, again.url)).status).toBe(404);
  });

  test("D4: what an address was invited to is gone once somebody has changed their address to it", async () => {
    const { olga, operator, alice, bob } = world;
    const invited = [
      await inviteByLink(world, "Alicia@example.com", { inviteAs: 100 }),
      await inviteByLink(world, "robert@example.com"),
      await inviteByLink(world, "alice@example.org"),
    ];
    const queue = await olga.register({ event_types: ["invites_changed"] });
    const renamed = await olga.patch(`/users/${alice.id}`, { new_email: "alicia@example.com" });
    await setPassword(operator, bob.id, goodPassword);
    const asked = { email: "Robert@example.com", old_password: goodPassword };
    const own = await bob.patch("/settings", asked);
    expect([renamed.status, own.status]).toEqual([200, 200]);
    const pages = await Promise.all(invited.map(({ url }) => openLink(world, url)));
    expect(pages.map(({ status }) => status)).toEqual([404, 404, 200]);
    expect((await queue.events()).map(({ type }) => type)).toEqual([
      "invites_changed",
      "invites_changed",
    ]);
  });

  test("D5: an address's invitation works once, also when it is used by many at the same moment, on two nodes", async () => {
    const node = await world.startNode();
    const { url } = await inviteByLink(world, "nina@example.com");
    const sites = [world.site, node.site, world.site, node.site];
    const outcomes = await Promise.all(
      sites.map((site, i) => accept(world, url, { full_name: `Nina ${i}` }, { site })),
    );
    expect(outcomes.map(({ status }) => status).sort()).toEqual([303, 404, 404, 404]);
  });

  test("D5: two who join by a reusable link with one address at the same moment: one gets it", async () => {
    const { url } = await reusableLink(world);
    const form = { email: "nina@example.com", full_name: "Nina" };
    const outcomes = await Promise.all([1, 2, 3].map(() => accept(world, url, form)));
    expect(outcomes.map(({ status }) => status).sort()).toEqual([303, 400, 400]);
  });

  test("a link that is withdrawn while it is used: either the account is there or the link was dead", async () => {
    const { operator, realm } = world;
    for (let i = 0; i < 4; i++) {
      const email = `n${i}@example.com`;
      const { url } = await inviteByLink(world, email);
      const [joined] = await Promise.all([
        accept(world, url, { full_name: `N${i}` }),
        write(operator, (tx) => withdrawInvitationsTo(tx, realm.id, email)),
      ]);
      expect([joined.status, (await accountOf(world, email)) !== undefined]).toEqual(
        joined.status === 303 ? [303, true] : [404, false],
      );
    }
  });

  test("D3: an inviter who is demoted while their link is used: either it was before, or nobody joins", async () => {
    const { operator, adam } = world;
    const email = "nina@example.com";
    const { url } = await inviteByLink(world, email, { inviteAs: roles.administrator, from: adam });
    const [joined] = await Promise.all([
      accept(world, url, { full_name: "Nina" }),
      updateUserRole(operator, adam.id, roles.member),
    ]);
    const role = (await accountOf(world, email))?.role;
    expect([joined.status, role]).toEqual(
      joined.status === 303 ? [303, roles.administrator] : [404, undefined],
    );
  });

  test("C4: a deactivated person does not come back by an invitation", async () => {
    const { operator, bob } = world;
    const { url } = await reusableLink(world);
    const again = await inviteByLink(world, "bobby@example.com");
    await deactivateUser(operator, bob.id);
    expect((await accept(world, url, { full_name: "Bob", email: "BOB@example.com" })).status).toBe(
      400,
    );
    await world.olga.patch(`/users/${bob.id}`, { new_email: "bobby@example.com" });
    expect((await accept(world, again.url, { full_name: "Bob" })).status).toBe(404);
    expect((await accountOf(world, "bobby@example.com"))?.is_active ?? false).toBe(false);
  });

  test("C9, I12: tokens are in no event, no answer but the reusable link's own, no row and no log line", async () => {
    const { olga, alice } = world;
    const queues = [await olga.register(), await alice.register()];
    const one = await inviteByLink(world, "nina@example.com", { from: alice });
    const many = await reusableLink(world);
    const listed = JSON.stringify((await olga.get("/invites")).body);
    const tokens = [one.url, many.url].map((url) => url.split("/").at(-1) ?? "");
    await accept(world, one.url, { full_name: "Nina", password: "a-secret-to-keep" });
    await accept(world, one.url, { full_name: "Nina", password: "a-secret-to-keep" });
    const rows = JSON.stringify(await storedInvitations());
    const events = JSON.stringify(await Promise.all(queues.map((queue) => queue.events())));
    for (const [index, token] of tokens.entries()) {
      expect(token).toMatch(/^[A-Za-z0-9]{32}$/);
      const found = [rows, events, world.logged.join("\n")].map((text) => text.includes(token));
      expect([found, listed.includes(token)]).toEqual([[false, false, false], index === 1]);
    }
    expect(world.logged.join("\n")).not.toContain("a-secret-to-keep");
  });

  test("I7, I10: who joins is signed in with a session of their own; a form of another site makes no account", async () => {
    const { url } = await inviteByLink(world, "nina@example.com");
    const foreign: Record<string, string>[] = [
      { origin: "https://evil.example" },
      { "sec-fetch-site": "cross-site" },
    ];
    for (const headers of foreign) {
      const sent = await accept(world, url, { full_name: "Nina" }, { headers });
      expect([sent.status, sent.headers.get("set-cookie")]).toEqual([403, null]);
    }
    expect(await accountOf(world, "nina@example.com")).toBeUndefined();
    const joined = await accept(
      world,
      url,
      { full_name: "Nina" },
      { headers: { "sec-fetch-site": "same-origin" } },
    );
    const cookie =
      joined.headers.getSetCookie().find((one) => one.startsWith("chatd_session=")) ?? "";
    for (const part of ["HttpOnly", "SameSite", "Path=/"]) expect(cookie).toContain(part);
    const [session = ""] = cookie.split(";");
    const browser = new Client(world.site, world.alice.host);
    const own = await browser.ask("GET", "/users/me", {}, { headers: { cookie: session } });
    expect([own.status, own.body.delivery_email]).toEqual([200, "nina@example.com"]);
  });

  test("I7: opening a link changes nothing, however often", async () => {
    const { url } = await inviteByLink(world, "nina@example.com");
    for (let i = 0; i < 3; i++) expect((await openLink(world, url)).status).toBe(200);
    expect(await accountOf(world, "nina@example.com")).toBeUndefined();
    expect((await accept(world, url, { full_name: "Nina" })).status).toBe(303);
  });

  test("H10: a very long password is refused before it is hashed; without an invitation nothing is hashed", async () => {
    const { url } = await inviteByLink(world, "nina@example.com");
    expect(
      (await accept(world, url, { full_name: "Nina", password: "x".repeat(60_000) })).status,
    ).toBe(400);
    expect((await accept(world, `${url}x`, { full_name: "Nina" })).status).toBe(404);
  });

  test("nobody joins a deactivated organization", async () => {
    const { url } = await inviteByLink(world, "nina@example.com");
    await world.olga.post("/realm/deactivate");
    expect((await openLink(world, url)).status).toBe(404);
    expect((await accept(world, url, { full_name: "Nina" })).status).toBe(404);
  });
});
