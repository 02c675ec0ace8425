import { afterAll, beforeAll, expect, test } from "bun:test";
import { countBytesRead } from "../support/databases/bytes-read";
import { succeeded } from "../support/groups";
import { makeWorld, type World } from "../support/world";

const bytesReadBy = countBytesRead();

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.close());

test("To subscribe people costs as much where they are in many channels as where they are in few", async () => {
  const { olga, alice } = world;
  const subscribeAlice = async (...names: string[]) =>
    succeeded(
      await olga.post("/users/me/subscriptions", {
        subscriptions: names.map((name) => ({ name })),
        principals: [alice.id],
      }),
    );
  const join = (name: string) => bytesReadBy(() => subscribeAlice(name));
  for (const name of ["one", "two", "three"])
    succeeded(await olga.post("/channels/create", { name, subscribers: [olga.id] }));
  await subscribeAlice("one");
  const ofFew = await join("two");
  const names = Array.from({ length: 150 }, (_, index) => `channel ${index}`);
  await subscribeAlice(...names);
  const ofMany = await join("three");
  expect(ofMany - ofFew).toBeLessThan(1_500);
});
