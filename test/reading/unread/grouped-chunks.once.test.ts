import { expect, test } from "bun:test";
import { GroupedChunks } from "../../../src/reading/unread/grouped-chunks";
import { IndexedLine } from "../../../src/reading/unread/indexed-line";
import { makePlace } from "../../../src/reading/unread/unread-index";

const place = (topic: string) => makePlace({ channelId: 5, conversationId: null, topic });

/** Lines of one chunk each, and their chunks. */
function makeChunks(counts: readonly number[]) {
  return counts.map((count) => {
    const line = new IndexedLine(0);
    for (let id = 1; id <= count; id++) line.push(id, place("lunch"), 0);
    const [part] = line.messagesBetween(0, count);
    if (!part) throw new Error("the line is empty");
    return { line, chunk: part.chunk };
  });
}

test("a chunk is grouped once, and anew when it has grown", () => {
  const grouped = new GroupedChunks();
  const line = new IndexedLine(0);
  line.push(3, place("Lunch"), 0);
  line.push(4, place("dinner"), 0);
  line.push(7, place("lunch"), 0);
  const [part] = line.messagesBetween(0, 10);
  if (!part) throw new Error("the line is empty");
  const pieces = grouped.piecesOf(part.chunk);
  expect(pieces).toEqual([
    { place: place("lunch"), ids: [3, 7], json: ",3,7" },
    { place: place("dinner"), ids: [4], json: ",4" },
  ]);
  expect(grouped.piecesOf(part.chunk)).toBe(pieces);
  expect([grouped.has(part.chunk), grouped.size]).toEqual([true, 3]);
  line.push(8, place("dinner"), 0);
  expect(grouped.has(part.chunk)).toBe(false);
  expect(grouped.piecesOf(part.chunk).map(({ json }) => json)).toEqual([",3,7", ",4,8"]);
  expect(grouped.size).toBe(4);
});

test("pieces are bounded in all, and the chunks that were asked for last stay", () => {
  const grouped = new GroupedChunks(100);
  const chunks = makeChunks([40, 40, 30, 200]).map(({ chunk }) => chunk);
  const kept = () => chunks.map((chunk) => grouped.has(chunk));
  for (const index of [0, 1, 0, 2]) if (chunks[index]) grouped.piecesOf(chunks[index]);
  expect([kept(), grouped.size]).toEqual([[true, false, true, false], 70]);
  if (chunks[3]) expect(grouped.piecesOf(chunks[3])[0]?.ids).toHaveLength(200);
  expect([kept(), grouped.size]).toEqual([[false, false, false, false], 0]);
  if (chunks[1]) grouped.piecesOf(chunks[1]);
  grouped.clear();
  expect([kept(), grouped.size]).toEqual([[false, false, false, false], 0]);
});
