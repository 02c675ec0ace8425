import { afterAll, beforeAll, expect, test } from "bun:test";
import { notePrepared } from "../support/databases/query-plans";
import { succeeded } from "../support/groups";
import { makeWorld, type World } from "../support/world";

const prepared = notePrepared();

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.close());

/** The steps on flags in SQLite's plans for the statements that it has prepared. */
const stepsOnFlags = () =>
  prepared
    .texts()
    .filter((text) => text.includes('"message_flags"'))
    .flatMap((text) => prepared.stepsOf(world, text))
    .filter((step) => /^(SEARCH|SCAN) (message_flags|f)\b/.test(step));

test.each<[string, (id: number) => Promise<unknown>]>([
  ["who has read it is asked", (id) => world.alice.get(`/messages/${id}/read_receipts`)],
  [
    "it is moved",
    (id) => {
      const place = { stream_id: world.channels.secret, topic: "moved" };
      return world.alice.patch(`/messages/${id}`, { ...place, propagate_mode: "change_all" });
    },
  ],
  ["it is deleted", (id) => world.olga.delete(`/messages/${id}`)],
])("Flags of other messages are not walked when %s", async (_, act) => {
  const { alice, bob } = world;
  const id = await alice.say("general", "soup", "@**Bob** warm?");
  succeeded(await bob.post("/messages/flags", { messages: [id], op: "add", flag: "starred" }));
  await world.restart();
  prepared.forget();
  const answer = await act(id);
  expect(answer).toMatchObject({ status: 200 });
  const steps = stepsOnFlags();
  expect(steps.length).toBeGreaterThan(0);
  for (const step of steps) expect(step).toMatch(/\b(user_id|message_id)[=<>]/);
});
