import { afterAll, beforeAll, expect, test } from "bun:test";
import { countBytesRead } from "../support/databases/bytes-read";
import { succeeded } from "../support/groups";
import { addManyPeople } from "../support/many-people";
import { makeWorld, type World } from "../support/world";

const bytesReadBy = countBytesRead();

let world: World;
beforeAll(async () => {
  world = await makeWorld();
  await addManyPeople(world, 200);
});
afterAll(() => world.close());

test("All people are read at most once for a text, however many of its names nobody has", async () => {
  const { alice, carol } = world;
  let count = 0;
  const readFor = async (names: number) => {
    // From here on the list of people is not in memory.
    succeeded(await carol.patch("/settings", { full_name: `Carol ${++count}` }));
    const written = Array.from({ length: names }, (_, index) => `@**nobody ${index}**`);
    return bytesReadBy(async () =>
      succeeded(await alice.post("/messages/render", { content: written.join(" ") })),
    );
  };
  await readFor(1);
  const forOne = await readFor(1);
  expect((await readFor(50)) - forOne).toBeLessThan(forOne / 2);
});
