import { describe, expect, test } from "bun:test";
import { isLong, memberPieces } from "../../src/core/json/long-json";
import { JsonText } from "../../src/core/json/raw-json";

const written = async (object: object) => `{${(await memberPieces(object)).join("")}}`;
const people = (count: number) =>
  Array.from({ length: count }, (_, id) => ({
    id,
    name: `"Ä${id}"\n😀`,
    left: undefined,
    roles: [id % 3, null],
  }));

describe("A long answer", () => {
  test.each([
    [
      "lists",
      {
        people: people(1_000),
        none: [],
        one: [1],
        gaps: Array.from({ length: 100 }, (_, n) => (n % 2 ? n : undefined)),
      },
    ],
    [
      "objects by id",
      {
        by_id: Object.fromEntries(people(500).map((one) => [one.id, one])),
        left: undefined,
        last: null,
      },
    ],
    [
      "long texts",
      { texts: Array.from({ length: 100 }, () => "x".repeat(10_000)), text: "y".repeat(500_000) },
    ],
    ["nothing", {}],
  ])("of %s is the JSON that it would be in one piece", async (_, object) => {
    expect(await written(object)).toBe(JSON.stringify(object));
  });

  test("holds what is JSON already as it is", async () => {
    const texts = Array.from({ length: 100 }, (_, n) => new JsonText(`{"n":${n}}`));
    expect(JSON.parse(await written({ texts }))).toEqual({ texts: texts.map((_, n) => ({ n })) });
  });

  test("holds a long text that others hold too as a piece of its own, and what follows it beside it", async () => {
    const shared = `{"text":"${"x".repeat(8_000)}"`;
    const texts = [1, 2, 3].map((n) => new JsonText(shared, `,"n":${n}}`));
    const pieces = await memberPieces({
      texts,
      none: [],
      short: [new JsonText("{}")],
      one: new JsonText(shared, "}"),
    });
    expect(pieces.filter((piece) => piece === shared)).toHaveLength(4);
    expect(pieces.filter((piece) => piece !== shared).join("").length).toBeLessThan(100);
    const { text } = JSON.parse(`${shared}}`);
    const expected = {
      texts: [1, 2, 3].map((n) => ({ text, n })),
      none: [],
      short: [{}],
      one: { text },
    };
    expect(JSON.parse(`{${pieces.join("")}}`)).toEqual(expected);
  });

  test("is written in pieces, and others have their turn between", async () => {
    let turns = 0;
    const count = () =>
      setImmediate(() => {
        turns += 1;
        if (!isOver) count();
      });
    let isOver = false;
    count();
    const pieces = await memberPieces({ people: people(40_000) });
    isOver = true;
    const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
    expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(70_000);
    expect(turns).toBeGreaterThan(length / 600_000);
  });

  test("is told from a short one by what is in it", () => {
    expect(isLong({ people: people(64) })).toBe(true);
    expect(isLong({ people: people(63), name: "x".repeat(100_000) })).toBe(false);
  });
});
