import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { deactivateUser, reactivateUser } from "../../src/management/accounts/deactivate";
import { deleteUser } from "../../src/management/accounts/delete";
import { setPassword } from "../../src/management/accounts/update";
import { endedKeysText, issueApiKey, listApiKeys, revokeApiKey } from "../../src/sign-in/api-keys";
import { storeKeyUses } from "../../src/sign-in/key-uses";
import { Browser } from "../support/browser";
import { Client } from "../support/client";
import { until } from "../support/polls";
import { makeWorld, type World, worldHost } from "../support/world";

const password = "correct-horse-battery";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
  await setPassword(world.operator, world.alice.id, password);
});
afterEach(() => world.close());

async function signedIn(): Promise<Browser> {
  const browser = new Browser(world.site, worldHost);
  expect((await browser.submit("/login", { email: world.alice.email, password })).status).toBe(303);
  return browser;
}

describe("E6: a new API key", () => {
  test("is not made for a session alone, by whichever way", async () => {
    const browser = await signedIn();
    const regenerated = await browser.api(
      "POST",
      "/users/me/api_key/regenerate",
      {},
      await browser.proof(),
    );
    expect([regenerated.status, regenerated.body.code]).toEqual([403, "BAD_REQUEST"]);
    for (const fields of [{}, { password: "" }, { password: "a-wrong-guess" }]) {
      const answer = await browser.submit("/account/key", fields);
      expect([answer.status, (await answer.text()).includes("key=")]).toEqual([
        answer.status,
        false,
      ]);
      expect(answer.status).toBeGreaterThanOrEqual(400);
    }
    expect(await listApiKeys(world.operator, world.alice.id)).toHaveLength(1);
  });

  test("takes the place of all that there were, whose queues end; sessions stay", async () => {
    const { alice, operator } = world;
    const browser = await signedIn();
    const queue = await alice.register();
    const { status, body } = await alice.post("/users/me/api_key/regenerate");
    expect([status, body.api_key]).toEqual([200, expect.stringMatching(/^[A-Za-z0-9]{32}$/)]);
    expect((await alice.get("/users/me")).status).toBe(401);
    const renewed = new Client(world.site, worldHost, { email: alice.email, apiKey: body.api_key });
    expect((await renewed.get("/users/me")).status).toBe(200);
    const old = await renewed.get("/events", {
      queue_id: queue.id,
      last_event_id: -1,
      dont_block: true,
    });
    expect(old.body.code).toBe("BAD_EVENT_QUEUE_ID");
    expect((await browser.open("/account")).status).toBe(200);
    expect(await listApiKeys(operator, alice.id)).toHaveLength(1);
  });

  test("is not made with a key that is revoked at the same moment, nor twice with one key", async () => {
    const { alice, bob, robot, operator } = world;
    const [key] = await listApiKeys(operator, alice.id);
    const answers = await Promise.all([
      revokeApiKey(operator, key?.id ?? 0).then(() => undefined),
      alice.post("/users/me/api_key/regenerate"),
    ]);
    const left = await listApiKeys(operator, alice.id);
    expect(left).toHaveLength(answers[1].status === 200 ? 1 : 0);
    const twice = await Promise.all([1, 2].map(() => bob.post("/users/me/api_key/regenerate")));
    expect(twice.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect((await robot.post("/users/me/api_key/regenerate")).body.code).toBe("BAD_REQUEST");
  });
});

describe("The keys of one person", () => {
  const idsOf = async () => (await listApiKeys(world.operator, world.alice.id)).map(({ id }) => id);
  const lastUses = async () =>
    (await listApiKeys(world.operator, world.alice.id)).map(({ lastUsedAt }) => lastUsedAt);
  const clientWith = (apiKey: string) =>
    new Client(world.site, worldHost, { email: world.alice.email, apiKey });
  const signIn = async (site = world.site) => {
    world.clock.advance(60);
    const { email } = world.alice;
    const answer = await new Client(site, worldHost).post("/fetch_api_key", {
      username: email,
      password,
    });
    expect(answer.status).toBe(200);
    return answer.body;
  };
  /**
   * As many keys as there may be: that of the world and 19 younger ones, none of which was used.
   */
  const fill = async () => {
    const keys: string[] = [];
    for (let count = 2; count <= 20; count++) {
      world.clock.advance(1);
      keys.push((await issueApiKey(world.operator, world.alice.id, `laptop ${count}`)).apiKey);
    }
    return keys.map(clientWith);
  };

  test("are 20 at most: the next sign-in ends the one longest unused with its queues, and says so", async () => {
    const [second, third] = await fill();
    if (!second || !third) throw new Error("there are no keys");
    expect(await idsOf()).toHaveLength(20);
    const queue = await third.register();
    world.clock.advance(60);
    for (const client of [world.alice, second])
      expect((await client.get("/users/me")).status).toBe(200);
    const { msg, api_key } = await signIn();
    expect(msg).toStartWith(
      'An account has at most 20 API keys. The key that was unused for the longest time has ended: "laptop 4" of ',
    );
    expect(await idsOf()).toHaveLength(20);
    world.clock.advance(60);
    expect((await clientWith(api_key).get("/users/me")).status).toBe(200);
    for (const client of [world.alice, second, third])
      expect((await client.get("/users/me")).status).toBe(200);
    expect((await queue.poll({ dont_block: true })).status).toBe(200);
    const first = (await signIn()).msg;
    expect(first).toContain('"laptop 5" of ');
    expect((await world.bob.get("/users/me")).status).toBe(200);
  });

  test("end without a word where there is room", async () => {
    expect([(await signIn()).msg, (await signIn()).msg]).toEqual(["", ""]);
    expect(await idsOf()).toHaveLength(3);
  });

  test("end on the page that shows a new one too, which says so, and sessions are not counted", async () => {
    await fill();
    const browser = await signedIn();
    expect(await idsOf()).toHaveLength(20);
    const page = await (await browser.submit("/account/key", { password })).text();
    expect(page).toContain(
      "The key that was unused for the longest time has ended: &quot;test&quot; of ",
    );
    expect(page).toMatch(/^key=[A-Za-z0-9]{32}$/m);
    expect((await world.alice.get("/users/me")).status).toBe(401);
  });

  test("tell another server when they were used, without a write for each request", async () => {
    const { alice, app, clock } = world;
    const other = await world.startNode();
    await fill();
    clock.advance(1);
    const usedAt = clock.now();
    for (let count = 0; count < 5; count++) await alice.get("/users/me");
    expect((await lastUses())[0]).toBeNull();
    await storeKeyUses(app);
    expect((await lastUses()).slice(0, 2)).toEqual([usedAt, null]);
    clock.advance(1_800);
    await alice.get("/users/me");
    await storeKeyUses(app);
    expect((await lastUses())[0]).toBe(usedAt);
    await until(async () => {
      clock.advance(600);
      await alice.get("/users/me");
      return (await lastUses())[0] !== usedAt;
    });
    expect((await lastUses())[0]).toBeGreaterThanOrEqual(usedAt + 3_600);
    expect((await signIn(other.site)).msg).toContain('"laptop 2" of ');
    expect((await alice.get("/users/me")).status).toBe(200);
  });
});

test("Of the keys of an account that had hundreds five are named, and the others are counted", () => {
  const ended = Array.from({ length: 480 }, (_, id) => ({
    id,
    userId: 1,
    label: `key ${id}`,
    createdAt: 0,
    lastUsedAt: null,
  }));
  const told = endedKeysText(ended) ?? "";
  expect(told).toContain('"key 479" of ');
  expect(told).toEndWith("and 475 more.");
  expect(told.length).toBeLessThan(400);
});

test("C3: keys of bots that were deactivated before go with those of their owner, revoked or deleted for good", async () => {
  const { alice, robot, bob, operator } = world;
  await deactivateUser(operator, robot.id);
  expect(await listApiKeys(operator, robot.id)).toHaveLength(1);
  await deactivateUser(operator, alice.id);
  await reactivateUser(operator, alice.id);
  expect(await listApiKeys(operator, robot.id)).toHaveLength(1);
  await deactivateUser(operator, alice.id, { revokesKeys: true });
  expect(await listApiKeys(operator, robot.id)).toEqual([]);
  const { body } = await bob.post("/bots", { full_name: "Bobbin", short_name: "bobbin" });
  await deactivateUser(operator, bob.id);
  expect(await listApiKeys(operator, body.user_id)).toHaveLength(1);
  await deleteUser(operator, bob.id);
  expect(await listApiKeys(operator, body.user_id)).toEqual([]);
});
