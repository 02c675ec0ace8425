import { describe, expect, test } from "bun:test";
import { matchOf } from "../../src/web/compose/matching";
import { offersFor, type Surroundings } from "../../src/web/compose/offers";
import { queryAt } from "../../src/web/compose/query";
import { writtenName } from "../../src/web/model/mentions";

const user = (user_id: number, full_name: string, more = {}) => ({
  user_id,
  full_name,
  is_active: true,
  is_bot: false,
  ...more,
});
const people = [
  user(1, "Amara Okafor"),
  user(2, "Hana Sato"),
  user(3, "Dalia Haddad"),
  user(4, "Emil Novák"),
  user(5, "Harald Blau"),
  user(6, "Emil Novák"),
  user(7, "Old Hand", { is_active: false }),
  user(8, "<script>alert(1)</script>"),
  user(9, "جون بارك"),
];
const channel = (stream_id: number, name: string, standing = "subscribed") => ({
  stream_id,
  name,
  standing,
  is_archived: false,
});
const byId = <Row>(rows: readonly Row[], idOf: (row: Row) => unknown) =>
  new Map(rows.map((row) => [idOf(row), row]));

const groups = [
  {
    id: 50,
    name: "hardware",
    members: new Set([1, 2]),
    direct_subgroup_ids: new Set(),
    is_system_group: false,
    deactivated: false,
    can_mention_group: 51,
  },
  {
    id: 51,
    name: "role:members",
    members: new Set([1]),
    direct_subgroup_ids: new Set(),
    is_system_group: true,
  },
];

const surroundings = (more: Partial<Surroundings> = {}): Surroundings =>
  ({
    model: {
      me: 1,
      users: byId(people, ({ user_id }) => user_id),
      groups: byId(groups, ({ id }) => id),
      channels: byId(
        [
          channel(10, "engineering"),
          channel(11, "design"),
          channel(12, "desk", "never"),
          channel(13, "a*b"),
        ],
        ({ stream_id }) => stream_id,
      ),
      conversations: new Map([
        ["5", 100],
        ["2", 90],
      ]),
      mutedUsers: new Set(),
      emoji: new Map([["7", { id: "7", name: "thumbs_chatd", deactivated: false }]]),
      snippets: new Map([[1, { id: 1, title: "Thanks", content: "Thank you all!" }]]),
    },
    target: { kind: "topic", channelId: 10, topic: "release 2.0" },
    writers: [3],
    members: new Set<number>(),
    topicsOf: (channelId: number) => (channelId === 10 ? ["release 2.0", "flaky test"] : []),
    emojiNames: [
      { name: "+1", code: "1f44d" },
      { name: "thumbs_up", code: "1f44d" },
      { name: "thumbs_down", code: "1f44e" },
      { name: "smile", code: "1f642" },
      { name: "cat_smile", code: "1f638" },
      { name: "snap", code: "1faf0" },
      { name: "thumb", code: "1faf0" },
    ],
    names: {
      channelName: () => "a*b",
      channelId: () => undefined,
      personName: () => undefined,
      personId: () => undefined,
    },
    now: Date.UTC(2026, 0, 1, 12, 30),
    ...more,
  }) as unknown as Surroundings;

function offered(text: string, more: Partial<Surroundings> = {}) {
  const query = queryAt(text, text.length);
  return query ? offersFor(query, surroundings(more)) : [];
}
const names = (text: string, more: Partial<Surroundings> = {}) =>
  offered(text, more).map(({ name }) => name);
const texts = (text: string, more: Partial<Surroundings> = {}) =>
  offered(text, more).map((offer) => offer.text);

describe("words at the caret", () => {
  const cases: [text: string, kind: string | undefined, typed: string | undefined][] = [
    ["@", "person", ""],
    ["hello @ha", "person", "ha"],
    ["hello @hana sa", "person", "hana sa"],
    ["(@_ha", "person", "ha"],
    ["@**ha", "person", "ha"],
    ["mail me@example", undefined, undefined],
    ["meet @ home", undefined, undefined],
    ["#des", "channel", "des"],
    ["# heading", undefined, undefined],
    ["see #engineering>fl", "topic", "fl"],
    ["see #**engineering** >fl", "topic", "fl"],
    [":s", undefined, undefined],
    [":sm", "emoji", "sm"],
    ["12:30", undefined, undefined],
    ["http://x", undefined, undefined],
    ["<tim", "time", ""],
    ["/po", "command", "po"],
    ["either/or", undefined, undefined],
    ["`@ha", undefined, undefined],
    ["```\n@ha", undefined, undefined],
    ["```\na\n```\n@ha", "person", "ha"],
    ["hello @a\nb", undefined, undefined],
  ];
  test.each(cases)("of %j are %s", (text, kind, typed) => {
    const query = queryAt(text, text.length);
    expect([query?.kind, query?.typed]).toEqual([kind, typed] as never);
  });
});

describe("a name fits", () => {
  test("where it or one of its words begins with what was typed, whatever the case and accents", () => {
    expect(matchOf("Hana Sato", "ha")).toEqual({ rank: 0, start: 0, end: 2 });
    expect(matchOf("Dalia Haddad", "HA")).toEqual({ rank: 1, start: 6, end: 8 });
    expect(matchOf("Emil Novák", "novak")).toEqual({ rank: 1, start: 5, end: 10 });
    expect(matchOf("Zoë", "zoe")).toEqual({ rank: 0, start: 0, end: 3 });
    expect(matchOf("Chad", "ha")).toBeUndefined();
    expect(matchOf("Hana", "hana sato")).toBeUndefined();
    expect(matchOf("جون بارك", "بار")).toEqual({ rank: 1, start: 4, end: 7 });
    // Accents that are letters of their own: places count them.
    expect(matchOf("Emil Nova\u0301k", "novak")).toEqual({ rank: 1, start: 5, end: 11 });
    expect(matchOf("A\u0301ron", "ar")).toEqual({ rank: 0, start: 0, end: 3 });
    expect(matchOf("anything", "")).toEqual({ rank: 0, start: 0, end: 0 });
  });
});

describe("offers of people", () => {
  test("begin with prefixes of the name, then of a word, then those of the topic and of late", () => {
    expect(names("@ha")).toEqual(["Harald Blau", "Hana Sato", "hardware", "Dalia Haddad"]);
    expect(names("@ha", { writers: [2] })[0]).toBe("Hana Sato");
    expect(names("@ha", { members: new Set([2]) })[0]).toBe("Hana Sato");
    expect(names("@")).toEqual([
      "Dalia Haddad",
      "topic",
      "all",
      "Harald Blau",
      "Hana Sato",
      "hardware",
      "<script>alert(1)</script>",
      "Amara Okafor",
    ]);
  });

  test("leave out accounts that have ended, and groups of the system", () => {
    expect(names("@old")).toEqual([]);
    expect(names("@role")).toEqual([]);
  });

  test("tell two of one name apart by their ids", () => {
    expect(texts("@emil")).toEqual(["@**Emil Novák|4** ", "@**Emil Novák|6** "]);
    expect(texts("@hana")).toEqual(["@**Hana Sato** "]);
    const { model } = surroundings();
    expect(writtenName({ user_id: 99, full_name: "a|b" }, model)).toBe("a|b|99");
  });

  test("that notify nobody name no wildcards", () => {
    expect(texts("@_ha")).toContain("@_**Hana Sato** ");
    expect(texts("@_ha")).toContain("@_*hardware* ");
    expect(names("@_all")).toEqual([]);
    expect(texts("@all")).toEqual(["@**all** "]);
  });

  test("hold groups that the person may mention", () => {
    expect(texts("@hardw")).toEqual(["@*hardware* "]);
    const { model } = surroundings();
    expect(names("@hardw", { model: { ...model, me: 2 } })).toEqual([]);
  });
});

describe("offers of channels and topics", () => {
  test("begin with channels that one is in", () => {
    expect(names("#de")).toEqual(["design", "desk"]);
    expect(texts("#des")).toEqual(["#**design** ", "#**desk** "]);
  });

  test("are links by number where a name has signs of its own", () => {
    expect(texts("#a*b")).toEqual([]);
    expect(texts("#a")).toEqual(["[#a\\*b](#narrow/channel/13-a.2Ab) "]);
  });

  test("are topics of the channel that is named, the newest first", () => {
    expect(names("#engineering>")).toEqual(["release 2.0", "flaky test"]);
    expect(texts("#Engineering>fla")).toEqual(["#**engineering>flaky test** "]);
    expect(names("#nowhere>")).toEqual([]);
  });
});

describe("offers of other things", () => {
  test("are emoji, each once, those that are used most before others, own ones too", () => {
    expect(names(":thumbs")).toEqual(["thumbs_up", "thumbs_chatd", "thumbs_down"]);
    expect(names(":thumb").slice(0, 2)).toEqual(["thumbs_up", "thumb"]);
    expect(names(":smile")).toEqual(["smile", "cat_smile"]);
    expect(texts(":+1")).toEqual([":+1: "]);
  });

  test("are moments of the world's clock", () => {
    expect(texts("<time")[0]).toBe("<time:2026-01-01T13:00:00Z> ");
  });

  test("are own texts, and words that begin a message at its beginning", () => {
    expect(texts("/tha")).toEqual(["Thank you all!"]);
    expect(names("/p")).toEqual(["poll"]);
    expect(names("hello\n/p")).toEqual([]);
    expect(texts("hello\n/tha")).toEqual(["Thank you all!"]);
  });
});
