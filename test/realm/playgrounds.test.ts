import { afterEach, beforeEach, expect, test } from "bun:test";
import { verify } from "../support/client-state/verify";
import { hear, listen, refusal } from "../support/listening";
import { makeWorld, type Person, type World } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

const playground = {
  name: "Run it",
  pygments_language: "C++",
  url_template: "https://run.example.com/?lang=cpp&code={code}",
};
const add = (person: Person, values: object = {}) =>
  person.post("/realm/playgrounds", { ...playground, ...values });
const listed = async (person: Person) =>
  (await person.register({ fetch_event_types: ["realm_playgrounds"] })).state.realm_playgrounds;

test("Adam adds a playground and takes it away; everybody of the realm hears of it, nobody else", async () => {
  const { adam, greta, zoe } = world;
  const queues = await listen({ adam, greta, zoe }, { event_types: ["realm_playgrounds"] });
  const { id } = (await add(adam)).body;
  expect(await listed(greta)).toEqual([{ id, ...playground }]);
  expect(refusal(await zoe.delete(`/realm/playgrounds/${id}`))).toBe("400 BAD_REQUEST");
  expect((await adam.delete(`/realm/playgrounds/${id}`)).status).toBe(200);
  expect(refusal(await adam.delete(`/realm/playgrounds/${id}`))).toBe("400 BAD_REQUEST");
  expect(await listed(greta)).toEqual([]);
  const told = [[{ id, ...playground }], []];
  expect(await hear(queues, ({ realm_playgrounds }) => realm_playgrounds)).toEqual({
    adam: told,
    greta: told,
    zoe: [],
  });
});

test("A playground without code, with other variables, of a bad form or there already is refused", async () => {
  const { adam } = world;
  await add(adam);
  const bad = [
    "https://run.example.com/",
    "https://run.example.com/{code",
    "https://run.example.com/{code}{user}",
    "javascript:alert({code})",
    "",
    "https://run.example.com/{co de}",
  ].map((url_template) => ({ name: "Other", url_template }));
  for (const values of [
    {},
    { name: " " },
    { pygments_language: "C<b>" },
    { name: "n".repeat(101) },
    ...bad,
  ]) {
    expect([values, refusal(await add(adam, values))]).toEqual([values, "400 BAD_REQUEST"]);
  }
  const { body } = await add(adam, { name: "Other", url_template: "https://run.example.com/" });
  expect(body.errors.__all__).toEqual([body.msg]);
  expect(await listed(adam)).toHaveLength(1);
});

test("The playgrounds at register and the events give the playgrounds afterwards", async () => {
  const { adam } = world;
  await verify(world, async () => {
    const { id } = (await add(adam)).body;
    await add(adam, { name: "Another" });
    await adam.delete(`/realm/playgrounds/${id}`);
  });
});
