import { describe, expect, test } from "bun:test";
import { type Narrow, readFragment, type Term, writeFragment } from "../../src/web/model/narrow";
import { choices, readSearchText, writeSearchText } from "../../src/web/model/narrow-text";
import type { PeopleNames } from "../../src/web/model/people-names";
import { wordsIn } from "../../src/web/model/search-tokens";

/* The text of a search and the narrow that it means. */

const channels = new Map([
  [7, "general"],
  [8, "design & code"],
  [9, "2019"],
  [2019, "other"],
  [10, 'with "quotes" \\ and +'],
  [11, "channel:general"],
]);
const people = new Map([
  [4, "Alice"],
  [5, "Bob (he)"],
  [6, "Sato, Hana"],
  [12, "Sam"],
  [13, "sam"],
  [14, "me"],
  [15, "x|4"],
  [16, "42"],
  [17, "<script>"],
  [18, "שלום"],
  [42, 'Old \\ "One"'],
]);
const idsOf = (map: Map<number, string>, name: string) =>
  [...map].filter(([, one]) => one.toLowerCase() === name.toLowerCase()).map(([id]) => id);
const names: PeopleNames = {
  me: 4,
  channelName: (id) => channels.get(id),
  channelId: (name) => idsOf(channels, name)[0],
  personName: (id) => people.get(id),
  personId: (email) => ({ "bob@example.com": 5 })[email],
  peopleNamed: (name) => idsOf(people, name),
};

const read = (text: string) => readSearchText(text, names).narrow;
const misread = (text: string) =>
  readSearchText(text, names).misread.map(({ reason, typed }) => `${typed} ${reason}`);

const term = <Operator extends Term["operator"], Operand>(
  operator: Operator,
  operand: Operand,
  negated = false,
) => ({ operator, operand, negated });

describe("the text of a search", () => {
  test.each<[string, unknown]>([
    ["pumpkin", [term("search", "pumpkin")]],
    ["  two   words ", [term("search", "two words")]],
    ['"exact words" more', [term("search", '"exact words" more')]],
    ["channel:general lunch", [term("channel", 7), term("search", "lunch")]],
    ["lunch channel:General", [term("channel", 7), term("search", "lunch")]],
    ['stream:"design & code"', [term("channel", 8)]],
    ["stream:design+&+code", [term("channel", 8)]],
    ["channel:2019", [term("channel", 2019)]],
    ['channel:"2019"', [term("channel", 9)]],
    ['-topic:"release 2.0"', [term("topic", "release 2.0", true)]],
    ['topic:"not closed', [term("topic", "not closed")]],
    ['topic:""', [term("topic", "")]],
    ["subject:c++", [term("topic", "c++")]],
    ["sender:me", [term("sender", 4)]],
    ["from:bob@example.com", [term("sender", 5)]],
    ['sender:"sato, hana"', [term("sender", 6)]],
    ["sender:Sam|13", [term("sender", 13)]],
    ["sender:42", [term("sender", 42)]],
    ['sender:"42"', [term("sender", 16)]],
    ['sender:"me"', [term("sender", 14)]],
    ['dm:"Bob (he)",6', [term("dm", [5, 6])]],
    ["pm-with:me", [term("dm", [4])]],
    ["dm-including:5,6", [term("dm-including", 5), term("dm-including", 6)]],
    ["group-pm-with:5", [term("dm-including", 5)]],
    [
      "has:link -has:images HAS:Reaction",
      [term("has", "link"), term("has", "image", true), term("has", "reaction")],
    ],
    ["is:private is:unread", [term("is", "dm"), term("is", "unread")]],
    ["in:home channels:public", [term("in", "home"), term("channels", "public")]],
    ["near:12 id:13 with:14", [term("near", 12), term("id", 13), term("with", 14)]],
    ["https://example.com/a:b", [term("search", "https://example.com/a:b")]],
    ["12:30 note:", [term("search", "12:30 note:")]],
    [
      "#narrow/stream/7-x/topic/a.20b why",
      [term("channel", 7), term("topic", "a b"), term("search", "why")],
    ],
    ["", []],
    ['""', []],
    ["“exact words” more", [term("search", '"exact words" more')]],
    ["„exact words“ «more words» ”third", [term("search", '"exact words" "more words" "third"')]],
    ["-topic:“release 2.0”", [term("topic", "release 2.0", true)]],
    ["sender:“sato, hana”", [term("sender", 6)]],
    ['"the “big” one"', [term("search", '"the “big” one"')]],
    ['topic:"the “big” one"', [term("topic", "the “big” one")]],
  ])("is understood: %s", (text, narrow) => {
    expect<unknown>(read(text)).toEqual(narrow);
    expect(misread(text)).toEqual([]);
  });

  test.each([
    ["moon:full x", "moon:full x", ["moon:full noOperator"]],
    ["channel:nowhere", "channel:nowhere", ["channel:nowhere noChannel"]],
    ["channel:404", "channel:404", ["channel:404 noChannel"]],
    ["sender:Nobody", "sender:Nobody", ["sender:Nobody noPerson"]],
    ["sender:sam", "sender:sam", ["sender:sam severalPeople"]],
    ["-dm-including:5,6", "-dm-including:5,6", ["-dm-including:5,6 severalPeople"]],
    ["is:blue", "is:blue", ["is:blue noOperand"]],
    ["topic: lunch", "topic: lunch", ["topic: noOperand"]],
    ["near:here", "near:here", ["near:here noNumber"]],
    ["-word", "-word", ["-word wordNegated"]],
  ])("keeps as words, and says so: %s", (text, words, reasons) => {
    expect<unknown>(read(text)).toEqual([term("search", words)]);
    expect(misread(text)).toEqual(reasons);
  });

  test("marks words that look like an operator, so that they stay words", () => {
    const narrow = [term("search", "channel:general is:unread -x")] as Narrow;
    const text = writeSearchText(narrow, names);
    expect(text).toBe('"channel:general" "is:unread" -x');
    expect(read(text)).toEqual([term("search", text)] as Narrow);
    // A link may search for a quotation mark that would begin a phrase in the field.
    expect(writeSearchText([term("search", "“a b”")], names)).toBe('"“a" "b”"');
  });

  test("names people by what tells them apart", () => {
    const texts = [4, 5, 6, 12, 14, 15, 16, 17, 42, 99].map((id) =>
      writeSearchText([term("sender", id)], names),
    );
    expect(texts).toEqual([
      "sender:me",
      'sender:"Bob (he)"',
      'sender:"Sato, Hana"',
      'sender:"Sam|12"',
      'sender:"me"',
      'sender:"x|4|15"',
      'sender:"42"',
      'sender:"<script>"',
      String.raw`sender:"Old \\ \"One\""`,
      "sender:99",
    ]);
  });
});

const seeds = 2_000;

/** Numbers below a bound, of a seed. */
function numbersOf(seed: number) {
  let state = seed * 2_654_435_761;
  return (bound: number) => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9;
    return ((state ^ (state >>> 13)) >>> 0) % bound;
  };
}

const scraps = [
  ..."abz0 \"\\:,-#|.+'“”„«»✔é日👩‍💻",
  "me",
  "channel:",
  "topic:",
  "is:",
  "-",
  '"',
  "general",
  "2019",
  "Sam",
  " ",
  "  ",
  "\n",
  "dm:",
  "has:link",
];

function textOf(number: (bound: number) => number): string {
  return Array.from({ length: number(12) }, () => scraps[number(scraps.length)]).join("");
}

function narrowOf(number: (bound: number) => number): Narrow {
  const pick = <One>(list: readonly One[]): One => list[number(list.length)] as One;
  const makers: (() => Omit<Term, "negated">)[] = [
    () => ({ operator: "channel", operand: pick([...channels.keys()]) }),
    () => ({ operator: "topic", operand: textOf(number) }),
    () => ({
      operator: pick(["sender", "mentions", "dm-including"]),
      operand: pick([...people.keys()]),
    }),
    () => ({
      operator: "dm",
      operand: [...new Set([pick([...people.keys()]), pick([...people.keys()])])].sort(
        (a, b) => a - b,
      ),
    }),
    () => ({ operator: pick(["near", "id", "with"]), operand: number(1_000) }),
    ...(["is", "has", "in", "channels"] as const).map((operator) => () => ({
      operator,
      operand: pick<string>(choices[operator]),
    })),
  ];
  const terms = Array.from(
    { length: number(5) },
    () => ({ ...pick(makers)(), negated: number(3) === 0 }) as Term,
  );
  // The words of a search are one term behind all others, as texts are read.
  const words = wordsIn(textOf(number)).join(" ");
  const isPlain = words !== "" && words === writeSearchText([term("search", words)], names);
  return isPlain && number(2) === 0 ? [...terms, term("search", words)] : terms;
}

describe("generated cases", () => {
  test("a narrow is the one that its text reads as", () => {
    for (let seed = 1; seed <= seeds; seed += 1) {
      const narrow = narrowOf(numbersOf(seed));
      const text = writeSearchText(narrow, names);
      expect([text, read(text)]).toEqual([text, narrow]);
    }
  });

  test("a text of any signs is read, and written so that it reads alike", () => {
    for (let seed = 1; seed <= seeds; seed += 1) {
      const text = textOf(numbersOf(seed));
      const once = writeSearchText(read(text), names);
      expect([text, once, read(once)]).toEqual([text, once, read(text)]);
    }
  });

  test("a narrow is the one that its fragment reads as", () => {
    for (let seed = 1; seed <= seeds; seed += 1) {
      const narrow = narrowOf(numbersOf(seed));
      const fragment = writeFragment(narrow, names);
      expect([fragment, narrow.length === 0 ? [] : readFragment(fragment, names)]).toEqual([
        fragment,
        narrow,
      ]);
    }
  });
});
