import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { write } from "../../src/core/write";
import { updateRealmSettingsIn } from "../../src/management/organization/change-settings";
import type { Answer } from "../support/client";
import { refusal } from "../support/listening";
import { inTopic, move, places, subscribeTo } from "../support/moves";
import { makeWorld, type Person, type World } from "../support/world";

let world: World;
let groups: Map<string, number>;
beforeEach(async () => {
  world = await makeWorld();
  const { body } = await world.olga.get("/user_groups");
  groups = new Map(
    body.user_groups.map(({ id, name }: { id: number; name: string }) => [name, id]),
  );
});
afterEach(() => world.close());

const quiet = { send_notification_to_new_thread: false };
const all = { propagate_mode: "change_all", ...quiet };
const refused = "400 BAD_REQUEST";

const setRealm = (changes: Record<string, unknown>) =>
  write(world.operator, (tx) => updateRealmSettingsIn(tx, world.operator, changes));

/** Lets a group hold a permission of a channel, by its name, or some people. */
async function allowIn(channelId: number, permission: string, holders: string | Person[]) {
  const value =
    typeof holders === "string"
      ? groups.get(holders)
      : { direct_members: holders.map(({ id }) => id), direct_subgroups: [] };
  const { status, body } = await world.olga.patch(`/streams/${channelId}`, {
    [permission]: { new: value },
  });
  expect([status, body.msg]).toEqual([200, ""]);
}

/** Whether each of some people may do something to a message, which is made anew for each. */
async function tries(
  people: Person[],
  act: (person: Person, id: number) => Promise<Answer>,
  channel = "general",
) {
  const answers: boolean[] = [];
  for (const person of people) {
    answers.push((await act(person, await world.alice.say(channel, "a", "1"))).status === 200);
  }
  return answers;
}

describe("Who may move messages", () => {
  test("to another topic: as the organization lets, and the channel besides", async () => {
    const { olga, mona, bob, greta, channels } = world;
    await world.alice.post("/users/me/subscriptions", {
      subscriptions: [{ name: "general" }],
      principals: [greta.id],
    });
    let count = 0;
    const rename = (person: Person, id: number) =>
      move(person, id, { topic: `b ${count++}`, ...quiet });
    const people = [olga, mona, bob, greta];
    expect(await tries(people, rename)).toEqual([true, true, true, true]);
    await setRealm({ can_move_messages_between_topics_group: "role:moderators" });
    expect(await tries(people, rename)).toEqual([true, true, false, false]);
    await setRealm({ can_move_messages_between_topics_group: "role:nobody" });
    expect(await tries(people, rename)).toEqual([false, false, false, false]);
    await allowIn(channels.general, "can_move_messages_within_channel_group", [bob, greta]);
    expect(await tries(people, rename)).toEqual([false, false, true, true]);
    // This is no permission to move them out of it, nor one to resolve.
    await setRealm({
      can_move_messages_between_channels_group: "role:nobody",
      can_resolve_topics_group: "role:nobody",
    });
    const crew = await subscribeTo(world.alice, "crew", [bob], {});
    const leave = (person: Person, id: number) => move(person, id, { stream_id: crew, ...quiet });
    const resolve = (person: Person, id: number) => move(person, id, { topic: "✔ a", ...all });
    expect([await tries([bob], leave), await tries([bob], resolve)]).toEqual([[false], [false]]);
    await allowIn(channels.general, "can_move_messages_out_of_channel_group", [bob]);
    await allowIn(channels.general, "can_resolve_topics_group", [bob]);
    expect([await tries([bob], leave), await tries([bob], resolve)]).toEqual([[true], [true]]);
  });

  test("to another channel: members as it is at first, as the source lets out and the target lets in", async () => {
    const { alice, bob, mona, greta, adam, channels } = world;
    await alice.post("/users/me/subscriptions", {
      subscriptions: [{ name: "general" }],
      principals: [greta.id],
    });
    const crew = await subscribeTo(alice, "crew", [alice, bob, mona, greta, adam], {});
    const into = (person: Person, id: number) => move(person, id, { stream_id: crew, ...quiet });
    const people = [adam, mona, bob, greta];
    expect(await tries(people, into)).toEqual([true, true, true, false]);
    await allowIn(channels.general, "can_move_messages_out_of_channel_group", [greta]);
    expect(await tries([greta], into)).toEqual([true]);
    await allowIn(crew, "can_send_message_group", "role:moderators");
    expect(await tries(people, into)).toEqual([true, true, false, false]);
    await allowIn(crew, "can_send_message_group", "role:everyone");
    await allowIn(crew, "can_create_topic_group", [bob]);
    await alice.say("crew", "A", "make way");
    expect(await tries(people, into)).toEqual([true, true, true, true]);
    const anew = (person: Person, id: number) =>
      move(person, id, { stream_id: crew, topic: `new ${person.id}`, ...quiet });
    await world.olga.patch(`/streams/${crew}`, {
      can_create_topic_group: { new: { direct_members: [bob.id], direct_subgroups: [] } },
    });
    expect(await tries(people, anew)).toEqual([false, false, true, false]);
  });

  test("begin topics by it only if they may begin topics there; resolving begins none", async () => {
    const { alice, bob, mona, channels } = world;
    await allowIn(channels.general, "can_create_topic_group", [mona]);
    await mona.say("general", "a", "0");
    await mona.say("general", "b", "0");
    const to = (topic: string) => (person: Person, id: number) =>
      move(person, id, { topic, ...quiet });
    expect(await tries([bob, mona], to("c"))).toEqual([false, true]);
    expect(await tries([bob, mona], to("B"))).toEqual([true, true]);
    const id = (await inTopic(alice, "general", "b"))[0] ?? 0;
    expect(refusal(await move(bob, id, { topic: "✔ b", ...all }))).toBe("200");
    expect(refusal(await move(bob, id, { topic: "b", ...all }))).toBe("200");
    // With protected history it must be everybody's: nobody learns so what there was before their
    // time.
    await subscribeTo(alice, "vault", [alice, bob], { invite_only: true });
    const vault = (await alice.get("/get_stream_id", { stream: "vault" })).body.stream_id;
    const value = { new: { direct_members: [alice.id], direct_subgroups: [] } };
    expect(refusal(await alice.patch(`/streams/${vault}`, { can_create_topic_group: value }))).toBe(
      refused,
    );
  });

  test("where the topics policy has such a topic, and the channel is not archived", async () => {
    const { alice, bob } = world;
    const strict = await subscribeTo(alice, "strict", [alice, bob], {
      topics_policy: "disable_empty_topic",
    });
    const plain = await subscribeTo(alice, "plain", [alice, bob], {
      topics_policy: "empty_topic_only",
    });
    await alice.patch(`/streams/${strict}`, { topics_policy: "disable_empty_topic" });
    await alice.patch(`/streams/${plain}`, { topics_policy: "empty_topic_only" });
    const [named, empty] = [
      await alice.say("general", "a", "1"),
      await alice.say("general", "", "2"),
    ];
    expect(refusal(await move(bob, empty, { stream_id: strict, ...quiet }))).toBe(refused);
    expect(
      refusal(await move(bob, empty, { stream_id: strict, topic: "general chat", ...quiet })),
    ).toBe(refused);
    expect(refusal(await move(bob, named, { stream_id: plain, ...quiet }))).toBe(refused);
    expect(refusal(await move(bob, named, { stream_id: plain, topic: "", ...quiet }))).toBe("200");
    expect(refusal(await move(bob, named, { topic: "b", ...quiet }))).toBe(refused);
    expect(refusal(await move(bob, empty, { stream_id: strict, topic: "b", ...quiet }))).toBe(
      "200",
    );
    for (const topic of ["", "(no topic)", "general chat"]) {
      expect(refusal(await move(bob, empty, { topic, ...quiet }))).toBe(refused);
    }
    expect(await places(bob, named, empty)).toEqual(["plain/", "strict/b"]);
    const other = await alice.say("general", "c", "3");
    await alice.delete(`/streams/${strict}`);
    expect(refusal(await move(bob, other, { stream_id: strict, ...quiet }))).toBe(refused);
    expect((await move(bob, empty, { topic: "c", ...quiet })).body).toEqual(
      (await move(bob, 99_999_999, { topic: "c" })).body,
    );
  });
});

describe("Moving in time", () => {
  const limited = (seconds: number) =>
    setRealm({
      move_messages_within_stream_limit_seconds: seconds,
      move_messages_between_streams_limit_seconds: seconds,
    });

  test("what is too old stays for members, with some seconds of grace; administrators and moderators move it", async () => {
    const { alice, adam, mona, channels, clock } = world;
    await limited(60);
    const crew = await subscribeTo(alice, "crew", [alice, adam, mona], {});
    const old = await alice.say("general", "a", "1");
    clock.advance(80);
    expect(refusal(await move(alice, old, { topic: "b", ...quiet }))).toBe("200");
    clock.advance(1);
    for (const parameters of [
      { topic: "c" },
      { stream_id: crew },
      { topic: "c", ...all },
      { topic: "c", propagate_mode: "change_later" },
    ]) {
      expect(refusal(await move(alice, old, { ...quiet, ...parameters }))).toBe(refused);
    }
    expect(refusal(await move(mona, old, { topic: "c", ...quiet }))).toBe("200");
    expect(refusal(await move(adam, old, { stream_id: crew, ...quiet }))).toBe("200");
    expect(refusal(await move(mona, old, { stream_id: channels.general, ...quiet }))).toBe("200");
    // To resolve a topic it is never too late, and it is not as if it were moved.
    const { message: before } = (await alice.get(`/messages/${old}`)).body;
    expect(refusal(await move(alice, old, { topic: "✔ c", ...all }))).toBe("200");
    const { message: after } = (await alice.get(`/messages/${old}`)).body;
    expect([after.subject, after.last_moved_timestamp]).toEqual([
      "✔ c",
      before.last_moved_timestamp,
    ]);
    await setRealm({ move_messages_within_stream_limit_seconds: null });
    expect(refusal(await move(alice, old, { topic: "d", ...all }))).toBe("200");
    expect(refusal(await move(alice, old, { stream_id: crew, ...quiet }))).toBe(refused);
  });

  test("of a topic a part may be young enough: then it is told which, also where the message named is too old", async () => {
    const { alice, bob, clock } = world;
    await limited(60);
    const crew = await subscribeTo(alice, "crew", [alice, bob], {});
    const old = [await alice.say("general", "a", "1"), await bob.say("general", "A", "2")];
    clock.advance(100);
    const young = [await bob.say("general", "a", "3"), await bob.say("general", "a", "4")];
    const told = {
      result: "error",
      code: "MOVE_MESSAGES_TIME_LIMIT_EXCEEDED",
      msg: expect.stringContaining("2 most recent of the 4"),
      first_message_id_allowed_to_move: young[0],
      total_messages_allowed_to_move: 2,
      total_messages_in_topic: 4,
    };
    for (const id of [old[0] ?? 0, young[1] ?? 0]) {
      for (const target of [{ topic: "b" }, { stream_id: crew }, { topic: "b", stream_id: crew }]) {
        const { status, body } = await move(alice, id, { ...target, ...all });
        expect([status, body]).toEqual([400, told]);
      }
    }
    expect(
      refusal(
        await move(alice, young[0] ?? 0, { topic: "b", ...quiet, propagate_mode: "change_later" }),
      ),
    ).toBe("200");
    expect(await places(bob, ...old, ...young)).toEqual([
      "general/a",
      "general/A",
      "general/b",
      "general/b",
    ]);
    expect(refusal(await move(alice, young[0] ?? 0, { topic: "c", ...all }))).toBe("200");
  });

  test("with protected history only what they may read counts", async () => {
    const { alice, carol, clock } = world;
    await limited(60);
    const before = await alice.say("secret", "a", "before Carol came");
    clock.advance(100);
    await alice.post("/users/me/subscriptions", {
      subscriptions: [{ name: "secret" }],
      principals: [carol.id],
    });
    const after = await alice.say("secret", "a", "with Carol");
    expect(refusal(await move(alice, after, { topic: "b", ...all }))).toBe(
      "400 MOVE_MESSAGES_TIME_LIMIT_EXCEEDED",
    );
    expect(refusal(await move(carol, after, { topic: "b", ...all }))).toBe("200");
    expect(await places(alice, before, after)).toEqual(["secret/a", "secret/b"]);
  });
});
