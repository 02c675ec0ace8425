import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { backupFolder } from "../support/archives/backups";
import { exportedRealm } from "../support/archives/reference-export";
import { importReference } from "../support/archives/reference-import";

const { folder, remove } = backupFolder();
afterAll(remove);

type Row = Record<string, unknown>;

let made = 0;

/** Rows of a table of the usual export; those with the id have further columns. */
const changed = (table: string, id: number, more: Row): Row[] =>
  [exportedRealm[table]]
    .flat()
    .map((one) => ({ ...(one as Row), ...((one as Row)["id"] === id ? more : {}) }));

const channelRow = [exportedRealm["zerver_stream"]].flat()[0] as Row;

const imported = (tables: Record<string, unknown>) =>
  importReference(join(folder, `${made++}.tar.gz`), {
    "realm.json": { ...exportedRealm, ...tables },
  });

const channelOf = (state: Row, name: string) =>
  (state["streams"] as Row[]).find((one) => one["name"] === name);

const groupOf = (state: Row, name: string) =>
  (state["realm_user_groups"] as Row[]).find((one) => one["name"] === name)?.["id"];

test("a permission that nobody holds, or a group that is not imported, stays closed", async () => {
  const { world, state } = await imported({
    zerver_stream: changed("zerver_stream", 31, {
      can_send_message_group: 76,
      can_create_topic_group: 77,
      can_subscribe_group: null,
    }),
    zerver_realm: changed("zerver_realm", 5, {
      can_invite_users_group: 76,
      can_create_groups: 77,
      can_create_public_channel_group: 78,
    }),
    zerver_usergroup: [76, 77, 78].map((id) => ({ id })),
    zerver_namedusergroup: [
      ...[exportedRealm["zerver_namedusergroup"]].flat(),
      { usergroup_ptr: 77, name: "", is_system_group: false },
    ],
    zerver_usergroupmembership: [{ user_group: 78, user_profile: 99 }],
  });
  const nobody = groupOf(state, "role:nobody");
  expect(nobody).toBeGreaterThan(0);
  expect(channelOf(state, "general")).toMatchObject({
    can_send_message_group: nobody,
    can_create_topic_group: nobody,
  });
  expect(state).toMatchObject({
    realm_can_invite_users_group: nobody,
    realm_can_create_groups: nobody,
    realm_can_create_public_channel_group: nobody,
  });
  await world.close();
});

test("groups of an export from before 9.0 are imported with their names and permissions", async () => {
  const { world, state, person } = await imported({
    zerver_usergroup: [
      { id: 71, name: "@role:moderators", is_system_group: true },
      { id: 72, name: "cooks", is_system_group: false, can_mention_group: 73 },
      { id: 73, name: "role:everyone", is_system_group: true },
      { id: 74, name: "kitchen", is_system_group: false, can_mention_group: 71 },
    ],
    zerver_namedusergroup: undefined,
  });
  const cooks = (state.realm_user_groups as Row[]).find(({ name }) => name === "cooks");
  expect(cooks).toMatchObject({ can_mention_group: groupOf(state, "role:everyone") });
  expect(cooks?.["members"]).toHaveLength(2);
  const kitchen = (state.realm_user_groups as Row[]).find(({ name }) => name === "kitchen");
  expect(kitchen).toMatchObject({
    can_mention_group: groupOf(state, "role:moderators"),
    direct_subgroup_ids: [cooks?.["id"]],
  });
  const page = { anchor: "oldest", num_before: 0, num_after: 1, narrow: [] };
  const [first] = (await person("ann")?.get("/messages", page))?.body.messages ?? [];
  expect(first.content).toContain('class="user-group-mention"');
  await world.close();
});

test("limits that an export from before 10.0 has as numbers are kept", async () => {
  const { world, state, report } = await imported({
    zerver_stream: [
      ...changed("zerver_stream", 31, { stream_post_policy: 2 }),
      { ...channelRow, id: 34, name: "news", is_announcement_only: true },
      { ...channelRow, id: 35, name: "staff", stream_post_policy: 4 },
      { ...channelRow, id: 36, name: "open", stream_post_policy: 1 },
    ],
    zerver_realm: changed("zerver_realm", 5, {
      add_custom_emoji_policy: 2,
      bot_creation_policy: 2,
      create_private_stream_policy: 3,
      // The organization has the permission for public channels in its form of today, too.
      create_public_stream_policy: 2,
      delete_own_message_policy: 5,
      edit_topic_policy: 6,
      invite_to_realm_policy: 6,
      invite_to_stream_policy: 4,
      move_messages_between_streams_policy: 2,
      private_message_policy: 2,
      wildcard_mention_policy: 7,
      user_group_edit_policy: 9,
      allow_edit_history: false,
      email_address_visibility: 3,
    }),
  });
  const posters = ["general", "news", "staff", "open"].map(
    (name) => channelOf(state, name)?.["can_send_message_group"],
  );
  const group = (name: string) => groupOf(state, `role:${name}`);
  expect(posters).toEqual(
    ["administrators", "administrators", "moderators", "everyone"].map(group),
  );
  expect(state).toMatchObject({
    realm_can_add_custom_emoji_group: group("administrators"),
    realm_can_create_bots_group: group("administrators"),
    realm_can_create_write_only_bots_group: group("members"),
    realm_can_create_private_channel_group: group("fullmembers"),
    realm_can_create_public_channel_group: { direct_subgroups: [] },
    realm_can_delete_own_message_group: group("everyone"),
    realm_can_move_messages_between_topics_group: group("nobody"),
    realm_can_invite_users_group: group("nobody"),
    realm_can_add_subscribers_group: group("moderators"),
    realm_can_move_messages_between_channels_group: group("administrators"),
    realm_direct_message_permission_group: group("nobody"),
    realm_can_mention_many_users_group: group("moderators"),
    realm_can_create_groups: group("moderators"),
    realm_can_resolve_topics_group: group("nobody"),
    realm_message_edit_history_visibility_policy: "none",
    user_settings: { email_address_visibility: 3 },
    // The export has a value of its own for new people.
    realm_user_settings_defaults: { email_address_visibility: 4 },
  });
  expect(report.skipped).toMatchObject({ "zerver_realm: are limits with an unknown number": 1 });
  await world.close();
});

test("limits and roles that a very old export has as switches are kept", async () => {
  const [{ role: _, ...person }] = changed("zerver_userprofile", 14, {}) as [Row];
  const { world, state } = await imported({
    zerver_realm: changed("zerver_realm", 5, {
      can_create_public_channel_group: undefined,
      emails_restricted_to_domains: undefined,
      add_emoji_by_admins_only: true,
      allow_community_topic_editing: false,
      allow_message_deleting: false,
      create_generic_bot_by_admins_only: true,
      create_stream_by_admins_only: false,
      invite_by_admins_only: true,
      restricted_to_domain: true,
      waiting_period_threshold: 3,
    }),
    zerver_userprofile: [
      ...[exportedRealm["zerver_userprofile"]].flat(),
      ...[
        { id: 60, full_name: "Gus", is_guest: true, is_realm_admin: false },
        { id: 61, full_name: "Ada", is_guest: false, is_realm_admin: true },
        { id: 62, full_name: "Max", is_guest: false, is_realm_admin: false },
      ].map((one) => ({ ...person, ...one, delivery_email: `${one.full_name}@old.example` })),
    ],
  });
  const group = (name: string) => groupOf(state, `role:${name}`);
  expect(state).toMatchObject({
    realm_can_add_custom_emoji_group: group("administrators"),
    realm_can_create_bots_group: group("administrators"),
    realm_can_create_write_only_bots_group: group("members"),
    realm_can_create_private_channel_group: group("fullmembers"),
    realm_can_create_public_channel_group: group("fullmembers"),
    realm_can_add_subscribers_group: group("fullmembers"),
    realm_can_delete_own_message_group: group("administrators"),
    realm_can_move_messages_between_topics_group: group("administrators"),
    realm_can_invite_users_group: group("administrators"),
    realm_emails_restricted_to_domains: true,
  });
  const { users } = world.app.engine.schema;
  const rows = await world.app.engine.reader.db.select().from(users);
  const roleOf = (name: string) => rows.find(({ fullName }) => fullName === name)?.role;
  expect(["Gus", "Ada", "Max"].map(roleOf)).toEqual([600, 200, 400]);
  await world.close();
});

test("an address that stands for a person with an id of the export is not imported", async () => {
  const { world } = await imported({
    zerver_userprofile: changed("zerver_userprofile", 14, {
      delivery_email: "user14@there.example.net",
    }),
  });
  const { users } = world.app.engine.schema;
  const rows = await world.app.engine.reader.db
    .select()
    .from(users)
    .where(eq(users.fullName, "Dot"));
  expect(rows.map(({ email }) => email)).toEqual([
    expect.stringMatching(/^imported-\d+@here\.example\.org$/),
  ]);
  await world.close();
});
