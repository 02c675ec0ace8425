import { afterEach, beforeEach, expect, test } from "bun:test";
import { verify } from "../support/client-state/verify";
import { hear, listen, refusal } from "../support/listening";
import { makeWorld, type Person, type World } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

const path = "/users/me/alert_words";
const wordsOnly = { event_types: ["alert_words"] };
const sorted = (words: string[]) => [...words].sort();
const add = (person: Person, words: unknown) => person.post(path, { alert_words: words });
const remove = (person: Person, words: unknown) => person.delete(path, { alert_words: words });
const wordsOf = async (person: Person) => sorted((await person.get(path)).body.alert_words);

test("Alice says which words she wants to be told of; her clients hear of it, nobody else", async () => {
  const { alice, bob, zoe } = world;
  const queues = await listen({ alice, bob, zoe }, wordsOnly);
  const { body } = await add(alice, ["coffee", "  Two Words ", ""]);
  expect(sorted(body.alert_words)).toEqual(["Two Words", "coffee"]);
  expect(sorted((await add(alice, ["COFFEE"])).body.alert_words)).toEqual(["Two Words", "coffee"]);
  expect([await wordsOf(alice), await wordsOf(bob)]).toEqual([["Two Words", "coffee"], []]);
  expect((await remove(alice, ["two words", "absent"])).body.alert_words).toEqual(["coffee"]);
  expect(await hear(queues, ({ alert_words }) => sorted(alert_words))).toEqual({
    alice: [["Two Words", "coffee"], ["Two Words", "coffee"], ["coffee"]],
    bob: [],
    zoe: [],
  });
  const { state } = await alice.register({ fetch_event_types: ["alert_words"] });
  expect(state.alert_words).toEqual(["coffee"]);
});

test("Words that are too long, too many or no list are refused and change nothing", async () => {
  const { alice } = world;
  await add(alice, ["coffee"]);
  const queue = await alice.register(wordsOnly);
  const many = Array.from({ length: 500 }, (_, index) => `word ${index}`);
  for (const words of [["w".repeat(101)], many, "x", [1], {}]) {
    expect(refusal(await add(alice, words))).toBe("400 BAD_REQUEST");
  }
  for (const change of [add, remove])
    expect(refusal(await change(alice, undefined))).toBe("400 REQUEST_VARIABLE_MISSING");
  expect(await wordsOf(alice)).toEqual(["coffee"]);
  expect(await queue.events()).toEqual([]);
  expect((await add(alice, ["ä".repeat(100), ...many.slice(0, 498)])).status).toBe(200);
});

test("The words at register and the events give the words afterwards", async () => {
  const { alice, bob } = world;
  const counts = await verify(world, async () => {
    await add(alice, ["coffee", "tea"]);
    await remove(alice, ["Tea"]);
    await add(bob, ["soup"]);
  });
  expect(counts).toMatchObject({ alice: 2, bob: 1, carol: 0 });
});
