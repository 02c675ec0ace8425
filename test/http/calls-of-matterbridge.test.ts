import { afterEach, beforeEach, expect, test } from "bun:test";
import { makeWorld, type World } from "../support/world";

/*
 * Calls as matterbridge 1.26 makes them (bridge/zulip/zulip.go, and its library gozulipbot), which
 * no registry has: bodies of its own making, a Content-Type on every request, one kind of event.
 */

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

/** One request with a body that is sent as it stands. */
async function call(method: string, path: string, body?: string) {
  const headers = { "Content-Type": "application/x-www-form-urlencoded" };
  const init = { method, headers, ...(body === undefined ? {} : { body }) };
  const response = await world.alice.open(`/api/v1/${path}`, init);
  return { status: response.status, ...(await response.json()) };
}

test("a queue for messages is registered by a body that is not encoded, and polled", async () => {
  const { bob, channels } = world;
  const { queue_id } = await call("POST", "register", 'event_types=["message"]');
  const { streams } = await call("GET", "streams");
  expect(streams).toContainEqual(
    expect.objectContaining({ stream_id: channels.general, name: "general" }),
  );
  await bob.say("general", "soup", "leek **and** potato");
  const { events } = await call("GET", `events?last_event_id=-1&queue_id=${queue_id}`);
  expect(events).toMatchObject([
    {
      type: "message",
      message: {
        sender_email: bob.email,
        sender_full_name: "Bob",
        stream_id: channels.general,
        subject: "soup",
        display_recipient: "general",
      },
    },
  ]);
});

test("a queue that has ended is told by its code, so that it registers another one", async () => {
  expect(await call("GET", "events?last_event_id=-1&queue_id=gone")).toMatchObject({
    status: 400,
    result: "error",
    code: "BAD_EVENT_QUEUE_ID",
  });
});

test("messages are sent, changed, and emptied where they were deleted elsewhere", async () => {
  const { alice } = world;
  const sent = await call(
    "POST",
    "messages",
    "content=Bob%3A+hi&subject=soup&to=general&type=stream",
  );
  expect(sent.status).toBe(200);
  const content = async () =>
    (await alice.get(`/messages/${sent.id}`, { apply_markdown: false })).body.message.content;
  expect(await content()).toBe("Bob: hi");
  expect((await call("PATCH", `messages/${sent.id}`, "content=Bob%3A+hey")).status).toBe(200);
  expect(await content()).toBe("Bob: hey");
  expect((await call("PATCH", `messages/${sent.id}`, "content=")).status).toBe(200);
  expect(await content()).toBe("(deleted)");
});
