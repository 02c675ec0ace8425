import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { write } from "../../src/core/write";
import { updateRealmSettingsIn } from "../../src/management/organization/change-settings";
import type { WireEvent } from "../support/client";
import { verify, verifyInTurn } from "../support/client-state/verify";
import { hear, listen, refusal } from "../support/listening";
import { inTopic, move, places, subscribeTo } from "../support/moves";
import { makeWorld, type Person, type World } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

const all = { propagate_mode: "change_all" };
const quiet = { send_notification_to_new_thread: false };
const movesOnly = { event_types: ["update_message", "delete_message"] };
const inShort = ({ type, message_ids, new_stream_id, flags }: WireEvent) =>
  type === "update_message" ? ["moved", message_ids, new_stream_id, flags] : ["gone", message_ids];
const firstOnly = { event_types: ["stream"] };

/** Puts a file of the person's into a topic. */
async function share(person: Person, channel: string, topic: string) {
  const form = new FormData();
  form.append("file", new File(["the plan"], "plan.txt", { type: "text/plain" }));
  const response = await person.open("/api/v1/user_uploads", { method: "POST", body: form });
  const { url } = await response.json();
  return { url, id: await person.say(channel, topic, `[plan](${url})`) };
}

const setRealm = (changes: Record<string, unknown>) =>
  write(world.operator, (tx) => updateRealmSettingsIn(tx, world.operator, changes));

const unreadOf = async (person: Person): Promise<number[]> => {
  const { state } = await person.register({
    fetch_event_types: ["message", "update_message_flags"],
  });
  return state.unread_msgs.streams.flatMap(
    (row: { unread_message_ids: number[] }) => row.unread_message_ids,
  );
};

describe("Alice moves a topic to another channel", () => {
  test("and each hears what it is for them", async () => {
    const { alice, bob, carol, greta, otto, zoe, olga } = world;
    await alice.post("/users/me/subscriptions", {
      subscriptions: [{ name: "general" }],
      principals: [greta.id],
    });
    const ids = [await alice.say("general", "a", "1"), await bob.say("general", "a", "2")];
    const [one = 0] = ids;
    const crew = await subscribeTo(alice, "crew", [alice, bob, otto], {});
    const queues = await listen({ alice, bob, carol, greta, otto, olga, zoe }, movesOnly);
    const answer = await move(alice, one, { stream_id: crew, ...all, ...quiet });
    expect(answer.body).toEqual({ result: "success", msg: "", detached_uploads: [] });
    const moved = (...flags: string[]) => [["moved", ids, crew, flags]];
    expect(await hear(queues, inShort)).toEqual({
      alice: moved(),
      bob: moved(),
      carol: moved("read"),
      // A guest may not read there; who is only there now may know where they come from.
      greta: [["gone", ids]],
      otto: moved("read", "historical"),
      olga: moved("read"),
      zoe: [],
    });
    expect(await places(carol, ...ids)).toEqual(["crew/a", "crew/a"]);
    expect(await places(greta, ...ids)).toEqual(["hidden", "hidden"]);
    expect(await inTopic(bob, "general", "a")).toEqual([]);
    const { message } = (await bob.get(`/messages/${one}`)).body;
    expect(message.edit_history).toMatchObject([
      { user_id: alice.id, stream: crew, prev_stream: world.channels.general },
    ]);
  });

  test("with a topic at once", async () => {
    const { alice, bob, channels } = world;
    const id = await alice.say("general", "a", "1");
    const crew = await subscribeTo(alice, "crew", [alice, bob], {});
    const queue = await bob.register(movesOnly);
    await move(alice, id, { stream_id: crew, topic: "b", ...quiet });
    await move(alice, id, { stream_id: crew, topic: "c", ...quiet });
    const events = (await queue.events()).map(
      ({ stream_id, new_stream_id, orig_subject, subject }) => [
        stream_id,
        new_stream_id,
        orig_subject,
        subject,
      ],
    );
    expect(events).toEqual([
      [channels.general, crew, "a", "b"],
      [crew, crew, "b", "c"],
    ]);
    expect(refusal(await move(alice, id, { stream_id: crew, content: "x" }))).toBe(
      "400 BAD_REQUEST",
    );
  });

  test("to the place where it is: nothing moves, and nobody is told", async () => {
    const { alice, bob, carol, channels } = world;
    const id = await alice.say("general", "a", "1");
    const queue = await bob.register();
    const here = { stream_id: channels.general };
    const notices = { send_notification_to_old_thread: true };
    for (const [person, wanted] of [
      [alice, here],
      [alice, { ...here, ...all, ...notices, topic: "a" }],
      [carol, { ...here, ...all, ...notices }],
    ] as const)
      expect((await move(person, id, wanted)).body).toEqual({
        result: "success",
        msg: "",
        detached_uploads: [],
      });
    expect(await queue.events()).toEqual([]);
    expect(await inTopic(bob, "general", "a")).toHaveLength(1);
    const { message } = (await bob.get(`/messages/${id}`)).body;
    expect(message).not.toHaveProperty("edit_history");
    expect(message).not.toHaveProperty("last_moved_timestamp");
  });

  test("and the oldest message of both channels is another one then", async () => {
    const { alice, bob, channels } = world;
    const [one, two] = [await alice.say("general", "a", "1"), await alice.say("general", "b", "2")];
    const crew = await subscribeTo(alice, "crew", [alice, bob], {});
    const { state } = await bob.register();
    const firstOf = (id: number) =>
      state.streams.find((row: WireEvent) => row.stream_id === id).first_message_id;
    expect(firstOf(channels.general)).toBe(one);
    const queue = await bob.register(firstOnly);
    await move(alice, one, { stream_id: crew, ...quiet });
    await move(alice, two, { stream_id: crew, ...quiet });
    const changes = (await queue.events()).map(({ stream_id, property, value }) => [
      stream_id,
      property,
      value,
    ]);
    expect(changes).toEqual([
      [channels.general, "first_message_id", two],
      [crew, "first_message_id", one],
      [channels.general, "first_message_id", null],
    ]);
  });

  test("and leaves nothing but the notice, which is the oldest message there", async () => {
    const { alice, bob, channels } = world;
    const id = await alice.say("general", "a", "1");
    const crew = await subscribeTo(alice, "crew", [alice, bob], {});
    await move(alice, id, { stream_id: crew, ...quiet, send_notification_to_old_thread: true });
    const [notice = 0] = await inTopic(bob, "general", "a");
    await alice.say("general", "b", "2");
    const { state } = await bob.register();
    const general = state.streams.find((row: WireEvent) => row.stream_id === channels.general);
    expect(general.first_message_id).toBe(notice);
  });

  test("and everybody's state follows", async () => {
    const { alice, bob, carol, greta, otto } = world;
    const verifyNext = verifyInTurn(world);
    const id = await alice.say("general", "a", "1");
    for (const person of [bob, carol, greta]) {
      await person.post("/messages/flags", { messages: [id], op: "add", flag: "starred" });
    }
    await otto.post("/messages/flags", { messages: [id], op: "add", flag: "starred" });
    await bob.say("general", "a", "2");
    const crew = await subscribeTo(alice, "crew", [alice, bob], {});
    const den = await subscribeTo(alice, "den", [alice, carol]);
    const notices = { send_notification_to_old_thread: true };
    await verifyNext(() => move(alice, id, { stream_id: crew, ...all, ...notices }));
    await verifyNext(() => move(alice, id, { stream_id: den, topic: "b", ...notices }));
    await verifyNext(() => move(alice, id, { stream_id: world.channels.general }));
    await verifyNext(() => move(alice, id, { stream_id: world.channels.secret, ...all }));
  });

  test("and who may not read there is not mentioned in it any more, nor has it starred", async () => {
    const { alice, bob, carol, channels } = world;
    const verifyNext = verifyInTurn(world);
    const id = await alice.say("general", "a", "@**Bob** and @**Carol**, look");
    for (const person of [bob, carol]) {
      await person.post("/messages/flags", { messages: [id], op: "add", flag: "starred" });
    }
    const den = await subscribeTo(alice, "den", [alice, bob]);
    const has = async (person: Person, operand: string) => {
      const narrow = [{ operator: "is", operand }];
      const { body } = await person.get("/messages", {
        anchor: "newest",
        num_before: 9,
        num_after: 0,
        narrow,
      });
      return body.messages.map((message: WireEvent) => message.id).includes(id);
    };
    const flags = async (person: Person) => [
      await has(person, "mentioned"),
      await has(person, "starred"),
    ];
    await verifyNext(() => move(alice, id, { stream_id: den }));
    expect([await flags(bob), await flags(carol)]).toEqual([
      [true, true],
      [false, false],
    ]);
    const { state } = await carol.register({ fetch_event_types: ["starred_messages"] });
    expect(state.starred_messages).toEqual([]);
    await verifyNext(() => move(alice, id, { stream_id: channels.general }));
  });

  test("and who is not there has nothing of it unread, nor when it comes back", async () => {
    const { alice, bob, carol, channels } = world;
    const id = await alice.say("general", "a", "1");
    const crew = await subscribeTo(alice, "crew", [alice, bob], {
      send_new_subscription_messages: false,
    });
    const unread = async () => [
      (await unreadOf(bob)).includes(id),
      (await unreadOf(carol)).includes(id),
    ];
    expect(await unread()).toEqual([true, true]);
    await move(alice, id, { stream_id: crew, ...quiet });
    expect(await unread()).toEqual([true, false]);
    await move(alice, id, { stream_id: channels.general, ...quiet });
    expect(await unread()).toEqual([true, false]);
  });
});

describe("security cases", () => {
  test("B1: a move takes permission where the messages are and where they go, from administrators too", async () => {
    const { alice, adam, olga, channels } = world;
    const id = await alice.say("general", "a", "1");
    const secret = await alice.say("secret", "a", "1");
    // An administrator's role opens no private channel.
    const hidden = await move(adam, id, { stream_id: channels.secret });
    const missing = await move(adam, id, { stream_id: 99_999_999 });
    expect([refusal(hidden), refusal(missing)]).toEqual(["400 BAD_REQUEST", "400 BAD_REQUEST"]);
    expect(hidden.body.msg.replace(`${channels.secret}`, "")).toBe(
      missing.body.msg.replace("99999999", ""),
    );
    expect((await move(adam, secret, { stream_id: channels.general })).body).toEqual(
      (await move(adam, 99_999_999, { stream_id: channels.general })).body,
    );
    const crew = await subscribeTo(alice, "crew", [alice, adam], {});
    const groups = (await olga.get("/user_groups")).body.user_groups;
    const nobody = groups.find(({ name }: { name: string }) => name === "role:nobody").id;
    await alice.patch(`/streams/${crew}`, { can_send_message_group: { new: nobody } });
    expect(refusal(await move(adam, id, { stream_id: crew }))).toBe("400 BAD_REQUEST");
    await alice.patch(`/streams/${crew}`, {
      can_send_message_group: { new: { direct_members: [adam.id], direct_subgroups: [] } },
    });
    await olga.patch("/realm", { can_move_messages_between_channels_group: { new: nobody } });
    for (const person of [adam, olga, alice]) {
      expect(refusal(await move(person, id, { stream_id: crew }))).toBe("400 BAD_REQUEST");
    }
    await olga.patch(`/streams/${channels.general}`, {
      can_move_messages_out_of_channel_group: {
        new: { direct_members: [adam.id], direct_subgroups: [] },
      },
    });
    expect(refusal(await move(adam, id, { stream_id: crew }))).toBe("200");
  });

  test("A3: who has left a private channel does not move what they have written there", async () => {
    const { alice, bob, channels } = world;
    const id = await bob.say("secret", "a", "1");
    await bob.delete("/users/me/subscriptions", { subscriptions: ["secret"] });
    for (const parameters of [{ topic: "b" }, { stream_id: channels.general }]) {
      expect((await move(bob, id, parameters)).body).toEqual(
        (await move(bob, 99_999_999, parameters)).body,
      );
    }
    expect(await places(alice, id)).toEqual(["secret/a"]);
  });

  test("B2, A12: after a move to a private channel former readers lose text, history, files and search hits", async () => {
    const { alice, bob, carol, otto } = world;
    const { id, url } = await share(alice, "general", "plans");
    await move(alice, id, { content: `unicorn [plan](${url})` });
    const den = await subscribeTo(alice, "den", [alice, bob]);
    const narrow = [{ operator: "search", operand: "unicorn" }];
    const found = async (person: Person) => {
      const file = await person.open(url);
      await file.arrayBuffer();
      const { status, body } = await person.get("/messages", {
        anchor: "newest",
        num_before: 9,
        num_after: 0,
        narrow,
      });
      return {
        hits:
          status === 200 ? body.messages.length : refusal({ status, body, headers: file.headers }),
        text: refusal(await person.get(`/messages/${id}`)),
        history: refusal(await person.get(`/messages/${id}/history`)),
        file: file.status,
      };
    };
    const open = { text: "200", history: "200", file: 200 };
    const closed = { text: "400 BAD_REQUEST", history: "400 BAD_REQUEST" };
    for (const person of [bob, carol, otto]) expect(await found(person)).toMatchObject(open);
    await move(alice, id, { stream_id: den, ...quiet });
    for (const person of [alice, bob])
      expect(await found(person)).toMatchObject({ ...open, hits: 1 });
    for (const person of [carol, otto, world.adam]) {
      const seen = await found(person);
      expect(seen).toMatchObject({ ...closed, hits: 0 });
      expect(seen.file).toBeGreaterThanOrEqual(400);
    }
  });

  test("B3: who is not where the messages go hears only that they are gone", async () => {
    const { alice, bob, carol, otto, zoe, channels } = world;
    const ids = [
      await alice.say("general", "plans", "1"),
      await alice.say("general", "plans", "2"),
    ];
    const den = await subscribeTo(alice, "den", [alice, bob]);
    const queues = await listen({ bob, carol, otto, zoe });
    const old = await carol.register({ client_capabilities: { notification_settings_null: true } });
    const open = await otto.register({
      all_public_streams: true,
      event_types: ["update_message", "delete_message"],
    });
    await move(alice, ids[0] ?? 0, { stream_id: den, topic: "hidden plans", ...all });
    const gone = {
      type: "delete_message",
      message_type: "stream",
      stream_id: channels.general,
      topic: "plans",
    };
    const bare = ({ id: _, ...event }: WireEvent) => event;
    const { bob: bobs, ...others } = await hear(queues, bare);
    const noFirst = ({ type }: WireEvent) => type !== "stream";
    expect(others.carol.filter(noFirst)).toEqual([{ ...gone, message_ids: ids }]);
    expect(others.otto.filter(noFirst)).toEqual([]);
    expect(others.zoe).toEqual([]);
    expect(await open.events()).toEqual([]);
    expect(bobs.find(({ type }) => type === "update_message")).toMatchObject({
      new_stream_id: den,
      message_ids: ids,
    });
    const single = (await old.events()).filter(({ type }) => type === "delete_message").map(bare);
    expect(single).toEqual(ids.map((message_id) => ({ ...gone, message_id })));
    expect(JSON.stringify(others)).not.toContain("hidden plans");
  });

  test("B3: who gains messages of a channel that they may not know does not hear of it", async () => {
    const { alice, bob, carol } = world;
    const id = await alice.say("secret", "plans", "1");
    const crew = await subscribeTo(alice, "crew", [alice, carol], {});
    const queues = await listen({ alice, bob, carol }, movesOnly);
    await move(alice, id, { stream_id: crew, ...quiet });
    const heard = await hear(queues, inShort);
    expect(heard).toEqual({
      alice: [["moved", [id], crew, []]],
      bob: [["moved", [id], crew, ["read"]]],
      carol: [],
    });
    expect(await places(carol, id)).toEqual(["crew/plans"]);
  });

  test("B4: from protected to shared history only goes what who moves it could read, and others hear of no more", async () => {
    const { alice, bob, carol, channels } = world;
    const before = await alice.say("secret", "plans", "before Carol came");
    await alice.post("/users/me/subscriptions", {
      subscriptions: [{ name: "secret" }],
      principals: [carol.id],
    });
    const after = [await bob.say("secret", "plans", "1"), await bob.say("secret", "plans", "2")];
    const den = await subscribeTo(carol, "den", [carol, bob]);
    const carols = await carol.register(movesOnly);
    expect((await move(carol, after[0] ?? 0, { stream_id: den, ...all })).status).toBe(200);
    expect(await places(alice, before, ...after)).toEqual(["secret/plans", "hidden", "hidden"]);
    expect(await places(carol, before, ...after)).toEqual(["hidden", "den/plans", "den/plans"]);
    expect((await carols.events()).map(inShort)).toEqual([["moved", after, den, []]]);
    // Nor does what is said of it tell that there was more.
    const [notice] = (await inTopic(carol, "den", "plans")).slice(-1);
    expect((await carol.get(`/messages/${notice}`)).body.raw_content).toStartWith(
      "This topic was moved here from",
    );
    // Alice moves the rest of it, and Carol hears nothing of that as long as it is not hers to
    // read.
    const queues = await listen({ bob, carol }, movesOnly);
    await move(alice, before, { topic: "old plans", ...quiet });
    expect(await hear(queues, inShort)).toEqual({
      bob: [["moved", [before], undefined, []]],
      carol: [],
    });
    expect((await carol.get(`/users/me/${channels.secret}/topics`)).body.topics).toEqual([]);
  });

  test("B4: with protected history each hears of the messages that they could read", async () => {
    const { alice, bob, carol } = world;
    const before = await alice.say("secret", "plans", "before Carol came");
    await alice.post("/users/me/subscriptions", {
      subscriptions: [{ name: "secret" }],
      principals: [carol.id],
    });
    const after = await alice.say("secret", "plans", "with Carol");
    const queues = await listen({ bob, carol }, movesOnly);
    await move(alice, before, { topic: "plan b", ...all, ...quiet });
    expect(await hear(queues, ({ message_id, message_ids }) => [message_id, message_ids])).toEqual({
      bob: [
        [before, [before]],
        [after, [after]],
      ],
      carol: [[after, [after]]],
    });
    const den = await subscribeTo(alice, "den", [alice, bob]);
    await hear(queues, inShort);
    await move(alice, before, { stream_id: den, ...all, ...quiet });
    const heard = await hear(queues, inShort);
    expect(heard.carol).toEqual([["gone", [after]]]);
  });
});

describe("With protected history where the messages go", () => {
  test("those who are there at the move may read them, and nobody who comes later", async () => {
    const { alice, bob, carol, channels } = world;
    const id = await carol.say("general", "a", "1");
    await alice.say("general", "b", "something new");
    await move(alice, id, { stream_id: channels.secret, ...quiet });
    expect(await places(bob, id)).toEqual(["secret/a"]);
    await alice.post("/users/me/subscriptions", {
      subscriptions: [{ name: "secret" }],
      principals: [carol.id],
    });
    expect(await places(carol, id)).toEqual(["hidden"]);
    await bob.say("secret", "a", "2");
    expect(await inTopic(carol, "secret", "a")).toHaveLength(1);
    expect(await inTopic(bob, "secret", "a")).toHaveLength(2);
  });

  test("also those who came just before it, when nobody had said anything since", async () => {
    const { alice, bob, carol, otto } = world;
    const one = await carol.say("general", "a", "1");
    await setRealm({ send_channel_events_messages: false });
    const vault = await subscribeTo(alice, "vault", [alice, bob], { invite_only: true });
    await move(alice, one, { stream_id: vault, ...quiet });
    expect(await places(bob, one)).toEqual(["vault/a"]);
    const newest = await alice.say("vault", "b", "2");
    const hers = await alice.say("vault", "b", "3");
    const subscriptions = [{ name: "vault" }];
    const quietly = { subscriptions, send_new_subscription_messages: false };
    await alice.post("/users/me/subscriptions", { ...quietly, principals: [otto.id] });
    await move(alice, newest, { stream_id: world.channels.general, ...quiet });
    await move(alice, newest, { stream_id: vault, ...quiet });
    expect(await places(otto, one, newest, hers)).toEqual(["hidden", "hidden", "hidden"]);
  });
});

test("somebody who starred a message of a private channel and left it hears that the star is gone when it is moved to another", async () => {
  const { alice, bob, channels } = world;
  const id = await alice.say("secret", "t", "1");
  await bob.post("/messages/flags", { messages: [id], op: "add", flag: "starred" });
  await bob.delete("/users/me/subscriptions", { subscriptions: ["secret"] });
  const queue = await bob.register();
  await verify(world, () => move(alice, id, { stream_id: channels.plans, ...quiet }));
  const heard = (await queue.events()).map(({ type, op, flag, messages }) => [
    type,
    op,
    flag,
    messages,
  ]);
  expect(heard).toEqual([["update_message_flags", "remove", "starred", [id]]]);
});
