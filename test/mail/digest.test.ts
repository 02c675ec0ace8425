import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { nextHour } from "../../src/mail/digest/job";
import { beginMailsOfOne, beginMailsOfOther } from "../support/servers/mails-of-one";
import { type Received, type Relay, startRelay } from "../support/servers/relay";
import { makeWorld, type Person, type World } from "../support/world";

const day = 86_400;
/** 2026-01-01 is a Thursday; Mondays are 0. */
const thursday = 3;

let world: World;
let relay: Relay;
beforeEach(async () => {
  relay = await startRelay();
  world = await makeWorld(relay.flags);
  await beginMailsOfOne(world);
  await world.olga.patch("/realm", { digest_emails_enabled: true, digest_weekday: thursday });
  for (const person of [world.olga, world.adam, world.mona, world.bob, world.carol, world.otto])
    await quiet(person);
});
afterEach(async () => {
  await world.close();
  await relay.close();
});

const set = (person: Person, settings: Record<string, unknown>) =>
  person.patch("/settings", settings);

/** They want no mails in the tests that are about others. */
const quiet = (person: Person) =>
  set(person, {
    enable_digest_emails: false,
    enable_offline_email_notifications: false,
    ...unfollowed,
  });
const unfollowed = { enable_followed_topic_email_notifications: false };

/** Lets days pass at once, in which nothing is looked for. */
const daysAtOnce = (count: number) => world.pass(count * day);

/** Lets days pass, one by one; answers the digests of that time. */
async function days(count: number): Promise<Received[]> {
  for (let i = 0; i < count; i++) await world.pass(day);
  for (let i = 0; i < 3; i++) await world.pass(30);
  return relay.received.splice(0).filter(({ mail }) => mail.subject?.startsWith("The week"));
}

test("it is told once a week, on the organization's day, to who was not there", async () => {
  const { alice, bob, carol, zoe } = world;
  const yan = await beginMailsOfOther(world);
  await zoe.patch("/realm", { digest_emails_enabled: true, digest_weekday: thursday });
  await quiet(yan);
  await zoe.post("/users/me/subscriptions", {
    subscriptions: [{ name: "teas" }],
    principals: [zoe.id, yan.id],
  });
  await daysAtOnce(4);
  await bob.say("general", "lunch", "soup");
  await yan.say("teas", "breakfast", "green");
  await carol.say("general", "lunch", "salad");
  await bob.say("general", "dinner", "roast");
  await bob.post("/users/me/subscriptions", { subscriptions: [{ name: "new things" }] });
  expect(await days(2)).toEqual([]);
  const found = await days(1);
  expect(found.map(({ to }) => to).sort()).toEqual([["alice@example.com"], ["zoe@example.com"]]);
  const ofOther = found.find(({ to }) => to.includes("zoe@example.com"))?.raw;
  expect(ofOther).toContain("#teas > breakfast");
  expect(ofOther).not.toMatch(/lunch|dinner|new things/);
  const digest = found.find(({ to }) => to.includes("alice@example.com"));
  expect(digest?.raw).not.toMatch(/teas|breakfast/);
  expect(digest?.mail.subject).toBe("The week at Acme");
  const text = digest?.mail.text ?? "";
  expect(text).toContain("#general > lunch:\nhttps://chat.example.com/#narrow/channel/");
  expect(text).toContain("2 messages from 2 people");
  expect(text.indexOf("lunch")).toBeLessThan(text.indexOf("dinner"));
  expect(text).toContain("New channels: #new things");
  expect(text).not.toMatch(/soup|salad|roast/);
  // A week later there is nothing to tell.
  expect(await days(7)).toEqual([]);
  await bob.say("general", "lunch", "again");
  await set(alice, { enable_digest_emails: false });
  expect(await days(7)).toEqual([]);
});

test("who was there gets none, nor does anybody where the organization sends none", async () => {
  const { alice, bob, olga } = world;
  await daysAtOnce(5);
  await bob.say("general", "lunch", "soup");
  await alice.post("/users/me/presence", { status: "idle", ping_only: true });
  expect(await days(3)).toEqual([]);
  await bob.say("general", "lunch", "soup");
  await olga.patch("/realm", { digest_emails_enabled: false });
  expect(await days(7)).toEqual([]);
});

describe("it holds nothing", () => {
  test("A16: of channels and times that somebody may not read, nor of what they have muted", async () => {
    const { alice, bob, adam, channels } = world;
    await set(bob, { enable_digest_emails: true });
    await set(alice, { enable_digest_emails: false });
    await daysAtOnce(5);
    await alice.say("plans", "hidden plan", "x");
    await alice.say("secret", "before he came back", "x");
    await bob.delete("/users/me/subscriptions", { subscriptions: ["secret"] });
    await alice.post("/users/me/subscriptions", {
      subscriptions: [{ name: "secret" }],
      principals: [bob.id],
    });
    await alice.say("general", "muted topic", "x");
    await bob.post("/user_topics", {
      stream_id: channels.general,
      topic: "muted topic",
      visibility_policy: 1,
    });
    await adam.post("/users/me/subscriptions", {
      subscriptions: [{ name: "board" }],
      invite_only: true,
    });
    await alice.say("general", "lunch", "x");
    const [digest] = await days(2);
    expect(digest?.to).toEqual(["bob@example.com"]);
    expect(digest?.mail.text).toContain("#general > lunch");
    expect(digest?.raw).not.toMatch(/hidden plan|before he|muted topic|board/);
  });

  test("of names where messages are not to be in mails", async () => {
    const { alice, bob } = world;
    await daysAtOnce(5);
    await set(alice, { message_content_in_email_notifications: false });
    await bob.say("general", "lunch", "soup");
    const [digest] = await days(2);
    expect(digest?.mail.text).toContain("1 message in 1 topic");
    expect(digest?.raw).not.toMatch(/lunch|general/);
  });
});

test("it ends with one click", async () => {
  const { bob, anonymous } = world;
  await daysAtOnce(5);
  await bob.say("general", "lunch", "soup");
  const [digest] = await days(2);
  const header = digest?.mail.headers.find(({ key }) => key === "list-unsubscribe")?.value ?? "";
  expect(
    (await anonymous.open(new URL(header.slice(1, -1)).pathname, { method: "POST" })).status,
  ).toBe(200);
  await bob.say("general", "lunch", "soup");
  expect(await days(7)).toEqual([]);
});

describe("one that had to wait for the relay", () => {
  /** Lets minutes pass, ten at a time. */
  const minutes = async (count: number) => {
    for (let i = 0; i < count; i += 10) await world.pass(600);
  };

  /**
   * Lets the relay be away on the day of the digest, and back an hour later; something happens
   * after so many minutes.
   */
  async function lateDigests(meanwhile: () => Promise<unknown>, after = 0): Promise<Received[]> {
    await relay.close();
    await days(2);
    await minutes(after);
    await meanwhile();
    await minutes(20);
    relay = await startRelay({}, relay.port);
    await minutes(60);
    return (await days(0)).filter(({ mail }) => mail.subject?.startsWith("The week"));
  }

  test("A1: tells nothing of a channel that somebody has been taken out of since", async () => {
    const { alice, bob, adam } = world;
    await set(bob, { enable_digest_emails: true });
    await alice.say("general", "breakfast", "x");
    await days(7);
    await daysAtOnce(5);
    await alice.say("secret", "takeover", "x");
    await alice.say("general", "lunch", "x");
    const digests = await lateDigests(async () => {
      await adam.delete("/users/me/subscriptions", {
        subscriptions: ["secret"],
        principals: [bob.id],
      });
    });
    const [bobs, ...more] = digests.filter(({ to }) => to.includes("bob@example.com"));
    expect([bobs?.mail.text?.includes("#general > lunch"), more]).toEqual([true, []]);
    expect(bobs?.raw).not.toMatch(/secret|takeover/);
  });

  test("A1: tells nothing of a topic that was deleted since, also after it was written anew", async () => {
    const { alice, bob, adam } = world;
    await set(bob, { enable_digest_emails: true });
    await daysAtOnce(5);
    const gone = await alice.say("general", "takeover", "x");
    await alice.say("general", "lunch", "x");
    const digests = await lateDigests(() => adam.delete(`/messages/${gone}`), 20);
    const [bobs] = digests.filter(({ to }) => to.includes("bob@example.com"));
    expect(bobs?.mail.text).toContain("#general > lunch");
    expect(bobs?.mail.text).not.toContain("takeover");
  });

  test("C1: goes neither to who was deactivated since nor to who has unsubscribed", async () => {
    const { alice, bob, adam, carol } = world;
    await set(bob, { enable_digest_emails: true });
    await daysAtOnce(5);
    await carol.say("general", "lunch", "x");
    const digests = await lateDigests(async () => {
      await adam.delete(`/users/${alice.id}`);
      await set(bob, { enable_digest_emails: false });
    });
    expect(digests.map(({ to }) => to)).toEqual([]);
  });
});

test("clients are told whether there are digests", async () => {
  const { state } = await world.alice.register({ fetch_event_types: ["realm"] });
  expect(state.settings_send_digest_emails).toBe(true);
});

test("the next hour of a day is after now, and at most a day away", () => {
  const midnight = 1_767_225_600;
  const ten = midnight + 36_000;
  expect([midnight, ten - 1, ten, ten + 1].map(nextHour)).toEqual([ten, ten, ten + day, ten + day]);
});
