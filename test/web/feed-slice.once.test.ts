import { describe, expect, test } from "bun:test";
import {
  type Bounds,
  extended,
  firstBounds,
  placeOfId,
  rowsMax,
  sliceOf,
} from "../../src/web/feed/slice";

const messagesTo = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => ({ id: 10 * (from + index) }));
const sizeOf = ({ start, end }: { start: number; end: number }) => end - start;

describe("the part of a feed that is drawn", () => {
  test("begins with 40 rows: the last ones, or those around a message", () => {
    const messages = messagesTo(500);
    expect(sliceOf(messages, firstBounds(messages, undefined), true)).toEqual({
      start: 460,
      end: 500,
    });
    expect(sliceOf(messages, firstBounds(messages, 2_000), false)).toEqual({
      start: 180,
      end: 220,
    });
    expect(sliceOf(messages, firstBounds(messages, 0), false)).toEqual({ start: 0, end: 40 });
    const few = messagesTo(3);
    expect(sliceOf(few, firstBounds(few, undefined), true)).toEqual({ start: 0, end: 3 });
    expect(sliceOf([], firstBounds([], undefined), true)).toEqual({ start: 0, end: 0 });
  });

  test("goes on by 20 rows, and leaves out so many at the other end that it is not too long", () => {
    const messages = messagesTo(500);
    let bounds = firstBounds(messages, undefined);
    for (let round = 0; round < 4; round += 1)
      bounds = extended(messages, sliceOf(messages, bounds, false), "older");
    expect(sliceOf(messages, bounds, false)).toEqual({ start: 380, end: 500 });
    bounds = extended(messages, sliceOf(messages, bounds, false), "older");
    expect(sliceOf(messages, bounds, false)).toEqual({ start: 360, end: 480 });
    bounds = extended(messages, sliceOf(messages, bounds, false), "newer");
    expect(sliceOf(messages, bounds, false)).toEqual({ start: 380, end: 500 });
    expect(bounds.last).toBe(Number.POSITIVE_INFINITY);
  });

  test("has the rows that it had after a page has come before it, and after some are gone", () => {
    const messages = messagesTo(200, 100);
    const bounds = extended(
      messages,
      sliceOf(messages, firstBounds(messages, 2_000), false),
      "older",
    );
    const before = sliceOf(messages, bounds, false);
    const ids = messages.slice(before.start, before.end);
    const longer = [...messagesTo(100), ...messages];
    const after = sliceOf(longer, bounds, false);
    expect(longer.slice(after.start, after.end)).toEqual(ids);
    const fewer = longer.filter(({ id }) => id !== bounds.first && id !== bounds.last);
    expect(sizeOf(sliceOf(fewer, bounds, false))).toBe(ids.length - 2);
  });

  test("follows the end for who reads there, and keeps its beginning for who reads above", () => {
    const messages = messagesTo(180);
    const bounds: Bounds = { first: 0, last: Number.POSITIVE_INFINITY, count: 60 };
    expect(sliceOf(messages, bounds, true)).toEqual({ start: 120, end: 180 });
    expect(sliceOf(messages, bounds, false)).toEqual({ start: 0, end: rowsMax });
    const few = { ...bounds, count: 3 };
    expect(sliceOf(messagesTo(10), few, true)).toEqual({ start: 0, end: 10 });
    expect(sliceOf(messages, few, true)).toEqual({ start: 140, end: 180 });
  });

  test("finds the place of a message, or of the one that comes after a missing one", () => {
    const messages = messagesTo(5);
    expect([-5, 0, 15, 40, 99].map((id) => placeOfId(messages, id))).toEqual([0, 0, 2, 4, 5]);
  });
});
