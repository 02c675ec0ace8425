import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { operatorContext } from "../../src/core/operator";
import { write } from "../../src/core/write";
import { deactivateUser } from "../../src/management/accounts/deactivate";
import { updateUserRole } from "../../src/management/accounts/update";
import { updateRealmSettings } from "../../src/management/organization/update";
import type { Answer } from "../support/client";
import { verify, verifyInTurn } from "../support/client-state/verify";
import { shapesOf } from "../support/groups";
import { refusalOf } from "../support/refusal";
import { makeWorld, type World } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

const codeOf = ({ status, body }: Answer) => [status, body.code];
const refused = [400, "BAD_REQUEST"];
const unauthorized = [400, "UNAUTHORIZED_PRINCIPAL"];

const realmState = async () => (await world.alice.register({ fetch_event_types: ["realm"] })).state;

/** The ids of the system groups by name. */
async function groupIds(): Promise<Record<string, number>> {
  const { body } = await world.olga.get("/user_groups");
  return Object.fromEntries(
    body.user_groups.map(({ name, id }: { name: string; id: number }) => [name, id]),
  );
}

describe("changing the organization", () => {
  test("several settings are changed at once, each told in the form that the protocol has for it", async () => {
    const { adam, greta, zoe } = world;
    const [queue, foreign] = [await greta.register(), await zoe.register()];
    const changes = {
      name: " Acme Ltd ",
      description: "Makers of *things*",
      digest_weekday: 4,
      topics_policy: "disable_empty_topic",
      message_content_edit_limit_seconds: "unlimited",
      move_messages_within_stream_limit_seconds: "unlimited",
      jitsi_server_url: '"https://meet.example.com"',
      name_changes_disabled: true,
    };
    const { status, body } = await adam.patch("/realm", { ...changes, bogus: 1 });
    expect([status, body]).toEqual([
      200,
      {
        result: "success",
        msg: "",
        ignored_parameters_unsupported: ["bogus"],
        name: "updated",
        description: "updated",
        digest_weekday: 4,
        topics_policy: "updated",
        message_content_edit_limit_seconds: null,
        move_messages_within_stream_limit_seconds: null,
        jitsi_server_url: "updated",
        name_changes_disabled: true,
      },
    ]);
    const alone = (property: string, value: unknown) => ({
      type: "realm",
      op: "update",
      property,
      value,
    });
    const inDictionary = (data: object) => ({
      type: "realm",
      op: "update_dict",
      property: "default",
      data,
    });
    const events = shapesOf(await queue.events());
    expect(events).toHaveLength(8);
    expect(events).toEqual(
      expect.arrayContaining([
        alone("name", "Acme Ltd"),
        alone("digest_weekday", 4),
        alone("move_messages_within_stream_limit_seconds", null),
        alone("jitsi_server_url", "https://meet.example.com"),
        alone("name_changes_disabled", true),
        inDictionary({ description: "Makers of *things*" }),
        inDictionary({ message_content_edit_limit_seconds: null }),
        inDictionary({ topics_policy: "disable_empty_topic", mandatory_topics: true }),
      ]),
    );
    expect(await foreign.events()).toEqual([]);
    expect(await realmState()).toMatchObject({
      realm_name: "Acme Ltd",
      realm_description: "Makers of *things*",
      realm_mandatory_topics: true,
      realm_jitsi_server_url: "https://meet.example.com",
      jitsi_server_url: "https://meet.example.com",
    });
    expect((await world.anonymous.get("/server_settings")).body.realm_name).toBe("Acme Ltd");
    expect((await zoe.register({ fetch_event_types: ["realm"] })).state.realm_name).toBe("Other");
  });

  test("nothing sent changes nothing, and one bad value changes nothing either", async () => {
    const { olga } = world;
    const queue = await olga.register();
    expect((await olga.patch("/realm")).body).toEqual({ result: "success", msg: "" });
    const bad = [
      { name: " " },
      { name: "n".repeat(41) },
      { name: "line\nbreak" },
      { waiting_period_threshold: -1 },
    ];
    for (const value of bad)
      expect(codeOf(await olga.patch("/realm", { digest_weekday: 3, ...value }))).toEqual(refused);
    expect(await queue.events()).toEqual([]);
    expect(await realmState()).toMatchObject({ realm_name: "Acme", realm_digest_weekday: 1 });
  });

  test("everybody's picture of it is right afterwards", async () => {
    const { olga, alice, channels } = world;
    const verifyNext = verifyInTurn(world);
    const { "role:moderators": moderators, "role:nobody": nobody } = await groupIds();
    await verifyNext(() =>
      olga.patch("/realm", {
        name: "Acme Ltd",
        default_language: "de",
        message_retention_days: 30,
        waiting_period_threshold: 3,
        topics_policy: "disable_empty_topic",
        signup_announcements_stream_id: channels.general,
        can_create_groups: { new: { direct_members: [alice.id], direct_subgroups: [moderators] } },
        direct_message_permission_group: { new: nobody },
      }),
    );
    await verifyNext(() =>
      olga.patch("/realm", { waiting_period_threshold: 0, jitsi_server_url: "default" }),
    );
  });

  test("a longer waiting period takes new members out of the full members, for all who see the group", async () => {
    const { olga, alice, clock } = world;
    const { "role:fullmembers": fullMembers } = await groupIds();
    const queue = await alice.register({ event_types: ["user_group"] });
    await olga.patch("/realm", { waiting_period_threshold: 3 });
    const [event, ...others] = await queue.events();
    expect(event).toMatchObject({ op: "remove_members", group_id: fullMembers });
    expect(event.user_ids).toContain(alice.id);
    expect([event.user_ids.length, others]).toEqual([5, []]);
    clock.advance(3 * 24 * 60 * 60);
    const { body } = await alice.get("/user_groups");
    const full = body.user_groups.find(({ id }: { id: number }) => id === fullMembers);
    expect(full.members).toContain(alice.id);
    expect(full.members).toHaveLength(5);
  });
});

describe("a permission of the organization", () => {
  test("is given to groups and people, and holds at once", async () => {
    const { olga, alice, bob } = world;
    const { "role:moderators": moderators } = await groupIds();
    const value = { direct_members: [alice.id], direct_subgroups: [moderators] };
    const mayCreate = async (person: typeof alice) =>
      (await person.register({ fetch_event_types: ["realm_user"] })).state
        .can_create_public_streams;
    expect(
      (await olga.patch("/realm", { can_create_public_channel_group: { new: value } })).body,
    ).toMatchObject({
      can_create_public_channel_group: value,
    });
    expect([await mayCreate(alice), await mayCreate(bob)]).toEqual([true, false]);
    const create = { subscriptions: [{ name: "crew" }] };
    expect(codeOf(await bob.post("/users/me/subscriptions", create))).toEqual(refused);
    expect((await alice.post("/users/me/subscriptions", create)).status).toBe(200);
  });

  test("has one form for one meaning: a group alone is its id", async () => {
    const { olga, alice } = world;
    const { "role:moderators": moderators } = await groupIds();
    const queue = await alice.register();
    const alone = { direct_members: [], direct_subgroups: [moderators] };
    for (const value of [alone, moderators]) {
      expect((await olga.patch("/realm", { can_create_groups: { new: value } })).status).toBe(200);
    }
    expect(shapesOf(await queue.events())).toEqual([
      {
        type: "realm",
        op: "update_dict",
        property: "default",
        data: { can_create_groups: moderators },
      },
    ]);
  });

  test("is changed only from the value that the client took it to have", async () => {
    const { olga, alice } = world;
    const { "role:moderators": moderators, "role:members": members } = await groupIds();
    const people = { direct_members: [alice.id], direct_subgroups: [] };
    const change = (values: object) => olga.patch("/realm", { can_create_groups: values });
    expect(codeOf(await change({ new: members, old: moderators }))).toEqual([
      400,
      "EXPECTATION_MISMATCH",
    ]);
    expect((await change({ new: people, old: members })).status).toBe(200);
    expect(codeOf(await change({ new: members, old: members }))).toEqual([
      400,
      "EXPECTATION_MISMATCH",
    ]);
    expect((await change({ new: members, old: people })).status).toBe(200);
  });

  test("refuses what is not of the organization, and another form", async () => {
    const { olga, zoe, alice } = world;
    const { "role:members": members } = await groupIds();
    const { body } = await zoe.get("/user_groups");
    const foreign = body.user_groups.find(
      ({ name }: { name: string }) => name === "role:members",
    ).id;
    const wrong = [
      { new: foreign },
      { new: { direct_members: [zoe.id], direct_subgroups: [] } },
      { new: { direct_members: [], direct_subgroups: [foreign] } },
      { new: { direct_members: [alice.id] } },
      { new: "role:members" },
      { new: members, odd: 1 },
      { old: members },
      members,
    ];
    for (const value of wrong) {
      expect([value, ...codeOf(await olga.patch("/realm", { can_create_groups: value }))]).toEqual([
        value,
        ...refused,
      ]);
    }
    expect((await realmState()).realm_can_create_groups).toBe(members);
    const anonymous = { direct_members: [alice.id], direct_subgroups: [members] };
    expect(
      codeOf(await olga.patch("/realm", { can_access_all_users_group: { new: anonymous } })),
    ).toEqual([400, "SYSTEM_GROUP_REQUIRED"]);
  });
});

describe("a channel that the organization writes to", () => {
  const settings = [
    "moderation_request_channel_id",
    "new_stream_announcements_stream_id",
    "signup_announcements_stream_id",
    "zulip_update_announcements_stream_id",
  ];

  test.each(settings)("%s names a channel of it, or none", async (name) => {
    const { olga, zoe, channels, operator } = world;
    const { t } = world.app.engine.reader;
    await zoe.post("/users/me/subscriptions", { subscriptions: [{ name: "elsewhere" }] });
    const elsewhere = (await zoe.get("/streams")).body.streams[0].stream_id;
    await write(operator, (tx) =>
      tx.db.update(t.channels).set({ isArchived: true }).where(eq(t.channels.id, channels.secret)),
    );
    for (const id of [elsewhere, channels.secret, 999_999, 0, -2]) {
      expect([id, ...codeOf(await olga.patch("/realm", { [name]: id }))]).toEqual([id, ...refused]);
    }
    // Reports go to a private channel only.
    const open = name === "moderation_request_channel_id" ? [] : [channels.general];
    for (const id of [channels.plans, ...open, -1]) {
      expect((await olga.patch("/realm", { [name]: id })).body).toMatchObject({ [name]: id });
      expect((await realmState())[`realm_${name}`]).toBe(id);
    }
  });
});

describe("a channel that is archived", () => {
  test("is written to no longer: the settings that named it name none, for everybody", async () => {
    const { olga, bob, zoe, channels } = world;
    const named = {
      signup_announcements_stream_id: channels.plans,
      moderation_request_channel_id: channels.plans,
    };
    await olga.patch("/realm", { ...named, new_stream_announcements_stream_id: channels.general });
    const [queue, foreign] = [await bob.register({ event_types: ["realm"] }), await zoe.register()];
    await verify(world, () => olga.delete(`/streams/${channels.plans}`));
    const told = shapesOf(await queue.events()).map(({ op, property, value }) => [
      op,
      property,
      value,
    ]);
    expect(told.sort()).toEqual([
      ["update", "moderation_request_channel_id", -1],
      ["update", "signup_announcements_stream_id", -1],
    ]);
    expect(await foreign.events()).toEqual([]);
    expect(await realmState()).toMatchObject({
      realm_signup_announcements_stream_id: -1,
      realm_new_stream_announcements_stream_id: channels.general,
    });
  });
});

describe("ways to sign in", () => {
  test("are what the server has, and never none", async () => {
    const { olga, adam } = world;
    const queue = await adam.register();
    const choose = (methods: unknown, who = olga) =>
      who.patch("/realm", { authentication_methods: methods });
    expect((await choose({ Email: true })).status).toBe(200);
    for (const wrong of [{ Email: false }, {}, { GitHub: true }, { Email: "yes" }, [], "Email"]) {
      expect([wrong, ...codeOf(await choose(wrong))]).toEqual([wrong, ...refused]);
    }
    expect(codeOf(await choose({ Email: true }, adam))).toEqual(unauthorized);
    expect(await queue.events()).toEqual([]);
    expect((await realmState()).realm_authentication_methods).toEqual({
      Email: { enabled: true, available: true },
    });
  });
});

describe("security cases", () => {
  test("D8: what only owners decide, an administrator changes by no other door", async () => {
    const { olga, adam, alice } = world;
    const { "role:administrators": administrators } = await groupIds();
    const queue = await alice.register();
    const before = await realmState();
    const mixed = { description: "harmless", invite_required: false };
    for (const values of [
      mixed,
      { invite_required: true },
      { can_manage_all_groups: { new: administrators } },
      { can_invite_users_group: { new: administrators, old: administrators } },
      { authentication_methods: { Email: true } },
    ]) {
      expect([values, ...codeOf(await adam.patch("/realm", values))]).toEqual([
        values,
        ...unauthorized,
      ]);
    }
    const asJson = { headers: { "content-type": "application/json" }, body: JSON.stringify(mixed) };
    expect(codeOf(await adam.ask("PATCH", "/realm", {}, asJson))).toEqual(unauthorized);
    expect(codeOf(await adam.ask("PATCH", "/realm?invite_required=false", {}))).toEqual(
      unauthorized,
    );
    expect(await queue.events()).toEqual([]);
    expect(await realmState()).toEqual({ ...before, queue_id: expect.any(String) });
    expect((await olga.patch("/realm", mixed)).status).toBe(200);
  });

  test("D8: a policy stays closed to those who hold every other right, and by the settings of a user", async () => {
    const { olga, adam, alice } = world;
    for (const name of [
      "can_manage_all_groups",
      "can_set_topics_policy_group",
      "can_set_delete_message_policy_group",
    ]) {
      const holders = { direct_members: [alice.id], direct_subgroups: [] };
      expect((await olga.patch("/realm", { [name]: { new: holders } })).status).toBe(200);
    }
    expect(codeOf(await alice.patch("/realm", { topics_policy: "disable_empty_topic" }))).toEqual(
      unauthorized,
    );
    const side = await alice.patch("/settings", {
      topics_policy: "disable_empty_topic",
      name: "Mine",
    });
    expect(side.body.ignored_parameters_unsupported.sort()).toEqual(["name", "topics_policy"]);
    expect(
      codeOf(await alice.patch("/realm/user_settings_defaults", { enter_sends: true })),
    ).toEqual(unauthorized);
    expect(codeOf(await adam.post("/realm/deactivate"))).toEqual(unauthorized);
    expect(await realmState()).toMatchObject({
      realm_topics_policy: "allow_empty_topic",
      realm_name: "Acme",
    });
  });

  test("D8: who loses the right while a change is under way does not make it", async () => {
    const { adam, operator, app, realm } = world;
    const actor = {
      kind: "user" as const,
      user: (await loadUserRow(adam.id)) ?? neverUser(),
      apiKeyId: 0,
    };
    await updateUserRole(operator, adam.id, 400);
    const late = updateRealmSettings(
      { ...operatorContext(app, realm), actor },
      { digest_weekday: 3 },
    );
    expect((await refusalOf(late)).code).toBe("UNAUTHORIZED_PRINCIPAL");
    await deactivateUser(operator, adam.id);
    const later = updateRealmSettings(
      { ...operatorContext(app, realm), actor },
      { digest_weekday: 3 },
    );
    expect((await refusalOf(later)).code).toBe("UNAUTHORIZED");
    expect((await realmState()).realm_digest_weekday).toBe(1);
  });

  test("E9: nobody changes anything here without having signed in", async () => {
    const { anonymous, bob, olga, operator } = world;
    const before = { ...(await realmState()), queue_id: "" };
    const { passwordHash } = (await loadUserRow(olga.id)) ?? neverUser();
    await deactivateUser(operator, bob.id);
    const doors: [string, string, Record<string, unknown>][] = [
      ["PATCH", "/realm", { name: "Mine" }],
      ["PATCH", "/realm/user_settings_defaults", { enter_sends: true }],
      ["POST", "/realm/deactivate", {}],
      ["PATCH", "/settings", { full_name: "Nobody", enter_sends: true }],
      ["PATCH", "/settings", { new_password: "correct-horse-battery", old_password: "" }],
      ["PATCH", "/settings/display", { enter_sends: true }],
      ["PATCH", "/settings/notifications", { enter_sends: true }],
    ];
    const empty = { headers: { authorization: `Basic ${btoa(":")}` } };
    for (const [method, path, values] of doors) {
      const answers = [
        await anonymous.ask(method, path, values),
        await anonymous.ask(method, path, values, empty),
        await bob.ask(method, path, values),
      ];
      for (const answer of answers)
        expect([path, ...codeOf(answer)]).toEqual([path, 401, "UNAUTHORIZED"]);
    }
    expect({ ...(await realmState()), queue_id: "" }).toEqual(before);
    expect((await loadUserRow(olga.id))?.passwordHash).toBe(passwordHash);
  });
});

const neverUser = (): never => {
  throw new Error("The user is gone.");
};

async function loadUserRow(id: number) {
  const { db, t } = world.app.engine.reader;
  const [user] = await db.select().from(t.users).where(eq(t.users.id, id));
  return user;
}
