import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { roles } from "../../src/core/role";
import { write } from "../../src/core/write";
import { createUser } from "../../src/management/accounts/create";
import { deactivateUser, reactivateUser } from "../../src/management/accounts/deactivate";
import { renameUserIn, updateUserRole } from "../../src/management/accounts/update";
import { updateRealmSettingsIn } from "../../src/management/organization/change-settings";
import { createRealm } from "../../src/management/organization/create";
import { createBot } from "../support/bots";
import type { Queue, WireEvent } from "../support/client";
import { refusalOf } from "../support/refusal";
import { makeWorld, type World, worldHost } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

const shape = (events: WireEvent[]) => events.map(({ id: _, ...event }) => event);
const without = (events: WireEvent[], ...types: string[]) =>
  shape(events).filter(({ type }) => !types.includes(type));

/** Names of the world's groups, by id. */
async function groupNames(): Promise<Map<number, string>> {
  const { body } = await world.olga.get("/user_groups");
  return new Map(body.user_groups.map(({ id, name }: { id: number; name: string }) => [id, name]));
}

/** Group events as `add_members role:members`. */
async function groupMoves(events: WireEvent[]): Promise<string[]> {
  const names = await groupNames();
  return events
    .filter(({ type }) => type === "user_group")
    .map(({ op, group_id }) => `${op} ${names.get(group_id)}`);
}

const aliceObject = () => ({
  user_id: world.alice.id,
  delivery_email: "alice@example.com",
  email: "alice@example.com",
  full_name: "Alice",
  date_joined: "2026-01-01T00:00:00Z",
  is_active: true,
  is_owner: false,
  is_admin: false,
  is_guest: false,
  is_bot: false,
  bot_type: null,
  bot_owner_id: null,
  role: 400,
  timezone: "",
  avatar_url: null,
  avatar_version: 1,
  is_imported_stub: false,
});

describe("reading users", () => {
  test("everybody sees the people and bots of their organization, and no others", async () => {
    const { olga, alice, greta, robot, zoe } = world;
    for (const reader of [olga, alice, greta, robot]) {
      const { body } = await reader.get("/users");
      const names = body.members.map(({ full_name }: { full_name: string }) => full_name);
      expect(names).toEqual([
        "Olga",
        "Adam",
        "Mona",
        "Alice",
        "Bob",
        "Carol",
        "Otto",
        "Greta",
        "Robot",
      ]);
      expect(body.members).toContainEqual(aliceObject());
    }
    expect((await zoe.get("/users")).body.members).toHaveLength(1);
    expect((await world.anonymous.get("/users")).status).toBe(401);
  });

  test("a list of ids limits the answer to those that exist here", async () => {
    const { alice, bob, zoe } = world;
    const { body } = await alice.get("/users", { user_ids: [bob.id, alice.id, zoe.id, 999_999] });
    expect(body.members.map(({ user_id }: { user_id: number }) => user_id)).toEqual([
      alice.id,
      bob.id,
    ]);
    expect((await alice.get("/users", { user_ids: [] })).body.members).toEqual([]);
  });

  test("pictures and profile fields are there when asked for", async () => {
    const { alice, robot } = world;
    const asked = { client_gravatar: false, include_custom_profile_fields: true };
    const { body } = await alice.get("/users", { ...asked, user_ids: [alice.id, robot.id] });
    const avatar =
      "https://secure.gravatar.com/avatar/c160f8cc69a4f0bf2b0362752353d060?d=identicon&version=1";
    expect(body.members[0]).toEqual({ ...aliceObject(), avatar_url: avatar, profile_data: {} });
    expect(body.members[1]).toMatchObject({ is_bot: true, bot_type: 1, bot_owner_id: alice.id });
    expect(body.members[1]).not.toHaveProperty("profile_data");
    expect((await alice.get("/users", { client_gravatar: "x" })).body.code).toBe("BAD_REQUEST");
  });

  test("a bot is of one of four kinds, and somebody's; a person is of none", async () => {
    const { alice, bob, operator } = world;
    const made: number[] = [];
    for (const kind of [1, 2, 3, 4] as const) {
      const bot = {
        email: `kind-${kind}-bot@example.com`,
        fullName: `Kind ${kind}`,
        ownerId: alice.id,
        kind,
      };
      made.push((await createBot(operator, bot)).id);
    }
    const { members } = (await bob.get("/users", { user_ids: [...made, alice.id] })).body;
    const inShort = members.map((one: WireEvent) => [
      one.is_bot,
      one.bot_type,
      one.bot_owner_id,
      one.delivery_email,
    ]);
    expect(inShort).toEqual([
      [false, null, null, "alice@example.com"],
      ...[1, 2, 3, 4].map((kind) => [true, kind, alice.id, `kind-${kind}-bot@example.com`]),
    ]);
  });

  test("one user is found by id, by address in any case, and by the placeholder", async () => {
    const { alice, bob } = world;
    for (const name of [
      alice.id,
      "alice@example.com",
      "ALICE@example.com",
      `user${alice.id}@${worldHost}`,
    ]) {
      expect((await bob.get(`/users/${name}`)).body.user).toEqual(aliceObject());
    }
  });

  test("unknown users, and those of another organization, are answered alike", async () => {
    const { alice, zoe } = world;
    const { body } = await alice.get("/users/999999");
    expect([body.code, body.msg]).toEqual(["BAD_REQUEST", "No such user"]);
    const names = [
      zoe.id,
      zoe.email,
      `user${alice.id}@other.example.com`,
      "99999999999999999999",
      "nobody@example.com",
    ];
    for (const name of names) expect((await alice.get(`/users/${name}`)).body).toEqual(body);
  });

  test("/users/me is the user who asks, with the newest message id", async () => {
    const { alice, robot } = world;
    const before = await alice.get("/users/me");
    expect(before.body).toMatchObject({
      ...aliceObject(),
      avatar_url: expect.any(String),
      profile_data: {},
    });
    expect(before.body.max_message_id).toBe(-1);
    const id = await alice.say("general", "greetings", "hello");
    expect((await robot.get("/users/me")).body).toMatchObject({ is_bot: true, max_message_id: id });
  });
});

describe("adding people", () => {
  const newcomer = {
    email: "nina@example.com",
    full_name: "Nina",
    password: "correct-horse-battery",
  };

  test("an administrator adds a member, and everybody of the organization hears of it", async () => {
    const { adam, alice, greta, zoe } = world;
    const queues = [await adam.register(), await alice.register(), await greta.register()];
    const foreign = await zoe.register();
    const { status, body } = await adam.post("/users", newcomer);
    expect(status).toBe(200);
    const seen = (await alice.get(`/users/${body.user_id}`, { client_gravatar: false })).body.user;
    expect(seen).toMatchObject({ full_name: "Nina", role: 400, is_active: true });
    for (const queue of queues) {
      const events = await queue.events();
      expect(shape(events)[0]).toEqual({
        type: "realm_user",
        op: "add",
        person: { ...seen, profile_data: {} },
      });
      expect(await groupMoves(events)).toEqual([
        "add_members role:members",
        "add_members role:fullmembers",
      ]);
    }
    expect(await foreign.events()).toEqual([]);
    const { username, password } = { username: newcomer.email, password: newcomer.password };
    expect(
      (await world.anonymous.post("/fetch_api_key", { username, password })).body.user_id,
    ).toBe(body.user_id);
  });

  test("moderators, members, guests and bots may not", async () => {
    const { mona, alice, greta, robot } = world;
    for (const person of [mona, alice, greta, robot]) {
      const { status, body } = await person.post("/users", newcomer);
      expect([status, body.code]).toEqual([400, "UNAUTHORIZED_PRINCIPAL"]);
    }
    expect((await world.anonymous.post("/users", newcomer)).status).toBe(401);
  });

  test("bad values are refused, tell nobody and store nothing", async () => {
    const { adam } = world;
    const queue = await adam.register();
    const refused = [
      { email: "alice@example.com" },
      { email: "ALICE@example.com" },
      { email: "not-an-email" },
      { email: "a@b@example.com" },
      { email: "\u212Aelvin@example.com" },
      { email: `user1@${worldHost}` },
      { email: `${"a".repeat(250)}@example.com` },
      { full_name: " " },
      { full_name: "bad*name" },
      { full_name: "Nina|5" },
      { full_name: "N".repeat(101) },
      { full_name: "line\nbreak" },
      { password: "short" },
      { password: "p".repeat(101) },
    ];
    for (const values of refused) {
      const { status, body } = await adam.post("/users", { ...newcomer, ...values });
      expect([values, status, body.code]).toEqual([values, 400, "BAD_REQUEST"]);
    }
    expect(await queue.events()).toEqual([]);
    expect((await adam.get("/users")).body.members).toHaveLength(9);
  });

  test("a guest is in the group of everyone only, and in no default channel", async () => {
    const { alice, operator } = world;
    const queue = await alice.register();
    const input = { email: "gus@example.com", fullName: "Gus", role: roles.guest };
    await createUser(operator, input);
    const events = await queue.events();
    expect(await groupMoves(events)).toEqual(["add_members role:everyone"]);
    expect(events.filter(({ type }) => type === "subscription")).toEqual([]);
  });
});

describe("roles and names", () => {
  test("a new role is announced with the groups that it brings and takes", async () => {
    const { bob, alice, zoe, operator } = world;
    const [queue, foreign] = [await alice.register(), await zoe.register()];
    await updateUserRole(operator, bob.id, roles.guest);
    const events = await queue.events();
    expect(without(events, "user_group", "stream", "subscription", "default_streams")).toEqual([
      { type: "realm_user", op: "update", person: { user_id: bob.id, role: 600 } },
    ]);
    expect(await groupMoves(events)).toEqual([
      "add_members role:everyone",
      "remove_members role:members",
      "remove_members role:fullmembers",
    ]);
    expect(await foreign.events()).toEqual([]);
    expect((await bob.get("/users/me")).body).toMatchObject({ role: 600, is_guest: true });
    await updateUserRole(operator, bob.id, roles.guest);
    expect(await queue.events()).toEqual([]);
  });

  test("the last owner stays owner and stays active", async () => {
    const { olga, adam, operator } = world;
    expect((await refusalOf(updateUserRole(operator, olga.id, roles.member))).message).toContain(
      "at least one active owner",
    );
    expect(await refusalOf(deactivateUser(operator, olga.id))).toMatchObject({
      code: "CANNOT_DEACTIVATE_LAST_USER",
      data: { is_last_owner: true, entity: "organization owner" },
    });
    await updateUserRole(operator, adam.id, roles.owner);
    await deactivateUser(operator, olga.id);
    expect((await adam.get(`/users/${olga.id}`)).body.user.is_active).toBe(false);
  });

  test("a new name is announced once", async () => {
    const { alice, bob, operator } = world;
    const queue = await alice.register();
    const rename = () => write(operator, (tx) => renameUserIn(tx, operator, bob.id, " Bobby "));
    await rename();
    await rename();
    expect(shape(await queue.events())).toEqual([
      { type: "realm_user", op: "update", person: { user_id: bob.id, full_name: "Bobby" } },
    ]);
  });
});

describe("deactivation", () => {
  test("is announced to the organization for the user and for the bots that they own", async () => {
    const { alice, bob, robot, zoe, operator } = world;
    const [queue, foreign] = [await bob.register(), await zoe.register()];
    await deactivateUser(operator, alice.id);
    expect(without(await queue.events(), "subscription")).toEqual([
      { type: "realm_user", op: "update", person: { user_id: alice.id, is_active: false } },
      { type: "realm_user", op: "update", person: { user_id: robot.id, is_active: false } },
    ]);
    expect(await foreign.events()).toEqual([]);
    const { realm_users, realm_non_active_users } = (await bob.register()).state;
    const ids = (users: { user_id: number }[]) => users.map(({ user_id }) => user_id);
    expect(ids(realm_non_active_users)).toEqual([alice.id, robot.id]);
    expect(ids(realm_users)).not.toContain(alice.id);
    expect((await refusalOf(deactivateUser(operator, alice.id))).message).toContain(
      "deactivated already",
    );
    expect((await refusalOf(deactivateUser(operator, zoe.id))).message).toContain("No such user");
  });

  test("reactivation brings the user back into their groups, without their bots", async () => {
    const { alice, bob, robot, operator } = world;
    await deactivateUser(operator, alice.id);
    const queue = await bob.register();
    await reactivateUser(operator, alice.id);
    const events = await queue.events();
    expect(shape(events)[0]).toEqual({
      type: "realm_user",
      op: "update",
      person: { user_id: alice.id, is_active: true },
    });
    expect(await groupMoves(events)).toEqual([
      "add_members role:members",
      "add_members role:fullmembers",
    ]);
    expect((await bob.get(`/users/${robot.id}`)).body.user.is_active).toBe(false);
  });
});

describe("bots", () => {
  test("a new bot is announced to all as a user, and as a bot to administrators and its owner, once each", async () => {
    const { olga, alice, bob, zoe, operator } = world;
    const queues: Record<string, Queue> = {};
    for (const [name, person] of Object.entries({ olga, alice, bob, zoe }))
      queues[name] = await person.register();
    const bot = await createBot(operator, {
      email: "echo-bot@example.com",
      fullName: "Echo",
      ownerId: alice.id,
    });
    const typesOf = async (name: string) =>
      shape((await queues[name]?.events()) ?? []).map(({ type, op }) => `${type} ${op}`);
    const all = ["realm_user add", "user_group add_members", "user_group add_members"];
    expect(await typesOf("olga")).toEqual(["realm_bot add", ...all]);
    expect(await typesOf("alice")).toEqual(["realm_bot add", ...all]);
    expect(await typesOf("bob")).toEqual(all);
    expect(await typesOf("zoe")).toEqual([]);
    const slim = {
      user_id: bot.id,
      default_sending_stream: null,
      default_events_register_stream: null,
      default_all_public_streams: false,
      services: [],
    };
    expect((await alice.register()).state.realm_bots).toContainEqual(slim);
    expect((await olga.register()).state.realm_bots).toContainEqual(slim);
    expect((await bob.register()).state.realm_bots).toEqual([]);
  });

  test("a name in use, a bot as the owner, and a person of another organization are refused", async () => {
    const { alice, robot, zoe, operator } = world;
    const bot = { email: "echo-bot@example.com", fullName: "Echo", ownerId: alice.id };
    expect((await refusalOf(createBot(operator, { ...bot, fullName: "Robot" }))).message).toContain(
      "already",
    );
    expect((await refusalOf(createBot(operator, { ...bot, ownerId: robot.id }))).message).toContain(
      "active person",
    );
    expect((await refusalOf(createBot(operator, { ...bot, ownerId: zoe.id }))).message).toContain(
      "No such user",
    );
    expect(
      (await refusalOf(createBot(operator, { ...bot, email: "robot-bot@example.com" }))).message,
    ).toContain("already in use");
  });
});

describe("the organization", () => {
  const change = (changes: Record<string, unknown>) =>
    write(world.operator, (tx) => updateRealmSettingsIn(tx, world.operator, changes));

  test("what register tells of the user and the realm is true of each role", async () => {
    const { olga, mona, alice, greta } = world;
    const flagsOf = async (person: typeof olga) => {
      const { state } = await person.register({ fetch_event_types: ["realm_user", "realm"] });
      return [
        state.is_owner,
        state.is_admin,
        state.is_moderator,
        state.is_guest,
        state.can_create_public_streams,
      ];
    };
    expect(await flagsOf(olga)).toEqual([true, true, true, false, true]);
    expect(await flagsOf(mona)).toEqual([false, false, true, false, true]);
    expect(await flagsOf(alice)).toEqual([false, false, false, false, true]);
    expect(await flagsOf(greta)).toEqual([false, false, false, true, false]);
    const { state } = await alice.register({ fetch_event_types: ["realm_user", "realm"] });
    expect(state).toMatchObject({ realm_name: "Acme", user_id: alice.id, avatar_source: "G" });
    expect(state.cross_realm_bots).toMatchObject([
      { email: `notification-bot@${worldHost}`, is_system_bot: true },
      { email: `email-gateway@${worldHost}`, is_system_bot: true },
    ]);
  });

  test("changed settings are announced to the realm as they are on the wire, and only what changed", async () => {
    const { alice, zoe } = world;
    const [queue, foreign] = [await alice.register(), await zoe.register()];
    const members = [...(await groupNames())].find(([, name]) => name === "role:moderators")?.[0];
    const settings = {
      description: "Makers",
      can_create_groups: "role:moderators",
      invite_required: true,
    };
    await change({ name: "Acme Ltd", ...settings });
    await change({ name: "Acme Ltd", ...settings });
    expect(shape(await queue.events())).toEqual([
      { type: "realm", op: "update", property: "name", value: "Acme Ltd" },
      {
        type: "realm",
        op: "update_dict",
        property: "default",
        data: { description: "Makers" },
      },
      {
        type: "realm",
        op: "update_dict",
        property: "default",
        data: { can_create_groups: members },
      },
    ]);
    expect(await foreign.events()).toEqual([]);
    const { state } = await alice.register({ fetch_event_types: ["realm"] });
    expect(state).toMatchObject({ realm_name: "Acme Ltd", realm_description: "Makers" });
  });

  test("unknown settings, bad values, and what does not exist are refused without half a change", async () => {
    const { alice, zoe } = world;
    const refused = [
      { colour: "blue" },
      { org_type: 3 },
      { name: " " },
      { can_create_groups: 999_999 },
      { can_create_groups: { direct_members: [zoe.id], direct_subgroups: [] } },
      { new_stream_announcements_stream_id: 999_999 },
    ];
    for (const changes of refused)
      expect(await refusalOf(change({ description: "Half", ...changes }))).toBeInstanceOf(Error);
    const { state } = await alice.register({ fetch_event_types: ["realm"] });
    expect(state.realm_description).toBe("");
  });

  test("a longer waiting period takes new members out of the full members", async () => {
    const { alice } = world;
    const queue = await alice.register();
    await change({ waiting_period_threshold: 3 });
    const events = await queue.events();
    expect(await groupMoves(events)).toEqual(["remove_members role:fullmembers"]);
    expect(events.at(-1).user_ids).toHaveLength(5);
    world.clock.advance(3 * 24 * 60 * 60);
    const { body } = await alice.get("/user_groups");
    const full = body.user_groups.find(({ name }: { name: string }) => name === "role:fullmembers");
    expect(full.members).toHaveLength(5);
  });

  test("a host belongs to one organization", async () => {
    const { app, clock } = world;
    const make = (host: string) => createRealm(app, { name: "Again", host }, clock.now());
    expect((await refusalOf(make(worldHost.toUpperCase()))).message).toContain("already");
    for (const host of ["", "two words", "https://chat.example.com", "chat.example.com:80"]) {
      expect((await refusalOf(make(host))).message).toContain("not a host name");
    }
    const longName = createRealm(
      app,
      { name: "x".repeat(41), host: "new.example.com" },
      clock.now(),
    );
    expect((await refusalOf(longName)).message).toContain("too long");
  });
});
