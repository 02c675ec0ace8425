import { afterAll, beforeAll, expect, spyOn, test } from "bun:test";
import { GroupedChunks } from "../../../src/reading/unread/grouped-chunks";
import { UnreadIndex } from "../../../src/reading/unread/unread-index";
import {
  loadUnread,
  summarizeUnread,
  unreadBounds,
} from "../../../src/reading/unread/unread-summary";
import { makeWorld, type World } from "../../support/world";

/**
 * All that a register needs of many unread messages is in memory before its snapshot, where others
 * would have no turn until it is read and grouped. Here six messages are many, and five are told.
 */

const before = { ...unreadBounds };
const isLong = spyOn(UnreadIndex.prototype, "isLong").mockImplementation((count) => count > 3);
const piecesOf = spyOn(GroupedChunks.prototype, "piecesOf");
let world: World;

beforeAll(async () => {
  Object.assign(unreadBounds, { told: 5 });
  world = await makeWorld();
});
afterAll(async () => {
  Object.assign(unreadBounds, before);
  isLong.mockRestore();
  piecesOf.mockRestore();
  await world.close();
});

/** Loads bob's unread messages; answers the topics, and how many messages were grouped too late. */
async function load() {
  const { app, realm, bob } = world;
  const who = { realmId: realm.id, userId: bob.id };
  await loadUnread(app.engine.reader, who);
  const [grouped] = piecesOf.mock.contexts;
  if (!(grouped instanceof GroupedChunks)) throw new Error("Nothing was grouped.");
  const { size } = grouped;
  const { topics } = await summarizeUnread(app.engine.reader, who);
  return { topics: topics.map(({ place }) => place.topic), late: grouped.size - size };
}

/** Six messages in each of three new channels of bob's, in a topic of its name. */
async function fillChannels(names: readonly string[]) {
  const { alice, bob } = world;
  const subscriptions = names.map((name) => ({ name }));
  const form = { subscriptions, principals: [alice.id, bob.id] };
  expect((await alice.post("/users/me/subscriptions", form)).status).toBe(200);
  for (const name of names)
    for (let count = 0; count < 6; count++) await alice.say(name, name, "hello");
}

test("Older messages are grouped ahead once newer ones are read or their channel is left", async () => {
  const { bob } = world;
  await fillChannels(["oldest", "older", "newest"]);
  expect(await load()).toEqual({ topics: ["newest"], late: 0 });
  const narrow = [["channel", "newest"]];
  const form = { op: "add", flag: "read", anchor: "newest", num_before: 10, num_after: 0, narrow };
  expect((await bob.post("/messages/flags/narrow", form)).status).toBe(200);
  expect(await load()).toEqual({ topics: ["older"], late: 0 });
  const left = { subscriptions: ["older"] };
  expect((await bob.delete("/users/me/subscriptions", left)).status).toBe(200);
  expect(await load()).toEqual({ topics: ["oldest"], late: 0 });
});
