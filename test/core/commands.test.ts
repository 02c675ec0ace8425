import { afterEach, beforeEach, expect, test } from "bun:test";
import { verify } from "../support/client-state/verify";
import { makeWorld, type World } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

const type = (command: string, person = world.alice) => person.post("/zcommand", { command });

test.each([
  ["/dark", "color_scheme", 2],
  ["/night", "color_scheme", 2],
  ["/light", "color_scheme", 3],
  ["/day", "color_scheme", 3],
  ["/fluid-width", "fluid_layout_width", true],
])("%s changes one's own setting and nobody else's", async (command, property, value) => {
  const { alice, bob } = world;
  const [own, others] = [await alice.register(), await bob.register()];
  expect((await type(command)).status).toBe(200);
  expect(await own.events()).toMatchObject([
    { type: "user_settings", op: "update", property, value },
  ]);
  expect((await alice.register()).state.user_settings[property]).toBe(value);
  expect((await type(command)).status).toBe(200);
  expect(await own.events()).toEqual([]);
  expect(await others.events()).toEqual([]);
});

test("/ping does nothing, for anybody", async () => {
  const counts = await verify(world, async () => {
    expect((await type("/ping")).body).toMatchObject({ result: "success" });
    expect((await type("/ping", world.robot)).status).toBe(200);
  });
  expect(counts).toMatchObject({ alice: 0, bob: 0 });
});

test("refuses what is no command, and bots, who have no settings", async () => {
  const refused = { status: 400, body: { code: "BAD_REQUEST" } };
  for (const command of ["/bogus", "ping", "", "/constructor"])
    expect(await type(command)).toMatchObject(refused);
  expect(await type("/dark", world.robot)).toMatchObject(refused);
});
