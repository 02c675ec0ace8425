import { expect, test } from "bun:test";
import { groupSettingOf, ownIds } from "../../src/moving/import/reference/source";

const count = 500;

/** Unnamed groups of one member each, whose rows count how often their group is read. */
function exported() {
  let reads = 0;
  const rows = Array.from({ length: count }, (_, i) => ({
    get user_group() {
      reads += 1;
      return 1_000 + i;
    },
    user_profile: 1 + i,
  }));
  const people = new Map(
    rows.map(({ user_profile: id }) => [
      id + ownIds,
      { id: id + ownIds, fullName: `Person ${id}`, isActive: true },
    ]),
  );
  const realm = { zerver_usergroupmembership: rows };
  const source = { realm, people, groups: new Map(), systemBots: new Map() };
  return { source, reads: () => reads };
}

test("the members of many groups are read once, not once for each group", () => {
  const { source, reads } = exported();
  for (let i = 0; i < count; i++)
    expect(groupSettingOf(source, 1_000 + i)).toEqual({
      direct_members: [1 + i + ownIds],
      direct_subgroups: [],
    });
  expect(reads()).toBe(count);
});
