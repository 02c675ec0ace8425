import { afterAll, beforeAll, expect, test } from "bun:test";
import { countBytesRead } from "../support/databases/bytes-read";
import { succeeded } from "../support/groups";
import { makeWorld, type World } from "../support/world";

const bytesReadBy = countBytesRead();

const longText = "soup ".repeat(1_800);
const messageCount = 20;
/** Most bytes that may be read about the messages: their texts are several times as many. */
const bytesMax = 60_000;

let world: World;
const ids = new Map<string, number[]>();
beforeAll(async () => {
  world = await makeWorld();
  for (const topic of ["by topic", "by ids", "by narrow", "left"]) {
    const sent: number[] = [];
    for (let count = 0; count < messageCount; count++)
      sent.push(await world.alice.say("general", topic, longText));
    ids.set(topic, sent);
  }
  // From here on none of them is in memory.
  await world.restart();
  await world.bob.get("/users/me");
});
afterAll(() => world.close());

const isRead = async (topic: string) => {
  const [id = 0] = ids.get(topic) ?? [];
  const { body } = await world.bob.get(`/messages/${id}`);
  return body.message.flags.includes("read");
};

test.each([
  [
    "by topic",
    () =>
      world.bob.post("/mark_topic_as_read", {
        stream_id: world.channels.general,
        topic_name: "by topic",
      }),
  ],
  [
    "by ids",
    () =>
      world.bob.post("/messages/flags", { messages: ids.get("by ids"), op: "add", flag: "read" }),
  ],
  [
    "by narrow",
    () =>
      world.bob.post("/messages/flags/narrow", {
        anchor: "oldest",
        num_before: 0,
        num_after: 100,
        narrow: [
          { operator: "channel", operand: "general" },
          { operator: "topic", operand: "by narrow" },
        ],
        op: "add",
        flag: "read",
      }),
  ],
  ["left", () => world.bob.delete("/users/me/subscriptions", { subscriptions: ["general"] })],
])("marking long messages as read (%s) reads none of their texts", async (topic, mark) => {
  expect(await bytesReadBy(async () => succeeded(await mark()))).toBeLessThan(bytesMax);
  expect(await isRead(topic)).toBe(true);
});
