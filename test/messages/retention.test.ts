import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { makeRetention } from "../../src/messages/delete/retention";
import type { Queue, WireEvent } from "../support/client";
import { verify } from "../support/client-state/verify";
import { hear, listen } from "../support/listening";
import { addManyMessages } from "../support/many-messages";
import { until } from "../support/polls";
import { turnsDuring } from "../support/turns";
import { makeWorld, type Person, type World } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

const day = 24 * 3600;
const deletionsOnly = { event_types: ["delete_message"] };
const removed = ({ message_ids }: WireEvent) => message_ids;
const isThere = async (person: Person, id: number) =>
  (await person.get(`/messages/${id}`)).status === 200;
const areThere = (person: Person, ...ids: number[]) =>
  Promise.all(ids.map((id) => isThere(person, id)));

const keepInRealm = async (days: number | string) =>
  expect(
    (await world.olga.patch("/realm", { message_retention_days: JSON.stringify(days) })).body.msg,
  ).toBe("");
const keepInGeneral = async (days: number | string) =>
  expect(
    (
      await world.olga.patch(`/streams/${world.channels.general}`, {
        message_retention_days: JSON.stringify(days),
      })
    ).body.msg,
  ).toBe("");

/** Lets days pass and the server do its work. */
async function pass(days: number, isDone: () => Promise<boolean>) {
  world.clock.advance(days * day);
  await until(isDone);
}

const isGone = (id: number) => async () => !(await isThere(world.alice, id));

describe("Messages that are older than the organization keeps them", () => {
  test("are deleted, direct ones too, and those who could read them hear of it", async () => {
    const { alice, bob, carol, otto, zoe, clock, channels } = world;
    const old = [await alice.say("general", "t", "1"), await alice.say("plans", "t", "2")];
    const direct = [await alice.tell([bob], "3"), await alice.tell([bob], "4")];
    clock.advance(2 * day);
    const young = [await alice.say("general", "t", "5"), await alice.tell([bob], "6")];
    await keepInRealm(10);
    await pass(7.9, async () => true);
    const queues = await listen(
      { alice, bob, carol, otto, zoe },
      { ...deletionsOnly, idle_queue_timeout: 604_800 },
    );
    expect(await areThere(alice, ...old, ...direct, ...young)).toEqual([
      true,
      true,
      true,
      true,
      true,
      true,
    ]);
    await pass(0.2, isGone(direct[1] ?? 0));
    expect(await areThere(alice, ...old, ...direct, ...young)).toEqual([
      false,
      false,
      false,
      false,
      true,
      true,
    ]);
    const heard = await hear(queues, removed);
    const [first, second] = old;
    expect(heard).toEqual({
      alice: [[first], [second], direct],
      bob: [[first], direct],
      carol: [[first]],
      otto: [],
      zoe: [],
    });
    const { body } = await bob.get(`/users/me/${channels.general}/topics`);
    expect(body.topics).toEqual([{ name: "t", max_id: young[0] }]);
    await pass(2, isGone(young[1] ?? 0));
    expect(await areThere(alice, ...young)).toEqual([false, false]);
  });

  test("but not in a channel that keeps them longer; and one that keeps them less long goes before", async () => {
    const { alice } = world;
    await keepInRealm(10);
    await keepInGeneral("unlimited");
    const [kept, other] = [
      await alice.say("general", "t", "1"),
      await alice.say("plans", "t", "2"),
    ];
    await pass(11, isGone(other));
    expect(await isThere(alice, kept)).toBe(true);
    await keepInGeneral(20);
    await keepInRealm("unlimited");
    const direct = await alice.tell([world.bob], "3");
    await pass(10, isGone(kept));
    expect(await isThere(alice, direct)).toBe(true);
    await keepInGeneral("realm_default");
    const last = await alice.say("general", "t", "4");
    world.clock.advance(400 * day);
    expect(await areThere(alice, last, direct)).toEqual([true, true]);
  });

  test("with protected history each is told to those who could read it, and a topic goes with all wishes for it", async () => {
    const { alice, bob, carol, channels } = world;
    const before = await alice.say("secret", "t", "1");
    await alice.post("/users/me/subscriptions", {
      subscriptions: [{ name: "secret" }],
      principals: [carol.id],
    });
    const after = await alice.say("secret", "t", "2");
    await bob.post("/user_topics", {
      stream_id: channels.secret,
      topic: "t",
      visibility_policy: 1,
    });
    await keepInRealm(5);
    const queues = await listen({ bob, carol }, { ...deletionsOnly, idle_queue_timeout: 604_800 });
    await pass(6, isGone(after));
    const heard = await hear(queues, (event) => event);
    // Carol was told by a direct message that she was subscribed.
    const inSecret = (events: WireEvent[]) =>
      events.filter(({ stream_id }) => stream_id !== undefined).map(removed);
    expect([inSecret(heard.bob), inSecret(heard.carol)]).toEqual([[[before], [after]], [[after]]]);
    const { state } = await bob.register({ fetch_event_types: ["user_topic"] });
    expect(state.user_topics).toEqual([]);
  });

  test("go by hundreds, on several servers at once, and each is told of once", async () => {
    const { alice, bob, app, realm, channels, clock } = world;
    await world.startNode();
    const sent: number[] = [];
    for (let count = 0; count < 3; count++)
      sent.push(await alice.say("general", `t${count}`, "soup"));
    const { messages } = app.engine.reader.t;
    const more = Array.from({ length: 250 }, (_, index) => ({
      realmId: realm.id,
      senderId: alice.id,
      channelId: channels.general,
      sentChannelId: channels.general,
      topic: `t${index % 3}`,
      topicKey: `t${index % 3}`,
      content: "x",
      renderedContent: "<p>x</p>",
      client: "test",
      sentAt: clock.now(),
      readBySender: true,
    }));
    await app.engine.write(
      realm.id,
      async ({ db }) => db.insert(messages).values(more),
      () => undefined,
    );
    await keepInRealm(1);
    const queue: Queue = await bob.register({ ...deletionsOnly, idle_queue_timeout: 604_800 });
    const ids: number[] = [];
    const isEmpty = async () => {
      // A server hears of what another has deleted a moment later.
      ids.push(...(await queue.events()).flatMap(removed));
      const { topics } = (await bob.get(`/users/me/${channels.general}/topics`)).body;
      return topics.length === 0 && ids.length >= 253;
    };
    await pass(2, isEmpty);
    expect(ids).toHaveLength(253);
    expect(new Set(ids).size).toBe(253);
    expect(ids).toContain(sent[0] ?? 0);
  });
});

test("For everybody the state before and what the server deletes give the state after", async () => {
  const { alice, bob } = world;
  await alice.say("general", "t", "1");
  await alice.say("secret", "t", "2");
  const last = await alice.tell([bob], "3");
  await keepInRealm(1);
  await verify(world, () => pass(1.1, isGone(last)), { idle_queue_timeout: 604_800 });
});

test("Others have their turn between many channels, and between many messages that are kept longer", async () => {
  await keepInRealm(10);
  await keepInGeneral("unlimited");
  const turns = () => turnsDuring(makeRetention(world.app, () => false));
  const names = Array.from({ length: 100 }, (_, index) => ({ name: `room ${index}` }));
  await world.olga.post("/users/me/subscriptions", { subscriptions: names });
  expect(await turns()).toBeGreaterThanOrEqual(5);
  await addManyMessages(world, 10_000);
  expect(await turns()).toBeGreaterThanOrEqual(15);
});
