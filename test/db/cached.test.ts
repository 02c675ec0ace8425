import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import type { Reader } from "../../db/reader";
import { write } from "../../src/core/write";
import { deactivateUser, reactivateUser } from "../../src/management/accounts/deactivate";
import { updateUserRole } from "../../src/management/accounts/update";
import { cached } from "../../src/memory/cached";
import { matchNarrow } from "../../src/messages/narrow/matches";
import { findAddressed } from "../../src/messages/send/addressed-channel";
import { loadUser } from "../../src/people/users/queries";
import { newName } from "../support/api/calls/things";
import type { Answer } from "../support/client";
import { stateFromScratch } from "../support/client-state/from-scratch";
import { outcomeOf } from "../support/outcome";
import { shareWorld } from "../support/shared-world";
import type { Node, Person, World } from "../support/world";

let world: World;
let other: Node;
const ownWorld = shareWorld((given) => {
  world = given;
});
let sharedOther: Node | undefined;
let haveAnswered = false;

/** Two servers of the shared world. */
async function twoServers() {
  sharedOther ??= await world.startNode();
  other = sharedOther;
}

/**
 * Two servers of the shared world that have everything cached: they answer everything when a test
 * calls this first, and at the end of each test that calls it.
 */
async function answeredServers() {
  await twoServers();
  if (!haveAnswered) await answerAll();
  haveAnswered = true;
}

/** Two servers for one test, which have everything cached. */
async function ownServers() {
  await ownWorld();
  other = await world.startNode();
  await answerAll();
}

async function answerAll() {
  await world.alice.say("general", "lunch", "soup **today**");
  for (const person of [world.alice, world.greta]) {
    await readAll(person);
    await readAll(person.at(other));
  }
}

const standard = { include_subscribers: true, client_gravatar: false, slim_presence: true };

async function readAll(person: Person) {
  const { state } = await person.register(standard);
  const { messages } = (
    await person.get("/messages", { anchor: "newest", num_before: 100, num_after: 0 })
  ).body;
  return { state, messages };
}

/** Both servers answer at once what the database says, whichever of them has written. */
async function expectCurrent(...people: Person[]) {
  for (const person of people) {
    const fresh = await stateFromScratch(world, person);
    for (const one of [person, person.at(other)]) {
      const { state } = await readAll(one);
      expect(state).toMatchObject(fresh);
    }
  }
}

const isAnswer = (value: unknown): value is Answer =>
  typeof value === "object" && value !== null && "status" in value;

const changes: [string, () => Promise<unknown>][] = [
  ["a name", () => world.olga.patch(`/users/${world.bob.id}`, { full_name: "Robert" })],
  [
    "a new channel",
    () => world.olga.post("/users/me/subscriptions", { subscriptions: [{ name: "new" }] }),
  ],
  [
    "a subscription",
    () => world.otto.post("/users/me/subscriptions", { subscriptions: [{ name: "general" }] }),
  ],
  [
    "the end of one",
    () => world.bob.delete("/users/me/subscriptions", { subscriptions: ["general"] }),
  ],
  [
    "a group",
    () =>
      world.olga.post("/user_groups/create", {
        name: "cooks",
        description: "",
        members: [world.bob.id],
      }),
  ],
  [
    "a setting of the organization",
    () => world.olga.patch("/realm", { waiting_period_threshold: 30 }),
  ],
  ["a setting of one's own", () => world.alice.patch("/settings", { enable_sounds: false })],
  [
    "an address that is hidden",
    () => world.bob.patch("/settings", { email_address_visibility: 4 }),
  ],
  [
    "an address of one's own that is hidden",
    () => world.alice.patch("/settings", { email_address_visibility: 4 }),
  ],
  [
    "a domain",
    () => world.olga.post("/realm/domains", { domain: "example.org", allow_subdomains: false }),
  ],
  [
    "a folder",
    () => world.olga.post("/channel_folders/create", { name: "Kitchen", description: "" }),
  ],
  [
    "a profile field",
    () => world.olga.post("/realm/profile_fields", { name: "Birthday", field_type: 4 }),
  ],
  [
    "a playground",
    () =>
      world.olga.post("/realm/playgrounds", {
        name: "Rust",
        pygments_language: "Rust",
        url_template: "https://play.example.com/{code}",
      }),
  ],
  [
    "a linkifier",
    () =>
      world.olga.post("/realm/filters", {
        pattern: "#(?P<id>[0-9]+)",
        url_template: "https://bugs.example.com/{id}",
      }),
  ],
  [
    "a first draft",
    () => world.alice.post("/drafts", { drafts: [{ type: "", to: [], topic: "", content: "so" }] }),
  ],
  [
    "a first alert word",
    () => world.alice.post("/users/me/alert_words", { alert_words: ["soup"] }),
  ],
  ["a first muted person", () => world.alice.post(`/users/me/muted_users/${world.bob.id}`)],
];

/** After each of these, some of the other changes are refused. */
const takingAway: [string, () => Promise<unknown>][] = [
  [
    "a name of a channel",
    () => world.olga.patch(`/streams/${world.channels.general}`, { new_name: "everybody" }),
  ],
  ["a role", () => updateUserRole(world.operator, world.bob.id, 300)],
  ["one's own role", () => updateUserRole(world.operator, world.alice.id, 600)],
  ["a deactivation", () => deactivateUser(world.operator, world.bob.id)],
  [
    "a channel that becomes private",
    () => world.olga.patch(`/streams/${world.channels.general}`, { is_private: true }),
  ],
  ["an archived channel", () => world.olga.delete(`/streams/${world.channels.general}`)],
];

async function expectNoted(change: () => Promise<unknown>) {
  const answer = await change();
  if (isAnswer(answer)) expect(answer.status).toBe(200);
  await expectCurrent(world.alice, world.greta);
}

test.each(changes)(
  "what is cached ends with %s, at the server that wrote and at the other",
  async (_, change) => {
    await answeredServers();
    await expectNoted(change);
  },
);

test.each(takingAway)(
  "what is cached ends with %s, at the server that wrote and at the other",
  async (_, change) => {
    await ownServers();
    await expectNoted(change);
  },
);

test("somebody who is reactivated is back in all lists", async () => {
  await ownServers();
  await deactivateUser(world.operator, world.bob.id);
  await expectCurrent(world.alice);
  await reactivateUser(world.operator, world.bob.id);
  await expectCurrent(world.alice);
});

test("the first message of a channel is told of, though no event does", async () => {
  await ownServers();
  const of = async (person: Person) =>
    (await person.register(standard)).state.subscriptions.find(
      ({ name }: { name: string }) => name === "secret",
    );
  expect((await of(world.alice)).first_message_id).toBeNull();
  const id = await world.alice.say("secret", "t", "psst");
  expect((await of(world.alice)).first_message_id).toBe(id);
  expect((await of(world.alice.at(other))).first_message_id).toBe(id);
});

test("a member becomes a full one with time alone", async () => {
  await ownServers();
  await world.olga.patch("/realm", { waiting_period_threshold: 2 });
  const fullMembers = async () => {
    const { realm_user_groups: groups } = (await world.alice.register(standard)).state;
    return groups.find(({ name }: { name: string }) => name === "role:fullmembers").members;
  };
  expect(await fullMembers()).not.toContain(world.bob.id);
  world.clock.advance(3 * 24 * 3600);
  expect(await fullMembers()).toContain(world.bob.id);
});

test("messages are shown with the reactions, names and places of now, at both servers", async () => {
  await ownServers();
  const id = await world.alice.say("general", "lunch", "soup again");
  const shown = async () =>
    Promise.all(
      [world.bob, world.bob.at(other)].map(async (person) => {
        const { messages } = await readAll(person);
        return messages.find((message: { id: number }) => message.id === id);
      }),
    );
  const both = async (expected: object | undefined) =>
    expect(await shown()).toMatchObject([expected, expected]);
  await both({ reactions: [], sender_full_name: "Alice", display_recipient: "general" });
  await world.bob.at(other).post(`/messages/${id}/reactions`, { emoji_name: "smile" });
  await both({ reactions: [{ emoji_name: "smile", user_id: world.bob.id }] });
  await world.bob.delete(`/messages/${id}/reactions`, { emoji_name: "smile" });
  await both({ reactions: [] });
  await world.olga.patch(`/users/${world.alice.id}`, { full_name: "Alicia" });
  await both({ sender_full_name: "Alicia" });
  await world.olga.patch(`/streams/${world.channels.general}`, { new_name: "everybody" });
  await both({ display_recipient: "everybody" });
  await world.olga.post(`/streams/${world.channels.general}/delete_topic`, { topic_name: "lunch" });
  expect(await shown()).toEqual([undefined, undefined]);
});

test("a message is shown alike by the server that has just stored it and by one that reads it", async () => {
  await ownServers();
  const { alice, bob, carol, olga } = world;
  await olga.post("/realm/filters", {
    pattern: "#(?P<id>[0-9]+)",
    url_template: "https://example.com/{id}",
  });
  const ids = [
    await alice.say("general", "ticket #12", "**all** of @**Bob** #12 `code`"),
    await alice.say("general", "", "no topic"),
    await alice.say("secret", "votes", "/poll lunch?\nsoup"),
    await alice.tell([bob, carol], "/me tells"),
    await bob.tell([bob], "a note"),
  ];
  const read = async (person: Person) =>
    (await person.get("/messages", { message_ids: ids })).body.messages;
  const here = await read(bob);
  expect(here.map(({ id }: { id: number }) => id)).toEqual(ids);
  expect(await read(bob.at(other))).toEqual(here);
});

test("a message is marked by where it is, not by where it was when it was sent", async () => {
  await ownServers();
  const { alice, bob, channels } = world;
  const id = await alice.say("general", "t", "soon elsewhere");
  const move = async (stream_id: number) =>
    expect((await alice.at(other).patch(`/messages/${id}`, { stream_id })).status).toBe(200);
  const star = () => bob.post("/messages/flags", { messages: [id], op: "add", flag: "starred" });
  const flags = async () => (await bob.get(`/messages/${id}`)).body.message.flags;
  await move(channels.plans);
  await star();
  await move(channels.general);
  expect(await flags()).not.toContain("starred");
  await star();
  expect(await flags()).toContain("starred");
});

test("a message that is hidden with its channel is not read from memory", async () => {
  await ownServers();
  const read = (person: Person) =>
    person.get("/messages", { anchor: "newest", num_before: 10, num_after: 0 });
  await world.bob.delete("/users/me/subscriptions", { subscriptions: ["secret"] });
  const id = await world.alice.say("secret", "t", "not for bob");
  expect((await read(world.alice)).body.messages.at(-1).id).toBe(id);
  for (const bob of [world.bob, world.bob.at(other)]) {
    expect((await bob.get(`/messages/${id}`)).status).toBe(400);
    expect((await bob.get("/messages", { message_ids: [id] })).body.messages).toEqual([]);
  }
});

test("a message that is hidden while a request is answered is not matched with what was cached before", async () => {
  await ownServers();
  const { alice, bob, realm } = world;
  const user = await loadUser(world.app.engine.reader, realm.id, bob.id);
  const reader = world.app.engine.openReader();
  const ctx = { ...world.operator, reader, actor: { kind: "user" as const, user, apiKeyId: 0 } };
  const connection = { expect: () => undefined };
  const match = async (id: number) => {
    const { pieces } = await matchNarrow(ctx, { msgIds: [id], narrow: [] }, connection);
    return JSON.parse(`{${pieces.join("")}}`) as { messages: object };
  };
  const before = await alice.say("secret", "t", "bob may read this");
  expect(Object.keys((await match(before)).messages)).toEqual([String(before)]);
  const gone = await bob.at(other).delete("/users/me/subscriptions", { subscriptions: ["secret"] });
  expect(gone.status).toBe(200);
  const edit = await alice.at(other).patch(`/messages/${before}`, { content: "and not this" });
  expect(edit.status).toBe(200);
  expect((await match(before)).messages).toEqual({});
});

const countUsers = async ({ db, t }: Reader, realmId: number) =>
  (await db.select().from(t.users).where(eq(t.users.realmId, realmId))).length;

async function addUser({ db, t }: Reader, realmId: number) {
  const name = newName("user");
  return db
    .insert(t.users)
    .values({ realmId, email: name, emailKey: name, fullName: name, role: 400, createdAt: 1 })
    .returning();
}

test("a value is worked out once as long as its tables stay as they are", async () => {
  await twoServers();
  let loads = 0;
  const users = cached(["users"], async (reader, realmId) => {
    loads += 1;
    return countUsers(reader, realmId);
  });
  const { engine } = world.app;
  const count = await users(engine.reader, world.realm.id);
  await world.alice.say("general", "lunch", "a message changes no user");
  expect(await users(engine.openReader(), world.realm.id)).toBe(count);
  expect(loads).toBe(1);
  await write(world.operator, (tx) => addUser(tx, world.realm.id));
  expect(await users(engine.reader, world.realm.id)).toBe(count + 1);
  expect(loads).toBe(2);
});

test("a snapshot is not given what came after it, and what it reads is not kept for those after it", async () => {
  await twoServers();
  const users = cached(["users"], countUsers);
  const { engine } = world.app;
  const realmId = world.realm.id;
  const count = await users(engine.reader, realmId);
  await engine.snapshot(async (reader) => {
    expect(await users(reader, realmId)).toBe(count);
    const { engine: elsewhere } = other.app;
    if (elsewhere.dialect === "postgres") {
      await write({ app: other.app, realm: { id: realmId }, now: 1 }, (tx) => addUser(tx, realmId));
      expect(await users(engine.reader, realmId)).toBe(count + 1);
    }
    expect(await users(reader, realmId)).toBe(count);
  });
  const now = await countUsers(engine.reader, realmId);
  expect(await users(engine.reader, realmId)).toBe(now);
});

test("a write sees what it has changed itself, and none of it is cached where it is undone", async () => {
  await twoServers();
  const users = cached(["users"], countUsers);
  const realmId = world.realm.id;
  const count = await users(world.app.engine.reader, realmId);
  const counts = await write(world.operator, async (tx) => {
    await addUser(tx, realmId);
    const seen = await users(tx, realmId);
    throw new Error(String(seen));
  }).catch(({ message }: Error) => Number(message));
  expect([counts, await users(world.app.engine.reader, realmId)]).toEqual([count + 1, count]);
});

test("what new messages make true is cached once they are stored, and not where they are undone", async () => {
  await twoServers();
  const { alice, channels } = world;
  const realmId = world.realm.id;
  const place = {
    channelId: channels.general,
    sentChannelId: channels.general,
    placedAt: 0,
    topic: "new",
    topicKey: "new",
  };
  const text = {
    content: "soup",
    renderedContent: "<p>soup</p>",
    client: "test",
    sentAt: 1,
    readBySender: true,
  };
  const hasMessages = async (reader: Reader) => {
    const who = { realmId, userId: alice.id };
    return (await findAddressed(reader, who, { id: channels.general }, "new"))?.hasMessages;
  };
  const begin = (isUndone: boolean) =>
    write(world.operator, async (tx) => {
      await tx.db.insert(tx.t.messages).values({ ...place, ...text, realmId, senderId: alice.id });
      expect(await hasMessages(tx)).toBe(true);
      if (isUndone) throw new Error("undone");
    });
  expect(await outcomeOf(begin(true))).toThrow("undone");
  expect(await write(world.operator, hasMessages)).toBe(false);
  await begin(false);
  expect(await write(world.operator, hasMessages)).toBe(true);
});

test("more changes than are looked through make everything be forgotten", async () => {
  await twoServers();
  const users = cached(["users"], countUsers);
  const realmId = world.realm.id;
  const count = await users(world.app.engine.reader, realmId);
  await write({ app: other.app, realm: { id: realmId }, now: 1 }, async (tx) => {
    for (let i = 0; i < 1_200; i++) await tx.emit({ to: "server" }, { type: "server_blank" });
    await addUser(tx, realmId);
  });
  world.app.engine.checkForOtherWrites();
  expect(await users(world.app.engine.reader, realmId)).toBe(count + 1);
});

test("in a write nothing is read twice that no write has changed, and everything that another server has", async () => {
  await twoServers();
  let loads = 0;
  const users = cached(["users"], async (reader, realmId) => {
    loads += 1;
    return countUsers(reader, realmId);
  });
  const realmId = world.realm.id;
  const countAt = (app: World["app"]) =>
    write({ app, realm: { id: realmId }, now: 1 }, (tx) => users(tx, realmId));
  const count = await countAt(world.app);
  await world.alice.say("general", "lunch", "a message changes no user");
  expect(await countAt(world.app)).toBe(count);
  expect(await users(world.app.engine.openReader(), realmId)).toBe(count);
  expect(loads).toBe(1);
  await write({ app: other.app, realm: { id: realmId }, now: 1 }, (tx) => addUser(tx, realmId));
  expect(await countAt(world.app)).toBe(count + 1);
  expect(loads).toBe(2);
});

test("of writes that share a commit a later one sees what an earlier one has changed", async () => {
  await twoServers();
  const users = cached(["users"], countUsers);
  const realmId = world.realm.id;
  const count = await users(world.app.engine.reader, realmId);
  const counts = await Promise.all([
    write(world.operator, (tx) => users(tx, realmId)),
    write(world.operator, (tx) => addUser(tx, realmId)),
    write(world.operator, (tx) => users(tx, realmId)),
  ]);
  expect([counts[0], counts[2]]).toEqual([count, count + 1]);
  expect(await users(world.app.engine.reader, realmId)).toBe(count + 1);
});

const losses: [string, () => Promise<unknown>][] = [
  ["whose account was deactivated", () => deactivateUser(world.operator, world.alice.id)],
  [
    "whose channel was archived",
    () => world.olga.at(other).delete(`/streams/${world.channels.general}`),
  ],
  [
    "who may no longer send there",
    () =>
      world.olga.at(other).patch(`/streams/${world.channels.general}`, {
        can_send_message_group: JSON.stringify({
          new: { direct_members: [world.olga.id], direct_subgroups: [] },
        }),
      }),
  ],
];

test.each(losses)("a send of somebody %s is refused at once, at every server", async (_, lose) => {
  await ownServers();
  const send = (person: Person) =>
    person.post("/messages", {
      type: "channel",
      to: "general",
      topic: "lunch",
      content: "more soup",
    });
  for (const alice of [world.alice, world.alice.at(other)])
    expect((await send(alice)).status).toBe(200);
  const answer = await lose();
  if (isAnswer(answer)) expect(answer.status).toBe(200);
  for (const alice of [world.alice, world.alice.at(other)])
    expect((await send(alice)).status).toBeGreaterThan(399);
});
