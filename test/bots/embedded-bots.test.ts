import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import type { Tx } from "../../src/core/context";
import { write } from "../../src/core/write";
import { codeOf } from "../support/answers";
import { verify } from "../support/client-state/verify";
import { readersOf, upload } from "../support/files";
import { makeWorld, type Person, type World } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

const daySeconds = 86_400;

/** An embedded bot of Alice's, in the channel `general`. */
async function newService(service: string, config?: object): Promise<number> {
  const asked = { full_name: "Helper", short_name: "helper", bot_type: 4, service_name: service };
  const { status, body } = await world.alice.post("/bots", { ...asked, config_data: config });
  expect([status, body.msg]).toEqual([200, ""]);
  const subscriptions = [{ name: "general" }];
  await world.alice.post("/users/me/subscriptions", { subscriptions, principals: [body.user_id] });
  return body.user_id;
}

async function newest(reader: Person) {
  await world.app.jobs.settled();
  const { body } = await reader.get("/messages", {
    anchor: "newest",
    num_before: 1,
    num_after: 0,
    apply_markdown: false,
  });
  return body.messages[0];
}

/** Says something to the bot in a topic, and answers what it says. */
async function ask(person: Person, text: string, topic = "work"): Promise<string> {
  await person.say("general", topic, `@**Helper** ${text}`);
  const { content, subject } = await newest(person);
  expect(subject).toBe(topic);
  return content;
}

describe("an embedded bot", () => {
  test("is one of the services that register lists, with what it is told", async () => {
    const { alice, bob } = world;
    const { state } = await bob.register();
    expect(state.realm_embedded_bots).toEqual([
      { name: "faq", config: { teachers: "owner" } },
      { name: "standup", config: { time_zone: "UTC" } },
    ]);
    const asked = { full_name: "Helper", short_name: "helper", bot_type: 4 };
    await verify(world, () =>
      alice.post("/bots", {
        ...asked,
        service_name: "standup",
        config_data: { time_zone: "Asia/Tokyo" },
      }),
    );
    const { realm_bots } = (await alice.register()).state;
    const services = [{ service_name: "standup", config_data: { time_zone: "Asia/Tokyo" } }];
    expect(realm_bots).toContainEqual(expect.objectContaining({ services }));
    for (const wrong of [
      {},
      { service_name: "converter" },
      { service_name: "standup", config_data: { time_zone: "Mars/Olympus" } },
      { service_name: "faq", config_data: { teachers: "nobody" } },
      { service_name: "faq", config_data: { color: "red" } },
    ]) {
      const made = await alice.post("/bots", {
        ...asked,
        short_name: "other",
        full_name: "Other",
        ...wrong,
      });
      expect([wrong, codeOf(made)]).toEqual([wrong, expect.stringMatching(/^400 BAD_REQUEST/)]);
    }
  });

  test("is told something else later", async () => {
    const id = await newService("faq");
    expect(
      codeOf(await world.alice.patch(`/bots/${id}`, { config_data: { teachers: "cats" } })),
    ).toMatch(/^400/);
    expect(await ask(world.bob, "learn soup: hot")).toBe(
      "Only my owner and administrators teach me.",
    );
    expect(
      (await world.alice.patch(`/bots/${id}`, { config_data: { teachers: "everyone" } })).status,
    ).toBe(200);
    expect(await ask(world.bob, "learn soup: hot")).toBe(
      "I have learned what to say about **soup**.",
    );
  });

  test("answers once, in the write that takes its work off the list", async () => {
    const { bob } = world;
    const id = await newService("faq");
    const queue = await bob.register();
    await ask(bob, "help");
    const messages = (await queue.events()).filter(({ type }) => type === "message");
    expect(messages.map(({ message }) => message.sender_id)).toEqual([bob.id, id]);
    expect(await world.app.jobs.list()).toEqual([]);
  });
});

describe("A12: a link in an answer of an embedded bot", () => {
  /** A file of Alice's in a private channel that the bot is in, and that Bob has left. */
  async function withFile(service: string, config?: object) {
    const { alice, bob } = world;
    const helper = await newService(service, config);
    const subscriptions = [{ name: "secret" }];
    await alice.post("/users/me/subscriptions", { subscriptions, principals: [helper] });
    const url = await upload(alice);
    await alice.say("secret", "files", `[note](${url})`);
    await bob.ask("DELETE", "/users/me/subscriptions", { subscriptions: ["secret"] });
    const tell = async (person: Person, text: string): Promise<string> => {
      await person.post("/messages", { type: "direct", to: [helper], content: text });
      return (await newest(person)).content;
    };
    return { url, tell };
  }

  test("opens no file where it repeats what somebody has said", async () => {
    const { alice, bob, carol } = world;
    const { url, tell } = await withFile("standup");
    await tell(bob, `[note](${url})`);
    expect(await tell(bob, "summary")).toContain(url);
    expect(await readersOf(url, alice, bob)).toEqual(["Alice"]);
    await ask(bob, `[note](${url})`);
    expect(await ask(alice, "summary")).toContain(url);
    expect(await readersOf(url, alice, bob, carol)).toEqual(["Alice"]);
  });

  test("opens no file where nothing is known about it", async () => {
    const { alice, bob } = world;
    const { url, tell } = await withFile("faq");
    const address = `${world.site}${url}`;
    expect(await tell(bob, address)).toStartWith(`I know nothing about **${address}**`);
    expect(await readersOf(url, alice, bob)).toEqual(["Alice"]);
  });

  test("opens a file by the right of the teacher", async () => {
    const { alice, bob, carol, greta } = world;
    const { url, tell } = await withFile("faq", { teachers: "everyone" });
    await tell(bob, `learn theirs: [note](${url})`);
    expect(await tell(bob, "theirs")).toBe(`[note](${url})`);
    expect(await readersOf(url, alice, bob)).toEqual(["Alice"]);
    const plan = await upload(carol, "plan.txt");
    await tell(carol, `learn hers: [plan](${plan})`);
    expect(await readersOf(plan, alice, bob, greta)).toEqual([]);
    expect(await tell(greta, "hers")).toBe(`[plan](${plan})`);
    expect(await readersOf(plan, alice, bob, greta)).toEqual(["Greta"]);
  });
});

describe("the bot faq", () => {
  beforeEach(() => newService("faq"));

  test("answers what it has been taught, to questions with those words", async () => {
    const { alice, bob } = world;
    expect(await ask(bob, "office hours?")).toStartWith("I know nothing about **office hours?**");
    expect(await ask(alice, "learn Office hours: *9* to 5")).toBe(
      "I have learned what to say about **Office hours**.",
    );
    expect(await ask(alice, "learn office: first floor")).toBe(
      "I have learned what to say about **office**.",
    );
    expect(await ask(bob, "what are the hours of the office, please?")).toBe("*9* to 5");
    expect(await ask(bob, "where is the office?")).toBe("first floor");
    expect(await ask(bob, "list")).toBe("* office\n* Office hours");
    expect(await ask(alice, "learn office: second floor")).toBe("I know better now: **office**.");
    expect(await ask(alice, "forget office")).toBe("I have forgotten **office**.");
    expect(await ask(bob, "where is the office?")).toStartWith("I know nothing");
  });

  test("answers in direct messages too, mentions nobody, and says what it can", async () => {
    const { alice, bob } = world;
    await ask(alice, "learn lunch: @**all** come");
    const helper = (await newest(alice)).sender_id;
    await bob.post("/messages", { type: "direct", to: [helper], content: "lunch" });
    expect(await newest(bob)).toMatchObject({ type: "private", content: "&#64;**all** come" });
    await bob.post("/messages", { type: "direct", to: [helper], content: "help" });
    expect((await newest(bob)).content).toStartWith("I answer what I have been taught:");
  });

  test("keeps what it knows when the server is started anew", async () => {
    await ask(world.alice, "learn soup: hot");
    await world.restart();
    expect(await ask(world.bob, "soup")).toBe("hot");
  });
});

describe("the bot standup", () => {
  test("collects the reports of a day, of each topic for itself", async () => {
    const { alice, bob, clock } = world;
    await newService("standup");
    expect(await ask(alice, "summary")).toBe("Nobody has reported on 2026-01-01.");
    expect(await ask(alice, "the door")).toBe("Noted.");
    expect(await ask(bob, "the roof, says @**all**")).toBe("Noted.");
    expect(await ask(alice, "the window")).toBe("Noted, in place of your report before.");
    const summary =
      "Reports of 2026-01-01:\n\n**Bob**\n```quote\nthe roof, says &#64;**all**\n```\n\n**Alice**\n```quote\nthe window\n```";
    expect(await ask(bob, "summary")).toBe(summary);
    expect(await ask(bob, "summary", "elsewhere")).toBe("Nobody has reported on 2026-01-01.");
    clock.advance(daySeconds);
    expect(await ask(bob, "summary")).toBe("Nobody has reported on 2026-01-02.");
    expect(await ask(bob, "summary yesterday")).toBe(summary);
  });

  test("A7, A11: shows only reports that the asker may read there now, as they are now", async () => {
    const { alice, bob, carol, adam } = world;
    const helper = await newService("standup");
    const board = { subscriptions: [{ name: "board" }], history_public_to_subscribers: false };
    const principals = [alice.id, bob.id, helper];
    await alice.post("/users/me/subscriptions", { ...board, invite_only: true, principals });
    const say = async (person: Person, text: string) => {
      await person.say("board", "work", `@**Helper** ${text}`);
      return (await newest(person)).content;
    };
    expect(await say(bob, "we will part with Carol")).toBe("Noted.");
    await alice.post("/users/me/subscriptions", { ...board, principals: [carol.id] });
    expect(await say(carol, "summary")).toBe("Nobody has reported on 2026-01-01.");
    expect(await say(alice, "summary")).toContain("Carol");

    const idOf = async (person: Person, text: string) => {
      const id = await person.say("general", "work", `@**Helper** ${text}`);
      expect((await newest(person)).content).toBe("Noted.");
      return id;
    };
    const [deleted, edited, moved] = [
      await idOf(bob, "the password is hunter2"),
      await idOf(carol, "the roof"),
      await idOf(adam, "the window"),
    ];
    await adam.delete(`/messages/${deleted}`);
    await carol.patch(`/messages/${edited}`, { content: "@**Helper** the *door*" });
    await adam.patch(`/messages/${moved}`, { topic: "elsewhere", propagate_mode: "change_one" });
    expect(await ask(alice, "summary")).toBe(
      "Reports of 2026-01-01:\n\n**Carol**\n```quote\nthe *door*\n```",
    );
  });

  test("has days in its time zone, and forgets what is older than a week", async () => {
    const { alice, clock, app, realm } = world;
    const id = await newService("standup", { time_zone: "Asia/Tokyo" });
    clock.advance(15 * 3600);
    expect(await ask(alice, "the door")).toBe("Noted.");
    expect(await ask(alice, "summary")).toStartWith("Reports of 2026-01-02:");
    clock.advance(8 * daySeconds);
    await ask(alice, "the roof");
    const { db, t } = app.engine.reader;
    const stored = (await db.select().from(t.botStorage)).filter(
      (one) => one.realmId === realm.id && one.userId === id,
    );
    expect(stored.map(({ key }) => key.split(" ")[1])).toEqual(["2026-01-10"]);
  });

  test("forgets a list of reports that somebody with its key has spoiled", async () => {
    const { alice, app } = world;
    const id = await newService("standup");
    expect(await ask(alice, "the door")).toBe("Noted.");
    const spoil = async (tx: Tx) =>
      tx.db.update(tx.t.botStorage).set({ value: "{" }).where(eq(tx.t.botStorage.userId, id));
    await write({ app, realm: world.realm, now: app.clock.now() }, spoil);
    expect(await ask(alice, "summary")).toBe("Nobody has reported on 2026-01-01.");
    expect(await ask(alice, "the door")).toBe("Noted.");
  });
});
