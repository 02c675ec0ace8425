import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { setPassword } from "../../src/management/accounts/update";
import { issueApiKey } from "../../src/sign-in/api-keys";
import { unlockSignIn } from "../../src/sign-in/failed-sign-ins";
import { Browser } from "../support/browser";
import { Client } from "../support/client";
import { makeWorldWithLineOf } from "../support/hashing-line";
import { makeWorld, type World, worldHost } from "../support/world";

/* Locks hit whoever guesses, and not whoever is guessed at. */

const password = "correct-horse-battery";
/** Longer than any password, so that no time is spent on hashing it; it counts like every other. */
const wrong = "a-wrong-guess".repeat(10);
const halfAnHour = 1_800;

let world: World;
beforeEach(async () => {
  world = await makeWorld();
  await setPassword(world.operator, world.alice.id, password);
});
afterEach(() => world.close());

const aliceEmail = "alice@example.com";
const addressOf = (number: number) => `198.51.${number >> 8}.${number & 255}`;

/** Somebody at an address of their own asks for an API key; answers the status. */
async function fetchKeyFrom(
  number: number,
  secret: string,
  email = aliceEmail,
  site = world.site,
): Promise<number> {
  const body = new URLSearchParams({ username: email, password: secret });
  const init = { body, headers: { "x-forwarded-for": addressOf(number) } };
  return (await new Client(site, worldHost).ask("POST", "/fetch_api_key", {}, init)).status;
}

async function failFrom(number: number, times: number, email = aliceEmail) {
  for (let i = 0; i < times; i++) expect(await fetchKeyFrom(number, wrong, email)).toBe(401);
}

const logInWith = (browser: Browser, secret: string, email = aliceEmail) =>
  browser.submit("/login", { email, password: secret });

async function browserOfAlice(): Promise<Browser> {
  const browser = new Browser(world.site, worldHost);
  expect((await logInWith(browser, password)).status).toBe(303);
  return browser;
}

/** Guesses from ever new addresses until nobody is let try any more, which is so after twenty. */
async function guessFromEverywhere(from: number): Promise<void> {
  await Promise.all(Array.from({ length: 5 }, (_, index) => failFrom(from + index, 5)));
}

const changeTo = (newPassword: string, oldPassword = password) => ({
  old_password: oldPassword,
  new_password: newPassword,
});

describe("five wrong passwords of a stranger", () => {
  test("lock the account for the address that they came from, and for no other", async () => {
    await failFrom(1, 5);
    expect(await fetchKeyFrom(1, password)).toBe(401);
    expect(await fetchKeyFrom(2, password)).toBe(200);
    world.clock.advance(halfAnHour);
    expect(await fetchKeyFrom(1, password)).toBe(200);
  });

  test("do not keep a signed-in person from changing their password or address, or from getting a key", async () => {
    const browser = await browserOfAlice();
    const { apiKey } = await issueApiKey(world.operator, world.alice.id, "phone");
    const phone = new Client(world.site, worldHost, { email: aliceEmail, apiKey });
    await guessFromEverywhere(1);
    expect(await fetchKeyFrom(99, password)).toBe(401);
    expect((await browser.submit("/account/key", { password })).status).toBe(200);
    const changed = await phone.patch("/settings", {
      new_password: "another-horse",
      old_password: password,
    });
    expect(changed.status).toBe(200);
    const again = await browserOfAliceAt("another-horse");
    await guessFromEverywhere(20);
    const answer = await again.submit(
      "/account/password",
      changeTo("a-third-horse", "another-horse"),
    );
    expect([answer.status, await answer.text()]).toEqual([
      200,
      expect.stringContaining("Your password has been changed"),
    ]);
  });

  test("do not keep a browser out that has signed in before, on either node and after a restart", async () => {
    const browser = await browserOfAlice();
    await browser.submit("/logout");
    await guessFromEverywhere(1);
    const stranger = new Browser(world.site, worldHost);
    expect((await logInWith(stranger, password)).status).toBe(401);
    expect((await logInWith(browser, password)).status).toBe(303);
    await browser.submit("/logout");
    const node = await world.startNode();
    expect((await logInWith(browser.at(node.site), password)).status).toBe(303);
    await world.restart();
    expect((await logInWith(browser, password)).status).toBe(303);
  });

  test("nor do a hundred from the very address of that browser", async () => {
    await world.close();
    world = await makeWorld({ failed_sign_ins_per_address_max: "6" });
    await setPassword(world.operator, world.alice.id, password);
    const browser = await browserOfAlice();
    await browser.submit("/logout");
    for (let i = 0; i < 8; i++)
      await logInWith(new Browser(world.site, worldHost), wrong, `guess${i}@example.com`);
    expect((await logInWith(new Browser(world.site, worldHost), password)).status).toBe(429);
    expect((await logInWith(browser, password)).status).toBe(303);
  });
});

async function browserOfAliceAt(secret: string): Promise<Browser> {
  const browser = new Browser(world.site, worldHost);
  world.clock.advance(halfAnHour);
  expect((await logInWith(browser, secret)).status).toBe(303);
  return browser;
}

describe("guessing is bounded all the same", () => {
  test("from everywhere together at one account: forty tries an hour, whoever signs in meanwhile", async () => {
    const browser = await browserOfAlice();
    let looked = 0;
    for (let minute = 0; minute < 60; minute += 5) {
      const before = await countFailures();
      await Promise.all(Array.from({ length: 8 }, (_, i) => fetchKeyFrom(minute * 10 + i, wrong)));
      looked += (await countFailures()) - before;
      if (minute % 20 === 0) expect((await logInWith(browser, password)).status).toBe(303);
      world.clock.advance(300);
    }
    expect(looked).toBeLessThanOrEqual(40);
    expect(looked).toBeGreaterThanOrEqual(20);
  });

  test("of one address at one account: five in half an hour, also where others sign in there", async () => {
    await failFrom(1, 5);
    expect(await fetchKeyFrom(1, password)).toBe(401);
    expect(await countFailures()).toBe(5);
    await failFrom(1, 20);
    expect(await countFailures()).toBe(5);
  });

  test("of a known browser: five in half an hour of its own, then it is a stranger", async () => {
    const browser = await browserOfAlice();
    await browser.submit("/logout");
    for (let i = 0; i < 5; i++) expect((await logInWith(browser, wrong)).status).toBe(401);
    expect(await countFailures()).toBe(0);
    for (let i = 0; i < 5; i++) expect((await logInWith(browser, wrong)).status).toBe(401);
    expect(await countFailures()).toBe(5);
    expect((await logInWith(browser, password)).status).toBe(401);
    expect(await fetchKeyFrom(7, password)).toBe(200);
    world.clock.advance(halfAnHour);
    expect((await logInWith(browser, password)).status).toBe(303);
  });

  test("of a session, and of all API keys of a person together, also when one is made anew", async () => {
    const browser = await browserOfAlice();
    const answers: number[] = [];
    for (let i = 0; i < 5; i++)
      answers.push((await browser.submit("/account/key", { password: wrong })).status);
    expect(new Set(answers)).toEqual(new Set([401]));
    expect((await browser.submit("/account/key", { password })).status).toBe(401);
    const { apiKey } = await issueApiKey(world.operator, world.alice.id, "stolen");
    const thief = new Client(world.site, worldHost, { email: aliceEmail, apiKey });
    for (let i = 0; i < 5; i++)
      expect((await thief.patch("/settings", changeTo("x-new-horse", wrong))).status).toBe(400);
    const { body } = await thief.post("/users/me/api_key/regenerate");
    const renewed = new Client(world.site, worldHost, { email: aliceEmail, apiKey: body.api_key });
    expect((await renewed.patch("/settings", changeTo("x-new-horse"))).status).toBe(400);
    // Neither has locked the account for anybody else, nor one the other.
    expect(await fetchKeyFrom(3, password)).toBe(200);
    const other = await browserOfAlice();
    expect((await other.submit("/account/key", { password })).status).toBe(200);
    world.clock.advance(halfAnHour);
    expect((await renewed.patch("/settings", changeTo("x-new-horse"))).status).toBe(200);
  });

  test("of somebody signed in who has failed too often: nothing is hashed for them any more", async () => {
    await world.close();
    world = await makeWorldWithLineOf(1);
    await setPassword(world.operator, world.alice.id, password);
    const { alice } = world;
    for (let i = 0; i < 5; i++) await alice.patch("/settings", changeTo("x-new-horse", wrong));
    const flood = Array.from({ length: 20 }, () =>
      alice.patch("/settings", changeTo("x-new-horse", "a-wrong-guess")),
    );
    for (const { status } of await Promise.all(flood)) expect(status).toBe(400);
  });

  test("the operator lifts all of it", async () => {
    const browser = await browserOfAlice();
    for (let i = 0; i < 10; i++) await logInWith(browser, wrong);
    await guessFromEverywhere(1);
    const { db, t } = world.app.engine.reader;
    const user = (await db.select().from(t.users)).find(({ id }) => id === world.alice.id);
    if (!user) throw new Error("alice is gone");
    await unlockSignIn({ ...world.operator, now: world.clock.now() }, user);
    expect(await db.select().from(t.failedSignIns)).toEqual([]);
    expect(await fetchKeyFrom(1, password)).toBe(200);
  });
});

/** Of unknown sources, as stored for the account. */
async function countFailures(): Promise<number> {
  const { db, t } = world.app.engine.reader;
  const row = (await db.select().from(t.failedSignIns)).find(
    ({ emailKey }) => emailKey === aliceEmail,
  );
  return row && world.clock.now() < row.failedAt + halfAnHour ? row.failures : 0;
}

describe("one address", () => {
  test("cannot lock twenty accounts: not one of them for anybody else", async () => {
    const people = Array.from({ length: 20 }, (_, index) => `person${index}@example.com`);
    const made = people.map((email, index) =>
      world.olga.post("/users", { email, password, full_name: `Person ${index}` }),
    );
    expect((await Promise.all(made)).map(({ status }) => status)).toEqual(Array(20).fill(200));
    await Promise.all(people.map((email) => failFrom(1, 5, email)));
    expect(await fetchKeyFrom(1, password, people[0])).toBe(429);
    const others = people.map((email, index) => fetchKeyFrom(100 + index, password, email));
    expect(await Promise.all(others)).toEqual(Array(20).fill(200));
  });

  test("that goes on failing is let try ever more rarely", async () => {
    await world.close();
    world = await makeWorld({ failed_sign_ins_per_address_max: "3" });
    let looked = 0;
    for (let hour = 0; hour < 24; hour++) {
      for (let i = 0; i < 6; i++)
        if ((await fetchKeyFrom(1, wrong, `guess${hour}-${i}@example.com`)) === 401) looked += 1;
      world.clock.advance(3_600);
    }
    // Twelve at the start of the day, and what grows back of twelve in a day.
    expect(looked).toBeLessThanOrEqual(24);
  });
});

test("failures while the clock was ahead lock nothing once it is right", async () => {
  const { clock } = world;
  const ahead = 365 * 86_400;
  clock.setForward(ahead);
  await failFrom(1, 5);
  expect(await fetchKeyFrom(1, password)).toBe(401);
  clock.setForward(-ahead);
  expect(await fetchKeyFrom(1, password)).toBe(200);
});

test("Sign-ins that fail because the database does are not held against their address", async () => {
  await world.close();
  world = await makeWorld({ failed_sign_ins_per_address_max: "3" });
  await setPassword(world.operator, world.alice.id, password);
  const { engine } = world.app;
  const { write } = engine;
  const failure = Object.assign(new Error("as PostgreSQL says it"), {
    name: "PostgresError",
    code: "57P03",
  });
  Object.assign(engine, { write: async () => Promise.reject(failure) });
  for (let n = 0; n < 5; n++) expect(await fetchKeyFrom(1, password)).toBe(503);
  Object.assign(engine, { write });
  expect(await fetchKeyFrom(1, password)).toBe(200);
});

describe("a known browser's cookie", () => {
  const nameFor = (id: number) => `__Host-chatd_browser_${id}`;

  test("is for this host and no script, outlives the session, and is kept apart for each account", async () => {
    const browser = await browserOfAlice();
    await setPassword(world.operator, world.bob.id, password);
    const value = browser.cookies.get(nameFor(world.alice.id)) ?? "";
    expect(value).toMatch(/^[\w-]{22}\.[0-9a-f]{64}$/);
    const page = await new Browser(world.site, worldHost).submit("/login", {
      email: aliceEmail,
      password,
    });
    const set =
      page.headers.getSetCookie().find((header) => header.startsWith(nameFor(world.alice.id))) ??
      "";
    expect(set.split("; ").slice(1)).toEqual([
      "Path=/",
      "Max-Age=31536000",
      "HttpOnly",
      "SameSite=Lax",
      "Secure",
    ]);
    await browser.submit("/logout");
    expect(browser.cookies.get(nameFor(world.alice.id))).toBe(value);
    await logInWith(browser, password, world.bob.email);
    expect([...browser.cookies.keys()]).toContain(nameFor(world.bob.id));
    expect(browser.cookies.get(nameFor(world.alice.id))).toBe(value);
    await browser.submit("/logout");
    await logInWith(browser, password);
    expect(browser.cookies.get(nameFor(world.alice.id))).toBe(value);
  });

  test("is worth nothing when it is made up, of somebody else, of another password, or sent twice", async () => {
    await setPassword(world.operator, world.bob.id, password);
    const [browser, bobs] = [await browserOfAlice(), new Browser(world.site, worldHost)];
    await logInWith(bobs, password, world.bob.email);
    const [name, own] = [
      nameFor(world.alice.id),
      browser.cookies.get(nameFor(world.alice.id)) ?? "",
    ];
    await guessFromEverywhere(1);
    const made = [
      `${own.slice(0, 22)}.${"0".repeat(64)}`,
      `${"A".repeat(22)}${own.slice(22)}`,
      bobs.cookies.get(nameFor(world.bob.id)) ?? "",
      "",
      `${own}; ${name}=${own}`,
    ];
    for (const value of made) {
      const forger = new Browser(world.site, worldHost);
      forger.cookies.set(name, value);
      expect([value, (await logInWith(forger, password)).status]).toEqual([value, 401]);
    }
    await setPassword(world.operator, world.alice.id, "another-horse");
    const late = new Browser(world.site, worldHost);
    late.cookies.set(name, own);
    expect((await logInWith(late, "another-horse")).status).toBe(401);
    // It signs nobody in, and opens nothing.
    expect((await late.api("GET", "/users/me")).status).toBe(401);
    expect((await late.open("/account")).status).toBe(303);
  });

  test("comes anew with another password, on the account page and by a mailed link", async () => {
    const browser = await browserOfAlice();
    const before = browser.cookies.get(nameFor(world.alice.id));
    await browser.submit("/account/password", changeTo("another-horse"));
    expect(browser.cookies.get(nameFor(world.alice.id))).not.toBe(before);
    await browser.submit("/logout");
    await guessFromEverywhere(1);
    expect((await logInWith(browser, "another-horse")).status).toBe(303);
  });
});
