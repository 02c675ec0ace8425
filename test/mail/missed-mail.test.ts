import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { beginMails } from "../../src/mail/begin";
import { importFile } from "../../src/moving/import/import-file";
import { backupFolder } from "../support/archives/backups";
import { signInAll } from "../support/archives/realm-view";
import { writeReferenceExport } from "../support/archives/reference-export";
import { toldDirectly } from "../support/invitations";
import { addManyMessages } from "../support/many-messages";
import { outcomeOf } from "../support/outcome";
import { emojiForm, staticPng } from "../support/pictures";
import { beginMailsOfOne, beginMailsOfOther } from "../support/servers/mails-of-one";
import { type Received, type Relay, startRelay } from "../support/servers/relay";
import { makeWorld, type Person, type World } from "../support/world";

let world: World;
let relay: Relay;
beforeEach(async () => {
  relay = await startRelay();
  world = await makeWorld(relay.flags);
  await beginMailsOfOne(world);
  await world.pass(0);
});
afterEach(async () => {
  await world.close();
  await relay.close();
});

/** Lets minutes pass one by one, as they do, or several at once; answers the mails of that time. */
async function minutes(count: number, atOnce = 1): Promise<Received[]> {
  for (let i = 0; i < count; i += atOnce) await world.pass(60 * atOnce);
  await world.pass(0);
  return relay.received.splice(0);
}

/** Lets time pass until people who are away are written to. */
const soon = () => minutes(4, 2);

const set = (person: Person, settings: Record<string, unknown>) =>
  person.patch("/settings", settings);
const ping = (person: Person) =>
  person.post("/users/me/presence", { status: "active", ping_only: true });
const inShort = (found: Received[]) =>
  found.map(({ to, mail }) => `${to[0]}: ${mail.subject}`).sort();

test("a direct message and a mention are mailed to who was not there, once, a mail for each conversation", async () => {
  const { alice, bob, carol, zoe } = world;
  const yan = await beginMailsOfOther(world);
  await bob.tell([alice], "Soup is *ready*.");
  await yan.tell([zoe], "Tea is ready.");
  await bob.tell([alice], "Come!");
  await bob.tell([alice, carol], "You two, come.");
  await bob.say("general", "lunch", `@**Alice** and <b>you</b>`);
  await bob.say("general", "dinner", "for nobody");
  expect(await minutes(1)).toEqual([]);
  const found = await minutes(2);
  expect(inShort(found)).toEqual([
    "alice@example.com: [Acme] #general > lunch",
    "alice@example.com: [Acme] Bob has written to you",
    "alice@example.com: [Acme] Conversation with Bob, Carol",
    "carol@example.com: [Acme] Conversation with Alice, Bob",
    `zoe@example.com: [Other] ${yan.fullName} has written to you`,
  ]);
  const direct = found.find(({ mail }) => mail.subject?.includes("Bob has written"))?.mail;
  expect(direct?.text).toContain("Bob, 1 January 2026 at 00:00 UTC:\n> Soup is ready.");
  expect(direct?.text).toContain("> Come!");
  expect(direct?.text).toContain(
    `https://chat.example.com/#narrow/dm/${alice.id},${bob.id}-dm/near/`,
  );
  const lunch = found.find(({ mail }) => mail.subject?.includes("lunch"))?.mail;
  expect(lunch?.text).toContain("> @Alice and <b>you</b>");
  expect(lunch?.html).toContain("@Alice and &lt;b&gt;you&lt;/b&gt;");
  expect(lunch?.replyTo).toBeUndefined();
  expect(await minutes(10, 5)).toEqual([]);
  await bob.tell([alice], "Still here?");
  expect(inShort(await soon())).toEqual(["alice@example.com: [Acme] Bob has written to you"]);
});

test("an answer to one's own message is mailed, however soon it comes after that", async () => {
  const { alice, bob, adam, channels } = world;
  const place = { stream_id: channels.general, topic: "lunch" };
  await alice.post("/user_topics", { ...place, visibility_policy: 3 });
  await set(adam, { enable_stream_email_notifications: true });
  await alice.say("general", "lunch", "Who comes?");
  await bob.say("general", "lunch", "I do.");
  await adam.say("general", "dinner", "Who comes?");
  await bob.say("general", "dinner", "I do.");
  expect(inShort(await soon())).toEqual([
    "adam@example.com: [Acme] #general > dinner",
    "adam@example.com: [Acme] #general > lunch",
    "alice@example.com: [Acme] #general > lunch",
  ]);
});

test("a message is mailed in its words: formulas as written, links whole, spoilers not", async () => {
  await world.bob.tell([world.alice], "See [it](/help) $$x^2$$\n```spoiler who\nthe butler\n```");
  const [mail] = await soon();
  expect(mail?.mail.text).toContain("> See it [https://chat.example.com/help] x^2");
  expect(mail?.raw).not.toContain("butler");
});

test("the organization's own emoji are mailed by their names, and each row of a table as a line", async () => {
  const { olga, alice, bob } = world;
  await olga.ask("POST", "/realm/emoji/parrot", {}, { body: emojiForm(staticPng) });
  await bob.tell(
    [alice],
    "Thanks :parrot:!\n\n| soup | price |\n|---|--:|\n| leek | 4 |\n| pea | 3 |",
  );
  const [mail] = await soon();
  expect(mail?.mail.text).toContain(
    "> Thanks :parrot:!\n> \n> | soup | price\n> | leek | 4\n> | pea | 3\n",
  );
});

test("a moment is mailed as its reader reads it, in their language and time zone", async () => {
  const { alice, bob, carol } = world;
  await set(alice, { default_language: "de", timezone: "Europe/Berlin" });
  await bob.tell([alice, carol], "We meet <time:1798801200>, or <time:2027-01-02T10:00:00Z>.");
  const texts = (await soon()).map(({ mail }) => mail.text ?? "").join();
  expect(texts).toContain("> We meet 1. Januar 2027 um 12:00 MEZ, or");
  expect(texts).toContain("1 January 2027 at 11:00 UTC, or 2 January 2027 at");
});

test("what was read, was deleted, or is one's own is not mailed", async () => {
  const { alice, bob } = world;
  const read = await bob.tell([alice], "read");
  const gone = await bob.say("general", "lunch", "@**Alice** gone");
  await alice.tell([alice], "to myself");
  await alice.post("/messages/flags", { messages: [read], op: "add", flag: "read" });
  await world.adam.delete(`/messages/${gone}`);
  expect(await soon()).toEqual([]);
});

test("who is there is not written to, until they have gone without reading it", async () => {
  const { alice, bob } = world;
  await ping(alice);
  await bob.tell([alice], "hello");
  for (let i = 0; i < 5; i++) {
    expect(await minutes(1)).toEqual([]);
    await ping(alice);
  }
  expect(inShort(await soon())).toEqual(["alice@example.com: [Acme] Bob has written to you"]);
});

test("who was there while the clock was ahead is written to", async () => {
  const { alice, bob, clock } = world;
  const ahead = 365 * 86_400;
  clock.setForward(ahead);
  await ping(alice);
  clock.setForward(-ahead);
  await bob.tell([alice], "hello");
  expect(inShort(await soon())).toEqual(["alice@example.com: [Acme] Bob has written to you"]);
});

test("mails wait for as long as somebody wants them gathered", async () => {
  const { alice, bob } = world;
  await set(alice, { email_notifications_batching_period_seconds: 600 });
  await bob.tell([alice], "one");
  expect(await minutes(9)).toEqual([]);
  await bob.tell([alice], "two");
  const found = await minutes(3);
  expect([
    found.length,
    found[0]?.mail.text?.includes("one"),
    found[0]?.mail.text?.includes("two"),
  ]).toEqual([1, true, true]);
  expect(await minutes(15, 5)).toEqual([]);
});

describe("people's settings decide", () => {
  const mailsOfChannel = () => ({
    stream_id: world.channels.general,
    property: "email_notifications",
    value: true,
  });
  const followed = async (person: Person, policy: number) =>
    person.post("/user_topics", {
      stream_id: world.channels.general,
      topic: "lunch",
      visibility_policy: policy,
    });

  test("whether they get any, of followed topics, of whole channels, and of mentions of all", async () => {
    const { alice, bob, carol, mona, adam } = world;
    await set(alice, {
      enable_offline_email_notifications: false,
      enable_followed_topic_email_notifications: false,
    });
    await followed(alice, 3);
    await followed(carol, 3);
    await mona.post("/users/me/subscriptions/properties", {
      subscription_data: [mailsOfChannel()],
    });
    await set(adam, { enable_stream_email_notifications: true });
    await bob.tell([alice], "hello");
    await bob.say("general", "lunch", "soup");
    await bob.say("general", "dinner", "roast");
    const found = inShort(await soon());
    expect(found).toEqual([
      "adam@example.com: [Acme] #general > dinner",
      "adam@example.com: [Acme] #general > lunch",
      "carol@example.com: [Acme] #general > lunch",
      "mona@example.com: [Acme] #general > dinner",
      "mona@example.com: [Acme] #general > lunch",
    ]);
    // Bob has begun that topic, and so follows it.
    const none = {
      wildcard_mentions_notify: false,
      enable_followed_topic_wildcard_mentions_notify: false,
    };
    await set(bob, { ...none, enable_followed_topic_email_notifications: false });
    await world.olga.say("general", "dinner", "@**all** come");
    const all = inShort(await soon()).map((one) => one.split("@")[0]);
    expect(all).toEqual(["adam", "carol", "mona"]);
  });

  test("what is muted is not mailed, but for what is said to them by name", async () => {
    const { alice, bob, carol } = world;
    await followed(alice, 1);
    await set(alice, { enable_stream_email_notifications: true });
    await carol.post(`/users/me/muted_users/${bob.id}`);
    await bob.tell([carol], "muted");
    await bob.say("general", "lunch", "@**all** and @**Carol**");
    expect(inShort(await soon()).map((one) => one.split("@")[0])).toEqual(["adam", "mona", "olga"]);
    await bob.say("general", "lunch", "@**Alice** soup");
    expect(inShort(await soon())).toEqual(["alice@example.com: [Acme] #general > lunch"]);
  });

  test("F6, K3: without messages there is one mail, which tells neither names nor texts; so an organization may want", async () => {
    const { alice, bob, carol } = world;
    await set(alice, {
      message_content_in_email_notifications: false,
      realm_name_in_email_notifications_policy: 3,
    });
    await bob.tell([alice], "secret soup");
    await bob.say("general", "lunch", "@**Alice** secret soup");
    const [mail, ...more] = await soon();
    expect([mail?.mail.subject, more.length]).toEqual(["New messages", 0]);
    expect(mail?.raw).not.toMatch(/Bob|soup|lunch/);
    await world.olga.patch("/realm", { message_content_allowed_in_email_notifications: false });
    await bob.tell([carol], "secret soup");
    expect((await soon()).map(({ raw }) => /Bob|soup/.test(raw))).toEqual([false]);
  });

  test("they end with one click: all of them, also those of single topics and channels (RFC 8058)", async () => {
    const { alice, bob } = world;
    await followed(alice, 3);
    await set(alice, { enable_stream_email_notifications: true });
    await alice.post("/users/me/subscriptions/properties", {
      subscription_data: [mailsOfChannel()],
    });
    await set(world.adam, { enable_stream_email_notifications: false });
    await bob.tell([alice], "hello");
    const [mail] = await soon();
    const header = mail?.mail.headers.find(({ key }) => key === "list-unsubscribe")?.value ?? "";
    const queue = await alice.register({ event_types: ["user_settings", "subscription"] });
    await world.anonymous.open(new URL(header.slice(1, -1)).pathname, { method: "POST" });
    expect((await queue.events()).map(({ property, value }) => [property, value])).toEqual([
      ["enable_offline_email_notifications", false],
      ["enable_followed_topic_email_notifications", false],
      ["enable_stream_email_notifications", false],
      ["email_notifications", false],
    ]);
    await bob.tell([alice], "again");
    await bob.say("general", "lunch", "@**all** @**Alice**");
    expect(inShort(await soon()).filter((one) => one.startsWith("alice"))).toEqual([]);
  });
});

test("A1: who may not read a message any more gets no mail of it; nor do bots and those who were deactivated", async () => {
  const { alice, bob, robot, carol, adam } = world;
  await alice.say("secret", "plans", "@**Bob** the plan");
  await alice.delete("/users/me/subscriptions", {
    subscriptions: ["secret"],
    principals: [bob.id],
  });
  await adam.delete(`/users/me/subscriptions`, { subscriptions: ["secret"], principals: [bob.id] });
  await alice.tell([robot], "hello");
  await alice.tell([carol], "hello");
  await adam.delete(`/users/${carol.id}`);
  expect(inShort(await soon())).toEqual([]);
});

test("F6: names of people, channels and topics are one line in headers and text in HTML", async () => {
  const { alice, olga, bob } = world;
  await olga.patch("/realm", { name: "Ac<me> & Co" });
  await olga.post("/users/me/subscriptions", {
    subscriptions: [{ name: "<script>alert(1)</script>" }],
    principals: [alice.id, bob.id],
  });
  await soon();
  await bob.say(
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "@**Alice** <script>alert(2)</script> `x`",
  );
  const [mail] = await soon();
  expect(mail?.mail.subject).toBe(
    "[Ac<me> & Co] #<script>alert(1)</script> > <img src=x onerror=alert(1)>",
  );
  expect(mail?.mail.html).not.toMatch(/<script|<img/);
  expect(mail?.mail.html).toContain("&lt;script&gt;alert(2)&lt;/script&gt;");
});

test("A1: a mail that had to wait for the relay tells nothing that was deleted, read or changed meanwhile", async () => {
  const { alice, bob, adam } = world;
  await relay.close();
  const gone = await bob.say("general", "lunch", "@**Alice** secret soup");
  const read = await bob.tell([alice], "read soup");
  const changed = await bob.tell([alice, adam], "wrong soup");
  await soon();
  await adam.delete(`/messages/${gone}`);
  await alice.post("/messages/flags", { messages: [read], op: "add", flag: "read" });
  await bob.patch(`/messages/${changed}`, { content: "right soup" });
  await minutes(9);
  relay = await startRelay({}, relay.port);
  const alices = (await minutes(10)).filter(({ to }) => to.includes("alice@example.com"));
  expect(alices.map(({ mail }) => mail.subject)).toEqual(["[Acme] Conversation with Adam, Bob"]);
  expect(alices[0]?.raw).not.toMatch(/secret|read soup|wrong/);
  expect(await minutes(60, 10)).toEqual([]);
});

test("A1: a mail that waits for the relay for minutes tells nothing of a channel that was lost, or deleted, meanwhile", async () => {
  const { alice, bob, adam } = world;
  await relay.close();
  const gone = await alice.say("general", "tea", "@**Carol** deleted soup");
  await alice.say("secret", "plans", "@**Bob** secret soup");
  await alice.say("general", "lunch", "@**Bob** public soup");
  await soon();
  await adam.delete("/users/me/subscriptions", { subscriptions: ["secret"], principals: [bob.id] });
  await adam.delete(`/messages/${gone}`);
  relay = await startRelay({}, relay.port);
  const found = await minutes(3);
  expect(inShort(found)).toEqual(["bob@example.com: [Acme] #general > lunch"]);
  expect(found[0]?.raw).not.toMatch(/secret/);
});

test("A1: a mail that waits for the relay for minutes has its messages with the words and topics that they have by then", async () => {
  const { alice, bob } = world;
  await relay.close();
  const changed = await bob.tell([alice], "the password is hunter2");
  const moved = await bob.say("general", "hunter2", "@**Alice** soup");
  await soon();
  await bob.patch(`/messages/${changed}`, { content: "never mind" });
  await bob.patch(`/messages/${moved}`, { topic: "lunch" });
  relay = await startRelay({}, relay.port);
  const found = await minutes(3);
  expect(inShort(found)).toEqual([
    "alice@example.com: [Acme] #general > lunch",
    "alice@example.com: [Acme] Bob has written to you",
  ]);
  expect(found.some(({ raw }) => raw.includes("never mind"))).toBe(true);
  expect(found.map(({ raw }) => raw).join()).not.toMatch(/hunter2/);
});

test("C1: a mail that waits for the relay is not sent to somebody who was deactivated meanwhile", async () => {
  const { alice, bob, adam } = world;
  await relay.close();
  await bob.tell([alice], "secret soup");
  await soon();
  await adam.delete(`/users/${alice.id}`);
  relay = await startRelay({}, relay.port);
  expect(inShort(await minutes(3))).toEqual([]);
});

test("a mailbox that is full for good is not tried for ever", async () => {
  const { alice, bob } = world;
  relay.refuse("alice@example.com", 452);
  await bob.tell([alice], "soup");
  await minutes(30, 5);
  const waiting = async () => (await world.app.jobs.list()).filter(({ name }) => name === "mail");
  expect(await waiting()).toHaveLength(1);
  for (let i = 0; i < 12; i++) await world.pass(6 * 3_600);
  expect(await waiting()).toEqual([]);
  const tries = relay.connections();
  expect(inShort(await minutes(30, 10))).toEqual([]);
  expect(relay.connections()).toBe(tries);
});

test("a mail that the relay takes late does not bring another one again that it took in time", async () => {
  const { alice, bob, carol } = world;
  await bob.tell([alice], "first");
  await carol.tell([alice], "second");
  await minutes(1);
  const later = { code: 450, text: "4.2.1 too much mail for this address at a time" };
  relay.answers.push(later, undefined, ...Array.from({ length: 30 }, () => later));
  expect(inShort(await minutes(12))).toEqual([
    "alice@example.com: [Acme] Carol has written to you",
  ]);
  relay.answers.splice(0);
  expect(inShort(await minutes(30, 5))).toEqual([
    "alice@example.com: [Acme] Bob has written to you",
  ]);
});

test("who was there for hundreds of messages and goes then is written to about the newest", async () => {
  const { mona, bob } = world;
  await set(mona, { enable_stream_email_notifications: true });
  await ping(mona);
  await addManyMessages(world, 510, world.clock.now());
  expect(inShort(await minutes(2)).filter((one) => one.startsWith("mona"))).toEqual([]);
  await mona.post("/mark_all_as_read");
  await bob.say("general", "dinner", "the newest");
  expect(inShort(await minutes(6)).filter((one) => one.startsWith("mona"))).toEqual([
    "mona@example.com: [Acme] #general > dinner",
  ]);
});

test("on two nodes and over a restart nobody is written to twice, nor forgotten", async () => {
  const { alice, bob, carol } = world;
  await world.startNode();
  await bob.tell([alice], "one");
  await minutes(1);
  await world.restart();
  await bob.tell([carol], "two");
  expect(inShort(await minutes(6))).toEqual([
    "alice@example.com: [Acme] Bob has written to you",
    "carol@example.com: [Acme] Bob has written to you",
  ]);
});

test("whose address is refused is told so, once a week, and that is no message to be mailed", async () => {
  const { alice, bob } = world;
  relay.refuse("alice@example.com");
  for (let i = 0; i < 3; i++) {
    await bob.tell([alice], "hello");
    expect(await soon()).toEqual([]);
  }
  expect(await toldDirectly(alice)).toEqual([
    "hello",
    expect.stringContaining("The mail with what you have missed (alice@example.com)"),
    "hello",
    "hello",
  ]);
});

test("a send writes nothing for it", async () => {
  const { db, t } = world.app.engine.reader;
  await world.bob.tell([world.alice], "hello");
  expect(await db.select().from(t.missedMail)).toEqual([]);
  await world.pass(60);
  expect(await db.select().from(t.missedMail)).toMatchObject([{ userId: world.alice.id }]);
});

test("where no mail is sent there is nothing to look through", async () => {
  const quiet = await makeWorld();
  await beginMails(quiet.app);
  expect(await quiet.app.jobs.list()).toEqual([]);
  await quiet.close();
});

test("what an import brings is not missed, whatever of it is unread and however often a server looks meanwhile", async () => {
  const { folder, remove } = backupFolder();
  const path = join(folder, "there.tar.gz");
  writeReferenceExport(path);
  const wanted = {
    from: "zulip" as const,
    host: "here.example.org",
    name: undefined,
    isDry: false,
  };
  const stopAt = (where: string) => (what: string) => {
    if (what === where) throw new Error("interrupted");
  };
  const first = importFile(world.app, path, wanted, { progress: stopAt("channels") });
  expect(await outcomeOf(first)).toThrow("interrupted");
  await beginMails(world.app);
  await importFile(world.app, path, wanted, { progress: () => undefined });
  await beginMails(world.app);
  const people = await signInAll(world, wanted.host);
  const unread = {
    anchor: "newest",
    num_before: 50,
    num_after: 0,
    narrow: [{ operator: "is", operand: "unread" }],
  };
  // Bots that only post may not read.
  const waiting = [...people.values()].map(
    async (one) => (await one.get("/messages", unread)).body.messages?.length ?? 0,
  );
  expect(Math.max(...(await Promise.all(waiting)))).toBeGreaterThan(0);
  expect(await soon()).toEqual([]);
  remove();
});
