import { afterEach, beforeEach, expect, test } from "bun:test";
import { write } from "../../src/core/write";
import { updateRealmSettingsIn } from "../../src/management/organization/change-settings";
import { createRealm } from "../../src/management/organization/create";
import { roleGroups, shapesOf } from "../support/groups";
import { refusalOf } from "../support/refusal";
import { makeWorld, type World, worldHost } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

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

test("register tells guests of no right that guests never have, whatever groups they are in", async () => {
  const { olga, alice, greta } = world;
  const partners = { direct_members: [alice.id, greta.id], direct_subgroups: [] };
  const permissions = [
    "can_create_public_channel_group",
    "can_create_private_channel_group",
    "can_add_subscribers_group",
    "can_invite_users_group",
  ];
  const given = permissions.map((name) => [name, { new: partners }]);
  expect((await olga.patch("/realm", Object.fromEntries(given))).status).toBe(200);
  const rightsOf = async (person: typeof olga) => {
    const { state } = await person.register({ fetch_event_types: ["realm_user"] });
    const names = Object.keys(state).filter((name) => name.startsWith("can_") && state[name]);
    return names.sort();
  };
  expect(await rightsOf(alice)).toEqual([
    "can_create_private_streams",
    "can_create_public_streams",
    "can_create_streams",
    "can_invite_others_to_realm",
    "can_subscribe_other_users",
  ]);
  expect(await rightsOf(greta)).toEqual([]);
  expect((await greta.post("/invites", { invitee_emails: "n@example.com" })).status).toBe(400);
});

test("changed settings are announced to the realm as they are on the wire, and only what changed", async () => {
  const { alice, zoe } = world;
  const [queue, foreign] = [await alice.register(), await zoe.register()];
  const { moderators } = await roleGroups(world);
  const settings = {
    description: "Makers",
    can_create_groups: "role:moderators",
    invite_required: true,
  };
  await change({ name: "Acme Ltd", ...settings });
  await change({ name: "Acme Ltd", ...settings });
  expect(shapesOf(await queue.events())).toEqual([
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
      data: { can_create_groups: moderators },
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

test("a host belongs to one organization", async () => {
  const { app, clock } = world;
  const make = (host: string) => createRealm(app, { name: "Again", host }, clock.now());
  expect((await refusalOf(make(worldHost.toUpperCase()))).message).toContain("already");
  for (const host of ["", "two words", "https://chat.example.com", "chat.example.com:80"]) {
    expect((await refusalOf(make(host))).message).toContain("not a host name");
  }
  const longName = createRealm(app, { name: "x".repeat(41), host: "new.example.com" }, clock.now());
  expect((await refusalOf(longName)).message).toContain("too long");
});
