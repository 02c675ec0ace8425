import { afterEach, beforeEach, expect, spyOn, test } from "bun:test";
import { and, desc, eq, gt, inArray, lte, sql } from "drizzle-orm";
import { rawOf } from "../../db/take-rows";
import { LoopScheduler } from "../../src/core/turns/loop-scheduler";
import { write } from "../../src/core/write";
import { catchUp } from "../../src/messages/search/indexing";
import { move } from "../support/moves";
import { makeWorld, type World } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

/** More messages than this that wait for the index make it far behind. */
const lagMax = 20_000;

/**
 * Stores copies of messages in their order, again and again, with so large distances between their
 * ids that few are near to any anchor.
 */
async function storeCopies(ids: number[], count: number, distance = 100) {
  const first = (await newest()) + 1;
  await write(world.operator, async (tx) => {
    const { messages } = tx.t;
    const originals = tx.db.select().from(messages).where(inArray(messages.id, ids));
    const rows = await originals.orderBy(messages.id);
    const copies = Array.from({ length: count }, (_, index) => {
      const id = first + index * distance;
      return { ...rows[index % rows.length], id } as typeof messages.$inferInsert;
    });
    for (let from = 0; from < count; from += 500)
      await tx.db.insert(messages).values(copies.slice(from, from + 500));
    // PostgreSQL numbers its rows without looking at what is there.
    const last = sql`setval(pg_get_serial_sequence('messages', 'id'), ${first + count * distance})`;
    if (tx.dialect === "sqlite") return;
    await rawOf(tx).execute(sql`SELECT ${last}`);
    // An operator's PostgreSQL counts rows by itself, and plans by that.
    await rawOf(tx).execute(sql`ANALYZE ${messages}`);
  });
}

async function newest(): Promise<number> {
  const { reader } = world.app.engine;
  const { messages } = reader.t;
  const newestFirst = reader.db.select({ id: messages.id }).from(messages);
  return (await newestFirst.orderBy(desc(messages.id)).limit(1))[0]?.id ?? 0;
}

/** Indexes all messages, or as many as some writes do. */
async function index(writes = Number.POSITIVE_INFINITY) {
  let left = writes;
  await catchUp(world.app, world.app.engine.reader, world.realm.id, () => left-- === 0);
}

/** An id above all messages of these tests. */
const farAbove = 10_000_000;

/** Notes so many changes that the index counts as far behind. */
const fallBehind = () =>
  write(world.operator, (tx) => {
    const rows = sql.raw(`WITH RECURSIVE numbers (number) AS (
      SELECT ${farAbove} UNION ALL SELECT number + 1 FROM numbers WHERE number < ${farAbove + lagMax}
    ) SELECT ${world.realm.id}, number FROM numbers`);
    return tx.db.insert(tx.t.searchChanges).select(rows);
  });

/** Takes the notes back, and indexes all messages. */
async function complete() {
  await write(world.operator, (tx) => {
    const { searchChanges } = tx.t;
    return tx.db
      .delete(searchChanges)
      .where(gt(searchChanges.messageId, farAbove - 1))
      .returning();
  });
  await index();
}

async function read(narrow: unknown[], range: object) {
  const { status, body } = await world.alice.get("/messages", { narrow, ...range });
  expect(status).toBe(200);
  const { messages, found_anchor, found_oldest, found_newest, search_incomplete } = body;
  const ids = messages.map(({ id }: { id: number }) => id);
  return { ids, found_anchor, found_oldest, found_newest, search_incomplete };
}

const own = { operator: "sender", operand: "alice@example.com" };
const isRead = { operator: "is", operand: "unread", negated: true };

/** Stores what alice finds in many places, and between it very much that she may not read. */
async function writeMany() {
  const { alice, bob, carol, channels } = world;
  const [spoken, moved] = [
    await alice.say("general", "t", "1"),
    await alice.say("plans", "m", "2"),
  ];
  const [told, heard] = [await alice.tell([bob], "3"), await bob.say("general", "t", "4")];
  const hidden = await bob.tell([carol], "5");
  await storeCopies([spoken, moved, told, heard, hidden], 300);
  await storeCopies([hidden], 150);
  await storeCopies([spoken, moved, told, heard, hidden], 250);
  await alice.post("/messages/flags", { messages: [spoken, told], op: "add", flag: "read" });
  const inGeneral = { operator: "channel", operand: channels.general };
  return { moved, hidden, narrows: [[], [own], [isRead, own], [inGeneral, own], [inGeneral]] };
}

/** Everything alice finds, from both ends and around some messages. */
async function readAll(narrows: unknown[][], last: number) {
  const answers: object[] = [];
  const middle = [0.2, 0.5, 0.8].map((share) => Math.floor(last * share));
  for (const narrow of narrows)
    for (const range of [
      { anchor: "newest", num_before: 7, num_after: 0 },
      { anchor: "newest", num_before: 1_000, num_after: 0 },
      { anchor: "oldest", num_before: 0, num_after: 7 },
      { anchor: "oldest", num_before: 0, num_after: 1_000 },
      ...middle.map((anchor) => ({ anchor, num_before: 7, num_after: 7 })),
    ])
      answers.push({ narrow, range, ...(await read(narrow, range)) });
  return answers;
}

const states: [string, (hidden: number, moved: number) => Promise<unknown>][] = [
  ["lacks all messages", async () => undefined],
  ["has some messages", () => index(1)],
  [
    "lacks the newest message",
    async () => {
      await index();
      await world.alice.say("general", "t", "new");
    },
  ],
  [
    "lacks changes of many messages, and the newest one",
    async (hidden, moved) => {
      await index();
      const { channels, alice } = world;
      const to = { stream_id: channels.general, propagate_mode: "change_all" };
      expect((await move(alice, moved, to)).status).toBe(200);
      await touchCopies(hidden);
      await alice.say("general", "t", "new");
    },
  ],
];

/** Changes the messages with the text of this one, so that the index is behind with them. */
const touchCopies = (id: number) =>
  write(world.operator, async (tx) => {
    const { messages } = tx.t;
    const [row] = await tx.db.select().from(messages).where(eq(messages.id, id));
    const isCopy = and(eq(messages.content, row?.content ?? ""), lte(messages.id, farAbove));
    await tx.db.update(messages).set({ renderedContent: "<p>changed</p>" }).where(isCopy);
  });

test.each(states)(
  "while the index %s, everybody finds all messages in both directions and around an anchor",
  async (_, reach) => {
    const { moved, hidden, narrows } = await writeMany();
    await reach(hidden, moved);
    await fallBehind();
    const search = [{ operator: "search", operand: "new" }];
    const some = { anchor: "newest", num_before: 1, num_after: 0 };
    expect((await read(search, some)).search_incomplete).toBe(true);
    const last = await newest();
    const early = await readAll(narrows, last);
    await complete();
    expect(early).toEqual(await readAll(narrows, last));
  },
  60_000,
);

test("while the index is far behind, a person who finds little makes no more work where more messages are indexed", async () => {
  const { alice, bob, carol } = world;
  const first = await alice.say("general", "t", "the first");
  const hidden = await bob.tell([carol], "only for Carol");
  const turns = spyOn(LoopScheduler.prototype, "turn");
  const workWith = async (count: number) => {
    await storeCopies([hidden], count, 10);
    await index();
    const later = await alice.say("general", "t", "a later one");
    await fallBehind();
    turns.mockClear();
    const back = await read([own], { anchor: "newest", num_before: 9, num_after: 0 });
    const forward = await read([own], { anchor: "oldest", num_before: 0, num_after: 9 });
    expect([back, forward]).toEqual([
      expect.objectContaining({ ids: expect.arrayContaining([first, later]) }),
      expect.objectContaining({ ids: back.ids }),
    ]);
    const { length } = turns.mock.calls;
    await complete();
    return length;
  };
  const few = await workWith(1_000);
  expect(await workWith(4_000)).toBe(few);
  turns.mockRestore();
}, 60_000);
