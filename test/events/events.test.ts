import { describe, expect, test } from "bun:test";
import { write } from "../../src/core/write";
import { deactivateUser } from "../../src/management/accounts/deactivate";
import { updateUserRoleIn } from "../../src/management/accounts/update";
import { issueApiKeyIn } from "../../src/sign-in/api-keys";
import type { Queue, WireEvent } from "../support/client";
import { isHeld, startPoll, until } from "../support/polls";
import { shareWorld } from "../support/shared-world";
import type { World } from "../support/world";

let world: World;
const ownWorld = shareWorld(
  (given) => {
    world = given;
  },
  { heartbeat_seconds: "50" },
);

const types = (events: WireEvent[]) => events.map(({ type }) => type);
const contents = (events: WireEvent[]) =>
  events.filter(({ type }) => type === "message").map(({ message }) => message.content);

const messagesOnly = { event_types: ["message"], apply_markdown: false };

/** Alice's typing, told to bob. */
const startTyping = () =>
  world.alice.post("/typing", { type: "direct", op: "start", to: [world.bob.id] });

describe("a poll", () => {
  test("waits for the next event and is answered with it at once", async () => {
    const { alice, bob } = world;
    const queue = await bob.register(messagesOnly);
    const { answer } = await startPoll(world, queue);
    const id = await alice.say("general", "lunch", "soup?");
    const { status, body } = await answer;
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual(["events", "msg", "queue_id", "result"]);
    expect(body).toMatchObject({ result: "success", msg: "", queue_id: queue.id });
    expect(body.events).toHaveLength(1);
    expect(body.events[0]).toMatchObject({
      type: "message",
      flags: [],
      message: { id, content: "soup?" },
    });
  });

  test("with dont_block is answered at once, and with what is there", async () => {
    const queue = await world.bob.register(messagesOnly);
    expect((await queue.poll({ dont_block: true })).body.events).toEqual([]);
    await world.alice.say("general", "lunch", "soup?");
    expect(contents((await queue.poll({ dont_block: true })).body.events)).toEqual(["soup?"]);
  });

  test("wakes every queue of a user, and each keeps its own place", async () => {
    const { alice, bob } = world;
    const [phone, desk, idle] = [
      await bob.register(messagesOnly),
      await bob.register(messagesOnly),
      await bob.register(messagesOnly),
    ];
    const polls = [await startPoll(world, phone), await startPoll(world, desk)];
    await alice.say("general", "lunch", "one");
    for (const { answer } of polls) expect(contents((await answer).body.events)).toEqual(["one"]);
    expect(contents(await phone.events())).toEqual(["one"]);
    await alice.say("general", "lunch", "two");
    expect(contents(await phone.events())).toEqual(["two"]);
    expect(contents(await desk.events())).toEqual(["one", "two"]);
    expect(contents(await idle.events())).toEqual(["one", "two"]);
  });

  test("is not woken by what is for others, nor by types it did not ask for", async () => {
    const { alice, bob, carol, otto } = await ownWorld();
    const [bobs, ottos] = [
      await bob.register({ event_types: ["reaction"] }),
      await otto.register(messagesOnly),
    ];
    const polls = [await startPoll(world, bobs), await startPoll(world, ottos)];
    await alice.say("general", "lunch", "soup?");
    await alice.tell([carol], "psst");
    expect([bobs, ottos].every(({ id }) => isHeld(world.app, id, world.realm.id))).toBe(true);
    world.app.events.close();
    for (const { answer } of polls) expect((await answer).body.events).toEqual([]);
  });

  test("that is followed by another on the same queue is answered without events", async () => {
    const queue = await world.bob.register(messagesOnly);
    const first = await startPoll(world, queue);
    const second = await startPoll(world, queue);
    expect((await first.answer).body).toMatchObject({ result: "success", events: [] });
    await world.alice.say("general", "lunch", "soup?");
    expect(contents((await second.answer).body.events)).toEqual(["soup?"]);
  });

  test("whose client goes away loses nothing", async () => {
    const queue = await world.bob.register(messagesOnly);
    const leaving = new AbortController();
    const { answer } = await startPoll(world, queue, { signal: leaving.signal });
    leaving.abort();
    expect(await answer.catch(({ name }) => name)).toBe("AbortError");
    await until(() => !isHeld(world.app, queue.id, world.realm.id));
    await world.alice.say("general", "lunch", "while away");
    expect(contents(await queue.next())).toEqual(["while away"]);
  });

  test("of a user who is deactivated ends with BAD_EVENT_QUEUE_ID, and no event after that", async () => {
    await ownWorld();
    const queue = await world.bob.register();
    const { answer } = await startPoll(world, queue);
    await deactivateUser(world.operator, world.bob.id);
    await world.alice.say("general", "lunch", "secret");
    const { status, body } = await answer;
    expect([status, body.code, body.queue_id]).toEqual([400, "BAD_EVENT_QUEUE_ID", queue.id]);
    expect(body.events).toBeUndefined();
  });
});

describe("acknowledging", () => {
  test("what was not acknowledged comes again", async () => {
    const queue = await world.bob.register(messagesOnly);
    await world.alice.say("general", "lunch", "one");
    await world.alice.say("general", "lunch", "two");
    const again = async () => contents((await queue.poll({ dont_block: true })).body.events);
    expect(await again()).toEqual(["one", "two"]);
    expect(await again()).toEqual(["one", "two"]);
    const [first] = (await queue.poll({ dont_block: true })).body.events;
    expect(
      contents((await queue.poll({ dont_block: true, last_event_id: first.id })).body.events),
    ).toEqual(["two"]);
  });

  test("ids that were acknowledged before, or that no event has, are refused, and the place is kept", async () => {
    const queue = await world.bob.register(messagesOnly);
    await world.alice.say("general", "lunch", "one");
    const [one] = await queue.events();
    await world.alice.say("general", "lunch", "two");
    const [two] = await queue.events();
    expect(await queue.events()).toEqual([]);
    for (const id of [one.id, -1, two.id + 1_000_000, two.id + 1024]) {
      const { status, body } = await queue.poll({ dont_block: true, last_event_id: id });
      expect([id, status, body.code]).toEqual([id, 400, "BAD_REQUEST"]);
    }
    await world.alice.say("general", "lunch", "three");
    expect(contents(await queue.events())).toEqual(["three"]);
  });

  test("a poll must say what it has", async () => {
    const { id } = await world.bob.register(messagesOnly);
    const { status, body } = await world.bob.get("/events", { queue_id: id });
    expect([status, body.code]).toEqual([400, "BAD_REQUEST"]);
    expect((await world.bob.get("/events", { queue_id: id, last_event_id: "x" })).status).toBe(400);
  });
});

describe("heartbeats", () => {
  test("come alone after 50 s of silence", async () => {
    const queue = await world.bob.register(messagesOnly);
    const { answer } = await startPoll(world, queue);
    world.clock.advance(49);
    expect(isHeld(world.app, queue.id, world.realm.id)).toBe(true);
    world.clock.advance(2);
    const { events } = (await answer).body;
    expect(events).toEqual([{ id: expect.any(Number), type: "heartbeat" }]);
  });

  test("come although the clock was set back meanwhile", async () => {
    await ownWorld();
    const queue = await world.bob.register(messagesOnly);
    const { answer } = await startPoll(world, queue);
    world.clock.advance(45);
    world.clock.setForward(-90);
    world.clock.advance(4);
    expect(isHeld(world.app, queue.id, world.realm.id)).toBe(true);
    world.clock.advance(2);
    expect(isHeld(world.app, queue.id, world.realm.id)).toBe(false);
    expect(types((await answer).body.events)).toEqual(["heartbeat"]);
  });

  test("have ids that grow and that no later event has", async () => {
    const queue = await world.bob.register(messagesOnly);
    const seen: WireEvent[] = [];
    for (let round = 0; round < 6; round++) {
      const { answer } = await startPoll(world, queue);
      if (round % 3 === 2) await world.alice.say("general", "lunch", `${round}`);
      else world.clock.advance(51);
      const { events } = (await answer).body;
      seen.push(...events);
      queue.lastEventId = events.at(-1).id;
    }
    expect(types(seen)).toEqual([
      "heartbeat",
      "heartbeat",
      "message",
      "heartbeat",
      "heartbeat",
      "message",
    ]);
    const ids = seen.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
  });

  test("do not overtake an event that came in the same moment", async () => {
    await ownWorld();
    const queue = await world.bob.register(messagesOnly);
    const { answer } = await startPoll(world, queue);
    const { app, operator, alice, clock } = world;
    app.events.flushed = () => undefined;
    const sending = alice.say("general", "lunch", "just now");
    await until(
      async () => (await operator.reader.db.select().from(operator.reader.t.messages)).length > 0,
    );
    clock.advance(51);
    expect(contents((await answer).body.events)).toEqual(["just now"]);
    await sending;
  });

  test("go on for a client that hears nothing else for days", async () => {
    await ownWorld();
    const queue = await world.bob.register(messagesOnly);
    for (let day = 0; day < 8; day++) {
      const { answer } = await startPoll(world, queue);
      world.clock.advance(86_400);
      const { events } = (await answer).body;
      expect(types(events)).toEqual(["heartbeat"]);
      queue.lastEventId = events[0].id;
    }
    await world.alice.say("general", "lunch", "still there?");
    expect(contents(await queue.events())).toEqual(["still there?"]);
  });
});

describe("events that are not stored", () => {
  /** Polls until something has come that a predicate finds. */
  async function takeUntil(
    queue: Queue,
    isLast: (event: WireEvent) => boolean,
  ): Promise<WireEvent[]> {
    const taken: WireEvent[] = [];
    while (!taken.some(isLast)) taken.push(...(await queue.next()));
    return taken;
  }

  test("1,100 of them and then a message keep their order, under ids that grow", async () => {
    const queue = await world.bob.register({
      event_types: ["typing", "message"],
      apply_markdown: false,
    });
    const taken: WireEvent[] = [];
    for (let burst = 0; burst < 11; burst++) {
      for (let i = 0; i < 100; i++) {
        const sender = { user_id: world.alice.id, email: world.alice.email };
        const event = {
          type: "typing",
          op: "start",
          message_type: "direct",
          sender,
          recipients: [],
        };
        world.app.events.sendEphemeral(world.realm.id, { to: "users", ids: [world.bob.id] }, event);
      }
      taken.push(...(await queue.next()));
    }
    await world.alice.say("general", "lunch", "soup?");
    taken.push(...(await takeUntil(queue, ({ type }) => type === "message")));
    const ids = taken.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
    expect(taken.filter(({ type }) => type === "typing").length).toBeGreaterThan(1_023);
    expect(taken.at(-1).type).toBe("message");
  });

  test("reach those who are connected, and are not kept for the others", async () => {
    const queue = await world.bob.register({ event_types: ["typing"] });
    const { answer } = await startPoll(world, queue);
    await startTyping();
    const { events } = (await answer).body;
    expect(events).toHaveLength(1);
    queue.lastEventId = events[0].id;
    await until(async () => (await queue.events()).length === 0);
    world.clock.advance(121);
    await startTyping();
    expect(await queue.events()).toEqual([]);
  });

  test("do not overtake a logged event that is being written meanwhile", async () => {
    const queue = await world.bob.register({
      event_types: ["typing", "message"],
      apply_markdown: false,
    });
    const taken: WireEvent[] = [];
    const sends: Promise<unknown>[] = [];
    for (let i = 0; i < 40; i++) {
      sends.push(world.alice.say("general", "lunch", `${i}`), startTyping());
      if (i % 4 === 0) taken.push(...(await queue.events()));
    }
    await Promise.all(sends);
    await until(async () => {
      taken.push(...(await queue.events()));
      return contents(taken).length >= 40;
    });
    const ids = taken.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
    expect(
      contents(taken)
        .map(Number)
        .sort((a, b) => a - b),
    ).toEqual(Array.from({ length: 40 }, (_, i) => i));
  });
});

test("an event for nobody wakes nobody", async () => {
  await ownWorld();
  const queue = await world.bob.register();
  await startPoll(world, queue);
  await write(world.operator, (tx) => tx.emit({ to: "server" }, { type: "server_blank" }));
  expect(isHeld(world.app, queue.id, world.realm.id)).toBe(true);
});

test("C9: in all that happens, no event holds a password, a key, a hash of one or a queue's id", async () => {
  const { alice, bob, olga, operator, app } = await ownWorld();
  const queues = await Promise.all(
    [olga, alice, bob, world.greta, world.robot].map((person) => person.register()),
  );
  const password = "correct-horse-battery";
  const { body } = await olga.post("/users", {
    email: "nina@example.com",
    full_name: "Nina",
    password,
  });
  const key = await write(operator, (tx) =>
    issueApiKeyIn(tx, operator, bob.id, "a label of bob's"),
  );
  await alice.post("/users/me/subscriptions", {
    subscriptions: [{ name: "crew" }],
    principals: [bob.id, alice.id],
  });
  await alice.say("general", "lunch", "soup?");
  await alice.post("/typing", { type: "direct", op: "start", to: [bob.id] });
  await write(operator, (tx) => updateUserRoleIn(tx, operator, bob.id, 200));
  await deactivateUser(operator, body.user_id);
  const { db, t } = app.engine.reader;
  const hashes = [
    ...(await db.select().from(t.users)),
    ...(await db.select().from(t.apiKeys)),
  ].flatMap((row) => ("hash" in row ? row.hash : (row.passwordHash ?? [])));
  const secrets = [
    password,
    key.apiKey,
    "a label of bob's",
    ...hashes,
    ...queues.map(({ id }) => id),
  ];
  expect(hashes.length).toBeGreaterThan(10);
  for (const queue of queues) {
    const events = await queue.events();
    expect(events.length).toBeGreaterThan(2);
    const text = JSON.stringify(events);
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
    expect(text).not.toMatch(/password|api_?key|hash|emailKey|"server_/i);
  }
});
