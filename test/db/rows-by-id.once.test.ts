import { afterAll, beforeAll, expect, test } from "bun:test";
import { notePrepared } from "../support/databases/query-plans";
import { upload } from "../support/files";
import { succeeded } from "../support/groups";
import { makeWorld, type World } from "../support/world";

const prepared = notePrepared();

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.close());

/** Tables of which a statement names ids in a list. */
const tablesById = (text: string) =>
  [...text.matchAll(/"(\w+)"\."id" in \(select value from json_each/g)].map(([, name]) => name);

/** Statements that name ids, with the steps of SQLite's plan that walk all rows of a realm. */
const walks = () =>
  prepared.texts().flatMap((text) =>
    tablesById(text).flatMap((table) =>
      prepared
        .stepsOf(world, text)
        .filter((step) => step.includes(` ${table} `) && step.endsWith("(realm_id=?)"))
        .map((step) => `${step}: ${text}`),
    ),
  );

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
  expect(prepared.texts().flatMap(tablesById).length).toBeGreaterThan(5);
  expect(walks()).toEqual([]);
});
