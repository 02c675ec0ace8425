import { afterEach, beforeEach, expect, test } from "bun:test";
import { deleteTopic } from "../../src/messages/topics/service";
import { makeWorld, type World } from "../support/world";

let world: World;

beforeEach(async () => {
  world = await makeWorld();
});

afterEach(() => world.close());

/**
 * Carol joins the private channel `secret`, which keeps its history from newcomers, after `content`
 * was sent there.
 */
async function carolJoinsAfter(content: string): Promise<number> {
  const { alice, carol } = world;
  const messageId = await alice.say("secret", "plans", content);
  await alice.post("/users/me/subscriptions", {
    subscriptions: [{ name: "secret" }],
    principals: [carol.id],
  });
  return messageId;
}

test("A6: a later subscriber does not hear of reactions to what was sent before", async () => {
  const { alice, bob, carol } = world;
  const before = await carolJoinsAfter("before Carol came");
  const [carols, alices] = [await carol.register(), await alice.register()];
  await bob.post(`/messages/${before}/reactions`, { emoji_name: "tada" });
  const after = await alice.say("secret", "plans", "Carol is here");
  await bob.post(`/messages/${after}/reactions`, { emoji_name: "tada" });
  const reactedTo = (events: { type: string; message_id: number }[]) =>
    events.filter(({ type }) => type === "reaction").map(({ message_id }) => message_id);
  expect(reactedTo(await carols.events())).toEqual([after]);
  expect(reactedTo(await alices.events())).toEqual([before, after]);
});

test("A6: when a topic is deleted a later subscriber hears only of the messages that they could read", async () => {
  const { alice, bob, carol, otto, operator, channels } = world;
  const before = await carolJoinsAfter("before Carol came");
  const after = await alice.say("secret", "plans", "Carol is here");
  const [carols, bobs, ottos] = [
    await carol.register(),
    await bob.register(),
    await otto.register(),
  ];
  await deleteTopic(operator, { streamId: channels.secret, topicName: "plans" });
  const deleted = (events: { type: string; message_ids: number[] }[]) =>
    events
      .filter(({ type }) => type === "delete_message")
      .flatMap(({ message_ids }) => message_ids);
  expect(deleted(await bobs.events()).sort((a, b) => a - b)).toEqual([before, after]);
  expect(deleted(await carols.events())).toEqual([after]);
  expect(deleted(await ottos.events())).toEqual([]);
});

/** Brings somebody into the channel `secret` without a message about that. */
const bringIn = (person: { id: number }) =>
  world.alice.post("/users/me/subscriptions", {
    subscriptions: [{ name: "secret" }],
    principals: [person.id],
    send_new_subscription_messages: false,
  });

const moveToSecret = (messageId: number) =>
  world.alice.patch(`/messages/${messageId}`, {
    stream_id: world.channels.secret,
    send_notification_to_new_thread: false,
  });

test("a newcomer who may read a message that was moved there hears what happens to it", async () => {
  const { alice, bob, carol } = world;
  const moved = await alice.say("general", "talk", "to be moved");
  await bringIn(carol);
  const queue = await carol.register({
    event_types: ["update_message", "reaction"],
  });
  await queue.events();
  await moveToSecret(moved);
  expect((await carol.get(`/messages/${moved}`)).status).toBe(200);
  await bob.post(`/messages/${moved}/reactions`, { emoji_name: "tada" });
  await alice.patch(`/messages/${moved}`, { content: "changed" });
  const types = (await queue.events()).map(({ type }) => type);
  expect(types).toEqual(["update_message", "reaction", "update_message"]);
});

test("A6: somebody who comes back cannot read what was moved there while they were away", async () => {
  const { alice, bob, channels } = world;
  const moved = await alice.say("general", "talk", "to be moved");
  const before = await alice.say("secret", "plans", "before Bob left");
  await alice.say("general", "talk", "somewhere else");
  await bob.delete("/users/me/subscriptions", { subscriptions: ["secret"] });
  await moveToSecret(moved);
  await bringIn(bob);
  const { body } = await bob.get("/messages", {
    anchor: "newest",
    num_before: 10,
    num_after: 0,
    narrow: [{ operator: "channel", operand: channels.secret }],
  });
  expect(body.messages.map(({ id }: { id: number }) => id)).toEqual([before]);
  expect((await bob.get(`/messages/${moved}`)).status).toBe(400);
});
