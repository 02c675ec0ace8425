import { describe, expect, test } from "bun:test";
import {
  type ConversationFilter,
  type Filtered,
  isFiltering,
  noFilter,
  passesFilter,
  withChannel,
  withKind,
} from "../../src/web/model/conversation-filter";
import { firstLines, type InboxSection, lineCountOf } from "../../src/web/model/inbox";

/* Filters of the inbox and of recent conversations. */

const plain = { isUnread: false, isFollowed: false, hasMention: false };
const conversations: readonly (Filtered & { id: string })[] = [
  { id: "release", channelId: 1, name: "release 2.0 engineering", ...plain, isUnread: true },
  { id: "icons", channelId: 2, name: "Icônes design", ...plain, isFollowed: true },
  { id: "Hana", channelId: undefined, name: "Hana Sato", ...plain, hasMention: true },
];
const left = (more: Partial<ConversationFilter>) =>
  conversations.filter((one) => passesFilter({ ...noFilter, ...more }, one)).map(({ id }) => id);

describe("a filter", () => {
  test("leaves conversations of a kind, of a channel, and of words in any order", () => {
    expect(left({})).toEqual(["release", "icons", "Hana"]);
    expect(left({ kind: "unread" })).toEqual(["release"]);
    expect(left({ kind: "followed" })).toEqual(["icons"]);
    expect(left({ kind: "mentions" })).toEqual(["Hana"]);
    expect(left({ kind: "direct" })).toEqual(["Hana"]);
    expect(left({ channelId: 2 })).toEqual(["icons"]);
    expect(left({ text: " ENGIN rel " })).toEqual(["release"]);
    expect(left({ text: "icones" })).toEqual(["icons"]);
    expect(left({ text: "engineering", channelId: 2 })).toEqual([]);
  });

  test("is of direct messages or of a channel, because none are in both", () => {
    const ofChannel = withChannel(withKind(noFilter, "direct"), 1);
    expect(ofChannel).toEqual({ kind: "all", channelId: 1, text: "" });
    expect(withKind(ofChannel, "direct")).toEqual({
      kind: "direct",
      channelId: undefined,
      text: "",
    });
    expect(withKind(ofChannel, "followed").channelId).toBe(1);
  });

  test("leaves nothing out where it is empty", () => {
    expect(isFiltering({ ...noFilter, text: "  " })).toBe(false);
    expect([
      isFiltering({ ...noFilter, text: "a" }),
      isFiltering(withChannel(noFilter, 1)),
    ]).toEqual([true, true]);
  });
});

test("of very many conversations the first are drawn, in their sections", () => {
  const line = { key: "1:a", topic: "a", ids: [1], hasMention: false, isFollowed: false };
  const section = (count: number): InboxSection => ({
    channel: undefined,
    lines: Array.from({ length: count }, () => line),
  });
  const sections = [section(3), section(3), section(3)];
  expect(firstLines(sections, 4).map(({ lines }) => lines.length)).toEqual([3, 1]);
  expect(lineCountOf(firstLines(sections, 20))).toBe(9);
});
