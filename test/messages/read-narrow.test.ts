import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { refusal } from "../support/listening";
import { makeWorld, type World } from "../support/world";

let world: World;
/** One letter for each message, in the order in which they were sent. */
const byLetter: Record<string, number> = {};

beforeAll(async () => {
  world = await makeWorld();
  const { alice, bob, carol } = world;
  byLetter["a"] = await alice.say("general", "Lunch", "a");
  byLetter["b"] = await bob.say("general", "lunch", "b");
  byLetter["c"] = await carol.say("general", "✔ done", "c");
  byLetter["d"] = await bob.say("secret", "plan", "d");
  byLetter["e"] = await alice.tell([bob], "e");
  byLetter["f"] = await bob.tell([alice, carol], "f");
  byLetter["g"] = await alice.tell([alice], "g");
  byLetter["h"] = await bob.say("general", "", "h");
  await alice.post("/messages/flags", {
    messages: [byLetter["b"], byLetter["e"]],
    op: "add",
    flag: "starred",
  });
  await alice.post("/messages/flags", {
    messages: [byLetter["a"], byLetter["b"]],
    op: "add",
    flag: "read",
  });
});
afterAll(() => world.close());

async function lettersIn(narrow: unknown): Promise<string> {
  const parameters = {
    anchor: "newest",
    num_before: 50,
    num_after: 0,
    narrow,
    apply_markdown: false,
  };
  const { status, body } = await world.alice.get("/messages", parameters);
  if (status !== 200) return `${status} ${body.code}`;
  return body.messages.map(({ content }: { content: string }) => content).join("");
}

/** Names and ids that are known only when the world stands. */
const resolve = (narrow: unknown): unknown =>
  JSON.parse(
    JSON.stringify(narrow).replace(
      /"\$(\w+)"/g,
      (_, name) =>
        `${byLetter[name] ?? world.channels[name as "general"] ?? world[name as "alice"].id}`,
    ),
  );

describe("Alice narrows in both formats", () => {
  test.each([
    [[], "abcdefgh"],
    [[["channel", "general"]], "abch"],
    [[["stream", "GENERAL"]], "abch"],
    [[["channel", "$general"]], "abch"],
    [[["topic", "lunch"]], "ab"],
    [[["subject", "LUNCH"]], "ab"],
    [[["topic", ""]], "h"],
    [[["topic", "general chat"]], "h"],
    [
      [
        ["channel", "general"],
        ["topic", "plan"],
      ],
      "",
    ],
    [
      [
        ["channel", "general"],
        ["channel", "secret"],
      ],
      "",
    ],
    [[["dm", "bob@example.com"]], "e"],
    [[["pm-with", "bob@example.com, carol@example.com"]], "f"],
    [[["pm-with", "alice@example.com"]], "g"],
    [[["sender", "bob@example.com"]], "bdfh"],
    [[["from", "bob@example.com"]], "bdfh"],
    [[["sender", "$bob"]], "bdfh"],
    [[["id", "$e"]], "e"],
    [[["is", "dm"]], "efg"],
    [[["is", "private"]], "efg"],
    [[["is", "starred"]], "be"],
    [[["is", "unread"]], "cdefgh"],
    [[["is", "resolved"]], "c"],
    [[["is", "mentioned"]], ""],
    [[["is", "alerted"]], ""],
    [
      [
        ["near", "5"],
        ["topic", "lunch"],
      ],
      "ab",
    ],
    [[["-topic", "lunch"]], "cdefgh"],
  ])("in pairs: %j", async (narrow, letters) =>
    expect(await lettersIn(resolve(narrow))).toBe(letters),
  );

  test.each([
    [[{ operator: "channel", operand: "general", negated: false }], "abch"],
    [[{ operator: "channel", operand: "$general", negated: true }], "defg"],
    [[{ operator: "topic", operand: "lunch", negated: true }], "cdefgh"],
    [[{ operator: "dm", operand: ["$bob"] }], "e"],
    [[{ operator: "dm", operand: ["$bob", "$carol"] }], "f"],
    [[{ operator: "dm", operand: ["$alice"] }], "g"],
    [[{ operator: "dm", operand: ["$bob"], negated: true }], "abcdfgh"],
    [[{ operator: "sender", operand: "$alice", negated: true }], "bcdfh"],
    [[{ operator: "id", operand: "$e", negated: true }], "abcdfgh"],
    [[{ operator: "is", operand: "dm", negated: true }], "abcdh"],
    [[{ operator: "is", operand: "starred", negated: true }], "acdfgh"],
    [[{ operator: "is", operand: "unread", negated: true }], "ab"],
    [[{ operator: "is", operand: "resolved", negated: true }], "abdefgh"],
    [[{ operator: "is", operand: "mentioned", negated: true }], "abcdefgh"],
  ])("in objects: %j", async (narrow, letters) =>
    expect(await lettersIn(resolve(narrow))).toBe(letters),
  );

  test.each([
    [[["dm", []]], ""],
    [[["pm-with", []]], ""],
    [[{ operator: "dm", operand: [], negated: true }], "abcdefgh"],
  ])("to an empty list of people, in which nothing is found: %j", async (narrow, letters) => {
    expect(await lettersIn(narrow)).toBe(letters);
    const asked = {
      anchor: "newest",
      num_before: 50,
      num_after: 0,
      narrow,
      op: "add",
      flag: "collapsed",
    };
    const { body } = await world.alice.post("/messages/flags/narrow", asked);
    expect(body.processed_count).toBe(letters.length);
    await world.alice.post("/messages/flags/narrow", { ...asked, op: "remove" });
    const matches = await world.alice.get("/messages/matches_narrow", {
      msg_ids: Object.values(byLetter),
      narrow,
    });
    expect(Object.keys(matches.body.messages)).toHaveLength(letters.length);
  });

  test("by a link to a message: to the conversation that it is in, whatever the link says of it", async () => {
    expect(await lettersIn(resolve([["with", "$b"]]))).toBe("ab");
    expect(
      await lettersIn(
        resolve([
          ["channel", "general"],
          ["topic", "elsewhere"],
          ["with", "$b"],
        ]),
      ),
    ).toBe("ab");
    expect(
      await lettersIn(
        resolve([
          ["dm", ["$bob"]],
          ["with", "$f"],
        ]),
      ),
    ).toBe("f");
    expect(
      await lettersIn(
        resolve([
          ["with", "$b"],
          ["sender", "$bob"],
        ]),
      ),
    ).toBe("b");
    expect(
      await lettersIn(
        resolve([
          ["channel", "general"],
          ["topic", "lunch"],
          ["with", 99_999_999],
        ]),
      ),
    ).toBe("ab");
    expect(await lettersIn(resolve([["with", 99_999_999]]))).toBe("400 BAD_NARROW");
    expect(await lettersIn(resolve([["-with", "$b"]]))).toBe("400 BAD_NARROW");
  });
});

describe("A narrow is refused", () => {
  test.each([
    [[["channel", "nowhere"]]],
    [[["channel", 99_999_999]]],
    [[["-channel", "nowhere"]]],
    [[["sender", "nobody@example.com"]]],
    [[["sender", 99_999_999]]],
    [[["dm", "nobody@example.com"]]],
    [[["is", "nonsense"]]],
    [[["nonsense", "x"]]],
  ])("with BAD_NARROW: %j", async (narrow) =>
    expect(await lettersIn(narrow)).toBe("400 BAD_NARROW"),
  );

  test.each([
    [{ a: 1 }],
    ["x"],
    [5],
    [[null]],
    [[["channel", null]]],
    [[["channel", { $ne: "" }]]],
    [[["topic", ["a"]]]],
    [[["topic", 5]]],
    [[["sender", { $gt: "" }]]],
    [[["sender", 1.5]]],
    [[["id", { $gt: 0 }]]],
    [[["dm", [null]]]],
    [[["dm", [{ $ne: 1 }]]]],
    [[["is", ["unread"]]]],
    [[{ operator: { $ne: "" }, operand: "x" }]],
    [[{ operator: "topic", operand: "x", negated: "yes" }]],
    [JSON.parse("[".repeat(31) + "]".repeat(31))],
  ])("I9: with BAD_REQUEST, objects and lists never reach the query: %j", async (narrow) => {
    expect(await lettersIn(narrow)).toBe("400 BAD_REQUEST");
  });

  test("H11: with BAD_REQUEST when it is nested too deeply to be read", async () => {
    expect(await lettersIn("[".repeat(2000) + "]".repeat(2000))).toBe("400 BAD_REQUEST");
  });

  test("A17: with the same words for another organization's people and channels as for none at all", async () => {
    const { alice, zoe } = world;
    const ask = async (narrow: unknown) => {
      const { status, body } = await alice.get("/messages", {
        anchor: "newest",
        num_before: 1,
        narrow,
      });
      return [status, body.code, body.msg];
    };
    expect(await ask([["sender", zoe.id]])).toEqual(await ask([["sender", 99_999_999]]));
    expect(await ask([["dm", [zoe.id]]])).toEqual(await ask([["dm", [99_999_999]]]));
    const { body } = await zoe.get("/messages", { anchor: "newest", num_before: 9 });
    expect(body.messages).toEqual([]);
    expect(
      refusal(await zoe.get("/messages", { anchor: "newest", narrow: [["channel", "general"]] })),
    ).toBe("400 BAD_NARROW");
  });
});

describe("Alice narrows by what she does with topics and channels, and by what messages have", () => {
  const sent: Record<string, number> = {};
  beforeAll(async () => {
    const { alice, bob, carol, channels } = world;
    const say = async (letter: string, topic: string, content: string) => {
      sent[letter] = await bob.say("general", topic, content);
      byLetter[letter] = sent[letter];
    };
    await say("p", "followed", "p");
    await say("q", "muted", "q");
    await say("r", "linking", "https://example.com/r");
    await say("s", "linking", "@**Alice** s");
    await say("t", "linking", "@**Carol** t");
    sent["u"] = await bob.say("secret", "heard", "u");
    sent["v"] = await bob.say("secret", "other", "v");
    await alice.post("/user_topics", {
      stream_id: channels.general,
      topic: "followed",
      visibility_policy: 3,
    });
    await alice.post("/user_topics", {
      stream_id: channels.general,
      topic: "MUTED",
      visibility_policy: 1,
    });
    await alice.post("/user_topics", {
      stream_id: channels.secret,
      topic: "heard",
      visibility_policy: 2,
    });
    const data = [{ stream_id: channels.secret, property: "is_muted", value: true }];
    await alice.post("/users/me/subscriptions/properties", { subscription_data: data });
    await carol.post(`/messages/${sent["p"]}/reactions`, { emoji_name: "tada" });
  });

  /** The letters of what is found among these messages. */
  async function found(...narrow: unknown[]): Promise<string> {
    const parameters = { anchor: "newest", num_before: 100, num_after: 0, narrow: resolve(narrow) };
    const { status, body } = await world.alice.get("/messages", parameters);
    if (status !== 200) return `${status} ${body.code}`;
    const ids = body.messages.map(({ id }: { id: number }) => id);
    return Object.entries(sent)
      .filter(([, id]) => ids.includes(id))
      .map(([letter]) => letter)
      .join("");
  }

  test.each([
    // A topic in which she is mentioned is followed by itself.
    [["is", "followed"], "prst"],
    [["-is", "followed"], "quv"],
    [["is", "muted"], "qv"],
    [["-is", "muted"], "prstu"],
    [["in", "home"], "prstu"],
    [["-in", "home"], "qv"],
    [["in", "all"], "pqrstuv"],
    [["has", "reaction"], "p"],
    [["-has", "reaction"], "qrstuv"],
    [["has", "link"], "r"],
    [["-has", "link"], "pqstuv"],
    [["has", "image"], ""],
    [["has", "attachment"], ""],
    [["is", "mentioned"], "s"],
    [["mentions", "$alice"], "s"],
    [["mentions", "carol@example.com"], "t"],
    [["-mentions", "$carol"], "pqrsuv"],
    [["channels", "public"], "pqrst"],
    [["-channels", "public"], "uv"],
    [["streams", "archived"], ""],
    [["channels", "web-public"], ""],
    [["-channels", "web-public"], "pqrstuv"],
    [["mentions", "nobody@example.com"], "400 BAD_NARROW"],
  ])("%j", async (term, letters) => expect(await found(term)).toBe(letters));

  test("together", async () => {
    expect(await found(["channel", "secret"], ["-is", "muted"])).toBe("u");
    expect(
      await found(["sender", "$bob"], ["-has", "link"], ["in", "home"], ["channel", "general"]),
    ).toBe("pst");
    expect(await found(["has", "reaction"], ["is", "followed"], ["search", "p"])).toBe("p");
    expect(await found(["topic", "linking"], ["-mentions", "$alice"], ["-has", "link"])).toBe("t");
  });

  test("A14: and finds mentions of others only where she may read", async () => {
    const { bob, carol, otto, greta, channels } = world;
    const id = await bob.say("secret", "t", "@**Alice** in secret");
    for (const person of [carol, otto, greta]) {
      const ask = async (narrow: unknown) =>
        (await person.get("/messages", { anchor: "newest", num_before: 9, narrow })).body.messages;
      const there = (await ask([["mentions", world.alice.id]])).map(
        (one: { id: number }) => one.id,
      );
      expect(there).not.toContain(id);
      expect(
        await ask([
          ["mentions", world.alice.id],
          ["channels", "public"],
          ["search", "secret"],
        ]),
      ).toEqual([]);
    }
    expect(
      refusal(
        await otto.get("/messages", {
          anchor: "newest",
          num_before: 9,
          narrow: [["channel", channels.secret]],
        }),
      ),
    ).toBe("400 BAD_NARROW");
  });
});
