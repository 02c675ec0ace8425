import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { updateBot } from "../../src/bots/update";
import { roles } from "../../src/core/rights/role";
import { deactivateUser, reactivateUser } from "../../src/management/accounts/deactivate";
import { updateUserRole } from "../../src/management/accounts/update";
import { botKinds } from "../../src/people/bots/kinds";
import { listApiKeys } from "../../src/sign-in/api-keys";
import { codeOf } from "../support/answers";
import { newBot, newPerson } from "../support/api/calls/things";
import { verify, verifyInTurn } from "../support/client-state/verify";
import { startPoll } from "../support/polls";
import { refusalOf } from "../support/refusal";
import { makeWorld, Person, type World, worldHost } from "../support/world";

/** Robot is a bot of alice's. */
let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

const path = (bot: Person = world.robot) => `/bots/${bot.id}`;

const shownTo = async (person: Person, bot: Person) =>
  (await person.register()).state.realm_bots.find(
    ({ user_id }: { user_id: number }) => user_id === bot.id,
  );

const userOf = async (bot: Person) => (await world.olga.get(`/users/${bot.id}`)).body.user;

const typesOf = (events: { type: string; op?: string }[]) =>
  events.map(({ type, op }) => `${type} ${op}`);

describe("A bot's owner, or an administrator, changes", () => {
  test("its name: everybody hears, and nothing of it is left to the owner alone", async () => {
    const { alice, adam, bob, robot } = world;
    const queues = [await alice.register(), await adam.register(), await bob.register()];
    const { status, body } = await alice.patch(path(), { full_name: "Cook" });
    expect(status).toBe(200);
    expect(body).toEqual({
      result: "success",
      msg: "",
      full_name: "Cook",
      avatar_url: expect.any(String),
      bot_owner: alice.email,
      service_interface: 1,
      service_payload_url: null,
      config_data: null,
      default_sending_stream: null,
      default_events_register_stream: null,
      default_all_public_streams: false,
    });
    for (const queue of queues) {
      const person = { user_id: robot.id, full_name: "Cook" };
      expect(await queue.events()).toEqual([
        { id: expect.any(Number), type: "realm_user", op: "update", person },
      ]);
    }
    expect((await userOf(robot)).full_name).toBe("Cook");
    await verify(world, () => adam.patch(path(), { full_name: "Baker" }));
    await alice.post("/bots", { full_name: "Chef", short_name: "chef" });
    for (const change of ["/bots", "/users"].map((door) => `${door}/${robot.id}`)) {
      expect(codeOf(await adam.patch(change, { full_name: "Chef" }))).toBe("400 BAD_REQUEST");
    }
  });

  test("its short name, with which it signs in: its key stays", async () => {
    const { alice, robot, anonymous } = world;
    await verify(world, () => alice.patch(path(), { short_name: "chef" }));
    const email = "chef-bot@chat.example.com";
    expect(await userOf(robot)).toMatchObject({ email, delivery_email: email });
    const authorization = `Basic ${btoa(`${email}:${robot.credentials?.apiKey}`)}`;
    expect(
      (await anonymous.ask("GET", "/users/me", {}, { headers: { authorization } })).status,
    ).toBe(200);
    expect((await robot.get("/users/me")).status).toBe(401);
    await alice.post("/bots", { full_name: "Cook", short_name: "cook" });
    expect(codeOf(await alice.patch(path(), { short_name: "Cook" }))).toBe("400 BAD_REQUEST");
  });

  test("where an outgoing webhook is posted to, and how: those who see it hear", async () => {
    const { alice, adam, bob } = world;
    const cook = await newBot(world, botKinds.outgoingWebhook);
    const { token } = (await shownTo(alice, cook)).services[0];
    const [hers, admins, others] = [
      await alice.register(),
      await adam.register(),
      await bob.register(),
    ];
    const asked = {
      service_payload_url: JSON.stringify("https://hooks.example.com/a"),
      service_interface: 2,
    };
    const { body } = await alice.patch(path(cook), asked);
    expect(body).toMatchObject({
      service_payload_url: "https://hooks.example.com/a",
      service_interface: 2,
    });
    const services = [{ base_url: "https://hooks.example.com/a", interface: 2, token }];
    const event = {
      id: expect.any(Number),
      type: "realm_bot",
      op: "update",
      bot: { user_id: cook.id, services },
    };
    expect(await hers.events()).toEqual([event]);
    expect(await admins.events()).toEqual([event]);
    expect(await others.events()).toEqual([]);
    expect((await shownTo(alice, cook)).services).toEqual(services);
    expect((await alice.patch(path(cook), asked)).status).toBe(200);
    expect(await hers.events()).toEqual([]);
    await verify(world, () => alice.patch(path(cook), { service_interface: 1 }));
    const bad = [{ service_payload_url: "gopher://x" }, { service_interface: 7 }];
    for (const change of bad)
      expect(codeOf(await alice.patch(path(cook), change))).toBe("400 BAD_REQUEST");
    expect(codeOf(await alice.patch(path(), asked))).toBe("400 BAD_REQUEST");
  });

  test("what the service of an embedded bot is told: more is laid over what was there", async () => {
    const { alice, robot } = world;
    const cook = await newBot(world, botKinds.embedded);
    await verify(world, () => alice.patch(path(cook), { config_data: { teachers: "everyone" } }));
    await alice.patch(path(cook), { config_data: {} });
    const config_data = { teachers: "everyone" };
    expect((await shownTo(alice, cook)).services).toEqual([{ service_name: "faq", config_data }]);
    for (const config of [
      { teachers: 1 },
      ["teachers"],
      { teachers: "x".repeat(10_000) },
      { soup: "pea" },
    ]) {
      expect(codeOf(await alice.patch(path(cook), { config_data: config }))).toBe(
        "400 BAD_REQUEST",
      );
    }
    expect(codeOf(await alice.patch(path(robot), { config_data: { teachers: "owner" } }))).toBe(
      "400 BAD_REQUEST",
    );
  });

  test("where it sends to and what it hears of: only known channels, and of a channel that is lost not even the name", async () => {
    const { alice, olga, bob, channels, robot } = world;
    const verifyNext = verifyInTurn(world);
    await verifyNext(() =>
      alice.patch(path(), { default_sending_stream: "secret", default_all_public_streams: true }),
    );
    expect(await shownTo(alice, robot)).toMatchObject({
      default_sending_stream: "secret",
      default_all_public_streams: true,
    });
    await verifyNext(() => alice.delete("/users/me/subscriptions", { subscriptions: ["secret"] }));
    await olga.patch(`/streams/${channels.secret}`, { new_name: "hush" });
    expect((await shownTo(alice, robot)).default_sending_stream).toBeNull();
    expect((await shownTo(olga, robot)).default_sending_stream).toBe("hush");
    expect(codeOf(await alice.patch(path(), { default_sending_stream: "hush" }))).toBe(
      "400 BAD_REQUEST",
    );
    expect(codeOf(await bob.patch(path(), { default_sending_stream: "hush" }))).toBe(
      "400 BAD_REQUEST",
    );
    await alice.patch(path(), { default_sending_stream: "" });
    expect((await shownTo(olga, robot)).default_sending_stream).toBeNull();
  });

  test("all that is asked for, or nothing", async () => {
    const { alice, robot } = world;
    const asked = { full_name: "Cook", short_name: "cook", bot_owner_id: 99_999_999 };
    expect(codeOf(await alice.patch(path(), asked))).toBe("400 BAD_REQUEST");
    expect(await userOf(robot)).toMatchObject({ full_name: "Robot", email: robot.email });
  });

  test("nothing of what is no bot of the organization, or not theirs", async () => {
    const { alice, bob, mona, adam, greta, zoe, robot } = world;
    for (const person of [bob, mona, greta, zoe, robot]) {
      for (const answer of [
        await person.patch(path(), { full_name: "Mine" }),
        await person.delete(path()),
        await person.post(`${path()}/api_key/regenerate`),
      ]) {
        expect(codeOf(answer)).toBe("400 BAD_REQUEST");
      }
    }
    const { id } = (await alice.register()).state.cross_realm_bots.map(
      (one: { user_id: number }) => ({
        id: one.user_id,
      }),
    )[0];
    for (const target of [bob.id, id, 99_999_999]) {
      expect(codeOf(await adam.patch(`/bots/${target}`, { full_name: "Mine" }))).toBe(
        "400 BAD_REQUEST",
      );
      expect(codeOf(await adam.delete(`/bots/${target}`))).toBe("400 BAD_REQUEST");
    }
    expect(await userOf(robot)).toMatchObject({ full_name: "Robot", is_active: true });
  });
});

describe("E1: The role of a bot", () => {
  test("is given by administrators, and not by its owner", async () => {
    const { alice, adam, olga, robot } = world;
    for (const role of [roles.owner, roles.administrator, roles.moderator, roles.guest]) {
      expect(codeOf(await alice.patch(path(), { role }))).toBe("400 BAD_REQUEST");
    }
    expect((await userOf(robot)).role).toBe(roles.member);
    expect(codeOf(await adam.patch(path(), { role: roles.owner }))).toBe(
      "400 UNAUTHORIZED_PRINCIPAL",
    );
    expect(codeOf(await adam.patch(path(), { role: 150 }))).toBe("400 BAD_REQUEST");
    await verify(world, () => adam.patch(path(), { role: roles.moderator }));
    expect((await olga.patch(path(), { role: roles.owner })).status).toBe(200);
    expect(codeOf(await adam.patch(path(), { full_name: "Mine" }))).toBe("400 BAD_REQUEST");
    expect(codeOf(await adam.delete(path()))).toBe("400 BAD_REQUEST");
  });

  test("that stays is no change, so its owner may send it with others, as Zulip's web client does", async () => {
    const { alice, robot } = world;
    const asked = { full_name: "Cook", role: roles.member, bot_owner_id: alice.id };
    await verify(world, async () => {
      expect((await alice.patch(path(), asked)).status).toBe(200);
    });
    expect(await userOf(robot)).toMatchObject({ full_name: "Cook", role: roles.member });
  });

  test("higher than a member's is not passed on by its owner", async () => {
    const { alice, adam, bob, robot } = world;
    await adam.patch(path(), { role: roles.administrator });
    expect(codeOf(await alice.patch(path(), { bot_owner_id: bob.id }))).toBe("400 BAD_REQUEST");
    expect((await userOf(robot)).bot_owner_id).toBe(alice.id);
    expect((await adam.patch(path(), { bot_owner_id: bob.id })).status).toBe(200);
  });

  test("C10: falls to that of a guest with its owner's, who would keep through its key what they have lost", async () => {
    const { adam, alice, bob, robot } = world;
    const cook = await newBot(world);
    await adam.patch(path(cook), { role: roles.guest });
    await verify(world, () => adam.patch(`/users/${alice.id}`, { role: roles.guest }));
    expect([(await userOf(robot)).role, (await userOf(cook)).role]).toEqual([
      roles.guest,
      roles.guest,
    ]);
    expect(codeOf(await alice.post(`${path()}/api_key/regenerate`))).toBe("400 BAD_REQUEST");
    await adam.patch(path(), { bot_owner_id: bob.id, role: roles.member });
    expect(await userOf(robot)).toMatchObject({ role: roles.member, bot_owner_id: bob.id });
    expect(codeOf(await bob.patch(path(), { bot_owner_id: alice.id }))).toBe("400 BAD_REQUEST");
    expect(codeOf(await adam.patch(path(), { bot_owner_id: alice.id }))).toBe("400 BAD_REQUEST");
  });
});

test("C10: A former administrator's bot is none any more, and does not give its owner the role back", async () => {
  const { olga, adam, alice } = world;
  const { body } = await adam.post("/bots", { full_name: "Helper", short_name: "helper" });
  const email = `helper-bot@${worldHost}`;
  const { user_id, api_key } = body;
  const helper = new Person(world.site, worldHost, user_id, email, "Helper", api_key);
  expect((await adam.patch(path(helper), { role: roles.administrator })).status).toBe(200);
  const giveBack = () => helper.patch(`/users/${adam.id}`, { role: roles.administrator });
  await verify(world, () => olga.patch(`/users/${adam.id}`, { role: roles.moderator }));
  expect(codeOf(await giveBack())).toBe("400 BAD_REQUEST");
  expect((await userOf(helper)).role).toBe(roles.moderator);
  await olga.patch(`/users/${adam.id}`, { role: roles.administrator });
  expect((await userOf(helper)).role).toBe(roles.moderator);
  await olga.patch(`/users/${alice.id}`, { role: roles.moderator });
  await olga.patch(`/users/${adam.id}`, { role: roles.member });
  expect((await userOf(helper)).role).toBe(roles.member);
  expect((await userOf(world.robot)).role).toBe(roles.member);
});

describe("A bot that is given to somebody else", () => {
  test("K3: does not tell the address of the new owner to who may not read it", async () => {
    const { alice, adam, bob } = world;
    await bob.patch("/settings", { email_address_visibility: 3 });
    const { body } = await alice.patch(path(), { bot_owner_id: bob.id });
    expect(body.bot_owner).toBe(`user${bob.id}@chat.example.com`);
    expect((await adam.patch(path(), { full_name: "Cook" })).body.bot_owner).toBe(bob.email);
  });

  test("is theirs from then on: the former owner sees and administers it no more", async () => {
    const { alice, adam, bob, carol, robot } = world;
    const verifyNext = verifyInTurn(world);
    const queues = [
      await alice.register(),
      await bob.register(),
      await adam.register(),
      await carol.register(),
    ];
    const { body } = await alice.patch(path(), { bot_owner_id: bob.id });
    expect(body.bot_owner).toBe(bob.email);
    const [hers, his, admins, others] = await Promise.all(queues.map((queue) => queue.events()));
    const told = { id: expect.any(Number), type: "realm_user", op: "update" };
    const all = { ...told, person: { user_id: robot.id, bot_owner_id: bob.id } };
    const gone = { ...told, type: "realm_bot", op: "delete", bot: { user_id: robot.id } };
    expect(hers).toEqual([gone, all]);
    expect(typesOf(his ?? [])).toEqual(["realm_bot add", "realm_user update"]);
    expect(his?.[0].bot).toEqual(await shownTo(bob, robot));
    expect([admins, others]).toEqual([[all], [all]]);
    expect(await shownTo(alice, robot)).toBeUndefined();
    expect(codeOf(await alice.get(`${path()}/api_key`))).toBe("400 BAD_REQUEST");
    expect((await bob.get(`${path()}/api_key`)).body.api_key).toBe(robot.credentials?.apiKey);
    expect((await robot.get("/users/me")).status).toBe(200);
    await verifyNext(() => adam.patch(path(), { bot_owner_id: alice.id }));
    await verifyNext(() => alice.patch(path(), { bot_owner_id: adam.id }));
  });

  test("goes to active people of the organization only", async () => {
    const { olga, alice, bob, greta, robot, zoe } = world;
    const other = await newBot(world);
    await olga.delete(`/users/${bob.id}`);
    for (const owner of [bob, greta, other, robot, zoe]) {
      expect([
        owner.fullName,
        codeOf(await alice.patch(path(), { bot_owner_id: owner.id })),
      ]).toEqual([owner.fullName, "400 BAD_REQUEST"]);
    }
    expect((await userOf(robot)).bot_owner_id).toBe(alice.id);
  });

  test("has an active owner or is deactivated, also where the new one is deactivated at that moment", async () => {
    const { alice, adam, bob, carol, robot } = world;
    const receivers = [bob, carol, await newPerson(world), await newPerson(world)];
    for (const receiver of receivers) {
      const bot = await newBot(world);
      const [given, ended] = await Promise.all([
        alice.patch(path(bot), { bot_owner_id: receiver.id }),
        adam.delete(`/users/${receiver.id}`),
      ]);
      expect(ended?.status).toBe(200);
      const { bot_owner_id, is_active } = await userOf(bot);
      if (given?.status === 200) expect([bot_owner_id, is_active]).toEqual([receiver.id, false]);
      else expect([bot_owner_id, is_active]).toEqual([alice.id, true]);
    }
    expect((await userOf(robot)).is_active).toBe(true);
  });

  test("can come from somebody who was deactivated, and be let in again", async () => {
    const { olga, alice, bob, robot, operator } = world;
    const verifyNext = verifyInTurn(world);
    await deactivateUser(operator, alice.id);
    expect((await userOf(robot)).is_active).toBe(false);
    expect((await refusalOf(reactivateUser(operator, robot.id))).code).toBe("BAD_REQUEST");
    await verifyNext(() => olga.patch(path(), { bot_owner_id: bob.id }));
    expect((await bob.get("/bots")).body.bots).toEqual([]);
    await verifyNext(() => bob.post(`/users/${robot.id}/reactivate`));
    expect((await userOf(robot)).is_active).toBe(true);
    const { status, body } = await bob.post(`${path()}/api_key/regenerate`);
    expect(status).toBe(200);
    expect((await bob.get("/bots")).body.bots).toEqual([
      expect.objectContaining({ username: robot.email, api_key: body.api_key }),
    ]);
  });

  test("C3: by an administrator after its owner was deactivated does not know the key that they have, nor later", async () => {
    const { olga, adam, alice, bob, robot, operator } = world;
    await olga.delete(`/users/${alice.id}`);
    await adam.patch(path(), { bot_owner_id: bob.id });
    expect(await listApiKeys(operator, robot.id)).toEqual([]);
    await bob.post(`/users/${robot.id}/reactivate`);
    await olga.post(`/users/${alice.id}/reactivate`);
    expect((await robot.get("/users/me")).status).toBe(401);
    expect(codeOf(await bob.get(`${path()}/api_key`))).toBe("400 BAD_REQUEST");
    expect((await bob.get("/bots")).body.bots).toEqual([
      expect.objectContaining({ username: robot.email }),
    ]);
  });

  test("is so for the operator too", async () => {
    const { operator, bob, robot, alice } = world;
    await updateBot(operator, { botId: robot.id, botOwnerId: bob.id });
    expect((await userOf(robot)).bot_owner_id).toBe(bob.id);
    expect(
      (await refusalOf(updateBot(operator, { botId: alice.id, botOwnerId: bob.id }))).message,
    ).toBe("No such bot");
  });
});

describe("A bot that is deactivated", () => {
  test("by its owner is gone at once, with its keys and polls; its owner may let it in again", async () => {
    const { alice, bob, robot } = world;
    const verifyNext = verifyInTurn(world);
    const { answer } = await startPoll(world, await robot.register());
    await verifyNext(() => alice.delete(path()));
    expect((await answer).body.code).toBe("BAD_EVENT_QUEUE_ID");
    expect((await robot.get("/users/me")).status).toBe(401);
    expect(await userOf(robot)).toMatchObject({ is_active: false, bot_owner_id: alice.id });
    expect(await shownTo(alice, robot)).toBeDefined();
    expect(codeOf(await alice.delete(path()))).toBe("400 BAD_REQUEST");
    expect(codeOf(await bob.post(`/users/${robot.id}/reactivate`))).toBe("400 BAD_REQUEST");
    await verifyNext(() => alice.post(`/users/${robot.id}/reactivate`));
    expect((await userOf(robot)).is_active).toBe(true);
    expect((await robot.get("/users/me")).status).toBe(200);
  });

  test("comes back only while nobody has its name, and by an owner who may create bots", async () => {
    const { alice, adam, olga, robot } = world;
    await alice.delete(path());
    const { body } = await alice.post("/bots", { full_name: "Robot", short_name: "other" });
    expect(codeOf(await alice.post(`/users/${robot.id}/reactivate`))).toBe("400 BAD_REQUEST");
    expect(codeOf(await adam.post(`/users/${robot.id}/reactivate`))).toBe("400 BAD_REQUEST");
    await alice.delete(`/bots/${body.user_id}`);
    const { realm_user_groups: groups } = (await olga.register()).state;
    const { id } = groups.find((one: { name: string }) => one.name === "role:moderators");
    await olga.patch("/realm", { can_create_bots_group: JSON.stringify({ new: id }) });
    expect(codeOf(await alice.post(`/users/${robot.id}/reactivate`))).toBe("400 BAD_REQUEST");
    expect((await adam.post(`/users/${robot.id}/reactivate`)).status).toBe(200);
  });

  test("C3: goes with its owner, with its keys", async () => {
    const { olga, alice, robot } = world;
    const cook = await newBot(world, botKinds.outgoingWebhook);
    await verify(world, () => olga.delete(`/users/${alice.id}`));
    for (const bot of [robot, cook]) {
      expect((await userOf(bot)).is_active).toBe(false);
      expect((await bot.get("/users/me")).status).toBe(401);
    }
  });
});

test("E7: tokens and keys are in no log, no event to others, and nowhere in the data as they are", async () => {
  const { alice, bob, logged, app } = world;
  const queue = await bob.register();
  const hook = "https://hooks.example.com/soup";
  const { body } = await alice.post("/bots", {
    full_name: "Cook",
    short_name: "cook",
    bot_type: 3,
    payload_url: hook,
  });
  await alice.patch(`/bots/${body.user_id}`, { service_interface: 2 });
  const { state } = await alice.register();
  const { token } = state.realm_bots.at(-1).services[0];
  const { t, db } = app.engine.reader;
  const stored = [
    await db.select().from(t.eventLog),
    await db.select().from(t.bots),
    await db.select().from(t.apiKeys),
  ];
  const others = [
    await queue.events(),
    (await bob.register()).state,
    (await bob.get("/users")).body,
  ];
  for (const secret of [token, body.api_key]) {
    for (const where of [logged, stored, others])
      expect(JSON.stringify(where)).not.toContain(secret);
  }
});

test("who becomes an administrator sees all bots with their tokens, and who is none any more only their own", async () => {
  const { operator, bob, alice, robot } = world;
  const verifyNext = verifyInTurn(world);
  const cook = await newBot(world, botKinds.outgoingWebhook);
  await verifyNext(() => updateUserRole(operator, bob.id, roles.administrator));
  expect(await shownTo(bob, cook)).toEqual(await shownTo(alice, cook));
  await verifyNext(() => updateUserRole(operator, bob.id, roles.member));
  expect(await shownTo(bob, robot)).toBeUndefined();
});
