import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { roles } from "../../src/core/rights/role";
import { write } from "../../src/core/write";
import { createUser } from "../../src/management/accounts/create";
import { deactivateUser } from "../../src/management/accounts/deactivate";
import { renameUserIn, updateUserRole } from "../../src/management/accounts/update";
import { createBot } from "../support/bots";
import type { WireEvent } from "../support/client";
import { groupMoves, shapesOf } from "../support/groups";
import { refusalOf } from "../support/refusal";
import { makeWorld, type World, worldHost } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

const without = (events: WireEvent[], ...types: string[]) =>
  shapesOf(events).filter(({ type }) => !types.includes(type));

const aliceObject = () => ({
  user_id: world.alice.id,
  delivery_email: "alice@example.com",
  email: "alice@example.com",
  full_name: "Alice",
  date_joined: "2026-01-01T00:00:00+00:00",
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
      expect(shapesOf(events)[0]).toEqual({
        type: "realm_user",
        op: "add",
        person: { ...seen, profile_data: {} },
      });
      expect(await groupMoves(world.olga, events)).toEqual([
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
    expect(await groupMoves(world.olga, events)).toEqual(["add_members role:everyone"]);
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
    expect(await groupMoves(world.olga, events)).toEqual([
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
    expect(shapesOf(await queue.events())).toEqual([
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
      "already deactivated",
    );
    expect((await refusalOf(deactivateUser(operator, zoe.id))).message).toContain("No such user");
  });
});
