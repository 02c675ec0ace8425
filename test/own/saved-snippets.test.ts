import { afterEach, beforeEach, expect, test } from "bun:test";
import { verify } from "../support/client-state/verify";
import { makeWorld, type World } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

const only = { event_types: ["saved_snippets"] };

test("a snippet is kept, changed and deleted; one's own clients hear of it and nobody else", async () => {
  const { alice, bob, clock } = world;
  const [own, others] = [await alice.register(only), await bob.register(only)];
  const { body } = await alice.post("/saved_snippets", {
    title: " Greeting ",
    content: "**Hello**\n",
  });
  const id = body.saved_snippet_id;
  const stored = { id, title: "Greeting", content: "**Hello**", date_created: clock.now() };
  expect((await alice.get("/saved_snippets")).body.saved_snippets).toEqual([stored]);
  expect(await own.events()).toMatchObject([
    { type: "saved_snippets", op: "add", saved_snippet: stored },
  ]);
  expect((await alice.register(only)).state.saved_snippets).toEqual([stored]);

  expect((await alice.patch(`/saved_snippets/${id}`, { title: "Hi" })).status).toBe(200);
  expect((await alice.patch(`/saved_snippets/${id}`, { content: "Hey" })).status).toBe(200);
  expect((await alice.patch(`/saved_snippets/${id}`)).status).toBe(200);
  expect(await own.events()).toMatchObject([
    { op: "update", saved_snippet: { ...stored, title: "Hi" } },
    { op: "update", saved_snippet: { ...stored, title: "Hi", content: "Hey" } },
  ]);
  expect((await alice.delete(`/saved_snippets/${id}`)).status).toBe(200);
  expect(await own.events()).toMatchObject([{ op: "remove", saved_snippet_id: id }]);
  expect((await alice.get("/saved_snippets")).body.saved_snippets).toEqual([]);
  expect(await others.events()).toEqual([]);
});

test("A17, E9, E10: another's snippet answers like a missing one, and stays", async () => {
  const { alice, bob, adam, zoe } = world;
  const { body } = await alice.post("/saved_snippets", { title: "mine", content: "x" });
  for (const person of [bob, adam, zoe]) {
    for (const id of [body.saved_snippet_id, 999_999]) {
      const refused = {
        status: 404,
        body: { code: "BAD_REQUEST", msg: "Saved snippet does not exist." },
      };
      expect(await person.patch(`/saved_snippets/${id}`, { title: "x" })).toMatchObject(refused);
      expect(await person.delete(`/saved_snippets/${id}`)).toMatchObject(refused);
    }
    expect((await person.get("/saved_snippets")).body.saved_snippets).toEqual([]);
  }
  expect((await alice.get("/saved_snippets")).body.saved_snippets).toMatchObject([
    { title: "mine" },
  ]);
});

test("refuses what is empty or too long, in Unicode characters", async () => {
  const { alice } = world;
  const refused = { status: 400, body: { code: "BAD_REQUEST" } };
  const keep = (title: string, content: string) =>
    alice.post("/saved_snippets", { title, content });
  expect(await keep(" ", "x")).toMatchObject(refused);
  expect(await keep("x", "\n")).toMatchObject(refused);
  expect(await keep("🥣".repeat(61), "x")).toMatchObject(refused);
  expect(await keep("x", "c".repeat(10_001))).toMatchObject(refused);
  const { status, body } = await keep("🥣".repeat(60), "🥣".repeat(10_000));
  expect(status).toBe(200);
  expect(
    await alice.patch(`/saved_snippets/${body.saved_snippet_id}`, { title: " " }),
  ).toMatchObject(refused);
  expect(
    await alice.patch(`/saved_snippets/${body.saved_snippet_id}`, { content: "" }),
  ).toMatchObject(refused);
  expect((await alice.post("/saved_snippets", { title: "x" })).body.code).toBe(
    "REQUEST_VARIABLE_MISSING",
  );
});

test("the state before and the events give the state after", async () => {
  const { alice } = world;
  const { body } = await alice.post("/saved_snippets", { title: "one", content: "x" });
  const counts = await verify(world, async () => {
    await alice.post("/saved_snippets", { title: "two", content: "x" });
    await alice.patch(`/saved_snippets/${body.saved_snippet_id}`, { title: "three" });
  });
  expect(counts).toMatchObject({ alice: 2, bob: 0 });
});
