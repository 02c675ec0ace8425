import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { deactivateUser } from "../../src/management/accounts/deactivate";
import { anonymous, groupsOf, makeGroup, roleGroups, shapesOf, succeeded } from "../support/groups";
import { makeWorld, type Person, type World } from "../support/world";

let world: World;
let group: Record<string, number>;
beforeEach(async () => {
  world = await makeWorld();
  group = await roleGroups(world);
});
afterEach(() => world.close());

const refused = { status: 400, body: { result: "error", code: "BAD_REQUEST" } };

describe("a group changes", () => {
  test("its name, description and permissions, each told by an event of its own", async () => {
    const { alice, bob, greta } = world;
    const group_id = await makeGroup(alice, "devs");
    const queue = await greta.register();
    const patch = (person: Person, parameters: Record<string, unknown>) =>
      person.patch(`/user_groups/${group_id}`, parameters);
    const hand = { new: anonymous([bob]), old: anonymous([alice]) };
    const answer = await patch(alice, {
      name: "makers",
      description: "Those who make",
      can_manage_group: hand,
    });
    expect(answer).toMatchObject({ status: 200, body: { result: "success", msg: "" } });
    succeeded(await patch(bob, { can_mention_group: { new: group.moderators }, name: "makers" }));
    const updated = (data: object) => ({ type: "user_group", op: "update", group_id, data });
    expect(shapesOf(await queue.events())).toEqual([
      updated({ name: "makers" }),
      updated({ description: "Those who make" }),
      updated({ can_manage_group: anonymous([bob]) }),
      updated({ can_mention_group: group.moderators }),
    ]);
    expect((await groupsOf(alice)).get("makers")).toMatchObject({
      description: "Those who make",
      can_manage_group: anonymous([bob]),
      can_mention_group: group.moderators,
    });
    expect(await patch(alice, { description: "no more" })).toMatchObject(refused);
  });

  test("only as the protocol says", async () => {
    const { olga, alice } = world;
    await makeGroup(alice, "ops");
    const id = await makeGroup(alice, "devs");
    const wrong: object[] = [
      {},
      { name: "ops" },
      { name: "role:devs" },
      { name: " " },
      { can_manage_group: group.members },
      { can_manage_group: {} },
      { can_manage_group: { old: group.members } },
      { can_manage_group: { new: group.everyone } },
      { can_manage_group: { new: group.members, more: 1 } },
      { can_manage_group: { new: [1] } },
      { can_manage_group: { new: 999_999 } },
      { can_mention_group: { new: group.owners } },
      { deactivated: "perhaps" },
    ];
    const queue = await alice.register();
    for (const parameters of wrong) {
      const answer = await alice.patch(`/user_groups/${id}`, {
        description: "x",
        ...parameters,
        ...(Object.keys(parameters).length === 0 ? { description: undefined } : {}),
      });
      expect({ parameters, ...answer }).toMatchObject({ parameters, ...refused });
    }
    expect(await olga.patch("/user_groups/999999", { name: "x" })).toMatchObject(refused);
    for (const id of Object.values(group)) {
      for (const work of [
        olga.patch(`/user_groups/${id}`, { name: "x" }),
        olga.post(`/user_groups/${id}/deactivate`),
        olga.post(`/user_groups/${id}/members`, { add: [alice.id] }),
        olga.post(`/user_groups/${id}/subgroups`, { add: [id] }),
      ])
        expect(await work).toMatchObject(refused);
    }
    expect(await queue.events()).toEqual([]);
  });

  test("not when the client has an old value in mind", async () => {
    const { alice, bob, carol, operator } = world;
    const id = await makeGroup(alice, "devs", { can_join_group: anonymous([bob, carol]) });
    const join = (wanted: unknown, old: unknown) =>
      alice.patch(`/user_groups/${id}`, { can_join_group: { new: wanted, old } });
    const mismatch = { status: 400, body: { code: "EXPECTATION_MISMATCH" } };
    expect(await join(group.members, group.nobody)).toMatchObject(mismatch);
    expect(await join(group.members, anonymous([bob]))).toMatchObject(mismatch);
    expect(await join(anonymous([carol, bob]), anonymous([carol, bob]))).toMatchObject({
      status: 200,
    });
    await deactivateUser(operator, carol.id);
    expect((await groupsOf(alice)).get("devs")).toMatchObject({
      can_join_group: anonymous([bob, carol]),
    });
    // Clients take who is deactivated out of what they know.
    succeeded(await join(anonymous([alice, bob]), anonymous([bob])));
    expect(await join(anonymous([carol]), anonymous([alice, bob]))).toMatchObject(refused);
    succeeded(await join(anonymous([], [group.members ?? 0]), anonymous([bob, alice])));
    expect((await groupsOf(alice)).get("devs")).toMatchObject({ can_join_group: group.members });
    succeeded(await join(anonymous([]), group.members));
    expect((await groupsOf(alice)).get("devs")).toMatchObject({ can_join_group: group.nobody });
  });
});

test("which groups a permission may hold is told to clients, and holds", async () => {
  const { state } = await world.alice.register();
  const { group: permissions } = state.server_supported_permission_settings;
  const noGuests = { allow_nobody_group: true, allow_everyone_group: false };
  const all = {
    allow_nobody_group: true,
    allow_everyone_group: true,
    default_group_name: "role:everyone",
  };
  expect(permissions).toMatchObject({
    can_add_members_group: { ...noGuests, default_group_name: "group_creator" },
    can_join_group: { ...noGuests, default_group_name: "role:nobody" },
    can_leave_group: all,
    can_manage_group: { ...noGuests, default_group_name: "group_creator" },
    can_mention_group: all,
    can_remove_members_group: { ...noGuests, default_group_name: "role:nobody" },
  });
  for (const [name, permission] of Object.entries<Record<string, unknown>>(permissions)) {
    expect(permission).toMatchObject({
      require_system_group: false,
      allow_internet_group: false,
      default_for_system_groups: "role:nobody",
    });
    for (const [role, id] of Object.entries(group)) {
      const only = permission.allowed_system_groups as string[];
      const isAllowed =
        role !== "internet" &&
        (role !== "everyone" || permission.allow_everyone_group === true) &&
        (only.length === 0 || only.includes(`role:${role}`));
      const input = { name: `${name} ${role}`, description: "", members: [], [name]: id };
      const { status } = await world.alice.post("/user_groups/create", input);
      expect([name, role, status]).toEqual([name, role, isAllowed ? 200 : 400]);
    }
  }
});
