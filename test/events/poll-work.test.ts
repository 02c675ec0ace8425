import { afterEach, beforeEach, expect, test } from "bun:test";
import { isHeld, until } from "../support/polls";
import { makeWorld, type World } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

test("A poll that has read events from the database ends its work before it waits for others", async () => {
  const { alice, bob, app, realm } = world;
  const queue = await bob.register({ event_types: ["message"] });
  const id = await alice.say("general", "lunch", "never mind");
  await world.olga.delete(`/messages/${id}`);
  const steps: string[] = [];
  const answer = app.events.poll({
    realmId: realm.id,
    userId: bob.id,
    queueId: queue.id,
    lastEventId: -1,
    dontBlock: false,
    expect: () => undefined,
    beginLongWork() {
      steps.push("begins");
      return undefined;
    },
    endLongWork: () => steps.push("ends"),
    signal: new AbortController().signal,
  });
  await until(() => isHeld(app, queue.id, realm.id));
  expect(steps).toEqual(["begins", "ends"]);
  await alice.say("general", "lunch", "soup?");
  expect(await answer).toHaveLength(1);
});
