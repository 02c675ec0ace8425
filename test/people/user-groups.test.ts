import { afterEach, beforeEach, expect, test } from "bun:test";
import { write } from "../../src/core/write";
import { deactivateUser } from "../../src/management/accounts/deactivate";
import { createGroupIn, type NewGroup } from "../../src/management/groups/create";
import { beginFullMembers } from "../../src/management/groups/full-members";
import { changeGroupMembersIn, changeSubgroupsIn } from "../../src/management/groups/members";
import { updateGroupIn } from "../../src/management/groups/update";
import { isInGroupSetting } from "../../src/people/user-groups/queries";
import { loadUser } from "../../src/people/users/queries";
import { systemGroupIds } from "../../src/people/users/system-group-membership";
import { verify } from "../support/client-state/verify";
import { shapesOf } from "../support/groups";
import { refusalOf } from "../support/refusal";
import { makeWorld, type Person, type World } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

const ids = (...people: Person[]) => people.map(({ id }) => id);

async function makeGroup(values: Partial<NewGroup> & { name: string }): Promise<number> {
  const input = { description: "", memberIds: [], subgroupIds: [], ...values };
  return (await write(world.operator, (tx) => createGroupIn(tx, world.operator, input))).id;
}

const changeMembers = (groupId: number, change: { add?: number[]; remove?: number[] }) =>
  write(world.operator, (tx) =>
    changeGroupMembersIn(tx, world.operator, groupId, { add: [], remove: [], ...change }),
  );

const changeSubgroups = (groupId: number, change: { add?: number[]; remove?: number[] }) =>
  write(world.operator, (tx) =>
    changeSubgroupsIn(tx, world.operator, groupId, { add: [], remove: [], ...change }),
  );

interface Group {
  id: number;
  name: string;
  members: number[];
  direct_subgroup_ids: number[];
}

async function groups(): Promise<Map<string, Group>> {
  const { body } = await world.alice.get("/user_groups");
  return new Map(body.user_groups.map((group: Group) => [group.name, group]));
}

test("the members of a system group are those of exactly its role, and each group contains the next", async () => {
  const { olga, adam, mona, alice, bob, carol, otto, greta, robot } = world;
  const all = await groups();
  const members = ids(alice, bob, carol, otto, robot);
  const expected: Record<string, [number[], string | undefined]> = {
    "role:internet": [[], "role:everyone"],
    "role:everyone": [ids(greta), "role:members"],
    "role:members": [members, "role:fullmembers"],
    "role:fullmembers": [members, "role:moderators"],
    "role:moderators": [ids(mona), "role:administrators"],
    "role:administrators": [ids(adam), "role:owners"],
    "role:owners": [ids(olga), undefined],
    "role:nobody": [[], undefined],
  };
  for (const [name, [memberIds, subgroup]] of Object.entries(expected)) {
    const subgroupIds = subgroup === undefined ? [] : [all.get(subgroup)?.id];
    expect([name, all.get(name)]).toMatchObject([
      name,
      { members: memberIds, direct_subgroup_ids: subgroupIds },
    ]);
  }
});

test("a system group is nobody's, and nobody may do anything with it", async () => {
  const nobody = (await groups()).get("role:nobody");
  expect(nobody).toEqual({
    id: expect.any(Number),
    name: "role:nobody",
    description: "Nobody",
    date_created: null,
    creator_id: null,
    members: [],
    direct_subgroup_ids: [],
    is_system_group: true,
    deactivated: false,
    can_add_members_group: nobody?.id,
    can_join_group: nobody?.id,
    can_leave_group: nobody?.id,
    can_manage_group: nobody?.id,
    can_mention_group: nobody?.id,
    can_remove_members_group: nobody?.id,
  } as never);
  const systemGroup = nobody?.id ?? 0;
  expect(
    (await refusalOf(changeMembers(systemGroup, { add: ids(world.alice) }))).message,
  ).toContain("System groups");
  expect((await refusalOf(changeSubgroups(systemGroup, { add: [systemGroup] }))).message).toContain(
    "System groups",
  );
});

test("a new group is announced to the realm as a later read shows it", async () => {
  const { alice, bob, greta, zoe } = world;
  const [queue, guests, foreign] = [
    await alice.register(),
    await greta.register(),
    await zoe.register(),
  ];
  await makeGroup({
    name: "devs",
    description: "Those who build",
    memberIds: ids(alice, bob, alice),
  });
  const group = (await groups()).get("devs");
  expect(group).toMatchObject({
    members: ids(alice, bob),
    is_system_group: false,
    creator_id: null,
  } as never);
  for (const reader of [queue, guests]) {
    expect(shapesOf(await reader.events())).toEqual([{ type: "user_group", op: "add", group }]);
  }
  expect(await foreign.events()).toEqual([]);
  expect((await alice.register()).state.realm_user_groups).toContainEqual(group);
});

test("names that are blank, too long, taken or reserved are refused", async () => {
  await makeGroup({ name: "devs" });
  for (const name of ["", " ", "x".repeat(101), "devs", "role:devs", "@devs", "user:1", "dev\0s"]) {
    expect(await refusalOf(makeGroup({ name }))).toMatchObject({ code: "BAD_REQUEST" });
  }
});

test("members and subgroups that do not exist here are refused", async () => {
  const { alice, zoe, operator } = world;
  await deactivateUser(operator, world.carol.id);
  for (const id of [zoe.id, 999_999, world.carol.id]) {
    expect(
      (await refusalOf(makeGroup({ name: "devs", memberIds: [alice.id, id] }))).message,
    ).toContain(`Invalid user ID: ${id}`);
  }
  expect((await refusalOf(makeGroup({ name: "devs", subgroupIds: [999_999] }))).message).toContain(
    "Invalid user group ID",
  );
  expect((await groups()).has("devs")).toBe(false);
});

test("only those who really came or went are announced", async () => {
  const { alice, bob, carol } = world;
  const group_id = await makeGroup({ name: "devs", memberIds: ids(alice) });
  const queue = await alice.register();
  await changeMembers(group_id, { add: ids(alice, bob), remove: ids(carol) });
  await changeMembers(group_id, { remove: ids(alice, carol) });
  await changeMembers(group_id, { add: ids(bob) });
  expect(shapesOf(await queue.events())).toEqual([
    { type: "user_group", op: "add_members", group_id, user_ids: ids(bob) },
    { type: "user_group", op: "remove_members", group_id, user_ids: ids(alice) },
  ]);
  expect((await groups()).get("devs")?.members).toEqual(ids(bob));
});

test("a group cannot contain itself, by no detour", async () => {
  const inner = await makeGroup({ name: "inner" });
  const middle = await makeGroup({ name: "middle", subgroupIds: [inner] });
  const outer = await makeGroup({ name: "outer" });
  const queue = await world.alice.register();
  await changeSubgroups(outer, { add: [middle, middle] });
  expect(shapesOf(await queue.events())).toEqual([
    { type: "user_group", op: "add_subgroups", group_id: outer, direct_subgroup_ids: [middle] },
  ]);
  expect((await refusalOf(changeSubgroups(inner, { add: [outer] }))).message).toContain(
    "cannot contain itself",
  );
  expect((await refusalOf(changeSubgroups(inner, { add: [inner] }))).message).toContain(
    "cannot contain itself",
  );
  await changeSubgroups(outer, { remove: [middle] });
  expect(shapesOf(await queue.events())).toEqual([
    { type: "user_group", op: "remove_subgroups", group_id: outer, direct_subgroup_ids: [middle] },
  ]);
});

test("a group is renamed and described, and only what changed is announced", async () => {
  const group_id = await makeGroup({ name: "devs", description: "old" });
  await makeGroup({ name: "ops" });
  const queue = await world.alice.register();
  const update = (change: { name?: string; description?: string }) =>
    write(world.operator, (tx) => updateGroupIn(tx, world.operator, group_id, change));
  await update({ name: "devs", description: "new" });
  await update({ name: "devs", description: "new" });
  expect((await refusalOf(update({ name: "ops" }))).message).toContain("already");
  expect(shapesOf(await queue.events())).toEqual([
    { type: "user_group", op: "update", group_id, data: { description: "new" } },
  ]);
});

test("a deactivated member is out of every group", async () => {
  const { alice, bob, operator } = world;
  await makeGroup({ name: "devs", memberIds: ids(alice, bob) });
  await deactivateUser(operator, bob.id);
  const all = await groups();
  expect(all.get("devs")?.members).toEqual(ids(alice));
  expect(all.get("role:members")?.members).not.toContain(bob.id);
});

test("a permission is held directly, through a group, and through its subgroups", async () => {
  const { alice, bob, carol, mona, greta, realm, clock, app } = world;
  const inner = await makeGroup({ name: "inner", memberIds: ids(bob) });
  const outer = await makeGroup({ name: "outer", subgroupIds: [inner] });
  const { reader } = app.engine;
  const { "role:moderators": moderators = 0, "role:nobody": nobody = 0 } = await systemGroupIds(
    reader,
    realm.id,
  );
  const holds = async (person: Person, value: Parameters<typeof isInGroupSetting>[3]) =>
    isInGroupSetting(
      reader,
      { realm, now: clock.now() },
      await loadUser(reader, realm.id, person.id),
      value,
    );
  const anonymous = { direct_members: ids(alice), direct_subgroups: [outer, moderators] };
  for (const person of [alice, bob, mona]) expect(await holds(person, anonymous)).toBe(true);
  for (const person of [carol, greta]) expect(await holds(person, anonymous)).toBe(false);
  expect(await holds(mona, moderators)).toBe(true);
  expect(await holds(alice, moderators)).toBe(false);
  expect(await holds(alice, nobody)).toBe(false);
  expect(await holds(greta, "role:everyone")).toBe(true);
  expect(await holds(greta, "role:members")).toBe(false);
  await deactivateUser(world.operator, bob.id);
  expect(await holds(bob, anonymous)).toBe(false);
});

test("People whose waiting period ends become full members, and everybody hears it at that time", async () => {
  const { olga, alice, greta } = world;
  await olga.patch("/realm", { waiting_period_threshold: 3 });
  // Each minute the server does that by itself, but no test can wait for it.
  await beginFullMembers(world.app);
  for (const hours of [24, 24, 12, ...Array<number>(11).fill(1)]) await world.pass(hours * 3_600);
  await world.pass(3_540);
  const queue = await greta.register({ event_types: ["user_group"] });
  await verify(world, () => world.pass(60));
  const [event, ...more] = await queue.events();
  expect(event).toMatchObject({ op: "add_members", user_ids: expect.arrayContaining([alice.id]) });
  expect(more).toEqual([]);
  for (let minute = 0; minute < 5; minute++) await world.pass(60);
  expect(await queue.events()).toEqual([]);
});
