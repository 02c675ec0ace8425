import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { deleteTopic } from "../../src/messages/topics/service";
import type { WireEvent } from "../support/client";
import { verify, verifyInTurn } from "../support/client-state/verify";
import { hear, listen, refusal } from "../support/listening";
import { makeWorld, type Person, type World } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

const topicsOnly = { event_types: ["user_topic"] };
const oldClient = { client_capabilities: { notification_settings_null: true } };

const want = (person: Person, topic: string, policy: unknown, channelId = world.channels.general) =>
  person.post("/user_topics", { stream_id: channelId, topic, visibility_policy: policy });

const mute = (person: Person, parameters: object) =>
  person.patch("/users/me/subscriptions/muted_topics", { topic: "t", ...parameters });

const wantedBy = async (person: Person, parameters = {}) =>
  (await person.register({ fetch_event_types: ["user_topic"], ...parameters })).state.user_topics;

const inShort = ({ stream_id, topic_name, visibility_policy }: WireEvent) =>
  `${stream_id} ${topic_name} ${visibility_policy}`;

const choose = async (person: Person, settings: object) => {
  expect((await person.patch("/settings", { ...settings })).status).toBe(200);
};

const send = async (person: Person, topic: string, to = "general") => {
  const { status, body } = await person.post("/messages", {
    type: "channel",
    to,
    topic,
    content: "x",
  });
  expect(status).toBe(200);
  return body.automatic_new_visibility_policy;
};

describe("What somebody wants of a topic", () => {
  test("is kept and told to their own clients, and to nobody else", async () => {
    const { alice, bob, zoe, channels, clock } = world;
    const queues = await listen({ alice, bob, zoe }, topicsOnly);
    for (const policy of [1, 2, 3]) {
      expect((await want(alice, "lunch", policy)).body).toEqual({ result: "success", msg: "" });
      const row = { stream_id: channels.general, topic_name: "lunch", last_updated: clock.now() };
      expect(await wantedBy(alice)).toEqual([{ ...row, visibility_policy: policy }]);
      expect(await hear(queues, ({ id: _, ...event }) => event)).toEqual({
        alice: [{ type: "user_topic", ...row, visibility_policy: policy }],
        bob: [],
        zoe: [],
      });
      await want(alice, "lunch", policy);
      expect(await hear(queues, inShort)).toEqual({ alice: [], bob: [], zoe: [] });
    }
    await want(alice, "LUNCH", 0);
    expect(await hear(queues, inShort)).toEqual({
      alice: [`${channels.general} LUNCH 0`],
      bob: [],
      zoe: [],
    });
    await want(alice, "LUNCH", 0);
    expect([await wantedBy(alice), await wantedBy(bob)]).toEqual([[], []]);
    expect(await hear(queues, inShort)).toMatchObject({ alice: [] });
  });

  test("is told of the empty topic by a name to clients that do not know it", async () => {
    const { alice, channels } = world;
    const [modern, old] = [
      await alice.register(topicsOnly),
      await alice.register({ ...topicsOnly, ...oldClient }),
    ];
    for (const [topic, policy] of [
      ["", 1],
      ["general chat", 2],
      ["  ", 3],
    ] as const)
      await want(alice, topic, policy);
    expect((await modern.events()).map(inShort)).toEqual(
      [1, 2, 3].map((policy) => `${channels.general}  ${policy}`),
    );
    expect((await old.events()).map(inShort)[0]).toBe(`${channels.general} general chat 1`);
    expect((await wantedBy(alice))[0].topic_name).toBe("");
    expect((await wantedBy(alice, oldClient))[0].topic_name).toBe("general chat");
  });

  test("is one of four things, of a topic that can be", async () => {
    const { alice } = world;
    const queue = await alice.register(topicsOnly);
    for (const policy of [9, -1, 1.5, "x", null]) {
      expect(refusal(await want(alice, "t", policy))).toBe("400 BAD_REQUEST");
    }
    expect(refusal(await want(alice, "x".repeat(61), 1))).toBe("400 BAD_REQUEST");
    expect((await want(alice, "😀".repeat(60), 1)).status).toBe(200);
    for (const parameters of [
      { topic: "t", visibility_policy: 1 },
      { stream_id: 1, visibility_policy: 1 },
    ]) {
      expect(refusal(await alice.post("/user_topics", parameters))).toBe(
        "400 REQUEST_VARIABLE_MISSING",
      );
    }
    expect(await queue.events()).toHaveLength(1);
  });

  test("A17: in a channel that they may not read it is refused like in one that is not there", async () => {
    const { alice, bob, carol, olga, greta, zoe, channels } = world;
    const cases: [Person, number][] = [
      [carol, channels.secret],
      [olga, channels.plans],
      [greta, channels.general],
      [zoe, channels.general],
    ];
    for (const policy of [0, 1, 3]) {
      const missing = await want(carol, "t", policy, 99_999_999);
      expect(refusal(missing)).toBe("400 BAD_REQUEST");
      for (const [person, id] of cases) {
        const { body } = await want(person, "t", policy, id);
        expect(body).toEqual({
          ...missing.body,
          msg: missing.body.msg.replace("99999999", `${id}`),
        });
      }
    }
    await want(bob, "t", 3, channels.secret);
    await bob.delete("/users/me/subscriptions", { subscriptions: ["secret"] });
    expect(refusal(await want(bob, "t", 1, channels.secret))).toBe("400 BAD_REQUEST");
    expect((await want(bob, "t", 0, channels.secret)).status).toBe(200);
    expect([await wantedBy(bob), await wantedBy(alice)]).toEqual([[], []]);
  });

  test("changes with its events for everybody alike", async () => {
    const { alice, bob, channels } = world;
    const verifyNext = verifyInTurn(world);
    const counts = await verifyNext(async () => {
      await want(alice, "lunch", 1);
      await want(alice, "", 3);
      await want(bob, "plot", 2, channels.secret);
    });
    expect(counts).toMatchObject({ alice: 2, bob: 1, carol: 0 });
    await verifyNext(async () => {
      await want(alice, "Lunch", 3);
      await want(alice, "general chat", 0);
    });
  });
});

describe("Clients that only know muted topics", () => {
  test("mute by the channel's id or name, and take back nothing but that", async () => {
    const { alice, channels } = world;
    const queue = await alice.register(topicsOnly);
    const { general } = channels;
    await mute(alice, { stream_id: general, op: "add" });
    await mute(alice, { stream_id: general, op: "add" });
    await mute(alice, { stream: "General", op: "remove" });
    await mute(alice, { stream: "general", op: "remove" });
    await want(alice, "t", 3);
    await mute(alice, { stream_id: general, op: "remove" });
    expect((await queue.events()).map(inShort)).toEqual([
      `${general} t 1`,
      `${general} t 0`,
      `${general} t 3`,
    ]);
    for (const parameters of [
      { op: "add" },
      { stream_id: general, op: "bogus" },
      { stream_id: 99_999_999, op: "add" },
      { stream_id: general, stream: "general", op: "add" },
      { stream_id: general, stream: "general", op: "remove" },
      { stream_id: general, stream: "", op: "add" },
    ]) {
      expect(refusal(await mute(alice, parameters))).toBe("400 BAD_REQUEST");
    }
    expect(refusal(await mute(alice, { stream: "plot", op: "remove" }))).toBe("400 BAD_REQUEST");
    const twice = await mute(alice, { stream_id: general, stream: "general", op: "add" });
    expect(twice.body.parameters).toBe("stream_id, stream");
    expect([await queue.events(), (await wantedBy(alice)).map(inShort)]).toEqual([
      [],
      [`${general} t 3`],
    ]);
  });

  test("get all of them at register and with each change, unless they know more", async () => {
    const { alice, bob, clock } = world;
    const types = ["muted_topics"];
    await want(alice, "", 1);
    await want(alice, "followed", 3);
    const queues = {
      old: await alice.register({ event_types: types, ...oldClient }),
      both: await alice.register({ event_types: [...types, "user_topic"] }),
      all: await alice.register(),
      bob: await bob.register({ event_types: types }),
    };
    expect(queues.old.state.muted_topics).toEqual([["general", "general chat", clock.now()]]);
    expect(queues.both.state).not.toHaveProperty("muted_topics");
    await want(alice, "lunch", 1);
    await want(alice, "followed", 2);
    await want(alice, "", 0);
    const muted = ["general", "lunch", clock.now()];
    const heard = await hear(queues, (event) =>
      event.type === "muted_topics" ? event.muted_topics : event.type,
    );
    expect(heard).toEqual({
      old: [[muted]],
      both: ["user_topic", "user_topic", "user_topic"],
      all: ["user_topic", "user_topic", "user_topic"],
      bob: [],
    });
  });

  test("cost the log a few bytes for each change, and get their topics once after they were away", async () => {
    const { alice, app, clock } = world;
    const queue = await alice.register({ event_types: ["muted_topics"], ...oldClient });
    for (const topic of ["", "lunch", "x".repeat(60)]) await want(alice, topic, 1);
    const at = clock.now();
    const rows = ["general chat", "lunch", "x".repeat(60)].map((topic) => ["general", topic, at]);
    expect((await queue.events()).map(({ muted_topics }) => muted_topics)).toEqual([rows]);
    const { db, t } = app.engine.reader;
    const logged = await db
      .select({ body: t.eventLog.body })
      .from(t.eventLog)
      .where(eq(t.eventLog.type, "muted_topics"));
    expect(logged.map(({ body }) => body.length < 100)).toEqual([true, true, true]);
  });
});

describe("Who does something in a topic", () => {
  test("follows it when they began it, as is everybody's setting at first", async () => {
    const { alice, bob, robot, channels } = world;
    const queues = await listen({ alice, bob }, topicsOnly);
    expect([
      await send(alice, "lunch"),
      await send(alice, "Lunch"),
      await send(bob, "lunch"),
    ]).toEqual([3, undefined, undefined]);
    expect(await hear(queues, inShort)).toEqual({
      alice: [`${channels.general} lunch 3`],
      bob: [],
    });
    await want(alice, "lunch", 0);
    expect(await send(alice, "lunch")).toBeUndefined();
    expect(await send(robot, "beep")).toBeUndefined();
    expect((await alice.tell([bob], "x")) > 0).toBe(true);
    expect(await wantedBy(alice)).toEqual([]);
  });

  test("does not begin one that they wanted something of before, but may in a channel that they are not in", async () => {
    const { alice, otto } = world;
    await want(alice, "lunch", 1);
    expect(await send(alice, "lunch")).toBeUndefined();
    expect((await wantedBy(alice))[0].visibility_policy).toBe(1);
    expect(await send(otto, "otto's")).toBe(3);
    expect(await wantedBy(otto)).toMatchObject([{ topic_name: "otto's", visibility_policy: 3 }]);
  });

  test.each([
    [1, [3, 3, 3]],
    [2, [3, 3, undefined]],
    [3, [3, undefined, undefined]],
    [4, [undefined, undefined, undefined]],
  ])("follows it by setting %i", async (setting, [begun, sent, reacted]) => {
    const { alice, bob } = world;
    await choose(alice, { automatically_follow_topics_policy: setting });
    expect(await send(alice, "begun")).toBe(begun);
    await bob.say("general", "sent", "x");
    expect(await send(alice, "sent")).toBe(sent);
    const id = await bob.say("general", "reacted", "x");
    const queue = await alice.register(topicsOnly);
    await alice.post(`/messages/${id}/reactions`, { emoji_name: "wave" });
    await alice.post(`/messages/${id}/reactions`, { emoji_name: "tada" });
    const policies = (await queue.events()).map(({ visibility_policy }) => visibility_policy);
    expect(policies).toEqual(reacted === undefined ? [] : [reacted]);
  });

  test.each([
    [1, [2, 2, 2]],
    [2, [2, 2, undefined]],
    [3, [2, undefined, undefined]],
    [4, [undefined, undefined, undefined]],
  ])("unmutes it in a muted channel by setting %i", async (setting, [begun, sent, reacted]) => {
    const { alice, bob, channels } = world;
    await choose(alice, {
      automatically_follow_topics_policy: 4,
      automatically_unmute_topics_in_muted_streams_policy: setting,
    });
    expect(await send(alice, "heard")).toBeUndefined();
    await alice.post("/users/me/subscriptions/properties", {
      subscription_data: [{ stream_id: channels.general, property: "is_muted", value: true }],
    });
    expect([await send(alice, "begun"), await send(alice, "begun")]).toEqual([begun, undefined]);
    await bob.say("general", "sent", "x");
    expect(await send(alice, "sent")).toBe(sent);
    const id = await bob.say("general", "reacted", "x");
    await alice.post(`/messages/${id}/reactions`, { emoji_name: "wave" });
    const wanted = (await wantedBy(alice)).filter(
      ({ topic_name }: WireEvent) => topic_name === "reacted",
    );
    expect(wanted.map(({ visibility_policy }: WireEvent) => visibility_policy)).toEqual(
      reacted === undefined ? [] : [reacted],
    );
  });

  test("never wants less of it for that: what is followed stays so", async () => {
    const { alice, channels } = world;
    await choose(alice, { automatically_unmute_topics_in_muted_streams_policy: 1 });
    await want(alice, "lunch", 3);
    await alice.post("/users/me/subscriptions/properties", {
      subscription_data: [{ stream_id: channels.general, property: "is_muted", value: true }],
    });
    const id = await alice.say("general", "lunch", "x");
    await alice.post(`/messages/${id}/reactions`, { emoji_name: "wave" });
    expect((await wantedBy(alice))[0].visibility_policy).toBe(3);
  });

  test("A16: learns not from that whether a protected topic was there before them", async () => {
    const { alice, bob, carol } = world;
    await bob.say("secret", "plot", "x");
    await alice.post("/users/me/subscriptions", {
      subscriptions: [{ name: "secret" }],
      principals: [carol.id],
    });
    expect([await send(carol, "plot", "secret"), await send(carol, "new", "secret")]).toEqual([
      3, 3,
    ]);
    expect(await send(alice, "new", "secret")).toBeUndefined();
  });

  test("A2: do not learn the present name of a channel that they may not know any more", async () => {
    const { bob, olga, channels } = world;
    await want(bob, "plot", 1, channels.secret);
    await want(bob, "lunch", 1);
    await bob.delete("/users/me/subscriptions", { subscriptions: ["secret"] });
    await olga.patch(`/streams/${channels.secret}`, { new_name: "takeover" });
    const options = { event_types: ["muted_topics"] };
    const queue = await bob.register(options);
    const namesIn = (muted: unknown[][]) => muted.map(([name]) => name);
    expect(namesIn(queue.state.muted_topics)).toEqual(["general"]);
    await want(bob, "dinner", 1);
    const [event] = await queue.events();
    expect(namesIn(event?.muted_topics)).toEqual(["general", "general"]);
  });

  test("changes the state with its events", async () => {
    const { alice, bob } = world;
    await choose(bob, { automatically_follow_topics_policy: 1 });
    await verify(world, async () => {
      const id = await alice.say("general", "lunch", "x");
      await bob.post(`/messages/${id}/reactions`, { emoji_name: "wave" });
    });
  });
});

test("When a topic is deleted, who wanted something of it hears that too, and nobody else", async () => {
  const { alice, bob, carol, olga, channels } = world;
  await alice.say("general", "Lunch", "x");
  await want(bob, "lunch", 1);
  await want(carol, "other", 1);
  const queues = await listen({ alice, bob, carol }, topicsOnly);
  const old = await bob.register({ event_types: ["muted_topics"] });
  const { body } = await olga.post(`/streams/${channels.general}/delete_topic`, {
    topic_name: "lunch",
  });
  expect(body.complete).toBe(true);
  const gone = `${channels.general} lunch 0`;
  expect(await hear(queues, inShort)).toEqual({ alice: [gone], bob: [gone], carol: [] });
  expect((await old.events()).map(({ muted_topics }) => muted_topics)).toEqual([[]]);
  expect([await wantedBy(alice), await wantedBy(bob)]).toEqual([[], []]);
  expect(await send(alice, "lunch")).toBe(3);
});

test("A2, A6: who may read nothing of a topic hears neither its new name nor that it is gone", async () => {
  const { alice, bob, carol, olga, channels } = world;
  const [id] = [await alice.say("secret", "layoffs", "x"), await alice.say("secret", "plans", "x")];
  for (const topic of ["layoffs", "plans", "later"]) await want(bob, topic, 3, channels.secret);
  await bob.delete("/users/me/subscriptions", { subscriptions: ["secret"] });
  const principals = [carol.id, olga.id];
  await alice.post("/users/me/subscriptions", { subscriptions: [{ name: "secret" }], principals });
  await alice.say("secret", "later", "x");
  for (const topic of ["layoffs", "plans", "later"]) await want(carol, topic, 1, channels.secret);
  await want(alice, "layoffs", 3, channels.secret);
  const [hers, theirs, his] = [
    await alice.register(topicsOnly),
    await carol.register(topicsOnly),
    await bob.register(topicsOnly),
  ];
  const silent = {
    propagate_mode: "change_all",
    send_notification_to_new_thread: false,
    send_notification_to_old_thread: false,
  };
  const rename = (topic: string) => alice.patch(`/messages/${id}`, { ...silent, topic });
  expect((await rename("in May")).status).toBe(200);
  expect((await hers.events()).map(inShort)).toEqual([
    `${channels.secret} layoffs 0`,
    `${channels.secret} in May 3`,
  ]);
  expect((await rename("later")).status).toBe(200);
  expect([await theirs.events(), await his.events()]).toEqual([[], []]);
  for (const topic of ["plans", "later"])
    await deleteTopic(world.operator, { streamId: channels.secret, topicName: topic });
  expect((await theirs.events()).map(inShort)).toEqual([`${channels.secret} later 0`]);
  expect(await his.events()).toEqual([]);
});

test("who may read the newest messages of a long topic hears that it is gone", async () => {
  const { alice, carol, channels } = world;
  for (let index = 0; index < 3; index += 1) await alice.say("secret", "old", `${index}`);
  await alice.post("/users/me/subscriptions", {
    subscriptions: [{ name: "secret" }],
    principals: [carol.id],
  });
  for (let index = 0; index < 99; index += 1) await alice.say("secret", "old", `${index}`);
  await want(carol, "old", 3, channels.secret);
  const queue = await carol.register(topicsOnly);
  await deleteTopic(world.operator, { streamId: channels.secret, topicName: "old" });
  expect((await queue.events()).map(inShort)).toEqual([`${channels.secret} old 0`]);
});
