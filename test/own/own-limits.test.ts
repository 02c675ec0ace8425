import { describe, expect, test } from "bun:test";
import type { Tx } from "../../src/core/context";
import { ownTextsBytesMax } from "../../src/core/own-texts";
import { write } from "../../src/core/write";
import { makeWorld, type Person, type World } from "../support/world";

const later = 4_000_000_000;
/** Longest text, of signs that take four bytes each: 40,000 bytes. */
const longest = "𝒳".repeat(10_000);
const longestBytes = 40_000;

/** Stores for somebody what a hundred requests would have stored. */
const store = (world: World, insert: (tx: Tx) => Promise<unknown>) =>
  write(world.operator, async (tx) => void (await insert(tx)));

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

function expectFull({ status, body }: Awaited<ReturnType<Person["post"]>>, what: string) {
  expect(body).toMatchObject({
    code: "BAD_REQUEST",
    msg: `Your ${what} can have 4 MB together: delete some.`,
  });
  expect(status).toBe(400);
}

describe("What somebody keeps for themself has 4 MB of each kind", () => {
  test("drafts: a longer one is refused, a shorter one is not", async () => {
    const world = await makeWorld();
    const { alice, realm } = world;
    const row = {
      realmId: realm.id,
      userId: alice.id,
      type: "",
      to: "[]",
      topic: "",
      content: longest,
      editedAt: 1,
    };
    const rows = Array.from({ length: ownTextsBytesMax / longestBytes }, () => row);
    await store(world, ({ db, t }) => db.insert(t.drafts).values(rows));
    const draft = { type: "", to: [], topic: "" };
    expectFull(await alice.post("/drafts", { drafts: [{ ...draft, content: "more" }] }), "drafts");
    const { body } = await alice.post("/register", { event_types: ["drafts"] });
    expect(bytesOf(body.drafts)).toBeLessThanOrEqual(ownTextsBytesMax + rows.length * 200);
    const [{ id }] = body.drafts;
    expect(
      (await alice.patch(`/drafts/${id}`, { draft: { ...draft, content: "shorter" } })).status,
    ).toBe(200);
    expect((await alice.post("/drafts", { drafts: [{ ...draft, content: "more" }] })).status).toBe(
      200,
    );
    expectFull(
      await alice.patch(`/drafts/${id}`, { draft: { ...draft, content: longest } }),
      "drafts",
    );
    await world.close();
  });

  test("snippets", async () => {
    const world = await makeWorld();
    const { alice, realm } = world;
    const row = { realmId: realm.id, userId: alice.id, title: "x", content: longest, createdAt: 1 };
    const rows = Array.from({ length: ownTextsBytesMax / longestBytes }, () => row);
    await store(world, ({ db, t }) => db.insert(t.savedSnippets).values(rows));
    expectFull(await alice.post("/saved_snippets", { title: "x", content: "more" }), "snippets");
    const [{ id }] = (await alice.get("/saved_snippets")).body.saved_snippets;
    expect((await alice.patch(`/saved_snippets/${id}`, { content: "shorter" })).status).toBe(200);
    expect((await alice.post("/saved_snippets", { title: "x", content: "more" })).status).toBe(200);
    expectFull(await alice.patch(`/saved_snippets/${id}`, { content: longest }), "snippets");
    await world.close();
  });

  test("messages that wait to be sent, with their HTML", async () => {
    const world = await makeWorld();
    const { alice, realm, channels } = world;
    const html = `<p>${"x".repeat(59_993)}</p>`;
    const row = {
      realmId: realm.id,
      userId: alice.id,
      channelId: channels.general,
      topic: "x",
      userIds: null,
      content: longest,
      renderedContent: html,
      client: "test",
      readBySender: false,
      deliverAt: later,
    };
    const rows = Array.from({ length: ownTextsBytesMax / (longestBytes + 60_000) }, () => row);
    await store(world, ({ db, t }) => db.insert(t.scheduledMessages).values(rows));
    const message = { type: "channel", to: channels.general, topic: "x", content: "more" };
    const time = { scheduled_delivery_timestamp: later };
    const what = "messages waiting to be sent";
    expectFull(await alice.post("/scheduled_messages", { ...message, ...time }), what);
    const [{ scheduled_message_id: id }] = (await alice.get("/scheduled_messages")).body
      .scheduled_messages;
    expect((await alice.patch(`/scheduled_messages/${id}`, { content: "shorter" })).status).toBe(
      200,
    );
    const { body } = await alice.post("/register", { event_types: ["scheduled_messages"] });
    expect(bytesOf(body.scheduled_messages)).toBeLessThanOrEqual(
      ownTextsBytesMax + rows.length * 500,
    );
    await world.close();
  });

  test("reminders", async () => {
    const world = await makeWorld();
    const { alice, realm } = world;
    const messageId = await alice.say("general", "x", "hello");
    const note = "𝒳".repeat(1_000);
    const texts = { note, content: note, renderedContent: "x".repeat(32_000) };
    const row = { realmId: realm.id, userId: alice.id, messageId, ...texts, deliverAt: later };
    const rows = Array.from({ length: ownTextsBytesMax / 40_000 }, () => row);
    await store(world, ({ db, t }) => db.insert(t.reminders).values(rows));
    const asked = { message_id: messageId, scheduled_delivery_timestamp: later };
    expectFull(await alice.post("/reminders", asked), "reminders");
    await world.close();
  });
});

test("What is done with a widget has 500 KB, counted in bytes", async () => {
  const world = await makeWorld();
  const { alice, bob, realm } = world;
  const messageId = await alice.say("general", "x", "/poll What?\nthis");
  const row = {
    realmId: realm.id,
    messageId,
    senderId: bob.id,
    msgType: "widget",
    content: longest,
  };
  await store(world, ({ db, t }) =>
    db.insert(t.submessages).values(Array.from({ length: 12 }, () => row)),
  );
  const option = (text: string) => JSON.stringify({ type: "new_option", option: text, idx: 1 });
  const add = (content: string) =>
    bob.post("/submessage", { message_id: messageId, msg_type: "widget", content });
  expect((await add(option("𝒳".repeat(2_500)))).status).toBe(200);
  const { status, body } = await add(option("𝒳".repeat(2_500)));
  expect([status, body.msg]).toEqual([
    400,
    "Nothing more can be added to this message: begin a new one.",
  ]);
  await world.close();
});

describe("Everybody is sent groups, bots and permissions, so there are no more than", () => {
  let made = 0;
  const makeGroup = (person: Person) =>
    person.post("/user_groups/create", {
      name: `group ${made++}`,
      description: "",
      members: [person.id],
    });
  const makeBot = (person: Person) =>
    person.post("/bots", { full_name: `Bot ${made++}`, short_name: `bot${made}` });

  test("so many groups of one person in a day, on two nodes at once too, and of an organization", async () => {
    const limits = { user_groups_per_day_per_user: "3", user_groups_per_realm_max: "5" };
    const world = await makeWorld(limits);
    const { alice, adam, clock } = world;
    const elsewhere = alice.at(await world.startNode());
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => makeGroup(index % 2 === 0 ? alice : elsewhere)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    expect((await makeGroup(alice)).body.msg).toBe(
      "You can create 3 user groups per day, including those of your bots: wait a day, or ask the operator to raise user_groups_per_day_per_user.",
    );
    clock.advance(86_401);
    expect((await makeGroup(alice)).status).toBe(200);
    const before = (await alice.get("/user_groups")).body.user_groups.filter(
      ({ is_system_group }: { is_system_group: boolean }) => !is_system_group,
    ).length;
    for (let more = 5 - before; more > 0; more--) expect((await makeGroup(adam)).status).toBe(200);
    expect((await makeGroup(adam)).body.msg).toBe(
      "An organization can have 5 user groups, deactivated ones included: ask the operator to raise user_groups_per_realm_max.",
    );
    await world.close();
  });

  test("so many bots of one person, deactivated ones included", async () => {
    const world = await makeWorld({ bots_per_user_max: "3" });
    const { alice, bob } = world;
    const first = await makeBot(alice);
    expect(first.status).toBe(200);
    expect((await alice.delete(`/bots/${first.body.user_id}`)).status).toBe(200);
    expect((await makeBot(alice)).status).toBe(200);
    expect((await makeBot(alice)).body.msg).toBe(
      "You can have 3 bots, including deactivated ones: use one of them again, or ask the operator to raise bots_per_user_max.",
    );
    expect((await makeBot(bob)).status).toBe(200);
    await world.close();
  });

  test("nor more bots than that by giving them away, unless an administrator does it", async () => {
    const world = await makeWorld({ bots_per_user_max: "3" });
    const { alice, adam, bob } = world;
    const give = (from: Person, botId: number) =>
      from.patch(`/bots/${botId}`, { bot_owner_id: bob.id });
    for (let more = 3; more > 0; more--)
      expect((await give(alice, (await makeBot(alice)).body.user_id)).status).toBe(200);
    const { body } = await makeBot(alice);
    expect((await give(alice, body.user_id)).body.msg).toBe(
      "Bob can have 3 bots, deactivated ones included: ask the operator to raise bots_per_user_max.",
    );
    expect((await give(adam, body.user_id)).status).toBe(200);
    await world.close();
  });

  test("500 people and groups named by one permission", async () => {
    const world = await makeWorld();
    const named = (count: number) => ({
      direct_members: Array.from({ length: count }, (_, index) => index + 1),
      direct_subgroups: [],
    });
    const { status, body } = await world.olga.patch(`/streams/${world.channels.general}`, {
      can_send_message_group: { new: named(501) },
    });
    expect([status, body.msg]).toEqual([
      400,
      "can_send_message_group names at most 500 people and groups: make a user group of them and name that.",
    ]);
    await world.close();
  });
});
