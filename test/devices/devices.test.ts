import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { deactivateUser } from "../../src/management/accounts/deactivate";
import { setPassword } from "../../src/management/accounts/update";
import { issueApiKey, revokeApiKey } from "../../src/sign-in/api-keys";
import type { WireEvent } from "../support/client";
import { verifyInTurn } from "../support/client-state/verify";
import { hear, listen, refusal } from "../support/listening";
import { MobileDevice, PushRelay, registeredDevice } from "../support/servers/push-relay";
import { makeWorld, Person, type World } from "../support/world";

let relay: PushRelay;
let world: World;
beforeEach(async () => {
  relay = new PushRelay();
  world = await makeWorld(relay.flags);
});
afterEach(async () => {
  await world.close();
  await relay.stop();
});

const deviceOnly = { event_types: ["device"] };
const inShort = ({ type: _, id: _id, op, device_id: _device, ...fields }: WireEvent) => [
  op,
  fields,
];
const registerDevice = async (person: Person): Promise<number> =>
  (await person.post("/register_client_device")).body.device_id;
const removeDevice = (person: Person, device_id: number) =>
  person.post("/remove_client_device", { device_id });
const devicesOf = async (person: Person) =>
  (await person.register({ fetch_event_types: ["device"] })).state.devices;
const active = (person: Person, kind?: "fcm" | "apns") =>
  registeredDevice(world.pass, person, relay, kind);

const unregistered = {
  push_key_id: null,
  push_token_id: null,
  pending_push_token_id: null,
  push_token_last_updated_timestamp: null,
  push_registration_error_code: null,
};

describe("A client becomes one of Alice's devices", () => {
  test("and is removed when she logs out: her own clients hear of both, nobody else", async () => {
    const { alice, bob } = world;
    const queues = await listen({ alice, bob }, deviceOnly);
    const id = await registerDevice(alice);
    expect(await devicesOf(alice)).toEqual({ [id]: unregistered });
    expect(await devicesOf(bob)).toEqual({});
    expect((await removeDevice(alice, id)).body).toEqual({ result: "success", msg: "" });
    expect(await devicesOf(alice)).toEqual({});
    const short = ({ op, device_id }: WireEvent) => [op, device_id];
    expect(await hear(queues, short)).toEqual({
      alice: [
        ["add", id],
        ["remove", id],
      ],
      bob: [],
    });
    expect(refusal(await removeDevice(alice, id))).toBe("400 BAD_REQUEST");
  });

  test("E10: another's device is removed and registered by nobody, and answers like a missing one", async () => {
    const { alice, bob, olga, zoe } = world;
    const device = await active(alice);
    const missing = await removeDevice(bob, 99_999);
    for (const other of [bob, olga, zoe]) {
      const { status, body } = await removeDevice(other, device.deviceId);
      expect([status, body]).toEqual([missing.status, missing.body]);
      const parameters = { device_id: device.deviceId, ...device.keyParameters() };
      expect(refusal(await other.post("/mobile_push/register", parameters))).toBe(
        "400 BAD_REQUEST",
      );
    }
    expect(Object.keys(await devicesOf(alice))).toEqual([String(device.deviceId)]);
  });

  test("C9: the key of a device is told to nobody and stored sealed", async () => {
    const { alice, bob, app } = world;
    const queues = await listen({ alice, bob }, { event_types: ["device", "push_device"] });
    const device = await active(alice);
    const seen = JSON.stringify([await hear(queues, (event) => event), await devicesOf(alice)]);
    expect(seen).not.toContain(device.pushKey);
    const rows = await app.engine.reader.db.select().from(app.engine.reader.t.devices);
    expect(JSON.stringify(rows)).not.toContain(device.pushKey);
  });

  test("every client's state follows from its events", async () => {
    const { alice } = world;
    const verifyNext = verifyInTurn(world);
    let device = new MobileDevice(alice, relay);
    await verifyNext(async () => {
      await registerDevice(alice);
      device = await active(alice);
    });
    await verifyNext(async () => {
      device.renewKey();
      await device.register(device.keyParameters());
      await removeDevice(alice, device.deviceId);
    });
  });
});

test("H5: devices of a user are bounded: the oldest makes room, and its clients hear of that", async () => {
  const { alice } = world;
  await world.close();
  world = await makeWorld({ ...relay.flags, push_devices_per_user_max: "2" });
  const ids = [await registerDevice(world.alice), await registerDevice(world.alice)];
  const queues = await listen({ alice: world.alice }, deviceOnly);
  const newest = await registerDevice(world.alice);
  expect(Object.keys(await devicesOf(world.alice))).toEqual([ids[1], newest].map(String));
  expect(await hear(queues, ({ op, device_id }) => [op, device_id])).toEqual({
    alice: [
      ["remove", ids[0]],
      ["add", newest],
    ],
  });
  expect(alice.id).toBe(world.alice.id);
});

describe("A device is registered for notifications", () => {
  test("it is pending until the relay has taken it: its owner's clients hear of both", async () => {
    const { alice, bob, clock } = world;
    const device = await new MobileDevice(alice, relay).signUp();
    const queues = await listen({ alice, bob }, deviceOnly);
    await relay.stop();
    expect((await device.register()).body).toEqual({ result: "success", msg: "" });
    const at = clock.now();
    await world.pass(0);
    const known = { push_key_id: device.pushKeyId, push_token_last_updated_timestamp: at };
    const pending = {
      ...known,
      pending_push_token_id: device.tokenId,
      push_registration_error_code: null,
    };
    expect(await devicesOf(alice)).toEqual({
      [device.deviceId]: { ...pending, push_token_id: null },
    });
    expect(await hear(queues, inShort)).toEqual({ alice: [["update", pending]], bob: [] });
    relay.restart();
    await world.pass(10);
    const done = {
      push_token_id: device.tokenId,
      pending_push_token_id: null,
      push_registration_error_code: null,
    };
    expect(await hear(queues, inShort)).toEqual({ alice: [["update", done]], bob: [] });
    expect(await devicesOf(alice)).toEqual({ [device.deviceId]: { ...known, ...done } });
    expect(relay.tokens.get(device.tokenId)).toMatchObject({
      token: device.token,
      token_kind: "fcm",
    });
  });

  test("clients that ask for the older event by name get it, with an integer; others do not", async () => {
    const { alice, bob } = world;
    const asking = await alice.register({ event_types: ["push_device"] });
    const all = await alice.register();
    const others = await bob.register({ event_types: ["push_device"] });
    const device = await active(alice);
    const push_account_id = device.pushKeyId;
    const events = (await asking.events()).map(({ id: _, ...event }) => event);
    expect(events).toEqual([
      { type: "push_device", push_account_id, status: "pending", error_code: null },
      { type: "push_device", push_account_id, status: "active", error_code: null },
    ]);
    expect((await all.events()).map(({ type }) => type)).toEqual(["device", "device", "device"]);
    expect(await others.events()).toEqual([]);
    const { state } = await alice.register({ fetch_event_types: ["push_device"] });
    expect(state.push_devices).toEqual({
      [push_account_id]: { status: "active", error_code: null },
    });
    expect("push_devices" in (await alice.register()).state).toBe(false);
  });

  test.each(["INVALID_BOUNCER_PUBLIC_KEY", "REQUEST_EXPIRED", "BAD_REQUEST"])(
    "the relay refuses it with %s: that is told, and it may be tried again",
    async (code) => {
      const { alice } = world;
      const device = await new MobileDevice(alice, relay).signUp();
      const queue = await alice.register({ event_types: ["device", "push_device"] });
      relay.refusal = { status: 400, code };
      await device.register();
      await world.pass(0);
      const failed = { push_registration_error_code: code };
      expect((await devicesOf(alice))[device.deviceId]).toMatchObject({
        ...failed,
        push_token_id: null,
      });
      const [, , update, older] = await queue.events();
      expect(update).toMatchObject({ type: "device", op: "update", ...failed });
      expect(older).toMatchObject({ type: "push_device", status: "failed", error_code: code });
      relay.refusal = undefined;
      expect((await device.register()).status).toBe(200);
      await world.pass(0);
      expect((await devicesOf(alice))[device.deviceId]).toMatchObject({
        push_token_id: device.tokenId,
      });
    },
  );

  test("its key is changed alone, and its token alone; the same once more changes nothing", async () => {
    const { alice } = world;
    const device = await active(alice);
    const queue = await alice.register(deviceOnly);
    await device.register();
    await device.register(device.keyParameters());
    await device.register(device.tokenParameters());
    await world.pass(0);
    expect(await queue.events()).toEqual([]);
    device.renewKey();
    expect((await device.register(device.keyParameters())).status).toBe(200);
    expect((await queue.events()).map(inShort)).toEqual([
      ["update", { push_key_id: device.pushKeyId }],
    ]);
    device.tokenNumber += 1_000;
    expect((await device.register(device.tokenParameters())).status).toBe(200);
    await world.pass(0);
    expect((await devicesOf(alice))[device.deviceId]).toMatchObject({
      push_token_id: device.tokenId,
      pending_push_token_id: null,
    });
    await alice.post("/mobile_push/e2ee/test_notification");
    expect(device.told()).toMatchObject([{ type: "test" }]);
  });

  test("what is incomplete, of another form, too early or in progress is refused", async () => {
    const { alice } = world;
    const device = await new MobileDevice(alice, relay).signUp();
    const { push_key, ...noKey } = { ...device.keyParameters(), ...device.tokenParameters() };
    const badKey = Buffer.alloc(33).toString("base64");
    const all = { push_key, ...noKey };
    for (const parameters of [
      { push_key_id: 1 },
      { token_kind: "fcm", token_id: device.tokenId },
      { ...all, push_key: badKey },
      { ...all, push_key: "no" },
      { ...all, push_key_id: 2 ** 32 },
      { ...all, token_kind: "pigeon" },
      { ...all, token_id: "AAAA" },
      { ...all, encrypted_push_registration: "x".repeat(10_001) },
      device.keyParameters(),
      device.tokenParameters(),
      { ...all, device_id: 99_999 },
    ]) {
      expect([parameters, (await device.register(parameters)).status]).toEqual([parameters, 400]);
    }
    const known = await active(alice);
    for (const half of [{ push_key: known.pushKey }, { push_key_id: 7 }]) {
      expect(refusal(await known.register({ ...known.tokenParameters(), ...half }))).toBe(
        "400 BAD_REQUEST",
      );
      const halfToken = { ...known.keyParameters(), token_id: known.tokenId };
      expect(refusal(await known.register(halfToken))).toBe("400 BAD_REQUEST");
    }
    await relay.stop();
    expect((await device.register()).status).toBe(200);
    await world.pass(0);
    expect(refusal(await device.register())).toBe("400 BAD_REQUEST");
    relay.restart();
  });

  test("without a relay it is refused, and clients are told that there is none", async () => {
    await world.close();
    world = await makeWorld();
    const { alice, anonymous } = world;
    const device = await new MobileDevice(alice, relay).signUp();
    expect(refusal(await device.register())).toBe("400 PUSH_SERVICE_NOT_CONFIGURED");
    expect((await anonymous.get("/server_settings")).body.push_notifications_enabled).toBe(false);
    expect((await alice.register()).state.realm_push_notifications_enabled).toBe(false);
  });

  test("with a relay clients are told so", async () => {
    const { alice, anonymous } = world;
    expect((await anonymous.get("/server_settings")).body.push_notifications_enabled).toBe(true);
    expect((await alice.register()).state.realm_push_notifications_enabled).toBe(true);
  });
});

describe("A test notification", () => {
  const send = (person: Person, parameters = {}) =>
    person.post("/mobile_push/e2ee/test_notification", parameters);

  test("arrives at one device or all, encrypted: only the device can open it", async () => {
    const { alice, realm, site, clock } = world;
    const [phone, tablet] = [await active(alice), await active(alice, "apns")];
    expect((await send(alice, { device_id: phone.deviceId })).body).toEqual({
      result: "success",
      msg: "",
    });
    const data = {
      type: "test",
      realm_name: realm.name,
      realm_url: expect.any(String),
      user_id: alice.id,
    };
    const arrived = { ...data, time: clock.now() };
    expect(phone.received()).toEqual([
      {
        token_id: phone.tokenId,
        fcm_priority: "high",
        push_key_id: phone.pushKeyId,
        data: arrived,
      },
    ]);
    expect([tablet.told(), site]).toEqual([[], site]);
    await send(alice);
    expect([phone.told(), tablet.told()]).toEqual([[arrived, arrived], [arrived]]);
    expect(tablet.received()).toMatchObject([
      { http_headers: { apns_priority: 10, apns_push_type: "alert" } },
    ]);
    const onTheWay = JSON.stringify([...relay.arrived.values()]);
    expect(onTheWay).not.toContain(Buffer.from('"test"').toString("base64").slice(0, 6));
  });

  test("is refused where no device is registered, with another's as with none", async () => {
    const { alice, bob } = world;
    const device = await active(bob);
    await registerDevice(alice);
    expect(refusal(await send(alice))).toBe("400 NO_ACTIVE_PUSH_DEVICE");
    expect(refusal(await send(alice, { device_id: device.deviceId }))).toBe(
      "400 NO_ACTIVE_PUSH_DEVICE",
    );
    expect(device.told()).toEqual([]);
  });

  test("a device that the relay does not know any more is no active one", async () => {
    const { alice } = world;
    const device = await active(alice);
    relay.tokens.clear();
    const queue = await alice.register(deviceOnly);
    expect(refusal(await send(alice))).toBe("400 NO_ACTIVE_PUSH_DEVICE");
    expect((await queue.events()).map(inShort)).toEqual([["update", { push_token_id: null }]]);
    expect((await devicesOf(alice))[device.deviceId].push_token_id).toBeNull();
  });

  test("is refused where the relay does not take what this server sends", async () => {
    await active(world.alice);
    relay.health = "strange";
    expect(refusal(await send(world.alice))).toBe("403 ADMIN_ACTION_REQUIRED");
  });

  test("is refused where the relay cannot be reached", async () => {
    await active(world.alice);
    await relay.stop();
    expect(refusal(await send(world.alice))).toBe("502 FAILED_TO_CONNECT_BOUNCER");
  });

  test("is refused where the relay is broken", async () => {
    await active(world.alice);
    relay.health = "broken";
    expect(refusal(await send(world.alice))).toBe("502 INTERNAL_SERVER_ERROR_ON_BOUNCER");
  });
});

describe("Devices end with what they were registered with", () => {
  const register = async (person: Person) => {
    const device = await active(person);
    const { body } = await person.post("/push_subscriptions", {
      kind: "ntfy",
      endpoint: "https://ntfy.example.com/x",
    });
    return [device.deviceId, body.id];
  };
  const withAnotherKey = async ({ site, host, id, email, fullName }: Person) => {
    const { id: keyId, apiKey } = await issueApiKey(world.operator, id, "phone");
    return { keyId, person: new Person(site, host, id, email, fullName, apiKey) };
  };
  const left = async () => {
    const { db, t } = world.app.engine.reader;
    return [await db.select().from(t.devices), await db.select().from(t.pushSubscriptions)].map(
      (rows) => rows.length,
    );
  };

  test("C3: deactivation ends a person's push registrations", async () => {
    await register(world.alice);
    await register(world.bob);
    await deactivateUser(world.operator, world.alice.id);
    expect(await left()).toEqual([1, 1]);
    await world.bob.tell([world.carol], "x");
    expect(await devicesOf(world.bob)).not.toEqual({});
  });

  test("C3: revoking an API key ends what was registered with it; the person's other clients hear of it", async () => {
    const { alice, operator } = world;
    const phone = await withAnotherKey(alice);
    const [deviceId] = await register(phone.person);
    const queues = await listen({ alice, bob: world.bob }, deviceOnly);
    await revokeApiKey(operator, phone.keyId);
    expect(await left()).toEqual([0, 0]);
    expect(await hear(queues, ({ op, device_id }) => [op, device_id])).toEqual({
      alice: [["remove", deviceId]],
      bob: [],
    });
  });

  test("I1: changing the password ends the push registrations of all other clients", async () => {
    const { alice } = world;
    await setPassword(world.operator, alice.id, "correct-horse-battery");
    await register((await withAnotherKey(alice)).person);
    const [kept] = await register(alice);
    expect(await left()).toEqual([2, 1]);
    const queue = await alice.register(deviceOnly);
    const passwords = {
      old_password: "correct-horse-battery",
      new_password: "another-horse-battery",
    };
    expect((await alice.patch("/settings", passwords)).status).toBe(200);
    expect(Object.keys(await devicesOf(alice))).toEqual([String(kept)]);
    expect((await queue.events()).map(({ op }) => op)).toEqual(["remove"]);
  });
});
