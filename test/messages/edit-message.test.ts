import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import type { WireEvent } from "../support/client";
import { verify } from "../support/client-state/verify";
import { hear, listen, refusal } from "../support/listening";
import { shareWorld } from "../support/shared-world";
import type { Person, World } from "../support/world";

let world: World;
const ownWorld = shareWorld((given) => {
  world = given;
});

const edit = (person: Person, id: number, content: string, more = {}) =>
  person.patch(`/messages/${id}`, { content, ...more });
const read = async (person: Person, id: number) => (await person.get(`/messages/${id}`)).body;
const editsOnly = { event_types: ["update_message"] };
const bare = ({ id: _, ...event }: WireEvent) => event;
const texts = ({ orig_content, content }: WireEvent) => [orig_content, content];
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/** Changes permissions of the organization: by the name of a system group, or any other setting. */
async function allow(settings: Record<string, unknown>) {
  const { state } = await world.olga.register({
    fetch_event_types: ["realm", "realm_user_groups"],
  });
  const groupId = (name: unknown) =>
    state.realm_user_groups.find((group: WireEvent) => group.name === name)?.id;
  const changed = Object.entries(settings).map(([name, value]) => [
    name,
    groupId(value) === undefined ? value : { new: groupId(value) },
  ]);
  const { status, body } = await world.olga.patch("/realm", Object.fromEntries(changed));
  expect([status, body.msg]).toEqual([200, ""]);
}

describe("Alice changes what she wrote", () => {
  test("in a channel: those who receive what is sent there hear of it, with their own flags", async () => {
    const { alice, bob, otto, greta, zoe, clock, channels } = world;
    const id = await alice.say("general", "lunch", "*leek* soup");
    await bob.post("/messages/flags", { messages: [id], op: "add", flag: "starred" });
    const queues = await listen({ alice, bob, otto, greta, zoe }, editsOnly);
    clock.advance(30);
    const answer = await edit(alice, id, "**potato** soup  ");
    expect(answer.body).toEqual({ result: "success", msg: "", detached_uploads: [] });
    const event = {
      type: "update_message",
      user_id: alice.id,
      rendering_only: false,
      edit_timestamp: clock.now(),
      message_id: id,
      message_ids: [id],
      stream_id: channels.general,
      stream_name: "general",
      orig_content: "*leek* soup",
      orig_rendered_content: "<p><em>leek</em> soup</p>",
      content: "**potato** soup",
      rendered_content: "<p><strong>potato</strong> soup</p>",
      is_me_message: false,
    };
    expect(await hear(queues, bare)).toEqual({
      alice: [{ ...event, flags: [] }],
      bob: [{ ...event, flags: ["starred"] }],
      otto: [],
      greta: [],
      zoe: [],
    });
    const { message, raw_content } = await read(otto, id);
    expect(raw_content).toBe("**potato** soup");
    expect(message).toMatchObject({
      content: event.rendered_content,
      last_edit_timestamp: clock.now(),
    });
    expect(message.edit_history).toEqual([
      {
        user_id: alice.id,
        timestamp: clock.now(),
        prev_content: event.orig_content,
        prev_rendered_content: event.orig_rendered_content,
      },
    ]);
    expect(message.last_moved_timestamp).toBeUndefined();
  });

  test("to people: who takes part hears of it, without a channel", async () => {
    const { alice, bob, carol } = world;
    const id = await alice.tell([bob], "psst");
    const queues = await listen({ alice, bob, carol }, editsOnly);
    expect((await edit(alice, id, "/me whispers")).status).toBe(200);
    const heard = await hear(queues, bare);
    expect(heard.carol).toEqual([]);
    for (const events of [heard.alice, heard.bob]) {
      expect(events).toMatchObject([
        { content: "/me whispers", is_me_message: true, message_ids: [id] },
      ]);
      expect(events[0]).not.toContainKey("stream_id");
    }
    expect((await read(bob, id)).message.is_me_message).toBe(true);
  });

  test("to nothing, which empties it; to too much, which is cut; and to the same, which is an edit too", async () => {
    const { alice, bob, clock } = world;
    const id = await alice.say("general", "t", "soup");
    const queue = await bob.register(editsOnly);
    clock.advance(5);
    await edit(alice, id, "soup");
    await edit(alice, id, " \n ");
    await edit(alice, id, "ä".repeat(10_001));
    const events = await queue.events();
    expect(events.slice(0, 2).map(texts)).toEqual([
      ["soup", "soup"],
      ["soup", "(deleted)"],
    ]);
    expect(events[2].content).toBe(`${"ä".repeat(9_980)}\n[message truncated]`);
    expect((await read(bob, id)).message.edit_history).toHaveLength(3);
  });

  test("and other clients that unsubscribed since still hear of it, if it is hers", async () => {
    const { alice, bob } = await ownWorld();
    const id = await alice.say("general", "t", "1");
    for (const person of [alice, bob]) {
      await person.delete("/users/me/subscriptions", { subscriptions: ["general"] });
    }
    const queues = await listen({ alice, bob }, editsOnly);
    await edit(alice, id, "2");
    expect(await hear(queues, texts)).toEqual({ alice: [["1", "2"]], bob: [] });
  });

  test("and it mentions others then, and others see their words in it", async () => {
    const { alice, bob, carol, mona } = await ownWorld();
    await mona.post("/users/me/alert_words", { alert_words: ["soup"] });
    const id = await alice.say("general", "t", "@**Bob**, bread?");
    const before = await carol.register();
    const queues = await listen({ bob, carol, mona }, editsOnly);
    expect((await edit(alice, id, "@**Carol**, soup?")).status).toBe(200);
    const flags = await hear(queues, (event) => event.flags);
    expect(flags).toEqual({ bob: [[]], carol: [["mentioned"]], mona: [["has_alert_word"]] });
    expect((await read(carol, id)).message.flags).toEqual(["mentioned"]);
    expect((await read(bob, id)).message.flags).toEqual([]);
    expect(before.state.unread_msgs.mentions).toEqual([]);
    expect((await carol.register()).state.unread_msgs.mentions).toEqual([id]);
    expect((await bob.register()).state.unread_msgs.mentions).toEqual([]);
  });

  test("and at the same time the topic: it is one event, and who is named follows the new topic", async () => {
    const { alice, bob, carol, channels } = world;
    const id = await alice.say("general", "lunch", "soup?");
    const queues = await listen({ bob, carol }, { event_types: ["update_message", "user_topic"] });
    const topic = { topic: "dinner", send_notification_to_new_thread: false };
    expect((await edit(alice, id, "@**Bob**, soup?", topic)).status).toBe(200);
    const heard = await hear(queues, bare);
    const update = {
      type: "update_message",
      orig_subject: "lunch",
      subject: "dinner",
      content: "@**Bob**, soup?",
    };
    const follows = {
      type: "user_topic",
      stream_id: channels.general,
      topic_name: "dinner",
      visibility_policy: 3,
    };
    expect(heard.carol).toMatchObject([{ ...update, message_ids: [id], flags: [] }]);
    expect(heard.bob.toSorted((a, b) => (a.type < b.type ? -1 : 1))).toMatchObject([
      { ...update, flags: ["mentioned"] },
      follows,
    ]);
    const { message_history } = (await bob.get(`/messages/${id}/history`)).body;
    expect(message_history).toHaveLength(2);
    expect(message_history[1]).toMatchObject({
      prev_topic: "lunch",
      topic: "dinner",
      prev_content: "soup?",
    });
  });

  test("as long as the organization lets her, and twenty seconds more", async () => {
    const { alice, clock } = await ownWorld();
    const id = await alice.say("general", "t", "1");
    await allow({ message_content_edit_limit_seconds: 60 });
    clock.advance(80);
    expect((await edit(alice, id, "2")).status).toBe(200);
    clock.advance(1);
    expect(refusal(await edit(alice, id, "3"))).toBe("400 BAD_REQUEST");
    await allow({ message_content_edit_limit_seconds: "unlimited" });
    expect((await edit(alice, id, "4")).status).toBe(200);
    await allow({ allow_message_editing: false });
    expect(refusal(await edit(alice, id, "5"))).toBe("400 BAD_REQUEST");
    expect((await read(alice, id)).raw_content).toBe("4");
  });

  test("but not what stands there now if that is another text than she took it for", async () => {
    const { alice } = world;
    const id = await alice.say("general", "t", "1");
    const prev_content_sha256 = sha256("1");
    const answers = await Promise.all(
      ["2", "3"].map((text) => edit(alice, id, text, { prev_content_sha256 })),
    );
    expect(answers.map(refusal).sort()).toEqual(["200", "400 EXPECTATION_MISMATCH"]);
    const winner = answers[0]?.status === 200 ? "2" : "3";
    expect((await read(alice, id)).raw_content).toBe(winner);
    expect(
      (await edit(alice, id, "4", { prev_content_sha256: sha256(winner).toUpperCase() })).status,
    ).toBe(200);
    const moved = await alice.patch(`/messages/${id}`, { topic: "u", prev_content_sha256 });
    expect(refusal(moved)).toBe("400 EXPECTATION_MISMATCH");
  });

  test("and two who do it at once have done it one after the other; who deletes it meanwhile ends that", async () => {
    const { alice, bob } = world;
    const id = await alice.say("general", "t", "0");
    const queue = await bob.register({ event_types: ["update_message", "delete_message"] });
    await Promise.all([edit(alice, id, "1"), edit(alice, id, "2")]);
    const [first, second] = await queue.events();
    expect(first.orig_content).toBe("0");
    expect(second.orig_content).toBe(first.content);
    const [deleted, ...edited] = await Promise.all([
      alice.delete(`/messages/${id}`),
      edit(alice, id, "3"),
      edit(alice, id, "4"),
    ]);
    expect(deleted?.status).toBe(200);
    for (const one of edited) expect(["200", "400 BAD_REQUEST"]).toContain(refusal(one));
    const rest = (await queue.events()).map(({ type }) => type);
    expect(rest.at(-1)).toBe("delete_message");
    expect((await bob.get(`/messages/${id}`)).status).toBe(400);
  });
});

describe("Nobody changes", () => {
  test("what somebody else wrote, whatever their role", async () => {
    const { alice, bob, olga, robot } = world;
    const [id, ofBot] = [
      await alice.say("general", "t", "1"),
      await robot.say("general", "t", "beep"),
    ];
    for (const person of [bob, olga, robot])
      expect(refusal(await edit(person, id, "x"))).toBe("400 BAD_REQUEST");
    expect(refusal(await edit(alice, ofBot, "x"))).toBe("400 BAD_REQUEST");
    expect((await edit(robot, ofBot, "boop")).status).toBe(200);
  });

  test("nothing at all, several things at once, or a poll", async () => {
    const { alice, bob, channels } = world;
    const [id, direct] = [await alice.say("general", "t", "1"), await alice.tell([bob], "2")];
    const requests: [number, Record<string, unknown>][] = [
      [id, {}],
      [id, { content: "x", stream_id: channels.general }],
      [id, { content: "x", propagate_mode: "change_all" }],
      [id, { content: "x", propagate_mode: "bogus" }],
      [id, { content: "nul \0" }],
      [direct, { topic: "t" }],
      [direct, { stream_id: channels.general }],
      [direct, { content: "x", topic: "t" }],
    ];
    for (const [messageId, parameters] of requests) {
      const answer = await alice.patch(`/messages/${messageId}`, parameters);
      expect([parameters, refusal(answer)]).toEqual([parameters, "400 BAD_REQUEST"]);
    }
    const poll = await alice.say("general", "t", "/poll Soup?\nleek\npotato");
    expect(refusal(await edit(alice, poll, "x"))).toBe("400 BAD_REQUEST");
    expect((await read(alice, id)).raw_content).toBe("1");
    expect((await read(bob, direct)).raw_content).toBe("2");
  });

  test("E8: what they wrote where they may not write any more", async () => {
    const { alice, bob, olga, channels } = await ownWorld();
    const [id, direct] = [await alice.say("general", "t", "1"), await alice.tell([bob], "2")];
    const only = { direct_members: [olga.id], direct_subgroups: [] };
    expect(
      (await olga.patch(`/streams/${channels.general}`, { can_send_message_group: { new: only } }))
        .body.msg,
    ).toBe("");
    await allow({ direct_message_permission_group: "role:nobody" });
    for (const message of [id, direct])
      expect(refusal(await edit(alice, message, "x"))).toBe("400 BAD_REQUEST");
    expect((await read(bob, id)).raw_content).toBe("1");
  });

  test("A3: what they wrote in a private channel that they are not in any more, or in an archived one", async () => {
    const { alice, bob, olga, channels } = await ownWorld();
    const [id, other] = [await bob.say("secret", "t", "1"), await bob.say("general", "t", "2")];
    const missing = await edit(bob, 99_999_999, "x");
    expect(refusal(missing)).toBe("400 BAD_REQUEST");
    await bob.delete("/users/me/subscriptions", { subscriptions: ["secret"] });
    expect((await edit(bob, id, "x")).body).toEqual(missing.body);
    expect((await bob.patch(`/messages/${id}`, { topic: "x" })).body).toEqual(missing.body);
    expect((await bob.delete(`/messages/${id}`)).body).toEqual(missing.body);
    expect((await olga.delete(`/streams/${channels.general}`)).status).toBe(200);
    expect((await edit(bob, other, "x")).body).toEqual(missing.body);
    expect((await read(alice, id)).raw_content).toBe("1");
  });

  test("A17: what is hidden from them, and is told the same as of what is not there", async () => {
    const { alice, bob, carol, olga, greta, zoe } = world;
    const hidden = [await alice.say("plans", "t", "1"), await alice.tell([bob], "2")];
    for (const person of [carol, olga, greta, zoe]) {
      const missing = await edit(person, 99_999_999, "x");
      for (const id of hidden) expect((await edit(person, id, "x")).body).toEqual(missing.body);
    }
  });
});

test("For everybody the state before and the changes give the state after", async () => {
  const { alice, bob, carol } = await ownWorld();
  const ids = [
    await alice.say("general", "t", "@**Bob** 1"),
    await alice.say("secret", "t", "2"),
    await alice.tell([bob, carol], "3"),
    await alice.say("general", "t", "4"),
  ];
  const [first = 0, second = 0, direct = 0, last = 0] = ids;
  const counts = await verify(world, async () => {
    expect((await edit(alice, first, "@**Carol** 1")).status).toBe(200);
    expect((await edit(alice, second, "@**Bob** 2")).status).toBe(200);
    expect((await edit(alice, direct, "@**Carol** 3")).status).toBe(200);
    expect((await edit(alice, last, "@**all** 4")).status).toBe(200);
  });
  expect(counts).toMatchObject({ otto: 0, greta: 0 });
});
