import { describe, expect, test } from "bun:test";
import { hear, listen, refusal } from "../support/listening";
import { shareWorld } from "../support/shared-world";
import type { Person, World } from "../support/world";

let world: World;
const ownWorld = shareWorld((given) => {
  world = given;
});

const change = (person: Person, op: "add" | "remove", flag: string, messages: unknown) =>
  person.post("/messages/flags", { messages, op, flag });

const flagsOf = async (person: Person, id: number): Promise<string[]> =>
  (await person.get(`/messages/${id}`)).body.message.flags;

const unreadOf = async (person: Person) =>
  (await person.register({ fetch_event_types: unreadTypes })).state.unread_msgs;

const unreadTypes = ["message", "update_message_flags"];

const flagsOnly = { event_types: ["update_message_flags"] };

describe("Bob marks messages as read", () => {
  test("and his own clients hear of it, nobody else", async () => {
    const { alice, bob } = world;
    const ids = [await alice.say("general", "t", "1"), await alice.say("general", "t", "2")];
    const [first = 0, second = 0] = ids;
    const queues = await listen({ bob, alice }, flagsOnly);
    const { body } = await change(bob, "add", "read", [first]);
    expect(body).toEqual({
      result: "success",
      msg: "",
      messages: [first],
      ignored_because_not_subscribed_channels: [],
    });
    expect([
      await flagsOf(bob, first),
      await flagsOf(bob, second),
      await flagsOf(alice, first),
    ]).toEqual([["read"], [], []]);
    expect(await hear(queues, ({ id: _, ...event }) => event)).toEqual({
      bob: [
        {
          type: "update_message_flags",
          op: "add",
          operation: "add",
          flag: "read",
          messages: [first],
          all: false,
        },
      ],
      alice: [],
    });
  });

  test("and unread again, with what his clients must know to count them", async () => {
    const { alice, bob, carol, channels } = world;
    const inChannel = await alice.say("general", "Lunch", "1");
    const direct = await alice.tell([bob], "2");
    const group = await alice.tell([bob, carol], "3");
    const ids = [inChannel, direct, group];
    await change(bob, "add", "read", ids);
    const queue = await bob.register(flagsOnly);
    expect((await change(bob, "remove", "read", ids)).status).toBe(200);
    expect(await queue.events()).toMatchObject([
      {
        op: "remove",
        operation: "remove",
        flag: "read",
        messages: ids,
        all: false,
        message_details: {
          [inChannel]: { type: "stream", stream_id: channels.general, topic: "Lunch" },
          [direct]: { type: "private", user_ids: [alice.id] },
          [group]: { type: "private", user_ids: [alice.id, carol.id] },
        },
      },
    ]);
    for (const id of ids) expect(await flagsOf(bob, id)).toEqual([]);
  });

  test("one that was sent before he came becomes unread too, where he is subscribed", async () => {
    const { alice, otto, channels } = await ownWorld();
    const id = await alice.say("general", "t", "old");
    const beyond = await change(otto, "remove", "read", [id]);
    expect(beyond.body.ignored_because_not_subscribed_channels).toEqual([channels.general]);
    expect(await flagsOf(otto, id)).toEqual(["read", "historical"]);
    await otto.post("/users/me/subscriptions", { subscriptions: [{ name: "general" }] });
    expect(
      (await change(otto, "remove", "read", [id])).body.ignored_because_not_subscribed_channels,
    ).toEqual([]);
    expect(await flagsOf(otto, id)).toEqual(["historical"]);
    expect((await unreadOf(otto)).streams).toEqual([
      { topic: "t", stream_id: channels.general, unread_message_ids: [id] },
    ]);
    const unread = [["is", "unread"]];
    const all = { anchor: "oldest", num_before: 0, num_after: 100, narrow: unread };
    const shown = (await otto.get("/messages", all)).body.messages;
    expect(shown.map((one: { id: number }) => one.id)).toEqual([id]);
    await otto.post("/messages/flags/narrow", { ...all, op: "add", flag: "read" });
    expect((await unreadOf(otto)).count).toBe(0);
  });

  test("A13: one that he may not read is passed over like one that is not there", async () => {
    const { alice, carol } = world;
    const [hidden, open] = [
      await alice.say("secret", "t", "hidden"),
      await alice.say("general", "t", "open"),
    ];
    const queue = await carol.register(flagsOnly);
    for (const id of [hidden, 99_999_999]) {
      const { status, body } = await change(carol, "add", "read", [id, open]);
      expect([status, body.messages]).toEqual([200, [id, open]]);
    }
    expect((await queue.events()).map(({ messages }) => messages)).toEqual([[open], []]);
    expect(await flagsOf(carol, open)).toEqual(["read"]);
  });

  test("A13: all other flags, and unread again, refuse as a whole where one is not there or may not be read", async () => {
    const { alice, carol } = await ownWorld();
    const [hidden, open] = [
      await alice.say("secret", "t", "hidden"),
      await alice.say("general", "t", "open"),
    ];
    const [starred, read] = [
      await alice.say("general", "t", "starred"),
      await alice.say("general", "t", "read"),
    ];
    await change(carol, "add", "starred", [starred]);
    await change(carol, "add", "collapsed", [starred]);
    await change(carol, "add", "read", [read]);
    const all = [open, starred, read];
    const flags = () => Promise.all(all.map((id) => flagsOf(carol, id)));
    const before = await flags();
    const queue = await carol.register(flagsOnly);
    const asked = [
      ...["starred", "collapsed"].flatMap((flag) => [
        ["add", flag] as const,
        ["remove", flag] as const,
      ]),
      ["remove", "read"] as const,
    ];
    for (const [op, flag] of asked) {
      const [one, other] = [
        await change(carol, op, flag, [...all, hidden]),
        await change(carol, op, flag, [99_999_999, ...all]),
      ];
      expect(refusal(one)).toBe("400 BAD_REQUEST");
      expect(one.body).toEqual(other.body);
    }
    expect(await flags()).toEqual(before);
    expect(await queue.events()).toEqual([]);
    // One message named twice is one message.
    expect((await change(carol, "add", "starred", [open, open])).status).toBe(200);
    await alice.post("/users/me/subscriptions", {
      subscriptions: [{ name: "secret" }],
      principals: [carol.id],
    });
    const narrow = { anchor: "newest", num_before: 9, narrow: [["is", "starred"]] };
    const found: { id: number }[] = (await carol.get("/messages", narrow)).body.messages;
    expect(found.map(({ id }) => id)).toEqual([open, starred]);
  });
});

describe("Bob stars and collapses messages", () => {
  test.each(["starred", "collapsed"])("%s: for himself, until he takes it back", async (flag) => {
    const { alice, bob } = world;
    const [one, two] = [await alice.say("general", "t", "1"), await alice.tell([bob], "2")];
    const queues = await listen({ bob, alice }, flagsOnly);
    await change(bob, "add", flag, [one, two]);
    await change(bob, "add", flag, [one]);
    await change(bob, "remove", flag, [two]);
    expect([await flagsOf(bob, one), await flagsOf(bob, two), await flagsOf(alice, one)]).toEqual([
      [flag],
      [],
      [],
    ]);
    const short = ({
      op,
      messages,
      message_details,
    }: {
      op: string;
      messages: number[];
      message_details?: object;
    }) => `${op} ${messages} ${message_details ?? ""}`.trim();
    expect(await hear(queues, short)).toEqual({
      bob: [`add ${one},${two}`, "add", `remove ${two}`],
      alice: [],
    });
  });

  test("starred messages are in the state at register, and a narrow finds them", async () => {
    const { alice, bob, otto } = await ownWorld();
    const ids = [
      await alice.say("general", "t", "1"),
      await alice.say("general", "t", "2"),
      await alice.tell([bob], "3"),
    ];
    await change(bob, "add", "starred", [ids[2], ids[0]]);
    const { state } = await bob.register({ fetch_event_types: ["starred_messages"] });
    expect(state.starred_messages).toEqual([ids[0], ids[2]]);
    await change(otto, "add", "starred", [ids[1]]);
    expect(await flagsOf(otto, ids[1] ?? 0)).toEqual(["read", "historical", "starred"]);
  });

  test("a narrow finds starred messages that never came to otto, while he may read them", async () => {
    const { alice, olga, otto, channels } = await ownWorld();
    const id = await alice.say("general", "t", "from before");
    await change(otto, "add", "starred", [id]);
    const starred = async (...others: [string, string][]) => {
      const narrow = [["is", "starred"], ...others];
      const shown = await otto.get("/messages", { anchor: "newest", num_before: 9, narrow });
      return shown.body.messages.map((one: { id: number }) => one.id);
    };
    const { state } = await otto.register({ fetch_event_types: ["starred_messages"] });
    expect([state.starred_messages, await starred()]).toEqual([[id], [id]]);
    expect(await starred(["search", "before"])).toEqual([id]);
    const hidden = await olga.patch(`/streams/${channels.general}`, { is_private: true });
    expect([hidden.status, await starred()]).toEqual([200, []]);
  });
});

test("What is unread again is told of with its place and whether bob hears it, by a name where that is empty", async () => {
  const { alice, bob, channels } = await ownWorld();
  const ids = [await alice.say("general", "", "1"), await alice.say("general", "quiet", "2")];
  const [empty = 0, quiet = 0] = ids;
  await bob.post("/user_topics", {
    stream_id: channels.general,
    topic: "quiet",
    visibility_policy: 1,
  });
  await change(bob, "add", "read", ids);
  const modern = await bob.register(flagsOnly);
  const old = await bob.register({
    ...flagsOnly,
    client_capabilities: { notification_settings_null: true },
  });
  await change(bob, "remove", "read", ids);
  const details = (topic: string) => ({
    [empty]: { type: "stream", stream_id: channels.general, topic, unmuted_stream_msg: true },
    [quiet]: {
      type: "stream",
      stream_id: channels.general,
      topic: "quiet",
      unmuted_stream_msg: false,
    },
  });
  expect((await modern.events())[0].message_details).toEqual(details(""));
  expect((await old.events())[0].message_details).toEqual(details("general chat"));
});

test("Flags that a person does not set, and what is no list of messages, are refused and change nothing", async () => {
  const { alice, bob } = world;
  const id = await alice.say("general", "t", "1");
  const queue = await bob.register(flagsOnly);
  for (const flag of [
    "mentioned",
    "has_alert_word",
    "historical",
    "wildcard_mentioned",
    "nonsense",
    "",
    "READ",
  ]) {
    expect(refusal(await change(bob, "add", flag, [id]))).toBe("400 BAD_REQUEST");
  }
  for (const messages of ["x", null, {}, [null], ["a"], [1.5], [[id]], [{}], 3, "NaN", [-1]]) {
    expect(refusal(await change(bob, "add", "read", messages))).toBe("400 BAD_REQUEST");
  }
  expect(
    refusal(await bob.post("/messages/flags", { messages: [id], op: "toggle", flag: "read" })),
  ).toBe("400 BAD_REQUEST");
  expect(refusal(await bob.post("/messages/flags", { op: "add", flag: "read" }))).toBe(
    "400 REQUEST_VARIABLE_MISSING",
  );
  expect(await flagsOf(bob, id)).toEqual([]);
  expect(await queue.events()).toEqual([]);
});

describe("What is unread at register", () => {
  test("is told by conversation", async () => {
    const { alice, bob, carol, channels } = await ownWorld();
    const inTopics = [
      await alice.say("general", "Lunch", "1"),
      await carol.say("general", "lunch", "2"),
    ];
    const empty = await alice.say("general", "", "3");
    const direct = await alice.tell([bob], "4");
    const note = await bob.tell([bob], "5");
    const group = await alice.tell([bob, carol], "6");
    await alice.say("plans", "t", "not for bob");
    const people = [alice.id, bob.id, carol.id].sort((a, b) => a - b);
    expect(await unreadOf(bob)).toEqual({
      count: 6,
      streams: [
        { stream_id: channels.general, topic: "lunch", unread_message_ids: inTopics },
        { stream_id: channels.general, topic: "", unread_message_ids: [empty] },
      ],
      pms: [
        { other_user_id: alice.id, sender_id: alice.id, unread_message_ids: [direct] },
        { other_user_id: bob.id, sender_id: bob.id, unread_message_ids: [note] },
      ],
      huddles: [{ user_ids_string: people.join(","), unread_message_ids: [group] }],
      mentions: [],
      old_unreads_missing: false,
    });
    const old = await bob.register({
      fetch_event_types: unreadTypes,
      client_capabilities: { notification_settings_null: true },
    });
    expect(old.state.unread_msgs.streams[1].topic).toBe("general chat");
  });

  test("A18: holds nothing of a channel that bob has left", async () => {
    const { alice, bob } = await ownWorld();
    const ids = [
      await alice.say("secret", "hidden topic", "1"),
      await alice.say("secret", "hidden topic", "2"),
    ];
    await change(bob, "add", "read", [ids[1]]);
    await change(bob, "remove", "read", [ids[1]]);
    await bob.delete("/users/me/subscriptions", { subscriptions: ["secret"] });
    expect(await unreadOf(bob)).toMatchObject({ count: 0, streams: [] });
  });
});
