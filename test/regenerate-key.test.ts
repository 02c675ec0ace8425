import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { listApiKeys, revokeApiKey } from "../src/auth/api-keys";
import { setPassword } from "../src/users/update";
import { Browser } from "./support/browser";
import { Client } from "./support/client";
import { makeWorld, type World, worldHost } from "./support/world";

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
    const regenerated = await browser.api("POST", "/users/me/api_key/regenerate", {}, await browser.proof());
    expect([regenerated.status, regenerated.body.code]).toEqual([403, "BAD_REQUEST"]);
    for (const fields of [{}, { password: "" }, { password: "a-wrong-guess" }]) {
      const answer = await browser.submit("/account/key", fields);
      expect([answer.status, (await answer.text()).includes("key=")]).toEqual([answer.status, false]);
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
    const old = await renewed.get("/events", { queue_id: queue.id, last_event_id: -1, dont_block: true });
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
