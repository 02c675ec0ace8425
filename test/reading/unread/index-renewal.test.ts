import { afterAll, beforeAll, expect, spyOn, test } from "bun:test";
import { type IndexedMessage, UnreadIndex } from "../../../src/reading/unread/unread-index";
import { countBytesRead } from "../../support/databases/bytes-read";
import { makeWorld, type Node, type Person, type World } from "../../support/world";

/**
 * Servers still remember messages after a change of others: nothing that did not change is read
 * again, at the server that wrote and at the other.
 */

const many = 60;
const textLength = 2_000;

const bytesReadBy = countBytesRead();
let world: World;
let other: Node;
const ids: number[] = [];

beforeAll(async () => {
  world = await makeWorld();
  other = await world.startNode();
  await world.alice.say("secret", "first", "of this channel");
  for (let i = 0; i < many; i++)
    ids.push(await world.alice.say("general", `topic ${i % 3}`, "word ".repeat(textLength / 5)));
}, 60_000);
afterAll(() => world.close());

async function unreadAt(person: Person): Promise<{ count: number; topics: string[] }> {
  const { body } = await person.post("/register", {
    fetch_event_types: ["message", "update_message_flags"],
  });
  const { count, streams } = body.unread_msgs;
  return { count, topics: streams.map(({ topic }: { topic: string }) => topic).sort() };
}

/** Number of messages that are read into the index of unread messages while something is done. */
async function indexedBy(run: () => Promise<unknown>): Promise<number> {
  const takeOlder = spyOn(UnreadIndex.prototype, "takeOlder");
  const takeNewer = spyOn(UnreadIndex.prototype, "takeNewer");
  await run();
  const sum = (calls: readonly (readonly IndexedMessage[])[]) =>
    calls.reduce((total, rows) => total + rows.length, 0);
  const count =
    sum(takeOlder.mock.calls.map(([, rows]) => rows)) +
    sum(takeNewer.mock.calls.map(([, , rows]) => rows));
  takeOlder.mockRestore();
  takeNewer.mockRestore();
  return count;
}

const readAll = (person: Person) =>
  person.get("/messages", { anchor: "newest", num_before: 2 * many, num_after: 0 });

const at = (index: number) => ids[index] ?? 0;

const changes: [string, () => Promise<{ status: number }>][] = [
  ["deleted", () => world.olga.delete(`/messages/${at(4)}`)],
  [
    "moved to another topic",
    () => world.alice.patch(`/messages/${at(5)}`, { topic: "new", propagate_mode: "change_one" }),
  ],
  [
    "moved to another channel",
    () =>
      world.alice.patch(`/messages/${at(7)}`, {
        stream_id: world.channels.secret,
        propagate_mode: "change_one",
      }),
  ],
  [
    "edited to mention everybody",
    () => world.alice.patch(`/messages/${at(8)}`, { content: "@**all**" }),
  ],
];

test.each(changes)("A message that is %s leaves the others in memory", async (_, change) => {
  const people = [world.bob, world.bob.at(other)];
  for (const person of people) {
    await unreadAt(person);
    await readAll(person);
  }
  expect((await change()).status).toBe(200);
  for (const person of people) {
    // Notices of a move are messages, too.
    expect(await indexedBy(() => unreadAt(person))).toBeLessThan(5);
    expect(await bytesReadBy(() => readAll(person))).toBeLessThan(10 * textLength);
  }
  expect(await unreadAt(world.bob)).toEqual(await unreadAt(world.bob.at(other)));
});
