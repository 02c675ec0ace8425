import { expect, test } from "bun:test";
import { makeWorld } from "../support/world";

const worldsMax = 10;

test("a server on a port that another world's has left answers for its own world alone", async () => {
  const first = await makeWorld();
  await first.alice.say("general", "lunch", "left behind");
  await first.close();
  const { length } = first.logged;
  for (let count = 1; count < worldsMax; count++) {
    const world = await makeWorld();
    const isThere = world.site === first.site;
    const newest = { anchor: "newest", num_before: 10, num_after: 0 };
    const { body } = await world.alice.get("/messages", newest);
    await world.close();
    expect(body.messages).toEqual([]);
    if (isThere) break;
    expect(count).toBeLessThan(worldsMax - 1);
  }
  expect(first.logged).toHaveLength(length);
});

test("a server that is started again has the port of before, which no other world's takes meanwhile", async () => {
  const world = await makeWorld();
  const other = await makeWorld();
  await world.restart();
  expect(other.site).not.toBe(world.site);
  expect((await world.alice.get("/users/me")).body.user_id).toBe(world.alice.id);
  await other.close();
  await world.close();
});
