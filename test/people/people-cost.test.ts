import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Answer } from "../support/client";
import { countBytesRead } from "../support/databases/bytes-read";
import { succeeded } from "../support/groups";
import { addManyPeople } from "../support/many-people";
import { makeWorld, type World } from "../support/world";

const bytesReadBy = countBytesRead();

let world: World;
beforeAll(async () => {
  world = await makeWorld();
  await addManyPeople(world, 500);
});
afterAll(() => world.close());

const changes: Record<string, () => Promise<Answer>> = {
  "a setting of their own": () => world.alice.patch("/settings", { web_font_size_px: 17 }),
  "their own name": () => world.alice.patch("/settings", { full_name: "Alice Adams" }),
  "somebody's name": () => world.olga.patch(`/users/${world.bob.id}`, { full_name: "Bob Brown" }),
  "somebody's role": () => world.olga.patch(`/users/${world.bob.id}`, { role: 300 }),
};

for (const [change, make] of Object.entries(changes))
  test(`after somebody changes ${change}, not all people are read anew`, async () => {
    const { carol, alice, bob } = world;
    const people = async () => (await carol.get("/users")).body.members;
    const before = await people();
    succeeded(await make());
    let after = before;
    const bytes = await bytesReadBy(async () => {
      after = await people();
    });
    // 500 people have more than 80,000.
    expect(bytes).toBeLessThan(20_000);
    expect(after).toHaveLength(before.length);
    for (const { id } of [alice, bob]) {
      const { body } = await carol.get(`/users/${id}`);
      expect(after).toContainEqual(body.user);
    }
  });
