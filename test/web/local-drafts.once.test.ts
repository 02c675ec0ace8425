import { describe, expect, test } from "bun:test";
import {
  comesBack,
  draftKey,
  joined,
  keyWhenLeft,
  type LocalDraft,
  leftBehind,
  targetOf,
  wireDraft,
  withStored,
} from "../../src/web/model/local-drafts";

const me = 1;
const lunch = { kind: "topic", channelId: 7, topic: "lunch" } as const;
const local = (content: string, more: Partial<LocalDraft> = {}): LocalDraft => ({
  key: "7:lunch",
  target: lunch,
  content,
  changedAt: 5_000,
  ...more,
});
const stored = (id: number, content: string, more = {}) => ({
  id,
  type: "stream",
  to: [7],
  topic: "lunch",
  content,
  timestamp: 9,
  ...more,
});
const attemptOf = (serverKey: string, content: string) => ({
  key: "of no account",
  serverKey,
  content,
  at: 0,
});
const rows = (...drafts: LocalDraft[]) => new Map(drafts.map((draft) => [draft.key, draft]));
const merge = (
  own: ReadonlyMap<string, LocalDraft>,
  drafts: readonly ReturnType<typeof stored>[],
  more: { gone?: number[]; dropped?: number[] } = {},
) =>
  [
    ...withStored(
      own,
      {
        drafts: new Map(drafts.map((draft) => [draft.id, draft])),
        gone: new Set(more.gone),
        dropped: new Set(more.dropped),
      },
      me,
    ).values(),
  ].map(({ key, content, serverId }) => [key, content, serverId]);

describe("texts of the browser and of the server", () => {
  test("that only the server has come here", () => {
    expect(merge(rows(), [stored(3, "from the phone")])).toEqual([
      ["7:lunch", "from the phone", 3],
    ]);
  });

  test("that are one text are linked", () => {
    expect(merge(rows(local("both ")), [stored(3, "both")])).toEqual([["7:lunch", "both ", 3]]);
  });

  test("that differ are both kept", () => {
    expect(merge(rows(local("here")), [stored(3, "there")])).toEqual([
      ["7:lunch", "here", undefined],
      ["stored 3", "there", 3],
    ]);
  });

  test("follow the server where nothing was changed here since", () => {
    const own = local("before", { serverId: 3, isStored: true });
    expect(merge(rows(own), [stored(3, "after")])).toEqual([["7:lunch", "after", 3]]);
    expect(merge(rows({ ...own, isStored: false }), [stored(3, "after")])).toEqual([
      ["7:lunch", "before", 3],
    ]);
  });

  test("stay as they are typed where only blanks differ, or where the server's is an older one", () => {
    const own = local("a word ", { serverId: 3, isStored: true });
    expect(merge(rows(own), [stored(3, "a word")])).toEqual([["7:lunch", "a word ", 3]]);
    expect(merge(rows({ ...own, changedAt: 20_000 }), [stored(3, "a w")])).toEqual([
      ["7:lunch", "a word ", 3],
    ]);
  });

  test("that were deleted elsewhere go away, but not what was written here since", () => {
    const own = local("text", { serverId: 3, isStored: true });
    expect(merge(rows(own), [], { gone: [3] })).toEqual([]);
    expect(merge(rows({ ...own, isStored: false }), [], { gone: [3] })).toEqual([
      ["7:lunch", "text", undefined],
    ]);
    expect(merge(rows(own), [])).toEqual([["7:lunch", "text", 3]]);
  });

  test("that were sent here do not come back", () => {
    expect(merge(rows(), [stored(3, "sent")], { dropped: [3] })).toEqual([]);
  });
});

test("a draft whose page ended before the answer is left behind where no text needs it", () => {
  const drafts = new Map([[3, stored(3, "soup")]]);
  const found = (own: ReadonlyMap<string, LocalDraft>, content: string) =>
    leftBehind(own, { drafts, attempts: [attemptOf("7:lunch", content)] }, me);
  expect(found(rows(), "soup ")).toEqual([3]);
  expect(found(rows(local("something else")), "soup")).toEqual([3]);
  expect(found(rows(local("soup")), "soup")).toEqual([]);
  expect(found(rows({ ...local("soup"), serverId: 3 }), "soup")).toEqual([]);
  expect(found(rows({ ...local("soup"), serverId: 4 }), "soup")).toEqual([3]);
  expect(found(rows(), "salad")).toEqual([]);
  expect(leftBehind(rows(), { drafts, attempts: [] }, me)).toEqual([]);
});

test("a text for nobody yet is found on the server, which does not know its box", () => {
  const own = local("soup", { key: "new direct", target: { kind: "direct", userIds: [] } });
  const draft = stored(3, "soup", { type: "", to: [], topic: "" });
  const drafts = new Map([[3, draft]]);
  const attempts = [attemptOf("new ", "soup")];
  expect(merge(rows(own), [draft])).toEqual([["new direct", "soup", 3]]);
  expect(merge(rows({ ...own, content: "salad" }), [draft])).toEqual([
    ["new direct", "salad", undefined],
    ["new ", "soup", 3],
  ]);
  expect(leftBehind(rows(own), { drafts, attempts }, me)).toEqual([]);
  expect(leftBehind(rows({ ...own, serverId: 4 }), { drafts, attempts }, me)).toEqual([3]);
  expect(leftBehind(rows(), { drafts, attempts }, me)).toEqual([3]);
});

test("a text comes back from the server only if it has one there, and in the same box", () => {
  const own = local("text", { serverId: 3, isStored: true });
  const open = { ...own, target: { ...lunch, topic: "" } };
  const people = { ...own, target: { kind: "direct", userIds: [] } } as const;
  expect(comesBack(own, me)).toBe(true);
  expect(comesBack({ ...own, key: "stored 3" }, me)).toBe(true);
  expect(comesBack({ ...own, isStored: false }, me)).toBe(false);
  expect(comesBack({ ...open, key: "new 7" }, me)).toBe(false);
  expect(comesBack({ ...open, key: "7:" }, me)).toBe(true);
  expect(comesBack({ ...people, key: "new direct" }, me)).toBe(false);
});

describe("a draft", () => {
  test("has the form of the server and comes back from it", () => {
    const direct = { kind: "direct", userIds: [2, 3] } as const;
    for (const target of [lunch, direct]) {
      const wire = wireDraft(local("x", { target }));
      const draft = { ...wire, id: 1, to: [...wire.to] };
      expect(targetOf(draft)).toEqual(target);
    }
    const nobody = { kind: "topic", channelId: undefined, topic: "later" } as const;
    expect(wireDraft(local("x", { target: nobody }))).toMatchObject({ type: "", to: [] });
  });

  test("has one key for a conversation", () => {
    expect(draftKey({ ...lunch, topic: "LUNCH" }, me)).toBe("7:lunch");
    expect(draftKey({ kind: "direct", userIds: [] }, me)).toBe("new direct");
    expect(draftKey({ kind: "topic", channelId: undefined, topic: "" }, me)).toBe("new ");
  });

  test("that was given another recipient belongs to it once its box is left", () => {
    const keyOf = (target: LocalDraft["target"], key = "7:lunch") =>
      keyWhenLeft(local("Secret", { key, target }), me);
    expect(keyOf(lunch)).toBe("7:lunch");
    expect(keyOf({ ...lunch, topic: "Dinner" })).toBe("7:dinner");
    expect(keyOf({ ...lunch, topic: " " })).toBe("new 7");
    expect(keyOf({ ...lunch, topic: "" }, "7:")).toBe("7:");
    expect(keyOf({ kind: "direct", userIds: [2] })).toBe(
      draftKey({ kind: "direct", userIds: [2] }, me),
    );
    expect(keyOf({ kind: "direct", userIds: [] })).toBe("new direct");
    expect(keyOf(lunch, "new 7")).toBe("new 7");
    expect(keyOf(lunch, "stored 12")).toBe("stored 12");
  });

  test("that meets another one is added to it once", () => {
    expect(joined("one", "two")).toBe("one\n\ntwo");
    expect(joined("one\n\ntwo", "two")).toBe("one\n\ntwo");
    expect(joined("", "two")).toBe("two");
  });
});
