import { afterEach, beforeEach, expect, test } from "bun:test";
import { beginFullMembers } from "../../src/management/groups/full-members";
import { verify, verifyInTurn } from "../support/client-state/verify";
import { roleGroups, succeeded } from "../support/groups";
import { makeWorld, type World } from "../support/world";

let world: World;
/** A private channel of Olga's, which full members may join. */
let crewId: number;
beforeEach(async () => {
  world = await makeWorld();
  const { olga } = world;
  const { fullmembers } = await roleGroups(world);
  const answer = await olga.post("/channels/create", {
    name: "crew",
    subscribers: [olga.id],
    invite_only: true,
    can_subscribe_group: fullmembers,
  });
  crewId = succeeded(answer).id;
});
afterEach(() => world.close());

const setWaiting = async (days: number) =>
  succeeded(await world.olga.patch("/realm", { waiting_period_threshold: days }));

const aboutChannels = { event_types: ["stream", "subscription"] };

const shown = () => [
  { type: "stream", op: "create", streams: [{ stream_id: crewId, name: "crew" }] },
  { type: "subscription", op: "peer_add", stream_ids: [crewId], user_ids: [world.olga.id] },
];

test("Another waiting period shows a private channel of the full members to who becomes one, and takes it from who is none any more", async () => {
  const { alice, adam, greta } = world;
  const verifyNext = verifyInTurn(world);
  const queue = await alice.register(aboutChannels);
  const others = [await adam.register(aboutChannels), await greta.register(aboutChannels)];
  await verifyNext(() => setWaiting(3));
  expect((await alice.get(`/streams/${crewId}`)).status).toBe(400);
  expect(await queue.events()).toMatchObject([
    { type: "stream", op: "delete", stream_ids: [crewId] },
  ]);
  await verifyNext(() => setWaiting(0));
  expect((await alice.get(`/streams/${crewId}`)).status).toBe(200);
  expect(await queue.events()).toMatchObject(shown());
  for (const other of others) expect(await other.events()).toEqual([]);
});

test("The end of the waiting period shows a private channel of the full members to the person", async () => {
  const { alice, greta } = world;
  await setWaiting(3);
  // Each minute the server does that by itself, but no test can wait for it.
  await beginFullMembers(world.app);
  for (let hour = 1; hour < 3 * 24; hour++) await world.pass(3_600);
  await world.pass(3_540);
  expect((await alice.get(`/streams/${crewId}`)).status).toBe(400);
  const queue = await alice.register(aboutChannels);
  const other = await greta.register(aboutChannels);
  await verify(world, () => world.pass(120));
  expect((await alice.get(`/streams/${crewId}`)).status).toBe(200);
  expect(await queue.events()).toMatchObject(shown());
  await world.pass(60);
  expect(await queue.events()).toEqual([]);
  expect(await other.events()).toEqual([]);
});
