import { afterEach, beforeEach, expect, test } from "bun:test";
import { hear, listen, refusal } from "../support/listening";
import { makeWorld, type Person, type World } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

const year = 365 * 86_400;
const report = (person: Person) =>
  person.post("/users/me/presence", { status: "active", ping_only: true });
const singly = (viewer: Person, person: Person) => viewer.get(`/users/${person.id}/presence`);
/** Presence of others that a person gets at register, and the addresses when they ask. */
async function seenBy(person: Person) {
  const { state } = await person.register({
    fetch_event_types: ["presence"],
    slim_presence: true,
  });
  const { presences } = (await person.get("/realm/presence")).body;
  return { byId: state.presences, addresses: Object.keys(presences) };
}
const nobody = { byId: {}, addresses: [] };

test("somebody who reported while the clock was ahead counts as there only once they report again", async () => {
  const { alice, bob, carol, clock } = world;
  await report(bob);
  clock.setForward(year);
  await report(bob);
  clock.setForward(-year);
  clock.advance(600);
  expect(await seenBy(alice)).toEqual(nobody);
  const unseen = await singly(alice, bob);
  expect(refusal(unseen)).toBe("400 BAD_REQUEST");
  expect(refusal(await singly(alice, carol))).toBe(refusal(unseen));

  const modern = { notification_settings_null: true, simplified_presence_events: true };
  const queues = await listen(
    { alice },
    { event_types: ["presence"], client_capabilities: modern },
  );
  await hear(queues, () => undefined);
  await report(bob);
  const now = clock.now();
  const present = { [bob.id]: { active_timestamp: now, idle_timestamp: now } };
  expect(await hear(queues, ({ presences }) => presences)).toEqual({ alice: [present] });
  expect(await seenBy(alice)).toEqual({ byId: present, addresses: [bob.email] });
});

test("a clock that is behind for some time takes nobody's presence away", async () => {
  const { alice, bob, clock } = world;
  await report(bob);
  const before = await seenBy(alice);
  expect(before.addresses).toEqual([bob.email]);
  clock.setForward(-year);
  expect(await seenBy(alice)).toEqual(nobody);
  clock.setForward(year);
  expect(await seenBy(alice)).toEqual(before);
});

test("clocks of two servers that differ by some seconds hide nobody", async () => {
  const { alice, bob, clock } = world;
  await report(bob);
  const before = await seenBy(alice);
  clock.setForward(-30);
  expect(await seenBy(alice)).toEqual(before);
});
