import { expect, test } from "bun:test";
import { JsonPieces } from "../../src/core/json/raw-json";
import { chunkLength } from "../../src/core/text/text-chunks";
import { answerText, bodyOf } from "../../src/http/answer-text";
import { turnsDuring } from "../support/turns";

/** Texts of 32,768 two-byte letters, 8 MB of UTF-8 together. */
const piece = "ä".repeat(32_768);
const pieceCount = 128;
const pieces = ['"text":"', ...Array.from({ length: pieceCount }, () => piece), '"'];
const whole = `{"result":"success","msg":"",${pieces.join("")}}`;
const answer = () => answerText(new JsonPieces(pieces), []);

test("The bytes of a long answer are counted with turns for other work, and exactly", async () => {
  let sizeBytes = 0;
  const turns = await turnsDuring(async () => {
    ({ sizeBytes } = await answer());
  });
  expect(sizeBytes).toBe(Buffer.byteLength(whole));
  expect(turns).toBeGreaterThanOrEqual(7);
});

test("A long answer to a client that takes all at once is sent with a turn after each chunk", async () => {
  const text = await answer();
  let received = "";
  let left = 0;
  const turns = await turnsDuring(async () => {
    received = await new Response(bodyOf(text, () => left++)).text();
  });
  expect(received === whole).toBe(true);
  expect(left).toBe(1);
  expect(turns).toBeGreaterThanOrEqual(Math.floor(whole.length / chunkLength));
});

test("The pieces of an answer of some hundred KB are not joined, and are sent at once", async () => {
  const some = ['"text":"', ...Array.from({ length: 6 }, () => piece), '😀"'];
  const text = await answerText(new JsonPieces(some), []);
  const shared = text.pieces.filter((one) => one === piece);
  expect(shared).toHaveLength(6);
  const expected = `{"result":"success","msg":"",${some.join("")}}`;
  expect(text.sizeBytes).toBe(Buffer.byteLength(expected));
  let left = 0;
  const turns = await turnsDuring(async () => {
    const received = await new Response(bodyOf(text, () => left++)).text();
    expect(received === expected).toBe(true);
  });
  expect(left).toBe(1);
  expect(turns).toBeLessThan(6);
});
