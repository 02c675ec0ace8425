import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { verify } from "../support/client-state/verify";
import { addManyMessages } from "../support/many-messages";
import { addManyPeople } from "../support/many-people";
import { makeWorld, type Person, type World } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

const leave = (person: Person, name: string, people: Person[] = [person]) =>
  person.delete("/users/me/subscriptions", {
    subscriptions: [name],
    principals: people.map(({ id }) => id),
  });

const join = (person: Person, name: string) =>
  person.post("/users/me/subscriptions", { subscriptions: [{ name }] });

async function unread(person: Person): Promise<number[]> {
  const { state } = await person.register();
  const rows: { unread_message_ids: number[] }[] = state.unread_msgs.streams;
  return rows.flatMap((row) => row.unread_message_ids).sort((a, b) => a - b);
}

describe("leaving a channel", () => {
  test("marks as read what one has not read there, and tells one's own clients; it does not come back", async () => {
    const { alice, bob, carol } = world;
    const ids = [await alice.say("general", "t", "one"), await alice.say("general", "u", "two")];
    const read = await alice.say("general", "t", "three");
    await bob.post("/messages/flags", { messages: [read], op: "add", flag: "read" });
    const elsewhere = await alice.say("secret", "t", "four");
    const [queue, other] = await Promise.all(
      [bob, carol].map((one) => one.register({ event_types: ["update_message_flags"] })),
    );
    await verify(world, () => leave(bob, "general"));
    expect((await queue?.events())?.map(({ id: _, ...event }) => event)).toEqual([
      {
        type: "update_message_flags",
        op: "add",
        operation: "add",
        flag: "read",
        messages: ids,
        all: false,
      },
    ]);
    expect(await other?.events()).toEqual([]);
    await join(bob, "general");
    expect(await unread(bob)).toEqual([elsewhere]);
    const { body } = await bob.get(`/messages/${ids[0]}`);
    expect(body.message.flags).toContain("read");
    expect(await unread(carol)).toEqual([...ids, read]);
  });

  test("is the same when somebody else takes one out, and says nothing where all was read", async () => {
    const { alice, bob, olga } = world;
    const id = await alice.say("general", "t", "one");
    await olga.post("/messages/flags", { messages: [id], op: "add", flag: "read" });
    const [toBob, toOlga] = await Promise.all(
      [bob, olga].map((one) => one.register({ event_types: ["update_message_flags"] })),
    );
    await leave(olga, "general", [bob, olga]);
    expect((await toBob?.events())?.map(({ messages }) => messages)).toEqual([[id]]);
    expect(await toOlga?.events()).toEqual([]);
  });

  test("tells nothing of messages that one may not read any more, which do not come back either", async () => {
    const { alice, bob, carol, olga } = world;
    const created = await olga.post("/channels/create", {
      name: "soup",
      subscribers: [olga.id, alice.id, carol.id],
    });
    const soup: number = created.body.id;
    const older = await alice.say("soup", "t", "one");
    await join(bob, "soup");
    const marked = { messages: [older], op: "remove", flag: "read" };
    expect((await bob.post("/messages/flags", marked)).status).toBe(200);
    const later = await alice.say("soup", "t", "two");
    const guarded = { is_private: true, history_public_to_subscribers: false };
    expect((await olga.patch(`/streams/${soup}`, guarded)).status).toBe(200);
    expect((await bob.get(`/messages/${older}`)).status).toBe(400);
    const [toBob, toCarol] = await Promise.all(
      [bob, carol].map((one) => one.register({ event_types: ["update_message_flags"] })),
    );
    await verify(world, () => leave(olga, "soup", [bob, carol]));
    const [ofBob, ofCarol] = [await toBob?.events(), await toCarol?.events()];
    const all: number[] = ofCarol?.[0].messages;
    expect(all).toEqual(expect.arrayContaining([older, later]));
    expect(ofBob?.[0].messages).toEqual(all.filter((id) => id > older));
    const open = { is_private: false };
    expect((await olga.patch(`/streams/${soup}`, open)).status).toBe(200);
    await join(bob, "soup");
    expect(await unread(bob)).toEqual([]);
  });

  test("of more than a hundred people at once only hides from them what they had not read", async () => {
    const { alice, bob, olga } = world;
    const crowd = await addManyPeople(world, 101);
    await olga.post("/users/me/subscriptions", {
      subscriptions: [{ name: "general" }],
      principals: crowd,
    });
    const id = await alice.say("general", "t", "one");
    const queue = await bob.register({ event_types: ["update_message_flags", "subscription"] });
    await olga.delete("/users/me/subscriptions", {
      subscriptions: ["general"],
      principals: [...crowd, bob.id],
    });
    expect((await queue.events()).map(({ op }) => op)).toEqual(["remove", "peer_remove"]);
    expect(await unread(bob)).toEqual([]);
    await join(bob, "general");
    expect(await unread(bob)).toEqual([id]);
  });

  test("with very much unread marks the newest of it; the rest is hidden until one comes back", async () => {
    const { bob, operator } = world;
    const ids = await addManyMessages(world, 5_002, operator.now);
    const queue = await bob.register({ event_types: ["update_message_flags"] });
    await leave(bob, "general");
    expect((await queue.events()).map(({ messages }) => messages.length)).toEqual([5_000]);
    expect(await unread(bob)).toEqual([]);
    await join(bob, "general");
    expect(await unread(bob)).toEqual(ids.slice(0, 2));
  });
});
