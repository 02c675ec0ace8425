import { describe, expect, test } from "bun:test";
import type { WireEvent } from "../support/client";
import { verify, verifyInTurn } from "../support/client-state/verify";
import { hear, listen, refusal } from "../support/listening";
import { inTopic, move, places, subscribeTo } from "../support/moves";
import { shareWorld } from "../support/shared-world";
import type { World } from "../support/world";

let world: World;
const ownWorld = shareWorld((given) => {
  world = given;
});

const updatesOnly = { event_types: ["update_message"] };
const bare = ({ id: _, ...event }: WireEvent) => event;
const quiet = { send_notification_to_new_thread: false };

describe("Alice moves messages to another topic", () => {
  test("one, and those who receive what is sent there hear of it", async () => {
    const { alice, bob, otto, zoe, channels, clock } = world;
    const [first, second] = [
      await alice.say("general", "lunch", "soup"),
      await bob.say("general", "lunch", "stew"),
    ];
    const queues = await listen({ alice, bob, otto, zoe }, updatesOnly);
    clock.advance(30);
    const answer = await move(alice, second, { topic: "dinner", ...quiet });
    expect(answer.body).toEqual({ result: "success", msg: "", detached_uploads: [] });
    const event = {
      type: "update_message",
      user_id: alice.id,
      rendering_only: false,
      edit_timestamp: clock.now(),
      message_id: second,
      message_ids: [second],
      stream_id: channels.general,
      stream_name: "general",
      propagate_mode: "change_one",
      orig_subject: "lunch",
      subject: "dinner",
      topic_links: [],
      flags: [],
    };
    expect(await hear(queues, bare)).toEqual({ alice: [event], bob: [event], otto: [], zoe: [] });
    expect(await places(otto, first, second)).toEqual(["general/lunch", "general/dinner"]);
    const { message } = (await bob.get(`/messages/${second}`)).body;
    expect(message.last_moved_timestamp).toBe(clock.now());
    expect(message.edit_history).toEqual([
      { user_id: alice.id, timestamp: clock.now(), prev_topic: "lunch", topic: "dinner" },
    ]);
    expect("last_edit_timestamp" in message).toBe(false);
  });

  test("it and those after it, or all of the topic, whatever the case that they are written in", async () => {
    const { alice, bob } = await ownWorld();
    const ids = [
      await alice.say("general", "Lunch", "1"),
      await bob.say("general", "lunch", "2"),
      await alice.say("general", "LUNCH", "3"),
    ];
    const [one = 0, two = 0] = ids;
    const queue = await bob.register(updatesOnly);
    await move(alice, two, { topic: "later", propagate_mode: "change_later", ...quiet });
    expect(await places(bob, ...ids)).toEqual(["general/Lunch", "general/later", "general/later"]);
    await move(alice, two, { topic: "all", propagate_mode: "change_all", ...quiet });
    expect(await places(bob, ...ids)).toEqual(["general/Lunch", "general/all", "general/all"]);
    await move(alice, one, { topic: "ALL", propagate_mode: "change_all", ...quiet });
    expect(await inTopic(bob, "general", "all")).toEqual(ids);
    expect((await queue.events()).map(({ message_ids }) => message_ids)).toEqual([
      ids.slice(1),
      ids.slice(1),
      [one],
    ]);
  });

  test("with a new content at once: one event and one entry in the history tell of both", async () => {
    const { alice, bob, clock } = await ownWorld();
    const [one, two] = [
      await alice.say("general", "a", "old"),
      await alice.say("general", "a", "other"),
    ];
    const queue = await bob.register(updatesOnly);
    const edit = { topic: "b", content: "new", propagate_mode: "change_all", ...quiet };
    expect((await move(alice, one, edit)).status).toBe(200);
    expect((await queue.events()).map(bare)).toMatchObject([
      {
        message_id: one,
        message_ids: [one, two],
        orig_subject: "a",
        subject: "b",
        orig_content: "old",
        content: "new",
      },
    ]);
    const { message, raw_content } = (await bob.get(`/messages/${one}`)).body;
    expect([raw_content, message.subject]).toEqual(["new", "b"]);
    expect(message.edit_history).toMatchObject([
      {
        user_id: alice.id,
        timestamp: clock.now(),
        prev_topic: "a",
        topic: "b",
        prev_content: "old",
      },
    ]);
    expect((await bob.get(`/messages/${two}`)).body.message.edit_history).toEqual([
      { user_id: alice.id, timestamp: clock.now(), prev_topic: "a", topic: "b" },
    ]);
    // A request that names the present topic is no move: only the content changes.
    expect((await move(alice, one, { topic: "b", content: "newest" })).status).toBe(200);
    expect((await queue.events()).map(({ subject, content }) => [subject, content])).toEqual([
      [undefined, "newest"],
    ]);
  });

  test("with a new content at once: the move is told of where the edited message is gone", async () => {
    const { alice, bob, olga } = await ownWorld();
    const [one, two] = [
      await alice.say("general", "a", "old"),
      await alice.say("general", "a", "other"),
    ];
    const queue = await bob.register(updatesOnly);
    const edit = { topic: "b", content: "new", propagate_mode: "change_all", ...quiet };
    expect((await move(alice, one, edit)).status).toBe(200);
    expect((await olga.delete(`/messages/${one}`)).status).toBe(200);
    const [event, ...others] = await queue.events();
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      message_id: one,
      message_ids: [one, two],
      orig_subject: "a",
      subject: "b",
      flags: [],
    });
    expect(Object.keys(event).filter((key) => key.includes("content"))).toEqual([]);
    expect(event).not.toContainKey("is_me_message");
  });

  test("into a topic that is there already, and only written in another way", async () => {
    const { alice, bob, channels } = await ownWorld();
    const ids = [
      await alice.say("general", "tea", "1"),
      await alice.say("general", "coffee", "2"),
      await alice.say("general", "tea", "3"),
    ];
    await move(alice, ids[0] ?? 0, { topic: "Coffee", propagate_mode: "change_all", ...quiet });
    expect(await inTopic(bob, "general", "coffee")).toEqual(ids);
    await move(bob, ids[0] ?? 0, { topic: "COFFEE", propagate_mode: "change_all", ...quiet });
    const { body } = await bob.get(`/users/me/${channels.general}/topics`);
    expect(body.topics).toEqual([{ name: "COFFEE", max_id: ids[2] }]);
  });

  test("to the empty topic, by each of its names, which older clients see under one", async () => {
    const { alice, bob } = world;
    const old = await bob.register({
      ...updatesOnly,
      client_capabilities: { notification_settings_null: true },
    });
    for (const name of ["", "  ", "(no topic)", "general chat"]) {
      const id = await alice.say("general", "a", "1");
      expect((await move(alice, id, { topic: name, ...quiet })).status).toBe(200);
      expect(refusal(await move(alice, id, { topic: "", ...quiet }))).toBe("400 BAD_REQUEST");
      const { message } = (await bob.get(`/messages/${id}`, { allow_empty_topic_name: true })).body;
      expect(message.subject).toBe("");
    }
    const subjects = (await old.events()).map(({ orig_subject, subject }) => [
      orig_subject,
      subject,
    ]);
    expect(subjects).toEqual(Array.from({ length: 4 }, () => ["a", "general chat"]));
  });

  test("and is refused what is none", async () => {
    const { alice, bob } = world;
    const [id, direct] = [await alice.say("general", "a", "1"), await alice.tell([bob], "psst")];
    const refused = async (parameters: object, messageId = id) =>
      refusal(await move(alice, messageId, parameters));
    expect(await refused({ topic: "a" })).toBe("400 BAD_REQUEST");
    expect(await refused({ topic: "b\u0000" })).toBe("400 BAD_REQUEST");
    expect(await refused({ topic: "b", propagate_mode: "change_some" })).toBe("400 BAD_REQUEST");
    expect(await refused({ topic: "b" }, direct)).toBe("400 BAD_REQUEST");
    expect(await refused({ stream_id: world.channels.general }, direct)).toBe("400 BAD_REQUEST");
    expect(await refused({ topic: "b" }, 99_999_999)).toBe("400 BAD_REQUEST");
    expect(await refused({ topic: "x".repeat(70), ...quiet })).toBe("200");
    expect(await places(bob, id)).toEqual([`general/${"x".repeat(57)}...`]);
  });

  test("and everybody's state follows, what they have not read and what they want of the topic included", async () => {
    const { alice, bob, carol, channels } = await ownWorld();
    const verifyNext = verifyInTurn(world);
    const id = await alice.say("general", "a", "1");
    await bob.say("general", "a", "@**carol** 2");
    await carol.post("/user_topics", {
      stream_id: channels.general,
      topic: "a",
      visibility_policy: 1,
    });
    const counts = await verifyNext(() =>
      move(alice, id, { topic: "b", propagate_mode: "change_all" }),
    );
    expect(counts["otto"]).toBe(0);
    expect(counts["bob"]).toBeGreaterThan(1);
    await verifyNext(() => move(bob, id, { topic: "✔ b", propagate_mode: "change_all" }));
    await verifyNext(() => move(bob, id, { topic: "b", propagate_mode: "change_all" }));
    await verifyNext(() => move(bob, id, { topic: "", content: "x" }));
  });
});

describe("What people want of a topic", () => {
  const wanted = async (name: "alice" | "bob" | "carol" | "mona") =>
    (await world[name].register({ fetch_event_types: ["user_topic"] })).state.user_topics.map(
      ({ stream_id, topic_name, visibility_policy }: WireEvent) =>
        `${stream_id} ${topic_name} ${visibility_policy}`,
    );
  const want = (
    name: "alice" | "bob" | "carol" | "mona",
    topic: string,
    visibility_policy: number,
  ) =>
    world[name].post("/user_topics", {
      stream_id: world.channels.general,
      topic,
      visibility_policy,
    });

  test("goes along with a whole topic, however it is moved, and stays where a part is left", async () => {
    const { alice, bob, channels } = await ownWorld();
    const [one, two] = [await bob.say("general", "a", "1"), await bob.say("general", "a", "2")];
    await want("carol", "a", 1);
    const queues = await listen(
      { alice, carol: world.carol },
      { event_types: ["user_topic", "muted_topics"] },
    );
    await move(alice, two, { topic: "b", ...quiet });
    expect([await wanted("bob"), await wanted("carol")]).toEqual([
      [`${channels.general} a 3`],
      [`${channels.general} a 1`],
    ]);
    await move(alice, one, { topic: "c", ...quiet });
    expect([await wanted("bob"), await wanted("carol")]).toEqual([
      [`${channels.general} c 3`],
      [`${channels.general} c 1`],
    ]);
    const inShort = ({ topic_name, visibility_policy }: WireEvent) =>
      `${topic_name} ${visibility_policy}`;
    expect(await hear(queues, inShort)).toEqual({ alice: [], carol: ["a 0", "c 1"] });
  });

  test("is the wish that shows more where topics become one", async () => {
    const { alice, bob, channels } = await ownWorld();
    const moved = await alice.say("general", "from", "1");
    await alice.say("general", "into", "2");
    for (const [name, from, into] of [
      ["alice", 2, 3],
      ["bob", 1, 2],
      ["carol", 1, 0],
    ] as const) {
      await want(name, "from", from);
      await want(name, "into", into);
    }
    await verify(world, () =>
      move(bob, moved, { topic: "INTO", propagate_mode: "change_all", ...quiet }),
    );
    expect([await wanted("alice"), await wanted("bob"), await wanted("carol")]).toEqual([
      [`${channels.general} into 3`],
      [`${channels.general} into 2`],
      [],
    ]);
  });

  test("is a follow for who followed either of two topics that become one, also where they had muted the other", async () => {
    const { alice, bob, channels } = await ownWorld();
    const moved = await alice.say("general", "from", "1");
    await alice.say("general", "into", "2");
    await want("bob", "from", 3);
    await want("bob", "into", 1);
    await want("carol", "from", 1);
    await want("carol", "into", 3);
    await want("mona", "from", 3);
    const queues = await listen(
      { bob, carol: world.carol, mona: world.mona },
      { event_types: ["user_topic"] },
    );
    await move(alice, moved, { topic: "into", propagate_mode: "change_all", ...quiet });
    const into = [`${channels.general} into 3`];
    expect([await wanted("bob"), await wanted("carol"), await wanted("mona")]).toEqual([
      into,
      into,
      into,
    ]);
    const inShort = ({ topic_name, visibility_policy }: WireEvent) =>
      `${topic_name} ${visibility_policy}`;
    expect(await hear(queues, inShort)).toEqual({
      bob: ["from 0", "into 3"],
      carol: ["from 0"],
      mona: ["from 0", "into 3"],
    });
  });

  test("is kept by those who may read where the topic is then, and by nobody else", async () => {
    const { alice, bob, carol, channels } = await ownWorld();
    const id = await alice.say("general", "a", "1");
    for (const name of ["bob", "carol"] as const) await want(name, "a", 3);
    await subscribeTo(alice, "den", [alice, bob]);
    const den = (await alice.get("/get_stream_id", { stream: "den" })).body.stream_id;
    const queues = await listen({ bob, carol }, { event_types: ["user_topic"] });
    await move(alice, id, { stream_id: den, propagate_mode: "change_all", ...quiet });
    const inShort = ({ stream_id, topic_name, visibility_policy }: WireEvent) =>
      `${stream_id} ${topic_name} ${visibility_policy}`;
    expect(await hear(queues, inShort)).toEqual({
      bob: [`${channels.general} a 0`, `${den} a 3`],
      carol: [`${channels.general} a 0`],
    });
  });
});

describe("Two who do something at the same time", () => {
  test("move the same topic: it is in one place then, as the later one wanted", async () => {
    const { alice, bob, carol } = world;
    const ids = [await alice.say("general", "a", "1"), await alice.say("general", "a", "2")];
    const all = { propagate_mode: "change_all", ...quiet };
    const [one, two] = await Promise.all([
      move(alice, ids[0] ?? 0, { topic: "b", ...all }),
      move(bob, ids[0] ?? 0, { topic: "c", ...all }),
    ]);
    expect([one.status, two.status]).toEqual([200, 200]);
    const topics = new Set(await places(carol, ...ids));
    expect(topics.size).toBe(1);
    const { message } = (await carol.get(`/messages/${ids[0]}`)).body;
    const [last, first] = message.edit_history;
    expect([first.prev_topic, last.prev_topic, last.topic]).toEqual([
      "a",
      first.topic,
      message.subject,
    ]);
  });

  test("send into a topic, delete from it and move it: nothing is lost or there twice", async () => {
    const { alice, bob, carol } = await ownWorld();
    const ids: number[] = [];
    for (let count = 0; count < 5; count++) ids.push(await alice.say("general", "a", `${count}`));
    const sends = Array.from({ length: 5 }, (_, count) => bob.say("general", "a", `late ${count}`));
    const moved = move(carol, ids[0] ?? 0, { topic: "b", propagate_mode: "change_all", ...quiet });
    const deleted = world.adam.delete(`/messages/${ids[1]}`);
    const late = await Promise.all(sends);
    expect([(await moved).status, (await deleted).status]).toEqual([200, 200]);
    const found = [
      ...(await inTopic(carol, "general", "a")),
      ...(await inTopic(carol, "general", "b")),
    ];
    const expected = [...ids.filter((id) => id !== ids[1]), ...late].sort((a, b) => a - b);
    expect(found.sort((a, b) => a - b)).toEqual(expected);
  });
});
