import { beforeEach, describe, expect, test } from "bun:test";
import { write } from "../../src/core/write";
import { codeToNames } from "../../src/emoji/table";
import type { WireEvent } from "../support/client";
import { hear, listen, refusal } from "../support/listening";
import { shareWorld } from "../support/shared-world";
import type { Person, World } from "../support/world";

let world: World;
const ownWorld = shareWorld((given) => {
  world = given;
});
/** A message that nobody has reacted to. */
let id: number;
const sendOne = async () => {
  id = await world.alice.say("general", "t", "react to me");
};
beforeEach(sendOne);

const react = (person: Person, parameters: object, messageId = id) =>
  person.post(`/messages/${messageId}/reactions`, { ...parameters });

const unreact = (person: Person, parameters: object, messageId = id) =>
  person.delete(`/messages/${messageId}/reactions`, { ...parameters });

const reactionsOn = async (messageId = id, reader = world.alice) =>
  (await reader.get(`/messages/${messageId}`)).body.message.reactions;

const inShort = ({ op, emoji_name, user_id }: WireEvent) =>
  `${op} ${emoji_name} ${Object.values(world).find((one) => one?.id === user_id && "email" in one)?.fullName}`;

const reactionsOnly = { event_types: ["reaction"] };

describe("Bob puts an emoji on a message", () => {
  test("and those who received the message hear of it", async () => {
    const { alice, bob, otto, greta, zoe } = world;
    const queues = await listen(
      { alice, bob, otto, greta, zoe },
      { ...reactionsOnly, all_public_streams: false },
    );
    expect((await react(bob, { emoji_name: "smile" })).body).toEqual({
      result: "success",
      msg: "",
    });
    const reaction = {
      emoji_name: "smile",
      emoji_code: "1f642",
      reaction_type: "unicode_emoji",
      user_id: bob.id,
    };
    expect(await reactionsOn()).toEqual([reaction]);
    const user = { user_id: bob.id, email: bob.email, full_name: "Bob" };
    const event = { type: "reaction", op: "add", message_id: id, user, ...reaction };
    expect(await hear(queues, ({ id: _, ...one }) => one)).toEqual({
      alice: [event],
      bob: [event],
      otto: [],
      greta: [],
      zoe: [],
    });
  });

  test("and takes it off again, by name, by another name of it, or by code", async () => {
    const { alice, bob } = world;
    const ways = [
      { emoji_name: "+1" },
      { emoji_name: "thumbs_up" },
      { emoji_code: "1f44d" },
      { emoji_code: "1f44d", reaction_type: "unicode_emoji" },
      { emoji_name: "+1", emoji_code: "1f44d", reaction_type: "unicode_emoji" },
    ];
    const queue = await alice.register(reactionsOnly);
    for (const way of ways) {
      await react(bob, { emoji_name: "+1" });
      expect((await unreact(bob, way)).status).toBe(200);
      expect(await reactionsOn()).toEqual([]);
      expect((await queue.events()).map(inShort)).toEqual(["add +1 Bob", "remove +1 Bob"]);
    }
  });

  test("once: again, under any of its names, is refused, and so is taking off what is not there", async () => {
    const { alice, bob } = world;
    await react(bob, { emoji_name: "+1" });
    const queue = await alice.register(reactionsOnly);
    for (const emoji_name of ["+1", "thumbs_up"]) {
      expect(refusal(await react(bob, { emoji_name }))).toBe("400 REACTION_ALREADY_EXISTS");
    }
    expect(refusal(await unreact(bob, { emoji_name: "smile" }))).toBe(
      "400 REACTION_DOES_NOT_EXIST",
    );
    expect(refusal(await unreact(alice, { emoji_name: "+1" }))).toBe("400 REACTION_DOES_NOT_EXIST");
    expect(await queue.events()).toEqual([]);
    expect(await reactionsOn()).toHaveLength(1);
  });

  test("twice at the same moment: one is stored, one refused", async () => {
    const { alice, bob } = world;
    const queue = await alice.register(reactionsOnly);
    const answers = await Promise.all([1, 2, 3].map(() => react(bob, { emoji_name: "tada" })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    expect(await reactionsOn()).toHaveLength(1);
    expect(await queue.events()).toHaveLength(1);
  });

  test("and alice the same: it keeps the name that the first of them gave it", async () => {
    const { alice, bob, carol } = world;
    await react(bob, { emoji_name: "thumbs_up" });
    await react(alice, { emoji_name: "+1" });
    await react(carol, { emoji_name: "heart" });
    const names = (await reactionsOn()).map(({ emoji_name }: { emoji_name: string }) => emoji_name);
    expect(names).toEqual(["thumbs_up", "thumbs_up", "heart"]);
  });

  test("that does not exist, or does not fit its code or type, is refused", async () => {
    const { alice, bob } = world;
    const queue = await alice.register(reactionsOnly);
    const wrong = [
      { emoji_name: "no_such_emoji" },
      { emoji_name: "" },
      { emoji_name: "octopus", emoji_code: "1f354" },
      { emoji_name: "octopus", reaction_type: "realm_emoji" },
      { emoji_name: "octopus", reaction_type: "nonsense" },
      { emoji_name: "octopus", reaction_type: "zulip_extra_emoji" },
      { emoji_name: "constructor" },
      { emoji_name: "x".repeat(10_000) },
    ];
    for (const parameters of wrong)
      expect(refusal(await react(bob, parameters))).toBe("400 BAD_REQUEST");
    expect(refusal(await react(bob, { emoji_code: "1f419" }))).toBe("400 REQUEST_VARIABLE_MISSING");
    expect(refusal(await unreact(bob, {}))).toBe("400 BAD_REQUEST");
    expect(refusal(await unreact(bob, { emoji_name: "no_such_emoji" }))).toBe("400 BAD_REQUEST");
    expect(await reactionsOn()).toEqual([]);
    expect(await queue.events()).toEqual([]);
  });
});

describe("An emoji as clients know it", () => {
  const unicode = (emoji_name: string, emoji_code: string) => ({
    emoji_name,
    emoji_code,
    reaction_type: "unicode_emoji",
  });

  test.each([
    ["folded_hands", "1f64f"],
    ["right", "27a1"],
    ["joker", "1f0cf"],
    ["mouse", "1f401"],
    ["flag_åland_islands", "1f1e6-1f1fd"],
  ])("can be put on a message and taken off as %s, %s", async (name, code) => {
    const { alice, bob, zoe } = world;
    const queues = await listen({ alice, bob, zoe }, reactionsOnly);
    for (const way of [unicode(name, code), { emoji_name: name }]) {
      expect((await react(bob, way)).body).toEqual({ result: "success", msg: "" });
      expect(await reactionsOn()).toEqual([{ ...unicode(name, code), user_id: bob.id }]);
      expect((await unreact(bob, way)).status).toBe(200);
      expect(await reactionsOn()).toEqual([]);
    }
    const told = [`add ${name} Bob`, `remove ${name} Bob`, `add ${name} Bob`, `remove ${name} Bob`];
    expect(await hear(queues, inShort)).toEqual({ alice: told, bob: told, zoe: [] });
  });

  test("is refused with the code of another picture, also one that an older version had by that name", async () => {
    const { alice, bob } = world;
    const queue = await alice.register(reactionsOnly);
    for (const [name, code] of [
      ["mouse", "1f42d"],
      ["folded_hands", "1f64c"],
      ["joker", "joker"],
    ] as const)
      expect(refusal(await react(bob, unicode(name, code)))).toBe("400 BAD_REQUEST");
    expect(await reactionsOn()).toEqual([]);
    expect(await queue.events()).toEqual([]);
  });
});

describe("A reaction from when its name meant another picture", () => {
  const former = { emoji_name: "mouse", emoji_code: "1f42d", reaction_type: "unicode_emoji" };
  const now = { ...former, emoji_code: "1f401" };

  beforeEach(async () => {
    const { bob, carol, operator, realm } = world;
    const reaction = { emojiName: "mouse", emojiCode: "1f42d", reactionType: "unicode_emoji" };
    await write(operator, async ({ db, t }) => {
      for (const { id: userId } of [bob, carol])
        await db
          .insert(t.reactions)
          .values({ ...reaction, realmId: realm.id, messageId: id, userId });
    });
  });

  test("is shown as it was, and others join it as they see it, with or without its type", async () => {
    const { alice, bob, carol, adam } = world;
    const queue = await adam.register(reactionsOnly);
    expect((await react(alice, former)).status).toBe(200);
    const { reaction_type: _, ...untyped } = former;
    expect((await react(adam, untyped)).status).toBe(200);
    expect(await reactionsOn()).toEqual(
      [bob, carol, alice, adam].map(({ id: user_id }) => ({ ...former, user_id })),
    );
    expect(await queue.events()).toMatchObject([former, former]);
    expect(refusal(await react(bob, former))).toBe("400 REACTION_ALREADY_EXISTS");
  });

  test("is joined by another name of its picture, and keeps its own", async () => {
    const { alice } = world;
    expect((await react(alice, { ...former, emoji_name: "mouse_face" })).status).toBe(200);
    expect(
      (await reactionsOn()).map(({ emoji_name }: { emoji_name: string }) => emoji_name),
    ).toEqual(["mouse", "mouse", "mouse"]);
  });

  test.each([
    ["its name", { emoji_name: "mouse" }],
    ["its name and type", { emoji_name: "mouse", reaction_type: "unicode_emoji" }],
    ["another name of its picture", { emoji_name: "mouse_face" }],
    ["its code", { emoji_code: "1f42d", reaction_type: "unicode_emoji" }],
    ["all of it", former],
  ])("is taken off by %s", async (_, way) => {
    const { alice, bob, carol, zoe } = world;
    const queues = await listen({ alice, bob, zoe }, reactionsOnly);
    expect((await unreact(bob, way)).body).toEqual({ result: "success", msg: "" });
    expect(await reactionsOn()).toEqual([{ ...former, user_id: carol.id }]);
    const event = { type: "reaction", op: "remove", message_id: id, user_id: bob.id, ...former };
    expect(await hear(queues, ({ id: _id, user: _user, ...one }) => one)).toEqual({
      alice: [event],
      bob: [event],
      zoe: [],
    });
    expect(refusal(await unreact(bob, way))).toBe("400 REACTION_DOES_NOT_EXIST");
  });

  test("is another one than what the name means now, which goes first where only the name is said", async () => {
    const { bob, carol } = world;
    expect((await react(bob, { emoji_name: "mouse" })).status).toBe(200);
    expect(await reactionsOn()).toEqual([
      { ...former, user_id: bob.id },
      { ...former, user_id: carol.id },
      { ...now, user_id: bob.id },
    ]);
    expect((await unreact(bob, { emoji_name: "mouse" })).status).toBe(200);
    expect(await reactionsOn()).toMatchObject([former, former]);
  });
});

describe("The emoji that is neither Unicode nor the organization's", () => {
  const extra = { emoji_name: "zulip", emoji_code: "zulip" };

  test.each(["service_extra_emoji", "zulip_extra_emoji", undefined])(
    "is accepted as of type %s",
    async (type) => {
      const { bob } = world;
      expect((await react(bob, { emoji_name: "zulip", reaction_type: type })).status).toBe(200);
      expect(await reactionsOn()).toEqual([
        { ...extra, reaction_type: "service_extra_emoji", user_id: bob.id },
      ]);
      expect(refusal(await unreact(bob, { emoji_name: "zulip" }))).toBe(
        "400 REACTION_DOES_NOT_EXIST",
      );
      expect(
        (await unreact(bob, { ...extra, reaction_type: type ?? "zulip_extra_emoji" })).status,
      ).toBe(200);
      expect(await reactionsOn()).toEqual([]);
    },
  );

  const readers = ["ZulipMobile/30.0.1", "go-zulip/1.0.0", "zulip-js/2.1.0"];

  test.each(readers)("is told to %s by its older name", async (client) => {
    const { alice, bob } = world;
    const headers = { "user-agent": client };
    const registered = await alice.ask(
      "POST",
      "/register",
      {},
      { body: 'event_types=["reaction"]', headers },
    );
    await react(bob, extra);
    const parameters = { queue_id: registered.body.queue_id, last_event_id: -1, dont_block: true };
    const { body } = await alice.get("/events", parameters);
    expect(body.events[0].reaction_type).toBe("zulip_extra_emoji");
    const read = await alice.ask("GET", `/messages/${id}`, {}, { headers });
    expect(read.body.message.reactions[0].reaction_type).toBe("zulip_extra_emoji");
  });
});

describe("Who may react, and who hears of it", () => {
  test("A13: to a message that one may not read: refused like one to a message that is not there", async () => {
    const { alice, bob, carol, otto, greta, zoe, olga } = world;
    const secret = await alice.say("secret", "t", "hidden");
    const direct = await alice.tell([bob], "hidden");
    await react(alice, { emoji_name: "heart" }, secret);
    const queue = await alice.register(reactionsOnly);
    const cases: [Person, number][] = [
      [carol, secret],
      [olga, secret],
      [otto, direct],
      [greta, id],
      [zoe, id],
    ];
    for (const [person, messageId] of cases) {
      for (const change of [react, unreact]) {
        const missing = await change(person, { emoji_name: "heart" }, 99_999_999);
        const hidden = await change(person, { emoji_name: "heart" }, messageId);
        expect([hidden.status, hidden.body]).toEqual([missing.status, missing.body]);
        expect(refusal(hidden)).toBe("400 BAD_REQUEST");
      }
    }
    expect(await queue.events()).toEqual([]);
    expect(await reactionsOn(secret)).toHaveLength(1);
  });

  test("in a public channel also those outside who have reacted themselves", async () => {
    const { bob, otto, carol, olga } = await ownWorld();
    await sendOne();
    await olga.delete("/users/me/subscriptions", { subscriptions: ["general"] });
    const queues = await listen({ bob, otto, olga }, reactionsOnly);
    await react(otto, { emoji_name: "heart" });
    await react(carol, { emoji_name: "tada" });
    await unreact(otto, { emoji_name: "heart" });
    await unreact(carol, { emoji_name: "tada" });
    const all = ["add heart Otto", "add tada Carol", "remove heart Otto", "remove tada Carol"];
    expect(await hear(queues, inShort)).toEqual({ bob: all, otto: all.slice(0, 3), olga: [] });
  });

  test("C7: of a private channel and of a direct conversation only who is in it now", async () => {
    const { alice, bob, carol } = await ownWorld();
    const secret = await alice.say("secret", "t", "hidden");
    const direct = await alice.tell([carol], "hi");
    const queues = await listen({ alice, bob, carol }, reactionsOnly);
    await react(bob, { emoji_name: "eyes" }, secret);
    await hear(queues, inShort);
    await bob.delete("/users/me/subscriptions", { subscriptions: ["secret"] });
    await react(alice, { emoji_name: "heart" }, secret);
    await react(carol, { emoji_name: "tada" }, direct);
    expect(await hear(queues, inShort)).toEqual({
      alice: ["add heart Alice", "add tada Carol"],
      bob: [],
      carol: ["add tada Carol"],
    });
  });

  test("H5: a message carries a hundred different emoji at the most", async () => {
    const { bob, alice, carol, operator, realm } = world;
    const all = Object.entries(codeToNames());
    const rows = all.slice(0, 98).map(([emojiCode, [emojiName = ""]]) => ({
      realmId: realm.id,
      messageId: id,
      userId: bob.id,
      emojiName,
      emojiCode,
      reactionType: "unicode_emoji",
    }));
    const emoji = all.map(([, [name]]) => name);
    await write(operator, ({ db, t }) => db.insert(t.reactions).values(rows));
    for (const [index, person] of [bob, carol].entries())
      expect((await react(person, { emoji_name: emoji[98 + index] })).status).toBe(200);
    expect(refusal(await react(bob, { emoji_name: emoji[100] }))).toBe("400 BAD_REQUEST");
    expect((await react(alice, { emoji_name: emoji[0] })).status).toBe(200);
    expect(await reactionsOn()).toHaveLength(101);
  });
});
