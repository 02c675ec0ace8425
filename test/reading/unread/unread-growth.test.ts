import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, spyOn, test } from "bun:test";
import postgres from "postgres";
import { databaseFile } from "../../../db/open";
import { findUser } from "../../../src/people/users/queries";
import { GroupedChunks } from "../../../src/reading/unread/grouped-chunks";
import { loadNewest } from "../../../src/reading/unread/load-index";
import { UnreadIndex } from "../../../src/reading/unread/unread-index";
import { unreadBounds } from "../../../src/reading/unread/unread-summary";
import { register as openQueue } from "../../../src/register/register";
import { listApiKeys } from "../../../src/sign-in/api-keys";
import { turnsDuring } from "../../support/turns";
import { countWork, type WorkCounter } from "../../support/work";
import { makeWorld, type Person, type World } from "../../support/world";

/**
 * Unread messages cost nothing: mona has 200 unread messages, carol a hundred times as many, and
 * the database does as much work for the one as for the other.
 */

const few = 200;
const many = 20_000;
const stored = 40_000;
/** The id before the first of them. */
const idBefore = 100_000;
const topicCount = 4;
/** Number of messages that are read in one turn of the event loop. */
const pageMax = 4_096;
/** Most messages of a chunk of the index. */
const chunkMax = 1_024;
/** Factor by which the work for carol may be more: the numbers in it are others. */
const ratioMax = 1.1;
/** Factor for a first page, at whose end it is looked for what has been read above it. */
const pageRatioMax = 4;

let world: World;
let work: WorkCounter;

beforeAll(async () => {
  const counting = countWork();
  world = await makeWorld();
  await fill(world);
  // The search index knows all of them, and connections have seen their first of everything.
  await world.alice.get("/messages", {
    anchor: "newest",
    num_before: 1,
    num_after: 0,
    narrow: [["search", "number"]],
  });
  work = await counting.of(world);
}, 60_000);
afterAll(async () => {
  await work?.close();
  await world?.close();
});

/** Messages of alice's in `general`, of which mona and carol have read all but the newest. */
async function fill({ realm, channels, alice, mona, carol, place }: World) {
  const { general } = channels;
  const statements = [
    `INSERT INTO messages (id, realm_id, sender_id, channel_id, sent_channel_id, placed_at, topic, topic_key, content,
       rendered_content, client, sent_at, read_by_sender)
     WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${stored})
     SELECT ${idBefore} + i, ${realm.id}, ${alice.id}, ${general}, ${general}, 0, 'topic ' || (i % ${topicCount}),
       'topic ' || (i % ${topicCount}), 'number', '<p>number</p>', 'test', 1700000000, false FROM n`,
    `DELETE FROM read_watermarks WHERE realm_id = ${realm.id}`,
    ...[mona, carol].map(
      ({ id }) => `INSERT INTO read_watermarks (realm_id, user_id, scope, read_up_to)
        VALUES (${realm.id}, ${id}, ${general}, ${idBefore + stored - unreadOf(id)})`,
    ),
  ];
  if (place.databaseUrl === undefined) {
    const file = new Database(databaseFile(place.dataFolder));
    for (const statement of statements) file.run(statement);
    file.close();
    return;
  }
  const sql = postgres(place.databaseUrl, { max: 1, onnotice: () => undefined });
  for (const statement of statements) await sql.unsafe(statement);
  await sql.unsafe(`ALTER TABLE messages ALTER COLUMN id RESTART WITH ${idBefore + stored + 1}`);
  await sql.unsafe("VACUUM ANALYZE");
  const [row] = await sql`SELECT current_database() AS name`;
  await sql.unsafe(`ALTER DATABASE ${row?.["name"]} SET plan_cache_mode = force_generic_plan`);
  await sql.end();
}

const unreadOf = (userId: number) => (userId === world.mona.id ? few : many);

const around = { num_before: 20, num_after: 20 };
const inTopic = [
  ["channel", "general"],
  ["topic", "topic 1"],
];

/** Requests of each of them; the messages read then must be right, too. */
const requests: Record<string, (person: Person) => Promise<{ status: number }>> = {
  "the first unread of everything": (one) => readFirst(one, [], 1),
  "the first unread of a channel": (one) => readFirst(one, [["channel", "general"]], 1),
  "the first unread of a topic": (one) => readFirst(one, inTopic, 1),
  "the first unread of a sender": (one) => readFirst(one, [["sender", "alice@example.com"]], 1),
  "the first unread among what is unread": (one) => readFirst(one, [["is", "unread"]], 1),
  "the first unread direct message": (one) => readFirst(one, [["is", "dm"]], undefined),
  "the first unread beside a muted channel": (one) => readFirstOfMuted(one, [], "channel"),
  "the first unread beside muted topics": (one) => readFirstOfMuted(one, [], "topic"),
  "the first unread of a channel beside muted topics": (one) =>
    readFirstOfMuted(one, [["channel", "general"]], "topic"),
  "the newest of what is unread": (one) =>
    one.get("/messages", { ...around, anchor: "newest", narrow: [["is", "unread"]] }),
  "the newest of a topic that is unread": (one) =>
    one.get("/messages", { ...around, anchor: "newest", narrow: [...inTopic, ["is", "unread"]] }),
  "the newest of what is read": (one) => readNewest(one, []),
  "the newest of a channel that is read": (one) => readNewest(one, [["channel", "general"]]),
  "the flags of a page": (one) => one.get("/messages", { ...around, anchor: "newest" }),
  "a register without messages": (one) =>
    one.post("/register", { fetch_event_types: ["realm", "subscription"] }),
  "100 messages marked as read, and as unread again": async (one) => {
    const messages = Array.from({ length: 100 }, (_, i) => idBefore + stored - 110 + i);
    const { status } = await one.post("/messages/flags", { messages, op: "add", flag: "read" });
    expect(status).toBe(200);
    return one.post("/messages/flags", { messages, op: "remove", flag: "read" });
  },
};

/** Asks for the first unread message where all are in muted topics, or in a muted channel. */
async function readFirstOfMuted(person: Person, narrow: string[][], by: "topic" | "channel") {
  const { general: stream_id } = world.channels;
  const mute = async (isMuted: boolean) => {
    const topics = Array.from({ length: topicCount }, (_, i) => `topic ${i}`);
    const visibility_policy = isMuted ? 1 : 0;
    const change = [{ stream_id, property: "is_muted", value: isMuted }];
    if (by === "channel")
      await person.post("/users/me/subscriptions/properties", { subscription_data: change });
    else
      for (const topic of topics)
        await person.post("/user_topics", { stream_id, topic, visibility_policy });
  };
  await mute(true);
  const answer = await readFirst(person, narrow, undefined);
  await mute(false);
  return answer;
}

/** Reads the newest messages of a narrow that are read: those below what has come since. */
async function readNewest(person: Person, narrow: string[][]) {
  const asked = { ...around, anchor: "newest", narrow: [...narrow, ["-is", "unread"]] };
  const answer = await person.get("/messages", asked);
  const newest = idBefore + stored - unreadOf(person.id);
  expect(answer.body.messages.at(-1).id).toBe(newest);
  return answer;
}

/**
 * Reads around the first unread message of a narrow: the first of what has come since it was read,
 * or none.
 */
async function readFirst(person: Person, narrow: string[][], isAny: 1 | undefined) {
  const answer = await person.get("/messages", { ...around, anchor: "first_unread", narrow });
  const lowest = idBefore + stored - unreadOf(person.id) + 1;
  const isThere = answer.body.anchor >= lowest && answer.body.anchor < lowest + topicCount;
  expect(isThere).toBe(isAny !== undefined);
  return answer;
}

describe(`With ${few} and with ${many} unread messages it costs the same to ask for`, () => {
  for (const [name, ask] of Object.entries(requests)) {
    test(name, async () => {
      const answers: number[] = [];
      const run = (person: () => Person) => async () =>
        void answers.push((await ask(person())).status);
      const small = await work.workFor(run(() => world.mona));
      const large = await work.workFor(run(() => world.carol));
      expect(new Set(answers)).toEqual(new Set([200]));
      expect(small).toBeGreaterThan(0);
      expect(large / small).toBeLessThan(ratioMax);
    });
  }
});

describe("What a register tells of by id", () => {
  /**
   * Loads the newest of all messages of `general` into an index of its own; answers how many it has
   * then.
   */
  async function load(count: number) {
    const { app, realm, channels } = world;
    const index = new UnreadIndex();
    index.upTo = idBefore + stored;
    const ranges = [{ line: channels.general, after: 0, upTo: index.upTo }];
    let turns = 0;
    const wanted = { count, ranges, newest: index.upTo };
    const above = await loadNewest(app.engine.reader, realm.id, index, wanted, () => void turns++);
    return { above, indexed: index.size, turns };
  }

  test("is found without what is older", async () => {
    const { above, indexed } = await load(100);
    expect(above).toBe(idBefore + stored - 100);
    expect(indexed).toBeLessThan(stored / 4);
  });

  test("is all there is where that is less", async () => {
    const { above, indexed, turns } = await load(stored + 1_000);
    expect(above).toBe(0);
    expect(indexed).toBeGreaterThanOrEqual(stored);
    // Others have their turn after each page.
    expect(turns).toBeGreaterThanOrEqual(Math.floor(stored / pageMax));
  });
});

describe("Many unread messages", () => {
  const ask = { fetch_event_types: ["message", "update_message_flags"] };
  async function register(person: Person, expected: number) {
    const { body } = await person.post("/register", ask);
    expect(body.unread_msgs.count).toBe(expected);
    return body.unread_msgs;
  }
  const piecesOf = spyOn(GroupedChunks.prototype, "piecesOf");
  afterAll(() => piecesOf.mockRestore());
  const seen = new Set<unknown>();
  /** Numbers of messages in the chunks that were grouped since the last time, not remembered. */
  const grouped = () => {
    const chunks = piecesOf.mock.results.map((result, index) => {
      const isNew = !seen.has(result.value);
      seen.add(result.value);
      return isNew ? (piecesOf.mock.calls[index]?.[0].length ?? 0) : 0;
    });
    piecesOf.mockClear();
    return chunks.filter((count) => count > 0);
  };
  const sum = (sizes: readonly number[]) => sizes.reduce((total, size) => total + size, 0);

  test("are grouped ahead by chunks, with turns for others, once for everybody", async () => {
    grouped();
    const turns = await turnsDuring(() => register(world.carol, many));
    const first = grouped();
    expect(sum(first)).toBeGreaterThan(many - 2 * chunkMax);
    expect(Math.max(...first)).toBeLessThanOrEqual(chunkMax);
    expect(turns).toBeGreaterThanOrEqual(Math.floor(many / pageMax));

    await register(world.carol, many);
    expect(grouped()).toEqual([]);
    const ids = [1, 2, 3].map((place) => idBefore + stored - many / 2 + place);
    const form = { messages: ids, op: "add", flag: "read" };
    expect((await world.carol.post("/messages/flags", form)).status).toBe(200);
    await world.alice.say("general", "topic 1", "one more");
    const told = await register(world.carol, many - ids.length + 1);
    // The newest chunk has grown; one with messages that somebody has read is not grouped anew.
    expect(sum(grouped())).toBeLessThanOrEqual(chunkMax);
    const all = told.streams.flatMap(
      (one: { unread_message_ids: number[] }) => one.unread_message_ids,
    );
    expect(all.filter((id: number) => ids.includes(id))).toEqual([]);
  });

  test("are not looked through ahead again until some of their groups are forgotten", async () => {
    const looks = spyOn(GroupedChunks.prototype, "has");
    const looksOf = async (expected: number) => {
      looks.mockClear();
      await register(world.carol, expected);
      return looks.mock.calls.length;
    };
    try {
      const { count } = (await world.carol.post("/register", ask)).body.unread_msgs;
      const form = { messages: [idBefore + stored - many / 2 - 5], op: "add", flag: "read" };
      expect((await world.carol.post("/messages/flags", form)).status).toBe(200);
      expect(await looksOf(count - 1)).toBe(0);
      const [of] = piecesOf.mock.contexts;
      if (!(of instanceof GroupedChunks)) throw new Error("nothing was grouped");
      of.clear();
      expect(await looksOf(count - 1)).toBeGreaterThanOrEqual(Math.floor(many / chunkMax));
      expect(await looksOf(count - 1)).toBe(0);
    } finally {
      looks.mockRestore();
    }
  });

  test("stay in the pieces that answers have in common, because copies cost memory", async () => {
    const { operator } = world;
    const user = await findUser(operator.reader, operator.realm.id, world.carol.id);
    const [key] = await listApiKeys(operator, world.carol.id);
    if (!user || !key) throw new Error("carol has no key");
    const ctx = { ...operator, actor: { kind: "user", user, apiKeyId: key.id } as const };
    const input = { fetchEventTypes: ask.fetch_event_types };
    const { pieces } = await openQueue(ctx, input, { expect: () => undefined });
    const { body } = await world.carol.post("/register", ask);
    expect(JSON.parse(`{${pieces.join("")}}`).unread_msgs).toEqual(body.unread_msgs);
    const chunks = Math.floor(many / chunkMax);
    expect(pieces.length).toBeGreaterThan(topicCount * (chunks - 1));
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(16_384);
  });

  test("are told up to a bound, the newest of them", async () => {
    const before = { ...unreadBounds };
    Object.assign(unreadBounds, { told: 10_000 });
    try {
      const ids: number[] = [];
      for (let round = 0; round < 4; round++) {
        const told = await register(world.carol, 10_000);
        expect(told.old_unreads_missing).toBe(true);
        const all = told.streams
          .flatMap((one: { unread_message_ids: number[] }) => one.unread_message_ids)
          .sort((a: number, b: number) => a - b);
        expect(all).toHaveLength(10_000);
        expect(all.slice(-ids.length - 1).slice(1)).toEqual(ids);
        ids.push(await world.alice.say("general", "topic 1", "one more"));
      }
    } finally {
      Object.assign(unreadBounds, before);
    }
  });
});

test("The first page of what is unread is marked as read without a look at a thousand messages above it", async () => {
  const first = idBefore + stored - many + 1;
  const mark = (from: number) => async () => {
    const messages = Array.from({ length: 100 }, (_, i) => from + i);
    const form = { messages, op: "add", flag: "read" };
    expect((await world.carol.post("/messages/flags", form)).status).toBe(200);
  };
  const later = await work.workFor(mark(first + many / 2));
  const earliest = await work.workFor(mark(first));
  expect(earliest / later).toBeLessThan(pageRatioMax);
});
