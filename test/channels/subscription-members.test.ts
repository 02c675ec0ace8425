import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { verify } from "../support/client-state/verify";
import { makeWorld, type Person, type World } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

async function membersFor(person: Person, id: number) {
  const { status, body } = await person.get(`/streams/${id}/members`);
  return status === 200 ? body.subscribers : body.code;
}

async function statusFor(person: Person, userId: number, id: number) {
  const { status, body } = await person.get(`/users/${userId}/subscriptions/${id}`);
  return status === 200 ? body.is_subscribed : body.code;
}

describe("who is in a channel", () => {
  test("is listed to all who may know the channel, active people and bots alone, by id", async () => {
    const { olga, adam, mona, alice, bob, carol, otto, greta, robot, channels } = world;
    const ids = [olga, adam, mona, alice, bob, carol].map(({ id }) => id);
    for (const person of [alice, otto, robot])
      expect(await membersFor(person, channels.general)).toEqual(ids);
    expect(await membersFor(adam, channels.secret)).toEqual([alice.id, bob.id]);
    for (const person of [otto, carol, greta])
      expect(await membersFor(person, channels.secret)).toBe("BAD_REQUEST");
    expect(await membersFor(greta, channels.general)).toBe("BAD_REQUEST");
    expect(await membersFor(alice, 99_999_999)).toBe("BAD_REQUEST");
    const principals = [greta.id, robot.id];
    await alice.post("/users/me/subscriptions", {
      subscriptions: [{ name: "general" }],
      principals,
    });
    await olga.delete(`/users/${carol.id}`);
    const others = ids.filter((id) => id !== carol.id);
    expect(await membersFor(greta, channels.general)).toEqual(
      [...others, greta.id, robot.id].sort((a, b) => a - b),
    );
  });

  test("is asked for one by one: a bot, somebody who left, nobody who is not there", async () => {
    const { alice, bob, otto, robot, olga, carol, greta, channels } = world;
    const { general, secret } = channels;
    expect(await statusFor(alice, bob.id, general)).toBe(true);
    expect(await statusFor(alice, otto.id, general)).toBe(false);
    expect(await statusFor(alice, robot.id, general)).toBe(false);
    expect(await statusFor(olga, bob.id, secret)).toBe(true);
    expect(await statusFor(otto, bob.id, secret)).toBe("BAD_REQUEST");
    expect(await statusFor(greta, bob.id, general)).toBe("BAD_REQUEST");
    for (const userId of [99_999_999, world.zoe.id])
      expect(await statusFor(alice, userId, general)).toBe("BAD_REQUEST");
    await bob.delete("/users/me/subscriptions", { subscriptions: ["general"] });
    expect(await statusFor(alice, bob.id, general)).toBe(false);
    await olga.delete(`/users/${carol.id}`);
    expect(await statusFor(alice, carol.id, general)).toBe("BAD_REQUEST");
  });
});

describe("making a channel with its people", () => {
  test("leaves everybody with the state that a new register gives: announced, told, public and private", async () => {
    const { alice, bob, greta, otto, carol } = world;
    const ask = (name: string, people: Person[], more = {}) =>
      alice.post("/users/me/subscriptions", {
        subscriptions: [{ name, description: "x" }],
        principals: people.map(({ id }) => id),
        ...more,
      });
    const calls = [
      () => ask("open", [alice, bob, greta], { announce: true }),
      () => ask("inner", [alice, bob, greta], { invite_only: true }),
      () => ask("without me", [bob], { invite_only: true, history_public_to_subscribers: true }),
      () => ask("open", [otto, carol, greta]),
      () => ask("inner", [otto]),
    ];
    for (const call of calls)
      await verify(world, async () => expect((await call()).status).toBe(200));
  });

  test("takes every setting that a channel has, and refuses values that it cannot have", async () => {
    const { olga, alice } = world;
    const groups = (await alice.get("/user_groups")).body.user_groups;
    const idOf = (name: string) => groups.find((group: { name: string }) => group.name === name).id;
    const moderators = idOf("role:moderators");
    const people = { direct_members: [alice.id], direct_subgroups: [moderators] };
    const settings = {
      can_add_subscribers_group: moderators,
      can_administer_channel_group: people,
      can_create_topic_group: people,
      can_delete_any_message_group: people,
      can_delete_own_message_group: moderators,
      can_move_messages_out_of_channel_group: people,
      can_move_messages_within_channel_group: moderators,
      can_remove_subscribers_group: people,
      can_resolve_topics_group: moderators,
      can_send_message_group: people,
      can_subscribe_group: moderators,
    };
    const ask = (name: string, more: object) =>
      olga.post("/users/me/subscriptions", { subscriptions: [{ name }], ...more });
    const more = {
      message_retention_days: 7,
      topics_policy: "disable_empty_topic",
      folder_id: null,
    };
    expect((await ask("crew", { ...settings, ...more })).status).toBe(200);
    const { body } = await alice.get("/get_stream_id", { stream: "crew" });
    expect((await alice.get(`/streams/${body.stream_id}`)).body.stream).toMatchObject({
      ...settings,
      message_retention_days: 7,
      topics_policy: "disable_empty_topic",
      creator_id: olga.id,
    });
    const refused = [
      { can_send_message_group: 99_999_999 },
      { can_send_message_group: idOf("role:internet") },
      { can_administer_channel_group: idOf("role:everyone") },
      { can_remove_subscribers_group: idOf("role:nobody") },
      { can_send_message_group: { new: moderators } },
      { can_create_topic_group: moderators, invite_only: true },
      { folder_id: 3 },
      { is_web_public: true },
      { topics_policy: "sometimes" },
      { is_default_stream: true, invite_only: true },
    ];
    for (const one of refused)
      expect([one, (await ask("other", one)).body.code]).toEqual([one, "BAD_REQUEST"]);
    expect((await ask("other", { message_retention_days: 0 })).body.code).toBe(
      "REQUEST_VARIABLE_INVALID",
    );
    expect((await alice.get("/get_stream_id", { stream: "other" })).status).toBe(400);
  });
});

test("one request changes no more subscriptions than others can wait for", async () => {
  const { olga } = world;
  const principals = Array.from({ length: 5_000 }, (_, index) => 1_000_000 + index);
  const names = Array.from({ length: 11 }, (_, index) => `crew ${index}`);
  const add = { subscriptions: names.map((name) => ({ name })), principals };
  for (const answer of [
    await olga.post("/users/me/subscriptions", add),
    await olga.delete("/users/me/subscriptions", { subscriptions: names, principals }),
  ]) {
    expect(answer.body).toMatchObject({
      code: "BAD_REQUEST",
      msg: expect.stringContaining("50000"),
    });
  }
});

test("Nobody subscribes the bots of the system, by id or address, or with a new channel", async () => {
  const { alice, channels } = world;
  const queue = await alice.register();
  const [bot] = queue.state.cross_realm_bots;
  const membersOf = async () => (await alice.get(`/streams/${channels.secret}/members`)).body;
  const before = await membersOf();
  const refused = { status: 400, body: { code: "BAD_REQUEST" } };
  for (const one of [bot.user_id, bot.email]) {
    const asked = { subscriptions: [{ name: "secret" }], principals: [alice.id, one] };
    expect(await alice.post("/users/me/subscriptions", asked)).toMatchObject(refused);
  }
  const subscribers = [alice.id, bot.user_id];
  expect(await alice.post("/channels/create", { name: "crew", subscribers })).toMatchObject(
    refused,
  );
  expect(await membersOf()).toEqual(before);
  expect(await queue.events()).toEqual([]);
});
