import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { WireEvent } from "../support/client";
import { verify, verifyInTurn } from "../support/client-state/verify";
import { hear, listen, refusal } from "../support/listening";
import { makeWorld, type Person, type World } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

const statusOnly = { event_types: ["user_status"] };
const say = (person: Person, parameters: object) =>
  person.post("/users/me/status", { ...parameters });
const sayFor = (person: Person, of: { id: number }, parameters: object) =>
  person.post(`/users/${of.id}/status`, { ...parameters });
const statusOf = async (person: Person, of: { id: number }) =>
  (await person.get(`/users/${of.id}/status`)).body.status;
const bare = ({ id: _, type: _type, ...event }: WireEvent) => event;
const car = { emoji_name: "car", emoji_code: "1f697", reaction_type: "unicode_emoji" };

describe("A status with an end", () => {
  const cleared = {
    status_text: "",
    emoji_name: "",
    emoji_code: "",
    reaction_type: "unicode_emoji",
  };
  const after = (seconds: number) => ({ scheduled_end_time: world.clock.now() + seconds });
  const lunch = { status_text: "at lunch", ...car };

  test("goes by itself at its time, and everybody sees when that is", async () => {
    const { alice, bob, zoe } = world;
    const queues = await listen({ alice, bob, zoe }, statusOnly);
    const shown = { ...lunch, ...after(300) };
    expect((await say(alice, shown)).status).toBe(200);
    const told = { user_id: alice.id, ...shown };
    expect(await hear(queues, bare)).toEqual({ alice: [told], bob: [told], zoe: [] });
    expect(await statusOf(bob, alice)).toEqual(shown);
    const { state } = await bob.register({ fetch_event_types: ["user_status"] });
    expect(state.user_status).toEqual({ [alice.id]: shown });
    await world.pass(299);
    expect(await statusOf(bob, alice)).toEqual(shown);
    expect(await hear(queues, bare)).toEqual({ alice: [], bob: [], zoe: [] });
    await verify(world, () => world.pass(1));
    const gone = { user_id: alice.id, ...cleared };
    expect(await hear(queues, bare)).toEqual({ alice: [gone], bob: [gone], zoe: [] });
    expect(await statusOf(bob, alice)).toEqual({});
    expect(await world.app.jobs.list()).toEqual([]);
  });

  test("gives way to another one, which has an end of its own, or none", async () => {
    const { alice, bob, olga } = world;
    const verifyNext = verifyInTurn(world);
    const isThere = async () => "status_text" in (await statusOf(bob, alice));
    await say(alice, { ...lunch, ...after(60) });
    await verifyNext(() => say(alice, { status_text: "on a journey" }));
    expect(await world.app.jobs.list()).toEqual([]);
    await world.pass(61);
    expect(await statusOf(bob, alice)).toEqual({ status_text: "on a journey", ...car });
    await say(alice, { ...lunch, ...after(60) });
    await verifyNext(() => sayFor(olga, alice, { ...lunch, ...after(120) }));
    await world.pass(61);
    expect(await isThere()).toBe(true);
    await world.pass(60);
    expect(await isThere()).toBe(false);
    await say(alice, { ...lunch, ...after(60) });
    await say(alice, { status_text: "", emoji_name: "" });
    expect(await world.app.jobs.list()).toEqual([]);
  });

  test("keeps it where an older client says only whether somebody is away", async () => {
    const { alice, bob } = world;
    const shown = { ...lunch, ...after(60) };
    await say(alice, shown);
    await verify(world, () => say(alice, { away: true }));
    expect(await statusOf(bob, alice)).toEqual({ away: true, ...shown });
    await world.pass(60);
    expect(await statusOf(bob, alice)).toEqual({ away: true });
  });

  test("goes with the account, and ends nothing that is said after that", async () => {
    const { olga, alice, bob } = world;
    await say(alice, { ...lunch, ...after(60) });
    await olga.delete(`/users/${alice.id}`);
    await olga.post(`/users/${alice.id}/reactivate`);
    await say(alice, { status_text: "back" });
    await world.pass(61);
    expect(await statusOf(bob, alice)).toEqual({ status_text: "back" });
  });

  test("is refused where the end is over, no moment, or the end of nothing", async () => {
    const { alice, bob } = world;
    const now = world.clock.now();
    for (const parameters of [
      { ...lunch, scheduled_end_time: now },
      { ...lunch, scheduled_end_time: (now + 60) * 1_000 },
      { ...lunch, scheduled_end_time: "soon" },
      after(60),
      { away: true, ...after(60) },
    ])
      expect([parameters, refusal(await say(alice, parameters))]).toEqual([
        parameters,
        "400 BAD_REQUEST",
      ]);
    expect(await statusOf(bob, alice)).toEqual({});
  });
});
