import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { write } from "../../src/core/write";
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

/** An emoji of an organization's own, as if somebody had uploaded it. */
const addEmoji = (ofWorld: World, name: string, isActive = true) =>
  write(ofWorld.operator, async (tx) => {
    const { realmEmoji } = tx.t;
    const picture = { authorId: ofWorld.olga.id, fileName: `${name}.png`, isAnimated: false };
    const rows = await tx.db
      .insert(realmEmoji)
      .values({ realmId: ofWorld.realm.id, name, activeName: isActive ? name : null, ...picture })
      .returning({ id: realmEmoji.id });
    return String(rows[0]?.id);
  });

describe("Alice says something of herself", () => {
  test("and everybody hears of what is new, and reads all of it", async () => {
    const { alice, bob, greta, zoe } = world;
    const queues = await listen({ alice, bob, greta, zoe }, statusOnly);
    expect((await say(alice, { status_text: "  out for lunch " })).body).toEqual({
      result: "success",
      msg: "",
    });
    const text = { user_id: alice.id, status_text: "out for lunch" };
    expect(await hear(queues, bare)).toEqual({
      alice: [text],
      bob: [text],
      greta: [text],
      zoe: [],
    });
    await say(alice, { emoji_name: "car" });
    expect(await hear(queues, bare)).toMatchObject({
      bob: [{ user_id: alice.id, ...car }],
      zoe: [],
    });
    expect(await statusOf(bob, alice)).toEqual({ status_text: "out for lunch", ...car });
    const { state } = await greta.register({ fetch_event_types: ["user_status"] });
    expect(state.user_status).toEqual({ [alice.id]: { status_text: "out for lunch", ...car } });
    await say(alice, { status_text: "", emoji_name: "" });
    const cleared = {
      status_text: "",
      emoji_name: "",
      emoji_code: "",
      reaction_type: "unicode_emoji",
    };
    expect(await hear(queues, bare)).toMatchObject({
      bob: [{ user_id: alice.id, ...cleared }],
      zoe: [],
    });
    expect(await statusOf(bob, alice)).toEqual({});
    expect((await bob.register({ fetch_event_types: ["user_status"] })).state.user_status).toEqual(
      {},
    );
  });

  test("in at most 60 characters, whatever they are made of", async () => {
    const { alice, bob } = world;
    expect((await say(alice, { status_text: "🚗".repeat(60) })).status).toBe(200);
    const queue = await bob.register(statusOnly);
    for (const parameters of [
      { status_text: "🚗".repeat(61) },
      {},
      { emoji_code: "1f697" },
      { reaction_type: "unicode_emoji" },
      { status_text: "x", emoji_code: "1f697" },
      { emoji_name: "no_such_emoji" },
      { emoji_name: "car", emoji_code: "1f354" },
      { emoji_name: "car", reaction_type: "bogus" },
      { emoji_name: "car", reaction_type: "realm_emoji" },
      { emoji_name: "car", reaction_type: "service_extra_emoji" },
      { status_text: "a\0b" },
      { away: "maybe" },
    ]) {
      expect([parameters, refusal(await say(alice, parameters))]).toEqual([
        parameters,
        "400 BAD_REQUEST",
      ]);
    }
    expect(await queue.events()).toEqual([]);
    expect(await statusOf(bob, alice)).toEqual({ status_text: "🚗".repeat(60) });
    expect(refusal(await say(world.robot, { status_text: "x" }))).toBe("400 BAD_REQUEST");
  });

  test("with an emoji as clients know it, and not by the code of another one", async () => {
    const { alice, bob, zoe } = world;
    const queues = await listen({ bob, zoe }, statusOnly);
    const praying = {
      emoji_name: "folded_hands",
      emoji_code: "1f64f",
      reaction_type: "unicode_emoji",
    };
    expect((await say(alice, praying)).body).toEqual({ result: "success", msg: "" });
    expect(await statusOf(bob, alice)).toEqual(praying);
    expect(
      refusal(await say(alice, { ...praying, emoji_name: "mouse", emoji_code: "1f42d" })),
    ).toBe("400 BAD_REQUEST");
    expect(await statusOf(bob, alice)).toEqual(praying);
    expect(await hear(queues, bare)).toEqual({ bob: [{ user_id: alice.id, ...praying }], zoe: [] });
  });

  test("with new words, and keeps an emoji whose name meant another picture when she set it", async () => {
    const { alice, bob, olga, carol, zoe, operator, realm } = world;
    const former = { emoji_name: "mouse", emoji_code: "1f42d", reaction_type: "unicode_emoji" };
    const emoji = { emojiName: "mouse", emojiCode: "1f42d", reactionType: "unicode_emoji" };
    const row = { ...emoji, realmId: realm.id, userId: alice.id, statusText: "" };
    await write(operator, async ({ db, t }) => {
      await db.insert(t.userStatuses).values(row);
    });
    const queues = await listen({ bob, zoe }, statusOnly);
    expect((await say(alice, { status_text: "squeak", ...former })).body).toEqual({
      result: "success",
      msg: "",
    });
    expect((await sayFor(olga, alice, { status_text: "hush", ...former })).status).toBe(200);
    expect(await statusOf(bob, alice)).toEqual({ status_text: "hush", ...former });
    const told = ["squeak", "hush"].map((status_text) => ({
      user_id: alice.id,
      status_text,
      ...former,
    }));
    expect(await hear(queues, bare)).toEqual({ bob: told, zoe: [] });
    expect(refusal(await say(carol, former))).toBe("400 BAD_REQUEST");
    expect(await statusOf(bob, carol)).toEqual({});
    await say(alice, { emoji_name: "mouse" });
    expect(await statusOf(bob, alice)).toEqual({
      status_text: "hush",
      ...former,
      emoji_code: "1f401",
    });
    expect(refusal(await say(alice, former))).toBe("400 BAD_REQUEST");
  });

  test("with new words, and keeps an emoji that the organization has taken away", async () => {
    const { alice, bob, carol, operator } = world;
    const emoji_code = await addEmoji(world, "team_parrot");
    const parrot = { emoji_name: "team_parrot", emoji_code, reaction_type: "realm_emoji" };
    await say(alice, parrot);
    await write(operator, async ({ db, t }) => {
      await db.update(t.realmEmoji).set({ activeName: null });
    });
    expect((await say(alice, { status_text: "squawk", ...parrot })).status).toBe(200);
    expect(await statusOf(bob, alice)).toEqual({ status_text: "squawk", ...parrot });
    expect(refusal(await say(carol, parrot))).toBe("400 BAD_REQUEST");
    expect(refusal(await say(alice, { emoji_name: "team_parrot" }))).toBe("400 BAD_REQUEST");
  });

  test("with an emoji of the organization's own, or the extra one under each name of its type", async () => {
    const { alice, bob, zoe } = world;
    const [own, old] = [
      await addEmoji(world, "team_parrot"),
      await addEmoji(world, "team_dodo", false),
    ];
    await say(alice, { emoji_name: "team_parrot" });
    const parrot = { emoji_name: "team_parrot", emoji_code: own, reaction_type: "realm_emoji" };
    expect(await statusOf(bob, alice)).toEqual(parrot);
    expect((await say(alice, parrot)).status).toBe(200);
    for (const parameters of [
      { emoji_name: "team_dodo" },
      { emoji_name: "team_dodo", emoji_code: old, reaction_type: "realm_emoji" },
      { ...parrot, emoji_code: old },
      { ...parrot, emoji_code: "99999999" },
    ]) {
      expect([parameters, refusal(await say(alice, parameters))]).toEqual([
        parameters,
        "400 BAD_REQUEST",
      ]);
    }
    // E4: what another organization has is not theirs.
    expect(refusal(await say(zoe, { emoji_name: "team_parrot" }))).toBe("400 BAD_REQUEST");
    expect(refusal(await say(zoe, parrot))).toBe("400 BAD_REQUEST");
    const queue = await bob.register(statusOnly);
    await say(alice, { emoji_name: "zulip", reaction_type: "zulip_extra_emoji" });
    expect((await queue.events()).map(bare)).toEqual([
      {
        user_id: alice.id,
        emoji_name: "zulip",
        emoji_code: "zulip",
        reaction_type: "service_extra_emoji",
      },
    ]);
    expect(await statusOf(bob, alice)).toMatchObject({
      emoji_code: "zulip",
      reaction_type: "service_extra_emoji",
    });
  });

  test("and is away, as older clients say it: she is invisible then, which her status tells", async () => {
    const { alice, bob } = world;
    await alice.post("/users/me/presence", { status: "active", ping_only: true });
    const queues = {
      alice: await alice.register({ event_types: ["user_status", "user_settings"] }),
      bob: await bob.register({ event_types: ["user_status", "user_settings", "presence"] }),
    };
    await hear(queues, bare);
    expect((await say(alice, { away: true })).status).toBe(200);
    const inShort = ({ type, property, value, away, status_text }: WireEvent) =>
      [type, property, value, away, status_text].filter((part) => part !== undefined);
    expect(await hear(queues, inShort)).toEqual({
      alice: [
        ["user_status", true],
        ["user_settings", "presence_enabled", false],
      ],
      bob: [["user_status", true], ["presence"]],
    });
    const toldAtRegister = async () => (await bob.register()).state.user_status;
    expect(await statusOf(bob, alice)).toEqual({ away: true });
    expect(await toldAtRegister()).toEqual({ [alice.id]: { away: true } });
    expect((await bob.get(`/users/${alice.id}/presence`)).body.presence.aggregated.status).toBe(
      "offline",
    );
    await say(alice, { away: false, status_text: "back" });
    expect(await hear(queues, inShort)).toMatchObject({
      bob: [["user_status", false, "back"], ["presence"]],
    });
    expect(await statusOf(bob, alice)).toEqual({ status_text: "back" });
    expect(await toldAtRegister()).toEqual({ [alice.id]: { status_text: "back" } });
    expect((await bob.get(`/users/${alice.id}/presence`)).body.presence.aggregated.status).toBe(
      "active",
    );
    await alice.patch("/settings", { presence_enabled: false });
    expect(await statusOf(bob, alice)).toEqual({ away: true, status_text: "back" });
    expect(await toldAtRegister()).toEqual({ [alice.id]: { away: true, status_text: "back" } });
  });

  test("and is away no more once deactivated, wherever it is asked", async () => {
    const { olga, alice, bob } = world;
    await say(alice, { away: true, status_text: "gone" });
    await olga.delete(`/users/${alice.id}`);
    const missing = await bob.get("/users/99999999/status");
    expect((await bob.get(`/users/${alice.id}/status`)).body).toEqual(missing.body);
    expect((await bob.register({ fetch_event_types: ["user_status"] })).state.user_status).toEqual(
      {},
    );
    await olga.post(`/users/${alice.id}/reactivate`);
    expect(await statusOf(bob, alice)).toEqual({ away: true });
    expect((await bob.register()).state.user_status).toEqual({ [alice.id]: { away: true } });
  });

  test("and the events of older clients tell that somebody is away, and is not any more", async () => {
    const { alice, bob } = world;
    const verifyNext = verifyInTurn(world);
    await verifyNext(() => say(alice, { away: true }));
    await verifyNext(() => say(alice, { status_text: "x" }));
    await verifyNext(() => say(alice, { away: false, emoji_name: "car" }));
    expect(await statusOf(bob, alice)).toEqual({ status_text: "x", ...car });
  });

  test("and the status at register and the events give the status afterwards", async () => {
    const { alice, bob, olga } = world;
    await say(bob, { status_text: "here" });
    const counts = await verify(world, async () => {
      await say(alice, { status_text: "x", emoji_name: "car" });
      await say(alice, { emoji_name: "" });
      await say(bob, { status_text: "" });
      await sayFor(olga, bob, { emoji_name: "smile" });
    });
    expect(counts).toMatchObject({ alice: 4, carol: 4, greta: 4, robot: 4 });
  });
});

describe("The status of others", () => {
  test("is the administrators' to change, and their bots'", async () => {
    const { olga, adam, alice, bob, robot } = world;
    const queues = await listen({ alice, bob }, statusOnly);
    expect((await sayFor(olga, alice, { status_text: "on holiday" })).body).toEqual({
      result: "success",
      msg: "",
    });
    expect((await sayFor(adam, alice, { emoji_name: "car" })).status).toBe(200);
    const text = { user_id: alice.id, status_text: "on holiday" };
    const emoji = { user_id: alice.id, ...car };
    expect(await hear(queues, bare)).toEqual({ alice: [text, emoji], bob: [text, emoji] });
    expect(await statusOf(bob, alice)).toEqual({ status_text: "on holiday", ...car });
    expect(refusal(await sayFor(robot, alice, { status_text: "x" }))).toBe("400 BAD_REQUEST");
    expect((await olga.patch(`/users/${robot.id}`, { role: 200 })).status).toBe(200);
    expect((await sayFor(robot, alice, { status_text: "from a bot" })).status).toBe(200);
    expect((await statusOf(bob, alice)).status_text).toBe("from a bot");
  });

  test("is not other people's, for any reason that the specification names", async () => {
    const { olga, mona, alice, bob, greta, zoe, robot } = world;
    await say(bob, { status_text: "mine" });
    const queue = await bob.register(statusOnly);
    for (const person of [mona, alice, greta]) {
      const { status, body } = await sayFor(person, bob, { status_text: "yours" });
      expect([status, body.code, body.msg]).toEqual([
        400,
        "BAD_REQUEST",
        expect.stringContaining("Insufficient permission"),
      ]);
    }
    expect(refusal(await sayFor(alice, alice, { status_text: "own" }))).toBe("400 BAD_REQUEST");
    const missing = await sayFor(olga, { id: 99_999_999 }, { status_text: "x" });
    expect(refusal(missing)).toBe("400 BAD_REQUEST");
    for (const person of [zoe, robot])
      expect((await sayFor(olga, person, { status_text: "x" })).body).toEqual(missing.body);
    // E4: an administrator elsewhere is nobody here.
    expect((await sayFor(zoe, bob, { status_text: "x" })).body).toEqual(missing.body);
    for (const parameters of [
      {},
      { status_text: "x".repeat(61) },
      { emoji_code: "1f697" },
      { emoji_name: "no_such_emoji" },
    ]) {
      expect(refusal(await sayFor(olga, bob, parameters))).toBe("400 BAD_REQUEST");
    }
    expect(await queue.events()).toEqual([]);
    expect(await statusOf(alice, bob)).toEqual({ status_text: "mine" });
  });

  test("may be an emoji of each kind, and is refused for each that is none", async () => {
    const { olga, alice, bob } = world;
    const [own, old] = [
      await addEmoji(world, "team_parrot"),
      await addEmoji(world, "team_dodo", false),
    ];
    const kinds = [
      car,
      { emoji_name: "team_parrot", emoji_code: own, reaction_type: "realm_emoji" },
      { emoji_name: "zulip", emoji_code: "zulip", reaction_type: "service_extra_emoji" },
    ];
    for (const emoji of kinds) {
      expect((await sayFor(olga, bob, { status_text: "x", ...emoji })).body).toEqual({
        result: "success",
        msg: "",
      });
      expect(await statusOf(alice, bob)).toEqual({ status_text: "x", ...emoji });
    }
    const queue = await alice.register(statusOnly);
    const refused: [object, RegExp][] = [
      [{}, /nothing|no new|status_text/i],
      [{ status_text: "🚗".repeat(61) }, /60/],
      [{ emoji_code: "1f697" }, /emoji_name/],
      [{ reaction_type: "unicode_emoji" }, /emoji_name/],
      [{ emoji_name: "no_such_emoji" }, /no_such_emoji/],
      [{ emoji_name: "Not A Name!" }, /Not A Name!/],
      [{ ...car, emoji_name: "hamburger" }, /emoji/i],
      [{ ...kinds[1], emoji_code: old }, /emoji/i],
      [{ ...kinds[1], emoji_code: "99999999" }, /emoji/i],
      [{ ...kinds[2], emoji_code: "other" }, /emoji/i],
    ];
    for (const [parameters, words] of refused) {
      const answer = await sayFor(olga, bob, parameters);
      expect([parameters, refusal(answer)]).toEqual([parameters, "400 BAD_REQUEST"]);
      expect(answer.body.msg).toMatch(words);
    }
    expect(await queue.events()).toEqual([]);
    expect((await sayFor(olga, bob, { status_text: "", emoji_name: "" })).status).toBe(200);
    expect(await statusOf(alice, bob)).toEqual({});
  });

  test("goes with the account, and does not come back with it", async () => {
    const { olga, alice, bob } = world;
    await say(bob, { status_text: "here" });
    const counts = await verify(world, async () => {
      await olga.delete(`/users/${bob.id}`);
      await olga.post(`/users/${bob.id}/reactivate`);
    });
    expect(counts["alice"]).toBeGreaterThan(0);
    expect(await statusOf(alice, bob)).toEqual({});
  });

  test("K1: is hidden from guests who do not see the person, until they do", async () => {
    const { olga, alice, bob, greta } = world;
    const verifyNext = verifyInTurn(world);
    const { body } = await olga.get("/user_groups");
    const { id } = body.user_groups.find(({ name }: { name: string }) => name === "role:members");
    await olga.patch("/realm", { can_access_all_users_group: { new: id } });
    await say(bob, { status_text: "before" });
    const queues = await listen({ alice, greta }, statusOnly);
    await say(bob, { status_text: "hidden" });
    expect(await hear(queues, ({ status_text }) => status_text)).toEqual({
      alice: ["hidden"],
      greta: [],
    });
    const missing = await greta.get("/users/99999999/status");
    expect((await greta.get(`/users/${bob.id}/status`)).body).toEqual(missing.body);
    expect(
      (await greta.register({ fetch_event_types: ["user_status"] })).state.user_status,
    ).toEqual({});
    await verifyNext(async () => {
      await olga.post("/users/me/subscriptions", {
        subscriptions: [{ name: "new" }],
        principals: [bob.id, greta.id],
      });
    });
    expect(await statusOf(greta, bob)).toEqual({ status_text: "hidden" });
    await verifyNext(() => bob.delete("/users/me/subscriptions", { subscriptions: ["new"] }));
    expect((await greta.get(`/users/${bob.id}/status`)).body).toEqual(missing.body);
    await verifyNext(() => olga.patch(`/users/${greta.id}`, { role: 400 }));
    expect(await statusOf(greta, bob)).toEqual({ status_text: "hidden" });
  });

  test("A17, E4: of bots, strangers and who does not exist is refused alike", async () => {
    const { alice, robot, zoe } = world;
    await say(zoe, { status_text: "elsewhere" });
    const missing = await alice.get("/users/99999999/status");
    expect(refusal(missing)).toBe("400 BAD_REQUEST");
    for (const { id } of [robot, zoe])
      expect((await alice.get(`/users/${id}/status`)).body).toEqual(missing.body);
  });
});
