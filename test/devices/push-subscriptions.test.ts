import { describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import type { Person as Actor, Context } from "../../src/core/context";
import { write } from "../../src/core/write";
import { addPushSubscription, addToken } from "../../src/devices/push/service";
import { hashTarget, sealTarget } from "../../src/devices/push/target";
import { listReceivers } from "../../src/devices/registration/operator";
import { registerClientDevice } from "../../src/devices/registration/service";
import { listApiKeys, revokeApiKey } from "../../src/sign-in/api-keys";
import { authenticate } from "../../src/sign-in/sign-in";
import { refusal } from "../support/listening";
import { errorOf } from "../support/outcome";
import { until } from "../support/polls";
import { Browser, browserOf, Receiver, subscribe } from "../support/servers/push-receivers";
import { PushRelay, registeredDevice } from "../support/servers/push-relay";
import { worldPerTest } from "../support/shared-world";
import { makeWorld, type Person, type World } from "../support/world";

let relay: PushRelay;
let receiver: Receiver;
let world: World;
const oneWorldForGroup = worldPerTest(
  async () => {
    relay = new PushRelay();
    receiver = new Receiver();
    world = await makeWorld({ ...relay.flags, outbound_networks_allowed: "127.0.0.0/8" });
  },
  async () => {
    await world.close();
    await relay.stop();
    await receiver.stop();
  },
);

const markRead = (person: Person, messages: number[]) =>
  person.post("/messages/flags", { messages, op: "add", flag: "read" });
const jobCount = async () => {
  const { db, t } = world.app.engine.reader;
  return (await db.select().from(t.jobs)).length;
};

describe("Without a relay", () => {
  test("a browser is told, encrypted as RFC 8291 says and signed with the server's VAPID key", async () => {
    const { alice, bob, clock } = world;
    const browser = await browserOf(alice, receiver);
    const id = await bob.tell([alice], "soup");
    await world.pass(0);
    expect(await browser.told()).toMatchObject([
      { type: "message", message_id: id, content: "soup" },
    ]);
    const [{ headers, body } = { headers: new Headers(), body: Buffer.from("") }] = receiver.posted;
    expect([headers.get("ttl"), headers.get("urgency")]).toEqual(["86400", "high"]);
    expect(body.toString("latin1")).not.toContain("soup");
    await markRead(alice, [id]);
    await world.pass(0);
    expect((await browser.told()).at(-1)).toMatchObject({ type: "remove", message_ids: [id] });
    const { body: listed } = await alice.get("/push_subscriptions");
    const { host } = new URL(receiver.site);
    const shown = {
      id: expect.any(Number),
      kind: "web_push",
      host,
      is_encrypted: true,
      created_at: clock.now(),
    };
    expect(listed.push_subscriptions).toEqual([shown]);
    expect((await bob.get("/push_subscriptions")).body).toMatchObject({
      vapid_public_key: listed.vapid_public_key,
      push_subscriptions: [],
    });
  });

  test("UnifiedPush gets JSON, encrypted where it has keys; ntfy what its app shows", async () => {
    const { alice, bob } = world;
    await subscribe(alice, { kind: "unified_push", endpoint: `${receiver.site}/up` });
    await subscribe(alice, { kind: "ntfy", endpoint: `${receiver.site}/kitchen` });
    const browser = await Browser.subscribe(
      receiver,
      (await alice.get("/push_subscriptions")).body.vapid_public_key,
    );
    await subscribe(alice, { ...browser.parameters(), kind: "unified_push" });
    const id = await bob.say("general", "süß", "@**Alice** soup");
    await world.pass(0);
    expect(receiver.json("/up")).toMatchObject([
      { type: "message", message_id: id, content: "@Alice soup" },
    ]);
    expect(await browser.told()).toMatchObject([{ message_id: id }]);
    const ntfy = receiver.posted.find(({ path }) => path === "/kitchen");
    expect(ntfy?.body.toString()).toBe("@Alice soup");
    const [, title = ""] = /^=\?UTF-8\?B\?(.+)\?=$/.exec(ntfy?.headers.get("title") ?? "") ?? [];
    expect(Buffer.from(title, "base64").toString()).toBe("Bob (#general > süß)");
    expect(ntfy?.headers.get("click")).toEndWith(
      `/#narrow/channel/${world.channels.general}-general/topic/s.C3.BC.C3.9F/near/${id}`,
    );
  });

  test.each([
    ["release 1.20", "release.201.2E20"],
    ["v2.0a", "v2.2E0a"],
    ["what's up (now)!*", "what.27s.20up.20.28now.29.21.2A"],
    ["", ""],
  ])("ntfy's app opens the topic %p", async (topic, encoded) => {
    const { alice, bob } = world;
    await subscribe(alice, { kind: "ntfy", endpoint: `${receiver.site}/kitchen` });
    const id = await bob.say("general", topic, "@**Alice** soup");
    await world.pass(0);
    const ntfy = receiver.posted.find(({ path }) => path === "/kitchen");
    expect(ntfy?.headers.get("click")).toEndWith(
      `/#narrow/channel/${world.channels.general}-general/topic/${encoded}/near/${id}`,
    );
  });

  test.each([404, 410])(
    "a subscription that its service answers with %d is forgotten",
    async (status) => {
      const { alice, bob } = world;
      await browserOf(alice, receiver);
      receiver.status = status;
      await bob.tell([alice], "x");
      await world.pass(0);
      expect((await alice.get("/push_subscriptions")).body.push_subscriptions).toEqual([]);
      await bob.tell([alice], "y");
      await world.pass(0);
      expect(receiver.posted.length).toBe(1);
    },
  );

  test("what a service does not take now is tried again; what it refuses is not", async () => {
    const { alice, bob } = world;
    const browser = await browserOf(alice, receiver);
    receiver.status = 503;
    await bob.tell([alice], "x");
    await world.pass(0);
    receiver.status = 201;
    await world.pass(10);
    expect((await browser.told()).length).toBe(2);
    receiver.status = 400;
    await bob.tell([alice], "y");
    await world.pass(0);
    await world.pass(10_000);
    expect(receiver.posted.length).toBe(3);
    expect(await jobCount()).toBe(0);
  });

  test("nothing goes out unencrypted where the organization wants it encrypted", async () => {
    const { alice, bob, olga, app } = world;
    await subscribe(alice, { kind: "unified_push", endpoint: `${receiver.site}/up` });
    const browser = await browserOf(alice, receiver);
    await olga.patch("/realm", { require_e2ee_push_notifications: true });
    await bob.tell([alice], "secret");
    await world.pass(0);
    expect([receiver.json("/up"), (await browser.told()).length]).toEqual([[], 1]);
    const { reader } = app.engine;
    const [realm = world.realm] = await reader.db
      .select()
      .from(reader.t.realms)
      .where(eq(reader.t.realms.id, world.realm.id));
    const states = (await listReceivers({ ...world.operator, realm }, alice.id)).map(
      ({ kind, state }) => [kind, state],
    );
    expect(states).toEqual([
      ["unified_push", "not notified"],
      ["web_push", "active"],
    ]);
    for (const kind of ["ntfy", "unified_push"]) {
      const answer = await alice.post("/push_subscriptions", {
        kind,
        endpoint: `${receiver.site}/other`,
      });
      expect([kind, refusal(answer)]).toEqual([kind, "400 BAD_REQUEST"]);
    }
    const encrypted = await alice.post("/push_subscriptions", {
      ...browser.parameters(),
      kind: "unified_push",
    });
    expect(encrypted.status).toBe(200);
    const { push_subscriptions } = (await alice.get("/push_subscriptions")).body;
    const shown = push_subscriptions.map(
      ({ is_encrypted }: { is_encrypted: boolean }) => is_encrypted,
    );
    expect(shown).toEqual([false, true, true]);
  });

  test("a relay that does not answer holds up neither browsers nor anything else that goes out", async () => {
    const { alice, bob } = world;
    await registeredDevice(world.pass, alice, relay);
    const browser = await browserOf(alice, receiver);
    const { promise, resolve } = Promise.withResolvers<void>();
    relay.hold = promise;
    for (let i = 0; i < 20; i++) await bob.tell([alice], `${i}`);
    await until(() => receiver.posted.length === 20);
    expect((await browser.told()).length).toBe(20);
    resolve();
    await world.pass(0);
  });

  test("all nodes have one key, also when they make it at the same moment, and a later start has it too", async () => {
    const { alice } = world;
    const node = await world.startNode();
    const keyAt = async (person: Person) =>
      (await person.get("/push_subscriptions")).body.vapid_public_key;
    const [key, other] = await Promise.all([keyAt(alice), keyAt(alice.at(node))]);
    expect(other).toBe(key);
    await node.close();
    await world.restart();
    expect(await keyAt(alice)).toBe(key);
  });

  test("a message that another node has taken is told of, too", async () => {
    const { alice, bob } = world;
    const node = await world.startNode();
    const browser = await browserOf(alice, receiver);
    await bob.at(node).tell([alice], "x");
    await world.pass(1);
    await world.pass(1);
    expect(await browser.told()).toMatchObject([{ type: "message", content: "x" }]);
  });

  test("E10: another's subscription is removed by nobody, and answers like a missing one", async () => {
    const { alice, bob, zoe } = world;
    const id = await subscribe(alice, { kind: "ntfy", endpoint: `${receiver.site}/x` });
    const missing = (await bob.delete("/push_subscriptions/99999")).body;
    for (const other of [bob, zoe])
      expect((await other.delete(`/push_subscriptions/${id}`)).body).toEqual(missing);
    expect((await alice.delete(`/push_subscriptions/${id}`)).status).toBe(200);
    expect(refusal(await alice.delete(`/push_subscriptions/${id}`))).toBe("400 BAD_REQUEST");
  });

  test("the same address is one subscription, and there are no more of them than may be", async () => {
    const { alice } = world;
    const parameters = { kind: "ntfy", endpoint: "https://ntfy.example.com/a" };
    expect(await subscribe(alice, parameters)).toBe(await subscribe(alice, parameters));
    for (let i = 0; i < 55; i++)
      await subscribe(alice, { ...parameters, endpoint: `https://ntfy.example.com/${i}` });
    expect((await alice.get("/push_subscriptions")).body.push_subscriptions.length).toBe(50);
  });

  test("C9: addresses and keys are stored sealed, and shown to nobody again", async () => {
    const { alice, app } = world;
    const browser = await browserOf(alice, receiver);
    const { endpoint, auth } = browser.parameters();
    const stored = await app.engine.reader.db.select().from(app.engine.reader.t.pushSubscriptions);
    const shown = JSON.stringify([stored, (await alice.get("/push_subscriptions")).body]);
    for (const secret of [endpoint, auth, browser.path]) expect(shown).not.toContain(secret);
  });
});

describe("An address is refused", () => {
  oneWorldForGroup();

  const browserKeys = { p256dh: "x", auth: "y" };

  test.each([
    ["no address", { kind: "ntfy", endpoint: "kitchen" }],
    ["of another protocol", { kind: "ntfy", endpoint: "file:///etc/passwd" }],
    ["with credentials", { kind: "ntfy", endpoint: "https://a:b@ntfy.example.com/x" }],
    ["too long", { kind: "ntfy", endpoint: `https://ntfy.example.com/${"x".repeat(1_000)}` }],
    ["without keys", { kind: "web_push", endpoint: "https://push.example.com/x" }],
    [
      "with wrong keys",
      { kind: "web_push", endpoint: "https://push.example.com/x", ...browserKeys },
    ],
    ["of no kind", { kind: "pigeon", endpoint: "https://push.example.com/x" }],
  ])("%s", async (_, parameters) => {
    expect((await world.alice.post("/push_subscriptions", parameters)).status).toBe(400);
  });
});

describe("An address is refused", () => {
  test("G1: that is not of the open internet, however it is written; nothing reaches a listener there", async () => {
    await world.close();
    world = await makeWorld();
    const { alice, bob } = world;
    const { port } = new URL(receiver.site);
    const hosts = [
      "127.0.0.1",
      "2130706433",
      "0x7f.1",
      "[::1]",
      "[::ffff:127.0.0.1]",
      "localhost",
      "10.0.0.1",
      "169.254.169.254",
    ];
    for (const host of hosts) {
      const answer = await alice.post("/push_subscriptions", {
        kind: "ntfy",
        endpoint: `http://${host}:${port}/x`,
      });
      expect([host, refusal(answer)]).toEqual([host, "400 BAD_REQUEST"]);
    }
    // One that was let in when the operator still allowed the network.
    const { app, realm, clock } = world;
    const to = `${receiver.site}/x`;
    const target = {
      targetHash: hashTarget(to),
      sealedTarget: sealTarget(app.secrets, alice.id, { to }),
    };
    const row = {
      realmId: realm.id,
      userId: alice.id,
      apiKeyId: 1,
      kind: "ntfy",
      createdAt: clock.now(),
      ...target,
    };
    await write(
      { app, realm, now: clock.now() },
      async (tx) => void (await tx.db.insert(tx.t.pushSubscriptions).values(row)),
    );
    await bob.tell([alice], "x");
    await world.pass(0);
    expect(receiver.posted).toEqual([]);
    expect((await alice.get("/push_subscriptions")).body.push_subscriptions).toEqual([]);
  });
});

describe("Tokens of older mobile clients", () => {
  const apns = { token: "abcd1234", appid: "org.example.app" };

  test("are registered and removed; what is none or not one's own is refused", async () => {
    const { alice, bob } = world;
    expect((await alice.post("/users/me/apns_device_token", apns)).body).toEqual({
      result: "success",
      msg: "",
    });
    expect(refusal(await bob.delete("/users/me/apns_device_token", apns))).toBe("400 BAD_REQUEST");
    expect((await alice.delete("/users/me/apns_device_token", apns)).status).toBe(200);
    expect(refusal(await alice.delete("/users/me/apns_device_token", apns))).toBe(
      "400 BAD_REQUEST",
    );
    for (const token of ["", "x".repeat(5_000), "not hex"]) {
      expect(refusal(await alice.post("/users/me/apns_device_token", { ...apns, token }))).toBe(
        "400 BAD_REQUEST",
      );
    }
    expect((await alice.post("/users/me/android_gcm_reg_id", { token: "fcm:1" })).status).toBe(200);
    expect((await alice.delete("/users/me/android_gcm_reg_id", { token: "fcm:1" })).status).toBe(
      200,
    );
    expect(refusal(await alice.post("/users/me/android_gcm_reg_id", { token: "" }))).toBe(
      "400 BAD_REQUEST",
    );
  });

  test("are told of nothing, as that would not be encrypted; a test notification says so", async () => {
    const { alice, bob } = world;
    await alice.post("/users/me/android_gcm_reg_id", { token: "fcm:1" });
    const before = [relay.requests, await jobCount()];
    await bob.tell([alice], "soup");
    expect((await alice.post("/mobile_push/test_notification")).body).toEqual({
      result: "success",
      msg: "",
    });
    await world.pass(0);
    expect([relay.requests, await jobCount()]).toEqual(before);
    expect(refusal(await alice.post("/mobile_push/test_notification", { token: "fcm:1" }))).toBe(
      "400 INVALID_PUSH_DEVICE_TOKEN",
    );
    expect((await alice.get("/push_subscriptions")).body.push_subscriptions).toEqual([]);
  });
});

test("A test notification goes to browsers and other receivers of who asks", async () => {
  const { alice, bob } = world;
  const [browser, other] = [await browserOf(alice, receiver), await browserOf(bob, receiver)];
  await subscribe(alice, { kind: "ntfy", endpoint: `${receiver.site}/kitchen` });
  await alice.post("/mobile_push/test_notification");
  await world.pass(0);
  expect(await browser.told()).toMatchObject([{ type: "test", user_id: alice.id }]);
  expect(await other.told()).toEqual([]);
  expect(receiver.posted.find(({ path }) => path === "/kitchen")?.body.toString()).toContain(
    "Notifications arrive",
  );
});

test("Tests for a receiver that does not take them wait as one, however often they are asked for", async () => {
  const { alice } = world;
  await browserOf(alice, receiver);
  await subscribe(alice, { kind: "ntfy", endpoint: `${receiver.site}/kitchen` });
  receiver.status = 503;
  for (let count = 0; count < 10; count++) {
    expect((await alice.post("/mobile_push/test_notification")).status).toBe(200);
    await world.pass(0);
  }
  expect(await jobCount()).toBe(2);
  receiver.status = 201;
  const before = receiver.posted.length;
  await world.pass(3_600);
  expect(receiver.posted.slice(before)).toHaveLength(2);
  expect(await jobCount()).toBe(0);
});

test("I1: a registration that was under way when its API key ended is refused, and leaves nothing", async () => {
  const { app, realm, alice, operator } = world;
  const { email, apiKey } = alice.credentials ?? { email: "", apiKey: "" };
  const signature = `Basic ${Buffer.from(`${email}:${apiKey}`).toString("base64")}`;
  const actor = await authenticate(app, realm, signature, app.engine.openReader());
  const arrived: Context<Actor> = { ...operator, actor };
  for (const { id } of await listApiKeys(operator, alice.id)) await revokeApiKey(operator, id);
  const endpoint = `${receiver.site}/kitchen`;
  const asked = [
    () =>
      addPushSubscription(arrived, { kind: "ntfy", endpoint, p256dh: undefined, auth: undefined }),
    () => addToken("fcm")(arrived, { token: "soup" }),
    () => registerClientDevice(arrived),
  ];
  for (const ask of asked)
    expect(await errorOf(ask())).toMatchObject({ code: "UNAUTHORIZED", status: 401 });
  expect(await listReceivers(operator, alice.id)).toEqual([]);
});
