import { afterEach, beforeEach, expect, test } from "bun:test";
import { verify } from "../support/client-state/verify";
import { accept, inviteByLink, reusableLink, signIn, toldDirectly } from "../support/invitations";
import { hear, listen, refusal } from "../support/listening";
import { makeWorld, type World } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

const settings = (values: Record<string, unknown>) => world.olga.patch("/realm", values);
const welcomed = expect.stringContaining("welcome to");
const join = async (name: string, welcomeMessageCustomText?: string) => {
  const email = `${name}@example.com`;
  const { url } = await inviteByLink(
    world,
    email,
    welcomeMessageCustomText === undefined ? {} : { welcomeMessageCustomText },
  );
  await accept(world, url, { full_name: name });
  return toldDirectly(await signIn(world, email));
};

test("who joins is welcomed, with the organization's own words or the invitation's, which may be none", async () => {
  expect(await join("n1")).toEqual([welcomed]);
  await settings({ welcome_message_custom_text: "Soup is at **noon**." });
  expect(await join("n2")).toEqual([welcomed, "Soup is at **noon**."]);
  expect(await join("n3", "Come at one.")).toEqual([welcomed, "Come at one."]);
  expect(await join("n4", "")).toEqual([welcomed]);
  const account = { email: "n5@example.com", full_name: "n5", password: "correct-horse-battery" };
  expect((await world.olga.post("/users", account)).status).toBe(200);
  expect(await toldDirectly(await signIn(world, "n5@example.com"))).toEqual([
    welcomed,
    "Soup is at **noon**.",
  ]);
});

test("an administrator tries the words on themself; nobody else hears of it", async () => {
  const { adam, alice } = world;
  const queues = await listen({ adam, alice }, { event_types: ["message"] });
  const text = "Soup is at noon.";
  const { body } = await adam.post("/realm/test_welcome_bot_custom_message", {
    welcome_message_custom_text: text,
  });
  const { body: read } = await adam.get(`/messages/${body.message_id}`, { apply_markdown: false });
  expect([read.message.content, read.message.sender_full_name]).toEqual([text, "Notification Bot"]);
  expect(await hear(queues, ({ message }) => message.id)).toEqual({
    adam: [body.message_id],
    alice: [],
  });
  for (const wrong of ["", "  ", "x".repeat(8_001)]) {
    const refused = await adam.post("/realm/test_welcome_bot_custom_message", {
      welcome_message_custom_text: wrong,
    });
    expect(refusal(refused)).toBe("400 BAD_REQUEST");
  }
  await verify(world, () =>
    adam.post("/realm/test_welcome_bot_custom_message", { welcome_message_custom_text: "Again" }),
  );
});

test("those who join are announced where the organization wants it; who may not read there hears nothing", async () => {
  const { alice, greta, channels } = world;
  await settings({ signup_announcements_stream_id: channels.plans });
  const queues = await listen({ alice, greta }, { event_types: ["message"] });
  const { url } = await reusableLink(world);
  await accept(world, url, { full_name: "Nina", email: "nina@example.com" });
  const heard = await hear(queues, ({ message }) => [message.display_recipient, message.subject]);
  expect(heard).toEqual({ alice: [["plans", "signups"]], greta: [] });
});

test("a channel that is archived is announced to no more: the settings that name it are reset, and everybody is told", async () => {
  const { olga, alice } = world;
  await olga.post("/users/me/subscriptions", {
    subscriptions: [{ name: "lobby" }],
    invite_only: true,
  });
  const { body } = await olga.get("/get_stream_id", { stream: "lobby" });
  const names = ["new_stream_announcements_stream_id", "signup_announcements_stream_id"];
  names.push("zulip_update_announcements_stream_id", "moderation_request_channel_id");
  await settings(Object.fromEntries(names.map((name) => [name, body.stream_id])));
  const queue = await alice.register({ event_types: ["realm"] });
  await olga.delete(`/streams/${body.stream_id}`);
  const told = (await queue.events()).map(({ property, value }) => [property, value]);
  expect(told.sort()).toEqual(names.map((name) => [name, -1]).sort());
  expect(await join("n1")).toEqual([welcomed]);
  for (const name of names) {
    expect(refusal(await settings({ [name]: body.stream_id }))).toBe("400 BAD_REQUEST");
    expect(refusal(await settings({ [name]: 99_999_999 }))).toBe("400 BAD_REQUEST");
    expect(refusal(await settings({ [name]: -2 }))).toBe("400 BAD_REQUEST");
  }
});
