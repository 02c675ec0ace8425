import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { write } from "../src/core/write";
import type { WireEvent } from "./support/client";
import { hear, listen, refusal } from "./support/listening";
import { makeWorld, type Person, type World } from "./support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

const typingOnly = { event_types: ["typing"] };

const type = (person: Person, parameters: object) => person.post("/typing", { op: "start", ...parameters });

const inChannel = (more: object = {}) => ({ type: "channel", stream_id: world.channels.general, topic: "t", ...more });

const inShort = ({ op, message_type }: WireEvent) => `${op} ${message_type}`;

/** Sets a setting of somebody's, past the door. */
const choose = (person: Person, settings: object) =>
  write(world.operator, (tx) =>
    tx.db
      .update(tx.t.users)
      .set({ settings: JSON.stringify(settings) })
      .where(eq(tx.t.users.id, person.id)),
  );

describe("Alice writes to people", () => {
  test("and those who take part see it, herself too, and nobody else", async () => {
    const { alice, bob, carol, zoe } = world;
    const queues = await listen({ alice, bob, carol, zoe }, typingOnly);
    expect((await type(alice, { to: [bob.id] })).body).toEqual({ result: "success", msg: "" });
    const person = ({ id, email }: Person) => ({ user_id: id, email });
    const event = {
      ...{ type: "typing", op: "start", message_type: "direct", sender: person(alice) },
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
      ...{ alice: ["stop direct"], bob: ["stop direct"], carol: ["stop direct"], zoe: [] },
    });
  });

  test("by a list of ids of people who exist, nothing else", async () => {
    const { alice, bob, zoe } = world;
    const queue = await bob.register(typingOnly);
    for (const to of [undefined, [], [99_999_999], [zoe.id], bob.id, bob.email, [bob.email], [null], {}, "[1"]) {
      expect([to, refusal(await type(alice, { to }))]).toEqual([to, "400 BAD_REQUEST"]);
    }
    expect(refusal(await type(alice, { type: "private", to: [bob.id] }))).toBe("400 BAD_REQUEST");
    expect(refusal(await type(alice, { op: "pause", to: [bob.id] }))).toBe("400 BAD_REQUEST");
    expect(refusal(await alice.post("/typing", { to: [bob.id] }))).toBe("400 REQUEST_VARIABLE_MISSING");
    expect(await queue.events()).toEqual([]);
  });

  test("and who has turned one side off neither shows it nor sees it", async () => {
    const { alice, bob, carol } = world;
    const queues = await listen({ bob, carol }, typingOnly);
    await choose(alice, { send_private_typing_notifications: false });
    expect(refusal(await type(alice, { to: [bob.id] }))).toBe("400 BAD_REQUEST");
    expect((await type(alice, inChannel())).status).toBe(200);
    await choose(alice, { send_stream_typing_notifications: false });
    expect(refusal(await type(alice, inChannel()))).toBe("400 BAD_REQUEST");
    await choose(alice, {});
    await hear(queues, inShort);
    await choose(bob, { receives_typing_notifications: false });
    await type(alice, { to: [bob.id, carol.id] });
    await type(alice, inChannel());
    expect(await hear(queues, inShort)).toEqual({ bob: [], carol: ["start direct", "start stream"] });
  });
});

describe("Alice writes in a channel", () => {
  test("and its subscribers see it whose clients said that they show that", async () => {
    const { alice, bob, otto, greta, zoe, channels } = world;
    const queues = await listen({ alice, bob, otto, greta, zoe }, typingOnly);
    const old = await bob.register({ ...typingOnly, client_capabilities: {} });
    await type(alice, inChannel());
    const event = {
      ...{ type: "typing", op: "start", message_type: "stream", stream_id: channels.general, topic: "t" },
      sender: { user_id: alice.id, email: alice.email },
    };
    expect(await hear(queues, ({ id: _, ...one }) => one)).toEqual({
      ...{ alice: [event], bob: [event], otto: [], greta: [], zoe: [] },
    });
    expect(await old.events()).toEqual([]);
    await type(alice, inChannel({ type: "stream", op: "stop" }));
    expect(await hear(queues, inShort)).toMatchObject({ bob: ["stop stream"], otto: [] });
  });

  test("with an empty topic, under each name for it", async () => {
    const { alice, bob } = world;
    const modern = await bob.register(typingOnly);
    const old = await bob.register({ ...typingOnly, client_capabilities: { stream_typing_notifications: true } });
    for (const topic of ["", "(no topic)", "general chat"]) await type(alice, inChannel({ topic }));
    const topics = (events: WireEvent[]) => events.map(({ topic }) => topic);
    expect(topics(await modern.events())).toEqual(["", "", ""]);
    expect(topics(await old.events())).toEqual(["general chat", "general chat", "general chat"]);
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

  test("in a private one only its subscribers see it, and who has left does not", async () => {
    const { alice, bob, carol, channels } = world;
    const queues = await listen({ bob, carol }, typingOnly);
    await type(alice, inChannel({ stream_id: channels.secret }));
    expect(await hear(queues, inShort)).toEqual({ bob: ["start stream"], carol: [] });
    await bob.delete("/users/me/subscriptions", { subscriptions: ["secret"] });
    await type(alice, inChannel({ stream_id: channels.secret }));
    expect(await hear(queues, inShort)).toEqual({ bob: [], carol: [] });
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
