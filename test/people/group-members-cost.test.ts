import { afterAll, beforeAll, expect, test } from "bun:test";
import { write } from "../../src/core/write";
import { countBytesRead } from "../support/databases/bytes-read";
import { succeeded } from "../support/groups";
import { makeWorld, type World } from "../support/world";

const bytesReadBy = countBytesRead();

let world: World;
let team: number;
beforeAll(async () => {
  world = await makeWorld();
  const { olga } = world;
  const described = { name: "team", description: "", members: [olga.id] };
  team = succeeded(await olga.post("/user_groups/create", described)).group_id;
});
afterAll(() => world.close());

const groupCount = 200;

/** Groups of nobody. */
const makeGroups = () =>
  write(world.operator, async ({ db, t }) => {
    const groups = Array.from({ length: groupCount }, (_, index) => ({
      realmId: world.realm.id,
      name: `group ${index}`,
      description: "",
      isSystem: false,
      createdAt: 1,
    }));
    const rows = await db.insert(t.userGroups).values(groups).returning({ id: t.userGroups.id });
    return rows.map(({ id }) => id);
  });

/** Makes some people members of all these groups. */
const fill = (groupIds: number[]) =>
  write(world.operator, async ({ db, t }) => {
    const { alice, bob, carol, olga, otto, greta, realm } = world;
    const people = [alice, bob, carol, olga, otto, greta];
    const rows = groupIds.flatMap((groupId) =>
      people.map(({ id: userId }) => ({ realmId: realm.id, groupId, userId })),
    );
    await db.insert(t.userGroupMembers).values(rows).returning();
  });

const groups = async () =>
  (await world.alice.register({ fetch_event_types: ["realm_user_groups"] })).state
    .realm_user_groups;

const membersOf = async (groupId: number): Promise<number[]> =>
  (await groups()).find(({ id }: { id: number }) => id === groupId).members;

let changes = 0;
const rename = () => world.olga.patch(`/users/${world.bob.id}`, { full_name: `Bob ${++changes}` });
const renamed = async () => {
  succeeded(await rename());
  return bytesReadBy(groups);
};
const joined = async () => {
  const { bob, olga } = world;
  const isIn = (await membersOf(team)).includes(bob.id);
  const change = { [isIn ? "delete" : "add"]: [bob.id] };
  succeeded(await olga.post(`/user_groups/${team}/members`, change));
  return bytesReadBy(groups);
};

test("After a change of a person no members of groups are read, and after one of a member only their ids", async () => {
  const { alice, bob, olga } = world;
  const ids = await makeGroups();
  await groups();
  const emptyAfterName = await renamed();
  const emptyAfterMember = await joined();
  await fill(ids);
  expect(await membersOf(ids[0] ?? 0)).toContain(alice.id);
  expect((await renamed()) - emptyAfterName).toBeLessThan(groupCount);
  // Rows with numbers of eight bytes for a group and a member would be 16 bytes each.
  const memberCount = 6 * groupCount;
  expect((await joined()) - emptyAfterMember).toBeLessThan(memberCount * 12);
  const isIn = (await membersOf(team)).includes(bob.id);
  succeeded(await olga.delete(`/users/${bob.id}`));
  expect(await membersOf(ids[0] ?? 0)).not.toContain(bob.id);
  succeeded(await olga.post(`/users/${bob.id}/reactivate`));
  expect(await membersOf(ids[0] ?? 0)).toContain(bob.id);
  expect((await membersOf(team)).includes(bob.id)).toBe(isIn);
});
