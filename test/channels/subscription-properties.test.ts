import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { verify } from "../support/client-state/verify";
import { makeWorld, type Person, type World } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

type Change = { stream_id?: number; property?: string; value?: unknown };

const change = (person: Person, ...subscription_data: Change[]) =>
  person.post("/users/me/subscriptions/properties", { subscription_data });

async function own(person: Person, id: number) {
  const { body } = await person.get("/users/me/subscriptions");
  return body.subscriptions.find((one: { stream_id: number }) => one.stream_id === id);
}

describe("settings of a subscription", () => {
  test("Each is stored, and told to one's own clients alone", async () => {
    const { alice, bob, channels } = world;
    const stream_id = channels.general;
    const [queue, other] = await Promise.all(
      [alice, bob].map((one) => one.register({ event_types: ["subscription"] })),
    );
    const values = {
      color: "#ff00aa",
      pin_to_top: true,
      is_muted: true,
      desktop_notifications: true,
      audible_notifications: false,
      push_notifications: true,
      email_notifications: false,
      wildcard_mentions_notify: false,
    };
    await verify(world, async () => {
      for (const [property, value] of Object.entries(values)) {
        const { body } = await change(alice, { stream_id, property, value });
        expect(body).toEqual({ result: "success", msg: "" });
      }
    });
    expect(await own(alice, stream_id)).toMatchObject({ ...values, in_home_view: false });
    const told = (await queue?.events())?.map(({ op, property, value }) => [op, property, value]);
    expect(told).toEqual(
      Object.entries(values).flatMap(([property, value]) =>
        property === "is_muted"
          ? [
              ["update", "in_home_view", false],
              ["update", "is_muted", true],
            ]
          : [["update", property, value]],
      ),
    );
    expect(await other?.events()).toEqual([]);
    expect(await own(bob, stream_id)).toMatchObject({ is_muted: false, pin_to_top: false });
  });

  test("One setting is changed by PATCH and by POST, in_home_view is the reverse of is_muted", async () => {
    const { alice, channels } = world;
    const path = `/users/me/subscriptions/${channels.general}`;
    const queue = await alice.register({ event_types: ["subscription"] });
    expect((await alice.patch(path, { property: "in_home_view", value: false })).status).toBe(200);
    expect((await alice.post(path, { property: "color", value: "#ABCDEF" })).status).toBe(200);
    expect(await own(alice, channels.general)).toMatchObject({
      is_muted: true,
      in_home_view: false,
      color: "#abcdef",
    });
    expect((await queue.events()).map(({ property, value }) => [property, value])).toEqual([
      ["in_home_view", false],
      ["is_muted", true],
      ["color", "#abcdef"],
    ]);
    expect((await alice.patch(path, { property: "pin_to_top" })).body).toMatchObject({
      code: "REQUEST_VARIABLE_MISSING",
      var_name: "value",
    });
  });

  test("Short colors are taken, and shown to every client in full", async () => {
    const { alice, channels } = world;
    const stream_id = channels.general;
    const queue = await alice.register({ event_types: ["subscription"] });
    const cases = [
      ["#FFF", "#ffffff"],
      ["#1a2", "#11aa22"],
      ["#1a2b", "#11aa22"],
      ["#12345", "#123450"],
    ] as const;
    for (const [value, full] of cases) {
      await change(alice, { stream_id, property: "color", value });
      expect((await own(alice, stream_id)).color).toBe(full);
      expect(await queue.events()).toMatchObject([{ property: "color", value: full, stream_id }]);
    }
  });

  test("What is refused changes nothing, neither what stands beside it", async () => {
    const { alice, otto, channels } = world;
    const stream_id = channels.general;
    const before = await own(alice, stream_id);
    const queue = await alice.register({ event_types: ["subscription"] });
    const good = { stream_id, property: "pin_to_top", value: true };
    const refused: Change[] = [
      { stream_id, property: "bogus", value: true },
      { stream_id, property: "color", value: "red" },
      { stream_id, property: "color", value: true },
      { stream_id, property: "is_muted", value: "yes" },
      { stream_id, property: "is_muted", value: 1 },
      { stream_id, property: "desktop_notifications", value: null },
      { stream_id: 99_999_999, property: "is_muted", value: true },
      { property: "is_muted", value: true },
      { stream_id, property: "is_muted" },
    ];
    for (const one of refused)
      expect((await change(alice, good, one)).body.code).toBe("BAD_REQUEST");
    expect(await queue.events()).toEqual([]);
    expect(await own(alice, stream_id)).toEqual(before);
    for (const id of [channels.general, channels.secret]) {
      expect(
        (await change(otto, { stream_id: id, property: "is_muted", value: true })).body.code,
      ).toBe("BAD_REQUEST");
    }
    expect((await alice.post("/users/me/subscriptions/properties")).body.code).toBe(
      "REQUEST_VARIABLE_MISSING",
    );
    expect((await change(alice)).status).toBe(200);
  });
});
