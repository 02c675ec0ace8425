import { afterEach, beforeEach, expect, test } from "bun:test";
import { upload } from "../support/files";
import { makeWorld, type World } from "../support/world";

/*
 * Calls as zulip-java-client makes them (EventPoller, SendMessageApiRequest and its HTTP client).
 * It reads the JSON of answers with 200 and 400 alone, and gives up at every other status.
 */

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

test("its poller hears a narrow of a channel, and makes a queue anew when the old one is gone", async () => {
  const { robot, bob } = world;
  await robot.post("/users/me/subscriptions", { subscriptions: [{ name: "general" }] });
  const wanted = { event_types: ["message"], narrow: [["stream", "general"]] };
  const { body: queue } = await robot.post("/register", wanted);
  const { queue_id } = queue;
  const waiting = robot.get("/events", { queue_id, last_event_id: queue.last_event_id });
  await bob.tell([robot], "not for the narrow");
  const id = await bob.say("general", "soup", "hello");
  const { body: heard } = await waiting;
  const last_event_id = heard.events.at(-1).id;
  expect(heard.events).toMatchObject([{ type: "message", message: { id, content: "hello" } }]);
  expect((await robot.delete("/events", { queue_id })).body.result).toBe("success");
  const gone = await robot.get("/events", { queue_id, last_event_id });
  expect([gone.status, gone.body.code]).toEqual([400, "BAD_EVENT_QUEUE_ID"]);
  expect((await robot.post("/register", wanted)).body.result).toBe("success");
});

test("it sends to channels by name and by ID, and to people by address and by ID", async () => {
  const { robot, bob, channels } = world;
  await robot.post("/users/me/subscriptions", { subscriptions: [{ name: "general" }] });
  const { body: queue } = await robot.post("/register", { event_types: ["message"] });
  const local = { local_id: "7.01", queue_id: queue.queue_id };
  const sent = [
    { type: "stream", to: "general", topic: "soup", content: "by name", ...local },
    { type: "stream", to: channels.general, topic: "soup", content: "by ID" },
    { type: "direct", to: JSON.stringify([bob.email]), content: "by address" },
    { type: "direct", to: JSON.stringify([bob.id]), content: "by ID" },
  ];
  for (const message of sent) {
    const { status, body } = await robot.post("/messages", message);
    expect([status, body.id]).toEqual([200, expect.any(Number)]);
  }
  const refused = await robot.post("/messages", {
    type: "stream",
    to: "nowhere",
    topic: "a",
    content: "b",
  });
  expect([refused.status, refused.body.code]).toEqual([400, "STREAM_DOES_NOT_EXIST"]);
  expect(await upload(robot, "plan.txt", "leek and potato")).toContain("/user_uploads/");
});
