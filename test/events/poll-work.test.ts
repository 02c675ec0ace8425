import { afterEach, beforeEach, expect, spyOn, test } from "bun:test";
import { LoopScheduler } from "../../src/core/turns/loop-scheduler";
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
  const begin = spyOn(LoopScheduler.prototype, "begin");
  const end = spyOn(LoopScheduler.prototype, "end");
  const answer = bob.get("/events", { queue_id: queue.id, last_event_id: -1 });
  await until(() => isHeld(app, queue.id, realm.id));
  const [begun, ended] = [begin, end].map(({ mock }) => mock.calls.map(([work]) => work));
  begin.mockRestore();
  end.mockRestore();
  expect(begun).toHaveLength(1);
  expect(ended).toEqual(begun);
  await alice.say("general", "lunch", "soup?");
  expect((await answer).body.events).toHaveLength(1);
});
