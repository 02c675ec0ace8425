import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { findChannel } from "../../src/channels/queries";
import { write } from "../../src/core/write";
import { prepareChange, updateChannelIn } from "../../src/management/channels/update";
import { subscribeUsers } from "../../src/management/subscriptions/subscribe";
import { unsubscribeUsers } from "../../src/management/subscriptions/unsubscribe";
import type { Queue, WireEvent } from "../support/client";
import { addManyPeople } from "../support/many-people";
import { makeWorld, type Person, type World } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

const types = ["stream", "subscription", "default_streams"];

/** Opens a queue for each. */
async function listen<Name extends string>(
  people: Record<Name, Person>,
  parameters = {},
): Promise<Record<Name, Queue>> {
  const queues: Partial<Record<Name, Queue>> = {};
  for (const name of Object.keys(people) as Name[]) {
    queues[name] = await people[name].register({
      event_types: types,
      include_subscribers: true,
      ...parameters,
    });
  }
  return queues as Record<Name, Queue>;
}

const join = (person: Person, name: string, more = {}) =>
  person.post("/users/me/subscriptions", { subscriptions: [{ name }], ...more });

const leave = (person: Person, name: string, more = {}) =>
  person.delete("/users/me/subscriptions", { subscriptions: [name], ...more });

describe("state and events", () => {
  test("What a client makes of the events is what a new register gives, for everybody, at once and late", async () => {
    const { alice, bob, carol, olga, adam, otto, greta, robot, mona } = world;
    const people = { alice, bob, carol, olga, adam, otto, greta, robot, mona };
    const prompt = await listen(people);
    const late = await listen(people);
    const check = async (queues: Record<string, Queue>) => {
      for (const [name, person] of Object.entries(people)) {
        const queue = queues[name];
        if (!queue) throw new Error(`${name} has no queue`);
        for (const event of await queue.events()) applyEvent(queue.state, event, person.id);
        const now = await person.register({ event_types: types, include_subscribers: true });
        expect({ name, ...comparable(queue.state) }).toEqual({ name, ...comparable(now.state) });
      }
    };
    await join(otto, "general");
    await check(prompt);
    await join(alice, "crew", { principals: [alice.id, greta.id, carol.id], description: "we" });
    await check(prompt);
    await join(alice, "inner", { invite_only: true, principals: [alice.id, bob.id, olga.id] });
    await join(bob, "inner", { principals: [carol.id, greta.id] });
    await check(prompt);
    await leave(olga, "inner", { principals: [carol.id, olga.id, greta.id] });
    await leave(olga, "general", { principals: [carol.id, adam.id] });
    await check(prompt);
    await join(alice, "inner", { principals: [carol.id] });
    await leave(greta, "crew");
    await bob.patch("/users/me/subscriptions", { add: [{ name: "patched" }], delete: ["inner"] });
    await check(prompt);
    const general = await findChannel(
      world.app.engine.reader,
      world.realm.id,
      world.channels.general,
    );
    if (!general) throw new Error("the channel is gone");
    const change = prepareChange({
      name: "everybody",
      description: "all *of* us",
      isDefault: true,
    });
    await write(world.operator, (tx) => updateChannelIn(tx, world.operator, general, change));
    await check(prompt);
    await check(late);
  });

  test("A subscription is told with the channel and with one's own settings for it, which are the usual ones at first", async () => {
    const { otto, alice, olga, robot, clock } = world;
    const ids = [alice.id, robot.id];
    const { body } = await olga.post("/channels/create", {
      name: "kitchen",
      description: "**Soup**",
      subscribers: ids,
    });
    const asked = await otto.register({ event_types: types, include_subscribers: true });
    const partial = await otto.register({ event_types: types, include_subscribers: "partial" });
    await join(otto, "kitchen");
    const [{ subscriptions }] = await asked.events();
    const inherited = ["desktop", "email", "push", "audible"].map((kind) => [
      `${kind}_notifications`,
      null,
    ]);
    const expected = {
      stream_id: body.id,
      name: "kitchen",
      description: "**Soup**",
      invite_only: false,
      creator_id: olga.id,
      rendered_description: "<p><strong>Soup</strong></p>",
      date_created: clock.now(),
      is_announcement_only: false,
      pin_to_top: false,
      is_muted: false,
      in_home_view: true,
      wildcard_mentions_notify: null,
      ...Object.fromEntries(inherited),
    };
    expect(subscriptions).toMatchObject([
      { ...expected, subscribers: expect.arrayContaining([...ids, otto.id]) },
    ]);
    expect(subscriptions[0]).not.toContainKey("partial_subscribers");
    const [event] = await partial.events();
    expect(event.subscriptions).toMatchObject([
      { ...expected, partial_subscribers: expect.arrayContaining(ids) },
    ]);
    expect(event.subscriptions[0]).not.toContainKey("subscribers");
  });

  test("Events bring the lists of subscribers to all but those who declined them, under the name that they asked for", async () => {
    const { otto, alice } = world;
    const asked = await otto.register({ event_types: types, include_subscribers: true });
    const partial = await otto.register({ event_types: types, include_subscribers: "partial" });
    const declined = await otto.register({ event_types: types, include_subscribers: false });
    const plain = await otto.register({ event_types: types });
    await join(otto, "general");
    const subscribersIn = async (queue: Queue) => {
      const [{ subscriptions }] = await queue.events();
      const { subscribers, partial_subscribers } = subscriptions[0];
      return [subscribers?.includes(alice.id), partial_subscribers?.includes(alice.id)];
    };
    expect(await subscribersIn(asked)).toEqual([true, undefined]);
    expect(await subscribersIn(partial)).toEqual([undefined, true]);
    expect(await subscribersIn(declined)).toEqual([undefined, undefined]);
    expect(await subscribersIn(plain)).toEqual([true, undefined]);
    expect(plain.state.never_subscribed[0].subscribers).toBeUndefined();
    expect(partial.state.never_subscribed[0].partial_subscribers).toContain(alice.id);
    const { status } = await otto.get("/users/me/subscriptions", { include_subscribers: "x" });
    expect(status).toBe(400);
  });

  test("Somebody who comes back has a period for each stay, however little happened in between", async () => {
    const { otto, app, realm, operator } = world;
    const general = await findChannel(app.engine.reader, realm.id, world.channels.general);
    if (!general) throw new Error("the channel is gone");
    const { eventLog, subscriptionPeriods: periods } = app.engine.schema;
    for (const round of [1, 2, 3]) {
      await write(operator, async (tx) => {
        await tx.db.delete(eventLog).where(eq(eventLog.realmId, realm.id));
        await subscribeUsers(tx, operator, [general], [otto.id]);
      });
      await write(operator, (tx) => unsubscribeUsers(tx, operator, [general], [otto.id]));
      const rows = await app.engine.reader.db
        .select()
        .from(periods)
        .where(eq(periods.userId, otto.id));
      expect(rows.filter(({ channelId }) => channelId === general.id)).toHaveLength(round);
      expect(rows.every(({ toLog }) => toLog !== null)).toBe(true);
    }
  });

  test("A thousand people are subscribed in one write and cost a handful of events", async () => {
    const { operator, app, realm, alice, otto } = world;
    const crowd = await addManyPeople(world, 1_000);
    const queues = await listen({ alice, otto });
    const general = await findChannel(app.engine.reader, realm.id, world.channels.general);
    if (!general) throw new Error("the channel is gone");
    await write(operator, (tx) => subscribeUsers(tx, operator, [general], [...crowd, otto.id]));
    const [added] = await queues.otto.events();
    expect(added.subscriptions[0].subscribers).toHaveLength(1_007);
    const told = await queues.alice.events();
    expect(told).toHaveLength(1);
    expect(told[0].user_ids).toHaveLength(1_001);
    await write(operator, (tx) => unsubscribeUsers(tx, operator, [general], crowd));
    const { body } = await alice.get(`/streams/${general.id}`);
    expect(body.stream.subscriber_count).toBe(7);
  });
});

type Entry = {
  stream_id: number;
  subscribers?: number[];
  subscriber_count: number;
  [key: string]: unknown;
};
type State = Record<"streams" | "subscriptions" | "unsubscribed" | "never_subscribed", Entry[]> & {
  realm_default_streams: number[];
};

const lists = ["streams", "subscriptions", "unsubscribed", "never_subscribed"] as const;
const byId = (a: Entry, b: Entry) => a.stream_id - b.stream_id;

/**
 * The part of the state that these events concern, in one order. No event tells the first message
 * of a channel.
 */
function comparable(state: State) {
  const sorted = lists.map((list) => [
    list,
    state[list].map(({ first_message_id: _, ...entry }) => entry as Entry).sort(byId),
  ]);
  return { ...Object.fromEntries(sorted), realm_default_streams: state.realm_default_streams };
}

/** Change of a client's state by an event. */
function applyEvent(state: State, event: WireEvent, userId: number) {
  if (event.type === "default_streams") state.realm_default_streams = event.default_streams;
  else if (event.type === "stream") applyStreamEvent(state, event);
  else if (event.op === "add") event.subscriptions.forEach((one: Entry) => void enter(state, one));
  else if (event.op === "remove")
    event.subscriptions.forEach((one: Entry) => void exit(state, one.stream_id, userId));
  else changePeers(state, event.op === "peer_add", event.stream_ids, event.user_ids);
}

function applyStreamEvent(state: State, event: WireEvent) {
  if (event.op === "delete") {
    for (const list of lists)
      state[list] = state[list].filter((one) => !event.stream_ids.includes(one.stream_id));
    return;
  }
  if (event.op === "update") {
    const { property, value, rendered_description } = event;
    for (const list of lists) {
      for (const one of state[list]) {
        if (one.stream_id !== event.stream_id) continue;
        Object.assign(
          one,
          { [property]: value },
          rendered_description === undefined ? {} : { rendered_description },
        );
      }
    }
    return;
  }
  for (const channel of event.streams as Entry[]) {
    state.streams.push({ ...channel });
    state.never_subscribed.push({ ...channel, subscribers: [] });
  }
}

function enter(state: State, subscription: Entry) {
  for (const list of ["unsubscribed", "never_subscribed"] as const) {
    state[list] = state[list].filter((one) => one.stream_id !== subscription.stream_id);
  }
  const subscriber_count = subscription.subscribers?.length ?? 0;
  state.subscriptions.push({ ...subscription, subscriber_count });
  for (const one of state.streams)
    if (one.stream_id === subscription.stream_id) one.subscriber_count = subscriber_count;
}

function exit(state: State, channelId: number, userId: number) {
  changePeers(state, false, [channelId], [userId]);
  state.unsubscribed.push(...state.subscriptions.filter((one) => one.stream_id === channelId));
  state.subscriptions = state.subscriptions.filter((one) => one.stream_id !== channelId);
}

function changePeers(state: State, isAdded: boolean, channelIds: number[], userIds: number[]) {
  const counts = new Map<number, number>();
  for (const list of ["subscriptions", "unsubscribed", "never_subscribed"] as const) {
    for (const one of state[list].filter(({ stream_id }) => channelIds.includes(stream_id))) {
      const others = (one.subscribers ?? []).filter((id) => !userIds.includes(id));
      one.subscribers = (isAdded ? [...others, ...userIds] : others).sort((a, b) => a - b);
      one.subscriber_count = one.subscribers.length;
      counts.set(one.stream_id, one.subscriber_count);
    }
  }
  for (const one of state.streams)
    one.subscriber_count = counts.get(one.stream_id) ?? one.subscriber_count;
}

test("a guest who becomes a member gets the channels as events, or their queues end where these are more than 1,000", async () => {
  const { olga, greta, operator, realm } = world;
  const addChannels = (from: number, count: number) =>
    write(operator, ({ db, t, now }) =>
      db.insert(t.channels).values(
        Array.from({ length: count }, (_, index) => ({
          realmId: realm.id,
          name: `room ${from + index}`,
          nameKey: `room ${from + index}`,
          description: "",
          renderedDescription: "",
          inviteOnly: false,
          historyPublicToSubscribers: true,
          createdAt: now,
        })),
      ),
    );
  await addChannels(0, 900);
  const { greta: queue } = await listen({ greta });
  await olga.patch(`/users/${greta.id}`, { role: 400 });
  const [appeared] = await queue.events();
  expect([appeared.op, appeared.streams.length > 900]).toEqual(["create", true]);
  await olga.patch(`/users/${greta.id}`, { role: 600 });
  await queue.events();
  await addChannels(900, 200);
  const { olga: others } = await listen({ olga });
  await olga.patch(`/users/${greta.id}`, { role: 400 });
  expect((await queue.poll({ dont_block: true })).body.code).toBe("BAD_EVENT_QUEUE_ID");
  expect(await others.events()).toEqual([]);
  expect((await greta.get("/streams")).body.streams.length).toBeGreaterThan(1_100);
});
