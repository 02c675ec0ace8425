import { afterEach, beforeEach, expect, test } from "bun:test";
import { write } from "../../src/core/write";
import type { Queue, WireEvent } from "../support/client";
import { move, subscribeTo } from "../support/moves";
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

/** Puts messages of alice's into a channel without sending each. */
async function fill(channelId = world.channels.general, count = countMax): Promise<number[]> {
  const { alice, operator, realm } = world;
  const row = {
    realmId: realm.id,
    senderId: alice.id,
    channelId,
    sentChannelId: channelId,
    topicKey: "t",
    content: "x",
    renderedContent: "<p>x</p>",
    client: "test",
    sentAt: world.clock.now(),
    placedAt: 0,
    conversationId: null,
    topic: "t",
    readBySender: false,
  };
  const rows = await write(operator, (tx) =>
    tx.db
      .insert(tx.t.messages)
      .values(Array.from({ length: count }, () => row))
      .returning({ id: tx.t.messages.id }),
  );
  return rows.map(({ id }) => id).sort((a, b) => a - b);
}

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
    const ids = await fill();
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
  const ids = await fill();
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

test("Deletions in protected history are few entries of the log, and each person hears of the messages that they could read", async () => {
  const { alice, bob, carol, olga, channels } = world;
  const add = async (principal: number) => {
    const form = { subscriptions: [{ name: "secret" }], principals: [principal] };
    expect((await alice.post("/users/me/subscriptions", form)).status).toBe(200);
  };
  await add(olga.id);
  const earlier = await fill(channels.secret, countMax / 2);
  await add(carol.id);
  const later = await fill(channels.secret, countMax / 2);
  const [ofBob, ofCarol] = [await bob.register(deletionsOnly), await carol.register(deletionsOnly)];
  const before = await logHead();
  const form = { topic_name: "t" };
  const answer = await olga.post(`/streams/${channels.secret}/delete_topic`, form);
  expect(answer.body.complete).toBe(true);
  expect((await logHead()) - before).toBeLessThan(2 * entriesMax);
  const heard = async (queue: Queue) =>
    (await pollAll(queue)).map((event) => Number(event.message_id)).sort((a, b) => a - b);
  expect(await heard(ofBob)).toEqual([...earlier, ...later]);
  expect(await heard(ofCarol)).toEqual(later);
});
