import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { roles } from "../../src/core/rights/role";
import { write } from "../../src/core/write";
import { updateUserRole } from "../../src/management/accounts/update";
import { verify, verifyInTurn } from "../support/client-state/verify";
import {
  anonymous,
  groupsOf,
  idsOf,
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

/** The direct messages that Notification Bot has sent to somebody, oldest first. */
async function noticesOf(person: Person): Promise<string[]> {
  const { body } = await person.get("/messages", {
    anchor: "newest",
    num_before: 10,
    num_after: 0,
    narrow: [{ operator: "is", operand: "dm" }],
    apply_markdown: false,
  });
  return body.messages.map(({ content }: { content: string }) => content);
}

describe("a user group is made", () => {
  test("with members, subgroups and permissions, and everybody hears of it", async () => {
    const { alice, bob, mona, greta, zoe } = world;
    const inner = await makeGroup(alice, "inner");
    const queues = [await alice.register(), await greta.register()];
    const foreign = await zoe.register();
    const can_mention_group = {
      direct_members: [mona.id, alice.id, mona.id],
      direct_subgroups: [group.moderators],
    };
    const answer = await alice.post("/user_groups/create", {
      name: " devs ",
      description: "Builders",
      members: idsOf(bob, alice),
      subgroups: [inner],
      can_mention_group,
      can_join_group: group.members,
      can_leave_group: anonymous([], [group.members ?? 0]),
    });
    expect(answer).toMatchObject({
      status: 200,
      body: { result: "success", msg: "", group_id: expect.any(Number) },
    });
    const { group_id } = answer.body;
    const shown = {
      id: group_id,
      name: "devs",
      description: "Builders",
      creator_id: alice.id,
      is_system_group: false,
      date_created: world.clock.now(),
      members: idsOf(alice, bob),
      deactivated: false,
      can_add_members_group: anonymous([alice]),
      can_join_group: group.members,
      can_leave_group: group.members,
      can_manage_group: anonymous([alice]),
      can_mention_group: {
        direct_members: idsOf(mona, alice),
        direct_subgroups: [group.moderators],
      },
      can_remove_members_group: group.nobody,
    };
    expect((await groupsOf(bob)).get("devs")).toEqual({ ...shown, direct_subgroup_ids: [inner] });
    for (const queue of queues) {
      expect(shapesOf(await queue.events())).toEqual([
        { type: "user_group", op: "add", group: { ...shown, direct_subgroup_ids: [] } },
        { type: "user_group", op: "add_subgroups", group_id, direct_subgroup_ids: [inner] },
      ]);
    }
    expect(await foreign.events()).toEqual([]);
    expect(await noticesOf(bob)).toEqual([]);
  });

  test("with every permission that it has, as they were asked for", async () => {
    const { alice, bob, mona } = world;
    const permissions = {
      can_add_members_group: group.moderators,
      can_join_group: group.members,
      can_leave_group: anonymous([bob]),
      can_manage_group: anonymous([alice], [group.owners ?? 0]),
      can_mention_group: group.nobody,
      can_remove_members_group: anonymous([mona]),
    };
    await makeGroup(alice, "devs", permissions);
    expect((await groupsOf(bob)).get("devs")).toMatchObject(permissions);
  });

  test("by who may, bots among them", async () => {
    const { olga, alice, bob, greta, robot } = world;
    await makeGroup(robot, "of a bot");
    expect((await groupsOf(bob)).get("of a bot")).toMatchObject({
      creator_id: robot.id,
      can_manage_group: anonymous([robot]),
    });
    const only = (value: unknown) => olga.patch("/realm", { can_create_groups: { new: value } });
    succeeded(await only(anonymous([alice], [group.moderators ?? 0])));
    await makeGroup(alice, "by name");
    await makeGroup(olga, "by role");
    const input = { name: "x", description: "", members: [] };
    for (const person of [bob, greta, robot]) {
      expect(await person.post("/user_groups/create", input)).toMatchObject(refused);
    }
    expect((await world.anonymous.post("/user_groups/create", input)).status).toBe(401);
    expect((await groupsOf(olga)).has("x")).toBe(false);
  });

  test("only as the protocol says", async () => {
    const { alice, zoe } = world;
    const taken = await makeGroup(alice, "devs");
    const good = { name: "ops", description: "", members: [] };
    const wrong: object[] = [
      ...["", " ", "devs", "role:x", "@x", "user:x", "stream:x", "channel:x", "x".repeat(101)].map(
        (name) => ({
          name,
        }),
      ),
      { description: "x".repeat(1025) },
      ...[["x"], [999_999], [zoe.id], "x", 7].map((members) => ({ members })),
      ...[[999_999], "x"].map((subgroups) => ({ subgroups })),
      ...[group.internet, group.owners].map((id) => ({ can_mention_group: id })),
      ...[group.internet, group.everyone].map((id) => ({ can_manage_group: id })),
      { can_manage_group: anonymous([], [group.everyone ?? 0, taken]) },
      ...["role:members", 999_999, -1, 1.5, [], {}, { direct_members: [alice.id] }].map(
        (value) => ({
          can_join_group: value,
        }),
      ),
      ...[{ direct_members: [zoe.id], direct_subgroups: [] }, { new: group.members }].map(
        (value) => ({
          can_join_group: value,
        }),
      ),
    ];
    const queue = await alice.register();
    for (const parameters of wrong) {
      const answer = await alice.post("/user_groups/create", { ...good, ...parameters });
      expect({ parameters, ...answer }).toMatchObject({ parameters, ...refused });
    }
    for (const missing of ["name", "description", "members"]) {
      const { status, body } = await alice.post("/user_groups/create", {
        ...good,
        [missing]: undefined,
      });
      expect([status, body.code, body.var_name]).toEqual([
        400,
        "REQUEST_VARIABLE_MISSING",
        missing,
      ]);
    }
    expect(await queue.events()).toEqual([]);
    expect((await groupsOf(alice)).has("ops")).toBe(false);
  });
});

describe("members", () => {
  test("come and go, hear who did it, and everybody sees it", async () => {
    const { alice, bob, carol, greta, robot, zoe } = world;
    const group_id = await makeGroup(alice, "devs", { members: [alice.id] });
    const path = `/user_groups/${group_id}/members`;
    const [queue, guest, foreign] = [
      await carol.register({ event_types: ["user_group"] }),
      await greta.register(),
      await zoe.register(),
    ];
    expect(await alice.post(path, { add: idsOf(robot, bob, greta) })).toMatchObject({
      status: 200,
      body: { result: "success", msg: "" },
    });
    expect((await alice.get(path)).body.members).toEqual(idsOf(alice, bob, greta, robot));
    succeeded(await alice.post(path, { delete: idsOf(bob, alice) }));
    expect((await alice.get(path)).body.members).toEqual(idsOf(greta, robot));
    const events = [
      { type: "user_group", op: "add_members", group_id, user_ids: idsOf(bob, greta, robot) },
      { type: "user_group", op: "remove_members", group_id, user_ids: idsOf(alice, bob) },
    ];
    expect(shapesOf(await queue.events())).toEqual(events);
    expect(shapesOf(await guest.events()).filter(({ type }) => type === "user_group")).toEqual(
      events,
    );
    expect(await foreign.events()).toEqual([]);
    const said = (what: string) => `@_**Alice|${alice.id}** ${what} the group @_*devs*.`;
    expect(await noticesOf(bob)).toEqual([said("added you to"), said("removed you from")]);
    expect(await noticesOf(greta)).toEqual([said("added you to")]);
    for (const person of [alice, carol, robot]) expect(await noticesOf(person)).toEqual([]);
  });

  test("hear nothing where they are more than a hundred at once", async () => {
    const { alice, bob, operator, realm } = world;
    const ids = await write(operator, async ({ db, t }) => {
      const people = Array.from({ length: 100 }, (_, index) => {
        const email = `person-${index}@example.com`;
        return {
          realmId: realm.id,
          email,
          emailKey: email,
          fullName: `Person ${index}`,
          role: 400,
          createdAt: 0,
        };
      });
      return (await db.insert(t.users).values(people).returning({ id: t.users.id })).map(
        ({ id }) => id,
      );
    });
    const path = `/user_groups/${await makeGroup(alice, "many")}/members`;
    succeeded(await alice.post(path, { add: [bob.id, ...ids] }));
    expect(await noticesOf(bob)).toEqual([]);
    succeeded(await alice.post(path, { delete: [bob.id, ...ids.slice(1)] }));
    expect(await noticesOf(bob)).toEqual([
      `@_**Alice|${alice.id}** removed you from the group @_*many*.`,
    ]);
  });

  test("join and leave by themselves without a word", async () => {
    const { alice, bob } = world;
    const id = await makeGroup(alice, "devs", { can_join_group: group.members });
    const counts = await verify(world, async () => {
      succeeded(await bob.post(`/user_groups/${id}/members`, { add: [bob.id] }));
      succeeded(await bob.post(`/user_groups/${id}/members`, { delete: [bob.id] }));
    });
    expect(counts).toMatchObject({ bob: 2, alice: 2, greta: 2 });
    expect(await noticesOf(bob)).toEqual([]);
  });

  test("are refused where they are there already, are not, or do not exist; then nothing happens", async () => {
    const { alice, bob, carol, zoe } = world;
    const id = await makeGroup(alice, "devs", { members: [bob.id] });
    const queue = await alice.register();
    const wrong = [
      {},
      { add: [], delete: [] },
      { add: idsOf(carol, bob) },
      { delete: [carol.id] },
      { add: [carol.id, 999_999] },
      { add: [carol.id, zoe.id] },
      { add: [carol.id], delete: [999_999] },
      { add: [carol.id], add_subgroups: [999_999] },
      { add: [carol.id], delete_subgroups: [id] },
      { add: "x" },
    ];
    for (const parameters of wrong) {
      const answer = await alice.post(`/user_groups/${id}/members`, parameters);
      expect({ parameters, ...answer }).toMatchObject({ parameters, ...refused });
    }
    expect(await queue.events()).toEqual([]);
    expect((await alice.get(`/user_groups/${id}/members`)).body.members).toEqual([bob.id]);
  });

  test("and subgroups change in one request, all of it or nothing", async () => {
    const { alice, bob, carol } = world;
    const [inner, other] = [await makeGroup(alice, "inner"), await makeGroup(alice, "other")];
    const id = await makeGroup(alice, "devs", { members: [bob.id], subgroups: [other] });
    await verify(world, async () => {
      const change = {
        add: [carol.id],
        delete: [bob.id],
        add_subgroups: [inner],
        delete_subgroups: [other],
      };
      succeeded(await alice.post(`/user_groups/${id}/members`, change));
    });
    expect((await groupsOf(alice)).get("devs")).toMatchObject({
      members: [carol.id],
      direct_subgroup_ids: [inner],
    });
  });
});

describe("subgroups", () => {
  test("come and go, and are refused twice, in a circle, or unknown", async () => {
    const { alice, bob, carol } = world;
    const inner = await makeGroup(alice, "inner", { members: [bob.id] });
    const outer = await makeGroup(alice, "outer");
    const queue = await carol.register();
    const change = (id: number, parameters: Record<string, unknown>) =>
      alice.post(`/user_groups/${id}/subgroups`, parameters);
    succeeded(await change(outer, { add: [inner, group.moderators] }));
    succeeded(await change(outer, { delete: [group.moderators] }));
    for (const [id, parameters] of [
      [outer, {}],
      [outer, { add: [inner] }],
      [outer, { add: [outer] }],
      [inner, { add: [outer] }],
      [outer, { add: [999_999] }],
      [outer, { delete: [group.moderators] }],
    ] as const) {
      expect({ parameters, ...(await change(id, parameters)) }).toMatchObject({
        parameters,
        ...refused,
      });
    }
    expect(shapesOf(await queue.events())).toEqual([
      {
        type: "user_group",
        op: "add_subgroups",
        group_id: outer,
        direct_subgroup_ids: [group.moderators, inner],
      },
      {
        type: "user_group",
        op: "remove_subgroups",
        group_id: outer,
        direct_subgroup_ids: [group.moderators],
      },
    ]);
    expect((await groupsOf(alice)).get("outer")).toMatchObject({ direct_subgroup_ids: [inner] });
  });
});

describe("reading", () => {
  test("tells who is in a group directly and by its subgroups", async () => {
    const { olga, adam, mona, alice, bob, greta, robot } = world;
    const inner = await makeGroup(alice, "inner", { members: idsOf(bob, greta) });
    const outer = await makeGroup(alice, "outer", {
      members: idsOf(robot, bob),
      subgroups: [inner, group.moderators],
    });
    const read = async (path: string, parameters = {}) =>
      succeeded(await alice.get(`/user_groups/${path}`, parameters));
    const direct = { direct_member_only: true };
    expect((await read(`${outer}/members`)).members).toEqual(
      idsOf(olga, adam, mona, bob, greta, robot),
    );
    expect((await read(`${outer}/members`, direct)).members).toEqual(idsOf(bob, robot));
    expect((await read(`${group.moderators}/members`, direct)).members).toEqual(idsOf(mona));
    const { moderators, administrators, owners } = group;
    expect((await read(`${outer}/subgroups`)).subgroups.sort()).toEqual(
      [moderators, administrators, owners, inner].sort(),
    );
    expect((await read(`${outer}/subgroups`, { direct_subgroup_only: true })).subgroups).toEqual([
      moderators,
      inner,
    ]);
    const is = async (person: Person, parameters = {}) =>
      (await read(`${outer}/members/${person.id}`, parameters)).is_user_group_member;
    expect([
      await is(greta),
      await is(greta, direct),
      await is(robot, direct),
      await is(alice),
    ]).toEqual([true, false, true, false]);
    expect((await read(`${group.everyone}/members`)).members).toHaveLength(9);
    for (const path of ["999999/members", "999999/subgroups", `${outer}/members/999999`]) {
      expect(await alice.get(`/user_groups/${path}`)).toMatchObject(refused);
    }
  });

  test("K2: is not for guests, nor for bots of guests", async () => {
    const { alice, greta, robot, operator } = world;
    const id = await makeGroup(alice, "devs");
    await updateUserRole(operator, alice.id, roles.guest);
    for (const person of [greta, alice, robot]) {
      for (const path of [
        "",
        `/${id}/members`,
        `/${id}/subgroups`,
        `/${id}/members/${person.id}`,
      ]) {
        expect(await person.get(`/user_groups${path}`)).toMatchObject(refused);
      }
    }
    expect(await world.bob.get("/user_groups")).toMatchObject({ status: 200 });
  });
});

test("everybody's state follows what is done to groups", async () => {
  const { alice, bob, greta } = world;
  const verifyNext = verifyInTurn(world);
  let id = 0;
  await verifyNext(async () => {
    id = await makeGroup(alice, "devs", { members: idsOf(bob), subgroups: [group.moderators] });
  });
  await verifyNext(() =>
    alice.post(`/user_groups/${id}/members`, { add: idsOf(greta), delete: idsOf(bob) }),
  );
  await verifyNext(() =>
    alice.post(`/user_groups/${id}/subgroups`, { delete: [group.moderators] }),
  );
  await verifyNext(() =>
    alice.patch(`/user_groups/${id}`, {
      name: "makers",
      can_join_group: { new: anonymous([bob]) },
    }),
  );
});

test("who comes into a group comes to know the private channels that it opens, and who goes forgets them", async () => {
  const { alice, bob, carol, otto, greta } = world;
  const verifyNext = verifyInTurn(world);
  const club = { subscriptions: [{ name: "club" }], invite_only: true };
  succeeded(await alice.post("/users/me/subscriptions", club));
  const { stream_id } = succeeded(await alice.get("/get_stream_id", { stream: "club" }));
  const inner = await makeGroup(alice, "inner", { members: [otto.id] });
  const id = await makeGroup(alice, "openers");
  succeeded(
    await alice.patch(`/streams/${stream_id}`, {
      can_subscribe_group: { new: anonymous([alice], [id]) },
    }),
  );
  const knows = async (person: Person) =>
    (await person.get(`/streams/${stream_id}`)).status === 200;
  const change = (path: string, parameters: Record<string, unknown>) => async () => {
    succeeded(await alice.post(`/user_groups/${path}`, parameters));
  };
  expect([await knows(carol), await knows(otto)]).toEqual([false, false]);
  const counts = await verifyNext(change(`${id}/members`, { add: idsOf(bob, carol, greta) }));
  expect((counts.carol ?? 0) - (counts.otto ?? 0)).toBeGreaterThan(1);
  expect([await knows(carol), await knows(greta), await knows(otto)]).toEqual([true, false, false]);
  await verifyNext(change(`${id}/subgroups`, { add: [inner] }));
  await verifyNext(change(`${id}/members`, { delete: [carol.id] }));
  expect([await knows(carol), await knows(otto)]).toEqual([false, true]);
  await verifyNext(change(`${inner}/members`, { add: [carol.id] }));
  await verifyNext(change(`${id}/members`, { delete: [bob.id], delete_subgroups: [inner] }));
  expect([await knows(carol), await knows(otto)]).toEqual([false, false]);
});
