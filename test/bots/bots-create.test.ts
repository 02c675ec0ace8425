import { describe, expect, test } from "bun:test";
import { botKinds } from "../../src/people/bots/kinds";
import { codeOf } from "../support/answers";
import { newPerson } from "../support/api/calls/things";
import { createBot } from "../support/bots";
import { verify, verifyInTurn } from "../support/client-state/verify";
import { worldPerTest } from "../support/shared-world";
import { makeWorld, type Person, type World } from "../support/world";

let world: World;
const oneWorldForGroup = worldPerTest(
  async () => {
    world = await makeWorld();
  },
  () => world.close(),
);

const hook = "https://hooks.example.com/soup";
const outgoing = {
  full_name: "Cook",
  short_name: "cook",
  bot_type: 3,
  payload_url: JSON.stringify(hook),
};

const botsOf = async (person: Person) => (await person.register()).state.realm_bots;
const shownTo = async (person: Person, id: number) =>
  (await botsOf(person)).find(({ user_id }: { user_id: number }) => user_id === id);

/** The bot with this key asks who it is. */
const signedInAs = ({ anonymous }: World, email: string, key: string) =>
  anonymous.ask(
    "GET",
    "/users/me",
    {},
    { headers: { authorization: `Basic ${btoa(`${email}:${key}`)}` } },
  );

describe("A new bot", () => {
  test("of the generic kind is its maker's, a member, and signs in with the key that is answered", async () => {
    const { alice, bob, olga } = world;
    const [hers, his, owners] = [
      await alice.register(),
      await bob.register(),
      await olga.register(),
    ];
    const { status, body } = await alice.post("/bots", { full_name: "Cook", short_name: "cook" });
    expect(status).toBe(200);
    const email = "cook-bot@chat.example.com";
    expect(body).toEqual({
      result: "success",
      msg: "",
      user_id: expect.any(Number),
      api_key: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
      avatar_url: expect.any(String),
      default_sending_stream: null,
      default_events_register_stream: null,
      default_all_public_streams: false,
    });
    expect((await signedInAs(world, email, body.api_key)).body).toMatchObject({
      user_id: body.user_id,
      email,
    });
    const bot = {
      user_id: body.user_id,
      default_sending_stream: null,
      default_events_register_stream: null,
      default_all_public_streams: false,
      services: [],
    };
    for (const queue of [hers, owners]) {
      const [first, ...rest] = await queue.events();
      expect(first.person).toMatchObject({
        email,
        full_name: "Cook",
        bot_type: 1,
        role: 400,
        is_bot: true,
      });
      expect(first.person.bot_owner_id).toBe(alice.id);
      expect(rest.pop()).toEqual({ id: expect.any(Number), type: "realm_bot", op: "add", bot });
      expect(rest.map(({ type, op }) => `${type} ${op}`)).toEqual(
        Array(2).fill("user_group add_members"),
      );
    }
    expect((await his.events()).map(({ type }) => type)).toEqual([
      "realm_user",
      "user_group",
      "user_group",
    ]);
    expect(await shownTo(alice, body.user_id)).toEqual(bot);
    expect(await shownTo(bob, body.user_id)).toBeUndefined();
  });

  test("that is an outgoing webhook has an address and a token, shown to its owner and administrators", async () => {
    const { alice, adam, bob } = world;
    const queue = await adam.register({ event_types: ["realm_bot"] });
    const { body } = await alice.post("/bots", { ...outgoing, interface_type: 2 });
    const services = [
      { base_url: hook, interface: 2, token: expect.stringMatching(/^[A-Za-z0-9]{32}$/) },
    ];
    const shown = await shownTo(alice, body.user_id);
    expect(shown.services).toEqual(services);
    expect((await queue.events())[0].bot.services).toEqual(shown.services);
    expect(JSON.stringify((await bob.register()).state)).not.toContain(shown.services[0].token);
  });

  test("that is an outgoing webhook may come without an address", async () => {
    const { body } = await world.alice.post("/bots", {
      full_name: "Cook",
      short_name: "cook",
      bot_type: 3,
    });
    expect((await shownTo(world.alice, body.user_id)).services).toMatchObject([
      { base_url: "", interface: 1 },
    ]);
  });

  test("that is an incoming webhook writes, and can do nothing else", async () => {
    const { alice, channels } = world;
    const { status, body } = await alice.post("/bots", {
      full_name: "Post",
      short_name: "post",
      bot_type: 2,
    });
    expect(status).toBe(200);
    const bot = { email: "post-bot@chat.example.com", key: body.api_key };
    const { body: refused } = await signedInAs(world, bot.email, bot.key);
    expect(refused).toMatchObject({
      code: "UNAUTHORIZED",
      msg: "This API is not available to incoming webhook bots.",
    });
    const headers = { authorization: `Basic ${btoa(`${bot.email}:${bot.key}`)}` };
    const message = {
      type: "channel",
      to: String(channels.general),
      topic: "lunch",
      content: "soup!",
    };
    const sent = await world.anonymous.ask(
      "POST",
      "/messages",
      {},
      { headers, body: new URLSearchParams(message) },
    );
    expect(sent.status).toBe(200);
    const { body: read } = await alice.get(`/messages/${sent.body.id}`);
    expect(read.message.sender_id).toBe(body.user_id);
  });

  test("sends and listens where its maker says, in a channel that they know", async () => {
    const { olga, alice, bob, channels } = world;
    const defaults = { default_sending_stream: "plans", default_events_register_stream: "general" };
    const asked = {
      full_name: "Cook",
      short_name: "cook",
      ...defaults,
      default_all_public_streams: true,
    };
    expect(codeOf(await bob.post("/bots", asked))).toMatch(/^400 BAD_REQUEST/);
    const { body } = await alice.post("/bots", asked);
    expect(body).toMatchObject({ ...defaults, default_all_public_streams: true });
    expect(await shownTo(alice, body.user_id)).toMatchObject(defaults);
    const [listed] = (await alice.get("/bots")).body.bots.slice(-1);
    expect(listed).toMatchObject({ username: "cook-bot@chat.example.com", ...defaults });
    await verify(world, async () => {
      expect((await olga.patch(`/streams/${channels.plans}`, { new_name: "schemes" })).status).toBe(
        200,
      );
    });
    expect((await shownTo(alice, body.user_id)).default_sending_stream).toBe("schemes");
  });

  test("is what the events say, for everybody", async () => {
    const verifyNext = verifyInTurn(world);
    await verifyNext(() => world.alice.post("/bots", outgoing));
    await verifyNext(() =>
      world.adam.post("/bots", { ...outgoing, full_name: "Other", short_name: "other" }),
    );
  });

  test("has a name and an address of its own, also where two are made at once", async () => {
    const { alice, bob } = world;
    const answers = await Promise.all(
      [alice, bob, alice, bob].map((person, index) =>
        person.post("/bots", {
          full_name: `Cook ${index}`,
          short_name: index % 2 === 0 ? "cook" : "Cook",
        }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
    const named = await Promise.all(
      [1, 2].map((n) => bob.post("/bots", { full_name: "Baker", short_name: `baker${n}` })),
    );
    expect(named.map(({ status }) => status).sort()).toEqual([200, 400]);
    const gone = await bob.post("/bots", { full_name: "Gone", short_name: "gone" });
    await bob.delete(`/bots/${gone.body.user_id}`);
    expect((await bob.post("/bots", { full_name: "Gone", short_name: "gone2" })).status).toBe(200);
    expect((await bob.post("/bots", { full_name: "Gone 2", short_name: "gone" })).status).toBe(400);
  });

  test("has nobody's name where the organization wants names to differ", async () => {
    const { olga, alice } = world;
    expect((await alice.post("/bots", { full_name: "Bob", short_name: "bob" })).status).toBe(200);
    await olga.patch("/realm", { require_unique_names: true });
    expect((await alice.post("/bots", { full_name: "Carol", short_name: "carol" })).status).toBe(
      400,
    );
  });
});

describe("A new bot", () => {
  oneWorldForGroup();

  test("is refused with values that make none", async () => {
    const { alice } = world;
    const ask = async (change: object) =>
      codeOf(await alice.post("/bots", { ...outgoing, ...change }));
    expect(await ask({ short_name: undefined })).toMatch(/REQUEST_VARIABLE_MISSING/);
    expect(await ask({ full_name: undefined })).toMatch(/REQUEST_VARIABLE_MISSING/);
    const bad = [
      { short_name: " " },
      { short_name: "a b" },
      { short_name: "a@b" },
      { short_name: "x".repeat(250) },
      { full_name: "" },
      { full_name: "a**b" },
      { full_name: "x".repeat(101) },
      { full_name: "Robot" },
      { bot_type: 0 },
      { bot_type: 5 },
      { bot_type: "1.5" },
      { interface_type: 3 },
      { default_sending_stream: "nowhere" },
      { default_all_public_streams: "maybe" },
      { bot_type: 2, service_name: "github" },
      { bot_type: 4 },
    ];
    for (const change of bad)
      expect([change, await ask(change)]).toEqual([
        change,
        expect.stringMatching(/^400 BAD_REQUEST/),
      ]);
    expect(await botsOf(alice)).toHaveLength(1);
  });

  test.each([
    "ftp://example.com/x",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "//example.com/x",
    "example.com",
    "http://",
    "http://user:secret@example.com/x",
    "http://user@example.com/x",
    "http://exa mple.com/",
    "http://example.com/\u0009x",
    `http://example.com/${"x".repeat(2_000)}`,
  ])("posts to no address like %p", async (url) => {
    const { body, status } = await world.alice.post("/bots", {
      ...outgoing,
      payload_url: JSON.stringify(url),
    });
    expect([status, body.code]).toEqual([400, "BAD_REQUEST"]);
    expect(body.msg).not.toContain("secret");
  });
});

describe("Who may create bots", () => {
  const kinds = [botKinds.generic, botKinds.incomingWebhook, botKinds.outgoingWebhook];
  let made = 0;
  const may = async (person: Person) => {
    const statuses: boolean[] = [];
    for (const bot_type of kinds) {
      const name = `bot${++made}`;
      statuses.push(
        (await person.post("/bots", { full_name: name, short_name: name, bot_type })).status ===
          200,
      );
    }
    return statuses;
  };

  test("follows two settings: one for all kinds, one for those that only write", async () => {
    const { olga, adam, mona, alice } = world;
    const set = async (name: string, group: string) => {
      const { realm_user_groups: groups } = (await olga.register()).state;
      const { id } = groups.find((one: { name: string }) => one.name === group);
      const { status } = await olga.patch("/realm", { [name]: JSON.stringify({ new: id }) });
      expect(status).toBe(200);
    };
    expect(await may(alice)).toEqual([true, true, true]);
    await set("can_create_bots_group", "role:administrators");
    expect(await may(alice)).toEqual([false, true, false]);
    expect(await may(adam)).toEqual([true, true, true]);
    await set("can_create_write_only_bots_group", "role:moderators");
    expect(await may(alice)).toEqual([false, false, false]);
    expect(await may(mona)).toEqual([false, true, false]);
    await set("can_create_bots_group", "role:nobody");
    expect(await may(olga)).toEqual([false, true, false]);
  });

  test("is asked again inside: guests and bots are refused", async () => {
    const { greta, robot } = world;
    expect(await may(greta)).toEqual([false, false, false]);
    expect(await may(robot)).toEqual([false, false, false]);
  });

  test("does not bind the operator; a guest's bots are guests", async () => {
    const { greta, operator } = world;
    const bot = await createBot(operator, {
      email: "soup-bot@example.com",
      fullName: "Soup",
      ownerId: greta.id,
    });
    expect(bot.role).toBe(600);
    expect((await greta.get(`/bots/${bot.id}/api_key`)).status).toBe(400);
    expect((await greta.delete(`/bots/${bot.id}`)).status).toBe(200);
  });
});

test("GET /bots lists one's own active bots, each with its key", async () => {
  const { alice, bob, robot, olga } = world;
  const { body: made } = await alice.post("/bots", outgoing);
  const { body } = await alice.get("/bots");
  expect(body.bots).toEqual([
    expect.objectContaining({
      username: robot.email,
      full_name: "Robot",
      api_key: robot.credentials?.apiKey,
    }),
    {
      username: "cook-bot@chat.example.com",
      full_name: "Cook",
      api_key: made.api_key,
      avatar_url: expect.any(String),
      default_sending_stream: null,
      default_events_register_stream: null,
      default_all_public_streams: false,
    },
  ]);
  expect((await bob.get("/bots")).body.bots).toEqual([]);
  expect((await olga.get("/bots")).body.bots).toEqual([]);
  await alice.delete(`/bots/${made.user_id}`);
  expect((await alice.get("/bots")).body.bots).toHaveLength(1);
  const { body: again } = await alice.post(`/bots/${robot.id}/api_key/regenerate`);
  expect((await alice.get("/bots")).body.bots[0].api_key).toBe(again.api_key);
  expect((await (await newPerson(world, 600)).get("/bots")).status).toBe(400);
});
