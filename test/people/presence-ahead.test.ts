import { afterEach, beforeEach, expect, test } from "bun:test";
import { until } from "../support/polls";
import { makeWorld, type Person, type World } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

const ping = (person: Person, parameters: object = {}) =>
  person.post("/users/me/presence", { status: "active", ...parameters });
const quietly = (person: Person, status = "active") => ping(person, { status, ping_only: true });

test("somebody who reported while the clock was ahead is shown with the right time when they report again", async () => {
  const { alice, bob, clock } = world;
  const ahead = 365 * 86_400;
  clock.setForward(ahead);
  await quietly(bob);
  clock.setForward(-ahead);
  await quietly(bob, "idle");
  const now = clock.now();
  expect((await ping(alice, { slim_presence: true })).body.presences[bob.id]).toEqual({
    active_timestamp: now,
    idle_timestamp: now,
  });
});

/** The time at which somebody was last there, as another person is told. */
const seenLast = async (viewer: Person, { id }: Person): Promise<number> =>
  (await viewer.get(`/users/${id}/presence`)).body.presence.aggregated.timestamp;

test("somebody who reported while the clock was ahead, and not since, was there when it was set right", async () => {
  const { alice, bob, carol, clock } = world;
  const ahead = 365 * 86_400;
  await quietly(carol, "idle");
  clock.setForward(ahead);
  await quietly(bob);
  clock.setForward(-ahead);
  const carolWasThere = clock.now();
  const before = (await ping(alice, { slim_presence: true, last_update_id: -1 })).body;
  await world.pass(60);
  const correctedAt = clock.now();
  await until(async () => (await seenLast(alice, bob)) === correctedAt);
  const { presences } = (
    await ping(alice, { slim_presence: true, last_update_id: before.presence_last_update_id })
  ).body;
  expect(presences[bob.id]).toEqual({
    active_timestamp: correctedAt,
    idle_timestamp: correctedAt,
  });
  expect(presences).not.toHaveProperty(String(carol.id));
  const { body } = await ping(alice, { slim_presence: true });
  expect(body.presences[carol.id].idle_timestamp).toBe(carolWasThere);
});

test("and when a server starts after the clock was set right", async () => {
  const { alice, bob, clock } = world;
  clock.setForward(86_400);
  await quietly(bob);
  clock.setForward(-86_400);
  await world.restart();
  await until(async () => (await seenLast(alice, bob)) === clock.now());
});
