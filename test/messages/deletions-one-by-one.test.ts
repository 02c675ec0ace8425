import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { eventsPerEntryMax, idsPerLogEntry } from "../../src/core/event-hub";
import { write } from "../../src/core/write";
import { makeEventHub } from "../../src/events/hub";
import type { ServingHub } from "../../src/events/serving-hub";
import { announceGoneIn, directMessagesDeletedOneByOne } from "../../src/messages/delete/events";
import { messageEventForms } from "../../src/messages/event-forms";
import type { Queue, WireEvent } from "../support/client";
import { addManyMessages } from "../support/many-messages";
import { move, subscribeTo } from "../support/moves";
import { errorOf } from "../support/outcome";
import { makeWorld, type World } from "../support/world";

/**
 * Clients that do not know `bulk_message_deletion` get an event for each message that is gone. The
 * log does not hold one for each.
 */

const countMax = 1_000;
/** Most entries of the log for one move. */
const entriesMax = 30;

let world: World;
beforeEach(async () => {
  world = await makeWorld({ answer_size_bytes_max: "65536" });
});
afterEach(() => world.close());

const deletionsOnly = {
  event_types: ["delete_message", "typing"],
  client_capabilities: { notification_settings_null: true, stream_typing_notifications: true },
};

/** Moves the topic of these messages out of the sight of all but alice. */
async function hide(ids: number[]) {
  const { alice, olga } = world;
  const channel = await subscribeTo(olga, "secret plans", [alice, olga]);
  const quiet = { send_notification_to_new_thread: false };
  const all = { stream_id: channel, propagate_mode: "change_all", ...quiet };
  expect((await move(olga, ids[0] ?? 0, all)).status).toBe(200);
}

/** Polls without waiting until nothing comes. */
async function pollAll(queue: Queue): Promise<WireEvent[]> {
  const events: WireEvent[] = [];
  for (let some = await queue.events(); some.length > 0; some = await queue.events())
    events.push(...some);
  return events;
}

const logHead = async () => {
  const { eventLog } = world.app.engine.reader.t;
  const rows = await world.app.engine.reader.db.select({ id: eventLog.id }).from(eventLog);
  return Math.max(...rows.map(({ id }) => id));
};

for (const when of ["while they are in memory", "after the server was started anew"])
  test(`A topic that bob loses comes as a deletion of each message, in order, from few entries of the log, ${when}`, async () => {
    const { bob, channels } = world;
    const ids = await addManyMessages(world, countMax, world.clock.now());
    const queue = await bob.register(deletionsOnly);
    const before = await logHead();
    await hide(ids);
    expect((await logHead()) - before).toBeLessThan(entriesMax);
    if (when !== "while they are in memory") await world.restart();
    const events = await pollAll(queue);
    expect(events.map(({ message_id }) => message_id)).toEqual(ids);
    const [{ id: _id, ...first }] = events as [WireEvent];
    const place = { message_type: "stream", stream_id: channels.general, topic: "t" };
    expect(first).toEqual({ type: "delete_message", message_id: ids[0], ...place });
    const wireIds = events.map(({ id }) => id);
    expect(wireIds).toEqual([...new Set(wireIds)].sort((a, b) => a - b));
  });

test("A client of bob's that has handled some of the deletions gets the others, and what came meanwhile behind them", async () => {
  const { alice, bob } = world;
  const ids = await addManyMessages(world, countMax, world.clock.now());
  const queue = await bob.register(deletionsOnly);
  await queue.events();
  await hide(ids);
  await alice.post("/typing", { type: "direct", op: "start", to: [bob.id] });
  for (let handled = 0; handled < ids.length; handled += 333) {
    const { body } = await queue.poll({ dont_block: true });
    const events: WireEvent[] = body.events;
    expect(events[0]?.message_id).toBe(ids[handled]);
    queue.lastEventId = events[332]?.id ?? queue.lastEventId;
  }
  const rest = await pollAll(queue);
  expect(rest.map(({ type, message_id }) => message_id ?? type)).toEqual([ids[999], "typing"]);
});

test("Each client gets one of the two forms, also of direct messages and of an empty topic", async () => {
  const { bob, channels, operator } = world;
  const names = { ...deletionsOnly.client_capabilities, empty_topic_name: true };
  const [old, named, modern] = [
    await bob.register(deletionsOnly),
    await bob.register({ ...deletionsOnly, client_capabilities: names }),
    await bob.register({ event_types: ["delete_message"] }),
  ];
  const toBob = { to: "users" as const, ids: [bob.id] };
  await write(operator, async (tx) => {
    await announceGoneIn(tx, toBob, [7, 8], { stream_id: channels.general, topic: "" });
    await announceGoneIn(tx, toBob, [9, 10], undefined);
  });
  const formsFor = async (queue: Queue) =>
    (await pollAll(queue)).map(({ id: _id, ...rest }) => rest);
  const type = "delete_message";
  const inTopic = (topic: string) => ({
    message_type: "stream",
    stream_id: channels.general,
    topic,
  });
  const direct = { message_type: "private" };
  const oneByOne = (topic: string) => [
    { type, message_id: 7, ...inTopic(topic) },
    { type, message_id: 8, ...inTopic(topic) },
    { type, message_id: 9, ...direct },
    { type, message_id: 10, ...direct },
  ];
  expect(await formsFor(old)).toEqual(oneByOne("general chat"));
  expect(await formsFor(named)).toEqual(oneByOne(""));
  expect(await formsFor(modern)).toEqual([
    { type, message_ids: [7, 8], ...inTopic("") },
    { type, message_ids: [9, 10], ...direct },
  ]);
});

describe("On a node that has not read the newest entries of the log yet", () => {
  let late: ServingHub;
  let queue: Queue;
  beforeEach(async () => {
    const { app, bob, clock, operator, realm } = world;
    // Entries of all organizations share one row of ids, so the next ID may be that of another one.
    await write(operator, (tx) => tx.emit({ to: "server" }, { type: "newest" }));
    queue = await bob.register(deletionsOnly);
    late = makeEventHub({
      engine: { ...app.engine, checkForOtherWrites: () => undefined, broadcast: undefined },
      clock,
      presenters: messageEventForms,
      heartbeatSeconds: 50,
      queueEventsMax: 10_000,
      answerSizeBytesMax: 65_536,
      logBlank: () => undefined,
      warn: (event, fields) => expect([event, fields]).toEqual([]),
    });
    await late.follow(realm.id);
  });

  async function pollLate(lastEventId: number): Promise<WireEvent[]> {
    const events = await late.poll({
      realmId: world.realm.id,
      userId: world.bob.id,
      queueId: queue.id,
      lastEventId,
      dontBlock: true,
      expect: () => undefined,
      endLongWork: () => undefined,
      signal: new AbortController().signal,
    });
    return events.map((json) => JSON.parse(json));
  }

  const ids = Array.from({ length: eventsPerEntryMax }, (_, index) => index + 1);
  const toBob = () => ({ to: "users" as const, ids: [world.bob.id] });
  /** Makes the next entry of the log, one for all of the ids. */
  const remove = () => {
    const gone = { one_by_one_ids: ids, message_type: "private" as const };
    return write(world.operator, (tx) => tx.emit(toBob(), directMessagesDeletedOneByOne(gone)));
  };
  const type = () => late.sendEphemeral(world.realm.id, toBob(), { type: "typing" });

  test("a client that has handled some of the newest deletions gets the others before what came after", async () => {
    await pollLate(-1);
    await remove();
    const { body } = await queue.poll({ dont_block: true });
    const rest = await pollLate(body.events[59].id);
    expect(rest.map(({ message_id }) => message_id)).toEqual(ids.slice(60));
    type();
    const typing = await pollLate(rest.at(-1)?.id);
    expect(typing.map((event) => event.type)).toEqual(["typing"]);
  });

  test("a client that has handled some of them loses nothing that is not stored and comes next", async () => {
    await pollLate(-1);
    await remove();
    const { body } = await queue.poll({ dont_block: true });
    await pollLate(body.events[59].id);
    type();
    const rest = await pollLate(body.events[59].id);
    expect(rest.map((event) => event.message_id ?? event.type)).toEqual([
      ...ids.slice(60),
      "typing",
    ]);
  });

  test("events that are not stored take no ids of the deletions that come next", async () => {
    const events = await pollLate(-1);
    for (let round = 0; round < 12; round++) {
      for (let sent = 0; sent < 100; sent++) type();
      events.push(...(await pollLate(events.at(-1)?.id ?? -1)));
    }
    const typed = events.length;
    expect(typed).toBe(idsPerLogEntry - eventsPerEntryMax);
    const highest = events.at(-1)?.id;
    expect(await errorOf(pollLate(highest + 1))).toMatchObject({ code: "BAD_REQUEST" });
    await remove();
    late.changedElsewhere(world.realm.id);
    events.push(...(await pollLate(highest)));
    expect(events.slice(typed).map(({ message_id }) => message_id)).toEqual(ids);
    const wireIds = events.map(({ id }) => id);
    expect(wireIds).toEqual([...new Set(wireIds)].sort((a, b) => a - b));
  });
});

test("A topic with protected history is deleted with few entries of the log, and people who came later hear of what they could read", async () => {
  const { olga, bob, carol, clock } = world;
  const guarded = { invite_only: true, history_public_to_subscribers: false };
  const channel = await subscribeTo(olga, "guarded", [olga, bob], guarded);
  const addHidden = async () => {
    const ids = await addManyMessages(world, 150, clock.now());
    const all = { stream_id: channel, propagate_mode: "change_all" };
    const quiet = { send_notification_to_new_thread: false };
    expect((await move(olga, ids[0] ?? 0, { ...all, ...quiet })).status).toBe(200);
    return ids;
  };
  const early = await addHidden();
  await subscribeTo(olga, "guarded", [carol], guarded);
  const late = await addHidden();
  const modern = { notification_settings_null: true, bulk_message_deletion: true };
  const queues = [
    await bob.register(deletionsOnly),
    await carol.register(deletionsOnly),
    await carol.register({ ...deletionsOnly, client_capabilities: modern }),
  ];
  const before = await logHead();
  const topic = { topic_name: "t" };
  expect((await olga.post(`/streams/${channel}/delete_topic`, topic)).body.complete).toBe(true);
  expect((await logHead()) - before).toBeLessThan(entriesMax);
  const heard = await Promise.all(queues.map(pollAll));
  const idsOf = (events: WireEvent[]) =>
    events
      .flatMap(({ message_id, message_ids }) => message_ids ?? message_id)
      .sort((a, b) => a - b);
  expect(heard.map(idsOf)).toEqual([[...early, ...late], late, late]);
});
