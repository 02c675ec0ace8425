import { expect, spyOn, test } from "bun:test";
import { blockKey, blockOf, idsPerBlock, type ReadBlocks } from "../../../src/reading/read-blocks";
import { exceptionsByScope } from "../../../src/reading/unread/excepted-ids";
import { Gathering, idTexts } from "../../../src/reading/unread/gathering";
import { GroupedChunks } from "../../../src/reading/unread/grouped-chunks";
import { IndexedLine } from "../../../src/reading/unread/indexed-line";
import { makePlace, type Place } from "../../../src/reading/unread/unread-index";
import { seededRandom } from "../../crash/seeded-random";

const channelId = 5;
const reader = 7;
const placeOf = (topic: string, channel = channelId) =>
  makePlace({ channelId: channel, conversationId: null, topic });
const lunch = placeOf("lunch");

/** Messages in the order in which they are found: those of two lines, such as of a moved topic. */
function gather(ids: readonly number[]): Gathering {
  const gathering = new Gathering((place) => place.channelId === channelId);
  for (const id of ids) gathering.add(id, lunch);
  return gathering;
}

const told = (gathering: Gathering, max: number): number[][] =>
  gathering.newestGroups(max).map((group) => JSON.parse([...idTexts(group)].join("")));

test("groups are in the order of their ids, whatever the order in which messages are found", () => {
  expect(told(gather([5, 6, 9, 2, 7]), 3)).toEqual([[6, 7, 9]]);
  expect(told(gather([5, 6, 9, 2, 7, 8, 10]), 4)).toEqual([[7, 8, 9, 10]]);
});

test("messages of channels that somebody has left are not among them", () => {
  const gathering = gather([1, 2]);
  gathering.add(3, placeOf("other", 6));
  addAll(gathering, lineOf([{ id: 4, place: placeOf("other", 6) }]), new Map());
  expect(told(gathering, 10)).toEqual([[1, 2]]);
  expect(gathering.count).toBe(2);
});

interface Message {
  id: number;
  place: Place;
  isOwn?: boolean;
}

function lineOf(messages: readonly Message[]): IndexedLine {
  const line = new IndexedLine(0);
  for (const { id, place, isOwn } of messages) line.push(id, place, isOwn ? reader : 0);
  return line;
}

/** Adds the messages of a line above an id as `register` does: with exceptions, and by chunks. */
function addAll(
  gathering: Gathering,
  line: IndexedLine,
  blocks: ReadBlocks,
  after = 0,
  upTo = 1e6,
) {
  const grouped = new GroupedChunks();
  for (const part of line.messagesBetween(after, upTo)) {
    const exceptions = exceptionsByScope(blocks)(channelId);
    gathering.addPart(part, reader, exceptions, grouped.piecesOf(part.chunk));
  }
}

/** Messages with gaps between their ids, in topics that come in several spellings. */
function makeMessages(random: () => number, count: number, first: number): Message[] {
  const places = ["a", "A", "b", "c"].map((topic) => placeOf(topic));
  const messages: Message[] = [];
  for (let id = first; messages.length < count; id += 2 + 2 * Math.floor(random() * 2)) {
    const place = places[Math.floor(random() * places.length)] ?? lunch;
    messages.push({ id, place, isOwn: random() < 0.01 });
  }
  return messages;
}

/** Blocks in which some ids are excepted. */
function blocksOf(ids: readonly number[]): ReadBlocks {
  const blocks: ReadBlocks = new Map();
  for (const id of ids) {
    const key = blockKey(channelId, blockOf(id));
    const bits = blocks.get(key) ?? Buffer.alloc(idsPerBlock / 8);
    const at = (id % idsPerBlock) >> 3;
    bits[at] = (bits[at] ?? 0) | (1 << (id & 7));
    blocks.set(key, bits);
  }
  return blocks;
}

test("chunks that are added by their pieces tell of the messages that somebody has not read", () => {
  for (let seed = 1; seed <= 20; seed++) {
    const random = seededRandom(seed);
    const lines = [makeMessages(random, 2_500, 1), makeMessages(random, 700, 2)];
    const excepted = new Set<number>();
    if (random() < 0.7) for (let id = 1_990; id < 2_200; id++) excepted.add(id);
    const [after, upTo] = [Math.floor(random() * 1_500), 3_000 + Math.floor(random() * 2_000)];
    const gathering = new Gathering((place) => place.channelId === channelId);
    for (const messages of lines)
      addAll(gathering, lineOf(messages), blocksOf([...excepted]), after, upTo);

    // Topics have messages of both lines, as where they were moved.
    const unread = lines
      .flat()
      .filter(({ id, isOwn = false }) => id > after && id <= upTo && excepted.has(id) === isOwn)
      .sort((a, b) => a.id - b.id);
    expect(gathering.count).toBe(unread.length);
    const byKey = Map.groupBy(unread, ({ place }) => place.key);
    const expected = [...byKey.values()].map((some) => some.map(({ id }) => id));
    expect(told(gathering, 1e6).sort(byFirst)).toEqual(expected.sort(byFirst));
    for (const group of gathering.newestGroups(1e6)) {
      const newest = group.pieces.at(-1)?.ids.at(-1) ?? 0;
      const spellings = unread.filter(({ id }) => id === newest).map(({ place }) => place.topic);
      expect(spellings).toContain(group.place.topic);
    }
    const newest = told(gathering, 100).flat();
    expect(newest.length).toBeLessThanOrEqual(100);
    expect(newest.length).toBeGreaterThanOrEqual(99);
    expect(Math.min(...newest)).toBe(unread.at(-newest.length)?.id ?? 0);
  }
});

const byFirst = (a: readonly number[], b: readonly number[]) => (a[0] ?? 0) - (b[0] ?? 0);

test("exceptions of conversations whose messages are far apart are looked up for each message alone", () => {
  const exceptions = exceptionsByScope(blocksOf([1, 5_000_000]))(channelId);
  const looks = spyOn(Map.prototype, "has");
  const outcomes = [
    exceptions.mayHold(2_000_000, 9_000_000, 3),
    exceptions.mayHold(4_999_000, 5_000_001, 900),
    exceptions.mayHold(2_000_000, 2_000_100, 100),
  ];
  const count = looks.mock.calls.length;
  looks.mockRestore();
  expect(outcomes).toEqual([true, true, false]);
  expect(count).toBeLessThanOrEqual(4);
  expect([1, 2, 5_000_000].map(exceptions.test())).toEqual([true, false, true]);
});
