import { afterEach, beforeEach, expect, test } from "bun:test";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { registerServer } from "../../src/devices/push/register-server";
import { outcomeOf } from "../support/outcome";
import { until } from "../support/polls";
import { PushRelay, registeredDevice } from "../support/servers/push-relay";
import { makeWorld, type World, worldHost } from "../support/world";

let relay: PushRelay;
let world: World;
beforeEach(async () => {
  relay = new PushRelay();
  world = await makeWorld({ push_relay_url: relay.flags["push_relay_url"] ?? "" });
});
afterEach(async () => {
  await world.close();
  await relay.stop();
});

const register = (more: { host?: string; rotatesKey?: boolean } = {}) =>
  registerServer(world.app, {
    host: undefined,
    contact: "ops@example.com",
    rotatesKey: false,
    ...more,
  });
const keptIn = () => JSON.parse(readFileSync(fileOf(), "utf8"));
const fileOf = () => join(world.place.dataFolder, "push-relay.json");

async function notifyAlice() {
  await world.bob.post("/messages", { type: "direct", to: [world.alice.id], content: "soup?" });
  await world.pass(0);
  await world.pass(0);
}

test("A server registers with its organizations, keeps id and key for itself, and its phones are notified", async () => {
  const registered = await register();
  expect(registered).toMatchObject({ host: worldHost, isNew: true, organizations: 2 });
  const { id, key } = keptIn();
  expect([...relay.servers]).toEqual([
    [id, { key, hostname: worldHost, contact: "ops@example.com" }],
  ]);
  expect(statSync(fileOf()).mode & 0o777).toBe(0o600);
  expect(relay.realms).toMatchObject([
    {
      uuid: world.operator.realm.uuid,
      host: worldHost,
      name: "Acme",
      deactivated: false,
      uuid_owner_secret: expect.stringMatching(/^[0-9a-f]{64}$/),
    },
    { host: world.zoe.host },
  ]);
  expect(relay.realms[0]?.["uuid_owner_secret"]).not.toBe(relay.realms[1]?.["uuid_owner_secret"]);
  // The server that runs takes the identity up without a restart.
  const device = await registeredDevice(world.pass, world.alice, relay);
  await notifyAlice();
  expect(relay.arrived.get(device.token)).toHaveLength(1);
  expect(await register()).toMatchObject({ id, isNew: false });
  expect(keptIn()).toEqual({ id, key });
});

test("A key is replaced by a new one, also where the answer to that was lost", async () => {
  await register();
  const { id, key } = keptIn();
  await register({ rotatesKey: true });
  const second = keptIn();
  expect([second.id, second.key === key, relay.servers.get(id)?.key]).toEqual([
    id,
    false,
    second.key,
  ]);
  relay.losesAnswersToNewKeys = true;
  expect(await outcomeOf(register({ rotatesKey: true }))).toThrow("failed with status 502");
  relay.losesAnswersToNewKeys = false;
  const device = await registeredDevice(world.pass, world.alice, relay);
  await notifyAlice();
  expect(relay.arrived.get(device.token)).toHaveLength(1);
  await register();
  expect(keptIn()).toEqual({ id, key: relay.servers.get(id)?.key });
  expect(keptIn().key).not.toBe(second.key);
});

test("A notification that is on its way while the key is replaced arrives with the new one", async () => {
  await register();
  const device = await registeredDevice(world.pass, world.alice, relay);
  const { promise, resolve } = Promise.withResolvers<void>();
  const before = relay.requests;
  relay.hold = promise;
  const notifying = notifyAlice();
  await until(() => relay.requests > before);
  relay.hold = undefined;
  await register({ rotatesKey: true });
  resolve();
  await notifying;
  await world.pass(0);
  expect(relay.arrived.get(device.token)).toHaveLength(1);
});

test("The first registration gets a new key too, which is kept as the relay has it", async () => {
  expect(await register({ rotatesKey: true })).toMatchObject({ isNew: true });
  const { id, key } = keptIn();
  expect(keptIn()).toEqual({ id, key });
  expect(relay.servers.get(id)?.key).toBe(key);
  expect(relay.realms).toHaveLength(2);
});

test("A damaged file with the identity is refused and stays, because a new identity would be another server", async () => {
  writeFileSync(fileOf(), "");
  expect(await outcomeOf(register())).toThrow(`${fileOf()} is damaged: bring it back from a copy`);
  expect([readFileSync(fileOf(), "utf8"), relay.requests]).toEqual(["", 0]);
});

test("The relay hears nothing of organizations that are deactivated", async () => {
  expect((await world.zoe.post("/realm/deactivate")).status).toBe(200);
  expect(await register()).toMatchObject({ organizations: 1 });
  expect(relay.realms).toMatchObject([{ host: worldHost }]);
});

test("A host of another server, a relay that is away, and none at all are told of in words", async () => {
  relay.servers.set("other", { key: "k", hostname: worldHost, contact: "" });
  expect(await outcomeOf(register())).toThrow("Another server is registered at the push relay");
  await register({ host: "chat.acme.example" });
  expect([...relay.servers.values()].map(({ hostname }) => hostname)).toContain(
    "chat.acme.example",
  );
  await relay.stop();
  expect(await outcomeOf(register())).toThrow("The push relay cannot be reached");
  const quiet = await makeWorld();
  const asked = { host: undefined, contact: "ops@example.com", rotatesKey: false };
  expect(await outcomeOf(registerServer(quiet.app, asked))).toThrow("set push_relay_url");
  await quiet.close();
});

test("Where id and key are configured they are registered, and no file is written; a new key is refused", async () => {
  const there = new PushRelay(`6f3c2d1e-0000-4000-8000-000000000001:${"k".repeat(64)}`);
  const configured = await makeWorld(there.flags);
  const asked = { host: undefined, contact: "ops@example.com", rotatesKey: false };
  expect(await registerServer(configured.app, asked)).toMatchObject({ isNew: true });
  expect([...there.servers.keys()]).toEqual(["6f3c2d1e-0000-4000-8000-000000000001"]);
  expect(() => statSync(join(configured.place.dataFolder, "push-relay.json"))).toThrow("ENOENT");
  expect(await outcomeOf(registerServer(configured.app, { ...asked, rotatesKey: true }))).toThrow(
    "The key is set in the configuration",
  );
  await configured.close();
  await there.stop();
});
