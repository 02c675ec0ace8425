import { expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { ApiError } from "../../src/core/errors";
import {
  either,
  flag,
  ids,
  integer,
  nullable,
  optional,
  parsedAs,
  record,
  text,
  texts,
  word,
} from "../../src/core/params";
import { decodeInput } from "../../src/http/decode";

const Counted = record({
  count: optional(integer({ minimum: -10, maximum: 100 })),
  isWide: optional(flag()),
});

const decoded = (name: string, text: string) =>
  decodeInput(Counted, {}, new Map([[name, text]])).input;

test("a whole number is accepted in each form that JSON has for it", () => {
  const forms = ["7", "-3", "0", "-0", "7.0", "7e1", " 7 ", "100"];
  expect(forms.map((text) => decoded("count", text)["count"])).toEqual([
    7, -3, 0, -0, 7, 70, 7, 100,
  ]);
});

test("what is no whole number, or outside its range, is refused by the parameter's name", () => {
  for (const text of [
    "",
    "007",
    "+7",
    "0x7",
    "1.5",
    "seven",
    "101",
    "-11",
    "1000000000000000",
    "7\0",
    "[7]",
    "true",
  ]) {
    expect(() => decoded("count", text)).toThrow(ApiError);
    expect(() => decoded("count", text)).toThrow(/count/);
  }
});

test("a flag is true or false", () => {
  expect([decoded("is_wide", "true"), decoded("is_wide", "false")]).toEqual([
    { isWide: true },
    { isWide: false },
  ]);
  for (const text of ["True", "1", "yes", "", "Null"])
    expect(() => decoded("is_wide", text)).toThrow(/is_wide/);
});

const refuseNull = (json: unknown) => {
  if (json === null) throw new ApiError("BAD_REQUEST", "people");
  return json;
};

const Choosing = record({
  count: optional(integer()),
  ids: optional(ids()),
  people: optional(parsedAs(refuseNull)),
  folder: optional(nullable(integer())),
  note: optional(text()),
  kind: optional(word("note", "poem")),
  to: optional(either(text(), ids())),
  size: integer(),
});
test("null is no value of an optional parameter, unless it is a text or has a use for null", () => {
  const choose = (given: Record<string, string>) =>
    decodeInput(Choosing, {}, new Map(Object.entries({ size: "7", ...given })));
  const nulls = { count: "null", ids: "null", people: "null", folder: "null" };
  expect(choose(nulls)).toEqual({ input: { folder: null, size: 7 }, ignored: [] });
  expect(choose({ note: "null", to: "null" }).input).toEqual({ note: "null", to: "null", size: 7 });
  expect(() => choose({ kind: "null" })).toThrow(/kind/);
  expect(() => choose({ size: "null" })).toThrow(/size/);
  expect(() => choose({ ids: "[null]" })).toThrow(/ids/);
});

const Texted = record({ texts: texts() });
const textsIn = (...given: string[]) =>
  decodeInput(Texted, {}, new Map([["texts", JSON.stringify(given)]])).input["texts"];

test("NUL in JSON is refused, and a text that writes of NUL is not", () => {
  for (const text of ["\0", "a \0 b", "\\\0"])
    expect(() => textsIn(text)).toThrow("texts must not contain NUL characters.");
  const written = ["\\u0000", "a \\u0000 b", "\\\\u0000", JSON.stringify("\0")];
  expect(textsIn(...written)).toEqual(written);
});

const Letter = record({
  kind: either(Type.Literal("note"), Type.Literal("")),
  to: ids(),
  text: optional(text()),
});
const Letters = record({ letters: Type.Array(Letter, { maxItems: 2 }) });

/** Refusal of letters, in JSON. */
function refusalOf(letters: unknown): string {
  try {
    decodeInput(Letters, {}, new Map([["letters", JSON.stringify(letters)]]));
    return "";
  } catch (error) {
    return String((error as Error).message);
  }
}

test("what is inside of JSON is refused by its place", () => {
  const letter = { kind: "note", to: [7], text: "soup" };
  expect(refusalOf([letter, { kind: "", to: [] }])).toBe("");
  expect([
    refusalOf({}),
    refusalOf([letter, "soup"]),
    refusalOf([letter, { kind: "note" }]),
    refusalOf([{ ...letter, to: [7, "general"] }]),
    refusalOf([{ ...letter, kind: "poem" }]),
    refusalOf([letter, letter, letter]),
    refusalOf([{ ...letter, text: "soup".repeat(1_000), kind: "poem" }]),
  ]).toEqual([
    "letters is not a valid array.",
    "letters[1] is not a valid object.",
    'letters[1]["to"] is missing.',
    'letters[0]["to"][1] is not a valid integer.',
    'letters[0]["kind"] must be one of "note", "".',
    "letters has more than 2 elements.",
    "letters is not a valid array.",
  ]);
});
