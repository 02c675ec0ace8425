import { beforeAll, describe, expect, test } from "bun:test";
import { botKinds } from "../../src/people/bots/kinds";
import { newBot } from "../support/api/calls/things";
import { verify } from "../support/client-state/verify";
import { readersOf, upload } from "../support/files";
import {
  inTopic,
  loopbackAllowed,
  newest,
  newHook,
  type Receiver,
  startReceiver,
} from "../support/servers/receiver";
import { worldPerTest } from "../support/shared-world";
import { makeWorld, type World } from "../support/world";

let world: World;
let receiver: Receiver;
const oneWorldForGroup = worldPerTest(
  async () => {
    world = await makeWorld(loopbackAllowed);
    receiver = startReceiver();
  },
  async () => {
    await world.close();
    await receiver.close();
  },
);

const settled = () => world.app.jobs.settled();

describe("an outgoing webhook", () => {
  test("gets a message that mentions it, and what it answers is said in that topic", async () => {
    const { alice, bob } = world;
    const cook = await newHook(world, receiver.url);
    receiver.answer(() => ({ content: "it is **soup**" }));
    const queue = await bob.register();
    const id = await bob.say("general", "lunch", "@**Cook** what is there? *hungry*");
    await settled();
    const [post, ...others] = receiver.received;
    expect(others).toEqual([]);
    expect(post?.path).toBe("/x");
    const { services } = (await alice.register()).state.realm_bots.find(
      (bot: { user_id: number }) => bot.user_id === cook.id,
    );
    expect(post?.json).toEqual({
      bot_email: cook.email,
      bot_full_name: "Cook",
      trigger: "mention",
      token: services[0].token,
      data: "@**Cook** what is there? *hungry*",
      message: {
        id,
        type: "stream",
        stream_id: world.channels.general,
        subject: "lunch",
        display_recipient: "general",
        sender_id: bob.id,
        sender_email: bob.email,
        sender_full_name: bob.fullName,
        sender_realm_str: world.realm.host,
        recipient_id: expect.any(Number),
        timestamp: world.clock.now(),
        content: "@**Cook** what is there? *hungry*",
        rendered_content: `<p><span class="user-mention" data-user-id="${cook.id}">@Cook</span> what is there? <em>hungry</em></p>`,
        content_type: "text/x-markdown",
        client: expect.any(String),
        avatar_url: expect.any(String),
        is_me_message: false,
        reactions: [],
        submessages: [],
        topic_links: [],
      },
    });
    expect(await newest(bob, 1, inTopic("lunch"))).toEqual([
      [cook.id, "<p>it is <strong>soup</strong></p>"],
    ]);
    const messages = (await queue.events()).filter(({ type }) => type === "message");
    expect(messages.map(({ message }) => message.sender_id)).toEqual([bob.id, cook.id]);
    expect(await world.app.jobs.list()).toEqual([]);
  });

  test("A12: opens files of its own with an answer, and no others, although it may read them", async () => {
    const { alice, bob, greta } = world;
    const cook = await newBot(world, botKinds.outgoingWebhook);
    await alice.patch(`/bots/${cook.id}`, { service_payload_url: JSON.stringify(receiver.url) });
    const url = await upload(alice);
    await alice.say("general", "files", `[note](${url})`);
    const own = await upload(cook, "menu.txt");
    receiver.answer(() => ({ content: `[note](${url}) [menu](${own})` }));
    await greta.tell([cook], "what is there?");
    await settled();
    expect(await readersOf(url, bob, greta)).toEqual(["Bob"]);
    expect(await readersOf(own, bob, greta)).toEqual(["Greta"]);
    await bob.tell([cook], "what is there?");
    await settled();
    expect(await readersOf(own, bob, greta)).toEqual(["Greta"]);
  });

  test("answers as the events say, for everybody", async () => {
    const { bob } = world;
    await newHook(world, receiver.url);
    receiver.answer(() => ({ content: "@**Bob** soup" }));
    await verify(world, async () => {
      await bob.say("general", "lunch", "@**Cook**");
      await settled();
    });
  });

  test("gets direct messages, also of groups, and answers all who are in them", async () => {
    const { bob, carol } = world;
    const cook = await newHook(world, receiver.url);
    receiver.answer(({ json }) => ({ response_string: `you said ${json.data}` }));
    await bob.post("/messages", { type: "direct", to: [cook.id, carol.id], content: "hello" });
    await bob.post("/messages", { type: "direct", to: [cook.id], content: "only you" });
    await settled();
    expect(
      receiver.received.map(({ json }) => [json.trigger, json.message.type, json.message.subject]),
    ).toEqual(Array(2).fill(["direct_message", "private", ""]));
    const [first] = receiver.received;
    expect(first?.json.message.display_recipient.map(({ id }: { id: number }) => id)).toEqual(
      [bob.id, carol.id, cook.id].sort((one, other) => one - other),
    );
    expect(await newest(carol, 1)).toEqual([[cook.id, "<p>you said hello</p>"]]);
    expect(await newest(bob, 1)).toEqual([[cook.id, "<p>you said only you</p>"]]);
  });

  test("hears nothing of other messages, of silent mentions, of wildcards, and of what bots say", async () => {
    const { alice, bob, channels } = world;
    const cook = await newHook(world, receiver.url);
    const waiter = await newHook(world, receiver.url, { name: "Waiter" });
    await bob.say("general", "lunch", "soup?");
    await bob.say("general", "lunch", "@_**Cook** said so");
    await bob.say("general", "lunch", "@**all** come");
    await bob.tell([alice], "@**Cook** knows");
    const { api_key } = (await alice.get(`/bots/${cook.id}/api_key`)).body;
    const headers = { authorization: `Basic ${btoa(`${cook.email}:${api_key}`)}` };
    const messages: Record<string, string>[] = [
      {
        type: "channel",
        to: String(channels.general),
        topic: "lunch",
        content: "@**Waiter** take it",
      },
      { type: "direct", to: JSON.stringify([waiter.id]), content: "take it" },
    ];
    for (const message of messages) {
      const body = new URLSearchParams(message);
      expect((await world.anonymous.ask("POST", "/messages", {}, { headers, body })).status).toBe(
        200,
      );
    }
    await settled();
    expect(receiver.received).toEqual([]);
  });

  test("hears of a public channel that it is not in, and not of a private one", async () => {
    const { alice, bob } = world;
    const cook = await newHook(world, receiver.url);
    await alice.delete("/users/me/subscriptions", {
      subscriptions: ["general"],
      principals: [cook.id],
    });
    await bob.say("secret", "lunch", "@**Cook** are you there?");
    await bob.say("general", "lunch", "@**Cook** are you here?");
    await settled();
    expect(receiver.received.map(({ json }) => json.data)).toEqual(["@**Cook** are you here?"]);
  });

  test("makes a poll of an answer that is one", async () => {
    const { bob } = world;
    const cook = await newHook(world, receiver.url);
    receiver.answer(() => ({ content: "/poll Lunch?\nsoup\nsalad" }));
    await bob.say("general", "lunch", "@**Cook**");
    await settled();
    const { body } = await bob.get("/messages", { anchor: "newest", num_before: 1, num_after: 0 });
    expect(body.messages[0].submessages).toMatchObject([
      { msg_type: "widget", sender_id: cook.id },
    ]);
  });

  test("is said without NUL characters, which no message has", async () => {
    const { alice, bob } = world;
    const cook = await newHook(world, receiver.url);
    receiver.answer(() => ({ content: "soup\0 is ready" }));
    await bob.say("general", "lunch", "@**Cook**");
    await settled();
    expect(await newest(bob, 1, inTopic("lunch"))).toEqual([[cook.id, "<p>soup is ready</p>"]]);
    expect(await newest(alice, 1, [{ operator: "is", operand: "dm" }])).toEqual([]);
    expect(await world.app.jobs.list()).toEqual([]);
  });

  test("is said with a sign in place of half a character, which no client could show", async () => {
    const { bob } = world;
    const cook = await newHook(world, receiver.url);
    receiver.answer(() => '{"content": "soup \\ud83d is ready"}');
    await bob.say("general", "lunch", "@**Cook**");
    await settled();
    const said = "<p>soup \ufffd is ready</p>";
    expect(await newest(bob, 1, inTopic("lunch"))).toEqual([[cook.id, said]]);
  });

  test("of Slack's form gets a form, and its text is said", async () => {
    const { bob, channels } = world;
    const cook = await newHook(world, receiver.url, { interfaceType: 2 });
    receiver.answer(() => ({ text: "soup" }));
    await bob.say("general", "lunch", "@**Cook** what & why?");
    await settled();
    const [post] = receiver.received;
    expect(post?.headers.get("content-type")).toBe("application/x-www-form-urlencoded");
    expect(Object.fromEntries(new URLSearchParams(post?.text))).toEqual({
      token: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
      team_id: `T${world.realm.id}`,
      team_domain: world.realm.host,
      channel_id: `C${channels.general}`,
      channel_name: "general",
      user_id: `U${bob.id}`,
      user_name: bob.fullName,
      thread_ts: String(world.clock.now()),
      timestamp: String(world.clock.now()),
      text: "@**Cook** what & why?",
      trigger_word: "mention",
      service_id: String(cook.id),
    });
    expect(await newest(bob, 1)).toEqual([[cook.id, "<p>soup</p>"]]);
    await bob.post("/messages", { type: "direct", to: [cook.id], content: "hello" });
    await settled();
    expect(receiver.received).toHaveLength(1);
    expect(await newest(bob, 1)).toEqual([[cook.id, "<p>Failure! The bot is unavailable.</p>"]]);
  });
});

describe("an outgoing webhook", () => {
  oneWorldForGroup();
  beforeAll(() => newHook(world, receiver.url));

  test.each([
    ['""', "as receivers say that they have nothing to say"],
    ["", "nothing at all"],
    ["{}", "an object without a text"],
    ['{"response_not_required": true, "content": "no"}', "that no answer is needed"],
    ['{"content": "  "}', "an empty text"],
  ])("says nothing where the answer is %s: %s", async (answer) => {
    const { bob } = world;
    receiver.received.splice(0);
    receiver.answer(() => answer);
    await bob.say("general", "lunch", "@**Cook**");
    await settled();
    expect(receiver.received).toHaveLength(1);
    expect(await newest(bob, 1)).toMatchObject([[bob.id, expect.any(String)]]);
  });
});

describe("E2: what a bot says", () => {
  test("goes only to where it was addressed, whatever the answer says", async () => {
    const { alice, bob } = world;
    const cook = await newHook(world, receiver.url);
    const elsewhere = {
      type: "stream",
      to: "secret",
      topic: "gossip",
      stream: "secret",
      channel: "secret",
      channel_id: 1,
    };
    receiver.answer(() => ({
      content: "here",
      display_recipient: "secret",
      subject: "gossip",
      ...elsewhere,
    }));
    await bob.say("general", "lunch", "@**Cook**");
    await settled();
    expect(await newest(bob, 1)).toEqual([[cook.id, "<p>here</p>"]]);
    expect(await newest(bob, 1, inTopic("lunch"))).toEqual([[cook.id, "<p>here</p>"]]);
    expect(await newest(alice, 9, [{ operator: "channel", operand: "secret" }])).toEqual([]);
  });

  test("is not said where the bot may not write: its owner is told", async () => {
    const { alice, bob, olga, channels } = world;
    const cook = await newHook(world, receiver.url);
    receiver.answer(async () => {
      const { status } = await olga.patch(`/streams/${channels.general}`, {
        can_send_message_group: { new: { direct_members: [bob.id], direct_subgroups: [] } },
      });
      return Response.json({ content: `not here ${status}` });
    });
    await bob.say("general", "lunch", "@**Cook**");
    await settled();
    expect((await newest(bob, 1, inTopic("lunch")))[0]?.[0]).toBe(bob.id);
    const [[, told] = [0, ""]] = await newest(alice, 1);
    expect(told).toContain("its answer was refused.");
    expect(told).toContain(`data-user-id="${cook.id}">Cook</span>`);
  });
});

describe("between the message and its delivery", () => {
  /** The receiver is held up with one message, so that the next one waits. */
  async function held(run: (cook: { id: number; name: string }) => Promise<void>) {
    const cook = await newHook(world, receiver.url);
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
    const { promise: released, resolve: release } = Promise.withResolvers<Response>();
    receiver.answer(() => {
      arrive();
      return released;
    });
    await world.bob.say("secret", "x", "to be private");
    await world.bob.say("general", "lunch", "@**Cook** first");
    await arrived;
    await run(cook);
    release(new Response(""));
    await settled();
    return receiver.received.map(({ json }) => json.data);
  }

  const second = "@**Cook** second";

  test("a bot that is deactivated gets nothing any more", async () => {
    const posts = await held(async ({ id }) => {
      await world.bob.say("general", "lunch", second);
      await world.alice.delete(`/bots/${id}`);
    });
    expect(posts).toEqual(["@**Cook** first"]);
  });

  test("a bot whose owner is deactivated gets nothing any more", async () => {
    const posts = await held(async () => {
      await world.bob.say("general", "lunch", second);
      expect((await world.olga.delete(`/users/${world.alice.id}`)).status).toBe(200);
    });
    expect(posts).toEqual(["@**Cook** first"]);
  });

  test("a bot whose address is taken away gets nothing any more", async () => {
    const posts = await held(async ({ id }) => {
      await world.bob.say("general", "lunch", second);
      await world.alice.patch(`/bots/${id}`, { service_payload_url: '""' });
    });
    expect(posts).toEqual(["@**Cook** first"]);
  });

  test("a message that is deleted is not delivered, one that is edited as it is", async () => {
    const posts = await held(async () => {
      const id = await world.bob.say("general", "lunch", second);
      const other = await world.bob.say("general", "lunch", "@**Cook** third");
      expect((await world.olga.delete(`/messages/${id}`)).status).toBe(200);
      expect(
        (await world.bob.patch(`/messages/${other}`, { content: "@**Cook** edited" })).status,
      ).toBe(200);
    });
    expect(posts).toEqual(["@**Cook** first", "@**Cook** edited"]);
  });

  test("a message that is moved to where the bot may not read is not delivered", async () => {
    const posts = await held(async () => {
      const id = await world.bob.say("general", "lunch", second);
      const moved = await world.alice.patch(`/messages/${id}`, {
        stream_id: world.channels.secret,
        propagate_mode: "change_one",
      });
      expect([moved.status, moved.body.msg]).toEqual([200, ""]);
    });
    expect(posts).toEqual(["@**Cook** first"]);
  });
});
