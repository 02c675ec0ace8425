import { describe, expect, test } from "bun:test";
import { firstWords, wordsOfHtml } from "../../src/web/model/arrivals";
import type { Channel } from "../../src/web/model/channels";
import { topicKey } from "../../src/web/model/conversations";
import { presentFirst } from "../../src/web/model/first-people";
import { iconMarkOf, shortCount } from "../../src/web/model/icon-count";
import {
  countOf,
  type InboxModel,
  type InboxSection,
  inboxOf,
  nextUnread,
  titleCountOf,
  type UnreadKind,
} from "../../src/web/model/inbox";
import { signOf } from "../../src/web/model/presence";
import { applyTraces, recentOf, withoutOld, withTraces } from "../../src/web/model/recent";
import type { Event, Message } from "../../src/web/model/wire";

describe("the sign of somebody", () => {
  const at = (active_timestamp: number, idle_timestamp: number) => ({
    active_timestamp,
    idle_timestamp,
  });
  test("tells whether they use a client, have one open, or neither", () => {
    const now = 10_000;
    expect([
      signOf(at(now - 199, now - 5), now, 200),
      signOf(at(now - 200, now - 5), now, 200),
      signOf(at(now - 900, now - 200), now, 200),
      signOf(undefined, now, 200),
    ]).toEqual(["here", "away", "off", "off"]);
  });

  test("ignores reports of the future, which a server made before its clock was corrected", () => {
    const now = 10_000;
    expect([
      signOf(at(now + 5, now + 5), now, 200),
      signOf(at(now + 3_600, now + 3_600), now, 200),
      signOf(at(now + 3_600, now - 5), now, 200),
    ]).toEqual(["here", "off", "away"]);
  });

  test("brings those forward who are there, each kind in its order, and no more than are asked for", () => {
    const signs = new Map([
      ["Ann", "off"],
      ["Bea", "away"],
      ["Cy", "here"],
      ["Eve", "here"],
    ] as const);
    const people = ["Dan", "Eve", "Bot", "Ann", "Bea", "Cy"] as const;
    const signOfPerson = (name: (typeof people)[number]) =>
      name === "Bot" || name === "Dan" ? undefined : signs.get(name);
    const inOrder = ["Cy", "Eve", "Bea", "Ann", "Bot", "Dan"] as const;
    const order = (one: string, other: string) => one.localeCompare(other);
    for (let most = 0; most <= 7; most += 1)
      expect(presentFirst(people, signOfPerson, { order, most })).toEqual(inOrder.slice(0, most));
  });
});

describe("the words of a message", () => {
  test("are those of its HTML, with signs as they are written", () => {
    expect(wordsOfHtml("<p>a &lt;b&gt; &amp; &#39;c&#x27;</p>\n<ul><li>d</li></ul>")).toBe(
      "a <b> & 'c' d",
    );
    expect(wordsOfHtml("&nothing; &#0; &#x110000;")).toBe("&nothing; &#0; &#x110000;");
  });

  test("leave out what a spoiler hides", () => {
    const html =
      '<div class="spoiler-block"><div class="spoiler-header"><p>the end</p></div><div class="spoiler-content" aria-hidden="true"><p>he wakes up</p></div></div>';
    expect(wordsOfHtml(html)).toBe("the end");
  });

  test("are no more than a voice says in passing", () => {
    const long = Array.from({ length: 40 }, (_, index) => index).join(" ");
    expect(firstWords(long)).toBe("0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15…");
    expect(firstWords("few words")).toBe("few words");
  });
});

const channelOf = (stream_id: number, name: string, more: object = {}): Channel =>
  ({
    stream_id,
    name,
    standing: "subscribed",
    is_muted: false,
    pin_to_top: false,
    ...more,
  }) as Channel;
const unreadTopic = (channelId: number, topic: string, ids: number[]) =>
  [topicKey(channelId, topic), { channelId, topic, ids }] as const;

const modelWith = (more: Partial<InboxModel> = {}): InboxModel => ({
  channels: new Map(
    [
      channelOf(1, "engineering"),
      channelOf(2, "design"),
      channelOf(3, "noise", { is_muted: true }),
      channelOf(4, "announcements", { pin_to_top: true }),
      channelOf(5, "left", { standing: "unsubscribed" }),
    ].map((channel) => [channel.stream_id, channel]),
  ),
  unread: {
    topics: new Map([
      unreadTopic(1, "release", [10, 14]),
      unreadTopic(1, "search", [16]),
      unreadTopic(2, "logo", [11]),
      unreadTopic(3, "builds", [12, 13]),
      unreadTopic(3, "followed one", [17]),
      unreadTopic(4, "welcome", [5]),
      unreadTopic(5, "unseen", [6]),
    ]),
    direct: new Map([
      ["21", [7]],
      ["21,22", [9, 15]],
      ["23", [18]],
    ]),
    mentions: new Set([14, 17]),
    isCut: false,
  },
  userTopics: new Map([
    [
      topicKey(3, "followed one"),
      { stream_id: 3, topic_name: "followed one", visibility_policy: 3, last_updated: 0 },
    ],
  ]) as InboxModel["userTopics"],
  mutedUsers: new Map([[23, 0]]),
  ...more,
});

const told = (sections: readonly InboxSection[]) =>
  sections.map(({ channel, lines }) => [
    channel?.name ?? "direct",
    ...lines.map(({ key, topic, ids, hasMention, isFollowed }) =>
      [topic ?? key, ids.length, hasMention && "@", isFollowed && "followed"]
        .filter(Boolean)
        .join(" "),
    ),
  ]);

describe("the inbox", () => {
  test("has direct conversations, then channels: pinned ones, others by name, muted ones last", () => {
    expect(told(inboxOf(modelWith()).sections)).toEqual([
      ["direct", "21,22 2", "21 1"],
      ["announcements", "welcome 1"],
      ["design", "logo 1"],
      ["engineering", "search 1", "release 2 @"],
      ["noise", "followed one 1 @ followed"],
    ]);
  });

  test("keeps apart what is muted: topics of muted channels, and conversations with muted people", () => {
    const { muted } = inboxOf(modelWith());
    expect(told(muted)).toEqual([
      ["direct", "23 1"],
      ["noise", "builds 2"],
    ]);
    expect(countOf(muted)).toBe(3);
  });

  test("leads from each conversation to the next of its kind, and round", () => {
    const all = inboxOf(modelWith());
    const next = (kind: UnreadKind, current?: string) => nextUnread(all, kind, current)?.key;
    expect([next("topic"), next("topic", "4:welcome"), next("topic", "3:followed one")]).toEqual([
      "4:welcome",
      "2:logo",
      "4:welcome",
    ]);
    expect([next("direct"), next("direct", "21,22"), next("followed")]).toEqual([
      "21,22",
      "21",
      "3:followed one",
    ]);
    expect(next("followed", "3:followed one")).toBeUndefined();
  });

  test("is empty where nothing is unread", () => {
    const unread = {
      topics: new Map(),
      direct: new Map(),
      mentions: new Set<number>(),
      isCut: false,
    };
    expect(inboxOf(modelWith({ unread }))).toEqual({ sections: [], muted: [] });
  });

  test("looks at no channel in which nothing is unread", () => {
    let reads = 0;
    const countingReads = (channel: Channel) =>
      new Proxy(channel, {
        get(target, name) {
          reads += 1;
          return Reflect.get(target, name);
        },
      });
    const channelIds = Array.from({ length: 500 }, (_, index) => index);
    const channels = new Map(
      channelIds.map((id) => [id, countingReads(channelOf(id, `channel ${id}`))]),
    );
    const topics = channelIds.slice(0, 10).map((id) => unreadTopic(id, "lunch", [id]));
    const unread = { ...modelWith().unread, topics: new Map(topics), direct: new Map() };
    expect(inboxOf(modelWith({ channels, unread })).sections.length).toBe(10);
    // All that is read of ten channels, with what it takes to sort them.
    expect(reads).toBeLessThan(500);
  });

  test("counts in the title of the page by the person's setting", () => {
    const countWith = (setting: number) =>
      titleCountOf(inboxOf(modelWith()), setting, new Set([14]));
    // All; direct, mentions and followed topics; direct and mentions; none.
    expect([1, 2, 3, 4].map(countWith)).toEqual([9, 5, 4, 0]);
  });

  test("marks the icon of the page: with the count, or a dot for what is not counted", () => {
    const markWith = (setting: number, more: Partial<InboxModel> = {}) => {
      const model = modelWith(more);
      const inbox = inboxOf(model);
      return iconMarkOf(inbox, setting, titleCountOf(inbox, setting, model.unread.mentions));
    };
    expect([1, 3, 4].map((setting) => markWith(setting))).toEqual([
      { kind: "count", count: 9 },
      { kind: "count", count: 5 },
      { kind: "none" },
    ]);
    const topic = { channelId: 1, topic: "lunch", ids: [1] };
    const unread = {
      topics: new Map([["1:lunch", topic]]),
      direct: new Map(),
      mentions: new Set<number>(),
      isCut: false,
    };
    expect([1, 3, 4].map((setting) => markWith(setting, { unread }))).toEqual([
      { kind: "count", count: 1 },
      { kind: "dot" },
      { kind: "none" },
    ]);
    expect([1, 99, 100].map(shortCount)).toEqual(["1", "99", "99+"]);
  });
});

const me = 20;
const inTopic = (id: number, senderId: number, topic: string, channelId = 1): Message =>
  ({
    id,
    sender_id: senderId,
    stream_id: channelId,
    subject: topic,
    display_recipient: "",
    timestamp: id * 10,
  }) as Message;
const toPeople = (id: number, senderId: number, people: number[]): Message =>
  ({
    id,
    sender_id: senderId,
    subject: "",
    timestamp: id * 10,
    display_recipient: people.map((one) => ({ id: one })),
  }) as Message;

describe("recent conversations", () => {
  const traces = withTraces(
    new Map(),
    [
      inTopic(1, 21, "release"),
      toPeople(2, 21, [20, 21]),
      inTopic(3, 22, "Release"),
      inTopic(4, 21, "search"),
      inTopic(5, 21, "Release"),
    ],
    me,
  );
  const recent = (of: typeof traces) =>
    recentOf(of).map(({ key, topic, newestId, senders }) => [key, topic, newestId, senders]);
  const after = (event: object) => applyTraces(traces, event as Event, me);

  test("stand by their newest message, with who wrote in them, the latest first", () => {
    expect(recent(traces)).toEqual([
      ["1:release", "Release", 5, [21, 22]],
      ["1:search", "search", 4, [21]],
      ["21", "", 2, [21]],
    ]);
  });

  test("come first with a new message", () => {
    const event = { type: "message", message: toPeople(6, 20, [20, 21]), flags: [] };
    expect(recent(after(event))[0]).toEqual(["21", "", 6, [20, 21]]);
  });

  test("follow messages that are moved, and those that are deleted", () => {
    const moved = {
      type: "update_message",
      message_ids: [3, 5],
      orig_subject: "Release",
      subject: "shipping",
      stream_id: 1,
    };
    expect(recent(after(moved))).toEqual([
      ["1:shipping", "shipping", 5, [21, 22]],
      ["1:search", "search", 4, [21]],
      ["21", "", 2, [21]],
      ["1:release", "release", 1, [21]],
    ]);
    const deleted = { type: "delete_message", message_ids: [4], message_type: "stream" };
    expect(recent(after(deleted)).map(([key]) => key)).toEqual(["1:release", "21"]);
  });

  test("are told by their newest messages alone, which are so many whatever is written", () => {
    const busy = Array.from({ length: 500 }, (_, index) => inTopic(100 + index, 22, "busy"));
    const all = withTraces(traces, busy, me);
    const { traces: kept, cutAt } = withoutOld(all, 1_000);
    expect([all.size, kept.size, cutAt]).toEqual([505, 25, undefined]);
    const places = (of: typeof traces) => recentOf(of).map(({ key, newestId }) => [key, newestId]);
    expect(places(kept)).toEqual(places(all));
    const deleted = { type: "delete_message", message_ids: [599], message_type: "stream" };
    expect(places(applyTraces(kept, deleted as Event, me))[0]).toEqual(["1:busy", 598]);
  });

  test("are left out where there are too many of them, the oldest first", () => {
    const all = withTraces(
      traces,
      Array.from({ length: 50 }, (_, index) => inTopic(100 + index, 22, `topic ${index % 25}`)),
      me,
    );
    const { traces: kept, cutAt } = withoutOld(all, 10);
    expect(recentOf(kept)).toEqual(recentOf(all).slice(0, 10));
    expect([kept.size, cutAt]).toEqual([20, 140]);
  });

  test("are the object that they were where an event has nothing to do with them", () => {
    expect(after({ type: "delete_message", message_ids: [99] })).toBe(traces);
    expect(after({ type: "heartbeat" })).toBe(traces);
  });
});
