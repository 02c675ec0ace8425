import { beforeAll, describe, expect, test } from "bun:test";
import { refusal } from "../support/listening";
import { shareWorld } from "../support/shared-world";
import type { World } from "../support/world";

const newestAnchor = 10_000_000_000_000_000;

let world: World;
const ownWorld = shareWorld((given) => {
  world = given;
});
/** Ten messages in `general`, alice's and bob's by turns. */
const ids: number[] = [];
beforeAll(async () => {
  for (let n = 0; n < 10; n++)
    ids.push(await (n % 2 ? world.bob : world.alice).say("general", `t${n % 3}`, `no ${n}`));
});

const id = (index: number) => ids.at(index) ?? 0;

const read = async (parameters: object) =>
  (await world.carol.get("/messages", { ...parameters })).body;

/** Messages that were read, in short: which of the ten, and what was found. */
async function readInShort(anchor: unknown, before: number, after: number, more = {}) {
  const body = await read({ anchor, num_before: before, num_after: after, ...more });
  const found = ["oldest", "anchor", "newest"].filter((name) => body[`found_${name}`]).join(" ");
  return `${body.messages.map((message: { id: number }) => ids.indexOf(message.id)).join("")} ${found}`.trim();
}

describe("Carol reads around an anchor", () => {
  test("the newest", async () => {
    expect(await readInShort("newest", 3, 0)).toBe("789 newest");
    expect(await readInShort("newest", 3, 3)).toBe("789 newest");
    expect(await readInShort("newest", 100, 0)).toBe("0123456789 oldest newest");
    expect(await readInShort(newestAnchor, 2, 0)).toBe("89 newest");
    expect(await readInShort("1e16", 2, 0)).toBe("89 newest");
    expect(await read({ anchor: "newest", num_before: 1 })).toMatchObject({
      anchor: newestAnchor,
      history_limited: false,
    });
  });

  test("the oldest", async () => {
    expect(await readInShort("oldest", 0, 3)).toBe("012 oldest");
    expect(await readInShort(0, 5, 3)).toBe("012 oldest");
    expect(await readInShort(-5, 1, 1)).toBe("0 oldest");
    expect((await read({ anchor: "oldest", num_after: 1 })).anchor).toBe(0);
  });

  test("an id, on both sides, or without the anchor itself", async () => {
    expect(await readInShort(id(4), 2, 3)).toBe("234567 anchor");
    expect(await readInShort(id(4), 0, 0)).toBe("4 anchor");
    expect(await readInShort(id(1), 5, 0)).toBe("01 oldest anchor");
    expect(await readInShort(id(8), 0, 5)).toBe("89 anchor newest");
    expect(await readInShort(id(4), 2, 0, { include_anchor: false })).toBe("23");
    expect(await readInShort(id(4), 0, 2, { include_anchor: false })).toBe("56");
    expect(await readInShort(id(-1) + 1000, 2, 2)).toBe("89 newest");
    expect(await readInShort(`${id(4)}`, 1, 0)).toBe("34 anchor");
    expect(await readInShort(`"${id(4)}"`, 1, 0)).toBe("34 anchor");
  });

  test("the first unread", async () => {
    const { carol } = world;
    expect(await readInShort("first_unread", 2, 2)).toBe("012 oldest anchor");
    await carol.post("/messages/flags", { messages: ids.slice(0, 4), op: "add", flag: "read" });
    expect(await readInShort("first_unread", 1, 1)).toBe("345 anchor");
    expect(await readInShort("newest", 1, 1, { use_first_unread_anchor: true })).toBe("345 anchor");
    expect(await readInShort("first_unread", 0, 1, { narrow: [["topic", "t0"]] })).toBe(
      "69 anchor",
    );
    await carol.post("/messages/flags", { messages: ids, op: "add", flag: "read" });
    expect(await readInShort("first_unread", 1, 1)).toBe("9 newest");
    expect((await read({ anchor: "first_unread", num_before: 1 })).anchor).toBe(newestAnchor);
  });

  test("within a narrow that does not hold the anchor", async () => {
    const narrow = [["topic", "t0"]];
    expect(await readInShort(id(4), 2, 1, { narrow })).toBe("036");
    expect(await readInShort("newest", 9, 0, { narrow })).toBe("0369 oldest newest");
  });

  test("and is refused what makes no sense", async () => {
    const { carol } = world;
    const nonsense = [
      {},
      { num_before: 1, num_after: 1 },
      { anchor: "first", num_before: 1 },
      { anchor: "1.5", num_before: 1 },
      { anchor: id(4), num_before: 1, num_after: 1, include_anchor: false },
      { anchor: "newest", num_before: -1 },
      { anchor: "newest", num_before: 2.5 },
      { anchor: "newest", num_before: "many" },
      { anchor: "newest", num_before: 5001 },
      { anchor: "newest", num_before: 3000, num_after: 3000 },
    ];
    for (const parameters of nonsense) {
      expect([parameters, refusal(await carol.get("/messages", parameters))]).toEqual([
        parameters,
        "400 BAD_REQUEST",
      ]);
    }
  });
});

describe("Carol reads by id", () => {
  test("several messages, oldest first; those that do not exist are left out", async () => {
    const body = await read({ message_ids: [id(7), id(2), id(2), 99_999_999] });
    expect(body.messages.map((message: { id: number }) => message.id)).toEqual([id(2), id(7)]);
    expect(body).toMatchObject({ found_oldest: false, found_anchor: false, found_newest: false });
    expect((await read({ message_ids: [] })).messages).toEqual([]);
  });

  test("or around an anchor, not both; and only ids", async () => {
    const { carol } = world;
    const both = await carol.get("/messages", {
      message_ids: [id(2)],
      anchor: "newest",
      num_before: 1,
    });
    expect([refusal(both), both.body.parameters]).toEqual([
      "400 BAD_REQUEST",
      expect.stringContaining("message_ids"),
    ]);
    const counts = { num_before: 0, num_after: 0 };
    const unused = { ...counts, use_first_unread_anchor: false, include_anchor: true };
    expect((await read({ message_ids: [id(2)], ...unused })).messages).toHaveLength(1);
    for (const more of [{ num_after: 1 }, { use_first_unread_anchor: true }, { anchor: 0 }])
      expect(
        refusal(await carol.get("/messages", { message_ids: [id(2)], ...counts, ...more })),
      ).toBe("400 BAD_REQUEST");
    for (const wrong of ["x", 5, [null], ["a"], [1.5], [{}]]) {
      expect(refusal(await carol.get("/messages", { message_ids: wrong }))).toBe("400 BAD_REQUEST");
    }
  });

  test("one message, with its source", async () => {
    const { carol } = world;
    const { body } = await carol.get(`/messages/${id(3)}`);
    expect(body).toMatchObject({
      result: "success",
      raw_content: "no 3",
      message: { id: id(3), content: "<p>no 3</p>" },
    });
    expect(
      (await carol.get(`/messages/${id(3)}`, { apply_markdown: false })).body.message,
    ).toMatchObject({
      content: "no 3",
      content_type: "text/x-markdown",
    });
    for (const wrong of ["99999999", "x", "-1", "1.5", "99999999999999999999"]) {
      expect(refusal(await carol.get(`/messages/${wrong}`))).toBe("400 BAD_REQUEST");
    }
  });
});

describe("Messages are shown", () => {
  const newest = async (more: object) =>
    (await read({ anchor: "newest", num_before: 1, ...more })).messages[0];

  test("as HTML, or as source", async () => {
    expect(await newest({})).toMatchObject({ content: "<p>no 9</p>", content_type: "text/html" });
    expect(await newest({ apply_markdown: false })).toMatchObject({
      content: "no 9",
      content_type: "text/x-markdown",
    });
  });

  test("with the avatar's address only where the client cannot work it out", async () => {
    expect((await newest({})).avatar_url).toBeNull();
    expect((await newest({ client_gravatar: false })).avatar_url).toMatch(/^https?:\/\/|^\//);
  });

  test("with an empty topic, or a name for it", async () => {
    const { alice } = await ownWorld();
    await alice.say("general", "", "x");
    expect((await newest({ allow_empty_topic_name: true })).subject).toBe("");
    expect((await newest({})).subject).toBe("general chat");
  });

  test("with the members that every client reads, and no others", async () => {
    expect(Object.keys(await newest({})).sort()).toEqual(
      [
        ..."avatar_url client content content_type display_recipient flags id is_me_message reactions recipient_id".split(
          " ",
        ),
        ..."sender_email sender_full_name sender_id sender_realm_str stream_id subject submessages timestamp".split(
          " ",
        ),
        ..."topic_links type".split(" "),
      ].sort(),
    );
  });
});
