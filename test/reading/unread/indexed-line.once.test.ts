import { expect, test } from "bun:test";
import { type ChunkPart, IndexedLine } from "../../../src/reading/unread/indexed-line";
import { makePlace, type Place } from "../../../src/reading/unread/unread-index";
import { seededRandom } from "../../crash/seeded-random";

interface Message {
  id: number;
  place: Place;
  reader: number;
}

const unpack = (pieces: readonly ChunkPart[]) =>
  pieces.flatMap(({ chunk, start, end }) =>
    Array.from({ length: end - start }, (_, index) => ({
      id: chunk.idAt(start + index),
      place: chunk.placeAt(start + index),
      reader: chunk.readerAt(start + index),
    })),
  );

/** The next id may be near, and further away than 32 bits can tell. */
const distances = [1, 1, 1, 5, 700, 70_000, 5_000_000_000];
const idMax = 1e15;

/** Messages with ids above `after`; each of many may have a place and a reader of its own. */
function makeMessages(random: () => number, count: number, after: number): Message[] {
  const upTo = (max: number) => Math.floor(random() * max);
  const places = Array.from({ length: 1 + upTo(random() < 0.2 ? 3_000 : 3) }, (_, index) =>
    makePlace({ channelId: 1, conversationId: null, topic: `topic ${index}` }),
  );
  let id = after;
  return Array.from({ length: count }, () => {
    id += distances[upTo(distances.length)] ?? 1;
    const place =
      places[upTo(places.length)] ?? makePlace({ channelId: 1, conversationId: null, topic: "" });
    return { id, place, reader: random() < 0.5 ? 0 : upTo(2_000) };
  });
}

test("A line tells all of its messages, however they came in", () => {
  for (let seed = 1; seed <= 20; seed++) {
    const random = seededRandom(seed);
    const size = () => Math.floor(random() ** 3 * 3_000);
    const all = makeMessages(random, 6_000, 0);
    // The newest are there at first; then come older and newer ones, as people ask for them.
    let [from, to] = [3_000, 3_000];
    const idOf = (index: number) => all[index - 1]?.id ?? 0;
    const line = new IndexedLine(idOf(from));
    const earlier: { pieces: ChunkPart[]; messages: Message[] }[] = [];
    while (from > 0 || to < all.length) {
      const newer = all.slice(to, to + size());
      for (const { id, place, reader } of newer) line.push(id, place, reader);
      to += newer.length;
      const older = all.slice(Math.max(0, from - size()), from);
      from -= older.length;
      const before = line.makeOlder(idOf(from), older.length);
      for (const { id, place, reader } of older) before.push(id, place, reader);
      line.takeOlder(before);

      const indexed = all.slice(from, to);
      expect(line.from).toBe(idOf(from));
      expect(unpack(line.messagesBetween(0, idMax))).toEqual(indexed);
      const [after, upTo] = [
        idOf(Math.floor(random() * 6_000)),
        idOf(Math.floor(random() * 6_000)),
      ];
      const asked = indexed.filter(({ id }) => id > after && id <= upTo);
      expect(line.countBetween(after, upTo)).toBe(asked.length);
      const pieces = line.messagesBetween(after, upTo);
      expect(unpack(pieces)).toEqual(asked);
      earlier.push({ pieces, messages: asked });
    }
    // A reader that asked before others added theirs goes on with what there was.
    for (const { pieces, messages } of earlier) expect(unpack(pieces)).toEqual(messages);
  }
});

test("A line with changes tells of them, and the one before stays as it was; both grow for themselves", () => {
  for (let seed = 1; seed <= 20; seed++) {
    const random = seededRandom(seed);
    const all = makeMessages(random, 3_000, 0);
    const [half, moved] = [all.slice(0, 1_500), makeMessages(random, 1, 0)];
    const add = (line: IndexedLine, messages: readonly Message[]) => {
      for (const { id, place, reader } of messages) line.push(id, place, reader);
    };
    let [line, messages] = [new IndexedLine(0), half];
    add(line, half);
    for (let round = 0; round < 5; round++) {
      const changed = messages.filter(() => random() < 0.01);
      const elsewhere = moved[0] && { place: moved[0].place, reader: round };
      const changes = new Map(
        changed.map(({ id }) => [id, random() < 0.5 ? elsewhere : undefined]),
      );
      const next = line.renewed(changes);
      const expected = messages.flatMap((one) =>
        changes.has(one.id) ? (changes.get(one.id) ? [{ ...one, ...elsewhere }] : []) : [one],
      ) as Message[];
      const newer = all.slice(1_500 + round * 200, 1_700 + round * 200);
      add(line, newer.slice(0, 50));
      add(next, newer);
      expect(unpack(line.messagesBetween(0, idMax))).toEqual([...messages, ...newer.slice(0, 50)]);
      [line, messages] = [next, [...expected, ...newer]];
      expect(unpack(line.messagesBetween(0, idMax))).toEqual(messages);
      const [after, upTo] = [all[400]?.id ?? 0, all[1_400]?.id ?? 0];
      expect(line.countBetween(after, upTo)).toBe(
        messages.filter(({ id }) => id > after && id <= upTo).length,
      );
    }
  }
});
