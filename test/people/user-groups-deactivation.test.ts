import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { write } from "../../src/core/write";
import { deactivateUser, reactivateUser } from "../../src/management/accounts/deactivate";
import { updateRealmSettingsIn } from "../../src/management/organization/change-settings";
import { verify, verifyInTurn } from "../support/client-state/verify";
import {
  anonymous,
  groupsOf,
  idsOf,
  knowsDeactivated,
  makeGroup,
  roleGroups,
  shapesOf,
  succeeded,
} from "../support/groups";
import { makeWorld, type Person, type World } from "../support/world";

let world: World;
let group: Record<string, number>;
beforeEach(async () => {
  world = await makeWorld();
  group = await roleGroups(world);
});
afterEach(() => world.close());

const refused = { status: 400, body: { result: "error", code: "BAD_REQUEST" } };
const deactivate = (person: Person, id: number) => person.post(`/user_groups/${id}/deactivate`);
const reactivate = (person: Person, id: number) =>
  person.patch(`/user_groups/${id}`, { deactivated: false });

/** Members whom a client knows in the groups, by the state of `register`. */
const stateOf = async (person: Person, options: object) =>
  (await person.register(options as Record<string, unknown>)).state.realm_user_groups;

test("a deactivated group is kept, hidden, and can be put back into use", async () => {
  const { alice, bob, carol } = world;
  const verifyNext = verifyInTurn(world);
  const id = await makeGroup(alice, "devs", { members: [bob.id], subgroups: [group.moderators] });
  expect(await deactivate(bob, id)).toMatchObject(refused);
  await verifyNext(async () => {
    expect(await deactivate(alice, id)).toMatchObject({
      status: 200,
      body: { result: "success", msg: "" },
    });
  });
  expect(await deactivate(alice, id)).toMatchObject(refused);
  const listed = async (parameters = {}) =>
    (await carol.get("/user_groups", parameters)).body.user_groups.some(
      (one: { id: number }) => one.id === id,
    );
  expect([await listed(), await listed({ include_deactivated_groups: true })]).toEqual([
    false,
    true,
  ]);
  expect((await groupsOf(carol)).get("devs")).toMatchObject({
    members: [bob.id],
    deactivated: true,
  });
  await verifyNext(async () => {
    expect(await reactivate(alice, id)).toMatchObject({ status: 200 });
  });
  await verify(
    world,
    async () => {
      succeeded(await deactivate(alice, id));
      succeeded(await reactivate(alice, id));
    },
    knowsDeactivated,
  );
  expect(await listed()).toBe(true);
  expect(await reactivate(alice, id)).toMatchObject({ status: 200 });
  expect(await alice.patch(`/user_groups/${id}`, { deactivated: true })).toMatchObject({
    status: 200,
  });
  expect(await listed()).toBe(false);
});

test("its name stays taken until it is renamed, and it can be changed as before", async () => {
  const { alice, bob, carol } = world;
  const id = await makeGroup(alice, "devs", { members: [bob.id] });
  succeeded(await deactivate(alice, id));
  const create = { name: "devs", description: "", members: [] };
  expect(await alice.post("/user_groups/create", create)).toMatchObject(refused);
  await verify(
    world,
    async () => {
      succeeded(
        await alice.patch(`/user_groups/${id}`, {
          name: "old devs",
          can_join_group: { new: group.members },
        }),
      );
      succeeded(
        await alice.post(`/user_groups/${id}/members`, { add: [carol.id], delete: [bob.id] }),
      );
      succeeded(await alice.post(`/user_groups/${id}/subgroups`, { add: [group.moderators] }));
      succeeded(await alice.post("/user_groups/create", create));
    },
    knowsDeactivated,
  );
  await verify(world, () => alice.post(`/user_groups/${id}/members`, { add: [bob.id] }));
  expect((await groupsOf(alice)).get("old devs")).toMatchObject({
    id,
    members: idsOf(bob, carol),
    direct_subgroup_ids: [group.moderators],
    can_join_group: group.members,
  });
});

test("a client that knows deactivated groups sees it change, another one sees it go and come", async () => {
  const { alice, bob, carol, greta, zoe } = world;
  const group_id = await makeGroup(alice, "devs", { members: [bob.id] });
  const [knowing, other] = [await greta.register(knowsDeactivated), await greta.register()];
  const foreign = await zoe.register(knowsDeactivated);
  succeeded(await deactivate(alice, group_id));
  const shown = (await groupsOf(alice)).get("devs");
  expect(await stateOf(greta, knowsDeactivated)).toContainEqual(shown);
  expect(await stateOf(greta, {})).not.toContainEqual(shown);
  succeeded(await alice.patch(`/user_groups/${group_id}`, { name: "makers", description: "x" }));
  succeeded(await alice.post(`/user_groups/${group_id}/members`, { add: [carol.id] }));
  succeeded(await alice.post(`/user_groups/${group_id}/subgroups`, { add: [group.owners] }));
  succeeded(
    await alice.patch(`/user_groups/${group_id}`, {
      deactivated: false,
      can_join_group: { new: group.members },
    }),
  );
  const update = (data: object) => ({ type: "user_group", op: "update", group_id, data });
  expect(shapesOf(await knowing.events())).toEqual([
    update({ deactivated: true }),
    update({ name: "makers" }),
    update({ description: "x" }),
    { type: "user_group", op: "add_members", group_id, user_ids: [carol.id] },
    { type: "user_group", op: "add_subgroups", group_id, direct_subgroup_ids: [group.owners] },
    update({ can_join_group: group.members }),
    update({ deactivated: false }),
  ]);
  expect(shapesOf(await other.events())).toEqual([
    { type: "user_group", op: "remove", group_id },
    { type: "user_group", op: "add", group: (await groupsOf(alice)).get("makers") },
  ]);
  expect(await foreign.events()).toEqual([]);
});

test("a member who comes back is back in it, for those who know it", async () => {
  const { alice, bob, greta, operator } = world;
  const id = await makeGroup(alice, "devs", { members: [bob.id] });
  succeeded(await deactivate(alice, id));
  await deactivateUser(operator, bob.id);
  const [knowing, other] = [await greta.register(knowsDeactivated), await greta.register()];
  await verify(world, () => reactivateUser(operator, bob.id));
  const about = async (queue: typeof other) =>
    (await queue.events()).filter(({ group_id }) => group_id === id);
  expect(shapesOf(await about(knowing))).toEqual([
    { type: "user_group", op: "add_members", group_id: id, user_ids: [bob.id] },
  ]);
  expect(await about(other)).toEqual([]);
});

describe("a group in use is not deactivated, and who wants to hears where it is used:", () => {
  /** The objections, in this order, each as long as there is cause for it. */
  async function objections(id: number) {
    const { status, body } = await deactivate(world.alice, id);
    if (status === 200) return [];
    expect([status, body.code]).toEqual([400, "CANNOT_DEACTIVATE_GROUP_IN_USE"]);
    return body.objections;
  }

  test("in other groups and their permissions", async () => {
    const { alice, bob } = world;
    const id = await makeGroup(alice, "devs");
    const outer = await makeGroup(alice, "outer", { subgroups: [id] });
    const other = await makeGroup(bob, "other", {
      can_join_group: id,
      can_mention_group: anonymous([bob], [id, group.administrators ?? 0]),
    });
    const inSettings = {
      type: "user_group",
      group_id: other,
      settings: ["can_join_group", "can_mention_group"],
    };
    expect(await objections(id)).toEqual([
      { type: "subgroup", supergroup_ids: [outer] },
      inSettings,
    ]);
    succeeded(await deactivate(alice, outer));
    expect(await objections(id)).toEqual([inSettings]);
    succeeded(await bob.patch(`/user_groups/${other}`, { can_join_group: { new: group.members } }));
    expect(await objections(id)).toEqual([{ ...inSettings, settings: ["can_mention_group"] }]);
    succeeded(await deactivate(bob, other));
    expect(await objections(id)).toEqual([]);
    expect((await groupsOf(alice)).get("devs")).toMatchObject({ deactivated: true });
  });

  test("in permissions of the organization and of channels", async () => {
    const { alice, operator, realm, channels } = world;
    const id = await makeGroup(alice, "devs");
    const set = (value: unknown) =>
      write(operator, (tx) =>
        updateRealmSettingsIn(tx, operator, {
          can_create_groups: value,
          can_add_custom_emoji_group: value,
        }),
      );
    await set({ direct_members: [alice.id], direct_subgroups: [id] });
    const setChannel = (settings: object, isArchived = false) =>
      write(operator, ({ db, t }) =>
        db
          .update(t.channels)
          .set({ settings: JSON.stringify(settings), isArchived })
          .where(eq(t.channels.realmId, realm.id))
          .returning({ id: t.channels.id }),
      );
    await setChannel({ can_send_message_group: id });
    const channel = (channel_id: number) => ({
      type: "channel",
      channel_id,
      settings: ["can_send_message_group"],
    });
    const inRealm = {
      type: "realm",
      settings: ["can_create_groups", "can_add_custom_emoji_group"],
    };
    const found = await objections(id);
    expect(found).toEqual([
      ...Object.values(channels).map(channel),
      { ...inRealm, settings: expect.arrayContaining(inRealm.settings) },
    ]);
    await setChannel({ can_send_message_group: id }, true);
    expect((await objections(id)).map(({ type }: { type: string }) => type)).toEqual(["realm"]);
    await set("role:members");
    expect(await objections(id)).toEqual([]);
  });
});

test("a group in use by a private channel does not reveal that channel to those who cannot see it", async () => {
  const { alice, bob, olga, channels } = world;
  const id = await makeGroup(bob, "devs");
  const setPlans = async (value: unknown) =>
    succeeded(
      await olga.patch(`/streams/${channels.plans}`, { can_send_message_group: { new: value } }),
    );
  await setPlans(anonymous([alice], [id]));
  const hidden = await deactivate(bob, id);
  expect(hidden).toMatchObject({
    status: 400,
    body: { code: "CANNOT_DEACTIVATE_GROUP_IN_USE", objections: [] },
  });
  expect(hidden.body.msg).toContain("in channels that you cannot see");
  const inPlans = { type: "channel", channel_id: channels.plans };
  const inUse = await deactivate(olga, id);
  expect(inUse.body.objections).toEqual([{ ...inPlans, settings: ["can_send_message_group"] }]);
  expect(inUse.body.msg).not.toContain("cannot see");
  await setPlans(anonymous([alice], []));
  succeeded(await deactivate(bob, id));
});

describe("a deactivated group", () => {
  test("comes into no group and no permission, and stays where it is", async () => {
    const { alice, olga } = world;
    const gone = await makeGroup(alice, "gone");
    const around = await makeGroup(alice, "around", { can_join_group: gone, subgroups: [gone] });
    const id = await makeGroup(alice, "devs");
    succeeded(await deactivate(alice, around));
    succeeded(await deactivate(alice, gone));
    const wrong = [
      await alice.post("/user_groups/create", {
        name: "x",
        description: "",
        members: [],
        subgroups: [gone],
      }),
      await alice.post("/user_groups/create", {
        name: "x",
        description: "",
        members: [],
        can_join_group: gone,
      }),
      await alice.post(`/user_groups/${id}/subgroups`, { add: [gone] }),
      await alice.patch(`/user_groups/${id}`, { can_join_group: { new: gone } }),
      await alice.patch(`/user_groups/${id}`, {
        can_join_group: { new: anonymous([alice], [gone, id]) },
      }),
      await olga.patch("/realm", { can_create_groups: { new: gone } }),
    ];
    for (const answer of wrong) expect(answer).toMatchObject(refused);
    succeeded(await reactivate(alice, around));
    succeeded(
      await alice.patch(`/user_groups/${around}`, {
        can_join_group: { new: anonymous([alice], [gone]) },
      }),
    );
    expect((await groupsOf(alice)).get("around")).toMatchObject({
      direct_subgroup_ids: [gone],
      can_join_group: anonymous([alice], [gone]),
    });
  });

  test("lets those in it keep what they held by what it is still in", async () => {
    const { alice, bob, carol } = world;
    const gone = await makeGroup(alice, "gone", { members: idsOf(bob) });
    const around = await makeGroup(alice, "around", {
      can_manage_group: anonymous([alice], [gone]),
    });
    succeeded(await deactivate(alice, around));
    succeeded(await deactivate(alice, gone));
    expect(await reactivate(carol, around)).toMatchObject(refused);
    succeeded(await reactivate(bob, around));
  });
});
