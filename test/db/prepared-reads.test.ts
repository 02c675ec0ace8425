import { afterAll, beforeAll, expect, test } from "bun:test";
import { partsBuiltBy } from "../support/databases/built-statements";
import { makeWorld, type World } from "../support/world";

let world: World;
let inChannel: number;
let direct: number;
beforeAll(async () => {
  world = await makeWorld();
  inChannel = await world.alice.say("general", "lunch", "soup?");
  direct = await world.alice.tell([world.olga, world.bob], "soup!");
});
afterAll(() => world.close());

const paths: [string, () => string][] = [
  ["who has read a message of a channel", () => `/messages/${inChannel}/read_receipts`],
  ["who has read a direct message", () => `/messages/${direct}/read_receipts`],
  ["one's bots", () => "/bots"],
  ["the consents to an export", () => "/export/realm/consents"],
  ["topics", () => `/users/me/${world.channels.general}/topics`],
];

test.each(paths)("A second request for %s builds no statement", async (_, pathOf) => {
  const read = async () => expect((await world.olga.get(pathOf())).status).toBe(200);
  await read();
  expect(await partsBuiltBy(read)).toBe(0);
});

test("Who has read a message is told of a channel and of a direct conversation", async () => {
  const { alice, bob, olga } = world;
  for (const [person, id] of [
    [bob, inChannel],
    [olga, direct],
  ] as const)
    await person.post("/messages/flags", { messages: [id], op: "add", flag: "read" });
  const readersOf = async (id: number) =>
    (await alice.get(`/messages/${id}/read_receipts`)).body.user_ids;
  expect(await readersOf(inChannel)).toEqual([bob.id]);
  expect(await readersOf(direct)).toEqual([olga.id]);
});
