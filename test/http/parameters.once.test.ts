import { expect, test } from "bun:test";
import { ApiError } from "../../src/core/errors";
import { flag, integer, optional, record, texts } from "../../src/core/params";
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
  for (const text of ["True", "1", "yes", "", "null"])
    expect(() => decoded("is_wide", text)).toThrow(/is_wide/);
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
