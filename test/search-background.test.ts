import { afterEach, beforeEach, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { write } from "../src/core/write";
import { makeIndexing } from "../src/search/indexing";
import { makeWorld, type World } from "./support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

test("a long backlog is taken into the index piece by piece, so that nobody waits for all of it; a search waits", async () => {
  const { alice, app, operator, channels } = world;
  const id = await alice.say("general", "t", "pineapple");
  const { messages, searchProgress } = app.engine.schema;
  await write(operator, async (tx) => {
    const [{ id: _, ...row } = { id }] = await tx.db.select().from(messages).where(eq(messages.id, id));
    const copies = Array.from({ length: 1_500 }, () => ({ ...row }));
    for (let at = 0; at < copies.length; at += 500) {
      await tx.db.insert(messages).values(copies.slice(at, at + 500) as (typeof messages.$inferInsert)[]);
    }
  });
  const reached = async () => (await app.engine.reader.db.select().from(searchProgress))[0]?.indexedUpTo ?? 0;
  const look = makeIndexing(app, () => false);
  await look();
  await look();
  const [first, newest] = [await reached(), id + 1_500];
  expect([first > 0, first < newest]).toEqual([true, true]);
  const narrow = [
    { operator: "search", operand: "pineapple" },
    { operator: "channel", operand: channels.general },
  ];
  const { body } = await alice.get("/messages", { narrow, anchor: "oldest", num_before: 0, num_after: 5 });
  expect(body.messages.length).toBe(5);
  expect(await reached()).toBe(newest);
});
