import { describe, expect, test } from "bun:test";
import type { WireEvent } from "../support/client";
import { verify, verifyInTurn } from "../support/client-state/verify";
import { hear, listen, refusal } from "../support/listening";
import { shareWorld } from "../support/shared-world";
import type { Person, World } from "../support/world";

let world: World;
const ownWorld = shareWorld((given) => {
  world = given;
});

const remove = (person: Person, id: number) => person.delete(`/messages/${id}`);
const isThere = async (person: Person, id: number) =>
  (await person.get(`/messages/${id}`)).status === 200;
const deletionsOnly = { event_types: ["delete_message"] };
const bare = ({ id: _, ...event }: WireEvent) => event;
const removedIds = ({ message_ids }: WireEvent) => message_ids;

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

describe("Alice deletes a message of hers", () => {
  test("in a channel: it is gone with what hung on it, and its subscribers hear of it", async () => {
    const { alice, bob, otto, zoe, channels } = await ownWorld();
    const [id, other] = [
      await alice.say("general", "Lunch", "1"),
      await alice.say("general", "Lunch", "2"),
    ];
    await bob.post(`/messages/${id}/reactions`, { emoji_name: "wave" });
    await bob.post("/messages/flags", { messages: [id], op: "add", flag: "starred" });
    const queues = await listen({ alice, bob, otto, zoe }, deletionsOnly);
    const old = await bob.register({
      ...deletionsOnly,
      client_capabilities: { notification_settings_null: true },
    });
    expect((await remove(alice, id)).body).toEqual({ result: "success", msg: "" });
    const place = {
      type: "delete_message",
      message_type: "stream",
      stream_id: channels.general,
      topic: "Lunch",
    };
    const event = { ...place, message_ids: [id] };
    expect(await hear(queues, bare)).toEqual({ alice: [event], bob: [event], otto: [], zoe: [] });
    expect((await old.events()).map(bare)).toEqual([{ ...place, message_id: id }]);
    expect([await isThere(bob, id), await isThere(bob, other)]).toEqual([false, true]);
    const { state } = await bob.register({ fetch_event_types: ["starred_messages"] });
    expect(state.starred_messages).toEqual([]);
    expect((await remove(alice, id)).body).toEqual((await remove(alice, 99_999_999)).body);
  });

  test("to people: who takes part hears of it, in both forms", async () => {
    const { alice, bob, carol } = world;
    const id = await alice.tell([bob], "psst");
    const queues = await listen({ alice, bob, carol }, deletionsOnly);
    const old = await bob.register({
      ...deletionsOnly,
      client_capabilities: { notification_settings_null: true },
    });
    await remove(alice, id);
    const event = { type: "delete_message", message_type: "private", message_ids: [id] };
    expect(await hear(queues, bare)).toEqual({ alice: [event], bob: [event], carol: [] });
    const { message_ids: _, ...one } = event;
    expect((await old.events()).map(bare)).toEqual([{ ...one, message_id: id }]);
    expect(await isThere(bob, id)).toBe(false);
  });

  test("in the empty topic, which has a name for clients that do not know it", async () => {
    const { alice, bob } = world;
    const id = await alice.say("general", "", "1");
    const [modern, old] = [
      await bob.register(deletionsOnly),
      await bob.register({
        ...deletionsOnly,
        client_capabilities: { notification_settings_null: true },
      }),
    ];
    await remove(alice, id);
    const topics = [...(await modern.events()), ...(await old.events())].map(({ topic }) => topic);
    expect(topics).toEqual(["", "general chat"]);
  });

  test("and the channel's oldest message is another one then, or none", async () => {
    const { alice, bob, channels } = await ownWorld();
    const [first, second] = [
      await alice.say("general", "a", "1"),
      await alice.say("general", "b", "2"),
    ];
    const queue = await bob.register({ event_types: ["stream"] });
    await remove(alice, first);
    await remove(alice, second);
    const changes = (await queue.events()).map(({ property, value, stream_id }) => [
      property,
      value,
      stream_id,
    ]);
    expect(changes).toEqual([
      ["first_message_id", second, channels.general],
      ["first_message_id", null, channels.general],
    ]);
  });

  test("and who comes later to protected history hears nothing of what was before", async () => {
    const { alice, bob, carol } = await ownWorld();
    const before = await alice.say("secret", "t", "1");
    await alice.post("/users/me/subscriptions", {
      subscriptions: [{ name: "secret" }],
      principals: [carol.id],
    });
    const after = await alice.say("secret", "t", "2");
    const queues = await listen({ bob, carol }, deletionsOnly);
    await remove(alice, before);
    await remove(alice, after);
    expect(await hear(queues, removedIds)).toEqual({ bob: [[before], [after]], carol: [[after]] });
  });

  test("only as long as the organization lets her, to the second", async () => {
    const { alice, robot, clock } = await ownWorld();
    const [one, two] = [await alice.say("general", "t", "1"), await alice.say("general", "t", "2")];
    await allow({ message_content_delete_limit_seconds: 60 });
    clock.advance(60);
    expect((await remove(alice, one)).status).toBe(200);
    clock.advance(1);
    expect(refusal(await remove(alice, two))).toBe("400 BAD_REQUEST");
    await allow({ message_content_delete_limit_seconds: '"unlimited"' });
    expect((await remove(alice, two)).status).toBe(200);
    const ofHerBot = await robot.say("general", "t", "beep");
    expect((await remove(alice, ofHerBot)).status).toBe(200);
  });
});

describe("Messages of others", () => {
  test("are deleted by administrators at first, and by whom the organization lets", async () => {
    const { alice, bob, mona, adam, olga, greta } = await ownWorld();
    const id = await alice.say("general", "t", "1");
    for (const person of [bob, mona])
      expect(refusal(await remove(person, id))).toBe("400 BAD_REQUEST");
    expect((await remove(greta, id)).body).toEqual((await remove(greta, 99_999_999)).body);
    expect((await remove(adam, id)).status).toBe(200);
    await allow({ can_delete_any_message_group: "role:moderators" });
    expect((await remove(mona, await alice.say("general", "t", "2"))).status).toBe(200);
    await allow({ can_delete_any_message_group: "role:nobody" });
    expect(refusal(await remove(olga, await alice.say("general", "t", "3")))).toBe(
      "400 BAD_REQUEST",
    );
  });

  test("and one's own not at all where the organization wants that", async () => {
    const { alice, adam } = await ownWorld();
    await allow({ can_delete_own_message_group: "role:nobody" });
    const id = await alice.say("general", "t", "1");
    expect(refusal(await remove(alice, id))).toBe("400 BAD_REQUEST");
    expect((await remove(adam, id)).status).toBe(200);
  });

  test("are deleted in one channel by whom that channel lets, and nowhere else", async () => {
    const { alice, bob, carol, olga, channels } = await ownWorld();
    await allow({ can_delete_own_message_group: "role:nobody" });
    const { body } = await olga.patch(`/streams/${channels.general}`, {
      can_delete_any_message_group: { new: { direct_members: [bob.id], direct_subgroups: [] } },
      can_delete_own_message_group: { new: { direct_members: [carol.id], direct_subgroups: [] } },
    });
    expect(body.msg).toBe("");
    const [first, second] = [
      await alice.say("general", "t", "1"),
      await carol.say("general", "t", "2"),
    ];
    expect((await remove(bob, first)).status).toBe(200);
    expect((await remove(carol, second)).status).toBe(200);
    expect(refusal(await remove(carol, await alice.say("general", "t", "3")))).toBe(
      "400 BAD_REQUEST",
    );
    expect(refusal(await remove(bob, await alice.say("secret", "t", "4")))).toBe("400 BAD_REQUEST");
  });

  test("A17, A19: whom they are hidden from is told the same as of none, administrators too", async () => {
    const { alice, bob, carol, olga, greta, zoe } = world;
    const missing = await remove(olga, 99_999_999);
    const hidden = [await alice.say("plans", "t", "1"), await alice.tell([bob], "2")];
    for (const id of hidden) {
      for (const person of [carol, olga, greta, zoe])
        expect((await remove(person, id)).body).toEqual(missing.body);
    }
    expect(refusal(missing)).toBe("400 BAD_REQUEST");
    for (const id of hidden) expect(await isThere(alice, id)).toBe(true);
  });

  test("who deletes one in a channel that they are not in hears of it too", async () => {
    const { alice, olga, channels } = await ownWorld();
    const id = await alice.say("general", "t", "1");
    await olga.delete("/users/me/subscriptions", { subscriptions: ["general"] });
    const queue = await olga.register(deletionsOnly);
    await remove(olga, id);
    expect((await queue.events()).map(bare)).toMatchObject([
      { message_ids: [id], stream_id: channels.general },
    ]);
  });

  test("stay as they are in an archived channel", async () => {
    const { alice, olga, channels } = await ownWorld();
    const id = await alice.say("general", "t", "1");
    expect((await olga.delete(`/streams/${channels.general}`)).status).toBe(200);
    const missing = await remove(alice, 99_999_999);
    for (const person of [alice, olga])
      expect((await remove(person, id)).body).toEqual(missing.body);
    expect(refusal(await alice.post(`/messages/${id}/reactions`, { emoji_name: "wave" }))).toBe(
      "400 BAD_REQUEST",
    );
  });
});

test("E9: nobody deletes or changes anything without signing in", async () => {
  const { alice, anonymous, channels } = await ownWorld();
  const id = await alice.say("general", "t", "1");
  await alice.post(`/messages/${id}/reactions`, { emoji_name: "wave" });
  const requests: [string, string, object?][] = [
    ["DELETE", `/messages/${id}`],
    ["DELETE", `/messages/${id}/reactions`, { emoji_name: "wave" }],
    ["POST", `/messages/${id}/reactions`, { emoji_name: "tada" }],
    ["POST", `/messages/${id}/typing`, { op: "start" }],
    ["POST", "/messages/flags", { messages: [id], op: "add", flag: "read" }],
    [
      "POST",
      "/messages/flags/narrow",
      { anchor: "newest", num_before: 1, num_after: 0, narrow: [], op: "add", flag: "read" },
    ],
    ["POST", "/mark_all_as_read"],
    ["POST", "/mark_stream_as_read", { stream_id: channels.general }],
    ["POST", "/mark_topic_as_read", { stream_id: channels.general, topic_name: "t" }],
    ["POST", `/streams/${channels.general}/delete_topic`, { topic_name: "t" }],
    ["POST", "/user_topics", { stream_id: channels.general, topic: "t", visibility_policy: 1 }],
    [
      "PATCH",
      "/users/me/subscriptions/muted_topics",
      { stream_id: channels.general, topic: "t", op: "add" },
    ],
    ["POST", "/users/me/alert_words", { alert_words: ["x"] }],
    ["DELETE", "/users/me/alert_words", { alert_words: ["x"] }],
  ];
  for (const [method, path, parameters] of requests) {
    const answer = await anonymous.ask(method, path, { ...parameters });
    expect([method, path, refusal(answer)]).toEqual([method, path, "401 UNAUTHORIZED"]);
  }
  const { message } = (await alice.get(`/messages/${id}`)).body;
  expect(message.reactions).toHaveLength(1);
});

test("For everybody the state before and the deletions give the state after", async () => {
  const { alice, bob, olga } = await ownWorld();
  const verifyNext = verifyInTurn(world);
  const ids = [
    await alice.say("general", "t", "1"),
    await alice.say("secret", "t", "2"),
    await alice.tell([bob], "3"),
    await alice.say("general", "t", "4"),
  ];
  await bob.post("/messages/flags", { messages: ids, op: "add", flag: "starred" });
  const [first = 0, second = 0, direct = 0, last = 0] = ids;
  const counts = await verifyNext(async () => {
    for (const id of [first, second, direct]) await remove(alice, id);
  });
  expect(counts).toMatchObject({ carol: 2, otto: 1, greta: 0 });
  await verifyNext(() => remove(olga, last));
});

test("somebody who has starred a message of a public channel without being subscribed hears that it is gone", async () => {
  const { alice, otto, greta } = await ownWorld();
  const [starred, other] = [
    await alice.say("general", "t", "1"),
    await alice.say("general", "t", "2"),
  ];
  const flag = { op: "add", flag: "starred" };
  expect((await otto.post("/messages/flags", { messages: [starred], ...flag })).status).toBe(200);
  const queues = await listen({ otto, greta }, deletionsOnly);
  const counts = await verify(world, async () => {
    await remove(alice, starred);
    await remove(alice, other);
  });
  expect(counts).toMatchObject({ greta: 0 });
  expect(await hear(queues, removedIds)).toEqual({ otto: [[starred]], greta: [] });
});

test("somebody who starred a message of a private channel and left it learns only that it has no star", async () => {
  const { alice, bob } = await ownWorld();
  const id = await alice.say("secret", "t", "1");
  await bob.post("/messages/flags", { messages: [id], op: "add", flag: "starred" });
  await bob.delete("/users/me/subscriptions", { subscriptions: ["secret"] });
  const queue = await bob.register();
  await verify(world, () => remove(alice, id));
  const heard = (await queue.events()).map(({ type, op, flag, messages }) => [
    type,
    op,
    flag,
    messages,
  ]);
  expect(heard).toEqual([["update_message_flags", "remove", "starred", [id]]]);
});
