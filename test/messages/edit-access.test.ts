import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import type { WireEvent } from "../support/client";
import { hear, listen, refusal } from "../support/listening";
import { addManyPeople } from "../support/many-people";
import { move, subscribeTo } from "../support/moves";
import { makeWorld, type Person, type World } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

const edit = (person: Person, id: number, content: string) =>
  person.patch(`/messages/${id}`, { content });
const read = async (person: Person, id: number) => (await person.get(`/messages/${id}`)).body;
const editsOnly = { event_types: ["update_message"] };
const texts = ({ orig_content, content }: WireEvent) => [orig_content, content];

describe("Who was away", () => {
  test("A6: and came later to protected history hears nothing of changes to what was before", async () => {
    const { alice, bob, carol } = world;
    const before = await alice.say("secret", "t", "old secret");
    await alice.post("/users/me/subscriptions", {
      subscriptions: [{ name: "secret" }],
      principals: [carol.id],
    });
    const after = await alice.say("secret", "t", "1");
    const queues = await listen({ bob, carol }, editsOnly);
    await edit(alice, before, "new secret");
    await edit(alice, after, "2");
    expect(await hear(queues, texts)).toEqual({
      bob: [
        ["old secret", "new secret"],
        ["1", "2"],
      ],
      carol: [["1", "2"]],
    });
  });

  test("A1: and was taken out of a private channel meanwhile hears nothing of its changes", async () => {
    const { alice, bob } = world;
    const id = await alice.say("secret", "t", "1");
    const queues = await listen({ alice, bob }, editsOnly);
    await edit(alice, id, "2");
    await bob.delete("/users/me/subscriptions", { subscriptions: ["secret"] });
    expect(refusal(await bob.get(`/messages/${id}/history`))).toBe("400 BAD_REQUEST");
    expect(await hear(queues, texts)).toEqual({ alice: [["1", "2"]], bob: [] });
  });

  test("A2: and is named there by an edit does not hear of the topic", async () => {
    const { alice, bob, carol } = world;
    const left = await alice.say("secret", "plans", "1");
    await bob.delete("/users/me/subscriptions", { subscriptions: ["secret"] });
    const moved = await alice.say("general", "t", "1");
    const den = await subscribeTo(alice, "den", [alice, carol]);
    await move(alice, moved, { stream_id: den, topic: "layoffs" });
    const queues = await listen({ bob, carol }, { event_types: ["user_topic", "update_message"] });
    await edit(alice, left, "@**Bob**");
    await edit(alice, moved, "@**Bob** @**Carol**");
    const inShort = ({ type, topic_name }: WireEvent) => [type, topic_name];
    const heard = await hear(queues, inShort);
    expect(heard.bob).toEqual([]);
    expect(heard.carol).toContainEqual(["user_topic", "layoffs"]);
    const { state } = await bob.register({ fetch_event_types: ["user_topic"] });
    expect(state.user_topics).toEqual([]);
  });

  test("sees the message as it is now, and the change; of a message that is gone neither", async () => {
    const { alice, bob } = world;
    const queue = await bob.register({
      event_types: ["message", "update_message", "delete_message"],
    });
    const [kept, gone] = [
      await alice.say("general", "t", "1"),
      await alice.say("general", "t", "3"),
    ];
    await edit(alice, kept, "2");
    await edit(alice, gone, "4");
    await alice.delete(`/messages/${gone}`);
    const events = (await queue.events()).map(({ type, message, content }) => [
      type,
      message?.content ?? content,
    ]);
    expect(events).toEqual([
      ["message", "<p>2</p>"],
      ["update_message", "2"],
      ["delete_message", undefined],
    ]);
  });

  test("and another server's clients hear of it too", async () => {
    const { alice, bob } = world;
    const node = await world.startNode();
    const id = await alice.say("general", "t", "1");
    const queue = await bob.at(node).register(editsOnly);
    await edit(alice, id, "2");
    expect((await queue.next()).map(texts)).toEqual([["1", "2"]]);
    expect((await read(bob.at(node), id)).raw_content).toBe("2");
  });
});

test("What servers remember of a message ends with its change, and what they remember of others does not", async () => {
  const { alice, bob, app, realm } = world;
  const node = await world.startNode();
  const [id, other] = [await alice.say("general", "t", "1"), await alice.say("general", "t", "2")];
  const contentsAt = async (person: Person) => {
    const page = { anchor: "newest", num_before: 9, num_after: 0, apply_markdown: false };
    return (await person.get("/messages", page)).body.messages.map(
      ({ content }: WireEvent) => content,
    );
  };
  for (const person of [bob, bob.at(node)]) expect(await contentsAt(person)).toEqual(["1", "2"]);
  await edit(alice, id, "3");
  for (const person of [bob, bob.at(node)]) expect(await contentsAt(person)).toEqual(["3", "2"]);
  expect((await bob.at(node).get(`/messages/${id}`)).body.message.edit_history).toHaveLength(1);
  await edit(alice.at(node), other, "4");
  for (const person of [bob, bob.at(node)]) expect(await contentsAt(person)).toEqual(["3", "4"]);
  await edit(alice, id, "5");
  await edit(alice.at(node), other, "6");
  for (const person of [bob, bob.at(node)]) expect(await contentsAt(person)).toEqual(["5", "6"]);
  // A change of the table would make them forget all messages.
  const { eventLog } = app.engine.reader.t;
  const log = await app.engine.reader.db
    .select({ type: eventLog.type })
    .from(eventLog)
    .where(eq(eventLog.realmId, realm.id))
    .orderBy(eventLog.id);
  expect(log.slice(-2).map(({ type }) => type)).toEqual(["update_message", "update_message"]);
});

describe("A file", () => {
  const upload = async (person: Person, name: string): Promise<string> => {
    const form = new FormData();
    form.append("file", new Blob(["leek"], { type: "text/plain" }), name);
    return (await person.ask("POST", "/user_uploads", {}, { body: form })).body.url;
  };

  test("A12: that an edit takes out of the last message that linked it is its owner's alone again", async () => {
    const { alice, bob } = world;
    const url = await upload(alice, "soup.txt");
    const opened = async (person: Person) => (await person.open(url)).status;
    const id = await alice.say("general", "t", `[soup](${url})`);
    const twice = await alice.say("general", "t", `[again](${url})`);
    expect(await opened(bob)).toBe(200);
    expect((await edit(alice, id, "gone")).body.detached_uploads).toEqual([]);
    expect(await opened(bob)).toBe(200);
    const queues = await listen({ alice, bob }, { event_types: ["attachment"] });
    const { detached_uploads } = (await edit(alice, twice, "gone too")).body;
    expect(detached_uploads).toEqual([
      {
        id: expect.any(Number),
        name: "soup.txt",
        path_id: url.slice("/user_uploads/".length),
        size: expect.any(Number),
        create_time: world.clock.now(),
        message_ids: [],
      },
    ]);
    expect([await opened(alice), (await opened(bob)) >= 400]).toEqual([200, true]);
    const heard = await hear(queues, ({ op, attachment }) => [op, attachment.message_ids]);
    expect(heard).toEqual({ alice: [["update", []]], bob: [] });
  });

  test("that an edit puts into a message can be read by its readers; somebody else's hidden one cannot", async () => {
    const { alice, bob, carol } = world;
    const [own, hidden] = [await upload(alice, "a.txt"), await upload(bob, "b.txt")];
    const id = await alice.say("general", "t", "1");
    await edit(alice, id, `[a](${own}) [b](${hidden})`);
    expect((await carol.open(own)).status).toBe(200);
    expect((await carol.open(hidden)).status).toBeGreaterThanOrEqual(400);
    const { body } = await edit(alice, id, `[b](${hidden})`);
    expect(body.detached_uploads.map(({ name }: { name: string }) => name)).toEqual(["a.txt"]);
  });
});

test("Mentioning everybody by an edit takes the right to in a channel of many", async () => {
  const { alice, olga, adam } = world;
  const principals = await addManyPeople(world, 12);
  await olga.post("/users/me/subscriptions", { subscriptions: [{ name: "general" }], principals });
  const [id, other] = [
    await alice.say("general", "t", "soup"),
    await adam.say("general", "t", "soup"),
  ];
  expect(refusal(await edit(alice, id, "@**all** soup"))).toBe(
    "400 STREAM_WILDCARD_MENTION_NOT_ALLOWED",
  );
  expect((await edit(adam, other, "@**all** soup")).status).toBe(200);
  expect((await read(alice, other)).message.flags).toContain("stream_wildcard_mentioned");
  expect((await edit(adam, other, "soup")).status).toBe(200);
  expect((await read(alice, other)).message.flags).toEqual([]);
  expect((await read(alice, id)).raw_content).toBe("soup");
});

test("H: a message that was changed a thousand times does not make answers grow without end", async () => {
  const { alice, bob, app, realm } = world;
  const id = await alice.say("general", "t", "1");
  const { messageEdits } = app.engine.reader.t;
  const text = "soup ".repeat(2_000);
  const rows = Array.from({ length: 1_100 }, () => ({
    realmId: realm.id,
    messageId: id,
    userId: alice.id,
    editedAt: 1,
    prevContent: text,
    prevRenderedContent: `<p>${text}</p>`,
  }));
  await app.engine.write(
    realm.id,
    async ({ db }) => db.insert(messageEdits).values(rows),
    () => undefined,
  );
  await edit(alice, id, "2");
  const { message } = await read(bob, id);
  expect(message.edit_history).toHaveLength(100);
  expect(JSON.stringify(message).length).toBeLessThan(100_000);
  expect(message.edit_history[0].prev_content).toBe("1");
  const { message_history } = (await bob.get(`/messages/${id}/history`)).body;
  expect(message_history.at(-1)).toMatchObject({ prev_content: "1", content: "2" });
  expect(JSON.stringify(message_history).length).toBeLessThan(6_000_000);
});
