import { afterEach, beforeEach, expect, test } from "bun:test";
import { addManyMessages } from "../support/many-messages";
import { move } from "../support/moves";
import { turnsDuring } from "../support/turns";
import { makeWorld, type World } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

const count = 12_000;

test("while very many messages are moved, others have their turn and see all of the move or nothing", async () => {
  const { olga, bob, channels } = world;
  const ids = await addManyMessages(world, count);
  const topics = async () => {
    const { body } = await bob.get(`/users/me/${channels.general}/topics`);
    return body.topics.map(({ name }: { name: string }) => name).sort();
  };
  const quiet = { send_notification_to_new_thread: false };
  let isOver = false;
  const seen = new Set<string>();
  const reading = (async () => {
    while (!isOver) seen.add((await topics()).join());
  })();
  const turns = await turnsDuring(async () => {
    const all = { topic: "u", propagate_mode: "change_all" };
    const answer = await move(olga, ids.at(-1) ?? 0, { ...all, ...quiet });
    expect(answer.status).toBe(200);
  });
  isOver = true;
  await reading;
  // Its history and its new place are written in twelve pieces each.
  expect(turns).toBeGreaterThan(24);
  for (const names of seen) expect(["t", "u"]).toContain(names);
  expect(await topics()).toEqual(["u"]);
});
