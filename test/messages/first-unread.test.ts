import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { desc } from "drizzle-orm";
import postgres from "postgres";
import { write } from "../../src/core/write";
import { seededRandom } from "../crash/seeded-random";
import { makeWorld, type Node, type Person, type World } from "../support/world";

/**
 * Unread messages are found without looking through them all. Here each way of finding it is
 * compared with the slow one: to read every message of a narrow, and to look at its flags.
 */

const seeds = (process.env["UNREAD_SEEDS"] ?? "1,2").split(",").map(Number);
const phases = 3;
const messagesPerPhase = 24;
const deedsPerPhase = 16;
/** Anchor that the protocol answers where nothing is unread. */
const anchorNewest = 10_000_000_000_000_000;

let world: World;
let node: Node;
beforeEach(async () => {
  world = await makeWorld();
  node = await world.startNode();
});
afterEach(() => world.close());

interface Dice {
  below(limit: number): number;
  pick<Item>(items: readonly Item[]): Item;
}

function makeDice(seed: number): Dice {
  const random = seededRandom(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  return { below, pick: (items) => items[below(items.length)] as (typeof items)[number] };
}

type Stored = { id: number; flags: string[]; subject: string; stream_id?: number };
type Narrow = [operator: string, operand: unknown][];

const topics = ["apples", "pears", "plums"];
let channels: Record<string, number> = {};
let conversations: { people: Person[]; id: number }[] = [];

async function newest() {
  const { db, t } = world.app.engine.reader;
  const [row] = await db.select().from(t.messages).orderBy(desc(t.messages.id)).limit(1);
  if (!row) throw new Error("There is no message.");
  return row;
}

/** Channels that bob comes to and leaves, one that he never sees, and conversations with him. */
async function settle() {
  const { alice, bob, carol, olga, realm: _ } = world;
  const quietly = { announce: false, send_new_subscription_messages: false };
  for (const name of ["lounge", "attic"]) {
    const principals =
      name === "lounge" ? [alice.id, bob.id, carol.id, olga.id] : [alice.id, olga.id];
    const made = { subscriptions: [{ name }], principals, ...quietly };
    expect((await olga.post("/users/me/subscriptions", made)).status).toBe(200);
  }
  channels = { general: world.channels.general, secret: world.channels.secret };
  for (const name of ["lounge", "attic"])
    channels[name] = (await olga.get("/get_stream_id", { stream: name })).body.stream_id;
  conversations = [];
  for (const people of [[alice, bob], [alice, bob, carol], [bob]]) {
    await bob.tell(people, "a beginning");
    conversations.push({ people, id: (await newest()).conversationId ?? 0 });
  }
}

/**
 * Stores messages that lie far from each other by id, so that many blocks of read state are about
 * few of them.
 */
async function store(dice: Dice) {
  const { alice, bob, carol, operator, realm, place: storage } = world;
  let { id } = await newest();
  const rows: (typeof world.app.engine.schema.messages.$inferInsert)[] = [];
  for (let i = 0; i < messagesPerPhase; i++) {
    id += dice.below(4) === 0 ? dice.below(9_000) + 1 : 1;
    const isDirect = dice.below(4) === 0;
    const conversation = dice.pick(conversations);
    const channelId = isDirect
      ? null
      : (channels[dice.pick(["general", "general", "lounge", "secret", "attic"])] ?? 0);
    const topic = isDirect ? "" : dice.pick(topics);
    const sender = isDirect
      ? dice.pick(conversation.people)
      : dice.pick([alice, alice, bob, carol]);
    rows.push({
      id,
      realmId: realm.id,
      senderId: sender.id,
      channelId,
      sentChannelId: channelId,
      topic,
      topicKey: topic,
      conversationId: isDirect ? conversation.id : null,
      content: "x",
      renderedContent: "<p>x</p>",
      client: "test",
      sentAt: 0,
      readBySender: dice.below(3) > 0,
    });
  }
  await write(operator, (tx) => tx.db.insert(tx.t.messages).values(rows));
  if (storage.databaseUrl === undefined) return;
  const client = postgres(storage.databaseUrl, { max: 1 });
  await client.unsafe(`ALTER TABLE messages ALTER COLUMN id RESTART WITH ${id + 1}`);
  await client.end();
}

async function allOf(person: Person, narrow: Narrow): Promise<Stored[]> {
  const { status, body } = await person.get("/messages", {
    anchor: "oldest",
    num_before: 0,
    num_after: 5000,
    narrow,
  });
  expect(status).toBe(200);
  return body.messages;
}

/** Marks a run of messages, single ones, or all but the oldest. */
async function mark(dice: Dice) {
  const all = await allOf(
    world.bob,
    dice.pick([[], [["channel", "general"]], [["is", "dm"]]] as Narrow[]),
  );
  const ids = all.map(({ id }) => id);
  const start = dice.below(ids.length);
  const chosen = dice.pick([
    ids.slice(start, start + 12),
    ids.slice(1),
    ids.filter(() => dice.below(4) === 0),
    ids.filter((_, i) => i % 2 === 0),
    ids.slice(0, start),
  ]);
  const op = dice.below(10) < 7 ? "add" : "remove";
  expect(
    (await world.bob.post("/messages/flags", { messages: chosen, op, flag: "read" })).status,
  ).toBe(200);
}

/**
 * Olga moves a message, with those after it or alone, to another topic or another channel, or
 * deletes one.
 */
async function disturb(dice: Dice) {
  const { olga } = world;
  const all = await allOf(olga, [["channel", dice.pick(["general", "lounge", "attic"])]]);
  const message = all[dice.below(all.length)];
  if (!message) return;
  const propagate_mode = dice.pick(["change_one", "change_later"]);
  const quietly = {
    propagate_mode,
    send_notification_to_old_thread: false,
    send_notification_to_new_thread: false,
  };
  const stream_id = channels[dice.pick(["general", "lounge", "attic"])];
  const answer = await dice.pick([
    () => olga.patch(`/messages/${message.id}`, { topic: dice.pick(topics), ...quietly }),
    () => olga.patch(`/messages/${message.id}`, { stream_id, ...quietly }),
    () => olga.patch(`/messages/${message.id}`, { stream_id, ...quietly }),
    () => olga.delete(`/messages/${message.id}`),
  ])();
  expect([200, 400]).toContain(answer.status);
}

/** Bob leaves a channel or comes back, mutes it or a topic, or reads all of a place. */
async function live(dice: Dice) {
  const { bob, alice } = world;
  const name = dice.pick(["general", "lounge"]);
  const stream_id = channels[name];
  const quietly = { send_new_subscription_messages: false };
  const answer = await dice.pick([
    () => bob.delete("/users/me/subscriptions", { subscriptions: [name] }),
    () => bob.post("/users/me/subscriptions", { subscriptions: [{ name }], ...quietly }),
    () =>
      alice.delete("/users/me/subscriptions", { subscriptions: ["secret"], principals: [bob.id] }),
    () =>
      alice.post("/users/me/subscriptions", {
        subscriptions: [{ name: "secret" }],
        principals: [bob.id],
        ...quietly,
      }),
    () =>
      bob.post("/user_topics", {
        stream_id,
        topic: dice.pick(topics),
        visibility_policy: dice.below(4),
      }),
    () =>
      bob.post("/users/me/subscriptions/properties", {
        subscription_data: [{ stream_id, property: "is_muted", value: dice.below(2) === 0 }],
      }),
    () => bob.post("/mark_topic_as_read", { stream_id, topic_name: dice.pick(topics) }),
    () =>
      dice.below(4) === 0
        ? bob.post("/mark_all_as_read")
        : bob.post("/mark_stream_as_read", { stream_id }),
  ])();
  expect([200, 400]).toContain(answer.status);
}

const narrows = (): Narrow[] => [
  [],
  ...Object.keys(channels).map((name): Narrow => [["channel", name]]),
  ...topics.map(
    (topic): Narrow => [
      ["channel", "general"],
      ["topic", topic],
    ],
  ),
  [["topic", "pears"]],
  [["is", "dm"]],
  ...conversations.map(({ people }): Narrow => [["dm", people.map(({ id }) => id)]]),
  [["sender", world.alice.id]],
  [["in", "home"]],
  [["is", "muted"]],
  [["-channel", "general"]],
];

const isUnread = ({ flags }: Stored) => !flags.includes("read");

/** Whether `first_unread` passes over a message of a narrow, because the person has muted it. */
async function mutedFor(person: Person, narrow: Narrow): Promise<(message: Stored) => boolean> {
  const asked = { fetch_event_types: ["subscription", "user_topic"] };
  const { subscriptions, user_topics } = (await person.post("/register", asked)).body;
  const operators = narrow.map(([operator]) => operator);
  const isPlaced = operators.includes("channel");
  if ((isPlaced && operators.includes("topic")) || operators.includes("is")) return () => false;
  return ({ stream_id, subject }) => {
    const policy = user_topics.find(
      (one: { stream_id: number; topic_name: string }) =>
        one.stream_id === stream_id && one.topic_name.toLowerCase() === subject.toLowerCase(),
    )?.visibility_policy;
    const channel = subscriptions.find((one: { stream_id: number }) => one.stream_id === stream_id);
    return policy === 1 || (!isPlaced && !policy && channel?.is_muted === true);
  };
}

/** The messages found of a narrow around an anchor must be the nearest ones that there are. */
async function expectRange(
  person: Person,
  narrow: Narrow,
  among: readonly number[],
  anchor: number,
  told: string,
) {
  const asked = { anchor, num_before: 4, num_after: 5, narrow };
  const { body } = await person.get("/messages", asked);
  const [before, after] = [among.filter((id) => id < anchor), among.filter((id) => id > anchor)];
  const expected = [
    ...before.slice(-4),
    ...among.filter((id) => id === anchor),
    ...after.slice(0, 5),
  ];
  const ids = body.messages.map(({ id }: Stored) => id);
  const ends = { oldest: before.length < 4, newest: after.length < 5 };
  const found = { oldest: body.found_oldest, newest: body.found_newest };
  expect({ told, ids, ...found }).toEqual({ told, ids: expected, ...ends });
}

async function compare(person: Person, dice: Dice) {
  for (const narrow of narrows()) {
    const refused = await person.get("/messages", {
      anchor: "oldest",
      num_before: 0,
      num_after: 1,
      narrow,
    });
    if (refused.status === 400) continue;
    const all = await allOf(person, narrow);
    const told = JSON.stringify(narrow);
    const unread = all.filter(isUnread).map(({ id }) => id);
    const read = all.filter((one) => !isUnread(one)).map(({ id }) => id);
    const isMuted = await mutedFor(person, narrow);
    const firstHeard = all.find((one) => isUnread(one) && !isMuted(one))?.id;
    const first = await person.get("/messages", {
      anchor: "first_unread",
      num_before: 0,
      num_after: 0,
      narrow,
    });
    expect({ told, anchor: first.body.anchor }).toEqual({
      told,
      anchor: firstHeard ?? anchorNewest,
    });
    const anchor = all.length > 0 ? dice.pick(all).id : 1;
    await expectRange(person, [...narrow, ["is", "unread"]], unread, anchor, `unread of ${told}`);
    await expectRange(person, [...narrow, ["-is", "unread"]], read, anchor, `read of ${told}`);
  }
}

/**
 * All that is unread of what bob may read in the channels that he is in, and of his conversations.
 */
async function unreadAnywhere(person: Person): Promise<number[]> {
  const places: Narrow[] = [
    ...Object.keys(channels).map((name): Narrow => [["channel", name]]),
    [["is", "dm"]],
  ];
  const ids: number[] = [];
  for (const narrow of places) {
    const readable =
      (await person.get("/messages", { anchor: "oldest", num_before: 0, num_after: 1, narrow }))
        .status === 200;
    if (readable) ids.push(...(await allOf(person, narrow)).filter(isUnread).map(({ id }) => id));
  }
  return ids.sort((a, b) => a - b);
}

async function toldByRegister(person: Person): Promise<number[]> {
  const { body } = await person.post("/register", {
    fetch_event_types: ["message", "update_message_flags"],
  });
  const { streams, pms, huddles, count } = body.unread_msgs;
  const ids: number[] = [...streams, ...pms, ...huddles].flatMap(
    ({ unread_message_ids }) => unread_message_ids,
  );
  expect(count).toBe(ids.length);
  return ids.sort((a, b) => a - b);
}

describe("What bob has not read is found as if all his messages were looked at", () => {
  test.each(seeds)(
    "through moves, deletions, coming, going, and marks (seed %d)",
    async (seed) => {
      const dice = makeDice(seed);
      await settle();
      for (let phase = 0; phase < phases; phase++) {
        await store(dice);
        for (let i = 0; i < deedsPerPhase; i++)
          await dice.pick([mark, mark, mark, disturb, disturb, live])(dice);
        const bob = phase % 2 === 0 ? world.bob : world.bob.at(node);
        await compare(bob, dice);
        for (const one of [world.bob, world.bob.at(node)]) {
          expect(await toldByRegister(one)).toEqual(await unreadAnywhere(one));
        }
      }
    },
    120_000,
  );
});
