import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { addManyMessages } from "../support/many-messages";
import { addManyPeople } from "../support/many-people";
import { verify } from "../support/verify";
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
