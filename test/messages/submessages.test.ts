import { describe, expect, test } from "bun:test";
import { widgetContent } from "../../src/reading/widgets";
import { verify } from "../support/client-state/verify";
import { shareWorld } from "../support/shared-world";
import type { Person, World } from "../support/world";

let world: World;
const ownWorld = shareWorld((given) => {
  world = given;
});

const poll = "/poll Lunch?\nPizza\n- Soup\n\n* Salad";
const vote = { type: "vote", key: "canned,0", vote: 1 };

const add = (person: Person, messageId: number, data: unknown, more = {}) =>
  person.post("/submessage", {
    message_id: messageId,
    msg_type: "widget",
    content: JSON.stringify(data),
    ...more,
  });

const submessagesOf = async (person: Person, messageId: number) =>
  (await person.get(`/messages/${messageId}`)).body.message.submessages;

test("a message that begins with /poll has a widget from the start, in its event and wherever it is read", async () => {
  const { alice, bob } = await ownWorld();
  const queue = await bob.register({ event_types: ["message"] });
  const later = await bob.register({ event_types: ["message"] });
  const id = await alice.say("general", "t", poll);
  const [{ message }] = await queue.events();
  const content =
    '{"widget_type": "poll", "extra_data": {"question": "Lunch?", "options": ["Pizza", "Soup", "Salad"]}}';
  const first = { message_id: id, sender_id: alice.id, msg_type: "widget", content };
  expect(message.submessages).toMatchObject([first]);
  expect(await submessagesOf(bob, id)).toEqual(message.submessages);
  await add(bob, id, vote);
  await world.restart();
  expect((await later.events())[0].message.submessages).toEqual(message.submessages);
});

test("who can read it votes; those who received it hear of that, and every later reading shows it", async () => {
  const { alice, bob, carol, otto, greta } = world;
  const id = await alice.say("general", "t", poll);
  await submessagesOf(carol, id);
  const only = { event_types: ["submessage"] };
  const [his, hers] = [await bob.register(only), await carol.register(only)];
  const [outside, guest] = [await otto.register(only), await greta.register(only)];
  const { status, body } = await add(bob, id, vote);
  expect({ status, body }).toMatchObject({ status: 200, body: { result: "success" } });
  const content = JSON.stringify(vote);
  const told = {
    type: "submessage",
    msg_type: "widget",
    message_id: id,
    sender_id: bob.id,
    content,
  };
  expect(await his.events()).toMatchObject([told]);
  const [event] = await hers.events();
  expect(event).toMatchObject(told);
  expect(await submessagesOf(carol, id)).toMatchObject([
    {},
    { id: event.submessage_id, message_id: id, sender_id: bob.id, msg_type: "widget", content },
  ]);
  expect(await outside.events()).toEqual([]);
  expect(await guest.events()).toEqual([]);
  // Otto reads the public channel without being in it.
  expect((await add(otto, id, vote)).status).toBe(200);
  expect(await outside.events()).toMatchObject([{ sender_id: otto.id }]);
  expect(await hers.events()).toHaveLength(1);
});

test("A1, A17: a poll in a private channel is a missing message to others, and its votes stay there", async () => {
  const { alice, bob, carol, olga, zoe } = await ownWorld();
  const id = await alice.say("secret", "t", poll);
  const queue = await carol.register({ event_types: ["submessage"] });
  const administrators = await olga.register({ event_types: ["submessage"] });
  for (const person of [carol, olga, zoe]) {
    const [hidden, missing] = [await add(person, id, vote), await add(person, 999_999, vote)];
    expect(hidden.status).toBe(400);
    expect(hidden.body).toEqual(missing.body);
  }
  expect((await add(bob, id, vote)).status).toBe(200);
  await bob.delete("/users/me/subscriptions", { subscriptions: ["secret"] });
  expect((await add(bob, id, vote)).status).toBe(400);
  expect(await queue.events()).toEqual([]);
  expect(await administrators.events()).toEqual([]);
});

describe("refuses", () => {
  test("a message of an archived channel, like a missing one: it is kept as it is", async () => {
    const { adam, alice } = await ownWorld();
    const id = await alice.say("general", "t", poll);
    const before = await submessagesOf(alice, id);
    await adam.delete(`/streams/${world.channels.general}`);
    const [kept, missing] = [await add(alice, id, vote), await add(alice, 999_999, vote)];
    expect(kept).toMatchObject({ status: 400, body: missing.body });
    expect(await submessagesOf(alice, id)).toEqual(before);
  });

  test("H5: more than is to be shown with one message", async () => {
    const { alice, bob, carol } = world;
    const id = await alice.say("general", "t", "/todo Things");
    const task = { type: "new_task", key: 1, task: "t", desc: "d".repeat(9_900), completed: false };
    const added: number[] = [];
    for (let i = 0; i < 26; i++) {
      for (const { status } of await Promise.all([add(bob, id, task), add(carol, id, task)]))
        added.push(status);
    }
    expect(added.filter((status) => status === 200)).toHaveLength(50);
    expect(added.slice(-2)).toEqual([400, 400]);
    expect((await submessagesOf(alice, id)).length).toBe(51);
  });

  test("a message without a widget, also from its author", async () => {
    const { alice, bob } = world;
    const id = await alice.say("general", "t", "no poll");
    for (const person of [alice, bob])
      expect((await add(person, id, vote)).body.code).toBe("BAD_REQUEST");
    expect(await submessagesOf(alice, id)).toEqual([]);
  });

  test.each([
    ["no object", 5],
    ["no type", { key: "canned,0" }],
    ["an unknown type", { type: "strike", key: "1" }],
    ["a name that every object has", { type: "toString" }],
    ["another vote", { type: "vote", key: "canned,0", vote: 2 }],
    ["a vote for what is no option's key", { ...vote, key: "x" }],
    ["a vote for a key of words", { ...vote, key: "canned,first" }],
    ["a vote for a key with three parts", { ...vote, key: "canned,0,0" }],
    [
      "a vote for a key with more digits than ids have",
      { ...vote, key: `canned,${"9".repeat(20)}` },
    ],
    ["an option beyond the last place", { type: "new_option", option: "Cake", idx: 1_001 }],
    ["an option before the first place", { type: "new_option", option: "Cake", idx: -1 }],
    ["more than the form has", { ...vote, more: true }],
    ["an option without a place", { type: "new_option", option: "Cake" }],
    ["a question that is no text", { type: "question", question: 5 }],
  ])("%s", async (_, data) => {
    const id = await world.alice.say("general", "t", poll);
    expect(await add(world.alice, id, data)).toMatchObject({
      status: 400,
      body: { code: "BAD_REQUEST" },
    });
    expect(await submessagesOf(world.alice, id)).toHaveLength(1);
  });

  test("what is no JSON, what is no widget's, and too much", async () => {
    const { alice } = world;
    const id = await alice.say("general", "t", poll);
    expect((await add(alice, id, vote, { content: "not json" })).status).toBe(400);
    expect((await add(alice, id, vote, { msg_type: "other" })).status).toBe(400);
    expect((await add(alice, id, { type: "question", question: "q".repeat(10_000) })).status).toBe(
      400,
    );
    expect((await add(alice, id, vote, { msg_type: undefined })).body.code).toBe(
      "REQUEST_VARIABLE_MISSING",
    );
  });

  test("another title from anybody but the author", async () => {
    const { alice, bob } = world;
    const lunch = await alice.say("general", "t", poll);
    const question = { type: "question", question: "Dinner?" };
    expect((await add(bob, lunch, question)).status).toBe(400);
    expect((await add(alice, lunch, question)).status).toBe(200);
    const tasks = await alice.say("general", "t", "/todo Things\nOne: first\nTwo");
    const title = { type: "new_task_list_title", title: "Other things" };
    expect((await add(bob, tasks, title)).status).toBe(400);
    expect((await add(alice, tasks, title)).status).toBe(200);
    const task = { type: "new_task", key: 3, task: "Three", desc: "", completed: false };
    expect((await add(bob, tasks, task)).status).toBe(200);
    expect((await add(bob, tasks, { type: "strike", key: "3" })).status).toBe(200);
    expect((await add(bob, tasks, vote)).status).toBe(400);
  });
});

test("votes count for options of the message and for those that people have added", async () => {
  const { alice, bob } = world;
  const id = await alice.say("general", "t", poll);
  const option = { type: "new_option", option: "Cake", idx: 1_000 };
  for (const data of [vote, option, { ...vote, key: `${bob.id},1000`, vote: -1 }])
    expect((await add(bob, id, data)).status).toBe(200);
  expect(await submessagesOf(alice, id)).toHaveLength(4);
});

test("a poll that is deleted takes its votes with it", async () => {
  const { alice, olga } = await ownWorld();
  const id = await alice.say("general", "t", poll);
  await add(alice, id, vote);
  expect((await olga.delete(`/messages/${id}`)).status).toBe(200);
  const { db, t } = world.app.engine.reader;
  expect(await db.select().from(t.submessages)).toEqual([]);
});

test("nothing of it is in the state", async () => {
  await ownWorld();
  const id = await world.alice.say("general", "t", poll);
  const counts = await verify(world, () => add(world.bob, id, vote));
  expect(counts).toMatchObject({ alice: 1, bob: 1, otto: 0, greta: 0 });
});

test.each([
  ["/poll", '{"widget_type": "poll", "extra_data": {"question": "", "options": []}}'],
  ["/poll\nA\nB", '{"widget_type": "poll", "extra_data": {"question": "", "options": ["A", "B"]}}'],
  [
    '/poll "a, [b" \n{c,\\n d}',
    '{"widget_type": "poll", "extra_data": {"question": "\\"a, [b\\"", "options": ["{c,\\\\n d}"]}}',
  ],
  [
    "/todo Things\nOne: first: part\n- Two",
    '{"widget_type": "todo", "extra_data": {"task_list_title": "Things", "tasks": [{"task": "One", "desc": "first: part"}, {"task": "Two", "desc": ""}]}}',
  ],
  ["/polls", undefined],
  ["a /poll", undefined],
])("%j begins the widget %p", (content, widget) => {
  expect(widgetContent(content)).toBe(widget);
});

test("a late reader gets nothing of a widget that was moved out of their reach meanwhile", async () => {
  const { alice, bob, carol, channels } = world;
  const id = await alice.say("general", "t", "/todo Next week");
  const only = { event_types: ["submessage"] };
  const [reader, outsider] = [await bob.register(only), await carol.register(only)];
  const task = {
    type: "new_task",
    key: 1,
    task: "a surprise for Carol",
    desc: "",
    completed: false,
  };
  expect((await add(bob, id, task)).status).toBe(200);
  const quiet = { send_notification_to_new_thread: false };
  await alice.patch(`/messages/${id}`, { stream_id: channels.secret, ...quiet });
  expect((await reader.events()).map(({ message_id }) => message_id)).toEqual([id]);
  expect(await outsider.events()).toEqual([]);
});
