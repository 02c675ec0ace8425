import { describe, expect, test } from "bun:test";
import { and, eq } from "drizzle-orm";
import { write } from "../../src/core/write";
import { catchUp } from "../../src/messages/search/indexing";
import { refusal } from "../support/listening";
import { shareWorld } from "../support/shared-world";
import type { Person, World } from "../support/world";

let world: World;
const ownWorld = shareWorld((given) => {
  world = given;
});

interface Found {
  id: number;
  match_content: string;
  match_subject: string;
}

async function find(person: Person, words: string, ...narrow: unknown[]): Promise<Found[]> {
  const parameters = {
    anchor: "newest",
    num_before: 50,
    num_after: 0,
    narrow: [["search", words], ...narrow],
  };
  const { status, body } = await person.get("/messages", parameters);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body.messages;
}

const idsOf = async (person: Person, words: string, ...narrow: unknown[]): Promise<unknown> =>
  (await find(person, words, ...narrow)).map(({ id }) => id);

const mark = (word: string) => `<span class="highlight">${word}</span>`;

/** Number of messages that the index has, and number that wait to be indexed anew. */
async function indexed() {
  const { reader } = world.app.engine;
  const { t, db } = reader;
  const [words, changes] = [
    await db.select().from(t.messageWords),
    await db.select().from(t.searchChanges),
  ];
  return { messages: words.length, waiting: changes.length };
}

describe("Alice finds", () => {
  test("words in content and topic, in any of their forms, whatever their case and accents", async () => {
    const { alice, bob } = await ownWorld();
    const first = await alice.say("general", "fruit", "red apple **one**");
    const second = await bob.say("general", "Apples", "case six");
    const third = await bob.say("general", "fruit", "Le café des pommes");
    expect(await idsOf(alice, "APPLES")).toEqual([first, second]);
    expect(await idsOf(alice, "apple one")).toEqual([first]);
    expect(await idsOf(alice, "cafe")).toEqual([third]);
    expect(await idsOf(alice, "apple pommes")).toEqual([]);
    expect(await idsOf(alice, "fruit")).toEqual([first, third]);
    expect(await find(alice, "apple")).toMatchObject([
      { match_content: `<p>red ${mark("apple")} <strong>one</strong></p>`, match_subject: "fruit" },
      { match_content: "<p>case six</p>", match_subject: mark("Apples") },
    ]);
  });

  test("the word mentioned like any other: in what came to the one who searches", async () => {
    const { alice, otto } = await ownWorld();
    const id = await alice.say("general", "t", "an apple was mentioned");
    for (const word of ["apple", "mentioned"]) {
      expect(await idsOf(alice, word)).toEqual([id]);
      expect(await idsOf(otto, word)).toEqual([]);
    }
  });

  test("a phrase at the end of a long text, whose words stand in it hundreds of times before", async () => {
    const { alice, bob } = world;
    const tea = await bob.say(
      "general",
      "お茶",
      `${"今日の夜の本の話".repeat(400)}。京都のお茶の会`,
    );
    const soup = await bob.say(
      "general",
      "soup",
      `${"The pan of the cook. ".repeat(400)}End of the soup`,
    );
    expect(await idsOf(alice, "京都のお茶")).toEqual([tea]);
    expect(await idsOf(alice, '"end of the soup"')).toEqual([soup]);
    expect(await idsOf(alice, '"pan of the soup"')).toEqual([]);
    expect(await idsOf(alice, "夜の本の会")).toEqual([]);
  });

  test("phrases, addresses and text without spaces", async () => {
    const { alice } = world;
    const forth = await alice.say("general", "t", "green apple pie");
    const back = await alice.say("general", "t", "apple green pie");
    const address = await alice.say("general", "t", "write to soup.chef@example.com");
    const japanese = await alice.say("general", "t", "今日は日本語のテストです");
    expect(await idsOf(alice, '"green apple"')).toEqual([forth]);
    expect(await idsOf(alice, "green apple")).toEqual([forth, back]);
    expect(await idsOf(alice, '"apple pie" green')).toEqual([forth]);
    expect(await idsOf(alice, "soup.chef@example.com")).toEqual([address]);
    expect(await idsOf(alice, "chef.soup")).toEqual([]);
    expect(await idsOf(alice, "日本")).toEqual([japanese]);
    expect(await idsOf(alice, "本日")).toEqual([]);
    expect((await find(alice, "日本"))[0]?.match_content).toBe(
      `<p>今日は${mark("日本")}語のテストです</p>`,
    );
    // The last word of a topic and the first of the content are no phrase.
    const apart = await alice.say("general", "ends here", "begins there");
    expect(await idsOf(alice, '"here begins"')).toEqual([]);
    expect(await idsOf(alice, "here begins")).toEqual([apart]);
  });

  test("in a part of what she may read, newest last, and around any anchor", async () => {
    const { alice, bob, carol } = await ownWorld();
    const ids: number[] = [];
    for (let i = 0; i < 6; i++)
      ids.push(await (i % 2 ? bob : alice).say("general", `topic ${i % 3}`, `common ${i}`));
    const direct = await bob.tell([alice], "common too");
    const among = await carol.tell([alice, bob], "common for three");
    expect(await idsOf(alice, "common")).toEqual([...ids, direct, among]);
    expect(await idsOf(alice, "common", ["channel", "general"], ["topic", "topic 1"])).toEqual([
      ids[1],
      ids[4],
    ]);
    expect(await idsOf(alice, "common", ["sender", bob.id], ["-is", "dm"])).toEqual([
      ids[1],
      ids[3],
      ids[5],
    ]);
    expect(await idsOf(alice, "common", ["is", "dm"])).toEqual([direct, among]);
    expect(await idsOf(alice, "common", ["dm", [bob.id]])).toEqual([direct]);
    expect(await idsOf(alice, "common", ["dm-including", bob.id])).toEqual([direct, among]);
    const narrow = [["search", "common"]];
    const around = await alice.get("/messages", {
      anchor: ids[2],
      num_before: 1,
      num_after: 2,
      narrow,
    });
    expect(around.body).toMatchObject({
      found_anchor: true,
      found_oldest: false,
      found_newest: false,
    });
    expect(around.body.messages.map(({ id }: Found) => id)).toEqual([
      ids[1],
      ids[2],
      ids[3],
      ids[4],
    ]);
    const { body } = await alice.get("/messages", {
      anchor: "oldest",
      num_before: 0,
      num_after: 50,
      narrow,
    });
    expect(body).toMatchObject({ anchor: 0, found_oldest: true, found_newest: true });
    expect(body.messages).toHaveLength(8);
  });

  test("which of some messages by id have it", async () => {
    const { alice, bob } = world;
    const one = await alice.say("general", "t", "common one");
    const two = await bob.say("general", "t", "other two");
    const three = await alice.say("general", "t", "common three");
    const ask = async (narrow: unknown[]) =>
      (await alice.get("/messages", { message_ids: [three, two, one, 99_999_999], narrow })).body
        .messages;
    expect((await ask([["search", "common"]])).map(({ id }: Found) => id)).toEqual([one, three]);
    expect((await ask([["search", "common"]]))[0].match_content).toBe(
      `<p>${mark("common")} one</p>`,
    );
    expect((await ask([["sender", bob.id]])).map(({ id }: Found) => id)).toEqual([two]);
    expect((await ask([])).map(({ id }: Found) => id)).toEqual([one, two, three]);
  });

  test("the first that she has not read", async () => {
    const { alice, bob } = await ownWorld();
    const read = await bob.say("general", "t", "common a");
    await bob.say("general", "t", "other");
    const unread = await bob.say("general", "t", "common b");
    await alice.post("/messages/flags", { messages: [read], op: "add", flag: "read" });
    const asked = {
      anchor: "first_unread",
      num_before: 5,
      num_after: 5,
      narrow: [["search", "common"]],
    };
    const { body } = await alice.get("/messages", asked);
    expect(body.anchor).toBe(unread);
    expect(body.messages.map(({ id }: Found) => id)).toEqual([read, unread]);
  });

  test("nothing for what has no word in it, and hears so for too many words", async () => {
    const { alice } = world;
    await alice.say("general", "t", "!!! 🎉");
    for (const empty of ["!!!", '""', "🎉", "zzz"]) expect(await idsOf(alice, empty)).toEqual([]);
    const half = ["search", "a ".repeat(51)];
    for (const narrow of [[["search", "a ".repeat(101)]], [half, half]])
      expect(
        refusal(await alice.get("/messages", { anchor: "newest", num_before: 1, narrow })),
      ).toBe("400 BAD_NARROW");
  });

  test("what others wrote in the language of the engine as the words that it is", async () => {
    const { alice } = world;
    const id = await alice.say("general", "t", `NEAR("a b", 5) AND col:x OR 'y' <-> !z & w* ^v`);
    for (const words of [`NEAR("a b", 5)`, "col:x OR 'y'", "<-> !z & w*", "' | '", '" OR "', "^v"])
      expect(await find(alice, words)).toBeArray();
    expect(await idsOf(alice, "col:x OR 'y'")).toEqual([id]);
    expect(await idsOf(alice, "nothing OR w*")).toEqual([]);
  });
});

describe("What is found is what is there", () => {
  test("right after it was sent, edited, moved and deleted", async () => {
    const { alice, bob, operator } = await ownWorld();
    const id = await alice.say("general", "old place", "first words");
    expect(await idsOf(bob, "first")).toEqual([id]);
    expect((await alice.patch(`/messages/${id}`, { content: "second words" })).status).toBe(200);
    expect(await idsOf(bob, "first")).toEqual([]);
    expect(await idsOf(bob, "second place")).toEqual([id]);
    const { t } = operator.app.engine.reader;
    await write(operator, (tx) =>
      tx.db
        .update(t.messages)
        .set({ topic: "new home", topicKey: "new home" })
        .where(eq(t.messages.id, id)),
    );
    expect(await idsOf(bob, "place")).toEqual([]);
    expect(await idsOf(bob, "home", ["topic", "new home"])).toEqual([id]);
    expect(await indexed()).toEqual({ messages: 1, waiting: 0 });
    expect((await world.olga.delete(`/messages/${id}`)).status).toBe(200);
    expect(await idsOf(bob, "second")).toEqual([]);
    expect(await indexed()).toEqual({ messages: 0, waiting: 0 });
  });

  test("B2: moved to a private channel it is gone for those outside, and for nobody inside", async () => {
    const { alice, bob, carol, channels, operator } = await ownWorld();
    const id = await bob.say("general", "t", "moving words");
    expect(await idsOf(carol, "moving")).toEqual([id]);
    const { t } = operator.app.engine.reader;
    await write(operator, (tx) =>
      tx.db.update(t.messages).set({ channelId: channels.plans }).where(eq(t.messages.id, id)),
    );
    expect(await idsOf(carol, "moving")).toEqual([]);
    expect(await idsOf(carol, "moving", ["channels", "public"])).toEqual([]);
    expect(await idsOf(alice, "moving", ["channel", "plans"])).toEqual([id]);
  });

  test("also of an organization whose index has never been made, however much it is", async () => {
    const { alice, operator, realm } = await ownWorld();
    const { t } = operator.app.engine.reader;
    const { body } = await alice.get("/messages", { anchor: "newest", num_before: 1 });
    expect(body.messages).toEqual([]);
    const old = Array.from({ length: 1_203 }, (_, i) => ({
      realmId: realm.id,
      senderId: alice.id,
      channelId: world.channels.general,
      placedAt: 0,
      client: "old",
      sentChannelId: world.channels.general,
      topic: "Old",
      topicKey: "old",
      content: "",
      sentAt: i,
      renderedContent: `<p>stored <em>number${i}</em></p>`,
      readBySender: false,
    }));
    await write(operator, (tx) => tx.db.insert(t.messages).values(old));
    expect(await indexed()).toEqual({ messages: 0, waiting: 0 });
    expect((await find(alice, "number1202"))[0]?.match_content).toContain(mark("number1202"));
    expect(await indexed()).toEqual({ messages: 1_203, waiting: 0 });
    expect(await find(alice, "stored")).toHaveLength(50);
    expect(await find(alice, "number0")).toHaveLength(1);
  });

  test("where thousands have the words and few the rest", async () => {
    const { alice, bob, operator, realm, channels } = await ownWorld();
    const common = Array.from({ length: 4_500 }, (_, i) => ({
      realmId: realm.id,
      senderId: i % 1_500 === 7 ? bob.id : alice.id,
      channelId: channels.general,
      placedAt: 0,
      sentChannelId: channels.general,
      topic: "Old",
      topicKey: "old",
      content: "",
      sentAt: i,
      client: "old",
      renderedContent: `<p>common</p>`,
      readBySender: false,
    }));
    const rows = await write(operator, async (tx) => {
      const stored: { id: number; senderId: number }[] = [];
      for (let from = 0; from < common.length; from += 500) {
        const { messages: t } = tx.t;
        const some = tx.db.insert(t).values(common.slice(from, from + 500));
        stored.push(...(await some.returning({ id: t.id, senderId: t.senderId })));
      }
      return stored;
    });
    const bobs = rows.filter(({ senderId }) => senderId === bob.id).map(({ id }) => id);
    const [first = 0] = bobs;
    await alice.post("/messages/flags", { messages: [first], op: "add", flag: "starred" });
    await alice.post(`/messages/${first}/reactions`, { emoji_name: "tada" });
    expect(await idsOf(alice, "common", ["-sender", alice.id])).toEqual(bobs);
    expect(await idsOf(alice, "common", ["is", "starred"])).toEqual([first]);
    expect(await idsOf(alice, "common", ["has", "reaction"])).toEqual([first]);
    expect(
      await idsOf(alice, "common", ["is", "unread"], ["-sender", alice.id], ["has", "reaction"]),
    ).toEqual([first]);
    const narrow = [
      ["-sender", alice.id],
      ["search", "common"],
    ];
    const { body } = await alice.get("/messages", {
      anchor: "oldest",
      num_before: 0,
      num_after: 2,
      narrow,
    });
    expect(body.messages.map(({ id }: Found) => id)).toEqual(bobs.slice(0, 2));
    expect(body.found_newest).toBe(false);
  });

  test("and soon after it was sent without anybody searching", async () => {
    const { alice, clock, app } = await ownWorld();
    await alice.say("general", "t", "soon found");
    clock.advance(1);
    await catchUp(app, app.engine.reader, world.realm.id);
    expect(await indexed()).toEqual({ messages: 1, waiting: 0 });
  });

  test("for all who search at once", async () => {
    const { alice, bob, carol, olga, zoe } = world;
    for (let round = 0; round < 3; round++) {
      const id = await alice.say("general", "t", `round ${round}`);
      const everybody = [alice, bob, carol, olga, alice, bob, carol, olga];
      const answers = await Promise.all(everybody.map((one) => idsOf(one, `"round ${round}"`)));
      expect(answers).toEqual(everybody.map(() => [id]));
      expect(await idsOf(zoe, "round")).toEqual([]);
    }
  });
});

describe("A client asks which of the messages that came are of its narrow", () => {
  test("and gets those with what was found", async () => {
    const { alice, bob } = world;
    const one = await bob.say("general", "apples", "red <one>");
    const two = await bob.say("general", "pears & plums", "green two");
    const ask = async (narrow: unknown) =>
      (await alice.get("/messages/matches_narrow", { msg_ids: [two, one, 99_999_999], narrow }))
        .body.messages;
    expect(await ask([["topic", "apples"]])).toEqual({
      [one]: { match_content: "<p>red &lt;one&gt;</p>", match_subject: "apples" },
    });
    expect(await ask([["search", "pear green"]])).toEqual({
      [two]: {
        match_content: `<p>${mark("green")} two</p>`,
        match_subject: `${mark("pears")} &amp; plums`,
      },
    });
    expect(await ask([["is", "unread"]])).toMatchObject({ [one]: {}, [two]: {} });
    expect(await ask([])).toMatchObject({ [one]: {}, [two]: {} });
    expect(await ask([["has", "link"]])).toEqual({});
  });

  test("A13: and of hidden ones nothing, as of missing ones", async () => {
    const { alice, carol } = world;
    const id = await alice.say("secret", "t", "hidden words");
    for (const narrow of [[], [["search", "hidden"]], [["id", id]], [["sender", alice.id]]]) {
      const { body } = await carol.get("/messages/matches_narrow", { msg_ids: [id], narrow });
      expect(body.messages).toEqual({});
    }
  });
});

describe("A9: nobody finds what they may not read", () => {
  test("in private channels, direct messages and other organizations, with and without the index", async () => {
    const { alice, bob, carol, olga, greta, robot, zoe } = await ownWorld();
    const hidden = await alice.say("secret", "t", "treasure map");
    const direct = await alice.tell([bob], "treasure chest");
    for (const withIndex of [false, true]) {
      for (const outsider of [carol, olga, greta, robot, zoe]) {
        expect(await idsOf(outsider, "treasure")).toEqual([]);
        expect(await idsOf(outsider, "treasure", ["channels", "public"])).toEqual([]);
        expect(await idsOf(outsider, "treasure", ["id", hidden])).toEqual([]);
        expect(await idsOf(outsider, "treasure", ["is", "dm"])).toEqual([]);
        if (outsider !== zoe)
          expect(await idsOf(outsider, "treasure", ["dm-including", bob.id])).toEqual([]);
      }
      expect(await idsOf(bob, "treasure")).toEqual([hidden, direct]);
      if (!withIndex) await catchUp(world.app, world.app.engine.reader, world.realm.id);
    }
  });

  test("where nearly all that has the words is hidden from the one who searches, or never came to them", async () => {
    const { alice, bob, carol, otto } = world;
    const [first, direct] = [
      await alice.say("general", "t", "gold"),
      await alice.tell([carol], "gold"),
    ];
    for (let i = 0; i < 12; i++) await bob.say(i % 2 === 0 ? "secret" : "general", "t", "gold");
    const find = async (person: Person, around: object): Promise<unknown> => {
      const { body } = await person.get("/messages", { narrow: [["search", "gold"]], ...around });
      return [body.messages.length, body.messages[0]?.id, body.found_oldest, body.found_newest];
    };
    const [newest, oldest] = [
      { anchor: "newest", num_before: 5 },
      { anchor: "oldest", num_after: 5 },
    ];
    const last = await alice.say("secret", "t", "gold");
    expect(await find(carol, newest)).toEqual([5, last - 9, false, true]);
    expect(await find(carol, { ...newest, num_before: 50 })).toEqual([8, first, true, true]);
    expect(await find(carol, oldest)).toEqual([5, first, true, false]);
    expect(await find(bob, newest)).toEqual([5, last - 4, false, true]);
    expect(await find(otto, newest)).toEqual([0, undefined, true, true]);
    expect(await idsOf(carol, "gold", ["is", "dm"])).toEqual([direct]);
  });

  test("before they came to a channel with protected history", async () => {
    const { alice, otto, channels } = await ownWorld();
    const before = await alice.say("secret", "t", "treasure before");
    await alice.post("/users/me/subscriptions", {
      subscriptions: [{ name: "secret" }],
      principals: [otto.id],
    });
    const after = await alice.say("secret", "t", "treasure after");
    expect(await idsOf(alice, "treasure")).toEqual([before, after]);
    expect(await idsOf(otto, "treasure")).toEqual([after]);
    expect(await idsOf(otto, "treasure", ["channel", channels.secret])).toEqual([after]);
    expect(await idsOf(otto, "before", ["channel", "secret"], ["topic", "t"])).toEqual([]);
  });

  test("A10: in archived channels, where those who may still do", async () => {
    const { alice, bob, carol, olga, operator, realm, channels } = await ownWorld();
    const id = await alice.say("secret", "t", "treasure");
    const { t } = operator.app.engine.reader;
    await write(operator, (tx) =>
      tx.db
        .update(t.channels)
        .set({ isArchived: true })
        .where(and(eq(t.channels.realmId, realm.id), eq(t.channels.id, channels.secret))),
    );
    for (const [person, found] of [
      [alice, [id]],
      [bob, [id]],
      [carol, []],
      [olga, []],
    ] as [Person, number[]][]) {
      expect(await idsOf(person, "treasure")).toEqual(found);
      expect(await idsOf(person, "treasure", ["channels", "archived"])).toEqual(found);
    }
  });

  test("A17: and is told the same as where there is nothing", async () => {
    const { alice, carol } = world;
    await alice.say("secret", "t", "treasure");
    const ask = async (words: string) =>
      (
        await carol.get("/messages", {
          anchor: "newest",
          num_before: 5,
          narrow: [["search", words]],
        })
      ).body;
    expect(await ask("treasure")).toEqual(await ask("nowhere"));
  });
});
