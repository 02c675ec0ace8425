import { afterEach, beforeEach, describe, expect, spyOn, test } from "bun:test";
import { deactivateUser, reactivateUser } from "../../src/management/accounts/deactivate";
import { setPassword, updateUserRole } from "../../src/management/accounts/update";
import { deactivateRealm } from "../../src/management/organization/deactivate";
import { endSessions, findSession } from "../../src/sign-in/sessions";
import { Browser } from "../support/browser";
import { diskFullError } from "../support/databases/storage";
import { makeWorld, type Node, type World, worldHost } from "../support/world";

const password = "correct-horse-battery";

let world: World;
let other: Node;
beforeEach(async () => {
  world = await makeWorld();
  other = await world.startNode();
});
afterEach(() => world.close());

/** A browser in which Alice is signed in, and that both servers have answered. */
async function signedIn(): Promise<Browser> {
  const browser = new Browser(world.site, worldHost);
  await setPassword(world.operator, world.alice.id, password);
  const sent = await browser.submit("/login", { email: world.alice.email, password });
  expect(sent.status).toBe(303);
  expect(await statusesOf(browser)).toEqual([200, 200]);
  return browser;
}

/** Statuses of the answers of both servers to a request in the session. */
const statusesOf = (browser: Browser) =>
  Promise.all(
    [browser, browser.at(other.site)].map(
      async (one) => (await one.api("GET", "/users/me")).status,
    ),
  );

/** Number of writes of this second that have changed sessions. */
async function countWrites(): Promise<number> {
  const { db, t } = world.app.engine.reader;
  const rows = await db.select().from(t.eventLog);
  const now = world.clock.now();
  return rows.filter((row) => row.createdAt === now && row.body.includes('"sessions"')).length;
}

const meanwhile: readonly (readonly [string, (browser: Browser) => Promise<unknown>])[] = [
  ["logging out", (browser) => browser.at(other.site).submit("/logout")],
  ["logging out everywhere", (browser) => browser.submit("/logout/everywhere")],
  ["an operator", () => endSessions(world.operator, world.alice.id)],
  [
    "a new password",
    () => setPassword(world.operator, world.alice.id, "another-horse-battery-staple"),
  ],
  ["a deactivation", () => deactivateUser(world.operator, world.alice.id)],
  ["the deactivation of the organization", () => deactivateRealm(world.operator, {})],
];

describe("sessions that two servers remember", () => {
  test.each(meanwhile)("end on both at once by %s", async (_name, end) => {
    const browser = await signedIn();
    const earlier = browser.at(world.site);
    await end(browser);
    const statuses = await statusesOf(earlier);
    expect(statuses.filter((status) => status !== 401 && status !== 403)).toEqual([]);
  });

  test("do not come back with the account", async () => {
    const browser = await signedIn();
    await deactivateUser(world.operator, world.alice.id);
    await reactivateUser(world.operator, world.alice.id);
    expect(await statusesOf(browser)).toEqual([401, 401]);
  });

  test("know of another role and another name at once", async () => {
    const browser = await signedIn();
    await updateUserRole(world.operator, world.alice.id, 200);
    await world.olga.patch(`/users/${world.alice.id}`, { full_name: "Alice Adams" });
    for (const one of [browser, browser.at(other.site)]) {
      const { body } = await one.api("GET", "/users/me");
      expect([body.role, body.full_name]).toEqual([200, "Alice Adams"]);
    }
  });

  test("end when they are not used for long, on a server that has remembered them too", async () => {
    const browser = await signedIn();
    const { sessionIdleSeconds } = world.app.config;
    world.clock.advance(sessionIdleSeconds - 1);
    expect(await statusesOf(browser)).toEqual([200, 200]);
    world.clock.advance(sessionIdleSeconds - 1);
    expect(await statusesOf(browser)).toEqual([200, 200]);
    world.clock.advance(sessionIdleSeconds);
    expect(await statusesOf(browser)).toEqual([401, 401]);
  });

  test("are answered while the database is full, and count as used once it has room", async () => {
    const browser = await signedIn();
    const { sessionIdleSeconds } = world.app.config;
    world.clock.advance(sessionIdleSeconds - 2);
    const writes = spyOn(world.app.engine, "write").mockRejectedValue(diskFullError());
    const here = browser.at(world.site);
    expect((await here.api("GET", "/users/me")).status).toBe(200);
    expect(writes).toHaveBeenCalled();
    writes.mockRestore();
    world.clock.advance(1);
    expect((await here.api("GET", "/users/me")).status).toBe(200);
    world.clock.advance(sessionIdleSeconds - 1);
    expect((await here.api("GET", "/users/me")).status).toBe(200);
  });

  test("are noted as used by one write, however many requests a page sends at once", async () => {
    const { cookies } = await signedIn();
    const [, token] = [...cookies].find(([name]) => name.includes("session")) ?? [];
    world.clock.advance(world.app.config.sessionIdleSeconds - 1);
    const { app, realm } = world;
    const uses = Array.from({ length: 8 }, async () =>
      findSession(app, realm, token, world.clock.now(), app.engine.openReader()),
    );
    const found = await Promise.all(uses);
    expect(found.map((session) => session?.user.id)).toEqual(uses.map(() => world.alice.id));
    expect(await countWrites()).toBe(1);
  });
});
