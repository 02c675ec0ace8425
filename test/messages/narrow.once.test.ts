import { describe, expect, test } from "bun:test";
import { ApiError } from "../../src/core/errors";
import {
  matchesEventNarrow,
  type NarrowableMessage,
  parseEventNarrow,
  parseNarrow,
} from "../../src/messages/narrow/narrow";
import { refusalIn } from "../../src/sign-in/refusal";

function errorOf(run: () => unknown): ApiError | undefined {
  try {
    run();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  return undefined;
}

const refusalOf = (run: () => unknown) => errorOf(run)?.code ?? "accepted";

describe("A client narrows", () => {
  test("in pairs, as terminal clients do", () => {
    expect(
      parseNarrow([
        ["stream", "general"],
        ["topic", "lunch"],
      ]),
    ).toEqual([
      { operator: "channel", operand: "general", negated: false },
      { operator: "topic", operand: "lunch", negated: false },
    ]);
    expect(parseNarrow([["pm-with", "alice@example.com, bob@example.com"]])).toEqual([
      { operator: "dm", operand: ["alice@example.com", "bob@example.com"], negated: false },
    ]);
  });

  test.each([
    ["stream", 4, "channel", 4],
    ["channel", "general", "channel", "general"],
    ["streams", "public", "channels", "public"],
    ["subject", "lunch", "topic", "lunch"],
    ["topic", "", "topic", ""],
    ["topic", "general chat", "topic", ""],
    ["from", "bob@example.com", "sender", "bob@example.com"],
    ["sender", 7, "sender", 7],
    ["dm", [7, 8], "dm", [7, 8]],
    ["dm", [7, "bob@example.com"], "dm", [7, "bob@example.com"]],
    ["group-pm-with", "bob@example.com", "dm-including", ["bob@example.com"]],
    ["dm-including", 7, "dm-including", [7]],
    ["is", "private", "is", "dm"],
    ["is", "unread", "is", "unread"],
    ["has", "reaction", "has", "reaction"],
    ["in", "home", "in", "home"],
    ["id", "42", "id", 42],
    ["with", 42, "with", 42],
    ["near", "42", "near", "42"],
    ["search", "green apple", "search", "green apple"],
  ])("by %s: %j", (operator, operand, meant, read) => {
    const expected: unknown = [{ operator: meant, operand: read, negated: false }];
    expect<unknown>(parseNarrow([{ operator, operand }])).toEqual(expected);
  });

  test("to everything else, by a dash or by saying so", () => {
    expect(parseNarrow([["-topic", "lunch"]])[0]?.negated).toBe(true);
    expect(parseNarrow([{ operator: "topic", operand: "lunch", negated: true }])[0]?.negated).toBe(
      true,
    );
    expect(parseNarrow([{ operator: "topic", operand: "lunch", negated: false }])[0]?.negated).toBe(
      false,
    );
  });

  test("to two channels at once, which matches nothing but is no mistake", () => {
    expect(
      parseNarrow([
        ["channel", "a"],
        ["channel", "b"],
      ]),
    ).toHaveLength(2);
  });
});

describe("A client is refused with BAD_NARROW", () => {
  test.each([
    [[{ operator: "bogus", operand: "x" }]],
    [[{ operator: "constructor", operand: "x" }]],
    [[{ operator: "is", operand: "bogus" }]],
    [[{ operator: "has", operand: "bogus" }]],
    [[{ operator: "in", operand: "bogus" }]],
    [[{ operator: "channels", operand: "x" }]],
    [[{ operator: "id", operand: "abc" }]],
    [[{ operator: "id", operand: "99999999999999999999" }]],
    [[{ operator: "id", operand: -1 }]],
    [[{ operator: "dm", operand: "" }]],
    [[{ operator: "dm", operand: " , " }]],
    [[{ operator: "dm-including", operand: "" }]],
    [
      [
        { operator: "dm", operand: [7] },
        { operator: "channel", operand: 4 },
      ],
    ],
    [
      [
        ["is", "private"],
        ["topic", "lunch"],
      ],
    ],
  ])("for %j", (narrow) => expect(refusalOf(() => parseNarrow(narrow))).toBe("BAD_NARROW"));

  test("but not for channel messages that are not direct ones", () => {
    expect(
      parseNarrow([
        ["channel", "a"],
        ["-is", "dm"],
      ]),
    ).toHaveLength(2);
  });
});

/**
 * Types that each operand may have beside a string; an operator that nobody knows takes strings
 * too.
 */
const operandTypes: [operators: string[], others: unknown[]][] = [
  [
    [
      "channel",
      "stream",
      "sender",
      "from",
      "mentions",
      "id",
      "with",
      "dm-including",
      "group-pm-with",
    ],
    [7],
  ],
  [
    ["dm", "pm-with"],
    [[7], ["a@b.c", 7]],
  ],
  [["topic", "near", "search", "is", "has", "in", "channels", "streams", "bogus"], []],
];

test("A search that is too long is refused in the reader's language, with the length it may have", () => {
  const searching = (length: number) => () => parseNarrow([["search", "x".repeat(length)]]);
  expect(refusalOf(searching(10_000))).toBe("accepted");
  const refusal = errorOf(searching(10_001));
  expect(refusal?.message).toBe("The operand of a narrow can have at most 10000 characters.");
  expect(refusal && refusalIn(refusal, "de").message).toBe(
    "Diese Suche ist zu lang: Jeder Teil darf höchstens 10000 Zeichen haben.",
  );
});

describe("An operand of a wrong JSON type is refused with BAD_REQUEST", () => {
  const candidates = [true, null, {}, 1.5, 7, [7], [true], [null], [[7]], ["a@b.c", 7]];
  test.each(
    operandTypes.flatMap(([operators, others]) =>
      operators.map((operator) => [operator, others] as const),
    ),
  )("for %s", (operator, others) => {
    const wrong = candidates.filter(
      (operand) => !others.some((other) => Bun.deepEquals(other, operand)),
    );
    for (const operand of wrong) {
      const read = () => parseNarrow([{ operator, operand }]);
      expect([operand, refusalOf(read)]).toEqual([operand, "BAD_REQUEST"]);
    }
  });
});

describe("A client is refused with BAD_REQUEST", () => {
  test.each([
    [{ operator: "stream" }],
    ["[[["],
    [null],
    [7],
    [[["stream"]]],
    [[["stream", "a", "b"]]],
    [[[1, "a"]]],
    [[{ operator: "channel" }]],
    [[{ operand: "x" }]],
    [[null]],
    [[{ operator: "bogus", operand: 1 }]],
    [[{ operator: "near", operand: 1 }]],
    [[{ operator: "dm", operand: 7 }]],
    [[{ operator: "dm-including", operand: [7] }]],
    [[{ operator: "topic", operand: 1 }]],
    [[{ operator: "channel", operand: 1.5 }]],
    [[{ operator: "channel", operand: ["a"] }]],
    [[{ operator: "dm", operand: [[7]] }]],
    [[{ operator: "search", operand: "  " }]],
    [[{ operator: "topic", operand: "x", negated: "yes" }]],
    [[["search", "x".repeat(10_001)]]],
    [Array.from({ length: 101 }, () => ["topic", "x"])],
    [[["dm", Array.from({ length: 1001 }, (_, index) => index)]]],
  ])("for %j", (narrow) => expect(refusalOf(() => parseNarrow(narrow))).toBe("BAD_REQUEST"));
});

describe("Alice's queue", () => {
  const fromBob: NarrowableMessage = {
    type: "stream",
    channelName: "General",
    channelId: 4,
    topic: "Lunch",
    senderEmail: "bob@example.com",
    senderId: 8,
    flags: ["starred", "topic_wildcard_mentioned"],
  };
  const directly: NarrowableMessage = { ...fromBob, type: "private", topic: "", flags: ["read"] };
  const receives = (narrow: unknown, message: NarrowableMessage) =>
    matchesEventNarrow(parseEventNarrow(narrow), message);

  test.each([
    [[]],
    [[["stream", "general"]]],
    [[["stream", 4]]],
    [
      [
        ["stream", "general"],
        ["topic", "LUNCH"],
      ],
    ],
    [[["sender", "Bob@example.com"]]],
    [[["sender", 8]]],
    [
      [
        ["is", "starred"],
        ["is", "mentioned"],
        ["is", "unread"],
      ],
    ],
    [[["-is", "dm"]]],
    [[["-topic", "dinner"]]],
  ])("narrowed to %j receives what Bob writes about lunch", (narrow) =>
    expect(receives(narrow, fromBob)).toBe(true),
  );

  test.each([
    [[["stream", "core"]]],
    [[["stream", 5]]],
    [
      [
        ["stream", "general"],
        ["topic", "dinner"],
      ],
    ],
    [[["sender", "alice@example.com"]]],
    [[["is", "dm"]]],
    [[["is", "alerted"]]],
    [[["is", "resolved"]]],
    [[["-stream", "general"]]],
  ])("narrowed to %j does not", (narrow) => expect(receives(narrow, fromBob)).toBe(false));

  test("narrowed to direct messages receives his direct message, narrowed to a topic it does not", () => {
    expect(receives([["is", "private"]], directly)).toBe(true);
    expect(receives([["topic", ""]], directly)).toBe(false);
    expect(receives([["is", "unread"]], directly)).toBe(false);
  });

  test("receives a message of a resolved topic when it asks for these", () => {
    expect(receives([["is", "resolved"]], { ...fromBob, topic: "✔ Lunch" })).toBe(true);
  });

  test("may be narrowed to a topic called 'followed'", () => {
    expect(receives([["topic", "followed"]], { ...fromBob, topic: "followed" })).toBe(true);
  });

  test.each([["bogus"], ["followed"], ["muted"], [""], ["constructor"]])(
    "passes over 'is:%s', which a message alone does not tell, and goes by its other terms",
    (operand) => {
      expect(receives([["is", operand]], fromBob)).toBe(true);
      expect(receives([{ operator: "is", operand, negated: true }], directly)).toBe(true);
      const terms = [
        ["-is", operand],
        ["stream", "general"],
      ];
      expect([receives(terms, fromBob), receives(terms, directly)]).toEqual([true, false]);
    },
  );

  test.each([
    [[["search", "x"]]],
    [[["dm", "bob@example.com"]]],
    [[["has", "link"]]],
    [[["bogus", "x"]]],
    [[["is", 7]]],
    [[["is", ["followed"]]]],
    [Array.from({ length: 101 }, () => ["is", "bogus"])],
  ])("cannot be narrowed to %j", (narrow) =>
    expect(["BAD_REQUEST", "BAD_NARROW"]).toContain(refusalOf(() => parseEventNarrow(narrow))),
  );
});

/** Numbers from 0 to 1 that do not change from run to run (mulberry32). */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const leaves = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e300,
  42,
  "",
  "dm",
  "-is",
  "is",
  "private",
  "search",
  "channel",
  "id",
  "with",
  "near",
  "dm-including",
  "42",
  "9".repeat(40),
  "a@x, b@y",
  ",",
  "__proto__",
  "constructor",
  "toString",
  "\u0000",
  "\ud800",
];

function anyJson(random: () => number, depth: number): unknown {
  const pick = Math.floor(random() * 4);
  if (depth === 0 || pick === 0) return leaves[Math.floor(random() * leaves.length)];
  const children = Array.from({ length: Math.floor(random() * 4) }, () =>
    anyJson(random, depth - 1),
  );
  if (pick === 1) return children;
  if (pick === 2) return [anyJson(random, 0), anyJson(random, depth - 1)];
  return {
    operator: anyJson(random, 0),
    operand: anyJson(random, depth - 1),
    negated: random() < 0.9 ? true : children,
  };
}

test("Whatever JSON a client sends, it gets terms or a refusal, never a crash", () => {
  const random = seededRandom(3);
  const outcomes = new Map<string, number>();
  for (let round = 0; round < 20_000; round++) {
    const narrow = random() < 0.9 ? [anyJson(random, 2)] : anyJson(random, 3);
    const outcome = refusalOf(() => parseNarrow(narrow));
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  }
  expect([...outcomes.keys()].sort()).toEqual(["BAD_NARROW", "BAD_REQUEST", "accepted"]);
});
