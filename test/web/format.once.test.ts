import { describe, expect, test } from "bun:test";
import {
  changed,
  type Format,
  format,
  isAddress,
  linkTo,
  nextPoint,
} from "../../src/web/compose/format";

/* Texts with what is selected between two bars, or with the caret at one. */

function read(marked: string) {
  const start = marked.indexOf("|");
  const last = marked.lastIndexOf("|");
  const text = marked.replaceAll("|", "");
  return { text, selection: { start, end: last === start ? start : last - 1 } };
}

function show(text: string, { start, end }: { start: number; end: number }) {
  const bars = start === end ? "|" : `|${text.slice(start, end)}|`;
  return text.slice(0, start) + bars + text.slice(end);
}

function formatted(name: Format, marked: string): string {
  const { text, selection } = read(marked);
  const change = format(name, text, selection);
  return show(changed(text, change), change);
}

describe("a format", () => {
  const cases: [Format, before: string, after: string][] = [
    ["bold", "a |word| here", "a **|word|** here"],
    ["bold", "a **|word|** here", "a |word| here"],
    ["bold", "a |**word**| here", "a |word| here"],
    ["bold", "a | word | here", "a  **|word|**  here"],
    ["bold", "|", "**|**"],
    ["bold", "**|**", "|"],
    ["bold", "*|word|*", "***|word|***"],
    ["bold", "***|word|***", "*|word|*"],
    ["italic", "a |word|", "a *|word|*"],
    ["italic", "a *|word|*", "a |word|"],
    ["italic", "**|word|**", "***|word|***"],
    ["italic", "***|word|***", "**|word|**"],
    ["italic", "|**word**|", "*|**word**|*"],
    ["code", "run |ls| now", "run `|ls|` now"],
    ["code", "run `|ls|` now", "run |ls| now"],
    ["code", "run |`ls`| now", "run |ls| now"],
    ["code", "|a\nb|", "```\n|a\nb|\n```"],
    ["code", "x |a\nb| y", "x \n```\n|a\nb|\n```\n y"],
    ["code", "|```js\na\nb\n```|", "|a\nb|"],
    ["link", "see |this|", "see [this](|url|)"],
    ["link", "see |", "see [|](url)"],
    ["link", "|https://example.com/a|", "[|](https://example.com/a)"],
    ["link", "|[this](https://example.com)|", "|this|"],
    ["list", "|one\ntwo|", "|- one\n- two|"],
    ["list", "|- one\n- two|", "|one\ntwo|"],
    ["list", "|- one\ntwo|", "|- one\n- two|"],
    ["list", "one|", "- one|"],
    ["list", "- one|", "one|"],
    ["list", "|", "- |"],
    ["list", "before\no|ne", "before\n- o|ne"],
    ["list", "|one\n|two", "|- one|\ntwo"],
  ];
  test.each(cases)("%s makes %j to %j", (name, before, after) => {
    expect(formatted(name, before)).toBe(after);
  });

  test("that is given twice leaves the text as it was", () => {
    const texts = ["word", "two words", "a\nb", "größer 🙂", "مرحبا"];
    for (const name of ["bold", "italic", "code", "list"] as const)
      for (const text of texts) {
        const once = format(name, text, { start: 0, end: text.length });
        const there = changed(text, once);
        const isFence = name === "code" && text.includes("\n");
        const selection = isFence ? { start: 0, end: there.length } : once;
        expect(changed(there, format(name, there, selection))).toBe(text);
      }
  });
});

describe("a link", () => {
  test("over a selection makes a link of it", () => {
    const { text, selection } = read("see |this page| please");
    const change = linkTo(" https://example.com/x ", text, selection);
    expect(show(changed(text, change), change)).toBe(
      "see [this page](https://example.com/x)| please",
    );
  });

  test("is an address and nothing else", () => {
    expect(["https://a.b/c?d", "http://a", "mailto:a@b.c", "#narrow/dm/1-a"].every(isAddress)).toBe(
      true,
    );
    expect(["a.b", "javascript:alert(1)", "https://a b", "see https://a"].some(isAddress)).toBe(
      false,
    );
  });
});

describe("a new line", () => {
  const lines: [before: string, after: string | undefined][] = [
    ["- one|", "- one\n- |"],
    ["  * one|", "  * one\n  * |"],
    ["9. nine|", "9. nine\n10. |"],
    ["- one\n- |", "- one\n|"],
    ["words|", undefined],
    ["-one|", undefined],
    ["- one| and more", "- one\n- | and more"],
  ];
  test.each(lines)("in %j makes %j", (before, after) => {
    const { text, selection } = read(before);
    const change = nextPoint(text, selection.start);
    expect(change && show(changed(text, change), change)).toBe(after);
  });
});
