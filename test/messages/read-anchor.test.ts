import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { refusal } from "../support/listening";
import { makeWorld, type World } from "../support/world";

let world: World;
/** Three messages, each sent a day after the one before. */
const ids: number[] = [];
const day = 24 * 3600;
let start = 0;
beforeAll(async () => {
  world = await makeWorld();
  start = world.clock.now();
  for (const [index, content] of ["monday", "tuesday", "wednesday"].entries()) {
    ids.push(await (index === 1 ? world.bob : world.alice).say("general", `day ${index}`, content));
    world.clock.advance(day);
  }
});
afterAll(() => world.close());

const dateAt = (seconds: number) => new Date(seconds * 1000).toISOString();

async function around(
  anchorDate: string | undefined,
  narrow: unknown = [],
  counts = { num_before: 1, num_after: 1 },
) {
  const answer = await world.carol.get("/messages", {
    anchor: "date",
    anchor_date: anchorDate,
    narrow,
    ...counts,
  });
  if (answer.status !== 200) return refusal(answer);
  const { anchor, messages, found_anchor } = answer.body;
  return { anchor, found_anchor, ids: messages.map(({ id }: { id: number }) => id) };
}

describe("Carol reads around a date", () => {
  test("from the first message that was sent then or later", async () => {
    const [monday = 0, tuesday = 0, wednesday = 0] = ids;
    const onTuesday = { anchor: tuesday, found_anchor: true, ids: [monday, tuesday, wednesday] };
    expect(await around(dateAt(start + day))).toEqual(onTuesday);
    expect(await around(dateAt(start + 60))).toEqual(onTuesday);
    expect(await around(dateAt(start + day + 1))).toMatchObject({ anchor: wednesday });
    expect(await around("1999-12-31")).toMatchObject({ anchor: monday, ids: [monday, tuesday] });
    expect(await around(dateAt(start).replace("Z", "+01:00"))).toMatchObject({ anchor: monday });
  });

  test("in UTC where the date names no zone, whatever the zone of the server", async () => {
    const [, tuesday = 0] = ids;
    const zone = process.env["TZ"];
    const inUtc = dateAt(start + day);
    try {
      for (const TZ of ["America/New_York", "Asia/Tokyo"]) {
        process.env["TZ"] = TZ;
        for (const date of [
          inUtc.slice(0, 10),
          inUtc.slice(0, 19),
          inUtc.replace(/T(.{5}).*/, " $1"),
        ])
          expect([date, await around(date)]).toMatchObject([date, { anchor: tuesday }]);
        expect(await around(inUtc.replace(/T.*/, " 12:00 am"))).toBe("400 BAD_REQUEST");
      }
    } finally {
      if (zone === undefined) delete process.env["TZ"];
      else process.env["TZ"] = zone;
    }
  });

  test("within her narrow", async () => {
    const [monday = 0, , wednesday = 0] = ids;
    const ofAlice = [["sender", world.alice.id]];
    expect(await around(dateAt(start + 60), ofAlice)).toEqual({
      anchor: wednesday,
      found_anchor: true,
      ids: [monday, wednesday],
    });
    expect(await around(dateAt(start + 60), [["search", "wednesday"]])).toMatchObject({
      anchor: wednesday,
    });
  });

  test("from the newest where nothing was sent since", async () => {
    expect(await around(dateAt(start + 30 * day))).toEqual({
      anchor: 10_000_000_000_000_000,
      found_anchor: false,
      ids: ids.slice(2),
    });
  });

  test.each([[undefined], [""], ["yesterday"], ["7"], ["2026-13-45"]])(
    "but not around %p",
    async (date) => expect(await around(date)).toBe("400 BAD_REQUEST"),
  );
});

test("a topic with half a character has no unread message", async () => {
  const narrow = [
    ["channel", "general"],
    ["topic", "\ud800"],
  ];
  const asked = { anchor: "first_unread", num_before: 1, num_after: 1, narrow };
  const { status, body } = await world.bob.get("/messages", asked);
  expect([status, body.messages]).toEqual([200, []]);
});

describe("The first unread message is none that bob has muted", () => {
  const firstOf = async (narrow: unknown[], more: Record<string, unknown> = {}) => {
    const asked = { anchor: "first_unread", num_before: 0, num_after: 0, narrow, ...more };
    const { status, body } = await world.bob.get("/messages", asked);
    expect(status).toBe(200);
    return body.anchor;
  };
  const none = 10_000_000_000_000_000;
  const inNoise = ["channel", "noise"];
  let noise = 0;
  /** Alice's messages there, each in a topic of its name, and one in general that is muted, too. */
  const said = { muted: 0, other: 0, followed: 0, spam: 0, heard: 0 };

  beforeAll(async () => {
    const { alice, bob } = world;
    const made = {
      subscriptions: [{ name: "noise" }],
      principals: [alice.id, bob.id],
      announce: false,
    };
    await alice.post("/users/me/subscriptions", made);
    noise = (await bob.get("/get_stream_id", { stream: "noise" })).body.stream_id;
    await bob.post("/mark_all_as_read");
    // A mention makes bob follow the topic, until he mutes it.
    said.muted = await alice.say("noise", "muted", "@**Bob** hello");
    said.other = await alice.say("noise", "other", "hello");
    said.followed = await alice.say("noise", "followed", "@**Bob** hello");
    said.spam = await alice.say("general", "spam", "hello");
    said.heard = await alice.say("general", "heard", "hello");
    const subscription_data = [{ stream_id: noise, property: "is_muted", value: true }];
    await bob.post("/users/me/subscriptions/properties", { subscription_data });
    const setTopic = (stream_id: number, topic: string, visibility_policy: number) =>
      bob.post("/user_topics", { stream_id, topic, visibility_policy });
    await setTopic(noise, "muted", 1);
    await setTopic(noise, "followed", 3);
    await setTopic(world.channels.general, "spam", 1);
  });

  test("in all messages", async () => {
    expect(await firstOf([])).toBe(said.followed);
    const legacy = { anchor: 0, use_first_unread_anchor: true };
    expect(await firstOf([], legacy)).toBe(said.followed);
    expect(await firstOf([["is", "mentioned"]])).toBe(said.followed);
    expect(await firstOf([["search", "hello"]])).toBe(said.followed);
    expect(await firstOf([["sender", world.alice.id]])).toBe(said.followed);
    expect(await firstOf([["topic", "other"]])).toBe(none);
  });

  test("but in a channel only one of a muted topic, and in a topic any", async () => {
    expect(await firstOf([inNoise])).toBe(said.other);
    expect(await firstOf([["channel", "general"]])).toBe(said.heard);
    expect(await firstOf([inNoise, ["topic", "muted"]])).toBe(said.muted);
    expect(await firstOf([["with", said.muted]])).toBe(said.muted);
    expect(await firstOf([["id", said.muted]])).toBe(said.muted);
  });

  test("unless he asks for what he has muted", async () => {
    expect(await firstOf([["is", "muted"]])).toBe(said.muted);
    expect(await firstOf([["-in", "home"]])).toBe(said.muted);
  });

  test("behind more muted topics than are looked through", async () => {
    const { alice, bob, channels } = world;
    await bob.post("/mark_all_as_read");
    for (let i = 0; i < 90; i++) await alice.say("general", "spam", "again");
    const heard = await alice.say("general", "fresh", "hello");
    expect(await firstOf([])).toBe(heard);
    expect(await firstOf([["channel", channels.general]])).toBe(heard);
    await bob.post("/mark_topic_as_read", { stream_id: channels.general, topic_name: "fresh" });
    expect(await firstOf([])).toBe(none);
  });
});
