import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, type Mock, spyOn, test } from "bun:test";
import { databaseFile } from "../../db/open";
import { succeeded } from "../support/groups";
import { makeWorld, type World } from "../support/world";

let world: World;
let prepared: Mock<Database["prepare"]>;
beforeAll(async () => {
  prepared = spyOn(Database.prototype, "prepare");
  world = await makeWorld();
});
afterAll(async () => {
  prepared.mockRestore();
  await world.close();
});

/** The steps on flags in SQLite's plans for the statements that it has prepared. */
function stepsOnFlags(): string[] {
  const file = new Database(databaseFile(world.place.dataFolder));
  try {
    return prepared.mock.calls
      .map(([text]) => text)
      .filter((text) => text.includes('"message_flags"'))
      .flatMap((text) => file.query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${text}`).all())
      .map(({ detail }) => detail)
      .filter((detail) => /^(SEARCH|SCAN) (message_flags|f)\b/.test(detail));
  } finally {
    file.close();
  }
}

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
  prepared.mockClear();
  const answer = await act(id);
  expect(answer).toMatchObject({ status: 200 });
  const steps = stepsOnFlags();
  expect(steps.length).toBeGreaterThan(0);
  for (const step of steps) expect(step).toMatch(/\b(user_id|message_id)[=<>]/);
});
