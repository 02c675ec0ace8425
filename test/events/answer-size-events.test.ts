import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { LogEntry } from "../../src/core/context";
import { idsPerLogEntry } from "../../src/core/event-hub";
import { write } from "../../src/core/write";
import { collectLogged, type Source } from "../../src/events/collect";
import { appendEntry, makeRealmLog } from "../../src/events/realm-log";
import type { Queue, WireEvent } from "../support/client";
import { countBytesRead } from "../support/databases/bytes-read";
import { makeWorld, type World } from "../support/world";

/** Answers end here. */
const sizeBytesMax = 65_536;
/**
 * Highest number of bytes that the database answers for one poll: a page of the log, and the
 * messages that the answer shows.
 */
const readBytesMax = 2 * 1024 * 1024 + 4 * sizeBytesMax;

const bytesRead = countBytesRead();
let world: World;
beforeEach(async () => {
  world = await makeWorld({ answer_size_bytes_max: String(sizeBytesMax) });
});
afterEach(() => world?.close());

/** Polls without waiting until nothing comes, and answers what came, poll by poll. */
async function pollAll(queue: Queue): Promise<WireEvent[][]> {
  const answers: WireEvent[][] = [];
  for (;;) {
    const { status, body } = await queue.poll({ dont_block: true });
    expect(status).toBe(200);
    if (body.events.length === 0) return answers;
    answers.push(body.events);
    queue.lastEventId = body.events.at(-1).id;
  }
}

/**
 * Messages, edits with what there was before, and small events between. Answers in short what a
 * queue is to bring.
 */
async function happen(): Promise<string[]> {
  const { alice, bob } = world;
  const expected: string[] = [];
  for (let n = 0; n < 24; n++) {
    const id = await alice.say("general", "t", `no ${n} ${"soup ".repeat((n * 397) % 1_900)}`);
    expected.push(`message ${id}`);
    if (n % 4 === 1) {
      await alice.patch(`/messages/${id}`, {
        content: `changed ${n} ${"leek ".repeat((n * 211) % 1_900)}`,
      });
      expected.push(`update_message ${id}`);
    }
    if (n % 5 === 2) {
      await bob.post(`/messages/${id}/reactions`, { emoji_name: "tada" });
      expected.push(`reaction ${id}`);
    }
  }
  return expected;
}

const inShort = ({ type, message, message_id }: WireEvent) =>
  `${type} ${message?.id ?? message_id}`;
const wanted = { event_types: ["message", "update_message", "reaction"] };

test("Events that came while the log was looked at are left for the next answer, which begins with them", async () => {
  const log = makeRealmLog(1, undefined);
  const entryOf = (id: number): LogEntry => ({
    id,
    realmId: 1,
    audience: { to: "realm" },
    event: { type: "numbered", id },
    sizeBytes: 100,
    digest: id,
  });
  for (const id of [1, 2, 3]) appendEntry(log, entryOf(id));
  const source = { presenters: new Map(), log, owner: {}, recipient: {}, isWanted: () => true };
  const room = { sizeBytesMax, expect: () => undefined };
  const { logged, end } = await collectLogged(source as unknown as Source, 0, 1, room, 0);
  expect(logged.map(({ id }) => id)).toEqual([idsPerLogEntry]);
  expect(end).toBe(2 * idsPerLogEntry);
});

describe("Who polls after much has happened", () => {
  for (const when of ["while it is in memory", "after the server was started anew"]) {
    test(`gets each event once and in order, in answers that are no longer than allowed, ${when}`, async () => {
      const queue = await world.carol.register(wanted);
      const expected = await happen();
      if (when !== "while it is in memory") await world.restart();
      const answers = await pollAll(queue);
      expect(answers.length).toBeGreaterThan(3);
      for (const events of answers) {
        expect(Buffer.byteLength(JSON.stringify(events))).toBeLessThan(sizeBytesMax + 1_000);
      }
      expect(answers.flat().map(inShort)).toEqual(expected);
      const ids = answers.flat().map(({ id }) => id);
      expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
    });
  }

  test("gets the rest at once from a poll that would wait, and then what happens after", async () => {
    const queue = await world.carol.register(wanted);
    const expected = await happen();
    const seen: string[] = [];
    while (seen.length < expected.length) seen.push(...(await queue.next()).map(inShort));
    expect(seen).toEqual(expected);
    const waiting = queue.next();
    const id = await world.alice.say("general", "t", "after all");
    expect((await waiting).map(inShort)).toEqual([`message ${id}`]);
  });

  test("gets an event that is longer than an answer", async () => {
    const queue = await world.carol.register({ event_types: ["message", "numbered"] });
    const long = { type: "numbered", text: "x".repeat(2 * sizeBytesMax) };
    await write(world.operator, (tx) => tx.emit({ to: "realm" }, long));
    await write(world.operator, (tx) => tx.emit({ to: "realm" }, long));
    const id = await world.alice.say("general", "t", "short");
    const answers = await pollAll(queue);
    expect(answers.map((events) => events.map(({ type }) => type))).toEqual([
      ["numbered"],
      ["numbered"],
      ["message"],
    ]);
    expect(answers[2]?.[0]?.message.id).toBe(id);
  });

  test("costs what one answer holds, however much there is", async () => {
    const queue = await world.carol.register({ event_types: ["numbered"] });
    for (let n = 0; n < 40; n++) {
      const long = { type: "numbered", n, text: "x".repeat(200_000) };
      await write(world.operator, (tx) => tx.emit({ to: "realm" }, long));
    }
    await world.restart();
    expect((await queue.poll({ dont_block: true })).body.events).toHaveLength(1);
    const more = await bytesRead(() => queue.poll({ dont_block: true }));
    expect(more).toBeLessThan(readBytesMax + 200_000);
    const answers = await pollAll(queue);
    expect(answers.flat().map(({ n }) => n)).toEqual(Array.from({ length: 40 }, (_, n) => n));
  });

  test("and is far behind is counted once, not at each poll", async () => {
    await world.close();
    world = await makeWorld({
      answer_size_bytes_max: String(sizeBytesMax),
      queue_events_max: "100",
    });
    const queue = await world.carol.register({ event_types: ["numbered"] });
    const emit = (type: string, count: number) =>
      write(world.operator, async (tx) => {
        for (let n = 0; n < count; n++)
          await tx.emit({ to: "realm" }, { type, n, text: "x".repeat(20_000) });
      });
    for (let part = 0; part < 3; part++) {
      await emit("many", 90);
      await emit("numbered", 30);
    }
    await world.restart();
    expect((await queue.poll({ dont_block: true })).body.events.length).toBeGreaterThan(1);
    expect(await bytesRead(() => queue.poll({ dont_block: true }))).toBeLessThan(
      readBytesMax + 200_000,
    );
    expect((await pollAll(queue)).flat()).toHaveLength(90);
    await emit("numbered", 101);
    await world.restart();
    expect((await queue.poll({ dont_block: true })).body.code).toBe("BAD_EVENT_QUEUE_ID");
  });
});
