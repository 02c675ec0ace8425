import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { newChannel } from "../support/api/calls/things";
import type { Answer, Queue } from "../support/client";
import { formOf, send } from "../support/files";
import { makeWorld, type World } from "../support/world";

/**
 * Limits for the requests of clients, as register tells them: so much is taken, one more is not.
 */
let world: World;
let state: Queue["state"];
beforeAll(async () => {
  world = await makeWorld({ max_file_upload_size_mib: "1" });
  state = (await world.olga.register()).state;
});
afterAll(() => world.close());

/** A text of so many code points, each of two UTF-16 units and four bytes; no two are equal. */
let made = 0;
function textOf(length: number): string {
  const number = `${++made} `;
  return number + "🥣".repeat(length - number.length);
}

type Attempt = (length: number) => Promise<Answer>;

const inChannel = (subscription: object) =>
  world.olga.post("/users/me/subscriptions", {
    subscriptions: [{ name: textOf(20), ...subscription }],
  });
const channel = (values: object) =>
  world.olga.post("/channels/create", {
    name: textOf(20),
    subscribers: [world.olga.id],
    ...values,
  });
const changed = async (values: object) =>
  world.olga.patch(`/streams/${(await newChannel(world)).id}`, { ...values });
const folder = (values: object) =>
  world.olga.post("/channel_folders/create", { name: textOf(20), description: "", ...values });
const otherFolder = async (values: object) => {
  const { body } = await folder({});
  return world.olga.patch(`/channel_folders/${body.channel_folder_id}`, { ...values });
};
const group = (values: object) =>
  world.olga.post("/user_groups/create", {
    name: textOf(20),
    description: "",
    members: [],
    ...values,
  });
const field = (values: object) =>
  world.olga.post("/realm/profile_fields", { name: textOf(20), field_type: 1, ...values });
const reminder = async (note: string) =>
  world.olga.post("/reminders", {
    message_id: await world.olga.say("general", "t", "soup"),
    note,
    scheduled_delivery_timestamp: world.clock.now() + 3600,
  });
const report = async (description: string) => {
  const moderation_request_channel_id = world.channels.plans;
  expect((await world.olga.patch("/realm", { moderation_request_channel_id })).status).toBe(200);
  const message = await world.olga.say("general", "t", "soup");
  return world.alice.post(`/messages/${message}/report`, { report_type: "spam", description });
};
const snippet = (values: object) =>
  world.olga.post("/saved_snippets", { title: "t", content: "c", ...values });
const filled = async (field_type: number, value: string) => {
  const { body } = await field({ field_type });
  return world.olga.patch("/users/me/profile_data", { data: [{ id: body.id, value }] });
};
const person = (values: object) =>
  world.olga.post("/users", {
    email: `p${++made}@example.com`,
    full_name: "P",
    password: textOf(20),
    ...values,
  });

/** By what register calls it; how many code points where it calls it nothing. */
const refusedBeyond: [string, string | number, Attempt][] = [
  [
    "a channel's name (subscriptions)",
    "max_stream_name_length",
    (n) => inChannel({ name: textOf(n) }),
  ],
  ["a channel's name (create)", "max_stream_name_length", (n) => channel({ name: textOf(n) })],
  ["a channel's name (change)", "max_stream_name_length", (n) => changed({ new_name: textOf(n) })],
  [
    "a channel's description (subscriptions)",
    "max_stream_description_length",
    (n) => inChannel({ description: textOf(n) }),
  ],
  [
    "a channel's description (create)",
    "max_stream_description_length",
    (n) => channel({ description: textOf(n) }),
  ],
  [
    "a channel's description (change)",
    "max_stream_description_length",
    (n) => changed({ description: textOf(n) }),
  ],
  ["a folder's name", "max_channel_folder_name_length", (n) => folder({ name: textOf(n) })],
  [
    "a folder's name (change)",
    "max_channel_folder_name_length",
    (n) => otherFolder({ name: textOf(n) }),
  ],
  [
    "a folder's description",
    "max_channel_folder_description_length",
    (n) => folder({ description: textOf(n) }),
  ],
  [
    "a folder's description (change)",
    "max_channel_folder_description_length",
    (n) => otherFolder({ description: textOf(n) }),
  ],
  ["a reminder's note", "max_reminder_note_length", (n) => reminder(textOf(n))],
  ["a password", "password_max_length", (n) => person({ password: textOf(n) })],
  ["a report's description", 1000, (n) => report(textOf(n))],
  ["a status", 60, (n) => world.alice.post("/users/me/status", { status_text: textOf(n) })],
  [
    "the status of somebody else",
    60,
    (n) => world.olga.post(`/users/${world.alice.id}/status`, { status_text: textOf(n) }),
  ],
  ["a snippet's title", 60, (n) => snippet({ title: textOf(n) })],
  ["a snippet's content", "max_message_length", (n) => snippet({ content: textOf(n) })],
  ["a user group's name", 100, (n) => group({ name: textOf(n) })],
  ["a user group's description", 1024, (n) => group({ description: textOf(n) })],
  ["a profile field's name", 40, (n) => field({ name: textOf(n) })],
  ["a profile field's hint", 80, (n) => field({ hint: textOf(n) })],
  ["what somebody tells in a short field", 50, (n) => filled(1, textOf(n))],
  ["what somebody tells in a long field", 500, (n) => filled(2, textOf(n))],
  ["somebody's name", 100, (n) => person({ full_name: textOf(n) })],
  ["the organization's name", 40, (n) => world.olga.patch("/realm", { name: textOf(n) })],
  [
    "the organization's description",
    1000,
    (n) => world.olga.patch("/realm", { description: textOf(n) }),
  ],
  [
    "an alert word",
    100,
    (n) => world.alice.post("/users/me/alert_words", { alert_words: [textOf(n)] }),
  ],
];

describe("A text of as many characters as are allowed is taken, and one of one more refused:", () => {
  test.each(refusedBeyond)("%s", async (_, limit, attempt) => {
    const length = typeof limit === "string" ? (state[limit] ?? 0) : limit;
    expect((await attempt(length)).body).toMatchObject({ result: "success" });
    const { status, body } = await attempt(length + 1);
    expect([status, body.code]).toEqual([400, "BAD_REQUEST"]);
    expect(body.msg).toMatch(new RegExp(`${length}|too long`, "i"));
  });
});

describe("What is too long is cut:", () => {
  const read = async (id: number) =>
    (await world.olga.get(`/messages/${id}`, { apply_markdown: false })).body.message;

  test("a message's content, sent and edited", async () => {
    const length = state["max_message_length"] ?? 0;
    const [fits, long] = [textOf(length), textOf(length + 1)];
    const id = await world.olga.say("general", "t", fits);
    expect((await read(id)).content).toBe(fits);
    const cut = await read(await world.olga.say("general", "t", long));
    expect([[...cut.content].length, cut.content.endsWith("\n[message truncated]")]).toEqual([
      length,
      true,
    ]);
    await world.olga.patch(`/messages/${id}`, { content: long });
    expect((await read(id)).content).toBe(cut.content);
  });

  test("a topic, sent and moved to", async () => {
    const length = state["max_topic_length"] ?? 0;
    const [fits, long] = [textOf(length), textOf(length + 1)];
    const id = await world.olga.say("general", fits, "x");
    expect((await read(id)).subject).toBe(fits);
    const cut = (await read(await world.olga.say("general", long, "x"))).subject;
    expect([[...cut].length, cut.endsWith("...")]).toEqual([length, true]);
    expect((await world.olga.patch(`/messages/${id}`, { topic: long })).status).toBe(200);
    expect((await read(id)).subject).toBe(cut);
  });
});

test("A file of as many bytes as are allowed is taken, and one of one more refused", async () => {
  const bytes = (state["max_file_upload_size_mib"] ?? 0) * 1_048_576;
  expect((await send(world.olga, formOf("fits.bin", new Uint8Array(bytes)))).status).toBe(200);
  const { status, body } = await send(world.olga, formOf("large.bin", new Uint8Array(bytes + 1)));
  expect([status, body.code]).toEqual([400, "BAD_REQUEST"]);
});

test("A file of more than 25 MB is taken where the server allows it", async () => {
  const large = await makeWorld({ max_file_upload_size_mib: "30" });
  try {
    const { status, body } = await send(
      large.alice,
      formOf("large.bin", new Uint8Array(26 * 1_048_576)),
    );
    expect([status, body.filename]).toEqual([200, "large.bin"]);
  } finally {
    await large.close();
  }
});

test("Register tells how long clients wait: for an answer of the server, and between notices of typing", () => {
  expect(state.event_queue_longpoll_timeout_seconds).toBeGreaterThan(
    world.app.config.heartbeatSeconds,
  );
  const started = state.server_typing_started_wait_period_milliseconds ?? 0;
  expect(started).toBeGreaterThan(0);
  expect(state.server_typing_stopped_wait_period_milliseconds).toBeGreaterThan(0);
  expect(state.server_typing_started_expiry_period_milliseconds).toBeGreaterThan(started);
});

test("Every limit that register names is one of these, or has a test of its own", () => {
  const elsewhere = [
    "max_avatar_file_size_mib",
    "max_icon_file_size_mib",
    "max_logo_file_size_mib",
    "max_bulk_new_subscription_messages",
    "max_message_id",
    "password_min_length",
    "server_max_deactivated_realm_deletion_days",
    "max_message_length",
    "max_topic_length",
    "max_file_upload_size_mib",
  ];
  const shown = new Set([...elsewhere, ...refusedBeyond.map(([, limit]) => limit)]);
  const named = Object.keys(state).filter((key) => /(^|_)max_|_(max|min)_length$/.test(key));
  expect(named.filter((key) => !shown.has(key))).toEqual([]);
});
