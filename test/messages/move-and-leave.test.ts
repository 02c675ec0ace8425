import { afterEach, beforeEach, expect, test } from "bun:test";
import type { WireEvent } from "../support/client";
import { verifyForEverybody } from "../support/client-state/verify";
import { hear, listen } from "../support/listening";
import { move, places, subscribeTo } from "../support/moves";
import { makeWorld, type Person, type World } from "../support/world";

/** Events of a move for people who have left the old channel before their client asks for them. */

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

const all = { propagate_mode: "change_all" };
const quiet = { send_notification_to_new_thread: false };
const aboutMessages = {
  event_types: ["update_message", "delete_message", "update_message_flags"],
};

const star = (person: Person, ...messages: number[]) =>
  person.post("/messages/flags", { messages, op: "add", flag: "starred" });

async function leave(person: Person, channel: string) {
  const answer = await person.delete("/users/me/subscriptions", { subscriptions: [channel] });
  expect(answer.status).toBe(200);
}

const inShort = ({ type, op, flag, messages, message_ids, topic }: WireEvent) =>
  type === "update_message_flags" ? [op, flag, messages] : [type, message_ids, topic];

/** An event without its id, its time, and the flags, which are the recipient's own. */
const bare = ({ id: _, edit_timestamp: __, flags: ___, ...event }: WireEvent) => event;

test("A1, B3: who has left a private channel since hears no topic of it by moves before", async () => {
  const { alice, bob, channels } = world;
  const id = await alice.say("secret", "a", "1");
  const [queues, kept] = [
    await listen({ bob }, aboutMessages),
    await listen({ bob }, aboutMessages),
  ];
  await move(alice, id, { topic: "hidden plan" });
  await move(alice, id, { stream_id: channels.plans, ...quiet });
  expect((await hear(kept, ({ topic }) => topic)).bob).toContain("hidden plan");
  await leave(bob, "secret");
  const heard = await hear(queues, (event) => event);
  expect(heard.bob.map(({ type }) => type)).not.toContain("delete_message");
  expect(JSON.stringify(heard)).not.toContain("hidden plan");
});

test("who has left since hears that what they lost is not starred and not unread any more", async () => {
  const { alice, bob, carol, channels } = world;
  const subscriptions = [{ name: "secret" }];
  const before = await alice.say("secret", "a", "before Carol");
  await alice.post("/users/me/subscriptions", { subscriptions, principals: [carol.id] });
  const after = [await alice.say("secret", "a", "1"), await alice.say("secret", "a", "2")];
  for (const person of [alice, bob, carol]) await star(person, after[0] ?? 0);
  await star(bob, before);
  const queues = await listen({ alice, bob, carol }, aboutMessages);
  const stayed = await listen({ bob, carol }, aboutMessages);
  await verifyForEverybody(world, async () => {
    await move(alice, before, { stream_id: channels.plans, ...all, ...quiet });
    const theirs = ["delete_message", after, "a"];
    expect(await hear(stayed, inShort)).toEqual({
      bob: [["delete_message", [before], "a"], theirs],
      carol: [theirs],
    });
    for (const person of [bob, carol]) await leave(person, "secret");
  });
  const heard = await hear(queues, inShort);
  const gone = (ids: number[]) => [
    ["remove", "starred", ids],
    ["add", "read", ids],
  ];
  expect(heard.bob).toEqual([...gone([before]), ...gone(after)]);
  // She was not there before, so she hears only of messages that she had.
  expect(heard.carol).toEqual(gone(after));
  expect(heard.alice.map(([type]) => type)).toEqual(["update_message", "update_message"]);
});

for (const isIn of [true, false])
  test(`who has left since hears of messages that they still read, in a channel ${
    isIn ? "of theirs" : "that is open to them"
  }, nothing of the old place`, async () => {
    const { alice, bob, channels } = world;
    const crew = await subscribeTo(alice, "crew", isIn ? [alice, bob] : [alice], {});
    const id = await alice.say("secret", "a", "1");
    await star(bob, id);
    const [queues, stayed] = [
      await listen({ alice, bob }, aboutMessages),
      await listen({ bob }, aboutMessages),
    ];
    await verifyForEverybody(world, async () => {
      await move(alice, id, { topic: "hidden plan", ...quiet });
      await move(alice, id, { stream_id: crew, topic: "plan", ...all, ...quiet });
      expect((await hear(stayed, ({ subject }) => subject)).bob).toEqual(["hidden plan", "plan"]);
      await leave(bob, "secret");
    });
    const { alice: alices, bob: bobs } = await hear(queues, bare);
    expect(alices.at(-1)).toMatchObject({ orig_subject: "hidden plan", stream_name: "secret" });
    expect(bobs).toEqual([
      {
        type: "update_message",
        user_id: alice.id,
        rendering_only: false,
        message_id: id,
        message_ids: [id],
        // They have left this channel, and so they know its id.
        stream_id: channels.secret,
        propagate_mode: "change_one",
        orig_subject: "",
        subject: "plan",
        topic_links: [],
        new_stream_id: crew,
      },
    ]);
    expect(await places(bob, id)).toEqual(["crew/plan"]);
  });

test("A16: who is in the new channel, but may not read the messages in the old one, hears no topic of it", async () => {
  const { alice, adam, carol, channels } = world;
  const crew = await subscribeTo(alice, "crew", [alice, adam, carol], {});
  const id = await alice.say("secret", "hidden plan", "1");
  // Carol comes too late for the message; an administrator may know the channel, but not read
  // there.
  const subscriptions = [{ name: "secret" }];
  await alice.post("/users/me/subscriptions", { subscriptions, principals: [carol.id] });
  const queues = await listen({ adam, carol }, aboutMessages);
  await verifyForEverybody(world, () =>
    move(alice, id, { stream_id: crew, topic: "plan", ...quiet }),
  );
  const heard = await hear(queues, bare);
  for (const events of [heard.adam, heard.carol])
    expect(events).toMatchObject([
      { stream_id: channels.secret, orig_subject: "", new_stream_id: crew, subject: "plan" },
    ]);
  expect(JSON.stringify(heard)).not.toContain("hidden plan");
});

test("a move to the empty topic has an old topic for them that is another one", async () => {
  const { alice, bob } = world;
  const crew = await subscribeTo(alice, "crew", [alice, bob], {});
  const id = await alice.say("secret", "hidden plan", "1");
  const queues = await listen({ bob }, aboutMessages);
  await move(alice, id, { stream_id: crew, topic: "", ...quiet });
  await leave(bob, "secret");
  const heard = await hear(queues, bare);
  expect(heard.bob).toMatchObject([{ orig_subject: "…", subject: "", new_stream_id: crew }]);
});
