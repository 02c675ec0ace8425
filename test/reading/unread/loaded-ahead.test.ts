import { afterAll, beforeAll, expect, spyOn, test } from "bun:test";
import { GroupedChunks } from "../../../src/reading/unread/grouped-chunks";
import { UnreadIndex } from "../../../src/reading/unread/unread-index";
import {
  loadUnread,
  summarizeUnread,
  unreadBounds,
} from "../../../src/reading/unread/unread-summary";
import { addManyMessages } from "../../support/many-messages";
import { addManyPeople } from "../../support/many-people";
import { makeWorld, type Person, type World } from "../../support/world";

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

/**
 * Loads somebody's unread messages, bob's by default; answers the topics, and how many messages
 * were grouped too late.
 */
async function load(person: Person = world.bob) {
  const { app, realm } = world;
  const who = { realmId: realm.id, userId: person.id };
  await loadUnread(app.engine.reader, who);
  const sizes = () => {
    const all = new Set(piecesOf.mock.contexts.filter((one) => one instanceof GroupedChunks));
    return [...all].reduce((sum, { size }) => sum + size, 0);
  };
  const size = sizes();
  const { topics } = await summarizeUnread(app.engine.reader, who);
  return { topics: topics.map(({ place }) => place.topic), late: sizes() - size };
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

test("Unread messages that come back with a subscription are grouped ahead", async () => {
  const { alice, carol } = world;
  const others = await addManyPeople(world, 100);
  const joining = {
    subscriptions: [{ name: "back" }],
    principals: [alice.id, carol.id, ...others],
  };
  expect((await alice.post("/users/me/subscriptions", joining)).status).toBe(200);
  for (let count = 0; count < 6; count++) await alice.say("back", "back", "hello");
  // So many leave at once that nothing is marked as read.
  const leaving = { subscriptions: ["back"], principals: [carol.id, ...others] };
  expect((await world.olga.delete("/users/me/subscriptions", leaving)).status).toBe(200);
  expect(await load(carol)).toEqual({ topics: [], late: 0 });
  const back = { subscriptions: [{ name: "back" }] };
  expect((await carol.post("/users/me/subscriptions", back)).status).toBe(200);
  expect(await load(carol)).toEqual({ topics: ["back"], late: 0 });
});

test("Unread messages that have come since somebody had few are grouped ahead", async () => {
  const { alice, carol } = world;
  expect((await carol.post("/mark_all_as_read")).status).toBe(200);
  expect(await load(carol)).toEqual({ topics: [], late: 0 });
  for (let count = 0; count < 6; count++) await alice.say("back", "since", "hello");
  // The register of somebody who is not in that channel has read that there are more.
  await load();
  expect(await load(carol)).toEqual({ topics: ["since"], late: 0 });
});

test("Messages are loaded ahead once many newer ones are read one by one, and none in the snapshot", async () => {
  const { realm, bob } = world;
  const who = { realmId: realm.id, userId: bob.id };
  const ids = await addManyMessages(world, 14_000);
  // Nothing is in the memory of a new server.
  const node = await world.startNode();
  const { reader } = node.app.engine;
  const takeOlder = spyOn(UnreadIndex.prototype, "takeOlder");
  const summarize = async () => {
    takeOlder.mockClear();
    const { count, isCut } = await summarizeUnread(reader, who);
    return { count, isCut, late: takeOlder.mock.calls.length };
  };
  const read = async (messages: readonly number[]) =>
    expect((await bob.post("/messages/flags", { messages, op: "add", flag: "read" })).status).toBe(
      200,
    );
  Object.assign(unreadBounds, { told: 5_000 });
  try {
    await loadUnread(reader, who);
    await read(ids.slice(-4_500));
    await loadUnread(reader, who);
    expect(await summarize()).toEqual({ count: 5_000, isCut: true, late: 0 });
    await read(ids.slice(-9_000, -4_500));
    expect(await summarize()).toEqual({ count: 1_000, isCut: true, late: 0 });
  } finally {
    Object.assign(unreadBounds, { told: 5 });
    takeOlder.mockRestore();
    await node.close();
  }
});
