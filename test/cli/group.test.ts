import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { chatd, clientOf, freshFolder, mustChatd, places, serve, sqlite } from "./chatd";

describe.each(places)("chatd admin group on $engine", ({ provisioned }) => {
  async function provision() {
    const { place } = await provisioned();
    const group = async (...args: string[]) =>
      (await mustChatd(["admin", "group", ...args, "--json", ...place])).json();
    return { place, group };
  }

  test("makes, changes, nests, deactivates and lists groups", async () => {
    const { place, group } = await provision();
    const everyGroup: { name: string; id: number }[] = (await group("list", "--system")).groups;
    const idOf = (name: string) => everyGroup.find((one) => one.name === name)?.id;
    const people = (await mustChatd(["admin", "user", "list", "--json", ...place])).json().users;
    const personOf = (email: string) =>
      people.find((one: { email: string }) => one.email === email).user_id;
    const [alice, bob] = [personOf("alice@example.com"), personOf("bob@example.com")];

    const { group: made } = await group(
      "create",
      "Night shift",
      "--description",
      "Who is awake",
      "--member",
      "alice@example.com",
      "BOB@example.com",
      "--subgroup",
      "role:moderators",
      "--permission",
      "can_manage_group=role:administrators,alice@example.com",
    );
    expect(made).toMatchObject({
      name: "Night shift",
      description: "Who is awake",
      creator_id: null,
      members: [alice, bob],
      direct_subgroup_ids: [idOf("role:moderators")],
      can_join_group: idOf("role:nobody"),
      can_manage_group: {
        direct_members: [alice],
        direct_subgroups: [idOf("role:administrators")],
      },
    });

    const { group: updated } = await group(
      "update",
      "Night shift",
      "--name",
      "Nights",
      "--description",
      "",
      "--permission",
      "can_join_group=role:members",
      "can_manage_group=bob@example.com",
    );
    expect(updated).toMatchObject({
      id: made.id,
      name: "Nights",
      description: "",
      can_join_group: idOf("role:members"),
      can_manage_group: { direct_members: [bob], direct_subgroups: [] },
    });

    const removed = await group(
      "members",
      "remove",
      "Nights",
      "alice@example.com",
      "--subgroup",
      "role:moderators",
    );
    expect(removed.group).toMatchObject({ members: [bob], direct_subgroup_ids: [] });
    const added = await group(
      "members",
      "add",
      "Nights",
      "alice@example.com",
      "--subgroup",
      "role:owners",
    );
    expect(added.group).toMatchObject({
      members: [alice, bob],
      direct_subgroup_ids: [idOf("role:owners")],
    });

    expect((await group("deactivate", "Nights", "--yes")).group).toMatchObject({
      id: made.id,
      deactivated: true,
    });
    const listing = await mustChatd(["admin", "group", "list", ...place]);
    expect(listing.stdout).toContain("Nights");
    expect(listing.stdout).toMatch(/ID +NAME +MEMBERS +SUBGROUPS +STATE +DESCRIPTION/);
    expect(listing.stdout).toContain("deactivated");
    expect(listing.stdout).not.toContain("role:");
    expect((await group("reactivate", "Nights")).group).toMatchObject({
      id: made.id,
      deactivated: false,
    });
  });

  test("reaches clients of a server beside it, without a word to those whom it concerns", async () => {
    const { place, credentials } = await provisioned();
    const server = await serve(place);
    const alice = clientOf(server.site, credentials, "alice");
    const queue = await alice.register({ event_types: ["user_group", "message"] });
    await mustChatd(["admin", "group", "create", "nights", ...place]);
    await mustChatd(["admin", "group", "members", "add", "nights", "alice@example.com", ...place]);
    await mustChatd(["admin", "group", "deactivate", "nights", "--yes", ...place]);
    const seen: string[] = [];
    while (seen.length < 3)
      seen.push(...(await queue.next()).map(({ type, op }) => `${type} ${op}`));
    expect(seen).toEqual(["user_group add", "user_group add_members", "user_group remove"]);
    expect(await server.stop()).toBe(0);
  });
});

test("a declared group is put back into use, and one that is named but deactivated is a problem of its line", async () => {
  const place = await (places[0] ?? { fresh: async () => [] }).fresh();
  const file = join(freshFolder(), "organization.yaml");
  const apply = async (groups: string, ...args: string[]) => {
    const owner = "{email: olga@example.com, name: Olga, role: owner}";
    const head = `realm: {name: Acme, host: localhost}\nusers: [${owner}]\ngroups:\n`;
    await Bun.write(file, head + groups);
    return chatd(["admin", "apply", file, ...args, ...place]);
  };
  expect((await apply("  - {name: devs, subgroups: [ops]}\n  - {name: ops}\n")).code).toBe(0);
  // The group that was around is now within.
  const turned = "  - {name: devs, subgroups: []}\n  - {name: ops, subgroups: [devs]}\n";
  expect(await apply(turned)).toMatchObject({ code: 0, stderr: "" });
  for (const name of ["ops", "devs"])
    await mustChatd(["admin", "group", "deactivate", name, "--yes", ...place]);
  const refused = await apply("  - {name: ops, subgroups: [devs]}\n");
  const why =
    "organization.yaml:4:29: the group 'devs' is deactivated. Declare it among the groups to reactivate it.";
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(why)]);
  const shown = await apply(turned, "--diff");
  expect(shown.stdout).toBe("~ group devs: reactivated\n~ group ops: reactivated\n");
  expect((await apply(turned)).code).toBe(0);
  expect((await mustChatd(["admin", "group", "list", ...place])).stdout).not.toContain(
    "deactivated",
  );
  expect((await apply(turned, "--diff")).stdout).not.toContain("group");
});

describe("the help of chatd admin group", () => {
  test("names every command and what it takes", async () => {
    const [about, create, members] = await Promise.all(
      [["--help"], ["create", "--help"], ["members", "--help"]].map((args) =>
        chatd(["admin", "group", ...args]),
      ),
    );
    for (const command of ["list", "create", "update", "members", "deactivate", "reactivate"]) {
      expect(about?.stdout).toContain(command);
    }
    expect(create?.stdout).toContain("--permission <name=holders...>");
    expect(members?.stdout).toMatch(/remove people and groups from a user\s+group/);
  });
});

test("chatd admin group refuses what cannot be with exit code 1, and wrong usage with 2", async () => {
  const { place } = await sqlite.provisioned();
  const group = async (...args: string[]) =>
    (await mustChatd(["admin", "group", ...args, "--json", ...place])).json();
  const before = (await group("list", "--system")).groups;
  await group("create", "nights", "--member", "alice@example.com");
  await group("create", "around", "--subgroup", "nights");
  const wrong: [string[], number, string][] = [
    [["create", "nights"], 1, "There is a user group nights already (ID "],
    [["create", "days", "--member", "nobody@example.com"], 1, "Nobody in Acme (localhost)"],
    [
      ["create", "days", "--permission", "can_manage_group=role:everyone"],
      1,
      "cannot be role:everyone",
    ],
    [
      ["create", "days", "--permission", "can_join_group=nobody"],
      1,
      "There is no user group 'nobody'",
    ],
    [
      ["create", "days", "--permission", "can_do_all=role:owners"],
      2,
      "not a permission of user groups",
    ],
    [["create", "days", "--permission", "can_join_group"], 2, "say who is to hold it"],
    [["update", "nights"], 2, "Nothing to change"],
    [["update", "role:owners", "--name", "x"], 1, "System groups cannot be changed"],
    [["members", "add", "nights"], 2, "Name the members"],
    [["members", "add", "nights", "alice@example.com"], 1, "is a member of this group already"],
    [["reactivate", "days"], 1, "There is no user group 'days'"],
  ];
  for (const [args, expected, why] of wrong) {
    const { code, stdout, stderr } = await chatd(["admin", "group", ...args, ...place]);
    expect({ args, code, stdout, stderr }).toEqual({
      args,
      code: expected,
      stdout: "",
      stderr: expect.stringContaining(why),
    });
  }
  const after = (await group("list", "--system")).groups;
  expect(after).toHaveLength(before.length + 2);
  const inUse = await chatd([
    "admin",
    "group",
    "deactivate",
    "nights",
    "--yes",
    "--json",
    ...place,
  ]);
  const around = after.find(({ name }: { name: string }) => name === "around").id;
  expect(JSON.parse(inUse.stderr)).toMatchObject({
    result: "error",
    code: "CANNOT_DEACTIVATE_GROUP_IN_USE",
    objections: [{ type: "subgroup", supergroup_ids: [around] }],
  });
});

test("chatd admin group says in a line what it did", async () => {
  const { place } = await sqlite.provisioned();
  const line = async (...args: string[]) =>
    (await mustChatd(["admin", "group", ...args, ...place])).stdout;
  expect(await line("create", "nights")).toMatch(/^Created the user group nights \(ID \d+\)\.\n$/);
  expect(
    await line("members", "add", "nights", "alice@example.com", "--subgroup", "role:owners"),
  ).toBe("Added to the user group nights: alice@example.com, role:owners.\n");
  expect(await line("members", "remove", "nights", "alice@example.com")).toBe(
    "Removed from the user group nights: alice@example.com.\n",
  );
  expect(await line("update", "nights", "--name", "days")).toBe("Changed the user group days.\n");
  expect(await line("deactivate", "days", "--yes")).toBe("Deactivated the user group days.\n");
  expect(await line("reactivate", "days")).toBe("Reactivated the user group days.\n");
});
