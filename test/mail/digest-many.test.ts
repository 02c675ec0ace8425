import { afterEach, beforeEach, expect, test } from "bun:test";
import { listBusyTopics } from "../../src/mail/digest/busy-topics";
import { addManyMessages } from "../support/many-messages";
import { turnsDuring } from "../support/turns";
import { makeWorld, type World } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

test("the topics of a busy week are counted in pages, between which others have their turn", async () => {
  const { bob, alice, channels, operator, realm } = world;
  const before = await alice.say("general", "old", "before the week");
  await bob.say("general", "Small", "one");
  await alice.say("general", "small", "two");
  await alice.tell([bob], "not in a channel");
  await addManyMessages(world, 8_000);
  let found: unknown;
  const turns = await turnsDuring(async () => {
    found = await listBusyTopics(operator.reader, realm.id, before);
  });
  const channelId = channels.general;
  expect(found).toEqual([
    {
      channelId,
      topicKey: "small",
      topic: expect.stringMatching(/small/i),
      messages: 2,
      people: 2,
    },
    { channelId, topicKey: "t", topic: "t", messages: 8_000, people: 1 },
  ]);
  expect(turns).toBeGreaterThan(4);
});
