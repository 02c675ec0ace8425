import { afterEach, beforeEach, expect, test } from "bun:test";
import { upload } from "../support/files";
import { makeWorld, type World } from "../support/world";

/*
 * Calls as errbot's backend for the protocol makes them (zulip.py of errbot-backend-zulip, by the
 * Python package zulip), which no registry has: emails for people, `subject` for topics, lists as
 * JSON in forms.
 */

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

test("a bot joins a room, looks who is in it, and leaves it", async () => {
  const { robot, bob, channels } = world;
  const rooms = async () =>
    (await robot.get("/users/me/subscriptions")).body.subscriptions.map(
      ({ name }: { name: string }) => name,
    );
  const joined = await robot.post("/users/me/subscriptions", {
    subscriptions: [{ name: "general" }],
  });
  expect(joined.body.result).toBe("success");
  expect(await rooms()).toEqual(["general"]);
  const { stream_id } = (await robot.get("/get_stream_id", { stream: "general" })).body;
  expect(stream_id).toBe(channels.general);
  const { subscribers } = (await robot.get(`/streams/${stream_id}/members`)).body;
  expect(subscribers).toContain(robot.id);
  expect(subscribers).toContain(bob.id);
  const listed = await robot.get("/streams", { include_public: true, include_subscribed: false });
  expect(listed.body.streams).toContainEqual(
    expect.objectContaining({ name: "general", description: "" }),
  );
  const left = await robot.delete("/users/me/subscriptions", { subscriptions: ["general"] });
  expect(left.body.result).toBe("success");
  expect(await rooms()).toEqual([]);
});

test("it hears messages of its rooms and direct ones, and answers each where it came from", async () => {
  const { robot, bob } = world;
  await robot.post("/users/me/subscriptions", { subscriptions: [{ name: "general" }] });
  const queue = await robot.register({ event_types: ["message"], apply_markdown: false });
  await bob.say("general", "soup", "!help");
  await bob.post("/messages", { type: "private", to: [robot.email], content: "!status" });
  const events = await queue.events();
  expect(events).toMatchObject([
    {
      message: {
        type: "stream",
        display_recipient: "general",
        subject: "soup",
        content: "!help",
        sender_email: bob.email,
        sender_full_name: "Bob",
      },
    },
    { message: { type: "private", content: "!status", sender_email: bob.email } },
  ]);
  const emails = events[1]?.["message"].display_recipient.map(
    ({ email }: { email: string }) => email,
  );
  expect(emails.sort()).toEqual([bob.email, robot.email].sort());
  const answers = [
    { type: "stream", to: "general", subject: "soup", content: "@**Bob** I can help" },
    { type: "private", to: emails, content: "all is well" },
  ];
  const heard = await bob.register({ event_types: ["message"], apply_markdown: false });
  for (const answer of answers)
    expect((await robot.post("/messages", answer)).body.result).toBe("success");
  expect((await heard.events()).map(({ message }) => message.content)).toEqual(
    answers.map(({ content }) => content),
  );
});

test("it uploads a file and links it by the address that it is answered", async () => {
  const { robot, bob } = world;
  const uri = await upload(robot, "plan.txt", "leek and potato");
  await robot.post("/messages", {
    type: "private",
    to: [bob.email],
    content: `[plan.txt](${uri})`,
  });
  const file = await bob.open(uri);
  expect([file.status, await file.text()]).toEqual([200, "leek and potato"]);
});
