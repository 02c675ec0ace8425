import { describe, expect, test } from "bun:test";
import emojis from "emoji-datasource-google/emoji.json";
import { codeToNames, emojiCode, emojiNames, extraEmojiName } from "../src/emoji/table";

describe("A person who reacts with a name alone", () => {
  test.each([
    ["smile", "1f642"],
    ["heart", "2764"],
    ["+1", "1f44d"],
    ["thumbs_up", "1f44d"],
    ["-1", "1f44e"],
    ["octopus", "1f419"],
    ["tada", "1f389"],
    ["hamburger", "1f354"],
    ["car", "1f697"],
    ["wave", "1f44b"],
    ["grinning", "1f600"],
    ["check", "2705"],
    ["cross_mark", "274c"],
    ["100", "1f4af"],
    ["working_on_it", "1f6e0"],
    ["flag_germany", "1f1e9-1f1ea"],
    ["family_man_woman_girl", "1f468-200d-1f469-200d-1f467"],
  ])("gets by %s the picture %s, as the protocol's clients show it", (name, code) => {
    expect(emojiCode(name)).toBe(code);
    expect(emojiNames(code)).toContain(name);
  });

  test.each(["no_such_emoji", "", ":smile:", "SMILE", "constructor", "__proto__", extraEmojiName])(
    "gets no Unicode emoji by %p",
    (name) => expect(emojiCode(name)).toBeUndefined(),
  );
});

describe("A client that asks for the emoji data", () => {
  test("finds the canonical name first", () => {
    expect(codeToNames()["1f44d"]?.slice(0, 2)).toEqual(["+1", "thumbs_up"]);
    expect(codeToNames()["1f642"]?.[0]).toBe("smile");
    expect(codeToNames()["1f1e9-1f1ea"]?.[0]).toBe("flag_germany");
  });

  test("finds every emoji under at least one name, and every name under one code", () => {
    const named = codeToNames();
    const codes = emojis.map((emoji) => emoji.unified.toLowerCase().replaceAll("-fe0f", ""));
    expect(codes.filter((code) => named[code] === undefined)).toEqual([]);
    const names = Object.values(named).flat();
    expect(new Set(names).size).toBe(names.length);
  });

  test("finds codes of dash-separated hexadecimal without a variation selector", () => {
    const odd = Object.keys(codeToNames()).filter((code) => !/^[0-9a-f]{4,6}(-[0-9a-f]{4,6})*$/.test(code));
    expect(odd).toEqual([]);
    expect(Object.keys(codeToNames()).filter((code) => code.includes("fe0f"))).toEqual([]);
  });

  test("cannot change the table by changing what it was given", () => {
    emojiNames("1f44d").push("mine");
    expect(emojiNames("1f44d")).not.toContain("mine");
  });
});

test("Nobody gets names for a code that is no emoji", () => expect(emojiNames("zzzz")).toEqual([]));
