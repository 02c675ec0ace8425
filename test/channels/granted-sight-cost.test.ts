import { afterAll, beforeAll, expect, test } from "bun:test";
import { countBytesRead } from "../support/databases/bytes-read";
import { makeGroup, roleGroups, succeeded } from "../support/groups";
import { makeWorld, type World } from "../support/world";

const bytesReadBy = countBytesRead();

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.close());

test("Registering reads no more where many private channels give a permission to one group", async () => {
  const { olga, otto } = world;
  const { moderators } = await roleGroups(world);
  const can_subscribe_group = await makeGroup(olga, "crew", { subgroups: [moderators] });
  const makeChannels = async (from: number, to: number) => {
    for (let count = from; count < to; count++) {
      const subscribers = [olga.id];
      const channel = { name: `crew ${count}`, invite_only: true, subscribers };
      succeeded(await olga.post("/channels/create", { ...channel, can_subscribe_group }));
    }
    // Once before, because what is then held in memory is not read again.
    await otto.register();
  };
  await makeChannels(0, 5);
  const ofFew = await bytesReadBy(() => otto.register());
  await makeChannels(5, 50);
  const ofMany = await bytesReadBy(() => otto.register());
  expect(ofMany - ofFew).toBeLessThan(1_000);
});
