import { afterEach, beforeEach, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { write } from "../../src/core/write";
import { catchUp, makeIndexing } from "../../src/messages/search/indexing";
import { addCopies } from "../support/many-messages";
import { turnsDuring } from "../support/turns";
import { makeWorld, type World } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

const removeAll = (content: string) => {
  const { messages } = world.app.engine.schema;
  return write(world.operator, (tx) =>
    tx.db.delete(messages).where(eq(messages.content, content)).returning(),
  );
};

const reached = async () => {
  const { searchProgress } = world.app.engine.schema;
  return (await world.app.engine.reader.db.select().from(searchProgress))[0]?.indexedUpTo ?? 0;
};

test("a long backlog is taken into the index piece by piece, so that nobody waits for all of it; a search waits", async () => {
  const { alice, app, channels } = world;
  const id = await alice.say("general", "t", "pineapple");
  await addCopies(world, id, 1_500, "pineapple");
  const look = makeIndexing(app, () => false);
  await look();
  await look();
  const [first, newest] = [await reached(), id + 1_500];
  expect([first > 0, first < newest]).toEqual([true, true]);
  const narrow = [
    { operator: "search", operand: "pineapple" },
    { operator: "channel", operand: channels.general },
  ];
  const { body } = await alice.get("/messages", {
    narrow,
    anchor: "oldest",
    num_before: 0,
    num_after: 5,
  });
  expect(body.messages.length).toBe(5);
  expect(await reached()).toBe(newest);
});

test("a search waits for messages that were there when it began, not for those that are sent meanwhile", async () => {
  const { alice, app, operator } = world;
  const id = await alice.say("general", "t", "papaya");
  const sent: Promise<unknown>[] = [];
  let rounds = 0;
  /** More messages come with each write of the index than it takes in. */
  const isEnding = () => {
    rounds += 1;
    sent.push(addCopies(world, id, 300, "papaya"));
    return rounds > 5;
  };
  const isUpToDate = await catchUp(app, app.engine.reader, operator.realm.id, isEnding);
  await Promise.all(sent);
  expect([isUpToDate, rounds > 5]).toEqual([true, false]);
  expect(await reached()).toBeGreaterThanOrEqual(id);
});

test("one write takes in some long messages only, so that nobody waits for hundreds of them", async () => {
  const { alice, app, operator } = world;
  const id = await alice.say("general", "t", "pear ".repeat(1_900));
  const copies = 20;
  await addCopies(world, id, copies, "pear ".repeat(1_900));
  let writesLeft = 1;
  await catchUp(app, app.engine.reader, operator.realm.id, () => writesLeft-- === 0);
  const first = await reached();
  expect([first >= id, first < id + copies]).toEqual([true, true]);
  const search = {
    narrow: [{ operator: "search", operand: "pear" }],
    anchor: "newest",
    num_before: 100,
    num_after: 0,
  };
  expect((await alice.get("/messages", search)).body.messages.length).toBe(copies + 1);
  await alice.patch(`/messages/${id}`, { content: "apple" });
  expect((await alice.get("/messages", search)).body.messages.length).toBe(copies);
});

test("a search does not wait for the index of an imported history: it answers from what there is and says so", async () => {
  const { alice, app } = world;
  const search = {
    narrow: [{ operator: "search", operand: "pineapple" }],
    num_before: 5,
    num_after: 0,
  };
  const ask = async () => (await alice.get("/messages", { ...search, anchor: "newest" })).body;
  const id = await alice.say("general", "t", "pineapple");
  expect(await ask()).toMatchObject({ messages: [{ id }], found_newest: true });
  const indexed = await reached();
  await addCopies(world, id, 20_001, "papaya");
  const later = await alice.say("general", "t", "another pineapple");

  const early = await ask();
  expect(early).toMatchObject({
    messages: [{ id }],
    found_oldest: true,
    found_newest: false,
    search_incomplete: true,
  });
  expect(await reached()).toBe(indexed);
  const range = { ...search, anchor: "newest", op: "add", flag: "starred" };
  expect((await alice.post("/messages/flags/narrow", range)).status).toBe(400);

  await makeIndexing(app, () => false)();
  expect(await reached()).toBeGreaterThan(indexed);
  await removeAll("papaya");
  const { messages, found_newest, search_incomplete } = await ask();
  expect(messages.map((message: { id: number }) => message.id)).toEqual([id, later]);
  expect([found_newest, search_incomplete]).toEqual([true, undefined]);
});

test("while the index of an imported history is made, all messages are read without it: only a search lacks some", async () => {
  const { alice, bob, carol } = world;
  const first = await alice.say("general", "t", "pineapple");
  const search = [{ operator: "search", operand: "pineapple" }];
  const ask = async (narrow: unknown[], side: object) =>
    (await alice.get("/messages", { narrow, ...side })).body;
  await ask(search, { anchor: "newest", num_before: 1, num_after: 0 });
  const hidden = await bob.tell([carol], "only for Carol");
  await addCopies(world, hidden, 20_001, "papaya");
  const later = await alice.say("general", "t", "another pineapple");
  await alice.post("/messages/flags", { messages: [first, later], op: "add", flag: "read" });

  const back = { anchor: "newest", num_before: 50, num_after: 0 };
  const forward = { anchor: "oldest", num_before: 0, num_after: 50 };
  const own = { operator: "sender", operand: "alice@example.com" };
  const read = { operator: "is", operand: "unread", negated: true };
  for (const narrow of [[], [own], [read, own]])
    for (const side of [back, forward]) {
      const { messages, found_oldest, found_newest, search_incomplete } = await ask(narrow, side);
      const ids = messages.map(({ id }: { id: number }) => id);
      expect({ narrow, ids }).toEqual({ narrow, ids: expect.arrayContaining([first, later]) });
      expect(ids).not.toContain(hidden);
      expect([found_oldest, found_newest, search_incomplete]).toEqual([true, true, undefined]);
    }
  const range = { narrow: [own], ...back, op: "add", flag: "starred" };
  expect((await alice.post("/messages/flags/narrow", range)).body.last_processed_id).toBe(later);
  expect((await ask(search, back)).search_incomplete).toBe(true);
});

test("a search waits neither for a topic of very many messages to be indexed anew, once it was renamed", async () => {
  const { alice, app, operator } = world;
  const { searchChanges } = app.engine.schema;
  const search = {
    narrow: [{ operator: "search", operand: "pineapple" }],
    num_before: 5,
    num_after: 0,
  };
  const ask = async () => (await alice.get("/messages", { ...search, anchor: "newest" })).body;
  const id = await alice.say("general", "t", "pineapple");
  expect(await ask()).toMatchObject({ messages: [{ id }], found_newest: true });
  const noted = async () => (await app.engine.reader.db.select().from(searchChanges)).length;
  await write(operator, async (tx) => {
    for (let first = id + 1; first <= id + 20_001; first += 3_000) {
      const count = Math.min(3_000, id + 20_002 - first);
      const rows = Array.from({ length: count }, (_, index) => ({
        realmId: operator.realm.id,
        messageId: first + index,
      }));
      await tx.db.insert(searchChanges).values(rows);
    }
  });
  expect(await ask()).toMatchObject({ messages: [{ id }], search_incomplete: true });
  expect(await noted()).toBe(20_001);
  await makeIndexing(app, () => false)();
  expect(await noted()).toBe(20_001 - 12 * 250);
  await write(operator, (tx) => tx.db.delete(searchChanges).returning());
  expect((await ask()).search_incomplete).toBeUndefined();
});

/** Characters of HTML whose words may be found in one turn of the event loop. */
const htmlPerTurn = 8_192;

test("the words of long messages are found before the write, with turns for other work", async () => {
  const { alice, app, operator } = world;
  const count = 4;
  for (let index = 0; index < count; index++)
    await alice.say("general", "t", `${"$$x^2$$ **b** 😀 ".repeat(600)} ${index} pineapple`);
  const rows = await app.engine.reader.db.select().from(app.engine.schema.messages);
  const htmlLength = rows.reduce((sum, { renderedContent }) => sum + renderedContent.length, 0);
  expect(htmlLength).toBeGreaterThan(count * 2 * htmlPerTurn);
  const turns = await turnsDuring(() => catchUp(app, app.engine.reader, operator.realm.id));
  expect(turns).toBeGreaterThanOrEqual(Math.floor(htmlLength / htmlPerTurn) - count);
  expect(await found("pineapple")).toBe(count);
});

test("a long message that is edited while its words are found is found by its new words alone", async () => {
  const { alice, app, operator } = world;
  const id = await alice.say("general", "t", "pineapple **b** ".repeat(600));
  const indexed = catchUp(app, app.engine.reader, operator.realm.id);
  await alice.patch(`/messages/${id}`, { content: "coconut" });
  await indexed;
  expect([await found("pineapple"), await found("coconut")]).toEqual([0, 1]);
});

async function found(operand: string): Promise<number> {
  const narrow = [{ operator: "search", operand }];
  const asked = { narrow, anchor: "newest", num_before: 50, num_after: 0 };
  return (await world.alice.get("/messages", asked)).body.messages.length;
}
