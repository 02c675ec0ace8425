import { afterAll, beforeAll, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { QueueCounts } from "../../src/events/queue-counts";
import { makeWorld, type World } from "../support/world";

const max = 40;
let world: World;

beforeAll(async () => {
  world = await makeWorld({ queues_per_user_max: String(max) });
});
afterAll(() => world.close());

/** Opens queues one after the other; the numbers of queues that there were at each count. */
function open(counts: QueueCounts, opened: number, allowed: number): number[] {
  const counted: number[] = [];
  for (let count = 0; count < opened; count++) {
    if (counts.takeUncounted(1)) continue;
    counted.push(count);
    counts.droppedFor(1, count, allowed);
  }
  return counted;
}

test("the queues of a person are counted seldom where they have few", () => {
  expect(open(new QueueCounts(), 200, 10_000)).toEqual([0, 65, 130, 195]);
});

test("the queues of a person are counted each time where they have nearly as many as they may", () => {
  const last = Array.from({ length: 15 }, (_, index) => 25 + index);
  expect(open(new QueueCounts(), 40, 40).slice(-15)).toEqual(last);
});

test("nodes that know nothing of each other exceed the limit a little, until the next count", () => {
  const [one, ...others] = Array.from({ length: 4 }, () => new QueueCounts());
  for (const node of others) node.droppedFor(1, 0, 1000);
  let count = 0;
  while (count < 1000) {
    if (!one?.takeUncounted(1)) one?.droppedFor(1, count, 1000);
    count += 1;
  }
  for (const node of others) while (node.takeUncounted(1)) count += 1;
  expect(count).toBe(1000 + 3 * 62);
  expect(one?.droppedFor(1, count, 1000)).toBe(count - 999);
});

test("a person has at most as many queues as they may, however many are opened at once", async () => {
  for (let number = 0; number < max / 2; number++) await world.alice.register();
  await Promise.all(Array.from({ length: max }, () => world.alice.register()));
  const { db, t } = world.app.engine.reader;
  const { id } = world.alice;
  const queues = await db.select().from(t.eventQueues).where(eq(t.eventQueues.userId, id));
  expect(queues).toHaveLength(max);
});
