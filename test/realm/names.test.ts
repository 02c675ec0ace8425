import { describe, expect, test } from "bun:test";
import { and, eq } from "drizzle-orm";
import { withoutHidden } from "../../src/core/text/hidden-characters";
import { isLookAlikeTaken, looksLike, noteName } from "../../src/core/text/look-alikes";
import { write } from "../../src/core/write";
import { worldPerTest } from "../support/shared-world";
import { makeWorld, type Person, type World } from "../support/world";

let world: World;
const oneWorldForGroup = worldPerTest(
  async () => {
    world = await makeWorld();
  },
  () => world.close(),
);

/** Characters that deceive in a name: it is not seen, or turns around what stands behind it. */
const deceiving = {
  "direction controls": "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c",
  tags: "\u{e0001}\u{e0067}\u{e0062}\u{e007f}",
  "zero-width spaces": "\u200b\u2060\ufeff\u180e",
  "soft hyphens": "\u00ad",
  "joiners and variation selectors in no word that needs them": "\u200c\u200d\ufe0f\u{e0100}",
  fillers: "\u115f\u3164\uffa0\u034f",
};

/** Names in which hidden characters are a part of the writing. */
const needed = [
  "می\u200cخواهم",
  "PDF\u200cها",
  "क्\u200dष",
  "അവന്\u200d",
  "葛\u{e0100}城",
  "ᠠᠮ\u180b",
  "👨‍👩‍👧 family",
  "🏳️‍🌈",
  "👩🏽‍💻",
  "❤️ 1️⃣",
  "England \u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
];

const channelNames = async (person: Person) =>
  (await person.get("/streams")).body.streams.map(({ name }: { name: string }) => name);
const topicNames = async (person: Person) =>
  (await person.get(`/users/me/${world.channels.general}/topics`)).body.topics.map(
    ({ name }: { name: string }) => name,
  );

/** Gives something a name as it could be stored before. */
const store = (run: Parameters<typeof write<void>>[1]) => write(world.operator, run);

describe("A new name", () => {
  oneWorldForGroup();

  test.each(Object.entries(deceiving))("loses %s", (_kind, hidden) => {
    for (const character of hidden) {
      const written = `pay${character}pal`;
      expect([character.codePointAt(0)?.toString(16), withoutHidden(written)]).toEqual([
        character.codePointAt(0)?.toString(16),
        "paypal",
      ]);
    }
    expect(withoutHidden(`${hidden}pay${hidden}pal${hidden}`)).toBe("paypal");
  });

  test("keeps joiners, variants and tags where its writing needs them", () => {
    for (const name of needed) expect(withoutHidden(name)).toBe(name);
    expect(withoutHidden("می\u200c\u200cخواهم")).toBe("می\u200cخواهم");
    expect(withoutHidden("x\u{1f3f4}\u{e0067}y")).toBe("x\u{1f3f4}y");
    expect(withoutHidden("1\u200d2 a\u200cb a\ufe0f")).toBe("12 ab a");
  });
});

describe("A new name", () => {
  test("of a person, channel, group, folder, bot or profile field is stored as it is seen", async () => {
    const { olga, alice, bob } = world;
    const hidden = `${deceiving["zero-width spaces"]}\u202e\u00ad`;
    const named = (name: string) =>
      `${hidden}${name.slice(0, 2)}${hidden}${name.slice(2)}${hidden}`;
    await olga.patch(`/users/${bob.id}`, { full_name: named("Robert") });
    await alice.post("/users", {
      full_name: named("x"),
      email: "x@example.com",
      password: "correct horse battery",
    });
    await olga.post("/users", {
      full_name: named("Newcomer"),
      email: "n@example.com",
      password: "correct horse battery",
    });
    await olga.post("/users/me/subscriptions", { subscriptions: [{ name: named("kitchen") }] });
    await olga.patch(`/streams/${world.channels.plans}`, { new_name: named("roadmap") });
    await olga.post("/user_groups/create", { name: named("cooks"), description: "", members: [] });
    await olga.post("/channel_folders/create", { name: named("Work"), description: "" });
    await alice.post("/bots", { full_name: named("Robot"), short_name: "robot" });
    await olga.post("/realm/profile_fields", { name: named("Team"), field_type: 1 });
    const people: { full_name: string }[] = (await olga.get("/users")).body.members;
    expect(people.map(({ full_name }) => full_name)).toEqual(
      expect.arrayContaining(["Robert", "Newcomer", "Robot"]),
    );
    expect(await channelNames(olga)).toContain("kitchen");
    const { state } = await olga.register({
      fetch_event_types: ["realm_user_groups", "channel_folders", "custom_profile_fields"],
    });
    expect(JSON.stringify(state)).not.toMatch(/[\u202e\u200b\u00ad]/);
    expect(JSON.stringify(state)).toMatch(/"cooks".*"Work"|"Work".*"cooks"/);
    expect(JSON.stringify(state)).toContain('"Team"');
  });

  test("of which nothing would be seen is refused in words", async () => {
    const { olga, alice } = world;
    for (const name of ["\u200b", "\u202e\u00ad ", "\u3164", "\u2800"]) {
      const answers = [
        await olga.post("/users/me/subscriptions", { subscriptions: [{ name }] }),
        await olga.post("/user_groups/create", { name, description: "", members: [] }),
        await olga.patch(`/users/${alice.id}`, { full_name: `${name}` }),
        await olga.post("/channel_folders/create", { name, description: "" }),
        await alice.post("/messages", {
          type: "channel",
          to: "general",
          topic: name,
          content: "hi",
        }),
      ];
      for (const { status, body } of answers) {
        expect([name, status, body.msg]).toEqual([
          name,
          400,
          expect.stringContaining("visible characters"),
        ]);
      }
    }
  });

  test("of a topic loses them when it is written to first, moved or renamed to", async () => {
    const { alice } = world;
    await alice.say("general", "lu\u200bnch\u202e", "one");
    expect(await topicNames(alice)).toEqual(["lunch"]);
    const second = await alice.say("general", "می\u200cخواهم", "two");
    expect(await topicNames(alice)).toEqual(["می\u200cخواهم", "lunch"]);
    await alice.patch(`/messages/${second}`, { topic: "din\u00adner" });
    expect(await topicNames(alice)).toEqual(["dinner", "lunch"]);
  });
});

describe("A name that was stored before", () => {
  test("of a topic still leads to the topic: one sends there, reads there, resolves it and moves to it", async () => {
    const { alice, bob } = world;
    const old = "lu\u200bnch";
    const first = await alice.say("general", "lunch is", "one");
    await store(async (tx) => {
      const { messages } = tx.t;
      const isIt = and(eq(messages.realmId, world.realm.id), eq(messages.id, first));
      await tx.db.update(messages).set({ topic: old, topicKey: old }).where(isIt);
    });
    const second = await bob.say("general", old, "two");
    const moved = await bob.say("general", "elsewhere", "three");
    expect((await bob.patch(`/messages/${moved}`, { topic: old })).status).toBe(200);
    const narrow = [
      { operator: "channel", operand: "general" },
      { operator: "topic", operand: old },
    ];
    const page = { narrow, anchor: "oldest", num_before: 0, num_after: 10 };
    const read = async () =>
      (await bob.get("/messages", page)).body.messages.map(({ id }: { id: number }) => id);
    expect((await read()).slice(0, 3)).toEqual([first, second, moved]);
    expect(await topicNames(alice)).toEqual([old]);
    const resolved = {
      topic: `✔ ${old}`,
      propagate_mode: "change_all",
      send_notification_to_new_thread: false,
    };
    expect((await alice.patch(`/messages/${first}`, resolved)).status).toBe(200);
    expect(await topicNames(alice)).toEqual([`✔ ${old}`]);
  });

  test("of a channel, a group or a person stays until somebody gives another one", async () => {
    const { olga, alice, bob } = world;
    const old = "gen\u200beral";
    await store(async (tx) => {
      const { channels, users } = tx.t;
      await tx.db
        .update(channels)
        .set({ name: old, nameKey: old })
        .where(eq(channels.id, world.channels.general));
      await tx.db.update(users).set({ fullName: "Bo\u200bb" }).where(eq(users.id, bob.id));
    });
    expect(
      (await alice.post("/messages", { type: "channel", to: old, topic: "t", content: "x" }))
        .status,
    ).toBe(200);
    const again = await world.otto.post("/users/me/subscriptions", {
      subscriptions: [{ name: old }],
    });
    expect(again.body).toMatchObject({ result: "success", subscribed: { [world.otto.id]: [old] } });
    expect((await bob.patch("/settings", { full_name: "Bo\u200bb" })).status).toBe(200);
    expect((await olga.patch(`/users/${bob.id}`, { full_name: "Bo\u200bb" })).status).toBe(200);
    expect((await olga.get(`/users/${bob.id}`)).body.user.full_name).toBe("Bo\u200bb");
    await olga.patch(`/streams/${world.channels.general}`, { description: "all of us" });
    expect(await channelNames(olga)).toContain(old);
    expect(
      (await olga.patch(`/streams/${world.channels.general}`, { new_name: "general" })).status,
    ).toBe(200);
    expect(await channelNames(olga)).toContain("general");
  });
});

describe("Names that look alike", () => {
  test("have one skeleton, as they are or in small letters", () => {
    for (const [one, other] of [
      ["paypal", "pаypal"],
      ["paypal", "paypaI"],
      ["BOB", "ВОВ"],
      ["bob", "ВОВ"],
      ["cop", "сор"],
      ["paypal", "РАУРАL"],
      ["general", "ｇｅｎｅｒａｌ"],
      ["modern", "modem"],
      ["a b", "a\u00a0 b"],
      ["paypal", "pay\u200cpal"],
    ]) {
      expect([one, other, looksLike(one ?? "")(other ?? "")]).toEqual([one, other, true]);
    }
    for (const [one, other] of [
      ["UI", "UL"],
      ["AI", "al"],
      ["mail", "mall"],
      ["café", "cafe"],
      ["中文", "中国"],
      [
        "\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
        "\u{1f3f4}\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}",
      ],
    ]) {
      expect([one, other, looksLike(one ?? "")(other ?? "")]).toEqual([one, other, false]);
    }
  });

  test("are not both given to channels, groups, folders, bots or profile fields", async () => {
    const { olga, alice } = world;
    const make: Record<
      string,
      (name: string) => Promise<{ status: number; body: Record<string, unknown> }>
    > = {
      channel: (name) => olga.post("/users/me/subscriptions", { subscriptions: [{ name }] }),
      group: (name) => olga.post("/user_groups/create", { name, description: "", members: [] }),
      folder: (name) => olga.post("/channel_folders/create", { name, description: "" }),
      bot: (name) =>
        alice.post("/bots", { full_name: name, short_name: `x${name.codePointAt(1)}` }),
      field: (name) => olga.post("/realm/profile_fields", { name, field_type: 1 }),
    };
    for (const [kind, named] of Object.entries(make)) {
      expect([kind, (await named("paypal")).status]).toEqual([kind, 200]);
      const { status, body } = await named("pаypal");
      expect([kind, status, body["msg"]]).toEqual([
        kind,
        kind === "channel" ? 409 : 400,
        expect.stringContaining("looks like"),
      ]);
    }
    expect((await channelNames(olga)).filter((name: string) => name.includes("pal"))).toEqual([
      "paypal",
    ]);
  });

  test("are not given by renaming either; a thing never stands in its own way", async () => {
    const { olga } = world;
    const { general } = world.channels;
    await olga.post("/users/me/subscriptions", { subscriptions: [{ name: "paypal" }] });
    const refused = await olga.patch(`/streams/${general}`, { new_name: "pаypal" });
    expect([refused.status, refused.body.msg]).toEqual([
      409,
      expect.stringContaining("looks like"),
    ]);
    for (const name of ["General", "gеneral", "general"]) {
      expect([name, (await olga.patch(`/streams/${general}`, { new_name: name })).status]).toEqual([
        name,
        200,
      ]);
    }
    const { body } = await olga.post("/user_groups/create", {
      name: "cooks",
      description: "",
      members: [],
    });
    expect((await olga.patch(`/user_groups/${body.group_id}`, { name: "сooks" })).status).toBe(200);
    expect(
      (await olga.post("/user_groups/create", { name: "cooks", description: "", members: [] }))
        .status,
    ).toBe(400);
  });

  test("of a channel that one may not know are refused without naming it", async () => {
    const { bob } = world;
    const { status, body } = await bob.post("/users/me/subscriptions", {
      subscriptions: [{ name: "plаns" }],
    });
    expect([status, body.msg]).toEqual([
      409,
      "'plаns' looks like the name of another channel. Choose another one.",
    ]);
  });

  test("may be people's, until the organization wants names to differ", async () => {
    const { olga, alice, bob } = world;
    const lookalike = world.alice.fullName.replace("A", "А");
    expect(lookalike).not.toBe(alice.fullName);
    expect((await olga.patch(`/users/${bob.id}`, { full_name: lookalike })).status).toBe(200);
    await olga.patch(`/users/${bob.id}`, { full_name: "Bob" });
    await olga.patch("/realm", { require_unique_names: true });
    const refused = await olga.patch(`/users/${bob.id}`, { full_name: lookalike });
    expect([refused.status, refused.body.msg]).toEqual([
      400,
      expect.stringContaining("looks like"),
    ]);
    expect(
      (await olga.patch(`/users/${alice.id}`, { full_name: alice.fullName.toUpperCase() })).status,
    ).toBe(200);
  });

  test("of bots of the system nobody gets: people, newcomers, bots", async () => {
    const { olga, alice, bob } = world;
    for (const name of [
      "Notification Bot",
      "Nоtification Bot",
      "notification bot",
      "Email  Gateway",
      "Emaіl Gateway",
    ]) {
      const answers = [
        await olga.patch(`/users/${bob.id}`, { full_name: name }),
        await bob.patch("/settings", { full_name: name }),
        await olga.post("/users", {
          full_name: name,
          email: "n@example.com",
          password: "correct horse battery",
        }),
        await alice.post("/bots", { full_name: name, short_name: "helper" }),
      ];
      for (const { status, body } of answers) {
        expect([name, status, body.msg]).toEqual([
          name,
          400,
          expect.stringContaining("the server's own"),
        ]);
      }
    }
  });

  test("that are asked for on two servers at one moment are given once", async () => {
    const { olga } = world;
    const other = await world.startNode();
    for (const [index, [one, two]] of [
      ["paypal", "pаypal"],
      ["cop", "сор"],
      ["scope", "ѕсоре"],
    ].entries()) {
      const answers = await Promise.all([
        olga.post("/users/me/subscriptions", { subscriptions: [{ name: one }] }),
        olga.at(other).post("/users/me/subscriptions", { subscriptions: [{ name: two }] }),
      ]);
      expect([index, answers.map(({ status }) => status).sort()]).toEqual([index, [200, 409]]);
    }
  });

  test("cost one look at the names of all, however many a write gives", async () => {
    let looks = 0;
    const list = async () => {
      looks += 1;
      return [{ id: 1, name: "paypal" }];
    };
    const isTaken = await write(world.operator, async (tx) => {
      const ask = (name: string, exceptId?: number) =>
        isLookAlikeTaken(tx, "channels", { name, exceptId }, list);
      const before = [await ask("pаypal"), await ask("pаypal", 1), await ask("other")];
      noteName(tx, "channels", { id: 1, name: "other" });
      return [...before, await ask("pаypal"), await ask("оther")];
    });
    expect([isTaken, looks]).toEqual([[true, false, false, false, true], 1]);
  });
});
