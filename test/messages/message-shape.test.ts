import { afterEach, beforeEach, expect, test } from "bun:test";
import { makeWorld, type World } from "../support/world";

/** Message on the wire: `docs/protocol/specification.md`, "Message object". */
let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

const quiet = { send_notification_to_new_thread: false };

test("A message in a channel that was reacted to, edited and moved has exactly the members that say so", async () => {
  const { alice, bob, clock, channels, realm } = world;
  const id = await alice.say("general", "lunch", "*leek* soup");
  const fresh = (await bob.get(`/messages/${id}`)).body.message;
  for (const absent of ["edit_history", "last_edit_timestamp", "last_moved_timestamp"]) {
    expect(fresh).not.toContainKey(absent);
  }
  await bob.post(`/messages/${id}/reactions`, { emoji_name: "tada" });
  clock.advance(5);
  await alice.patch(`/messages/${id}`, { content: "/me eats" });
  clock.advance(5);
  await alice.patch(`/messages/${id}`, { topic: "dinner", ...quiet });
  clock.advance(5);
  await alice.patch(`/messages/${id}`, {
    topic: "✔ dinner",
    propagate_mode: "change_all",
    ...quiet,
  });
  const sentAt = clock.now() - 15;
  const { message } = (await bob.get(`/messages/${id}`, { client_gravatar: false })).body;
  expect(message).toEqual({
    id,
    type: "stream",
    stream_id: channels.general,
    display_recipient: "general",
    subject: "✔ dinner",
    sender_id: alice.id,
    sender_email: alice.email,
    sender_full_name: "Alice",
    sender_realm_str: realm.host,
    content: expect.stringContaining("eats"),
    content_type: "text/html",
    is_me_message: true,
    client: expect.any(String),
    recipient_id: expect.any(Number),
    timestamp: sentAt,
    avatar_url: expect.stringContaining("gravatar"),
    flags: [],
    topic_links: [],
    submessages: [],
    reactions: [
      { emoji_name: "tada", emoji_code: "1f389", reaction_type: "unicode_emoji", user_id: bob.id },
    ],
    last_edit_timestamp: sentAt + 5,
    last_moved_timestamp: sentAt + 10,
    edit_history: [
      { user_id: alice.id, timestamp: sentAt + 15, prev_topic: "dinner", topic: "✔ dinner" },
      { user_id: alice.id, timestamp: sentAt + 10, prev_topic: "lunch", topic: "dinner" },
      {
        user_id: alice.id,
        timestamp: sentAt + 5,
        prev_content: "*leek* soup",
        prev_rendered_content: "<p><em>leek</em> soup</p>",
      },
    ],
  });
});

test("A move to another channel is in the history with both of them", async () => {
  const { alice, bob, olga, channels, clock } = world;
  const id = await alice.say("general", "lunch", "soup");
  const { body } = await olga.post("/channels/create", {
    name: "kitchen",
    subscribers: [alice.id, bob.id],
  });
  expect((await olga.patch(`/messages/${id}`, { stream_id: body.id, ...quiet })).status).toBe(200);
  const { message } = (await bob.get(`/messages/${id}`)).body;
  expect(message).toMatchObject({ stream_id: body.id, display_recipient: "kitchen" });
  expect(message.edit_history).toEqual([
    { user_id: olga.id, timestamp: clock.now(), prev_stream: channels.general, stream: body.id },
  ]);
});

test("A direct message names everybody in it, has no channel and no topic, and its widget's submessages", async () => {
  const { alice, bob, carol } = world;
  const id = await alice.tell([bob, carol], "/poll Soup?\nleek");
  await bob.post("/submessage", {
    message_id: id,
    msg_type: "widget",
    content: '{"type":"vote","key":"canned,0","vote":1}',
  });
  const { message } = (await carol.get(`/messages/${id}`, { apply_markdown: false })).body;
  expect(message).toMatchObject({
    id,
    type: "private",
    subject: "",
    content: "/poll Soup?\nleek",
    content_type: "text/x-markdown",
    avatar_url: null,
  });
  expect(message).not.toContainKey("stream_id");
  const someone = ({ id, email, fullName }: typeof alice) => ({
    id,
    email,
    full_name: fullName,
    is_mirror_dummy: false,
  });
  expect(message.display_recipient).toEqual([someone(alice), someone(bob), someone(carol)]);
  const submessage = {
    id: expect.any(Number),
    message_id: id,
    msg_type: "widget",
    content: expect.any(String),
  };
  expect(message.submessages).toEqual([
    { ...submessage, sender_id: alice.id },
    { ...submessage, sender_id: bob.id },
  ]);
  const again = await alice.tell([carol, bob], "more");
  expect((await bob.get(`/messages/${again}`)).body.message.recipient_id).toBe(
    message.recipient_id,
  );
});
