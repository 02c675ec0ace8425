import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { roles } from "../../src/core/rights/role";
import { makeSecrets } from "../../src/core/secrets/secrets";
import { updateUserRole } from "../../src/management/accounts/update";
import { createBot } from "../support/bots";
import type { Queue } from "../support/client";
import { shapesOf } from "../support/groups";
import { startPoll } from "../support/polls";
import { refusalOf } from "../support/refusal";
import { makeWorld, type World } from "../support/world";

/** Robot is a bot of alice's. */
let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

const keyPath = () => `/bots/${world.robot.id}/api_key`;

const signIn = (email: string, apiKey: string) =>
  world.anonymous.ask(
    "GET",
    "/users/me",
    {},
    { headers: { authorization: `Basic ${Buffer.from(`${email}:${apiKey}`).toString("base64")}` } },
  );

describe("The API key of a bot", () => {
  test("E7: is shown to its owner and to administrators only", async () => {
    const { olga, adam, mona, alice, bob, greta, robot, zoe, anonymous } = world;
    const key = robot.credentials?.apiKey;
    for (const person of [alice, adam, olga]) {
      const { status, body } = await person.get(keyPath());
      expect([status, body]).toEqual([200, { result: "success", msg: "", api_key: key }]);
    }
    for (const person of [mona, bob, greta, robot, zoe]) {
      for (const answer of [
        await person.get(keyPath()),
        await person.post(`${keyPath()}/regenerate`),
      ]) {
        expect([answer.status, answer.body.code]).toEqual([400, "BAD_REQUEST"]);
      }
    }
    expect((await anonymous.get(keyPath())).status).toBe(401);
    expect((await robot.get("/users/me")).status).toBe(200);
  });

  test("E7: is in no event, no list and no register", async () => {
    const { olga, alice } = world;
    const queue = await olga.register();
    const key = (await alice.post(`${keyPath()}/regenerate`)).body.api_key;
    const answers = [
      await queue.events(),
      queue.state,
      (await olga.get("/users")).body,
      (await alice.register()).state,
    ];
    expect(JSON.stringify(answers)).not.toContain(key);
  });

  test("E6: is another one once it is regenerated, and the old one ends with all that was opened with it", async () => {
    const { alice, robot } = world;
    const { answer } = await startPoll(world, await robot.register());
    const { body } = await alice.post(`${keyPath()}/regenerate`);
    expect(body.api_key).toMatch(/^[A-Za-z0-9]{32}$/);
    expect((await answer).body.code).toBe("BAD_EVENT_QUEUE_ID");
    expect((await robot.get("/users/me")).status).toBe(401);
    expect((await signIn(robot.email, body.api_key)).status).toBe(200);
    expect((await alice.get(keyPath())).body.api_key).toBe(body.api_key);
  });

  test("is not there for a bot without one, a person, and a bot that is deactivated", async () => {
    const { adam, alice, bob, operator } = world;
    const echo = await createBot(operator, {
      email: "echo-bot@example.com",
      fullName: "Echo",
      ownerId: alice.id,
    });
    expect((await alice.get(`/bots/${echo.id}/api_key`)).body.msg).toContain("no API key");
    expect((await adam.get(`/bots/${bob.id}/api_key`)).body.msg).toBe("No such bot");
    await adam.delete(`/users/${world.robot.id}`);
    expect((await alice.post(`${keyPath()}/regenerate`)).body.code).toBe("BAD_REQUEST");
    expect((await alice.get(keyPath())).body.code).toBe("BAD_REQUEST");
    await adam.post(`/users/${world.robot.id}/reactivate`);
    expect((await alice.get(keyPath())).body.api_key).toBe(world.robot.credentials?.apiKey);
  });

  test("E1: of a bot with an owner's rights is not for administrators", async () => {
    const { olga, adam, robot, operator } = world;
    await updateUserRole(operator, robot.id, roles.owner);
    expect((await adam.get(keyPath())).body.code).toBe("BAD_REQUEST");
    expect((await adam.post(`${keyPath()}/regenerate`)).body.code).toBe("BAD_REQUEST");
    expect((await olga.get(keyPath())).status).toBe(200);
  });

  test("E5: that is empty or missing signs in nobody, with or without a key of their own", async () => {
    const { operator, alice, robot } = world;
    const echo = await createBot(operator, {
      email: "echo-bot@example.com",
      fullName: "Echo",
      ownerId: alice.id,
    });
    for (const { email } of [echo, alice, robot]) {
      for (const key of ["", " ", "null", "undefined", "0".repeat(32)]) {
        expect((await signIn(email, key)).status).toBe(401);
      }
    }
    const basic = (text: string) => ({
      headers: { authorization: `Basic ${Buffer.from(text).toString("base64")}` },
    });
    for (const text of [echo.email, ":", "", `${echo.email}:`]) {
      expect((await world.anonymous.ask("GET", "/users/me", {}, basic(text))).status).toBe(401);
    }
  });

  test("is stored sealed: it opens for that bot and under that secret only", () => {
    const secrets = makeSecrets("0123456789abcdefghijklmnopqrstuvwxyz");
    const sealed = secrets.seal("bot 1", "the key");
    expect(sealed).not.toContain("the key");
    expect(secrets.seal("bot 1", "the key")).not.toBe(sealed);
    expect(secrets.open("bot 1", sealed)).toBe("the key");
    expect(() => secrets.open("bot 2", sealed)).toThrow();
    expect(() => makeSecrets("another-0123456789abcdefghijklmnop").open("bot 1", sealed)).toThrow();
    expect(() => secrets.open("bot 1", `${sealed.slice(0, -4)}AAAA`)).toThrow();
  });
});

describe("A new bot", () => {
  test("is announced to all as a user, and as a bot to administrators and its owner, once each", async () => {
    const { olga, alice, bob, zoe, operator } = world;
    const queues: Record<string, Queue> = {};
    for (const [name, person] of Object.entries({ olga, alice, bob, zoe }))
      queues[name] = await person.register();
    const bot = await createBot(operator, {
      email: "echo-bot@example.com",
      fullName: "Echo",
      ownerId: alice.id,
    });
    const typesOf = async (name: string) =>
      shapesOf((await queues[name]?.events()) ?? []).map(({ type, op }) => `${type} ${op}`);
    const all = ["realm_user add", "user_group add_members", "user_group add_members"];
    // Last, because it names the bot only by its id: clients must know the user by then.
    expect(await typesOf("olga")).toEqual([...all, "realm_bot add"]);
    expect(await typesOf("alice")).toEqual([...all, "realm_bot add"]);
    expect(await typesOf("bob")).toEqual(all);
    expect(await typesOf("zoe")).toEqual([]);
    const slim = {
      user_id: bot.id,
      default_sending_stream: null,
      default_events_register_stream: null,
      default_all_public_streams: false,
      services: [],
    };
    expect((await alice.register()).state.realm_bots).toContainEqual(slim);
    expect((await olga.register()).state.realm_bots).toContainEqual(slim);
    expect((await bob.register()).state.realm_bots).toEqual([]);
  });

  test("is refused with a name in use, a bot as its owner, and an owner of another organization", async () => {
    const { alice, robot, zoe, operator } = world;
    const bot = { email: "echo-bot@example.com", fullName: "Echo", ownerId: alice.id };
    expect((await refusalOf(createBot(operator, { ...bot, fullName: "Robot" }))).message).toContain(
      "already",
    );
    expect((await refusalOf(createBot(operator, { ...bot, ownerId: robot.id }))).message).toContain(
      "active person",
    );
    expect((await refusalOf(createBot(operator, { ...bot, ownerId: zoe.id }))).message).toContain(
      "No such user",
    );
    expect(
      (await refusalOf(createBot(operator, { ...bot, email: "robot-bot@example.com" }))).message,
    ).toContain("already in use");
  });
});
