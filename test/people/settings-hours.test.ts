import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { verifyInTurn } from "../support/client-state/verify";
import { makeWorld, type World } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

describe("times", () => {
  test("count hours as in the person's language, until they choose for themselves", async () => {
    const { alice, bob } = world;
    const verifyNext = verifyInTurn(world);
    const to24 = async () =>
      (await alice.register()).state.user_settings.twenty_four_hour_time as boolean | null;
    const [queue, other] = [await alice.register(), await bob.register()];
    const event = (property: string, value: unknown) => ({
      type: "user_settings",
      property,
      value,
    });
    expect(await to24()).toBe(false);
    await verifyNext(() => alice.patch("/settings", { default_language: "de" }));
    expect(await queue.events()).toMatchObject([
      event("default_language", "de"),
      event("twenty_four_hour_time", true),
    ]);
    expect([await to24(), await other.events()]).toEqual([true, []]);
    await verifyNext(() => alice.patch("/settings", { twenty_four_hour_time: false }));
    expect(await queue.events()).toMatchObject([event("twenty_four_hour_time", false)]);
    for (const default_language of ["en", "de", "fr"])
      await verifyNext(() => alice.patch("/settings", { default_language }));
    expect(await to24()).toBe(false);
    const names = (await queue.events()).map(({ property }) => property);
    expect(new Set(names)).toEqual(new Set(["default_language"]));
    await alice.patch("/settings", { twenty_four_hour_time: "null" });
    expect(await to24()).toBe(null);
  });
});
