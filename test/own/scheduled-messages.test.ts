import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { deactivateUser, reactivateUser } from "../../src/management/accounts/deactivate";
import { newPerson } from "../support/api/calls/things";
import { verifyInTurn } from "../support/client-state/verify";
import { makeWorld, type Person, type World } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

const only = { event_types: ["scheduled_messages"] };
const delay = 300;

const schedule = (person: Person, more: Record<string, unknown> = {}) =>
  person.post("/scheduled_messages", {
    type: "stream",
    to: world.channels.general,
    topic: "lunch",
    content: "later **x**",
    scheduled_delivery_timestamp: world.clock.now() + delay,
    ...more,
  });

async function mustSchedule(person: Person, more: Record<string, unknown> = {}): Promise<number> {
  const { status, body } = await schedule(person, more);
  expect({ status, msg: body.msg }).toEqual({ status: 200, msg: "" });
  return body.scheduled_message_id;
}

const listOf = async (person: Person) =>
  (await person.get("/scheduled_messages")).body.scheduled_messages;

/** The newest messages that somebody reads, by content. */
async function contentsFor(person: Person): Promise<string[]> {
  const page = { anchor: "newest", num_before: 10, num_after: 0, apply_markdown: false };
  const { body } = await person.get("/messages", page);
  return body.messages.map(({ content }: { content: string }) => content);
}

test("a message whose time has come because the clock was set, or the machine slept, is sent within a minute", async () => {
  const { alice, clock } = world;
  await mustSchedule(alice, { scheduled_delivery_timestamp: clock.now() + 7_200 });
  clock.setForward(7_300);
  await world.pass(60);
  expect(await contentsFor(alice)).toContain("later **x**");
});

test("another message that is scheduled after the clock was set does not delay it", async () => {
  const { alice, clock } = world;
  await mustSchedule(alice, { scheduled_delivery_timestamp: clock.now() + 7_200 });
  clock.setForward(7_300);
  await mustSchedule(alice, { scheduled_delivery_timestamp: clock.now() + 86_400 });
  await world.pass(60);
  expect(await contentsFor(alice)).toContain("later **x**");
});

test("a message is listed until its time, told to its sender alone, and then sent as them, once", async () => {
  const { alice, bob, clock, channels } = world;
  const [own, others] = [await alice.register(only), await bob.register(only)];
  const received = await bob.register({ event_types: ["message"], apply_markdown: false });
  const id = await mustSchedule(alice);
  const shown = {
    scheduled_message_id: id,
    type: "stream",
    to: channels.general,
    topic: "lunch",
    content: "later **x**",
    rendered_content: "<p>later <strong>x</strong></p>",
    failed: false,
    scheduled_delivery_timestamp: clock.now() + delay,
  };
  expect(await listOf(alice)).toEqual([shown]);
  expect(await listOf(bob)).toEqual([]);
  expect((await alice.register(only)).state.scheduled_messages).toEqual([shown]);
  expect(await own.events()).toMatchObject([
    { type: "scheduled_messages", op: "add", scheduled_messages: [shown] },
  ]);

  await world.pass(delay - 1);
  expect(await received.events()).toEqual([]);
  await world.pass(1);
  const [sent, ...more] = await received.events();
  expect(more).toEqual([]);
  expect(sent.message).toMatchObject({
    sender_id: alice.id,
    content: "later **x**",
    subject: "lunch",
  });
  expect(sent.message.timestamp).toBe(clock.now());
  expect(await own.events()).toMatchObject([{ op: "remove", scheduled_message_id: id }]);
  expect(await listOf(alice)).toEqual([]);
  await world.pass(100);
  expect(await received.events()).toEqual([]);
  expect(await others.events()).toEqual([]);
});

test("it outlives a restart, and two nodes send it once", async () => {
  const { alice, bob } = world;
  await mustSchedule(alice, { type: "direct", to: [bob.id] });
  await world.restart();
  await world.startNode();
  await world.pass(delay);
  expect((await contentsFor(bob)).filter((content) => content.startsWith("later"))).toHaveLength(1);
});

test("a direct message names the people beside its sender, by id", async () => {
  const { alice, bob, carol } = world;
  await mustSchedule(alice, { type: "private", to: [carol.id, alice.id, bob.id] });
  await mustSchedule(alice, { type: "direct", to: [alice.id] });
  const [group, oneself] = await listOf(alice);
  expect(group).toMatchObject({ type: "private", to: [bob.id, carol.id] });
  expect(group).not.toHaveProperty("topic");
  expect(oneself).toMatchObject({ type: "private", to: [alice.id] });
});

test("a message to oneself comes unread, because it reminds, unless one says otherwise", async () => {
  const { alice, bob, clock } = world;
  const flagsOf = async (to: Person[], more: object) => {
    const queue = await alice.register({ event_types: ["message"] });
    const parameters = {
      type: "direct",
      to: JSON.stringify(to.map(({ id }) => id)),
      content: "remember",
      scheduled_delivery_timestamp: String(clock.now() + delay),
      ...more,
    };
    const { status } = await alice.ask(
      "POST",
      "/scheduled_messages",
      {},
      { body: new URLSearchParams(parameters), headers: { "user-agent": "Mozilla/5.0 (X11)" } },
    );
    expect(status).toBe(200);
    await world.pass(delay);
    return (await queue.events()).map(({ flags }) => flags);
  };
  expect(await flagsOf([alice], {})).toEqual([[]]);
  expect(await flagsOf([alice], { read_by_sender: "true" })).toEqual([["read"]]);
  expect(await flagsOf([alice, bob], {})).toEqual([["read"]]);
});

test("recipients are named as in a send, and shown by id: a channel by its name, people by their addresses", async () => {
  const { alice, bob, carol, channels } = world;
  const own = await alice.register(only);
  const id = await mustSchedule(alice, { to: "General", content: "by name" });
  await mustSchedule(alice, { to: ["general"], content: "in a list" });
  await mustSchedule(alice, {
    type: "direct",
    to: [bob.email, carol.email],
    content: "by address",
  });
  await mustSchedule(alice, {
    type: "direct",
    to: `${bob.email}, ${carol.email}`,
    content: "in a text",
  });
  const { general } = channels;
  const people = [bob.id, carol.id];
  const recipientsOf = (messages: { to: unknown }[]) => messages.map(({ to }) => to);
  expect(recipientsOf(await listOf(alice))).toEqual([general, general, people, people]);
  const told = (await own.events()).map(({ scheduled_messages }) => scheduled_messages[0]);
  expect(recipientsOf(told)).toEqual([general, general, people, people]);
  expect(
    (await alice.patch(`/scheduled_messages/${id}`, { type: "direct", to: bob.email })).status,
  ).toBe(200);
  expect(
    recipientsOf((await own.events()).map(({ scheduled_message }) => scheduled_message)),
  ).toEqual([[bob.id]]);
  expect((await schedule(alice, { to: "nowhere" })).body).toMatchObject({
    code: "STREAM_DOES_NOT_EXIST",
  });
  expect((await schedule(alice, { type: "direct", to: ["nobody@example.com"] })).body.code).toBe(
    "BAD_REQUEST",
  );
  await world.pass(delay);
  expect((await contentsFor(carol)).sort()).toEqual(["by address", "in a list", "in a text"]);
  expect((await contentsFor(bob)).sort()).toEqual([
    "by address",
    "by name",
    "in a list",
    "in a text",
  ]);
});

test("it is changed: what it says, when, and where it goes", async () => {
  const { alice, bob, clock, channels } = world;
  const id = await mustSchedule(alice);
  const own = await alice.register(only);
  const change = (parameters: Record<string, unknown>) =>
    alice.patch(`/scheduled_messages/${id}`, parameters);
  const at = clock.now() + 2 * delay;
  expect((await change({ content: "*changed*" })).status).toBe(200);
  expect((await change({ topic: "dinner" })).status).toBe(200);
  expect((await change({ scheduled_delivery_timestamp: at })).status).toBe(200);
  expect((await change({ type: "direct", to: [bob.id] })).status).toBe(200);
  const events = await own.events();
  expect(events).toMatchObject([
    {
      op: "update",
      scheduled_message: { content: "*changed*", rendered_content: "<p><em>changed</em></p>" },
    },
    { op: "update", scheduled_message: { topic: "dinner", to: channels.general } },
    { op: "update", scheduled_message: { scheduled_delivery_timestamp: at } },
    { op: "update", scheduled_message: { type: "private", to: [bob.id], content: "*changed*" } },
  ]);
  expect(await listOf(alice)).toEqual([events.at(-1).scheduled_message]);
  await world.pass(delay);
  expect(await contentsFor(bob)).not.toContain("*changed*");
  await world.pass(delay);
  expect(await contentsFor(bob)).toContain("*changed*");
});

test("what is deleted is never sent", async () => {
  const { alice, bob } = world;
  const id = await mustSchedule(alice, { type: "direct", to: [bob.id] });
  const own = await alice.register(only);
  expect((await alice.delete(`/scheduled_messages/${id}`)).status).toBe(200);
  expect(await own.events()).toMatchObject([{ op: "remove", scheduled_message_id: id }]);
  await world.pass(delay);
  expect(await contentsFor(bob)).toEqual([]);
  expect(await world.app.jobs.list()).toEqual([]);
  expect(await alice.delete(`/scheduled_messages/${id}`)).toMatchObject({ status: 404 });
});

test("A17, E9, E10: another's scheduled message answers like a missing one, and stays", async () => {
  const { alice, bob, adam, zoe } = world;
  const id = await mustSchedule(alice);
  for (const person of [bob, adam, zoe]) {
    for (const asked of [id, 999_999]) {
      const refused = {
        status: 404,
        body: { code: "BAD_REQUEST", msg: "Scheduled message does not exist." },
      };
      expect(await person.patch(`/scheduled_messages/${asked}`, { content: "x" })).toMatchObject(
        refused,
      );
      expect(await person.delete(`/scheduled_messages/${asked}`)).toMatchObject(refused);
    }
  }
  expect(await listOf(alice)).toMatchObject([{ content: "later **x**" }]);
});

describe("refuses", () => {
  test("what is not to come, empty, or goes nowhere", async () => {
    const { alice, clock } = world;
    const refused = { status: 400, body: { code: "BAD_REQUEST" } };
    expect(await schedule(alice, { scheduled_delivery_timestamp: clock.now() })).toMatchObject(
      refused,
    );
    expect(
      await schedule(alice, { scheduled_delivery_timestamp: clock.now() * 1000 }),
    ).toMatchObject(refused);
    expect(await schedule(alice, { content: " " })).toMatchObject(refused);
    expect(await schedule(alice, { topic: undefined })).toMatchObject(refused);
    expect(await schedule(alice, { type: "bogus" })).toMatchObject(refused);
    expect(await schedule(alice, { type: "direct", to: [999_999] })).toMatchObject(refused);
    expect((await schedule(alice, { to: 999_999 })).body).toMatchObject({
      code: "STREAM_DOES_NOT_EXIST",
      stream_id: 999_999,
    });
    expect(await listOf(alice)).toEqual([]);
  });

  test("a channel that one may not write to, a hidden one like a missing one", async () => {
    const { bob, greta, channels } = world;
    const hidden = await schedule(bob, { to: channels.plans });
    expect(hidden.body).toMatchObject({ code: "STREAM_DOES_NOT_EXIST", stream_id: channels.plans });
    expect((await schedule(greta)).status).toBe(400);
  });

  test("changes that make none, or no message", async () => {
    const { alice, clock } = world;
    const id = await mustSchedule(alice, { type: "direct", to: [world.bob.id] });
    const change = (parameters: Record<string, unknown>) =>
      alice.patch(`/scheduled_messages/${id}`, parameters);
    const refused = { status: 400, body: { code: "BAD_REQUEST" } };
    expect(await change({})).toMatchObject(refused);
    expect(await change({ type: "stream" })).toMatchObject(refused);
    expect(await change({ type: "stream", to: world.channels.general })).toMatchObject(refused);
    expect(await change({ scheduled_delivery_timestamp: clock.now() - 5 })).toMatchObject(refused);
    expect(await change({ content: "" })).toMatchObject(refused);
    expect(await listOf(alice)).toMatchObject([{ content: "later **x**" }]);
  });
});

describe("at its time everything is looked at again", () => {
  test("who lost the right to write there is told by Notification Bot, and can send it elsewhere or later", async () => {
    const { alice, bob, olga, clock, channels } = world;
    const id = await mustSchedule(bob, { to: channels.secret, content: "psst @**all**" });
    await alice.delete("/users/me/subscriptions", {
      subscriptions: ["secret"],
      principals: [bob.id],
    });
    await olga.delete("/users/me/subscriptions", {
      subscriptions: ["secret"],
      principals: [bob.id],
    });
    await bob.delete("/users/me/subscriptions", { subscriptions: ["secret"] });
    const own = await bob.register({
      event_types: ["scheduled_messages", "message"],
      apply_markdown: false,
    });
    const reader = await alice.register({ event_types: ["message"] });
    await world.pass(delay);
    const [failed, notice, ...more] = await own.events();
    expect(more).toEqual([]);
    expect(failed).toMatchObject({
      op: "update",
      scheduled_message: { scheduled_message_id: id, failed: true },
    });
    expect(notice.message).toMatchObject({ type: "private", sender_full_name: "Notification Bot" });
    expect(notice.message.content).toContain("was not sent");
    expect(notice.message.content).toContain("psst");
    expect(await reader.events()).toEqual([]);
    expect(await listOf(bob)).toMatchObject([{ scheduled_message_id: id, failed: true }]);

    const elsewhere = { type: "stream", to: channels.general, topic: "t", content: "hello" };
    const change = (parameters: Record<string, unknown>) =>
      bob.patch(`/scheduled_messages/${id}`, parameters);
    expect((await change(elsewhere)).status).toBe(400);
    const at = clock.now() + delay;
    expect((await change({ ...elsewhere, scheduled_delivery_timestamp: at })).status).toBe(200);
    expect(await listOf(bob)).toMatchObject([{ failed: false }]);
    await world.pass(delay);
    expect(await contentsFor(alice)).toContain("hello");
  });

  test("one whose job the operator deletes is told of likewise, and can be sent later", async () => {
    const { alice, clock } = world;
    const id = await mustSchedule(alice);
    const [job] = await world.app.jobs.list();
    const queue = await alice.register({
      event_types: ["scheduled_messages", "message"],
      apply_markdown: false,
    });
    await world.app.jobs.remove([job?.id ?? 0]);
    const [failed, notice, ...more] = await queue.events();
    expect(more).toEqual([]);
    expect(failed).toMatchObject({
      op: "update",
      scheduled_message: { scheduled_message_id: id, failed: true },
    });
    expect(notice.message.content).toContain("Whoever runs the server has deleted it.");
    expect(await world.app.jobs.list()).toEqual([]);
    const at = clock.now() + delay;
    expect(
      (await alice.patch(`/scheduled_messages/${id}`, { scheduled_delivery_timestamp: at })).status,
    ).toBe(200);
    await world.pass(delay);
    expect(await listOf(alice)).toEqual([]);
  });

  test("a deactivated sender sends nothing, and finds it as failed when they come back", async () => {
    const { alice } = world;
    const dave = await newPerson(world);
    await mustSchedule(dave, { type: "direct", to: [alice.id] });
    await deactivateUser(world.operator, dave.id);
    const queue = await alice.register({ event_types: ["message"] });
    await world.pass(delay);
    expect(await queue.events()).toEqual([]);
    expect(await world.app.jobs.list()).toEqual([]);
    await reactivateUser(world.operator, dave.id);
    const { t, db } = world.app.engine.reader;
    expect(
      await db.select({ hasFailed: t.scheduledMessages.hasFailed }).from(t.scheduledMessages),
    ).toEqual([{ hasFailed: true }]);
  });

  test("a recipient who is gone by then", async () => {
    const { alice } = world;
    const dave = await newPerson(world);
    await mustSchedule(alice, { type: "direct", to: [dave.id] });
    await deactivateUser(world.operator, dave.id);
    await world.pass(delay);
    expect(await listOf(alice)).toMatchObject([{ failed: true }]);
  });

  test("what is more than ten minutes late is not sent", async () => {
    const { alice, bob } = world;
    await mustSchedule(alice, { type: "direct", to: [bob.id] });
    await world.app.jobs.stop();
    world.clock.advance(delay + 601);
    await world.restart();
    await world.pass(0);
    expect(await contentsFor(bob)).toEqual([]);
    expect(await listOf(alice)).toMatchObject([{ failed: true }]);
    expect((await contentsFor(alice)).join()).toContain("It could not be sent in time.");
  });
});

test("the state before and the events give the state after, also of what is sent and what fails", async () => {
  const { alice, bob, channels } = world;
  const verifyNext = verifyInTurn(world);
  const id = await mustSchedule(alice);
  await mustSchedule(alice, { type: "direct", to: [bob.id], content: "psst" });
  await mustSchedule(bob, { to: channels.secret });
  await bob.delete("/users/me/subscriptions", { subscriptions: ["secret"] });
  await verifyNext(async () => {
    await mustSchedule(alice, { content: "another" });
    await alice.patch(`/scheduled_messages/${id}`, { content: "changed" });
  });
  await verifyNext(() => world.pass(delay));
  expect(await listOf(alice)).toEqual([]);
  expect(await listOf(bob)).toMatchObject([{ failed: true }]);
});
