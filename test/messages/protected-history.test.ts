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
