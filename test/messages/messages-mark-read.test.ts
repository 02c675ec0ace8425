import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { verifyInTurn } from "../support/client-state/verify";
import { hear, listen, refusal } from "../support/listening";
import { addManyMessages } from "../support/many-messages";
import { makeWorld, type Person, type World } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

const change = (person: Person, op: "add" | "remove", flag: string, messages: unknown) =>
  person.post("/messages/flags", { messages, op, flag });

const flagsOf = async (person: Person, id: number): Promise<string[]> =>
  (await person.get(`/messages/${id}`)).body.message.flags;

const unreadOf = async (person: Person) =>
  (await person.register({ fetch_event_types: ["message", "update_message_flags"] })).state
    .unread_msgs;

const flagsOnly = { event_types: ["update_message_flags"] };

describe("Bob changes flags around an anchor", () => {
  const inNarrow = (more: object) => ({
    anchor: "newest",
    num_before: 0,
    num_after: 0,
    op: "add",
    flag: "read",
    narrow: [["channel", "general"]],
    ...more,
  });
  const changeNarrow = (person: Person, more: object) =>
    person.post("/messages/flags/narrow", inNarrow(more));

  test("and is told which messages that were, and whether there are others", async () => {
    const { alice, bob } = world;
    const ids: number[] = [];
    for (const content of ["1", "2", "3", "4"]) ids.push(await alice.say("general", "t", content));
    const direct = await alice.tell([bob], "5");
    const queues = await listen({ bob, alice }, flagsOnly);
    const newest = await changeNarrow(bob, { num_before: 2 });
    expect(newest.body).toEqual({
      result: "success",
      msg: "",
      processed_count: 2,
      updated_count: 2,
      found_oldest: false,
      found_newest: true,
      first_processed_id: ids[2],
      last_processed_id: ids[3],
      ignored_because_not_subscribed_channels: [],
    });
    const oldest = await changeNarrow(bob, { anchor: "oldest", num_after: 3 });
    expect(oldest.body).toMatchObject({
      processed_count: 3,
      updated_count: 2,
      first_processed_id: ids[0],
      last_processed_id: ids[2],
      found_oldest: true,
      found_newest: false,
    });
    const empty = await changeNarrow(bob, { num_before: 9, narrow: [["topic", "nothing"]] });
    expect(empty.body).toMatchObject({
      processed_count: 0,
      first_processed_id: null,
      last_processed_id: null,
    });
    expect(await flagsOf(bob, direct)).toEqual([]);
    expect(await hear(queues, ({ messages }) => messages)).toEqual({
      bob: [[ids[2], ids[3]], [ids[0], ids[1]], []],
      alice: [],
    });
  });

  test("by his first unread message, and unread again only where he is", async () => {
    const { alice, bob, otto, channels } = world;
    const ids = [await alice.say("general", "t", "1"), await alice.say("general", "t", "2")];
    const unread = [
      ["channel", "general"],
      ["is", "unread"],
    ];
    const { body } = await changeNarrow(bob, { anchor: "first_unread", narrow: unread });
    expect(body).toMatchObject({ processed_count: 1, first_processed_id: ids[0] });
    const beyond = await changeNarrow(otto, { num_before: 5, op: "remove" });
    expect(beyond.body).toMatchObject({
      processed_count: 2,
      updated_count: 0,
      ignored_because_not_subscribed_channels: [channels.general],
    });
    expect((await changeNarrow(otto, { num_before: 5, flag: "starred" })).body.updated_count).toBe(
      2,
    );
  });

  test("of at most 5,000 at a time: of more that he asks for, those nearest to the anchor", async () => {
    const { bob } = world;
    const ids = await addManyMessages(world, 5_004);
    const ask = async (anchor: unknown, numBefore: number, numAfter: number) => {
      const range = { anchor, num_before: numBefore, num_after: numAfter, flag: "starred" };
      const { first_processed_id, last_processed_id, ...body } = (await changeNarrow(bob, range))
        .body;
      const places = [ids.indexOf(first_processed_id), ids.indexOf(last_processed_id)];
      return [...places, body.updated_count, body.found_oldest, body.found_newest];
    };
    expect(await ask("oldest", 0, 1_000_000)).toEqual([0, 4_999, 5_000, true, false]);
    expect(await ask("newest", 1_000_000, 0)).toEqual([4, 5_003, 4, false, true]);
    expect(await ask(ids[3_000], 4_000, 4_000)).toEqual([500, 5_003, 0, false, true]);
    expect(await ask(ids[3_000], 10, 1_000_000)).toEqual([2_990, 5_003, 0, false, true]);
    expect((await bob.register()).state.starred_messages).toEqual(ids);
    expect(
      (await bob.get("/messages", { anchor: 0, num_before: 0, num_after: 5_001 })).status,
    ).toBe(400);
  });

  test("as GET /messages takes them, and nothing else", async () => {
    const { bob } = world;
    const refused: [object, string][] = [
      [{ narrow: [["channel", 99_999_999]] }, "400 BAD_NARROW"],
      [{ narrow: [{ operator: "bogus", operand: 1 }] }, "400 BAD_REQUEST"],
      [{ num_before: 1, num_after: 1, include_anchor: false, anchor: 1 }, "400 BAD_REQUEST"],
      [{ flag: "mentioned" }, "400 BAD_REQUEST"],
      [{ op: "toggle" }, "400 BAD_REQUEST"],
      [{ num_after: undefined }, "400 REQUEST_VARIABLE_MISSING"],
      [{ anchor: undefined }, "400 REQUEST_VARIABLE_MISSING"],
      [{ narrow: undefined }, "400 REQUEST_VARIABLE_MISSING"],
    ];
    const queue = await bob.register(flagsOnly);
    for (const [more, answer] of refused)
      expect([more, refusal(await changeNarrow(bob, more))]).toEqual([more, answer]);
    expect(await queue.events()).toEqual([]);
  });

  test("A13: what he may not read is looked at in no narrow, nor told of", async () => {
    const { alice, carol } = world;
    const hidden = await alice.say("secret", "t", "hidden");
    for (const narrow of [[["id", hidden]], [["with", hidden]], [["topic", "t"]], []]) {
      const { body } = await changeNarrow(carol, {
        anchor: hidden,
        num_before: 5,
        num_after: 5,
        flag: "starred",
        narrow,
      });
      expect(body.processed_count ?? 0).toBe(0);
    }
    const at = (channel: unknown) =>
      changeNarrow(carol, { num_before: 5, narrow: [["channel", channel]] });
    expect((await at("secret")).body).toEqual((await at("nowhere")).body);
  });
});

describe("Bob marks as read", () => {
  const mark = (person: Person, what: string, parameters = {}) =>
    person.post(`/mark_${what}_as_read`, parameters);
  let ids: Record<"lunch" | "tea" | "plot" | "direct", number>;
  beforeEach(async () => {
    const { alice, bob } = world;
    ids = {
      lunch: await alice.say("general", "Lunch", "1"),
      tea: await alice.say("general", "tea", "2"),
      plot: await alice.say("secret", "plot", "3"),
      direct: await alice.tell([bob], "4"),
    };
  });
  const unreadIds = async (person: Person) => {
    const { streams, pms } = await unreadOf(person);
    return [...streams, ...pms]
      .flatMap(({ unread_message_ids }) => unread_message_ids)
      .sort((a, b) => a - b);
  };
  const short = ({ messages, all }: { messages: number[]; all: boolean }) =>
    `${messages}${all ? "all" : ""}`;

  test("one topic, whatever its case", async () => {
    const { alice, bob, channels } = world;
    const queues = await listen({ bob, alice }, flagsOnly);
    const topic = { stream_id: channels.general, topic_name: "lunch" };
    expect((await mark(bob, "topic", topic)).body).toEqual({ result: "success", msg: "" });
    await mark(bob, "topic", topic);
    expect(await unreadIds(bob)).toEqual([ids.tea, ids.plot, ids.direct]);
    expect(await hear(queues, short)).toEqual({ bob: [`${ids.lunch}`], alice: [] });
    expect(refusal(await mark(bob, "topic", { ...topic, topic_name: "none" }))).toBe(
      "400 BAD_REQUEST",
    );
    expect(refusal(await mark(bob, "topic", { stream_id: channels.general }))).toBe(
      "400 REQUEST_VARIABLE_MISSING",
    );
  });

  test("one channel", async () => {
    const { bob, channels } = world;
    const queue = await bob.register(flagsOnly);
    expect((await mark(bob, "stream", { stream_id: channels.general })).status).toBe(200);
    await mark(bob, "stream", { stream_id: channels.general });
    expect(await unreadIds(bob)).toEqual([ids.plot, ids.direct]);
    expect((await queue.events()).map(short)).toEqual([`${ids.lunch},${ids.tea}`]);
    expect(refusal(await mark(bob, "stream"))).toBe("400 REQUEST_VARIABLE_MISSING");
  });

  test("everything, what he had marked as unread and what came before he did included", async () => {
    const { alice, bob, carol } = world;
    await change(bob, "add", "read", [ids.lunch, ids.direct]);
    await change(bob, "remove", "read", [ids.lunch]);
    const queues = await listen({ bob, carol }, flagsOnly);
    expect((await mark(bob, "all")).body).toEqual({ result: "success", msg: "", complete: true });
    expect((await unreadOf(bob)).count).toBe(0);
    expect(await hear(queues, short)).toEqual({ bob: ["all"], carol: [] });
    const later = await alice.say("general", "Lunch", "5");
    expect(await unreadIds(bob)).toEqual([later]);
    expect(await unreadIds(carol)).toEqual([ids.lunch, ids.tea, later]);
    expect(await flagsOf(bob, ids.plot)).toEqual(["read"]);
  });

  test("A17: not in a channel that one may not read, which is refused like one that is not there", async () => {
    const { carol, olga, greta, zoe, channels } = world;
    const cases: [Person, number][] = [
      [carol, channels.secret],
      [olga, channels.plans],
      [greta, channels.general],
      [zoe, channels.general],
    ];
    for (const what of ["stream", "topic"]) {
      const missing = await mark(carol, what, { stream_id: 99_999_999, topic_name: "plot" });
      expect(refusal(missing)).toBe("400 BAD_REQUEST");
      for (const [person, id] of cases) {
        const { body } = await mark(person, what, { stream_id: id, topic_name: "plot" });
        expect(body.msg).toBe(missing.body.msg.replace("99999999", `${id}`));
      }
    }
  });

  test("A16: not a protected topic of before their time, which is not there for them", async () => {
    const { alice, carol, channels } = world;
    await alice.post("/users/me/subscriptions", {
      subscriptions: [{ name: "secret" }],
      principals: [carol.id],
    });
    const topic = { stream_id: channels.secret, topic_name: "plot" };
    const none = await mark(carol, "topic", { ...topic, topic_name: "none" });
    expect((await mark(carol, "topic", topic)).body).toEqual({
      ...none.body,
      msg: none.body.msg.replace("none", "plot"),
    });
    await alice.say("secret", "plot", "5");
    expect((await mark(carol, "topic", topic)).status).toBe(200);
  });

  test("and the state before and the events give the state after", async () => {
    const { bob, carol, channels } = world;
    const verifyNext = verifyInTurn(world);
    await verifyNext(async () => {
      await mark(bob, "topic", { stream_id: channels.general, topic_name: "tea" });
      await mark(carol, "stream", { stream_id: channels.general });
    });
    const counts = await verifyNext(() => mark(bob, "all"));
    expect(counts).toMatchObject({ bob: 1, carol: 0 });
  });
});
