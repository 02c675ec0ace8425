import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { count } from "drizzle-orm";
import { succeeded } from "../support/groups";
import { hear, listen } from "../support/listening";
import { addManyPeople } from "../support/many-people";
import { makeWorld, type World } from "../support/world";

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.close());

/** A channel with the cast in it, and more subscribers than a notice marks it as read for. */
let channelId: number;
beforeAll(async () => {
  const { olga, bob, carol } = world;
  const people = [...(await addManyPeople(world, 1_000)), olga.id, bob.id, carol.id];
  for (let from = 0; from < people.length; from += 500)
    succeeded(
      await olga.post("/users/me/subscriptions", {
        subscriptions: [{ name: "everybody here" }],
        principals: people.slice(from, from + 500),
      }),
    );
  const { stream_id } = succeeded(await olga.get("/get_stream_id", { stream: "everybody here" }));
  channelId = stream_id;
});

/** Carol was never there; Bob is, and looks. */
beforeEach(async () => {
  succeeded(await world.bob.post("/users/me/presence", { status: "active" }));
});

const marks = async () => {
  const { db, t } = world.app.engine.reader;
  const [row] = await db.select({ count: count() }).from(t.readBlocks);
  return row?.count ?? 0;
};

const isRead = async (person: World["bob"], id: number) => {
  const { message } = succeeded(await person.get(`/messages/${id}`));
  return message.flags.includes("read");
};

const newest = async (topic: string): Promise<number> => {
  const narrow = [
    { operator: "channel", operand: channelId },
    { operator: "topic", operand: topic },
  ];
  const asked = { anchor: "newest", num_before: 1, num_after: 0, narrow };
  return succeeded(await world.olga.get("/messages", asked)).messages[0].id;
};

test("A notice about a resolved topic of a large channel is marked as read for those who are present", async () => {
  const { olga, bob, carol } = world;
  const id = await olga.say("everybody here", "soup", "is it warm?");
  const before = await marks();
  const change = { topic: "✔ soup", propagate_mode: "change_all" };
  succeeded(await olga.patch(`/messages/${id}`, change));
  const notice = await newest("✔ soup");
  expect(notice).toBeGreaterThan(id);
  expect([await isRead(bob, notice), await isRead(carol, notice)]).toEqual([true, false]);
  expect((await marks()) - before).toBeLessThan(5);
});

test("The event of such a notice has the flag that is stored", async () => {
  const { olga, bob, carol } = world;
  const id = await olga.say("everybody here", "tea", "is it warm?");
  const queues = await listen({ bob, carol }, { event_types: ["message"] });
  const change = { topic: "✔ tea", propagate_mode: "change_all" };
  succeeded(await olga.patch(`/messages/${id}`, change));
  expect(await hear(queues, ({ flags }) => flags)).toEqual({ bob: [["read"]], carol: [[]] });
});

test("The notice that a large channel is archived is marked as read for those who are present", async () => {
  const { olga, bob, carol } = world;
  const before = await marks();
  succeeded(await olga.delete(`/streams/${channelId}`));
  const notice = await newest("channel events");
  expect([await isRead(bob, notice), await isRead(carol, notice)]).toEqual([true, false]);
  expect((await marks()) - before).toBeLessThan(5);
});
