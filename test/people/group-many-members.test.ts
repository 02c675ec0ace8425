import { afterAll, beforeAll, expect, test } from "bun:test";
import { partsBuiltBy } from "../support/databases/built-statements";
import { makeGroup, succeeded } from "../support/groups";
import { addManyPeople } from "../support/many-people";
import { makeWorld, type World } from "../support/world";

let world: World;
let ids: number[];
beforeAll(async () => {
  world = await makeWorld();
  ids = await addManyPeople(world, 1_200);
});
afterAll(() => world.close());

test("To add or remove many members builds no longer statements than a few", async () => {
  const { olga } = world;
  const id = await makeGroup(olga, "crowd");
  const change = async (body: { add?: number[]; delete?: number[] }) =>
    succeeded(await olga.post(`/user_groups/${id}/members`, body));
  const members = async () => (await olga.get(`/user_groups/${id}/members`)).body.members;
  const some = ids.slice(0, 10);
  await change({ add: some });
  await change({ delete: some });
  const forAdding = await partsBuiltBy(() => change({ add: ids }));
  expect(forAdding).toBeLessThan(1_200);
  expect(await members()).toEqual(ids);
  const forRemoving = await partsBuiltBy(() => change({ delete: ids }));
  expect(forRemoving).toBeLessThan(1_200);
  expect(await members()).toEqual([]);
  const forNew = await partsBuiltBy(() => makeGroup(olga, "another", { members: ids }));
  expect(forNew).toBeLessThan(1_200);
});
