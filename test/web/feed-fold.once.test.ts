import { describe, expect, test } from "bun:test";
import type { FlaggedMessage } from "../../src/web/model/message";
import {
  conversationNarrow,
  hasWholeConversations,
  kindOf,
  narrowKey,
  topicNarrow,
} from "../../src/web/model/narrow-kind";
import type { Model } from "../../src/web/model/snapshot";
import type { Event } from "../../src/web/model/wire";
import {
  candidateIdsIn,
  covers,
  type Feed,
  isReady,
  latestFeeds,
  mayMissMessages,
  merged,
  shortened,
  withoutStrays,
} from "../../src/web/store/feed-fold";

const message = (id: number): FlaggedMessage => ({ ...empty, id });
const empty = {
  content: "",
  display_recipient: [{ id: 4 }, { id: 5 }],
  flags: [],
  subject: "lunch",
  stream_id: 7,
} as unknown as FlaggedMessage;
const me = 4;

const feed: Feed = {
  narrow: [],
  messages: [message(5), message(9)],
  isOldest: false,
  isNewest: true,
  isLoaded: true,
  isStale: false,
  matches: new Map(),
  isIncomplete: false,
  refusal: undefined,
  openedAt: undefined,
  openedTop: undefined,
  start: "unread",
  generation: 1,
};
const manyMessages = (count: number) => Array.from({ length: count }, (_, id) => message(id));

describe("a narrow", () => {
  test("has one key for a conversation, however its topic and people are written", () => {
    expect(narrowKey(topicNarrow(7, "Lunch"), me)).toBe(narrowKey(topicNarrow(7, "lunch"), me));
    const turned = [...topicNarrow(7, "lunch")].reverse();
    expect(kindOf(turned)).toEqual({ kind: "topic", channelId: 7, topic: "lunch" });
    const people = [4, 5].map((id) => ({ operator: "dm", operand: [id], negated: false }) as const);
    expect(people.map((one) => narrowKey([one], me))).toEqual(["direct 4", "direct 5"]);
  });

  test("that negates a term is a search", () => {
    const others = topicNarrow(7, "lunch").map((term) => ({ ...term, negated: true }));
    expect(kindOf(others)).toEqual({ kind: "search" });
  });

  test("has whole conversations unless it picks single messages", () => {
    const one = (operator: "is" | "in" | "has" | "search", operand: string, negated = false) =>
      [{ operator, operand, negated }] as const;
    const whole = [
      [],
      topicNarrow(7, "lunch"),
      one("is", "dm"),
      one("is", "resolved"),
      one("in", "home"),
    ];
    for (const narrow of whole) expect(hasWholeConversations(narrow)).toBe(true);
    const single = [
      one("search", "soup"),
      one("has", "attachment"),
      one("is", "mentioned"),
      one("is", "starred"),
      one("is", "dm", true),
      [...topicNarrow(7, "lunch"), ...one("search", "soup")],
    ];
    for (const narrow of single) expect(hasWholeConversations(narrow)).toBe(false);
  });

  test("is found of a message: its topic, or its people without the reader", () => {
    expect(conversationNarrow(message(1), me)).toEqual(topicNarrow(7, "lunch"));
    const { stream_id: _, ...direct } = message(1);
    expect(kindOf(conversationNarrow(direct, me))).toEqual({ kind: "direct", userIds: [5] });
  });
});

describe("a feed", () => {
  test("has each message once, ascending, in its newer form", () => {
    const newer = { ...message(3), content: "newer" };
    const all = merged([message(1), message(3)], [newer, message(2)]);
    expect(all.map(({ id, content }) => [id, content])).toEqual([
      [1, ""],
      [2, ""],
      [3, "newer"],
    ]);
  });

  test("covers its messages, those between, and those beyond an end that is reached", () => {
    expect([4, 5, 7, 12].map((id) => covers(feed, id))).toEqual([false, true, true, true]);
  });

  test("is drawn at its newest end only where that is loaded, unless it begins at the unread", () => {
    const old = { ...feed, isNewest: false, openedAt: 5 };
    expect([isReady(old, undefined), isReady(old, 9), isReady(old, 10)]).toEqual([
      false,
      true,
      false,
    ]);
    expect(isReady(feed, undefined)).toBe(true);
    expect(isReady({ ...feed, isNewest: false }, undefined)).toBe(true);
  });

  test("may get messages that were starred or edited, and asks for those that are not loaded", () => {
    const events = [
      { type: "update_message_flags", op: "add", flag: "starred", messages: [7] },
      { type: "update_message_flags", op: "add", flag: "read", messages: [8] },
      { type: "update_message_flags", op: "remove", flag: "starred", messages: [9] },
      { type: "update_message", message_id: 6, rendered_content: "", message_ids: [6] },
    ] as unknown as Event[];
    expect(candidateIdsIn(events)).toEqual([7, 6]);
    const starred: Feed = {
      ...feed,
      narrow: [{ operator: "is", operand: "starred", negated: false }],
    };
    const change = {
      messages: new Map(),
      candidateIds: [7],
      events: [],
      model: {} as Model,
    };
    expect([mayMissMessages(starred, change), mayMissMessages(feed, change)]).toEqual([
      true,
      false,
    ]);
    expect(mayMissMessages(starred, { ...change, messages: new Map([[7, message(7)]]) })).toBe(
      false,
    );
  });

  test("lets its oldest messages go where it grows at its newest end for long", () => {
    const long = { ...feed, isOldest: true, messages: manyMessages(5_003) };
    const { messages, isOldest, isNewest } = shortened(long, "newer");
    expect([messages[0]?.id, messages.length, isOldest, isNewest]).toEqual([3, 5_000, false, true]);
    expect(shortened(feed, "newer")).toBe(feed);
  });
});

describe("what is kept", () => {
  test("is the feeds that were opened last, as far as their messages are not too many", () => {
    const long = { ...feed, messages: manyMessages(3_000) };
    const feeds = new Map([
      ["first", long],
      ["second", long],
      ["open", feed],
    ]);
    expect([...latestFeeds(feeds).keys()]).toEqual(["second", "open"]);
  });

  test("is no message that no feed has, once they are many", () => {
    const feeds = new Map([["open", feed]]);
    const few = new Map(manyMessages(20).map((one) => [one.id, one]));
    const many = new Map(manyMessages(2_000).map((one) => [one.id, one]));
    expect(withoutStrays(few, feeds)).toBe(few);
    expect([...withoutStrays(many, feeds).keys()]).toEqual([5, 9]);
  });
});
