import { afterEach, beforeEach, expect, test } from "bun:test";
import { makeWorld, type World } from "../support/world";

/*
 * Calls as go-zulip makes them (zulip/api and internal/apiutils), which no registry has: every
 * change is a form in the body, also with PATCH and DELETE, and lists in it are JSON. It refuses
 * fields that it does not know: test/support/api/api-check.ts looks for those in every answer.
 */

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

/** One request with a form in its body. */
async function call(method: string, path: string, form?: Record<string, string>) {
  const headers = {
    Accept: "application/json",
    "Content-Type": "application/x-www-form-urlencoded",
  };
  const body = form && new URLSearchParams(form).toString();
  const init = { method, headers, ...(body === undefined ? {} : { body }) };
  const response = await world.alice.open(`/api/v1/${path}`, init);
  return { status: response.status, ...(await response.json()) };
}

test("a channel is created by its own call, and its messages are sent, changed and deleted", async () => {
  const { alice, bob } = world;
  const { user_id } = await call("GET", "users/me");
  const subscribers = JSON.stringify([user_id, bob.id]);
  const form = { name: "zulip-community", description: "To greet", subscribers };
  const created = await call("POST", "channels/create", form);
  expect(created.status).toBe(200);
  const { subscribers: members } = await call("GET", `streams/${created.id}/members`);
  expect(members.sort()).toEqual([alice.id, bob.id].sort());
  const to = String(created.id);
  const hello = { type: "channel", to, topic: "introductions", content: "Hello 👋" };
  const sent = await call("POST", "messages", hello);
  const content = async () =>
    (await bob.get(`/messages/${sent.id}`, { apply_markdown: false })).body.message.content;
  expect(await content()).toBe("Hello 👋");
  expect((await call("PATCH", `messages/${sent.id}`, { content: "Hello" })).status).toBe(200);
  expect(await content()).toBe("Hello");
  const flags = { messages: JSON.stringify([sent.id]), op: "add", flag: "starred" };
  expect(await call("POST", "messages/flags", flags)).toMatchObject({ messages: [sent.id] });
  const left = { subscriptions: JSON.stringify(["zulip-community"]) };
  expect(await call("DELETE", "users/me/subscriptions", left)).toMatchObject({
    status: 200,
    removed: ["zulip-community"],
  });
});

test("its queue is asked for without waiting first, and an event that has ended it is told", async () => {
  const { bob } = world;
  const form = { event_types: '["message"]', all_public_streams: "true", apply_markdown: "false" };
  const { queue_id, last_event_id } = await call("POST", "register", form);
  const poll = (more = "") =>
    call("GET", `events?last_event_id=${last_event_id}&queue_id=${queue_id}${more}`);
  expect(await poll("&dont_block=true")).toMatchObject({ status: 200, events: [] });
  const id = await bob.say("general", "soup", "leek");
  expect((await poll()).events).toMatchObject([{ type: "message", message: { id } }]);
  expect((await call("DELETE", "events", { queue_id })).status).toBe(200);
  expect(await poll("&dont_block=true")).toMatchObject({
    status: 400,
    code: "BAD_EVENT_QUEUE_ID",
    queue_id,
  });
});
