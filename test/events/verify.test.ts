import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createBotIn } from "../../src/bots/service";
import { findChannel } from "../../src/channels/queries";
import type { Tx } from "../../src/core/context";
import { type Role, roles } from "../../src/core/rights/role";
import { write } from "../../src/core/write";
import { createUserIn } from "../../src/management/accounts/create";
import { deactivateUserIn, reactivateUserIn } from "../../src/management/accounts/deactivate";
import { renameUserIn, updateUserRoleIn } from "../../src/management/accounts/update";
import { prepareChange, updateChannelIn } from "../../src/management/channels/update";
import { createGroupIn } from "../../src/management/groups/create";
import { changeGroupMembersIn, changeSubgroupsIn } from "../../src/management/groups/members";
import { updateGroupIn } from "../../src/management/groups/update";
import { verify, verifyInTurn } from "../support/client-state/verify";
import { makeWorld, type World } from "../support/world";

/** For every verb: the state before and the events give the state after. */
let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

const inWrite = <T>(run: (tx: Tx) => Promise<T>) => write(world.operator, run);

const join = (name: string, more = {}) =>
  world.alice.post("/users/me/subscriptions", { subscriptions: [{ name }], ...more });

describe("messages", () => {
  test("are unread where they arrive, and only there", async () => {
    const { alice, bob, carol, robot } = world;
    const counts = await verify(world, async () => {
      await alice.say("general", "lunch", "soup @**Bob**?");
      await alice.say("secret", "plot", "at dawn");
      await alice.tell([bob], "psst");
      await alice.tell([bob, carol], "psst, you two");
      await alice.tell([alice], "note");
      await alice.tell([robot], "beep");
    });
    // Four messages, and that Bob follows the topic in which he is mentioned.
    expect(counts).toMatchObject({ otto: 0, greta: 0, robot: 1, bob: 5 });
  });

  test("change with their flags and reactions", async () => {
    const { alice, bob } = world;
    const verifyNext = verifyInTurn(world);
    const ids = [await alice.say("general", "lunch", "soup?"), await alice.tell([bob], "psst")];
    await verifyNext(async () => {
      await bob.post("/messages/flags", { messages: ids, op: "add", flag: "starred" });
      await bob.post("/messages/flags", { messages: ids, op: "add", flag: "read" });
      await bob.post(`/messages/${ids[0]}/reactions`, { emoji_name: "wave" });
    });
    await verifyNext(async () => {
      await bob.post("/messages/flags", { messages: ids, op: "remove", flag: "read" });
      await bob.post("/messages/flags", { messages: [ids[0]], op: "remove", flag: "starred" });
      await bob.delete(`/messages/${ids[0]}/reactions`, { emoji_name: "wave" });
    });
  });
});

describe("channels", () => {
  test("come into being, are joined and left", async () => {
    const { alice, greta, carol, otto } = world;
    const verifyNext = verifyInTurn(world);
    await verifyNext(() =>
      join("crew", { principals: [alice.id, greta.id, carol.id], description: "we" }),
    );
    await verifyNext(() =>
      join("inner", { invite_only: true, principals: [alice.id, carol.id, greta.id] }),
    );
    await verifyNext(() =>
      otto.post("/users/me/subscriptions", { subscriptions: [{ name: "general" }] }),
    );
    await verifyNext(() =>
      greta.delete("/users/me/subscriptions", { subscriptions: ["crew", "inner"] }),
    );
    await verifyNext(() =>
      carol.delete("/users/me/subscriptions", { subscriptions: ["inner", "general"] }),
    );
    await verifyNext(() => join("inner", { principals: [carol.id] }));
  });

  test("change their name, description and who joins them by default", async () => {
    const { operator, realm, channels } = world;
    const verifyNext = verifyInTurn(world);
    const general = await findChannel(operator.reader, realm.id, channels.general);
    if (!general) throw new Error("the channel is gone");
    const change = prepareChange({
      name: "everybody",
      description: "all *of* us",
      isDefault: true,
    });
    await verifyNext(() => inWrite((tx) => updateChannelIn(tx, operator, general, change)));
    await verifyNext(() => createUser("nina", roles.member));
  });
});

const createUser = (name: string, role: Role) =>
  inWrite((tx) =>
    createUserIn(tx, world.operator, {
      email: `${name}@example.com`,
      fullName: name,
      role,
      passwordHash: null,
    }),
  );

const setRole = (id: number, role: Role) =>
  inWrite((tx) => updateUserRoleIn(tx, world.operator, id, role));

describe("people", () => {
  test("come, with every role, and bots", async () => {
    const verifyNext = verifyInTurn(world);
    for (const [name, role] of Object.entries(roles))
      await verifyNext(() => createUser(`new-${name}`, role));
    const robot = { email: "second-bot@example.com", fullName: "Second", ownerId: world.bob.id };
    const counts = await verifyNext(() => inWrite((tx) => createBotIn(tx, world.operator, robot)));
    expect(counts["bob"]).toBe((counts["carol"] ?? 0) + 1);
  });

  test("are renamed", async () => {
    await verify(world, () =>
      inWrite((tx) => renameUserIn(tx, world.operator, world.bob.id, "Robert")),
    );
  });

  test("lose and win sight of channels and bots with their roles", async () => {
    await inWrite((tx) =>
      createBotIn(tx, world.operator, {
        email: "b-bot@example.com",
        fullName: "B",
        ownerId: world.bob.id,
      }),
    );
    const { carol, otto, greta, adam, alice } = world;
    const verifyNext = verifyInTurn(world);
    await verifyNext(() => setRole(otto.id, roles.guest));
    await verifyNext(() => setRole(otto.id, roles.member));
    await verifyNext(() => setRole(carol.id, roles.administrator));
    await verifyNext(() => setRole(carol.id, roles.guest));
    await verifyNext(() => setRole(greta.id, roles.owner));
    await verifyNext(() => setRole(adam.id, roles.moderator));
    await verifyNext(() => setRole(alice.id, roles.administrator));
  });

  test("go and come back", async () => {
    const { alice, carol, operator } = world;
    const verifyNext = verifyInTurn(world);
    const group = {
      name: "devs",
      description: "",
      memberIds: [alice.id, carol.id],
      subgroupIds: [],
    };
    await inWrite((tx) => createGroupIn(tx, operator, group));
    for (const person of [carol, alice]) {
      await verifyNext(() => inWrite((tx) => deactivateUserIn(tx, operator, person.id)));
      await verifyNext(() => inWrite((tx) => reactivateUserIn(tx, operator, person.id)));
    }
  });
});

test("groups come into being and change", async () => {
  const { operator, alice, bob } = world;
  const verifyNext = verifyInTurn(world);
  const make = (name: string) =>
    inWrite((tx) =>
      createGroupIn(tx, operator, {
        name,
        description: "",
        memberIds: [alice.id],
        subgroupIds: [],
      }),
    );
  let ids: number[] = [];
  await verifyNext(async () => {
    ids = [(await make("devs")).id, (await make("ops")).id];
  });
  const [devs = 0, ops = 0] = ids;
  await verifyNext(async () => {
    await inWrite((tx) =>
      changeGroupMembersIn(tx, operator, devs, { add: [bob.id], remove: [alice.id] }),
    );
    await inWrite((tx) => changeSubgroupsIn(tx, operator, devs, { add: [ops], remove: [] }));
    await inWrite((tx) =>
      updateGroupIn(tx, operator, devs, { name: "makers", description: "those who make" }),
    );
  });
  await verifyNext(() =>
    inWrite((tx) => changeSubgroupsIn(tx, operator, devs, { add: [], remove: [ops] })),
  );
});
