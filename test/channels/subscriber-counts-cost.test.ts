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
