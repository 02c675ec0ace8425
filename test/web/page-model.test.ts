import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  applyMessages,
  arrived,
  type FlaggedMessage,
  type Messages,
} from "../../src/web/model/message";
import { belongs, factsOf, type Narrow, narrowParameter } from "../../src/web/model/narrow";
import { mayDelete, mayEdit, mayMoveToTopic } from "../../src/web/model/permissions";
import { applyEvent, modelFrom } from "../../src/web/model/snapshot";
import {
  applyTopics,
  newestFirst,
  type Topic,
  type Topics,
  withTopics,
} from "../../src/web/model/topics";
import { clientCapabilities, type Event, fetchEventTypes } from "../../src/web/model/wire";
import type { Queue } from "../support/client";
import { comparableModel } from "../support/client-state/web-model";
import { makeWorld, type Person, type World } from "../support/world";

/*
 * The web client registers otherwise than the clients of `verify` do: without what it does not
 * read.
 */

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.close());

const open = (person: Person): Promise<Queue> =>
  person.register({
    fetch_event_types: fetchEventTypes,
    client_capabilities: clientCapabilities,
    include_subscribers: false,
    slim_presence: true,
    client_gravatar: true,
  });

/** Does something, and checks that the page's model follows for each of these people. */
async function followed(people: readonly Person[], action: () => Promise<unknown>) {
  const queues = await Promise.all(people.map(open));
  await action();
  for (const [index, person] of people.entries()) {
    const queue = queues[index] as Queue;
    const events: Event[] = await queue.events();
    const model = events.reduce(applyEvent, modelFrom(queue.state));
    const after = modelFrom((await open(person)).state);
    expect(comparableModel(model, model)).toEqual(comparableModel(after, model));
  }
}

test("the page follows without lists of subscribers: channels come and go, people join and leave", async () => {
  const { alice, bob, otto, adam, channels } = world;
  const people = [alice, bob, otto, adam];
  const subscribe = (person: Person, name: string, more = {}) =>
    person.post("/users/me/subscriptions", { subscriptions: [{ name }], ...more });
  await followed(people, () => subscribe(alice, "news", { principals: [alice.id, bob.id] }));
  await followed(people, () => subscribe(otto, "general"));
  await followed(people, () =>
    bob.delete("/users/me/subscriptions", { subscriptions: ["general"] }),
  );
  await followed(people, () => subscribe(bob, "general"));
  await followed(people, () =>
    adam.patch(`/streams/${channels.general}`, { description: "**all**" }),
  );
  await followed(people, () => adam.delete(`/streams/${channels.plans}`));
});

test("the page follows groups that are deactivated, statuses and settings", async () => {
  const { alice, bob, olga } = world;
  const people = [alice, bob];
  await followed(people, () =>
    olga.post("/user_groups/create", { name: "crew", description: "", members: [alice.id] }),
  );
  const { body } = await alice.get("/user_groups");
  const crew: { id: number } = body.user_groups.find(
    ({ name }: { name: string }) => name === "crew",
  );
  await followed(people, () => olga.post(`/user_groups/${crew.id}/deactivate`));
  await followed(people, () => alice.post("/users/me/status", { status_text: "at lunch" }));
  await followed(people, () => alice.post("/users/me/status", { status_text: "" }));
  await followed(people, () => olga.patch("/realm", { topics_policy: "disable_empty_topic" }));
  await followed(people, () => alice.patch("/settings", { color_scheme: 2 }));
});

describe("messages that the page has loaded", () => {
  const load = async (person: Person): Promise<Messages> => {
    const { body } = await person.get("/messages", {
      anchor: "newest",
      num_before: 100,
      num_after: 0,
      allow_empty_topic_name: true,
      client_gravatar: true,
    });
    const messages: FlaggedMessage[] = body.messages;
    return new Map(messages.map((one) => [one.id, comparable(one)]));
  };

  /** A message as events tell of it: its history is asked for when it is looked at. */
  const comparable = (one: FlaggedMessage): FlaggedMessage => ({
    ...one,
    edit_history: undefined,
    flags: [...one.flags].sort(),
    reactions: [...one.reactions].sort((a, b) => a.user_id - b.user_id),
  });

  test("follow edits, moves, reactions, flags and deletions", async () => {
    const { alice, bob, olga } = world;
    const ids: number[] = [];
    for (const content of ["one", "two", "three", "/poll Lunch?\nsoup"])
      ids.push(await alice.say("general", "lunch", content));
    const [first = 0, second = 0, third = 0, poll = 0] = ids;
    const steps: (() => Promise<unknown>)[] = [
      () => alice.patch(`/messages/${first}`, { content: "hello @**Bob**" }),
      () => bob.post(`/messages/${first}/reactions`, { emoji_name: "tada" }),
      () => olga.post(`/messages/${first}/reactions`, { emoji_name: "tada" }),
      () => bob.delete(`/messages/${first}/reactions`, { emoji_name: "tada" }),
      () => bob.post("/messages/flags", { messages: [second, third], op: "add", flag: "starred" }),
      () => bob.post("/messages/flags", { messages: [second], op: "remove", flag: "starred" }),
      () => bob.post("/messages/flags", { messages: ids, op: "add", flag: "read" }),
      () =>
        olga.patch(`/messages/${second}`, {
          topic: "soup",
          propagate_mode: "change_later",
          send_notification_to_old_thread: false,
          send_notification_to_new_thread: false,
        }),
      () =>
        bob.post("/submessage", {
          message_id: poll,
          msg_type: "widget",
          content: '{"type":"vote","key":"canned,0","vote":1}',
        }),
      () => bob.tell([alice], "psst"),
      () => alice.patch("/settings", { full_name: "Alice B." }),
      () => olga.delete(`/messages/${third}`),
    ];
    for (const [index, step] of steps.entries()) {
      const queue = await bob.register({
        client_capabilities: clientCapabilities,
        event_types: [
          "message",
          "update_message",
          "update_message_flags",
          "delete_message",
          "reaction",
          "submessage",
          "realm_user",
        ],
        client_gravatar: true,
      });
      const before = await load(bob);
      await step();
      const events: Event[] = await queue.events();
      expect({ index, count: events.length }).not.toEqual({ index, count: 0 });
      const after = events.reduce(withEvent, before);
      const loaded = await load(bob);
      expect(new Map([...after].map(([id, one]) => [id, comparable(one)]))).toEqual(
        new Map([...loaded]),
      );
    }
  });

  const withEvent = (messages: Messages, event: Event): Messages =>
    event.type === "message"
      ? new Map(messages).set(event.message.id, arrived(event))
      : applyMessages(messages, event);
});

test("a list of topics follows, or goes away where only the server knows the newest message", async () => {
  const { alice, olga, channels } = world;
  const { general } = channels;
  const list = async (): Promise<Topic[]> =>
    (await alice.get(`/users/me/${general}/topics`, { allow_empty_topic_name: true })).body.topics;
  const first = await alice.say("general", "walk", "one");
  const last = await alice.say("general", "walk", "two");
  const move = (id: number, topic: string) =>
    olga.patch(`/messages/${id}`, {
      topic,
      propagate_mode: "change_one",
      send_notification_to_old_thread: false,
      send_notification_to_new_thread: false,
    });
  /** Whether the list is there after an action; if so, it is the server's. */
  const isKept = async (action: () => Promise<unknown>) => {
    const queue = await open(alice);
    const before: Topics = withTopics(new Map(), general, await list());
    await action();
    const events: Event[] = await queue.events();
    const after = events.reduce(applyTopics, before).get(general);
    if (after) expect(newestFirst(after)).toEqual(await list());
    return after !== undefined;
  };
  expect(await isKept(() => alice.say("general", "a new one", "hello"))).toBe(true);
  expect(await isKept(() => alice.say("general", "WALK", "three"))).toBe(true);
  expect(await isKept(() => move(first, "run"))).toBe(true);
  expect(await isKept(() => olga.delete(`/messages/${last}`))).toBe(true);
  expect(await isKept(() => move(first, "walk"))).toBe(false);
});

test("a message belongs to a narrow where the server says so", async () => {
  const { alice, bob, carol, channels } = world;
  const sent = [
    await alice.say("general", "Belonging", "hello @**Bob**"),
    await bob.say("general", "belonging", "https://example.com"),
    await alice.say("general", "✔ done", "done"),
    await alice.say("general", "muted", "quiet"),
    await alice.tell([bob], "psst"),
    await alice.tell([bob, carol], "psst"),
    await bob.tell([bob], "note"),
  ];
  await bob.post("/user_topics", {
    stream_id: channels.general,
    topic: "muted",
    visibility_policy: 1,
  });
  await bob.post("/user_topics", {
    stream_id: channels.general,
    topic: "belonging",
    visibility_policy: 3,
  });
  await bob.post("/messages/flags", { messages: [sent[2]], op: "add", flag: "starred" });
  await bob.post("/messages/flags", { messages: [sent[0]], op: "add", flag: "read" });
  const [first = 0] = sent;
  const plain: Narrow = [
    { operator: "channel", operand: channels.general, negated: false },
    { operator: "channel", operand: channels.secret, negated: false },
    { operator: "topic", operand: "BELONGING", negated: false },
    { operator: "sender", operand: alice.id, negated: false },
    { operator: "dm", operand: [alice.id], negated: false },
    { operator: "dm", operand: [alice.id, carol.id], negated: false },
    { operator: "dm", operand: [bob.id], negated: false },
    { operator: "dm-including", operand: alice.id, negated: false },
    { operator: "id", operand: first, negated: false },
    ...["dm", "starred", "mentioned", "unread", "resolved", "followed", "muted"].map(
      (operand) => ({ operator: "is", operand, negated: false }) as const,
    ),
    { operator: "has", operand: "reaction", negated: false },
    { operator: "in", operand: "home", negated: false },
  ];
  const narrows = plain.flatMap((term) => [[term], [{ ...term, negated: true }]]);
  const model = modelFrom((await open(bob)).state);
  const { body } = await bob.get("/messages", { message_ids: sent });
  const messages: FlaggedMessage[] = body.messages;
  expect(messages.length).toBe(sent.length);
  for (const narrow of narrows) {
    const answer = await bob.get("/messages/matches_narrow", {
      msg_ids: sent,
      narrow: narrowParameter(narrow),
    });
    expect(answer.status).toBe(200);
    const matching = Object.keys(answer.body.messages ?? {}).map(Number);
    const own = messages.filter((one) => belongs(one, narrow, factsOf(model, one)));
    expect({ narrow, ids: own.map(({ id }) => id) }).toEqual({ narrow, ids: matching });
  }
});

test("the page offers what the server allows: editing, deleting and moving, in time and too late", async () => {
  const { alice, bob, olga, clock } = world;
  const id = await alice.say("general", "rights", "mine");
  const offers = async (person: Person) => {
    const model = modelFrom((await open(person)).state);
    const { body } = await person.get(`/messages/${id}`);
    const message: FlaggedMessage = body.message;
    const now = clock.now();
    return {
      edit: mayEdit(model, message, now),
      move: mayMoveToTopic(model, message, now),
      remove: mayDelete(model, message, now),
    };
  };
  const isDone = async (answer: Promise<{ status: number }>) => (await answer).status === 200;
  let count = 0;
  const allowed = async (person: Person) => {
    count++;
    return {
      edit: await isDone(person.patch(`/messages/${id}`, { content: `mine ${count}` })),
      move: await isDone(person.patch(`/messages/${id}`, { topic: `rights ${count}` })),
    };
  };
  const check = async (person: Person) => {
    const { remove: _, ...offered } = await offers(person);
    expect({ name: person.fullName, ...offered }).toEqual({
      name: person.fullName,
      ...(await allowed(person)),
    });
  };
  for (const person of [alice, bob, olga]) await check(person);
  await world.pass(8 * 24 * 3600);
  for (const person of [alice, bob, olga]) await check(person);
  expect((await offers(bob)).remove).toBe(await isDone(bob.delete(`/messages/${id}`)));
  expect((await offers(alice)).remove).toBe(await isDone(alice.delete(`/messages/${id}`)));
  expect((await offers(olga)).remove).toBe(true);
  expect(await isDone(olga.delete(`/messages/${id}`))).toBe(true);
});

test("a list of topics follows a move of more messages than a call may have arguments", () => {
  const message_ids = Array.from({ length: 1_000_000 }, (_, index) => index + 1);
  const lists = withTopics(new Map(), 7, [{ name: "plans", max_id: 3 }]);
  const moved = { stream_id: 6, new_stream_id: 7, orig_subject: "alerts", message_ids };
  const event = { type: "update_message", ...moved } as unknown as Event;
  const topics = newestFirst(applyTopics(lists, event).get(7) ?? new Map());
  expect(topics.map(({ name, max_id }) => [name, max_id])).toEqual([
    ["alerts", 1_000_000],
    ["plans", 3],
  ]);
});
