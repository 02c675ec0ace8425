import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import postgres from "postgres";
import { databaseFile } from "../../db/open";
import { findChannel } from "../../src/channels/queries";
import { inChunks } from "../../src/core/chunks";
import { write } from "../../src/core/write";
import { tidyQueues } from "../../src/events/housekeeping";
import { saveAndExpire } from "../../src/events/queue-expiry";
import { insertQueue, loadQueue, type QueueState, queueStateOf } from "../../src/events/queues";
import { subscribeUsers } from "../../src/management/subscriptions/subscribe";
import { unsubscribeUsers } from "../../src/management/subscriptions/unsubscribe";
import { announceGoneIn } from "../../src/messages/delete/events";
import type { Queue, WireEvent } from "../support/client";
import { errorOf } from "../support/outcome";
import { isHeld, startPoll, until } from "../support/polls";
import { makeWorld, type Person, type World } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld({ queue_events_max: "2500", queues_per_user_max: "5" });
});
afterEach(() => world.close());

const messagesOnly = { event_types: ["message"], apply_markdown: false };
const contents = (events: WireEvent[]) =>
  events.filter(({ type }) => type === "message").map(({ message }) => message.content);

async function refusalOfPoll(queue: Queue, by: Person | Queue["client"] = queue.client) {
  const { status, body } = await by.get("/events", {
    queue_id: queue.id,
    last_event_id: queue.lastEventId,
    dont_block: true,
  });
  return [status, body.code, body.queue_id];
}

const storedQueues = async () => {
  const { db, t } = world.app.engine.reader;
  return (await db.select({ id: t.eventQueues.id }).from(t.eventQueues)).map(({ id }) => id);
};

/** Lets time pass, at the end of which the housekeeping is done. */
async function wait(seconds: number) {
  const { app, realm, clock } = world;
  clock.advance(seconds);
  await tidyQueues(app, app.events, [realm.id]);
}

/** Logs many small events in one write. */
const logMany = (count: number) =>
  write(world.operator, async (tx) => {
    for (let number = 0; number < count; number++)
      await tx.emit({ to: "realm" }, { type: "numbered", number });
  });

/** Renames a table past the server, so that its writes there fail meanwhile. */
async function renameTable(from: string, to: string) {
  const { databaseUrl, dataFolder } = world.place;
  const statement = `ALTER TABLE ${from} RENAME TO ${to}`;
  if (databaseUrl === undefined) {
    using file = new Database(databaseFile(dataFolder));
    file.run(statement);
    return;
  }
  const client = postgres(databaseUrl, { max: 1 });
  await client.unsafe(statement);
  await client.end();
}

describe("whose a queue is", () => {
  test("C6: another user's, another realm's, an unknown and a deleted one are refused alike", async () => {
    const { alice, bob, zoe } = world;
    const queue = await alice.register(messagesOnly);
    const refused = [400, "BAD_EVENT_QUEUE_ID", queue.id];
    expect(await refusalOfPoll(queue, bob)).toEqual(refused);
    expect(await refusalOfPoll(queue, zoe)).toEqual(refused);
    expect((await bob.delete("/events", { queue_id: queue.id })).body.code).toBe(
      "BAD_EVENT_QUEUE_ID",
    );
    const unknown = await alice.get("/events", { queue_id: "no-such-queue", last_event_id: -1 });
    expect([unknown.status, unknown.body.code, unknown.body.queue_id]).toEqual([
      400,
      "BAD_EVENT_QUEUE_ID",
      "no-such-queue",
    ]);
    expect((await alice.delete("/events", { queue_id: queue.id })).body).toEqual({
      result: "success",
      msg: "",
    });
    expect(await refusalOfPoll(queue)).toEqual(refused);
    expect((await alice.delete("/events", { queue_id: queue.id })).body.code).toBe(
      "BAD_EVENT_QUEUE_ID",
    );
  });

  test("a poll that waits is refused when its queue is deleted", async () => {
    const queue = await world.alice.register(messagesOnly);
    const { answer } = await startPoll(world, queue);
    await world.alice.delete("/events", { queue_id: queue.id });
    expect((await answer).body.code).toBe("BAD_EVENT_QUEUE_ID");
  });

  test("I11: its id cannot be guessed", async () => {
    const ids = [await world.alice.register(), await world.alice.register()].map(({ id }) => id);
    for (const id of ids)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(ids[0]?.slice(0, 8)).not.toBe(ids[1]?.slice(0, 8));
  });

  test("a user's oldest makes room when there are too many, also when a client waits on it", async () => {
    const queues = [await world.alice.register(messagesOnly)];
    const { answer } = await startPoll(world, queues[0] as Queue);
    world.clock.advance(1);
    for (let i = 0; i < 5; i++) queues.push(await world.alice.register(messagesOnly));
    expect((await answer).body.code).toBe("BAD_EVENT_QUEUE_ID");
    expect(await refusalOfPoll(queues[0] as Queue)).toEqual([
      400,
      "BAD_EVENT_QUEUE_ID",
      queues[0]?.id,
    ]);
    expect(await queues[1]?.events()).toEqual([]);
  });

  test("a user's oldest make room until no more are left than a lowered limit allows", async () => {
    const [first, bobs] = [await world.alice.register(), await world.bob.register()];
    await write(world.operator, async (tx) => {
      const { eventQueues } = tx.t;
      const [row] = await tx.db.select().from(eventQueues).where(eq(eventQueues.id, first.id));
      if (!row) throw new Error("alice has no queue");
      for (let number = 1; number <= 7; number++)
        await tx.db
          .insert(eventQueues)
          .values({ ...row, id: `of-before-${number}`, lastSeen: row.lastSeen + number });
    });
    const { answer } = await startPoll(world, first);
    world.clock.advance(1);
    const newest = await world.alice.register(messagesOnly);
    expect((await answer).body.code).toBe("BAD_EVENT_QUEUE_ID");
    const left = await storedQueues();
    expect(left).toHaveLength(6);
    expect(left).toContain(newest.id);
    expect(left).toContain(bobs.id);
  });
});

describe("idle queues", () => {
  const timeoutOf = async (idle_queue_timeout: unknown) => {
    const { status, body } = await world.bob.post("/register", {
      ...messagesOnly,
      idle_queue_timeout,
    });
    return status === 200 ? body.idle_queue_timeout_secs : [status, body.code];
  };

  test("live as long as the client asks, up to a week", async () => {
    expect(await timeoutOf(undefined)).toBe(600);
    expect(await timeoutOf(30)).toBe(30);
    expect(await timeoutOf("30")).toBe(30);
    expect(await timeoutOf("mobile")).toBe(43_200);
    expect(await timeoutOf('"mobile"')).toBe(43_200);
    expect(await timeoutOf(10_000_000)).toBe(7 * 86_400);
    for (const wrong of [0, -5, "tablet", 1.5, null, []])
      expect(await timeoutOf(wrong)).toEqual([400, "BAD_REQUEST"]);
  });

  test("count from the server's start after a time when it was down, and miss nothing", async () => {
    const { alice, bob } = world;
    const [queue, weekLong] = [
      await bob.register(messagesOnly),
      await bob.register({ ...messagesOnly, idle_queue_timeout: 7 * 86_400 }),
    ];
    await alice.say("general", "holiday", "before the stop");
    await world.restart(10 * 86_400);
    await wait(120);
    expect((await storedQueues()).sort()).toEqual([queue.id, weekLong.id].sort());
    expect(contents(await queue.events())).toEqual(["before the stop"]);
    expect(contents(await weekLong.events())).toEqual(["before the stop"]);
    await wait(700);
    await wait(60);
    expect(await storedQueues()).toEqual([weekLong.id]);
  });

  test("end where a second stop lets go of events that they may not have had", async () => {
    const { alice, bob } = world;
    const weekLong = await bob.register({ ...messagesOnly, idle_queue_timeout: 7 * 86_400 });
    await alice.say("general", "holiday", "before the first stop");
    await world.restart(10 * 86_400);
    await wait(120);
    await alice.say("general", "holiday", "between the stops");
    await world.restart(1);
    await wait(60);
    await wait(60);
    expect(await refusalOfPoll(weekLong)).toEqual([400, "BAD_EVENT_QUEUE_ID", weekLong.id]);
  });

  test("end when nobody polls them, while held ones stay", async () => {
    const [short, long, held] = [
      await world.bob.register({ ...messagesOnly, idle_queue_timeout: 300 }),
      await world.bob.register({ ...messagesOnly, idle_queue_timeout: "mobile" }),
      await world.bob.register({ ...messagesOnly, idle_queue_timeout: 60 }),
    ];
    for (let minute = 0; minute < 12; minute++) {
      if (!isHeld(world.app, held.id, world.realm.id)) await startPoll(world, held);
      await wait(60);
    }
    expect((await storedQueues()).sort()).toEqual([long.id, held.id].sort());
    expect(await refusalOfPoll(short)).toEqual([400, "BAD_EVENT_QUEUE_ID", short.id]);
    expect(await long.events()).toEqual([]);
    expect((await refusalOfPoll(held))[0]).toBe(200);
  });

  test("live on where the time of their last poll could not be saved at first", async () => {
    const { bob, clock, app, realm } = world;
    const [polled] = [
      await bob.register(messagesOnly),
      await bob.register({ ...messagesOnly, idle_queue_timeout: 60 }),
    ];
    await renameTable("sent_locals", "elsewhere");
    clock.advance(540);
    expect(await polled.events()).toEqual([]);
    expect(await errorOf(tidyQueues(app, app.events, [realm.id]))).toBeInstanceOf(Error);
    await renameTable("elsewhere", "sent_locals");
    await wait(200);
    expect(await storedQueues()).toEqual([polled.id]);
    await bob.say("general", "lunch", "soup");
    expect(contents(await polled.events())).toEqual(["soup"]);
  });

  test("are saved in parts, so that other writes do not wait for the times of all", async () => {
    const { app, clock, operator, realm } = world;
    const queue = {
      userId: world.bob.id,
      apiKeyId: null,
      registeredAt: 1,
      idleTimeoutSeconds: 600,
    };
    const options = (await loadQueue(app.engine.reader, realm.id, (await world.bob.register()).id))
      ?.options;
    if (!options) throw new Error("the queue is gone");
    const states: QueueState[] = [];
    await write(operator, async (tx) => {
      for (let count = 0; count < 2_500; count++)
        states.push(
          queueStateOf(await insertQueue(tx, realm.id, { ...queue, options }, { dropped: 0 })),
        );
    });
    clock.advance(1);
    for (const state of states) state.lastSeen = clock.now();
    const savedBefore = async () => {
      const rows = await write(operator, ({ db, t }) => db.select().from(t.eventQueues));
      return rows.filter(({ lastSeen }) => lastSeen === clock.now()).length;
    };
    const { write: writeAtOnce } = app.engine;
    let other: Promise<number> | undefined;
    Object.assign(app.engine, {
      write(...given: Parameters<typeof writeAtOnce>) {
        const written = writeAtOnce.apply(app.engine, given);
        Object.assign(app.engine, { write: writeAtOnce });
        other = savedBefore();
        return written;
      },
    });
    await saveAndExpire(app, realm.id, states, { now: clock.now(), logKeptFrom: 0 });
    expect(await other).toBe(1_000);
    expect(states.every(({ savedAt }) => savedAt === clock.now())).toBe(true);
  });

  test("are ended by the server itself", async () => {
    const { id } = await world.bob.register({ ...messagesOnly, idle_queue_timeout: 60 });
    expect(await storedQueues()).toContain(id);
    await until(async () => {
      world.clock.advance(61);
      return !(await storedQueues()).includes(id);
    });
  });

  test("that missed more events than allowed are refused", async () => {
    const [patient, other] = [
      await world.bob.register({ event_types: ["numbered"] }),
      await world.bob.register(messagesOnly),
    ];
    await logMany(2_501);
    expect(await refusalOfPoll(patient)).toEqual([400, "BAD_EVENT_QUEUE_ID", patient.id]);
    expect(await other.events()).toEqual([]);
  });

  test("get what they missed in answers of at most 1,000 events, in order, each once", async () => {
    const queue = await world.bob.register({ event_types: ["numbered"] });
    await logMany(2_300);
    const sizes: number[] = [];
    const numbers: number[] = [];
    for (let events = await queue.events(); events.length > 0; events = await queue.events()) {
      sizes.push(events.length);
      numbers.push(...events.map(({ number }) => number));
    }
    expect(sizes).toEqual([1_000, 1_000, 300]);
    expect(numbers).toEqual(Array.from({ length: 2_300 }, (_, i) => i));
  });

  for (const when of ["while it is in memory", "after the server was started anew"])
    test(`count each of many deletions that come one by one, ${when}`, async () => {
      const single = {
        event_types: ["delete_message"],
        client_capabilities: { notification_settings_null: true },
      };
      const [queue, patient] = [await world.bob.register(single), await world.bob.register(single)];
      const remove = async (first: number, count: number) => {
        const ids = Array.from({ length: count }, (_, index) => first + index);
        const toBob = { to: "users" as const, ids: [world.bob.id] };
        await write(world.operator, (tx) => announceGoneIn(tx, toBob, ids, undefined));
      };
      await remove(1, 2_300);
      if (when !== "while it is in memory") await world.restart();
      const sizes: number[] = [];
      const ids: number[] = [];
      for (let events = await queue.events(); events.length > 0; events = await queue.events()) {
        sizes.push(events.length);
        ids.push(...events.map(({ message_id }) => message_id));
      }
      expect(Math.max(...sizes)).toBeLessThanOrEqual(1_000);
      expect(ids).toEqual(Array.from({ length: 2_300 }, (_, index) => index + 1));
      await remove(3_001, 201);
      if (when !== "while it is in memory") await world.restart();
      expect(await refusalOfPoll(patient)).toEqual([400, "BAD_EVENT_QUEUE_ID", patient.id]);
      expect(await queue.events()).toHaveLength(201);
    });

  test("wait no longer than needed behind a thousand messages that are gone", async () => {
    const { alice, bob, operator } = world;
    const queue = await bob.register(messagesOnly);
    const first = await alice.say("general", "lunch", "gone");
    await write(operator, async (tx) => {
      for (let i = 0; i < 1_001; i++) {
        await tx.emit({ to: "users", ids: [bob.id] }, { type: "message", message_id: 0 });
      }
    });
    await write(operator, async ({ db, t }) => {
      await db.delete(t.messages).where(eq(t.messages.id, first));
    });
    await alice.say("general", "lunch", "here");
    expect(contents(await queue.next())).toEqual(["here"]);
  });
});

describe("after a restart", () => {
  test("a queue goes on where its client is: every event once and in order", async () => {
    const { alice, bob } = world;
    const queue = await bob.register(messagesOnly);
    const [unread, seen]: [Queue, string[]] = [await bob.register(messagesOnly), []];
    for (let round = 0; round < 3; round++) {
      await alice.say("general", "lunch", `${round} a`);
      seen.push(...contents(await queue.events()));
      await alice.say("general", "lunch", `${round} b`);
      await world.restart();
      await alice.say("general", "lunch", `${round} c`);
      seen.push(...contents(await queue.events()));
    }
    const all = [0, 1, 2].flatMap((round) => ["a", "b", "c"].map((part) => `${round} ${part}`));
    expect(seen).toEqual(all);
    expect(contents(await unread.events())).toEqual(all);
  });

  test("the ids of events that are not stored never go back", async () => {
    const queue = await world.bob.register({ event_types: ["typing", "message"] });
    const ids: number[] = [];
    for (let round = 0; round < 3; round++) {
      const { answer } = await startPoll(world, queue);
      await world.alice.post("/typing", { type: "direct", op: "start", to: [world.bob.id] });
      ids.push(...(await answer).body.events.map(({ id }: WireEvent) => id));
      queue.lastEventId = ids.at(-1) ?? 0;
      await world.restart();
      await queue.events();
    }
    await world.alice.say("general", "lunch", "soup?");
    ids.push(...(await queue.events()).map(({ id }) => id));
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
    expect(ids.length).toBeGreaterThanOrEqual(4);
  });

  test("what comes while old events are counted is not missed by somebody who has just subscribed", async () => {
    const { alice, otto, channels } = world;
    const { id: queueId } = await otto.register();
    const type = "numbered";
    const audience = JSON.stringify({ to: "users", ids: [alice.id] });
    const rows = Array.from({ length: 10_100 }, (_, number) => {
      const body = JSON.stringify({ type, number });
      return { realmId: world.realm.id, type, audience, body, createdAt: world.clock.now() };
    });
    await write(world.operator, async ({ db, t }) => {
      for (const chunk of inChunks(rows)) await db.insert(t.eventLog).values(chunk);
    });
    await world.restart();
    const { app, operator, realm } = world;
    const poll = async (lastEventId: number): Promise<WireEvent[]> => {
      const answer = await app.events.poll({
        realmId: realm.id,
        userId: otto.id,
        queueId,
        lastEventId,
        dontBlock: true,
        expect: () => undefined,
        endLongWork: () => undefined,
        signal: new AbortController().signal,
      });
      return answer.map((json) => JSON.parse(json));
    };
    const counting = poll(-1);
    await new Promise((resolve) => setImmediate(resolve));
    const general = await findChannel(operator.reader, realm.id, channels.general);
    if (!general) throw new Error("the channel is gone");
    await write(operator, (tx) => subscribeUsers(tx, operator, [general], [otto.id]));
    const toSubscribers = { to: "subscribers" as const, channelId: general.id, isPrivate: false };
    await write(operator, (tx) => tx.emit(toSubscribers, { type: "numbered", number: -1 }));
    await write(operator, (tx) => tx.emit({ to: "realm" }, { type: "numbered", number: -2 }));
    const heard = await counting;
    heard.push(...(await poll(heard.at(-1)?.id ?? -1)));
    const numbers = heard.flatMap(({ type, number }) => (type === "numbered" ? [number] : []));
    expect(numbers).toEqual([-1, -2]);
  });

  test("a poll that was held has been answered, and its client goes on", async () => {
    const queue = await world.bob.register(messagesOnly);
    const { answer } = await startPoll(world, queue);
    await world.restart();
    expect((await answer).body).toMatchObject({ result: "success", events: [] });
    await world.alice.say("general", "lunch", "back");
    expect(contents(await queue.next())).toEqual(["back"]);
  });
});

describe("what a late reader sees", () => {
  test("messages as of now: without deleted ones, and read ones as read", async () => {
    const { alice, bob, operator } = world;
    const queue = await bob.register(messagesOnly);
    const ids = [
      await alice.say("general", "lunch", "kept"),
      await alice.say("general", "lunch", "deleted"),
    ];
    await bob.post("/messages/flags", { messages: [ids[0]], op: "add", flag: "read" });
    await write(operator, async ({ db, t }) => {
      await db.delete(t.messages).where(eq(t.messages.id, ids[1] ?? 0));
    });
    await world.restart();
    const events = await queue.events();
    expect(contents(events)).toEqual(["kept"]);
    expect(events[0].flags).toEqual(["read"]);
  });

  test("C5, C7: after leaving a private channel nothing of it, not even what was sent before; after coming back, what comes then", async () => {
    const { alice, bob, operator, realm } = world;
    const secret = await findChannel(operator.reader, realm.id, world.channels.secret);
    if (!secret) throw new Error("the channel is gone");
    const late = await bob.register(messagesOnly);
    const prompt = await bob.register({
      ...messagesOnly,
      event_types: ["message", "subscription", "stream"],
    });
    await alice.say("secret", "plot", "before");
    const held = await startPoll(world, await bob.register(messagesOnly));
    await write(operator, (tx) => unsubscribeUsers(tx, operator, [secret], [bob.id]));
    await alice.say("secret", "plot", "without bob");
    expect(await late.events()).toEqual([]);
    const told = await prompt.events();
    expect(JSON.stringify(told)).not.toContain('bob"');
    expect(contents(told)).toEqual([]);
    await write(operator, (tx) => subscribeUsers(tx, operator, [secret], [bob.id]));
    await alice.say("secret", "plot", "with bob");
    expect(contents(await late.events())).toEqual(["with bob"]);
    world.app.events.close();
    await held.answer;
  });
});
