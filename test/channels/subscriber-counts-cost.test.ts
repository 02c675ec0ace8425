import { afterAll, beforeAll, expect, test } from "bun:test";
import { countBytesRead } from "../support/bytes-read";
import { succeeded } from "../support/groups";
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
