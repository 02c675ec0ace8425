import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { and, eq } from "drizzle-orm";
import type { Reader } from "../../db/reader";
import { roles } from "../../src/core/rights/role";
import { write } from "../../src/core/write";
import { filterReadable, findPlaces } from "../../src/reading/queries";
import { refusal } from "../support/listening";
import { makeWorld, type Person, type World } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

async function idsIn(person: Person, narrow: unknown = []): Promise<number[] | string> {
  const answer = await person.get("/messages", {
    anchor: "newest",
    num_before: 50,
    num_after: 0,
    narrow,
  });
  return answer.status === 200
    ? answer.body.messages.map(({ id }: { id: number }) => id)
    : refusal(answer);
}

const byIds = async (person: Person, ids: number[]): Promise<number[]> =>
  (await person.get("/messages", { message_ids: ids })).body.messages.map(
    ({ id }: { id: number }) => id,
  );

/** Messages among these that a client is told to be of a narrow: the ids, or the refusal. */
async function matching(person: Person, ids: number[], narrow: unknown = [["search", "t"]]) {
  const answer = await person.get("/messages/matches_narrow", { msg_ids: ids, narrow });
  return answer.status === 200 ? Object.keys(answer.body.messages).map(Number) : refusal(answer);
}

/** Every way to get at a message, each with what it gives. */
async function waysTo(person: Person, id: number, channelId: number) {
  return {
    byId: refusal(await person.get(`/messages/${id}`)),
    byIds: await byIds(person, [id]),
    all: await idsIn(person),
    narrow: await idsIn(person, [["channel", channelId]]),
    idNarrow: await idsIn(person, [["id", id]]),
    withNarrow: await idsIn(person, [["with", id]]),
    senderNarrow: await idsIn(person, [["sender", world.alice.id]]),
    search: await idsIn(person, [["search", "t"]]),
    searchEverywhere: await idsIn(person, [
      ["channels", "public"],
      ["search", "t"],
    ]),
    searchById: await idsIn(person, [
      ["id", id],
      ["search", "t"],
    ]),
    withoutLinks: await idsIn(person, [["-has", "link"]]),
    matching: await matching(person, [id]),
    reaction: refusal(await person.post(`/messages/${id}/reactions`, { emoji_name: "smile" })),
    topics: refusal(await person.get(`/users/me/${channelId}/topics`)),
  };
}

const nothing = {
  byId: "400 BAD_REQUEST",
  byIds: [],
  all: [],
  narrow: "400 BAD_NARROW",
  idNarrow: [],
  withNarrow: "400 BAD_NARROW",
  senderNarrow: [],
  search: [],
  searchEverywhere: [],
  searchById: [],
  withoutLinks: [],
  matching: [],
  reaction: "400 BAD_REQUEST",
  topics: "400 BAD_REQUEST",
};

const join = async (person: Person, name: string, people: Person[]) => {
  const principals = people.map(({ id }) => id);
  const quietly = { send_new_subscription_messages: false };
  const { status } = await person.post("/users/me/subscriptions", {
    subscriptions: [{ name }],
    principals,
    ...quietly,
  });
  expect(status).toBe(200);
};

const leave = async (person: Person, name: string) =>
  expect((await person.delete("/users/me/subscriptions", { subscriptions: [name] })).status).toBe(
    200,
  );

describe("In a private channel", () => {
  test("A1, A7: who is removed reads nothing more of it, by no way, and again when they are back", async () => {
    const { alice, bob, channels } = world;
    const id = await alice.say("secret", "t", "hidden");
    expect(await waysTo(bob, id, channels.secret)).toMatchObject({
      byId: "200",
      byIds: [id],
      all: [id],
      narrow: [id],
    });
    await bob.post("/messages/flags", { messages: [id], op: "add", flag: "starred" });
    await leave(bob, "secret");
    expect(await waysTo(bob, id, channels.secret)).toEqual(nothing);
    expect(await idsIn(bob, [["is", "starred"]])).toEqual([]);
    expect(await idsIn(bob, [["is", "unread"]])).toEqual([]);
    await join(alice, "secret", [bob]);
    expect(await waysTo(bob, id, channels.secret)).toMatchObject({
      byId: "200",
      byIds: [id],
      all: [id],
      narrow: [id],
    });
  });

  test("A16, A17: those outside are told the same as of a channel and a message that do not exist", async () => {
    const { alice, carol, olga, adam, greta, zoe, channels } = world;
    const id = await alice.say("secret", "t", "hidden");
    for (const outsider of [carol, olga, adam, greta, zoe]) {
      // To zoe, of another organization, alice is nobody.
      const given = outsider === zoe ? { ...nothing, senderNarrow: "400 BAD_NARROW" } : nothing;
      expect(await waysTo(outsider, id, channels.secret)).toEqual(given);
      expect(await waysTo(outsider, 99_999_999, 99_999_999)).toEqual(given);
      expect(await idsIn(outsider, [["channel", "secret"]])).toBe("400 BAD_NARROW");
    }
    const told = async (narrow: unknown) =>
      (await carol.get("/messages", { anchor: "newest", num_before: 1, narrow })).body;
    expect(await told([["channel", channels.secret]])).toEqual(
      await told([["channel", 99_999_999]]),
    );
    expect(await told([["channel", "secret"]])).toEqual(await told([["channel", "nowhere"]]));
    expect(await told([["-channel", "secret"]])).toEqual(await told([["-channel", "nowhere"]]));
    expect(await told([["with", id]])).toEqual(await told([["with", 99_999_999]]));
    expect((await carol.get(`/messages/${id}`)).body).toEqual(
      (await carol.get("/messages/99999999")).body,
    );
  });

  test("with protected history who comes later sees only what came after, by narrow and by id", async () => {
    const { alice, otto, channels } = world;
    const before = await alice.say("secret", "t", "before otto");
    await join(alice, "secret", [otto]);
    const during = await alice.say("secret", "t", "with otto");
    expect(await idsIn(otto, [["channel", "secret"]])).toEqual([during]);
    expect(await byIds(otto, [before, during])).toEqual([during]);
    expect(refusal(await otto.get(`/messages/${before}`))).toBe("400 BAD_REQUEST");
    await leave(otto, "secret");
    const between = await alice.say("secret", "t", "without otto");
    await join(alice, "secret", [otto]);
    const again = await alice.say("secret", "t", "with otto again");
    expect(await idsIn(otto, [["channel", channels.secret]])).toEqual([during, again]);
    expect(await idsIn(otto)).toEqual([during, again]);
    expect(await byIds(otto, [before, during, between, again])).toEqual([during, again]);
  });

  test("with shared history who comes later reads all of it, as what was never theirs", async () => {
    const { alice, otto, channels } = world;
    const before = await alice.say("plans", "t", "before otto");
    expect(await waysTo(otto, before, channels.plans)).toEqual(nothing);
    await join(alice, "plans", [otto]);
    const during = await alice.say("plans", "t", "with otto");
    expect(await idsIn(otto, [["channel", "plans"]])).toEqual([before, during]);
    expect(await idsIn(otto)).toEqual([during]);
    expect((await otto.get(`/messages/${before}`)).body.message.flags).toEqual([
      "read",
      "historical",
    ]);
    expect((await otto.get(`/messages/${during}`)).body.message.flags).toEqual([]);
  });

  test("A10: nothing of that changes when the channel is archived", async () => {
    const { alice, bob, carol, operator, realm, channels } = world;
    const id = await alice.say("secret", "t", "hidden");
    await write(operator, (tx) =>
      tx.db
        .update(tx.t.channels)
        .set({ isArchived: true })
        .where(and(eq(tx.t.channels.realmId, realm.id), eq(tx.t.channels.id, channels.secret))),
    );
    expect(await idsIn(bob, [["channel", channels.secret]])).toEqual([id]);
    expect(await waysTo(carol, id, channels.secret)).toEqual(nothing);
  });
});

describe("In a public channel", () => {
  test("A4: a guest who is not subscribed reads nothing, by no way", async () => {
    const { alice, greta, channels } = world;
    const id = await alice.say("general", "t", "for members");
    expect(await waysTo(greta, id, channels.general)).toEqual(nothing);
    expect(await idsIn(greta, [["topic", "t"]])).toEqual([]);
    expect(await idsIn(greta, [["-sender", greta.id]])).toEqual([]);
    expect(await idsIn(greta, [["is", "unread"]])).toEqual([]);
    await join(alice, "general", [greta]);
    expect(await idsIn(greta, [["channel", "general"]])).toEqual([id]);
    await leave(greta, "general");
    expect(await waysTo(greta, id, channels.general)).toEqual(nothing);
  });

  test("a member who is not subscribed reads it all, but only where they look", async () => {
    const { alice, otto, channels } = world;
    const id = await alice.say("general", "t", "for members");
    expect(await waysTo(otto, id, channels.general)).toMatchObject({
      byId: "200",
      byIds: [id],
      all: [],
      narrow: [id],
      idNarrow: [id],
      withNarrow: [id],
      senderNarrow: [],
      reaction: "200",
      topics: "200",
    });
  });

  test("who has left keeps what came to them", async () => {
    const { alice, bob } = world;
    const before = await alice.say("general", "t", "with bob");
    await leave(bob, "general");
    const after = await alice.say("general", "t", "without bob");
    expect(await idsIn(bob)).toEqual([before]);
    expect(await idsIn(bob, [["channel", "general"]])).toEqual([before, after]);
  });
});

test("Direct messages of many conversations take as many statements as those of one", async () => {
  const { alice, bob, carol, otto, olga, app, realm } = world;
  const ids: number[] = [];
  for (const to of [[bob], [carol], [otto], [bob, carol], [bob, otto], [carol, otto]])
    ids.push(await alice.tell(to, "hi"));
  const { reader } = app.engine;
  const who = { realmId: realm.id, userId: alice.id, role: roles.member };
  let statements = 0;
  const note = () => {
    statements += 1;
    return reader.db;
  };
  const counting: Reader = Object.create(reader, { db: { get: note } });
  const statementsFor = async (messageIds: number[]) => {
    const places = await findPlaces(reader, realm.id, messageIds);
    // Once before: what is prepared or held in memory then is the work of the first who asks.
    await filterReadable(reader, who, places);
    statements = 0;
    expect(await filterReadable(counting, who, places)).toEqual(places);
    return statements;
  };
  const forOne = await statementsFor(ids.slice(0, 1));
  expect(forOne).toBeGreaterThan(0);
  expect(await statementsFor(ids)).toBe(forOne);
  const places = await findPlaces(reader, realm.id, ids);
  const readableBy = async ({ id: userId }: Person) =>
    (await filterReadable(reader, { ...who, userId }, places)).map(({ id }) => id);
  expect(await readableBy(bob)).toEqual([0, 3, 4].map((place) => ids[place] ?? 0));
  expect(await readableBy(olga)).toEqual([]);
});
