import { afterAll, beforeAll, expect, test } from "bun:test";
import { partsBuiltBy } from "../support/databases/built-statements";
import { succeeded } from "../support/groups";
import { addManyPeople } from "../support/many-people";
import { makeWorld, type World } from "../support/world";

let world: World;
let ids: number[];
beforeAll(async () => {
  world = await makeWorld();
  ids = await addManyPeople(world, 1_200);
});
afterAll(() => world.close());

const join = async (name: string, principals: number[]) =>
  succeeded(
    await world.olga.post("/users/me/subscriptions", { subscriptions: [{ name }], principals }),
  );

const leave = async (name: string, principals: number[]) =>
  succeeded(
    await world.olga.delete("/users/me/subscriptions", { subscriptions: [name], principals }),
  );

const membersOf = async (name: string) => {
  const { stream_id } = (await world.olga.get("/get_stream_id", { stream: name })).body;
  return (await world.olga.get(`/streams/${stream_id}/members`)).body.subscribers;
};

test("To subscribe many people builds no longer statements than to subscribe a few", async () => {
  const some = ids.slice(0, 10);
  await join("first", some);
  await leave("first", some);
  await join("first", some);
  const forFew = await partsBuiltBy(() => join("few", some));
  const forMany = await partsBuiltBy(() => join("many", ids));
  expect(forMany).toBeLessThan(forFew + 1_200);
  expect(await membersOf("many")).toEqual(ids);
});

test("So does it when they leave and come back", async () => {
  await join("short", ids);
  const forLeaving = await partsBuiltBy(() => leave("short", ids));
  expect(forLeaving).toBeLessThan(1_200);
  expect(await membersOf("short")).toEqual([]);
  const forReturning = await partsBuiltBy(() => join("short", ids));
  expect(forReturning).toBeLessThan(1_200);
  expect(await membersOf("short")).toEqual(ids);
});

test("People are named by their addresses too, and half a character is in no address", async () => {
  const keys = ids.map((_, i) => `User${i}@example.com`);
  const subscriptions = [{ name: "addressed" }];
  const add = (principals: string[]) =>
    world.olga.post("/users/me/subscriptions", { subscriptions, principals });
  succeeded(await add(keys));
  expect(await membersOf("addressed")).toEqual(ids);
  expect(await add(["\ud800@example.com"])).toMatchObject({
    status: 400,
    body: { code: "BAD_REQUEST" },
  });
});
