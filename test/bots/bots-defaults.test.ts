import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { codeOf } from "../support/answers";
import { staticPng } from "../support/pictures";
import { makeWorld, type World } from "../support/world";

/** Robot is a bot of alice's; it is in no channel. */
let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

const set = async (change: Record<string, unknown>) => {
  const { status } = await world.alice.patch(`/bots/${world.robot.id}`, change);
  expect(status).toBe(200);
};

describe("A bot that does not say it", () => {
  test("sends to its default channel, as far as it may write there", async () => {
    const { alice, robot } = world;
    const message = { type: "channel", topic: "lunch", content: "soup!" };
    expect(codeOf(await robot.post("/messages", message))).toBe("400 BAD_REQUEST");
    await set({ default_sending_stream: "general" });
    const { status, body } = await robot.post("/messages", message);
    expect(status).toBe(200);
    const { body: read } = await alice.get(`/messages/${body.id}`);
    expect(read.message).toMatchObject({
      display_recipient: "general",
      subject: "lunch",
      sender_id: robot.id,
    });
    await set({ default_sending_stream: "plans" });
    expect((await robot.post("/messages", message)).status).toBe(400);
    expect(codeOf(await alice.post("/messages", message))).toBe("400 BAD_REQUEST");
  });

  test("hears all public channels, where it is set so, and else those that it is in", async () => {
    const { alice, robot } = world;
    const heard = async (options = {}) => {
      const queue = await robot.register({ event_types: ["message"], ...options });
      await alice.say("general", "lunch", "soup?");
      return (await queue.events()).length;
    };
    expect(await heard()).toBe(0);
    await set({ default_all_public_streams: true });
    expect([await heard(), await heard({ all_public_streams: false })]).toEqual([1, 0]);
  });

  test("hears its default channel alone, where one is set", async () => {
    const { alice, robot } = world;
    await alice.post("/users/me/subscriptions", {
      subscriptions: [{ name: "kitchen" }],
      principals: [alice.id],
    });
    await set({ default_all_public_streams: true, default_events_register_stream: "kitchen" });
    const heard = async (options = {}) => {
      const queue = await robot.register({ event_types: ["message"], ...options });
      await alice.say("general", "lunch", "soup?");
      await alice.say("kitchen", "lunch", "soup!");
      return (await queue.events()).map(({ message }) => message.display_recipient);
    };
    expect(await heard()).toEqual(["kitchen"]);
    expect(await heard({ narrow: [] })).toEqual(["kitchen"]);
    expect(await heard({ narrow: [["channel", "general"]] })).toEqual(["general"]);
  });

  test("hears nothing of a private channel that it is not in", async () => {
    const { alice, robot } = world;
    await set({ default_events_register_stream: "plans", default_all_public_streams: true });
    const queue = await robot.register({ event_types: ["message"] });
    await alice.say("plans", "lunch", "soup?");
    expect(await queue.events()).toEqual([]);
  });
});

describe("A bot's picture", () => {
  const form = (
    fields: Record<string, string>,
    file: Uint8Array<ArrayBuffer> | string = staticPng,
  ) => {
    const made = new FormData();
    for (const [name, value] of Object.entries(fields)) made.append(name, value);
    made.append("file", new Blob([file]), "cook.png");
    return made;
  };

  test("comes with the form that makes the bot, or changes it", async () => {
    const { alice, robot } = world;
    const body = form({ full_name: "Cook", short_name: "cook" });
    const { status, body: made } = await alice.ask("POST", "/bots", {}, { body });
    expect(status).toBe(200);
    expect(made.avatar_url).toMatch(/^\/user_avatars\//);
    expect((await alice.open(made.avatar_url)).status).toBe(200);
    expect((await alice.get(`/users/${made.user_id}`)).body.user.avatar_url).toBe(made.avatar_url);
    const changed = await alice.ask(
      "PATCH",
      `/bots/${robot.id}`,
      {},
      { body: form({ full_name: "Chef" }) },
    );
    expect(changed.body).toMatchObject({
      full_name: "Chef",
      avatar_url: expect.stringMatching(/^\/user_avatars\//),
    });
  });

  test("is refused with the bot where it is none, and to who may not change it", async () => {
    const { alice, bob, robot } = world;
    const bad = form({ full_name: "Cook", short_name: "cook" }, "soup");
    expect(codeOf(await alice.ask("POST", "/bots", {}, { body: bad }))).toBe("400 BAD_IMAGE");
    expect((await alice.get("/bots")).body.bots).toHaveLength(1);
    expect(codeOf(await bob.ask("PATCH", `/bots/${robot.id}`, {}, { body: form({}) }))).toBe(
      "400 BAD_REQUEST",
    );
  });
});
