import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import postgres from "postgres";
import { databaseFile } from "../../db/open";
import { makeIndexing } from "../../src/messages/search/indexing";
import type { Answer } from "../support/client";
import { until } from "../support/polls";
import { makeWorld, type World } from "../support/world";

/*
 * Among many messages the right ones are found, and PostgreSQL does not read through all of them
 * for it, whichever plan it settles for: here it plans without looking at values, as it may do by
 * itself once it has run a prepared statement five times.
 */

const stored = 30_000;
/** The id before the first of them: below are those of other organizations. */
const idBefore = 100_000;
/** Few, so that it believes to find one of a topic at once, wherever it looks. */
const topicCount = 4;
/**
 * Highest number of rows read of the tables that grow: three times as many rows as are looked
 * through at once, and some.
 */
const rowsMax = 16_000;

let world: World;
/** One message in all of them has this word. */
let needle = 0;
let sql: postgres.Sql | undefined;

beforeAll(async () => {
  world = await makeWorld();
  const { alice, bob, place } = world;
  await bob.tell([alice], "hello");
  if (place.databaseUrl !== undefined)
    sql = postgres(place.databaseUrl, { max: 1, onnotice: () => undefined });
  await fill(world);
  const index = makeIndexing(world.app, () => false);
  do await index();
  while ((await bob.get("/messages", narrowTo(["search", "green"]))).body.search_incomplete);
  if (sql) {
    await sql.unsafe("VACUUM ANALYZE");
    const [row] = await sql`SELECT current_database() AS name`;
    await sql.unsafe(`ALTER DATABASE ${row?.["name"]} SET plan_cache_mode = force_generic_plan`);
  }
  // PostgreSQL's statistics still say that all messages are in one channel.
  needle = await alice.say("secret", "hay", "a needle");
  await bob.post(`/messages/${needle}/reactions`, { emoji_name: "tada" });
}, 60_000);

afterAll(async () => {
  await sql?.end();
  await world?.close();
});

/**
 * Messages of two people in a channel, in turns, in a few topics, with their log. Everybody has
 * read them, and nothing else.
 */
async function fill({ realm, channels, bob, carol, place }: World) {
  const { general } = channels;
  const audience = `{"to":"subscribers","channelId":${general},"isPrivate":false}`;
  const statements = [
    `INSERT INTO messages (id, realm_id, sender_id, channel_id, sent_channel_id, placed_at, topic, topic_key, content,
       rendered_content, client, sent_at, read_by_sender)
     WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${stored})
     SELECT ${idBefore} + i, ${realm.id}, CASE i % 2 WHEN 0 THEN ${bob.id} ELSE ${carol.id} END, ${general}, ${general}, 0,
       'topic ' || (i % ${topicCount}), 'topic ' || (i % ${topicCount}), 'number ' || i, '<p>number ' || i || ' green</p>',
       'test', 1700000000 + i, false FROM n`,
    `INSERT INTO event_log (realm_id, type, audience, body, created_at)
     SELECT realm_id, 'message', '${audience}', '{"type":"message","message_id":' || id || '}', sent_at
     FROM messages WHERE realm_id = ${realm.id} ORDER BY id`,
    `DELETE FROM read_watermarks WHERE realm_id = ${realm.id}`,
    `INSERT INTO read_watermarks (realm_id, user_id, scope, read_up_to)
     SELECT realm_id, user_id, channel_id, (SELECT max(id) FROM messages) FROM subscriptions
     WHERE realm_id = ${realm.id} AND channel_id = ${general}`,
  ];
  if (sql) {
    for (const statement of statements) await sql.unsafe(statement);
    await sql.unsafe(`ALTER TABLE messages ALTER COLUMN id RESTART WITH ${idBefore + stored + 1}`);
    return;
  }
  const file = new Database(databaseFile(place.dataFolder));
  for (const statement of statements) file.run(statement);
  file.close();
}

const ranges = {
  newest: { anchor: "newest", num_before: 100, num_after: 0 },
  oldest: { anchor: "oldest", num_before: 0, num_after: 100 },
};

const narrowTo = (...terms: [operator: string, operand: string | number][]) => ({
  ...ranges.newest,
  narrow: JSON.stringify(terms.map(([operator, operand]) => ({ operator, operand }))),
});

/** Each narrow with how many messages are found in it. */
const narrows: Record<string, [found: number, ...terms: [string, string][]]> = {
  everything: [100],
  "a channel": [100, ["channel", "general"]],
  "a channel of little": [1, ["channel", "secret"]],
  "a topic": [100, ["channel", "general"], ["topic", "topic 3"]],
  "a topic that there is not": [0, ["channel", "general"], ["topic", "topic 9"]],
  "a sender": [100, ["sender", "bob@example.com"]],
  "a sender of nothing": [0, ["sender", "mona@example.com"]],
  "direct messages": [1, ["is", "dm"]],
  "what is starred": [0, ["is", "starred"]],
  mentions: [0, ["is", "mentioned"]],
  "what is unread": [2, ["is", "unread"]],
  "what is resolved": [0, ["is", "resolved"]],
  "what is followed": [1, ["is", "followed"]],
  links: [0, ["has", "link"]],
  reactions: [1, ["has", "reaction"]],
  "a word in all": [100, ["search", "green"]],
  "a word in one of the newest": [1, ["search", "needle"]],
  "a word in one of the oldest": [1, ["search", "77"]],
  "words in none": [0, ["search", "green nowhere"]],
};

/** Other actions, in this order. */
const deeds: Record<string, (people: World) => Promise<Answer>> = {
  "to register": ({ alice }) => alice.post("/register", {}),
  "a message to a new topic": ({ alice }) =>
    alice.post("/messages", { type: "channel", to: "general", topic: "new", content: "hello" }),
  "a direct message": ({ alice, bob }) =>
    alice.post("/messages", { type: "direct", to: [bob.id], content: "hello" }),
  "a channel's topics": ({ alice, channels }) => alice.get(`/users/me/${channels.general}/topics`),
  "an edit": ({ alice }) => alice.patch(`/messages/${needle}`, { content: "a needle, changed" }),
  "a message marked as read": ({ bob }) =>
    bob.post("/messages/flags", { messages: [needle], op: "add", flag: "read" }),
  "all marked as read": ({ alice }) => alice.post("/mark_all_as_read", {}),
};

interface RowsRead {
  /** Rows that were read one after the other through a whole table, and entries of indexes. */
  scanned: number;
  led: number;
}

/** Rows read of the tables that grow by connections that have ended: these have told of all. */
async function countRead(): Promise<RowsRead> {
  const isOfThese = "relname IN ('messages', 'event_log', 'message_words', 'message_flags')";
  const [row] = (await sql?.unsafe(`
    SELECT (SELECT sum(seq_tup_read)::int FROM pg_stat_user_tables WHERE ${isOfThese}) AS scanned,
      (SELECT sum(idx_tup_read)::int FROM pg_stat_user_indexes WHERE ${isOfThese}) AS led`)) ?? [
    { scanned: 0, led: 0 },
  ];
  return { scanned: row?.["scanned"], led: row?.["led"] };
}

const otherConnections = async (): Promise<number[]> =>
  (
    (await sql?.unsafe(
      "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
    )) ?? []
  ).map(({ pid }) => pid);

/** Starts the server anew, and waits until its connections of before are gone. */
async function reconnect() {
  const before = await otherConnections();
  await world.restart();
  await until(async () => !(await otherConnections()).some((pid) => before.includes(pid)));
}

async function rowsReadFor(run: () => Promise<void>): Promise<RowsRead> {
  if (!sql) {
    await run();
    return { scanned: 0, led: 0 };
  }
  const before = counted ?? (await reconnectAndCount());
  counted = undefined;
  await run();
  const after = await reconnectAndCount();
  counted = after;
  return { scanned: after.scanned - before.scanned, led: after.led - before.led };
}

/** Rows read until the server started last, if nobody has asked it for anything since. */
let counted: RowsRead | undefined;

async function reconnectAndCount(): Promise<RowsRead> {
  await reconnect();
  return countRead();
}

/** Asks, and refuses that more is read for it than the answer is worth. */
async function askCheaply(ask: () => Promise<Answer>): Promise<Answer["body"]> {
  let answer: Answer | undefined;
  const { scanned, led } = await rowsReadFor(async () => {
    answer = await ask();
  });
  expect({ status: answer?.status, scanned }).toEqual({ status: 200, scanned: 0 });
  expect(led).toBeLessThan(rowsMax);
  return answer?.body;
}

describe.each(Object.entries(ranges))(
  `of ${stored} messages the %s are found at little cost, of`,
  (_, range) => {
    for (const [name, [found, ...terms]] of Object.entries(narrows)) {
      test(name, async () => {
        const asked = { ...narrowTo(...terms), ...range };
        const { messages } = await askCheaply(() => world.alice.get("/messages", asked));
        expect(messages).toHaveLength(found);
      });
    }
  },
);

test("whether the message at the anchor has a word is found at little cost", async () => {
  const asked = { ...narrowTo(["search", "needle"]), num_before: 0 };
  const { messages } = await askCheaply(() =>
    world.alice.get("/messages", { ...asked, anchor: idBefore + 1 }),
  );
  expect(messages).toEqual([]);
  const { messages: itself } = await askCheaply(() =>
    world.alice.get("/messages", { ...asked, anchor: needle }),
  );
  expect(itself).toHaveLength(1);
});

describe(`among ${stored} messages it costs little`, () => {
  for (const [name, ask] of Object.entries(deeds))
    test(name, async () => void (await askCheaply(() => ask(world))));
});

test("and who registers is told of what is unread among them", async () => {
  const { unread_msgs } = await askCheaply(() => world.bob.post("/register", {}));
  expect(unread_msgs.count).toBe(3);
});
