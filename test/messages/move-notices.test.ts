import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { WireEvent } from "../support/client";
import { hear, listen, refusal } from "../support/listening";
import { inTopic, move, subscribeTo } from "../support/moves";
import { makeWorld, type Person, type World } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

const all = { propagate_mode: "change_all" };
const both = { send_notification_to_old_thread: true, send_notification_to_new_thread: true };
const messagesOnly = { event_types: ["message", "delete_message"], apply_markdown: false };

/** Notices of Notification Bot, with their place and flags; or the ids of deleted messages. */
const said = ({ type, message, flags, message_ids }: WireEvent) =>
  type === "delete_message"
    ? { gone: message_ids }
    : { in: `${message.display_recipient}/${message.subject}`, says: message.content, flags };

/** HTML with its entities as the signs that they stand for. */
const decode = (html: string) =>
  html
    .replace(/&#(\d+);/g, (_, point) => String.fromCodePoint(Number(point)))
    .replaceAll("&gt;", ">")
    .replaceAll("&lt;", "<");

const silent = (person: Person) => `@_**${person.fullName}|${person.id}**`;

describe("Those who read a topic are told", () => {
  const hears = async (act: () => Promise<unknown>) => {
    const queue = await world.bob.register(messagesOnly);
    await act();
    return (await queue.events()).map(said).map(({ in: place, says }) => [place, says]);
  };

  test("what came to it and what went from it, as far as it is wanted", async () => {
    const { alice, bob, channels } = world;
    const ids: number[] = [];
    for (let count = 0; count < 5; count++) ids.push(await bob.say("general", "a", `${count}`));
    const [, two = 0, three = 0] = ids;
    const by = `by ${silent(alice)}.`;
    const near = `#narrow/channel/${channels.general}-general/topic/b/near/${two}`;
    expect(await hears(() => move(alice, two, { topic: "b" }))).toEqual([
      ["general/b", `[A message](${near}) was moved here from #**general>a** ${by}`],
    ]);
    expect(
      await hears(() =>
        move(alice, three, { topic: "d", propagate_mode: "change_later", ...both }),
      ),
    ).toEqual([
      ["general/d", `3 messages were moved here from #**general>a** ${by}`],
      ["general/a", `3 messages were moved from this topic to #**general>d** ${by}`],
    ]);
    expect(await hears(() => move(alice, three, { topic: "e", ...all, ...both }))).toEqual([
      ["general/e", `This topic was moved here from #**general>d** ${by}`],
      ["general/d", `This topic was moved to #**general>e** ${by}`],
    ]);
    const inTopicD = `#narrow/channel/${channels.general}-general/topic/d/near/${three}`;
    expect(await hears(() => move(alice, three, { topic: "d", ...both }))).toEqual([
      ["general/d", `[A message](${inTopicD}) was moved here from #**general>e** ${by}`],
      ["general/e", `A message was moved from this topic to #**general>d** ${by}`],
    ]);
    const quiet = { send_notification_to_new_thread: false };
    expect(await hears(() => move(alice, three, { topic: "f", ...all, ...quiet }))).toEqual([]);
    const crew = await subscribeTo(alice, "crew", [alice, bob], {});
    expect(await hears(() => move(alice, three, { stream_id: crew, ...all }))).toEqual([
      ["crew/f", `This topic was moved here from #**general>f** ${by}`],
    ]);
  });

  test("how many messages came, where the topic had messages before that the mover may read", async () => {
    const { alice, bob, channels } = world;
    const [one, two] = [await bob.say("general", "a", "1"), await bob.say("general", "b", "2")];
    await bob.say("general", "c", "3");
    const by = `by ${silent(alice)}.`;
    const near = `#narrow/channel/${channels.general}-general/topic/b/near/${one}`;
    expect(await hears(() => move(alice, one, { topic: "b", ...all, ...both }))).toEqual([
      ["general/b", `[A message](${near}) was moved here from #**general>a** ${by}`],
      ["general/a", `This topic was moved to #**general>b** ${by}`],
    ]);
    const said = await hears(() => move(alice, two, { topic: "C", ...all }));
    expect(said).toEqual([["general/C", `3 messages were moved here from #**general>b** ${by}`]]);
    expect(await hears(() => move(alice, one, { topic: "c", ...all }))).toEqual([
      ["general/c", `This topic was moved here from #**general>C** ${by}`],
    ]);
  });

  test("A16: but not that the topic had messages that the mover may not read", async () => {
    const { alice, bob, mona } = world;
    const id = await bob.say("general", "a", "1");
    await bob.say("secret", "a", "hidden");
    await alice.post("/users/me/subscriptions", {
      subscriptions: [{ name: "secret" }],
      principals: [mona.id],
    });
    const into = { stream_id: world.channels.secret };
    expect(await hears(() => move(mona, id, { ...into, ...all }))).toEqual([
      ["secret/a", `This topic was moved here from #**general>a** by ${silent(mona)}.`],
    ]);
  });

  test("A16: but not which private channel it was that something came from", async () => {
    const { alice, bob } = world;
    const id = await alice.say("secret", "plans", "1");
    const crew = await subscribeTo(alice, "crew", [alice, bob], {});
    expect(await hears(() => move(alice, id, { stream_id: crew, topic: "b", ...all }))).toEqual([
      ["crew/b", `This topic was moved here from a private channel by ${silent(alice)}.`],
    ]);
  });

  test("A16: nor into which one something went", async () => {
    const { alice, bob } = world;
    const [one, two] = [await bob.say("general", "a", "1"), await bob.say("general", "a", "2")];
    const den = await subscribeTo(alice, "den", [alice]);
    const by = `by ${silent(alice)}.`;
    const into = { stream_id: den, topic: "plans", ...both };
    const goes = async (id: number, how: object) =>
      (await hears(() => move(alice, id, { ...into, ...how }))).at(-1);
    expect(await goes(one, {})).toEqual([
      "general/a",
      `A message was moved from this topic to a private channel ${by}`,
    ]);
    expect(await goes(two, all)).toEqual([
      "general/a",
      `This topic was moved to a private channel ${by}`,
    ]);
  });

  test("with links that lead there, whatever signs are in a name", async () => {
    const { alice, bob, channels } = world;
    const id = await bob.say("general", "a", "1");
    for (const topic of ["x** @**all**", "[a](http://b.example)", "a@42", "`code` > <b>"]) {
      await move(alice, id, { topic, ...both, send_notification_to_new_thread: false });
      const [notice = 0] = (await inTopic(bob, "general", "a")).slice(-1);
      const { message } = (await bob.get(`/messages/${notice}`)).body;
      const content = decode(message.content);
      expect(content).toContain(`#general > ${topic}</a>`);
      expect(content).toContain(`#narrow/channel/${channels.general}-general/topic/`);
      expect(content).not.toContain('user-mention"');
      expect(content).not.toContain('http://b.example"');
      await move(alice, id, { topic: "a", send_notification_to_new_thread: false });
    }
  });
});

describe("A topic is resolved", () => {
  test("and unresolved: all are told, and it is unread for those alone who follow it, or by their setting", async () => {
    const { alice, bob, carol, mona, adam, channels, clock } = world;
    // People follow the topics that they begin.
    const id = await alice.say("general", "a", "1");
    await carol.say("general", "a", "2");
    await bob.post(`/messages/${id}/reactions`, { emoji_name: "tada" });
    await mona.post("/user_topics", {
      stream_id: channels.general,
      topic: "a",
      visibility_policy: 3,
    });
    await adam.patch("/settings", { resolved_topic_notice_auto_read_policy: "never" });
    await mona.patch("/settings", { resolved_topic_notice_auto_read_policy: "always" });
    const queues = await listen({ alice, bob, carol, mona, adam }, messagesOnly);
    expect(refusal(await move(alice, id, { topic: "✔ a", ...all, ...both }))).toBe("200");
    const notice = (...flags: string[]) => [
      { in: "general/✔ a", says: `${silent(alice)} has marked this topic as resolved.`, flags },
    ];
    expect(await hear(queues, said)).toEqual({
      alice: notice(),
      bob: notice("read"),
      carol: notice("read"),
      mona: notice("read"),
      adam: notice(),
    });
    const narrow = [{ operator: "is", operand: "resolved" }];
    const found = await carol.get("/messages", {
      anchor: "newest",
      num_before: 9,
      num_after: 0,
      narrow,
    });
    expect(found.body.messages.map((message: { id: number }) => message.id)).toContain(id);
    clock.advance(61);
    await move(bob, id, { topic: "a", ...all });
    expect((await hear(queues, said)).carol).toMatchObject([
      {
        in: "general/a",
        says: `${silent(bob)} has marked this topic as unresolved.`,
        flags: ["read"],
      },
    ]);
    expect((await carol.get(`/messages/${id}`)).body.message.last_moved_timestamp).toBeUndefined();
  });

  test("and that is undone within a minute: what was said of it is gone", async () => {
    const { alice, bob, clock } = world;
    const id = await alice.say("general", "a", "1");
    const queue = await bob.register(messagesOnly);
    await move(alice, id, { topic: "✔ a", ...all });
    const [notice = 0] = (await inTopic(bob, "general", "✔ a")).slice(-1);
    expect(await queue.events()).toHaveLength(1);
    clock.advance(60);
    await move(alice, id, { topic: "a", ...all });
    expect((await queue.events()).map(said)).toEqual([{ gone: [notice] }]);
    expect(await inTopic(bob, "general", "a")).toEqual([id]);
    // A message that somebody has sent since then is not forgotten, and then the notice stays too.
    await move(alice, id, { topic: "✔ a", ...all });
    await bob.say("general", "✔ a", "thanks");
    await move(alice, id, { topic: "a", ...all });
    expect(await inTopic(bob, "general", "a")).toHaveLength(4);
  });

  test("but not the empty one, nor one that only looks like it; a long name is cut", async () => {
    const { alice, bob } = world;
    const [empty, named, long] = [
      await alice.say("general", "", "1"),
      await alice.say("general", "a", "1"),
      await alice.say("general", "x".repeat(60), "1"),
    ];
    for (const topic of ["✔ ", "✔", "✔ general chat", "✔ (no topic)"]) {
      expect(refusal(await move(alice, empty, { topic, ...all }))).toBe("400 BAD_REQUEST");
    }
    const queue = await bob.register(messagesOnly);
    await move(alice, named, { topic: "✔ b", ...all });
    await move(alice, long, { topic: `✔ ${"x".repeat(60)}`, ...all });
    const texts = (await queue.events()).map(({ message }) => message.content);
    expect(texts).toMatchObject([
      expect.stringContaining("This topic was moved here from"),
      expect.stringContaining("has marked this topic as resolved."),
    ]);
  });
});
