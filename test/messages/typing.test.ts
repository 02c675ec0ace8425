import { describe, expect, test } from "bun:test";
import { write } from "../../src/core/write";
import { RelayInbox, relayTexts } from "../../src/events/relay";
import { updateRealmSettingsIn } from "../../src/management/organization/change-settings";
import { typingStarted } from "../../src/messages/typing/events";
import type { WireEvent } from "../support/client";
import { testEngine } from "../support/databases/storage";
import { hear, listen as open, refusal } from "../support/listening";
import { addManyPeople } from "../support/many-people";
import { until } from "../support/polls";
import { shareWorld } from "../support/shared-world";
import type { Person, World } from "../support/world";

let world: World;
const ownWorld = shareWorld((given) => {
  world = given;
});

const typingOnly = { event_types: ["typing"] };

/**
 * Opens queues, and asks them once: the server then knows who they are of, and puts what is not
 * stored into them at once.
 */
const listen: typeof open = async (people, parameters) => {
  const queues = await open(people, parameters);
  await hear(queues, inShort);
  return queues;
};

const type = (person: Person, parameters: object) =>
  person.post("/typing", { op: "start", ...parameters });

const inChannel = (more: object = {}) => ({
  type: "channel",
  stream_id: world.channels.general,
  topic: "t",
  ...more,
});

const inShort = ({ op, message_type }: WireEvent) => `${op} ${message_type}`;

const choose = async (person: Person, settings: object) => {
  expect((await person.patch("/settings", { ...settings })).status).toBe(200);
};

describe("Alice writes to people", () => {
  test("and those who take part see it, herself too, and nobody else", async () => {
    const { alice, bob, carol, zoe } = world;
    const queues = await listen({ alice, bob, carol, zoe }, typingOnly);
    expect((await type(alice, { to: [bob.id] })).body).toEqual({ result: "success", msg: "" });
    const person = ({ id, email }: Person) => ({ user_id: id, email });
    const event = {
      type: "typing",
      op: "start",
      message_type: "direct",
      sender: person(alice),
      recipients: [person(alice), person(bob)],
    };
    expect(await hear(queues, ({ id: _, ...one }) => one)).toEqual({
      alice: [event],
      bob: [event],
      carol: [],
      zoe: [],
    });
    await type(alice, { op: "stop", type: "direct", to: [bob.id, carol.id, alice.id] });
    expect(await hear(queues, inShort)).toEqual({
      alice: ["stop direct"],
      bob: ["stop direct"],
      carol: ["stop direct"],
      zoe: [],
    });
  });

  test("by a list of ids of people who exist, nothing else", async () => {
    const { alice, bob, zoe } = world;
    const queue = await bob.register(typingOnly);
    for (const to of [
      undefined,
      [],
      [99_999_999],
      [zoe.id],
      bob.id,
      bob.email,
      [bob.email],
      [null],
      {},
      "[1",
    ]) {
      expect([to, refusal(await type(alice, { to }))]).toEqual([to, "400 BAD_REQUEST"]);
    }
    expect(refusal(await type(alice, { type: "private", to: [bob.id] }))).toBe("400 BAD_REQUEST");
    expect(refusal(await type(alice, { op: "pause", to: [bob.id] }))).toBe("400 BAD_REQUEST");
    expect(refusal(await alice.post("/typing", { to: [bob.id] }))).toBe(
      "400 REQUEST_VARIABLE_MISSING",
    );
    expect(await queue.events()).toEqual([]);
  });

  test("and who has turned one side off neither shows it nor sees it", async () => {
    const { alice, bob, carol } = await ownWorld();
    const queues = await listen({ bob, carol }, typingOnly);
    await choose(alice, { send_private_typing_notifications: false });
    expect(refusal(await type(alice, { to: [bob.id] }))).toBe("400 BAD_REQUEST");
    expect((await type(alice, inChannel())).status).toBe(200);
    await choose(alice, { send_stream_typing_notifications: false });
    expect(refusal(await type(alice, inChannel()))).toBe("400 BAD_REQUEST");
    await choose(alice, {
      send_private_typing_notifications: true,
      send_stream_typing_notifications: true,
    });
    await hear(queues, inShort);
    await choose(bob, { receives_typing_notifications: false });
    await type(alice, { to: [bob.id, carol.id] });
    await type(alice, inChannel());
    expect(await hear(queues, inShort)).toEqual({
      bob: [],
      carol: ["start direct", "start stream"],
    });
  });

  test("only to those whom she may write to", async () => {
    const { alice, bob, robot, operator } = await ownWorld();
    const queues = await listen({ bob }, typingOnly);
    const change = { direct_message_initiator_group: "role:nobody" };
    await alice.tell([bob], "before");
    await write(operator, (tx) => updateRealmSettingsIn(tx, operator, change));
    expect((await type(alice, { to: [bob.id] })).status).toBe(200);
    const off = { direct_message_permission_group: "role:nobody" };
    await write(operator, (tx) => updateRealmSettingsIn(tx, operator, off));
    const message = { type: "direct", to: [bob.id], content: "hi" };
    const unsent = await alice.post("/messages", message);
    expect(unsent.status).toBe(400);
    expect((await type(alice, { to: [bob.id] })).body).toEqual(unsent.body);
    expect((await type(alice, { to: [robot.id] })).status).toBe(200);
    expect(await hear(queues, inShort)).toEqual({ bob: ["start direct"] });
  });
});

describe("Alice writes in a channel", () => {
  test("and its subscribers see it whose clients said that they show that", async () => {
    const { alice, bob, otto, greta, zoe, channels } = world;
    const queues = await listen({ alice, bob, otto, greta, zoe }, typingOnly);
    const old = await bob.register({
      ...typingOnly,
      client_capabilities: { notification_settings_null: true },
    });
    await type(alice, inChannel());
    const event = {
      type: "typing",
      op: "start",
      message_type: "stream",
      stream_id: channels.general,
      topic: "t",
      sender: { user_id: alice.id, email: alice.email },
    };
    expect(await hear(queues, ({ id: _, ...one }) => one)).toEqual({
      alice: [event],
      bob: [event],
      otto: [],
      greta: [],
      zoe: [],
    });
    expect(await old.events()).toEqual([]);
    await type(alice, inChannel({ type: "stream", op: "stop" }));
    expect(await hear(queues, inShort)).toMatchObject({ bob: ["stop stream"], otto: [] });
  });

  test("with an empty topic, under each name for it", async () => {
    const { alice, bob } = world;
    const modern = await bob.register(typingOnly);
    const old = await bob.register({
      ...typingOnly,
      client_capabilities: { notification_settings_null: true, stream_typing_notifications: true },
    });
    for (const queue of [modern, old]) await queue.events();
    for (const topic of ["", "(no topic)", "general chat"]) await type(alice, inChannel({ topic }));
    const topics = (events: WireEvent[]) => events.map(({ topic }) => topic);
    expect(topics(await modern.events())).toEqual(["", "", ""]);
    expect(topics(await old.events())).toEqual(["general chat", "general chat", "general chat"]);
  });

  test("whatever is said of who, and to people whatever is said of a channel: that is not looked at", async () => {
    const { alice, bob, carol, zoe } = world;
    const queues = await listen({ bob, carol }, typingOnly);
    const others = [zoe.id, 99_999_999];
    for (const to of ["x", "[1", bob.email, bob.id, {}, [bob.email], others]) {
      expect([to, (await type(alice, inChannel({ to }))).status]).toEqual([to, 200]);
    }
    for (const stream_id of ["x", "[1", -1, 1.5, {}, [1], 99_999_999, world.channels.plans]) {
      const { status } = await type(alice, { to: [bob.id], stream_id, topic: "a\nb" });
      expect([stream_id, status]).toEqual([stream_id, 200]);
    }
    expect(await hear(queues, inShort)).toEqual({
      bob: [...Array(7).fill("start stream"), ...Array(8).fill("start direct")],
      carol: Array(7).fill("start stream"),
    });
    for (const stream_id of ["x", "[1", -1, 1.5, {}, [1]]) {
      expect([stream_id, refusal(await type(alice, inChannel({ stream_id })))]).toEqual([
        stream_id,
        "400 BAD_REQUEST",
      ]);
    }
  });

  test("A17: a channel that one may not read is refused like one that is not there", async () => {
    const { alice, carol, olga, greta, zoe, channels } = world;
    const queue = await alice.register(typingOnly);
    const missing = await type(carol, inChannel({ stream_id: 99_999_999 }));
    expect(refusal(missing)).toBe("400 BAD_REQUEST");
    const cases: [Person, number][] = [
      [carol, channels.secret],
      [olga, channels.plans],
      [greta, channels.general],
      [zoe, channels.general],
    ];
    for (const [person, id] of cases) {
      const { status, body } = await type(person, inChannel({ stream_id: id }));
      expect([status, body.code]).toEqual([400, "BAD_REQUEST"]);
      expect(body.msg).toBe(missing.body.msg.replace("99999999", `${id}`));
    }
    for (const more of [
      { stream_id: undefined },
      { topic: undefined },
      { stream_id: undefined, to: [1] },
      { topic: "a\nb" },
    ]) {
      expect(refusal(await type(alice, inChannel(more)))).toBe("400 BAD_REQUEST");
    }
    expect(await queue.events()).toEqual([]);
  });

  test("only where she may send", async () => {
    const { alice, bob, olga, channels } = await ownWorld();
    const queues = await listen({ bob }, typingOnly);
    const can_send_message_group = { new: { direct_members: [olga.id], direct_subgroups: [] } };
    await olga.patch(`/streams/${channels.general}`, { can_send_message_group });
    const message = { type: "channel", to: "general", topic: "t", content: "hi" };
    const unsent = await alice.post("/messages", message);
    for (const op of ["start", "stop"])
      expect((await type(alice, inChannel({ op }))).body).toEqual(unsent.body);
    expect(unsent.status).toBe(400);
    await type(olga, inChannel());
    expect(await hear(queues, ({ sender }) => sender.user_id)).toEqual({ bob: [olga.id] });
  });

  test("in a private one only its subscribers see it, and who has left does not", async () => {
    const { alice, bob, carol, channels } = await ownWorld();
    const queues = await listen({ bob, carol }, typingOnly);
    await type(alice, inChannel({ stream_id: channels.secret }));
    expect(await hear(queues, inShort)).toEqual({ bob: ["start stream"], carol: [] });
    await bob.delete("/users/me/subscriptions", { subscriptions: ["secret"] });
    await type(alice, inChannel({ stream_id: channels.secret }));
    expect(await hear(queues, inShort)).toEqual({ bob: [], carol: [] });
  });
});

describe("Alice changes a message of hers", () => {
  const editsOnly = { event_types: ["typing_edit_message"] };
  const change = (person: Person, id: number, op = "start") =>
    person.post(`/messages/${id}/typing`, { op });
  const bare = ({ id: _, ...event }: WireEvent) => event;

  test("and who hears of the message sees that, with or without typing in channels", async () => {
    const { alice, bob, carol, otto, zoe, channels } = world;
    const [inGeneral, direct] = [await alice.say("general", "", "1"), await alice.tell([bob], "2")];
    const queues = await listen({ alice, bob, carol, otto, zoe }, editsOnly);
    const old = await bob.register({
      ...editsOnly,
      client_capabilities: { notification_settings_null: true },
    });
    expect((await change(alice, inGeneral)).body).toEqual({ result: "success", msg: "" });
    const recipient = { type: "channel", channel_id: channels.general, topic: "" };
    const started = {
      type: "typing_edit_message",
      op: "start",
      sender_id: alice.id,
      message_id: inGeneral,
      recipient,
    };
    expect(await hear(queues, bare)).toEqual({
      alice: [started],
      bob: [started],
      carol: [started],
      otto: [],
      zoe: [],
    });
    expect((await old.events()).map(bare)).toEqual([
      { ...started, recipient: { ...recipient, topic: "general chat" } },
    ]);
    await change(alice, direct, "stop");
    const stopped = {
      op: "stop",
      message_id: direct,
      recipient: { type: "direct", user_ids: [alice.id, bob.id] },
    };
    expect(await hear(queues, bare)).toMatchObject({ alice: [stopped], bob: [stopped], carol: [] });
  });

  test("A17: not those of others; one that she may not read is refused like one that is not there", async () => {
    const { alice, bob, carol, olga } = world;
    const [shown, hidden] = [await bob.say("general", "t", "1"), await bob.say("secret", "t", "2")];
    const queue = await bob.register(editsOnly);
    expect(refusal(await change(alice, shown))).toBe("400 BAD_REQUEST");
    const missing = await change(carol, 99_999_999);
    for (const person of [carol, olga])
      expect((await change(person, hidden)).body).toEqual(missing.body);
    expect(refusal(await change(bob, shown, "pause"))).toBe("400 BAD_REQUEST");
    expect(refusal(await bob.post(`/messages/${shown}/typing`))).toBe(
      "400 REQUEST_VARIABLE_MISSING",
    );
    expect(await queue.events()).toEqual([]);
  });

  test("and newcomers to protected history hear nothing of what was before them", async () => {
    const { alice, bob, carol } = await ownWorld();
    const before = await alice.say("secret", "t", "before carol");
    await alice.post("/users/me/subscriptions", {
      subscriptions: [{ name: "secret" }],
      principals: [carol.id],
    });
    const after = await alice.say("secret", "t", "with carol");
    const queues = await listen({ bob, carol }, editsOnly);
    await change(alice, before);
    await change(alice, after);
    expect(await hear(queues, ({ message_id }) => message_id)).toEqual({
      bob: [before, after],
      carol: [after],
    });
  });

  test("only while she could really edit it", async () => {
    const { alice, bob, olga, clock } = await ownWorld();
    const [inGeneral, direct] = [
      await alice.say("general", "t", "1"),
      await alice.tell([bob], "2"),
    ];
    await olga.patch("/realm", { message_content_edit_limit_seconds: 600 });
    clock.advance(700);
    const queue = await bob.register(editsOnly);
    await queue.events();
    for (const id of [inGeneral, direct])
      expect(refusal(await change(alice, id))).toBe("400 BAD_REQUEST");
    await olga.patch("/realm", { message_content_edit_limit_seconds: "unlimited" });
    expect((await change(alice, inGeneral)).status).toBe(200);
    await olga.patch("/realm", { allow_message_editing: false });
    expect(refusal(await change(alice, direct))).toBe("400 BAD_REQUEST");
    expect((await queue.events()).map(({ message_id }) => message_id)).toEqual([inGeneral]);
  });

  test("and who has turned one side off neither shows it nor sees it", async () => {
    const { alice, bob, carol } = await ownWorld();
    const [inGeneral, direct] = [
      await alice.say("general", "t", "1"),
      await alice.tell([bob], "2"),
    ];
    const queues = await listen({ bob, carol }, editsOnly);
    await choose(alice, { send_stream_typing_notifications: false });
    expect(refusal(await change(alice, inGeneral))).toBe("400 BAD_REQUEST");
    await choose(bob, { receives_typing_notifications: false });
    await change(alice, direct);
    await choose(alice, { send_stream_typing_notifications: true });
    await change(alice, inGeneral);
    expect(await hear(queues, ({ message_id }) => message_id)).toEqual({
      bob: [],
      carol: [inGeneral],
    });
  });
});

test("In channels of more than 100 subscribers nobody is told who is writing or changing a message", async () => {
  const { alice, bob } = await ownWorld();
  const queues = await listen({ bob }, { event_types: ["typing", "typing_edit_message"] });
  const message = await alice.say("general", "t", "1");
  const write = async () => {
    expect((await type(alice, inChannel())).body).toEqual({ result: "success", msg: "" });
    expect((await alice.post(`/messages/${message}/typing`, { op: "start" })).status).toBe(200);
    return (await hear(queues, (event) => event.type)).bob;
  };
  const [last, ...crowd] = await addManyPeople(world, 95);
  // Six are in it already.
  await subscribe(crowd);
  expect(await write()).toEqual(["typing", "typing_edit_message"]);
  await subscribe([last]);
  expect(await write()).toEqual([]);
});

/** Puts people into the channel `general`. */
async function subscribe(principals: unknown[]) {
  const { status } = await world.olga.post("/users/me/subscriptions", {
    subscriptions: [{ name: "general" }],
    principals,
  });
  expect(status).toBe(200);
}

test("K3: an address that not everybody may read is shown in no typing event", async () => {
  const { alice, bob } = await ownWorld();
  await choose(bob, { email_address_visibility: 3 });
  const queue = await alice.register(typingOnly);
  await queue.events();
  await type(bob, { to: [alice.id] });
  const [event] = await queue.events();
  expect([event.sender.user_id, event.sender.email]).toEqual([
    bob.id,
    `user${bob.id}@chat.example.com`,
  ]);
  expect(JSON.stringify(event)).not.toContain(bob.email);
});

test("a typing event has the addresses that its recipient's client knows from realm_users", async () => {
  const { olga, alice, bob, greta } = await ownWorld();
  await choose(alice, { email_address_visibility: 2 });
  await choose(bob, { email_address_visibility: 3 });
  const queues = await listen({ olga, alice, bob, greta }, typingOnly);
  const placeholder = ({ id }: Person) => `user${id}@chat.example.com`;
  await type(alice, { to: [olga, bob, greta].map(({ id }) => id) });
  const addresses = ({ sender, recipients = [] }: WireEvent) =>
    [sender, ...recipients].map(({ email }) => email);
  const inDirect = (a: string, b: string) => [[a, olga.email, a, b, greta.email]];
  expect(await hear(queues, addresses)).toEqual({
    olga: inDirect(alice.email, bob.email),
    alice: inDirect(alice.email, placeholder(bob)),
    bob: inDirect(alice.email, bob.email),
    greta: inDirect(placeholder(alice), placeholder(bob)),
  });
  await subscribe([greta.id]);
  await type(alice, inChannel());
  expect(await hear(queues, addresses)).toMatchObject({
    alice: [[alice.email]],
    bob: [[alice.email]],
    greta: [[placeholder(alice)]],
  });
});

describe("What goes to the other servers", () => {
  const recipients = Array.from({ length: 200 }, (_, user_id) => ({
    user_id,
    email: `${"ä".repeat(100)}${user_id}@example.com`,
  }));
  const long = {
    realmId: 1,
    audience: { to: "users" as const, ids: recipients.map(({ user_id }) => user_id) },
    event: typingStarted({
      message_type: "direct",
      sender: { user_id: 0, email: "x@example.com" },
      recipients,
    }),
  };

  test("fits the 8,000 bytes that PostgreSQL takes, and is put together whichever part comes first", () => {
    const texts = relayTexts(long);
    expect(Math.max(...texts.map((text) => Buffer.byteLength(text)))).toBeLessThan(7_200);
    const short = { ...long, event: { type: "typing", op: "stop" } };
    const inbox = new RelayInbox();
    const [first = "", ...rest] = texts;
    expect(rest.reverse().map((text) => inbox.take(text))).toEqual(rest.map(() => undefined));
    expect(inbox.take(relayTexts(short)[0] ?? "")).toEqual(short);
    expect(inbox.take(first)).toEqual(long);
  });

  test("is not kept for ever where a part was lost", () => {
    const inbox = new RelayInbox();
    const [part = "", ...rest] = relayTexts(long);
    inbox.take(part);
    for (let count = 0; count < 100; count++) inbox.take(relayTexts(long)[0] ?? "");
    expect(rest.map((text) => inbox.take(text)).every((taken) => taken === undefined)).toBe(true);
  });

  test("reaches who is connected there; a SQLite file has one server that is polled", async () => {
    const { alice, bob, app, realm } = await ownWorld();
    const other = await world.startNode();
    const queue = await bob.at(other).register(typingOnly);
    await type(alice, { to: [bob.id] });
    app.events.sendEphemeral(realm.id, { to: "users", ids: [bob.id] }, long.event);
    const heard: WireEvent[] = [];
    await until(async () => {
      heard.push(...(await queue.events()));
      return heard.length === (testEngine === "postgres" ? 2 : 0);
    });
    const lengths = heard.map((event) => event.recipients.length).sort((a, b) => a - b);
    expect(lengths).toEqual(testEngine === "postgres" ? [2, 200] : []);
  });
});

test("The ids of typing events and of messages between them only grow, and what was taken does not come again", async () => {
  const { alice, bob } = world;
  const queue = await bob.register({ event_types: ["typing", "message"] });
  const seen: number[] = [];
  for (let round = 0; round < 4; round++) {
    await type(alice, { to: [bob.id] });
    await alice.tell([bob], `${round}`);
    await type(alice, { op: "stop", to: [bob.id] });
    const events = await queue.events();
    expect(events.map((event) => event.type).sort()).toEqual(["message", "typing", "typing"]);
    seen.push(...events.map(({ id }) => id));
  }
  expect(seen).toEqual([...new Set(seen)].sort((a, b) => a - b));
  expect(await queue.events()).toEqual([]);
});
