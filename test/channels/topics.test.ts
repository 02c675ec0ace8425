import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { and, eq, inArray } from "drizzle-orm";
import { write } from "../../src/core/write";
import { deleteTopic } from "../../src/messages/topics/service";
import type { Queue } from "../support/client";
import { makeWorld, type Person, type World } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

async function topicsFor(person: Person, channelId: number, parameters = {}) {
  const { status, body } = await person.get(`/users/me/${channelId}/topics`, parameters);
  return status === 200 ? body.topics : body.code;
}

/** Writes a topic of many messages into the database at once. */
async function fill(channelId: number, topic: string, count: number): Promise<number[]> {
  const { operator, realm, alice } = world;
  return write(operator, async (tx) => {
    const row = {
      realmId: realm.id,
      senderId: alice.id,
      channelId,
      sentChannelId: channelId,
      topic,
      topicKey: topic.toLowerCase(),
      content: "x",
      renderedContent: "<p>x</p>",
      client: "test",
      sentAt: tx.now,
      readBySender: true,
    };
    const rows = await tx.db
      .insert(tx.t.messages)
      .values(Array.from({ length: count }, () => row))
      .returning();
    return rows.map(({ id }) => id);
  });
}

describe("listing topics", () => {
  test("Topics come newest first, each under its newest spelling, also to members who are not subscribed", async () => {
    const { alice, bob, otto, channels } = world;
    await alice.say("general", "lunch", "soup?");
    const tea = await bob.say("general", "tea", "green");
    const lunch = await alice.say("general", "Lunch", "stew!");
    const expected = [
      { name: "Lunch", max_id: lunch },
      { name: "tea", max_id: tea },
    ];
    expect(await topicsFor(alice, channels.general)).toEqual(expected);
    expect(await topicsFor(otto, channels.general)).toEqual(expected);
  });

  test("The empty topic has a name for clients that do not know it", async () => {
    const { alice, channels } = world;
    const id = await alice.say("general", "", "hello");
    expect(await topicsFor(alice, channels.general)).toEqual([
      { name: "general chat", max_id: id },
    ]);
    const empty = await topicsFor(alice, channels.general, { allow_empty_topic_name: true });
    expect(empty).toEqual([{ name: "", max_id: id }]);
  });

  test("With protected history only the topics of one's own time are listed", async () => {
    const { alice, bob, carol, channels } = world;
    const principals = [carol.id];
    const subscriptions = [{ name: "secret" }];
    await alice.say("secret", "early", "before carol");
    await alice.say("secret", "both", "before carol");
    await alice.post("/users/me/subscriptions", { subscriptions, principals });
    expect(await topicsFor(carol, channels.secret)).toEqual([]);
    const both = await bob.say("secret", "both", "with carol");
    await carol.delete("/users/me/subscriptions", { subscriptions: ["secret"] });
    await alice.say("secret", "away", "without carol");
    expect(await topicsFor(carol, channels.secret)).toBe("BAD_REQUEST");
    await alice.post("/users/me/subscriptions", { subscriptions, principals });
    const back = await bob.say("secret", "back", "with carol");
    expect(await topicsFor(carol, channels.secret)).toEqual([
      { name: "back", max_id: back },
      { name: "both", max_id: both },
    ]);
    expect(await topicsFor(alice, channels.secret)).toHaveLength(4);
  });

  test("A18: topics are not listed to who may not read the channel, whatever their role", async () => {
    const { alice, otto, olga, greta, zoe, channels } = world;
    await alice.say("plans", "takeover", "soon");
    for (const person of [otto, olga, greta, zoe])
      expect(await topicsFor(person, channels.plans)).toBe("BAD_REQUEST");
    expect(await topicsFor(greta, channels.general)).toBe("BAD_REQUEST");
    expect(await topicsFor(alice, 99_999_999)).toBe("BAD_REQUEST");
  });
});

describe("deleting a topic", () => {
  const inShort = async (queue: Queue) =>
    (await queue.events()).map(({ type, message_ids, message_id, topic, property, value }) =>
      type === "delete_message" ? [topic, message_ids ?? message_id] : [property, value],
    );

  test("An owner deletes a topic, whatever its case: subscribers are told in the form that they asked for", async () => {
    const { alice, olga, otto, robot, channels } = world;
    const first = await alice.say("general", "Old", "one");
    const kept = await alice.say("general", "other", "two");
    const last = await alice.say("general", "Old", "three");
    await alice.post(`/messages/${first}/reactions`, { emoji_name: "tada" });
    const types = { event_types: ["delete_message", "stream"] };
    const bulk = await alice.register(types);
    const single = await alice.register({
      ...types,
      client_capabilities: { notification_settings_null: true, empty_topic_name: true },
    });
    const others = await Promise.all(
      [otto, robot].map((one) => one.register({ event_types: ["delete_message"] })),
    );
    const answer = await olga.post(`/streams/${channels.general}/delete_topic`, {
      topic_name: "old",
    });
    expect(answer.body).toEqual({ result: "success", msg: "", complete: true });
    expect(await inShort(bulk)).toEqual([
      ["Old", [first, last]],
      ["first_message_id", kept],
    ]);
    expect(await inShort(single)).toEqual([
      ["Old", first],
      ["Old", last],
      ["first_message_id", kept],
    ]);
    for (const queue of others) expect(await queue.events()).toEqual([]);
    expect(await topicsFor(alice, channels.general)).toEqual([{ name: "other", max_id: kept }]);
    expect((await alice.get(`/streams/${channels.general}`)).body.stream.first_message_id).toBe(
      kept,
    );
    const { reactions } = world.app.engine.schema;
    const left = and(
      eq(reactions.realmId, world.realm.id),
      inArray(reactions.messageId, [first, last]),
    );
    expect(await world.app.engine.reader.db.select().from(reactions).where(left)).toEqual([]);
    const again = await olga.post(`/streams/${channels.general}/delete_topic`, {
      topic_name: "old",
    });
    expect(again.body.complete).toBe(true);
  });

  test("The empty topic is deleted under its display name, and shown so to clients that do not know it", async () => {
    const { alice, olga, channels } = world;
    const id = await alice.say("general", "", "hello");
    const knowing = await alice.register({ event_types: ["delete_message"] });
    const unknowing = await alice.register({
      event_types: ["delete_message"],
      client_capabilities: { notification_settings_null: true, bulk_message_deletion: true },
    });
    await olga.post(`/streams/${channels.general}/delete_topic`, { topic_name: "general chat" });
    expect(await inShort(knowing)).toEqual([["", [id]]]);
    expect(await inShort(unknowing)).toEqual([["general chat", [id]]]);
    expect(
      (await alice.get(`/streams/${channels.general}`)).body.stream.first_message_id,
    ).toBeNull();
  });

  test("What takes longer than a request may is told to be incomplete, and goes on when it is repeated", async () => {
    const { olga, alice, channels, clock } = world;
    const ids = await fill(channels.general, "long", 250);
    const left = async () => {
      const narrow = [{ operator: "topic", operand: "long" }];
      const { body } = await alice.get("/messages", {
        anchor: "newest",
        num_before: 300,
        num_after: 0,
        narrow,
      });
      return body.messages.map((message: { id: number }) => message.id);
    };
    const ask = () =>
      olga.post(`/streams/${channels.general}/delete_topic`, { topic_name: "long" });
    // Each look at the clock takes a minute.
    const { nowMilliseconds } = clock;
    let looks = 0;
    clock.nowMilliseconds = () => nowMilliseconds() + 60_000 * looks++;
    expect((await ask()).body).toEqual({ result: "success", msg: "", complete: false });
    clock.nowMilliseconds = nowMilliseconds;
    expect(await left()).toEqual(ids.slice(0, 150));
    expect((await ask()).body.complete).toBe(true);
    expect(await left()).toEqual([]);
  });

  test("A long topic is deleted in batches, newest first", async () => {
    const { alice, operator, channels } = world;
    const ids = await fill(channels.general, "long", 250);
    const queue = await alice.register({ event_types: ["delete_message"] });
    const { complete } = await deleteTopic(operator, {
      streamId: channels.general,
      topicName: "long",
    });
    expect(complete).toBe(true);
    const batches = (await queue.events()).map(({ message_ids }) => message_ids);
    expect(batches).toEqual([ids.slice(150), ids.slice(50, 150), ids.slice(0, 50)]);
    expect(await topicsFor(alice, channels.general)).toEqual([]);
  });

  test("Only administrators delete topics, and only where they may read", async () => {
    const { alice, mona, olga, adam, channels } = world;
    await alice.say("general", "t", "x");
    const hidden = await alice.say("plans", "t", "x");
    const refusal = async (
      person: Person,
      id: number,
      parameters: object = { topic_name: "t" },
    ) => {
      const { status, body } = await person.post(`/streams/${id}/delete_topic`, { ...parameters });
      return [status, body.code];
    };
    expect(await refusal(alice, channels.general)).toEqual([400, "UNAUTHORIZED_PRINCIPAL"]);
    expect(await refusal(mona, channels.general)).toEqual([400, "UNAUTHORIZED_PRINCIPAL"]);
    expect(await refusal(olga, channels.plans)).toEqual([400, "BAD_REQUEST"]);
    expect(await refusal(adam, 99_999_999)).toEqual([400, "BAD_REQUEST"]);
    expect(await refusal(adam, channels.general, {})).toEqual([400, "REQUEST_VARIABLE_MISSING"]);
    expect(await topicsFor(alice, channels.plans)).toEqual([{ name: "t", max_id: hidden }]);
    expect(await topicsFor(alice, channels.general)).toHaveLength(1);
  });

  test("With protected history an administrator deletes what came in their own time, the operator everything", async () => {
    const { alice, adam, operator, channels } = world;
    await alice.say("secret", "t", "before adam");
    await alice.post("/users/me/subscriptions", {
      subscriptions: [{ name: "secret" }],
      principals: [adam.id],
    });
    await alice.say("secret", "t", "with adam");
    await adam.post(`/streams/${channels.secret}/delete_topic`, { topic_name: "t" });
    expect(await topicsFor(alice, channels.secret)).toHaveLength(1);
    await deleteTopic(operator, { streamId: channels.secret, topicName: "t" });
    expect(await topicsFor(alice, channels.secret)).toEqual([]);
  });
});

test("A10: a topic of an archived channel is kept; the operator alone deletes it", async () => {
  const { olga, operator, channels } = world;
  await fill(channels.general, "old", 2);
  await olga.delete(`/streams/${channels.general}`);
  const { body } = await olga.post(`/streams/${channels.general}/delete_topic`, {
    topic_name: "old",
  });
  expect(body).toMatchObject({ code: "BAD_REQUEST", msg: expect.stringContaining("archived") });
  const namesOf = async () =>
    (await topicsFor(olga, channels.general)).map(({ name }: { name: string }) => name);
  expect(await namesOf()).toContain("old");
  await deleteTopic(operator, { streamId: channels.general, topicName: "old" });
  expect(await namesOf()).not.toContain("old");
});
