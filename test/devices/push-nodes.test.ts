import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { RunningApp } from "../../src/app";
import type { Config } from "../../src/config/config";
import { tidyUndelivered } from "../../src/devices/push/tidy-undelivered";
import { until } from "../support/polls";
import { MobileDevice, PushRelay, registeredDevice } from "../support/servers/push-relay";
import { makeWorld, type Node, type World } from "../support/world";

let relay: PushRelay;
let world: World;
let other: Node;
beforeEach(async () => {
  relay = new PushRelay();
  world = await makeWorld(relay.flags);
  other = await world.startNode();
});
afterEach(async () => {
  await world.close();
  await relay.stop();
});

const lacks = (app: RunningApp, ...keys: (keyof Config)[]) =>
  Object.assign(app, {
    config: { ...app.config, ...Object.fromEntries(keys.map((key) => [key, undefined])) },
  });
const contents = (phone: MobileDevice) => phone.told().map(({ content }) => content);
const jobNames = async () => {
  const { db, t } = world.app.engine.reader;
  return (await db.select({ name: t.jobs.name }).from(t.jobs)).map(({ name }) => name);
};
/** Lets both nodes work on what the other one has enqueued. */
async function work() {
  for (let turn = 0; turn < 3; turn++) {
    await world.pass(1);
    for (const { app } of [world, other]) app.jobs.wake(0);
    await world.pass(0);
  }
}

describe.each([
  ["the address of the relay", ["pushRelayUrl"]],
  ["an ID and a key", ["pushRelayId", "pushRelayKey"]],
] as const)("A node without %s", (_, keys) => {
  test("leaves notifications to a node that can deliver them", async () => {
    const { alice, bob } = world;
    const phone = await registeredDevice(world.pass, alice, relay);
    lacks(other.app, ...keys);
    await bob.tell([alice], "here");
    await work();
    await bob.at(other).tell([alice], "there");
    await work();
    expect([contents(phone), await jobNames()]).toEqual([["here", "there"], []]);
  });

  test("drops notifications that no node has delivered after hours", async () => {
    const { alice, bob } = world;
    const phone = await registeredDevice(world.pass, alice, relay);
    for (const { app } of [world, other]) lacks(app, ...keys);
    await bob.tell([alice], "x");
    await work();
    expect(await jobNames()).toEqual(["deliver_through_relay"]);
    await world.pass(3_600);
    await tidyUndelivered(world.app);
    expect(await jobNames()).toEqual(["deliver_through_relay"]);
    await world.pass(3_600);
    await tidyUndelivered(world.app);
    expect([contents(phone), await jobNames()]).toEqual([[], []]);
    await until(() => world.logged.some((line) => line.includes("pushes_dropped")));
  });
});

test("A device that a node without an ID could not register is registered by one that has an ID", async () => {
  const { alice, bob } = world;
  lacks(other.app, "pushRelayId", "pushRelayKey");
  const phone = await new MobileDevice(alice.at(other), relay).signUp();
  expect((await phone.register()).status).toBe(200);
  await work();
  await other.close();
  for (let hour = 0; hour < 2; hour++) {
    await world.pass(3_600);
    world.app.jobs.wake(0);
    await world.pass(0);
  }
  await bob.tell([alice], "x");
  await world.pass(1);
  expect(contents(phone)).toEqual(["x"]);
});
