import { expect, test } from "bun:test";
import { Gathering, jsonOf } from "../../../src/reading/unread/gathering";
import { GroupedChunks } from "../../../src/reading/unread/grouped-chunks";
import { HeldLine, type HeldMessages } from "../../../src/reading/unread/held-line";
import { makePlace, type Place } from "../../../src/reading/unread/unread-index";
import { seededRandom } from "../../crash/seeded-random";

const channelId = 5;
const reader = 7;
const placeOf = (topic: string, channel = channelId) =>
  makePlace({ channelId: channel, conversationId: null, topic });
const lunch = placeOf("lunch");

/** Messages in the order in which they are found: those of two lines, such as of a moved topic. */
function gather(ids: readonly number[]): Gathering {
  const gathering = new Gathering(new Set([channelId]));
  for (const id of ids) gathering.add(id, lunch);
  return gathering;
}

const told = (gathering: Gathering, max: number): number[][] =>
  gathering.newestGroups(max).map((group) => JSON.parse(jsonOf(group)));

test("groups are in the order of their ids, whatever the order in which messages are found", () => {
  expect(told(gather([5, 6, 9, 2, 7]), 3)).toEqual([[6, 7, 9]]);
  expect(told(gather([5, 6, 9, 2, 7, 8, 10]), 4)).toEqual([[7, 8, 9, 10]]);
});

test("messages of channels that somebody has left are not among them", () => {
  const gathering = gather([1, 2]);
  gathering.add(3, placeOf("other", 6));
  gathering.addPieces([{ place: placeOf("other", 6), ids: [4], json: "4" }], new Set());
  expect(told(gathering, 10)).toEqual([[1, 2]]);
  expect(gathering.count).toBe(2);
});

interface Message {
  id: number;
  place: Place;
}

/** A line whose messages have gaps between them, in topics that come in several spellings. */
function makeLine(random: () => number, count: number): { line: HeldLine; messages: Message[] } {
  const places = ["a", "A", "b", "c"].map((topic) => placeOf(topic));
  const line = new HeldLine(0);
  const messages: Message[] = [];
  for (let id = 1; messages.length < count; id += 1 + Math.floor(random() * 3)) {
    const place = places[Math.floor(random() * places.length)] ?? lunch;
    const isOwn = random() < 0.01;
    line.push(id, place, isOwn ? reader : 0);
    if (!isOwn) messages.push({ id, place });
  }
  return { line, messages };
}

function addAll(gathering: Gathering, parts: readonly HeldMessages[], read: ReadonlySet<number>) {
  const grouped = new GroupedChunks();
  for (const part of parts) {
    const { chunk, start, end } = part;
    const own = Array.from({ length: end - start }, (_, index) => start + index)
      .filter((index) => chunk.readerAt(index) === reader)
      .map((index) => chunk.idAt(index));
    const isWhole = start === 0 && end === chunk.length;
    const all = new Set([...read, ...own]);
    if (isWhole) gathering.addPieces(grouped.piecesOf(chunk), all);
    else gathering.addUnread(part, all);
  }
}

test("chunks that are added as a whole tell of all messages that somebody has not read", () => {
  for (let seed = 1; seed <= 20; seed++) {
    const random = seededRandom(seed);
    const lines = [makeLine(random, 2_500), makeLine(random, 700)];
    const read = new Set<number>();
    const isAnyRead = random() < 0.5;
    for (let id = 2_000; id < 2_050; id++) if (isAnyRead) read.add(id);
    const after = Math.floor(random() * 1_500);
    const gathering = new Gathering(new Set([channelId]));
    for (const { line } of lines) addAll(gathering, line.messagesBetween(after, 1e6), read);

    // Topics have messages of both lines, as where they were moved.
    const unread = lines
      .flatMap(({ messages }) => messages)
      .filter(({ id }) => id > after && !read.has(id))
      .sort((a, b) => a.id - b.id);
    expect(gathering.count).toBe(unread.length);
    const byKey = Map.groupBy(unread, ({ place }) => place.key);
    const expected = [...byKey.values()].map((some) => some.map(({ id }) => id));
    expect(told(gathering, 1e6).sort(byFirst)).toEqual(expected.sort(byFirst));
    const newest = told(gathering, 100).flat();
    expect(newest.length).toBeLessThanOrEqual(100);
    expect(newest.length).toBeGreaterThanOrEqual(99);
    expect(Math.min(...newest)).toBe(unread.at(-newest.length)?.id ?? 0);
  }
});

const byFirst = (a: readonly number[], b: readonly number[]) => (a[0] ?? 0) - (b[0] ?? 0);
