import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { write } from "../../src/core/write";
import type { WireEvent } from "../support/client";
import { verify } from "../support/client-state/verify";
import { hear, listen, refusal } from "../support/listening";
import { addManyPeople } from "../support/many-people";
import { makeWorld, type Person, type World } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

const messagesOnly = { event_types: ["message"] };
const flagsIn = ({ flags }: WireEvent) => [...flags].sort().join(" ");

const send = (person: Person, content: string, channel = "general", topic = "t") =>
  person.post("/messages", { type: "channel", to: channel, topic, content });

/** The flags of a message as somebody reads it. */
async function readFlags(person: Person, id: number): Promise<string> {
  const { body } = await person.get(`/messages/${id}`);
  return [...body.message.flags].sort().join(" ");
}

async function narrowTo(person: Person, narrow: unknown[]): Promise<number[]> {
  const asked = { anchor: "newest", num_before: 50, num_after: 0, narrow };
  const { body } = await person.get("/messages", asked);
  return body.messages.map(({ id }: { id: number }) => id);
}

/**
 * Messages in some states, found by `is:`. Checks that `mentions:` finds the messages of
 * `is:mentioned` too.
 */
async function narrowed(person: Person, ...operands: string[]): Promise<number[]> {
  const found = await narrowTo(
    person,
    operands.map((operand) => ({ operator: "is", operand })),
  );
  for (const own of [person.id, person.email]) {
    const narrow = operands.map((operand) =>
      operand === "mentioned" ? ["mentions", own] : ["is", operand],
    );
    expect(await narrowTo(person, narrow)).toEqual(found);
  }
  return found;
}

const mentionsOf = async (person: Person): Promise<number[]> =>
  (await person.register({ fetch_event_types: ["message", "update_message_flags"] })).state
    .unread_msgs.mentions;

async function makeGroup(
  name: string,
  members: Person[],
  more: Record<string, unknown> = {},
): Promise<number> {
  const { status, body } = await world.olga.post("/user_groups/create", {
    name,
    description: "",
    members: members.map(({ id }) => id),
    ...more,
  });
  expect(status).toBe(200);
  return body.group_id;
}

/** New members of the organization, in general. */
async function crowd(size: number): Promise<void> {
  const principals = await addManyPeople(world, size);
  const { status } = await world.olga.post("/users/me/subscriptions", {
    subscriptions: [{ name: "general" }],
    principals,
  });
  expect(status).toBe(200);
}

describe("A person who is mentioned by name", () => {
  test("has the flag, at once and later, and nobody else has", async () => {
    const { alice, bob, carol, zoe } = world;
    const queues = await listen({ alice, bob, carol, zoe }, messagesOnly);
    const id = await alice.say("general", "t", "hey @**Bob**");
    expect(await hear(queues, flagsIn)).toEqual({
      alice: [""],
      bob: ["mentioned"],
      carol: [""],
      zoe: [],
    });
    expect(await readFlags(bob, id)).toBe("mentioned");
    expect(await readFlags(carol, id)).toBe("");
    expect([await narrowed(bob, "mentioned"), await narrowed(carol, "mentioned")]).toEqual([
      [id],
      [],
    ]);
    expect([await mentionsOf(bob), await mentionsOf(carol)]).toEqual([[id], []]);
    await bob.post("/messages/flags", { messages: [id], op: "add", flag: "read" });
    expect([await mentionsOf(bob), await readFlags(bob, id)]).toEqual([[], "mentioned read"]);
  });

  test("and whose client comes back later finds it in the event", async () => {
    const { alice, bob } = world;
    const queue = await bob.register(messagesOnly);
    await world.restart();
    const id = await alice.say("general", "t", "@**Bob** and @**all**");
    await world.restart();
    const [event] = await queue.events();
    expect([event.message.id, flagsIn(event)]).toEqual([
      id,
      "mentioned stream_wildcard_mentioned wildcard_mentioned",
    ]);
  });

  test("silently, in a quotation or in code has it not; who mentions themselves has", async () => {
    const { alice, bob } = world;
    const queue = await bob.register(messagesOnly);
    await alice.say("general", "t", "@_**Bob**");
    await alice.say("general", "t", "> @**Bob**\n\n`@**Bob**`");
    await alice.say("general", "t", "@**Bob|99999999** @**Nobody Here**");
    await bob.say("general", "t", "me, @**Bob**");
    expect((await queue.events()).map(flagsIn)).toEqual(["", "", "", "mentioned"]);
  });

  test("outside a public channel finds it among the mentions; it grants nobody access (A14)", async () => {
    const { alice, otto, greta, carol } = world;
    const queues = await listen({ otto, greta, carol }, messagesOnly);
    const open = await alice.say("general", "t", "@**Otto** and @**Greta**");
    const hidden = await alice.say("secret", "t", "@**Carol** must not see this");
    expect(await hear(queues, flagsIn)).toEqual({ otto: [], greta: [], carol: [""] });
    expect(await readFlags(otto, open)).toBe("mentioned read");
    expect([await narrowed(otto, "mentioned"), await narrowed(greta, "mentioned")]).toEqual([
      [open],
      [],
    ]);
    expect(await narrowed(carol, "mentioned")).toEqual([]);
    expect(refusal(await carol.get(`/messages/${hidden}`))).toBe("400 BAD_REQUEST");
    expect([await mentionsOf(otto), await mentionsOf(carol)]).toEqual([[], []]);
    await alice.post("/users/me/subscriptions", {
      subscriptions: [{ name: "secret" }],
      principals: [carol.id],
    });
    expect(await narrowed(carol, "mentioned")).toEqual([]);
  });

  test("who loses access to the channel loses the mention with it (A14)", async () => {
    const { alice, bob } = world;
    const id = await alice.say("secret", "t", "@**Bob**");
    expect(await narrowed(bob, "mentioned")).toEqual([id]);
    await bob.delete("/users/me/subscriptions", { subscriptions: ["secret"] });
    expect([await narrowed(bob, "mentioned"), await mentionsOf(bob)]).toEqual([[], []]);
  });

  test("follows the topic from then on, if they want that", async () => {
    const { alice, bob, carol, otto } = world;
    await carol.patch("/settings", { automatically_follow_topics_where_mentioned: false });
    const queues = await listen({ bob, carol, otto }, { event_types: ["user_topic"] });
    await alice.say("general", "Plans", "@**Bob** @**Carol** @**Otto**");
    await alice.say("general", "plans", "@**Bob** again");
    const inShort = ({ topic_name, visibility_policy }: WireEvent) =>
      `${topic_name} ${visibility_policy}`;
    expect(await hear(queues, inShort)).toEqual({ bob: ["Plans 3"], carol: [], otto: [] });
  });
});

describe("A user group that is mentioned", () => {
  test("tells those who are in it, by whatever detour, and in the channel", async () => {
    const { alice, bob, carol, mona, otto } = world;
    const inner = await makeGroup("inner", [bob, otto]);
    const middle = await makeGroup("middle", [], { subgroups: [inner] });
    await makeGroup("outer", [carol], { subgroups: [middle] });
    const queues = await listen({ alice, bob, carol, mona, otto }, messagesOnly);
    const id = await alice.say("general", "t", "@*outer* and silently @_*inner*");
    expect(await hear(queues, flagsIn)).toEqual({
      alice: [""],
      bob: ["mentioned"],
      carol: ["mentioned"],
      mona: [""],
      otto: [],
    });
    expect([await narrowed(bob, "mentioned"), await narrowed(otto, "mentioned")]).toEqual([
      [id],
      [],
    ]);
  });

  test("is mentioned only by who may: the front door and a system group are refused alike, nothing is sent", async () => {
    const { alice, bob, olga } = world;
    const group = await makeGroup("team", [bob]);
    const { body } = await olga.get("/user_groups");
    const nobody = body.user_groups.find(({ name }: { name: string }) => name === "role:nobody").id;
    await olga.patch(`/user_groups/${group}`, { can_mention_group: { new: nobody } });
    const queue = await bob.register(messagesOnly);
    for (const content of ["@*team*", "@*role:moderators*", "ok @_*team* but @*team*"]) {
      expect(refusal(await send(alice, content))).toBe("400 BAD_REQUEST");
      expect(
        refusal(await alice.post("/messages", { type: "direct", to: [bob.id], content })),
      ).toBe("400 BAD_REQUEST");
    }
    expect(await queue.events()).toEqual([]);
    expect((await send(alice, "@_*team*")).status).toBe(200);
    await olga.patch(`/user_groups/${group}`, {
      can_mention_group: { new: { direct_members: [alice.id], direct_subgroups: [] } },
    });
    expect((await send(alice, "@*team*")).status).toBe(200);
    expect(refusal(await send(bob, "@*team*"))).toBe("400 BAD_REQUEST");
    expect((await queue.events()).map(flagsIn)).toEqual(["", "mentioned"]);
  });

  test("makes its people follow the topic as a name does, in what is sent and in what is edited", async () => {
    const { alice, bob, carol, mona, otto, robot, channels } = world;
    await carol.patch("/settings", { automatically_follow_topics_where_mentioned: false });
    await makeGroup("inner", [bob, carol]);
    const { body } = await world.olga.get("/user_groups");
    const inner = body.user_groups.find(({ name }: { name: string }) => name === "inner").id;
    await makeGroup("outer", [mona, otto, robot], { subgroups: [inner] });
    await bob.post("/user_topics", {
      stream_id: channels.general,
      topic: "sent",
      visibility_policy: 1,
    });
    const queues = await listen(
      { alice, bob, carol, mona, otto, robot },
      { event_types: ["user_topic"] },
    );
    const inShort = ({ topic_name, visibility_policy }: WireEvent) =>
      `${topic_name} ${visibility_policy}`;
    await alice.say("general", "sent", "@*outer* and @**Bob**");
    await alice.say("general", "sent", "@*outer* again, @_*inner*");
    const none = { carol: [], otto: [], robot: [] };
    expect(await hear(queues, inShort)).toEqual({
      ...none,
      alice: ["sent 3"],
      bob: ["sent 3"],
      mona: ["sent 3"],
    });
    const id = await alice.say("general", "edited", "@**Bob**");
    await hear(queues, inShort);
    await bob.post("/user_topics", {
      stream_id: channels.general,
      topic: "edited",
      visibility_policy: 0,
    });
    await hear(queues, inShort);
    expect((await alice.patch(`/messages/${id}`, { content: "@**Bob** @*outer*" })).status).toBe(
      200,
    );
    expect(await hear(queues, inShort)).toEqual({
      ...none,
      alice: [],
      bob: [],
      mona: ["edited 3"],
    });
    const { user_topics } = (await mona.register({ fetch_event_types: ["user_topic"] })).state;
    expect(user_topics.map(inShort).sort()).toEqual(["edited 3", "sent 3"]);
  });

  test("makes nobody follow the topic whose account was deactivated, also once it is active again", async () => {
    const { olga, alice, bob, mona } = world;
    await makeGroup("team", [bob, mona]);
    await olga.delete(`/users/${bob.id}`);
    await alice.say("general", "sent", "@*team*");
    const id = await alice.say("general", "edited", "soon");
    await alice.patch(`/messages/${id}`, { content: "@*team*" });
    await olga.post(`/users/${bob.id}/reactivate`);
    const followed = async (person: Person) => {
      const { user_topics } = (await person.register({ fetch_event_types: ["user_topic"] })).state;
      return user_topics.map(({ topic_name }: WireEvent) => topic_name).sort();
    };
    expect([await followed(bob), await followed(mona)]).toEqual([[], ["edited", "sent"]]);
  });

  test("A2: by an edit makes nobody follow a topic that they may not read any more", async () => {
    const { alice, bob, channels } = world;
    await makeGroup("team", [bob, alice]);
    const id = await alice.say("secret", "plot", "soon");
    await bob.delete("/users/me/subscriptions", { subscriptions: ["secret"] });
    const queues = await listen({ alice, bob }, { event_types: ["user_topic"] });
    await alice.post("/user_topics", {
      stream_id: channels.secret,
      topic: "plot",
      visibility_policy: 0,
    });
    expect((await alice.patch(`/messages/${id}`, { content: "@*team*" })).status).toBe(200);
    const inShort = ({ topic_name, visibility_policy }: WireEvent) =>
      `${topic_name} ${visibility_policy}`;
    expect(await hear(queues, inShort)).toEqual({ alice: ["plot 0", "plot 3"], bob: [] });
  });

  test("that is deactivated is mentioned silently", async () => {
    const { alice, bob, olga } = world;
    const group = await makeGroup("team", [bob]);
    await olga.post(`/user_groups/${group}/deactivate`);
    const queue = await bob.register(messagesOnly);
    await alice.say("general", "t", "@*team*");
    expect((await queue.events()).map(flagsIn)).toEqual([""]);
  });
});

describe("A wildcard", () => {
  test.each(["all", "everyone", "channel", "stream"])(
    "@%s tells everybody in the channel, without a row",
    async (name) => {
      const { alice, bob, otto } = world;
      const queues = await listen({ alice, bob, otto }, messagesOnly);
      const id = await alice.say("general", "t", `@**${name}** lunch`);
      const flags = "stream_wildcard_mentioned wildcard_mentioned";
      expect(await hear(queues, flagsIn)).toEqual({ alice: [flags], bob: [flags], otto: [] });
      expect(await readFlags(bob, id)).toBe(flags);
      expect(await readFlags(otto, id)).toBe("historical read");
      expect([await narrowed(bob, "mentioned"), await narrowed(otto, "mentioned")]).toEqual([
        [id],
        [],
      ]);
      expect(await mentionsOf(bob)).toEqual([id]);
      const { db, t } = world.app.engine.reader;
      expect(await db.select().from(t.messageFlags)).toEqual([]);
    },
  );

  test("of a channel that one has muted, or of a muted topic, is no mention at register", async () => {
    const { alice, bob } = world;
    const first = await alice.say("general", "loud", "@**all**");
    const second = await alice.say("general", "quiet", "@**all**");
    const named = await alice.say("general", "quiet", "@**Bob**");
    await bob.post("/user_topics", {
      stream_id: world.channels.general,
      topic: "quiet",
      visibility_policy: 1,
    });
    expect(await mentionsOf(bob)).toEqual([first, named]);
    expect(await narrowed(bob, "mentioned")).toEqual([first, second, named]);
  });

  test("@topic tells those who took part in the topic and are in the channel", async () => {
    const { alice, bob, carol, mona, otto } = world;
    const first = await bob.say("general", "Plans", "hi");
    await carol.say("general", "another", "hi");
    await mona.post(`/messages/${first}/reactions`, { emoji_name: "heart" });
    await otto.post(`/messages/${first}/reactions`, { emoji_name: "tada" });
    const queues = await listen({ alice, bob, carol, mona, otto }, messagesOnly);
    const id = await alice.say("general", "plans", "@**topic** now");
    const flags = "topic_wildcard_mentioned wildcard_mentioned";
    expect(await hear(queues, flagsIn)).toEqual({
      alice: [flags],
      bob: [flags],
      carol: [""],
      mona: [flags],
      otto: [],
    });
    expect(await readFlags(mona, id)).toBe(flags);
    expect([await narrowed(bob, "mentioned"), await mentionsOf(bob)]).toEqual([[id], [id]]);
  });

  test("in a direct message tells its people; nobody needs a right for it", async () => {
    const { alice, bob, carol, olga } = world;
    await olga.patch("/realm", {
      can_mention_many_users_group: { new: await groupId("role:nobody") },
    });
    const queues = await listen({ alice, bob, carol }, messagesOnly);
    const id = await alice.tell([bob], "@**all** and @**Bob** and @**topic**");
    const flags = "stream_wildcard_mentioned wildcard_mentioned";
    expect(await hear(queues, flagsIn)).toEqual({
      alice: [flags],
      bob: [`mentioned ${flags}`],
      carol: [],
    });
    expect([await narrowed(bob, "mentioned"), await narrowed(carol, "mentioned")]).toEqual([
      [id],
      [],
    ]);
  });

  test("of more than fifteen people is for those who may mention many; others send nothing", async () => {
    const { alice, adam, bob } = world;
    await crowd(9);
    expect((await send(alice, "@**all**")).status).toBe(200);
    await world.olga.post("/users/me/subscriptions", {
      subscriptions: [{ name: "general" }],
      principals: [world.otto.id],
    });
    const queue = await bob.register(messagesOnly);
    expect(refusal(await send(alice, "@**all**"))).toBe("400 STREAM_WILDCARD_MENTION_NOT_ALLOWED");
    expect(refusal(await send(world.robot, "hi @**everyone**"))).toBe(
      "400 STREAM_WILDCARD_MENTION_NOT_ALLOWED",
    );
    expect((await send(alice, "@_**all** `@**all**`")).status).toBe(200);
    expect((await send(alice, "@**topic**")).status).toBe(200);
    expect((await send(adam, "@**all**")).status).toBe(200);
    expect((await queue.events()).map(flagsIn)).toEqual([
      "",
      "",
      "stream_wildcard_mentioned wildcard_mentioned",
    ]);
    await world.olga.patch("/realm", {
      can_mention_many_users_group: { new: await groupId("role:members") },
    });
    expect((await send(alice, "@**all**")).status).toBe(200);
  });

  test("of a topic in which more than fifteen took part, too", async () => {
    const { alice, adam, olga } = world;
    const first = await olga.say("general", "t", "hi");
    const { db, t } = world.app.engine.reader;
    await crowd(14);
    const people = await db.select({ id: t.users.id }).from(t.users);
    expect((await send(alice, "@**topic**")).status).toBe(200);
    const ids = people.map(({ id }) => id).slice(-14);
    for (const [index, userId] of ids.entries()) {
      await write(world.operator, async (tx) => {
        await tx.db.insert(tx.t.reactions).values({
          realmId: world.realm.id,
          messageId: first,
          userId,
          emojiName: "tada",
          emojiCode: "1f389",
          reactionType: "unicode_emoji",
        });
      });
      const answer = refusal(await send(alice, "@**topic**"));
      expect([index, answer]).toEqual([
        index,
        index < 13 ? "200" : "400 TOPIC_WILDCARD_MENTION_NOT_ALLOWED",
      ]);
    }
    expect((await send(adam, "@**topic**")).status).toBe(200);
  });

  const groupId = async (wanted: string): Promise<number> => {
    const { body } = await world.olga.get("/user_groups");
    return body.user_groups.find(({ name }: { name: string }) => name === wanted).id;
  };
});

test("What people have called a channel mentions nobody in the notice that tells of it (D8)", async () => {
  const { olga, alice, bob } = world;
  await makeGroup("team", [bob]);
  const queues = await listen({ alice, bob }, messagesOnly);
  const new_name = "soup @**all** @*team* @**topic**";
  expect((await olga.patch(`/streams/${world.channels.general}`, { new_name })).status).toBe(200);
  expect(await hear(queues, flagsIn)).toEqual({ alice: [""], bob: [""] });
});

test("A bot outside a public channel hears its mentions there, at once and later, but none of a private one", async () => {
  const { alice, otto, robot } = world;
  const queues = await listen({ otto, robot }, messagesOnly);
  const everything = await robot.register({ ...messagesOnly, all_public_streams: true });
  const narrow = [["channel", "general"]];
  const elsewhere = await robot.register({ ...messagesOnly, narrow: [["channel", "plans"]] });
  const there = await robot.register({ ...messagesOnly, narrow });
  const id = await alice.say("general", "t", "@**Robot** and @**Otto**, please");
  const seen = ({ message, flags }: WireEvent) => [message.id, ...flags];
  expect(await hear(queues, seen)).toEqual({ otto: [], robot: [[id, "mentioned"]] });
  for (const queue of [everything, there])
    expect((await queue.events()).map(seen)).toEqual([[id, "mentioned"]]);
  expect(await elsewhere.events()).toEqual([]);
  await alice.say("general", "t", "not for bots");
  await alice.say("general", "t", "@_**Robot**");
  await alice.say("secret", "t", "@**Robot** must not see this");
  const later = await alice.say("general", "t", "@**Robot** again");
  await world.restart();
  expect(await hear(queues, seen)).toEqual({ otto: [], robot: [[later, "mentioned"]] });
});

test("Messages that are unread again are told with whether they mention one, and in which way it counts", async () => {
  const { alice, bob } = world;
  const contents = ["@**Bob**", "@**all**", "nobody"];
  const ids: number[] = [];
  for (const content of contents) ids.push(await alice.say("general", "t", content));
  ids.push(await alice.tell([bob], "@**all**"), await alice.say("general", "quiet", "@**all**"));
  await bob.post("/user_topics", {
    stream_id: world.channels.general,
    topic: "quiet",
    visibility_policy: 1,
  });
  await bob.post("/messages/flags", { messages: ids, op: "add", flag: "read" });
  const queue = await bob.register({ event_types: ["update_message_flags"] });
  await bob.post("/messages/flags", { messages: ids, op: "remove", flag: "read" });
  const [event] = await queue.events();
  const isMentioned = ids.map((id) => event.message_details[id].mentioned ?? false);
  expect(isMentioned).toEqual([true, true, false, true, false]);
});

test("Mentions of every kind: the state before and the events give the state after", async () => {
  const { alice, bob, carol } = world;
  await makeGroup("team", [bob, carol]);
  await bob.post("/users/me/alert_words", { alert_words: ["coffee"] });
  await alice.say("general", "t", "begins");
  const counts = await verify(world, async () => {
    await alice.say("general", "t", "@**Bob** @*team* @**all** @**topic** coffee");
    await alice.tell([bob, carol], "@**all** @**Carol**");
    const named = await bob.say("general", "other", "@**Otto** @**Carol**");
    await carol.post("/messages/flags", { messages: [named], op: "add", flag: "read" });
    await carol.post("/messages/flags", { messages: [named], op: "remove", flag: "read" });
  });
  expect([counts.greta, counts.otto]).toEqual([0, 0]);
});
