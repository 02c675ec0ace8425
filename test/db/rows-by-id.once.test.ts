import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, type Mock, spyOn, test } from "bun:test";
import { databaseFile } from "../../db/open";
import { upload } from "../support/files";
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

/** Tables of which a statement names ids in a list. */
const tablesById = (text: string) =>
  [...text.matchAll(/"(\w+)"\."id" in \(select value from json_each/g)].map(([, name]) => name);

/** Statements that name ids, with the steps of SQLite's plan that walk all rows of a realm. */
function walks(): string[] {
  const file = new Database(databaseFile(world.place.dataFolder));
  try {
    return prepared.mock.calls.flatMap(([text]) =>
      tablesById(text).flatMap((table) =>
        file
          .query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${text}`)
          .all()
          .filter(({ detail }) => detail.includes(` ${table} `) && detail.endsWith("(realm_id=?)"))
          .map(({ detail }) => `${detail}: ${text}`),
      ),
    );
  } finally {
    file.close();
  }
}

test("Rows of an organization that are named by their ids are found without a walk through all of them", async () => {
  const { alice, bob, carol, olga } = world;
  const url = await upload(alice);
  const id = await alice.tell([bob, carol, olga], `@**Bob** [soup](${url})`);
  await bob.post("/typing", { type: "direct", op: "start", to: [alice.id, carol.id] });
  const around = { anchor: "newest", num_before: 5, num_after: 0 };
  succeeded(await bob.get("/messages", around));
  await bob.register();
  const subscriptions = [{ name: "hall" }];
  const principals = [olga.id, alice.id, bob.id];
  succeeded(await olga.post("/users/me/subscriptions", { subscriptions, principals }));
  const said = await alice.say("general", "soup", "warm?");
  succeeded(
    await alice.patch(`/messages/${said}`, { topic: "✔ soup", propagate_mode: "change_all" }),
  );
  succeeded(await olga.delete(`/messages/${id}`));
  succeeded(await olga.delete(`/users/${carol.id}`));
  expect(prepared.mock.calls.flatMap(([text]) => tablesById(text)).length).toBeGreaterThan(5);
  expect(walks()).toEqual([]);
});
