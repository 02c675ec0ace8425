import { afterAll, beforeAll, expect, test } from "bun:test";
import { countBytesRead } from "../support/databases/bytes-read";
import { succeeded } from "../support/groups";
import { addManyPeople } from "../support/many-people";
import { makeWorld, type World } from "../support/world";

const bytesReadBy = countBytesRead();

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.close());

test("After a change of a person's settings, the subscribers of all channels are not counted again", async () => {
  const { olga, otto, alice } = world;
  let isOn = false;
  const readAfterChange = async () => {
    await otto.register();
    isOn = !isOn;
    succeeded(await alice.patch("/settings", { twenty_four_hour_time: isOn }));
    return bytesReadBy(() => otto.register());
  };
  await readAfterChange();
  const ofFew = await readAfterChange();
  const names = Array.from({ length: 150 }, (_, index) => ({ name: `channel ${index}` }));
  succeeded(await olga.post("/users/me/subscriptions", { subscriptions: names }));
  await readAfterChange();
  const ofMany = await readAfterChange();
  expect(ofMany - ofFew).toBeLessThan(1_000);
});

test("After a change of a person's settings, a list of channels reads no accounts of active people", async () => {
  const { otto, alice } = world;
  let isOn = false;
  const readAfterChange = async () => {
    await otto.get("/streams");
    isOn = !isOn;
    succeeded(await alice.patch("/settings", { twenty_four_hour_time: isOn }));
    return bytesReadBy(() => otto.get("/streams"));
  };
  await readAfterChange();
  const ofFew = await readAfterChange();
  await addManyPeople(world, 100);
  await readAfterChange();
  const ofMany = await readAfterChange();
  expect(ofMany - ofFew).toBeLessThan(1_000);
});

test("After a change of a person's name, the subscribers of all channels are not listed again", async () => {
  const { olga, alice, bob, carol, greta } = world;
  const names = Array.from({ length: 100 }, (_, index) => ({ name: `list ${index}` }));
  succeeded(await olga.post("/users/me/subscriptions", { subscriptions: names }));
  let count = 0;
  const list = () => alice.register({ include_subscribers: true });
  const readAfterChange = async () => {
    await list();
    succeeded(await olga.patch(`/users/${bob.id}`, { full_name: `Bob ${++count}` }));
    return bytesReadBy(list);
  };
  await readAfterChange();
  const ofFew = await readAfterChange();
  const principals = [bob.id, carol.id, greta.id];
  succeeded(await olga.post("/users/me/subscriptions", { subscriptions: names, principals }));
  const ofMany = await readAfterChange();
  expect(ofMany - ofFew).toBeLessThan(1_000);
});

test("After somebody mutes a channel, the subscribers of all channels are not counted or listed again", async () => {
  const { olga, otto, alice, channels } = world;
  let isMuted = false;
  const readAll = () => otto.register({ include_subscribers: true });
  const readAfterChange = async () => {
    await readAll();
    isMuted = !isMuted;
    const change = { stream_id: channels.general, property: "is_muted", value: isMuted };
    const given = { subscription_data: [change] };
    succeeded(await alice.post("/users/me/subscriptions/properties", given));
    return bytesReadBy(readAll);
  };
  await readAfterChange();
  const ofFew = await readAfterChange();
  const names = Array.from({ length: 150 }, (_, index) => ({ name: `room ${index}` }));
  succeeded(await olga.post("/users/me/subscriptions", { subscriptions: names }));
  await readAfterChange();
  const ofMany = await readAfterChange();
  expect(ofMany - ofFew).toBeLessThan(1_000);
});

test("After somebody joins a channel, typing in another one and a look at it count no other channels", async () => {
  const { olga, alice, bob, channels } = world;
  let isJoined = false;
  const typeAndLook = async () => {
    const given = { type: "channel", op: "start", stream_id: channels.general, topic: "t" };
    succeeded(await bob.post("/typing", given));
    succeeded(await bob.get(`/streams/${channels.general}`));
  };
  const readAfterChange = async () => {
    await typeAndLook();
    isJoined = !isJoined;
    const subscriptions = isJoined ? [{ name: "hallway" }] : ["hallway"];
    const change = { subscriptions };
    const path = "/users/me/subscriptions";
    succeeded(await (isJoined ? alice.post(path, change) : alice.delete(path, change)));
    return bytesReadBy(typeAndLook);
  };
  succeeded(await olga.post("/users/me/subscriptions", { subscriptions: [{ name: "hallway" }] }));
  await readAfterChange();
  const ofFew = await readAfterChange();
  const names = Array.from({ length: 150 }, (_, index) => ({ name: `floor ${index}` }));
  succeeded(await olga.post("/users/me/subscriptions", { subscriptions: names }));
  await readAfterChange();
  const ofMany = await readAfterChange();
  expect(ofMany - ofFew).toBeLessThan(1_000);
});

test("A deactivated subscriber is listed nowhere, and everywhere again once reactivated", async () => {
  const { olga, alice, bob } = world;
  const subscriptions = [{ name: "hall" }];
  const principals = [olga.id, alice.id, bob.id];
  succeeded(await olga.post("/users/me/subscriptions", { subscriptions, principals }));
  const listed = async () => {
    const { state } = await alice.register({ include_subscribers: true });
    return state.subscriptions.find(({ name }: { name: string }) => name === "hall").subscribers;
  };
  const all = principals.toSorted((a, b) => a - b);
  expect(await listed()).toEqual(all);
  succeeded(await olga.delete(`/users/${bob.id}`));
  expect(await listed()).toEqual(all.filter((id) => id !== bob.id));
  succeeded(await olga.post(`/users/${bob.id}/reactivate`));
  expect(await listed()).toEqual(all);
});

test("A deactivated subscriber does not count, and counts again once reactivated", async () => {
  const { olga, otto, alice } = world;
  succeeded(
    await olga.post("/users/me/subscriptions", {
      subscriptions: [{ name: "stage" }],
      principals: [olga.id, alice.id],
    }),
  );
  const counted = async () => {
    const { streams } = succeeded(await otto.get("/streams"));
    return streams.find(({ name }: { name: string }) => name === "stage").subscriber_count;
  };
  expect(await counted()).toBe(2);
  succeeded(await olga.delete(`/users/${alice.id}`));
  expect(await counted()).toBe(1);
  succeeded(await olga.post(`/users/${alice.id}/reactivate`));
  expect(await counted()).toBe(2);
});
