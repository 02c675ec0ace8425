import { describe, expect, test } from "bun:test";
import type { Context } from "../../src/core/context";
import { roles } from "../../src/core/rights/role";
import { updateUserRole } from "../../src/management/accounts/update";
import { may } from "../../src/people/user-groups/may";
import { mayMention } from "../../src/people/user-groups/permission";
import { loadGroup } from "../../src/people/user-groups/queries";
import { findUser } from "../../src/people/users/queries";
import { anonymous, groupsOf, idsOf, makeGroup, roleGroups, succeeded } from "../support/groups";
import { worldPerTest } from "../support/shared-world";
import { makeWorld, type Person, type World } from "../support/world";

let world: World;
let group: Record<string, number>;
const oneWorldForGroup = worldPerTest(
  async () => {
    world = await makeWorld();
    group = await roleGroups(world);
  },
  () => world.close(),
);

const refused = { status: 400, body: { result: "error", code: "BAD_REQUEST" } };

/** Actions on a group, each as a request. */
const deeds = {
  add: (one: Person, id: number) =>
    one.post(`/user_groups/${id}/members`, { add: [world.carol.id] }),
  remove: (one: Person, id: number) =>
    one.post(`/user_groups/${id}/members`, { delete: [world.otto.id] }),
  nest: (one: Person, id: number) =>
    one.post(`/user_groups/${id}/subgroups`, { add: [group.moderators] }),
  unnest: (one: Person, id: number) =>
    one.post(`/user_groups/${id}/subgroups`, { delete: [group.owners] }),
  join: (one: Person, id: number) => one.post(`/user_groups/${id}/members`, { add: [one.id] }),
  leave: (one: Person, id: number) => one.post(`/user_groups/${id}/members`, { delete: [one.id] }),
  rename: (one: Person, id: number) => one.patch(`/user_groups/${id}`, { name: `renamed ${id}` }),
  open: (one: Person, id: number) =>
    one.patch(`/user_groups/${id}`, { can_manage_group: { new: anonymous([one]) } }),
  deactivate: (one: Person, id: number) => one.post(`/user_groups/${id}/deactivate`),
};

type Deed = keyof typeof deeds;

let made = 0;

/**
 * Actions that bob may take on a group that alice has made with these permissions, one group for
 * each.
 */
async function allowedTo(bob: Person, settings: object): Promise<Deed[]> {
  const allowed: Deed[] = [];
  for (const [name, work] of Object.entries(deeds)) {
    const members = [world.otto.id, ...(name === "leave" ? [bob.id] : [])];
    const id = await makeGroup(world.alice, `group ${++made}`, {
      members,
      subgroups: [group.owners],
      ...settings,
    });
    const { status, body } = await work(bob, id);
    if (status === 200) allowed.push(name as Deed);
    else expect([status, body.code]).toEqual([400, "BAD_REQUEST"]);
  }
  return allowed;
}

const all: Deed[] = [
  "add",
  "remove",
  "nest",
  "unnest",
  "join",
  "leave",
  "rename",
  "open",
  "deactivate",
];
const nobodyLeaves = () => ({ can_leave_group: group.nobody });

describe("what a permission of a group allows", () => {
  oneWorldForGroup();

  test.each<[string, Deed[]]>([
    ["can_add_members_group", ["add", "nest", "join"]],
    ["can_remove_members_group", ["remove", "unnest", "leave"]],
    ["can_join_group", ["join"]],
    ["can_leave_group", ["leave"]],
    ["can_mention_group", []],
    ["can_manage_group", all],
  ])("%s: %p", async (name, expected) => {
    expect(
      await allowedTo(world.bob, { ...nobodyLeaves(), [name]: anonymous([world.bob]) }),
    ).toEqual(expected);
  });
});

describe("what a permission of a group allows", () => {
  test("nothing to those who hold none; everything to those who manage all groups, not to administrators", async () => {
    const { olga, adam, bob } = world;
    expect(await allowedTo(bob, nobodyLeaves())).toEqual([]);
    expect(await allowedTo(adam, nobodyLeaves())).toEqual([]);
    expect(await allowedTo(olga, nobodyLeaves())).toEqual(all);
    const trusted = await makeGroup(world.alice, "trusted", { members: [bob.id] });
    succeeded(await olga.patch("/realm", { can_manage_all_groups: { new: trusted } }));
    expect(await allowedTo(bob, nobodyLeaves())).toEqual(all);
  });

  test("to those who are in it by a group within a group", async () => {
    const { alice, bob } = world;
    const inner = await makeGroup(alice, "inner", { members: [bob.id] });
    const outer = await makeGroup(alice, "outer", { subgroups: [inner] });
    expect(await allowedTo(bob, { ...nobodyLeaves(), can_join_group: outer })).toEqual(["join"]);
    succeeded(await alice.post(`/user_groups/${inner}/members`, { delete: [bob.id] }));
    expect(await allowedTo(bob, { ...nobodyLeaves(), can_join_group: outer })).toEqual([]);
  });

  test("one's own way in does not let others in", async () => {
    const { alice, bob, carol } = world;
    const id = await makeGroup(alice, "devs", {
      can_join_group: group.members,
      members: [carol.id],
    });
    expect(
      await bob.post(`/user_groups/${id}/members`, { add: idsOf(bob, world.otto) }),
    ).toMatchObject(refused);
    expect(
      await bob.post(`/user_groups/${id}/members`, { add: [bob.id], delete: [carol.id] }),
    ).toMatchObject(refused);
    expect(
      await bob.post(`/user_groups/${id}/members`, {
        add: [bob.id],
        add_subgroups: [group.members],
      }),
    ).toMatchObject(refused);
    expect((await alice.get(`/user_groups/${id}/members`)).body.members).toEqual([carol.id]);
    succeeded(await bob.post(`/user_groups/${id}/members`, { add: [bob.id, bob.id] }));
  });
});

async function contextOf(person: Person): Promise<Context> {
  const { operator, realm } = world;
  const user = await findUser(operator.reader, realm.id, person.id);
  if (!user) throw new Error("nobody");
  return { ...operator, actor: { kind: "user", user, apiKeyId: 0 } };
}

test("a group is mentioned by those who may, and a deactivated or a system group by nobody", async () => {
  const { alice, bob, carol, greta, realm, operator } = world;
  const mayOf = async (person: Person, id: number) =>
    mayMention(
      operator.reader,
      await contextOf(person),
      await loadGroup(operator.reader, realm.id, id),
    );
  const open = await makeGroup(alice, "open");
  const closed = await makeGroup(alice, "closed", {
    can_mention_group: anonymous([bob], [group.moderators ?? 0]),
  });
  expect([await mayOf(greta, open), await mayOf(carol, open)]).toEqual([true, true]);
  const among = await Promise.all(
    [bob, world.mona, world.olga, alice, greta].map((one) => mayOf(one, closed)),
  );
  expect(among).toEqual([true, true, true, false, false]);
  for (const id of Object.values(group)) expect(await mayOf(world.olga, id)).toBe(false);
  succeeded(await alice.post(`/user_groups/${open}/deactivate`));
  expect(await mayOf(alice, open)).toBe(false);
});

test("guests hold no permission that may not be everyone's, whatever groups they are in", async () => {
  const { alice, olga, greta, bob, operator } = world;
  const trusted = await makeGroup(alice, "trusted", { members: idsOf(greta, bob) });
  succeeded(await olga.patch("/realm", { can_create_groups: { new: trusted } }));
  succeeded(await olga.patch("/realm", { can_resolve_topics_group: { new: trusted } }));
  const realm = { ...operator, realm: world.realm };
  const settings = (await operator.reader.db.select().from(operator.reader.t.realms)).find(
    ({ id }) => id === world.realm.id,
  );
  const asks = async (person: Person, setting: "can_create_groups" | "can_resolve_topics_group") =>
    may(
      operator.reader,
      { ...realm, ...(await contextOf(person)), realm: settings ?? world.realm },
      { realm: setting },
    );
  expect([await asks(bob, "can_create_groups"), await asks(greta, "can_create_groups")]).toEqual([
    true,
    false,
  ]);
  expect([
    await asks(bob, "can_resolve_topics_group"),
    await asks(greta, "can_resolve_topics_group"),
  ]).toEqual([true, true]);
});

describe("what must not be", () => {
  test("E1: a member cannot give themself rights by a group's permissions, members or subgroups", async () => {
    const { olga, alice, bob } = world;
    const trusted = await makeGroup(olga, "trusted", { members: [alice.id] });
    succeeded(await olga.patch("/realm", { can_manage_all_groups: { new: trusted } }));
    const own = await makeGroup(bob, "bob's own", { members: [bob.id] });
    const names = [
      "can_add_members_group",
      "can_join_group",
      "can_leave_group",
      "can_manage_group",
      "can_mention_group",
    ];
    for (const name of [...names, "can_remove_members_group"]) {
      for (const value of [anonymous([bob]), own, group.members]) {
        expect(
          await bob.patch(`/user_groups/${trusted}`, { [name]: { new: value } }),
        ).toMatchObject(refused);
      }
    }
    expect(await bob.post(`/user_groups/${trusted}/members`, { add: [bob.id] })).toMatchObject(
      refused,
    );
    expect(
      await bob.post(`/user_groups/${trusted}/members`, { add_subgroups: [own] }),
    ).toMatchObject(refused);
    expect(await bob.post(`/user_groups/${trusted}/subgroups`, { add: [own] })).toMatchObject(
      refused,
    );
    // To hold a group gives nothing of what it holds.
    succeeded(await bob.post(`/user_groups/${own}/subgroups`, { add: [trusted] }));
    const others = await makeGroup(olga, "others");
    expect(await bob.patch(`/user_groups/${others}`, { name: "mine" })).toMatchObject(refused);
    expect((await groupsOf(alice)).get("trusted")).toMatchObject({
      members: [alice.id],
      direct_subgroup_ids: [],
    });
  });

  test("E1: a bot has no more than its owner gives it, and a guest's bot nothing", async () => {
    const { alice, robot, operator } = world;
    const id = await makeGroup(alice, "devs");
    for (const work of Object.values(deeds)) expect(await work(robot, id)).toMatchObject(refused);
    const own = await makeGroup(robot, "robot's own");
    await updateUserRole(operator, alice.id, roles.guest);
    expect(
      await robot.post("/user_groups/create", { name: "x", description: "", members: [] }),
    ).toMatchObject(refused);
    expect(await deeds.rename(robot, own)).toMatchObject(refused);
  });

  test("D8: no side door leads into a group that its front door keeps shut", async () => {
    const { alice, bob, mona, greta } = world;
    const id = await makeGroup(alice, "devs", { can_add_members_group: anonymous([bob]) });
    // A person who adds members changes neither the permissions nor the name, nor takes anybody
    // out, nor brings the group back.
    for (const deed of ["rename", "open", "deactivate"] as const)
      expect(await deeds[deed](bob, id)).toMatchObject(refused);
    succeeded(await alice.post(`/user_groups/${id}/deactivate`));
    for (const person of [bob, mona, greta]) {
      expect(await person.patch(`/user_groups/${id}`, { deactivated: false })).toMatchObject(
        refused,
      );
      expect(await person.patch(`/user_groups/${id}`, { deactivated: true })).toMatchObject(
        refused,
      );
    }
    // A group that a permission may not hold is refused as part of an anonymous group too, and as
    // one of nobody.
    const patch = (name: string, value: unknown) =>
      alice.patch(`/user_groups/${id}`, { [name]: { new: value } });
    expect(
      await patch("can_manage_group", anonymous([alice], [group.everyone ?? 0])),
    ).toMatchObject(refused);
    expect(
      await patch("can_mention_group", anonymous([], [group.internet ?? 0, group.members ?? 0])),
    ).toMatchObject(refused);
    const { olga } = world;
    for (const value of [group.nobody, anonymous([])]) {
      expect(await olga.patch("/realm", { can_manage_all_groups: { new: value } })).toMatchObject(
        refused,
      );
    }
  });

  test("E4, A17: a group of another organization, and its people, are like none at all", async () => {
    const { alice, bob, zoe } = world;
    const theirs = await makeGroup(zoe, "theirs");
    const mine = await makeGroup(alice, "mine");
    const before = await groupsOf(zoe);
    const without = (text: string, id: number) => text.replaceAll(String(id), "ID");
    const same = async (
      work: (id: number) => ReturnType<Person["get"]>,
      foreign: number,
      missing = 999_999,
    ) => {
      const [one, other] = [await work(foreign), await work(missing)];
      expect(one).toMatchObject(refused);
      expect([one.status, without(JSON.stringify(one.body), foreign)]).toEqual([
        other.status,
        without(JSON.stringify(other.body), missing),
      ]);
    };
    for (const path of ["members", "subgroups", `members/${bob.id}`]) {
      await same((id) => alice.get(`/user_groups/${id}/${path}`), theirs);
    }
    for (const work of Object.values(deeds)) await same((id) => work(alice, id), theirs);
    await same((id) => alice.patch(`/user_groups/${id}`, { deactivated: false }), theirs);
    for (const parameters of [
      (id: number) => ({ add: [id] }),
      (id: number) => ({ delete: [id] }),
    ]) {
      await same((id) => alice.post(`/user_groups/${mine}/subgroups`, parameters(id)), theirs);
      await same((id) => alice.post(`/user_groups/${mine}/members`, parameters(id)), zoe.id);
    }
    for (const value of [
      (id: number) => id,
      (id: number) => ({ direct_members: [], direct_subgroups: [id] }),
    ]) {
      await same(
        (id) => alice.patch(`/user_groups/${mine}`, { can_join_group: { new: value(id) } }),
        theirs,
      );
    }
    const member = (id: number) => ({ direct_members: [id], direct_subgroups: [] });
    await same(
      (id) => alice.patch(`/user_groups/${mine}`, { can_join_group: { new: member(id) } }),
      zoe.id,
    );
    await same((id) => alice.get(`/user_groups/${mine}/members/${id}`), zoe.id);
    expect(await groupsOf(zoe)).toEqual(before);
    expect((await groupsOf(alice)).get("mine")).toMatchObject({
      members: [],
      direct_subgroup_ids: [],
    });
  });
});
