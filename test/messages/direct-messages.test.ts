import { describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { write } from "../../src/core/write";
import { deactivateUser } from "../../src/management/accounts/deactivate";
import { hear, listen, refusal } from "../support/listening";
import { shareWorld } from "../support/shared-world";
import type { Person, World } from "../support/world";

let world: World;
const ownWorld = shareWorld((given) => {
  world = given;
});

const send = (person: Person, to: unknown, more = {}) =>
  person.post("/messages", { type: "direct", to, content: "psst", ...more });

const peopleOf = (message: { display_recipient: { id: number }[] }) =>
  message.display_recipient.map(({ id }) => id);

describe("A direct message", () => {
  test("reaches those who take part, and nobody else", async () => {
    const { alice, bob, carol, olga, zoe } = world;
    const queues = await listen({ alice, bob, carol, olga, zoe }, { event_types: ["message"] });
    const { body } = await send(alice, [bob.id]);
    expect(await hear(queues, ({ message }) => message.content)).toEqual({
      alice: ["<p>psst</p>"],
      bob: ["<p>psst</p>"],
      carol: [],
      olga: [],
      zoe: [],
    });
    const { message } = (await bob.get(`/messages/${body.id}`)).body;
    expect(message).toMatchObject({ type: "private", subject: "", sender_id: alice.id, flags: [] });
    expect(message.display_recipient).toEqual([
      { id: alice.id, email: alice.email, full_name: "Alice", is_mirror_dummy: false },
      { id: bob.id, email: bob.email, full_name: "Bob", is_mirror_dummy: false },
    ]);
    expect(message).not.toHaveProperty("stream_id");
    for (const outsider of [carol, olga, zoe]) {
      expect(refusal(await outsider.get(`/messages/${body.id}`))).toBe("400 BAD_REQUEST");
    }
  });

  test("is addressed in every form that clients send", async () => {
    const { alice, bob, carol } = world;
    const forms: [unknown, Person[]][] = [
      [[bob.id], [alice, bob]],
      [bob.id, [alice, bob]],
      [[bob.email], [alice, bob]],
      [bob.email, [alice, bob]],
      [`"${bob.email}"`, [alice, bob]],
      [bob.email.toUpperCase(), [alice, bob]],
      [`${bob.email}, ${carol.email}`, [alice, bob, carol]],
      [
        [bob.email, carol.email],
        [alice, bob, carol],
      ],
      [
        [bob.id, carol.id],
        [alice, bob, carol],
      ],
      [
        [carol.id, bob.id, bob.id, alice.id],
        [alice, bob, carol],
      ],
    ];
    for (const [to, people] of forms) {
      const { body } = await send(alice, to, { type: "private" });
      const { message } = (await alice.get(`/messages/${body.id}`)).body;
      expect(peopleOf(message)).toEqual(people.map(({ id }) => id));
    }
  });

  test("to oneself is a note that only oneself sees", async () => {
    const { alice, bob } = await ownWorld();
    const queues = await listen({ alice, bob }, { event_types: ["message"] });
    const id = await alice.tell([alice], "remember");
    expect(await hear(queues, ({ message }) => peopleOf(message))).toEqual({
      alice: [[alice.id]],
      bob: [],
    });
    const narrow = [["dm", alice.email]];
    const { body } = await alice.get("/messages", {
      anchor: "newest",
      num_before: 5,
      num_after: 0,
      narrow,
    });
    expect(body.messages).toMatchObject([{ id, type: "private" }]);
  });

  test("in a group is in a conversation of its own", async () => {
    const { alice, bob, carol } = await ownWorld();
    const pair = await alice.tell([bob], "two");
    const group = await alice.tell([bob, carol], "three");
    const read = async (people: Person[]) => {
      const narrow = [{ operator: "dm", operand: people.map(({ id }) => id) }];
      const { body } = await bob.get("/messages", {
        anchor: "newest",
        num_before: 9,
        num_after: 0,
        narrow,
      });
      return body.messages.map(({ id }: { id: number }) => id);
    };
    expect(await read([alice])).toEqual([pair]);
    expect(await read([alice, carol])).toEqual([group]);
    expect(await read([carol])).toEqual([]);
  });

  test("may come from a guest or a bot, and a topic with it means nothing", async () => {
    const { greta, robot, alice } = world;
    for (const person of [greta, robot]) expect((await send(person, [alice.id])).status).toBe(200);
    const { body } = await send(alice, [greta.id], { topic: "ignored" });
    expect((await alice.get(`/messages/${body.id}`)).body.message.subject).toBe("");
  });

  test("to nobody, to strangers, to another organization or to somebody deactivated is refused and stores nothing", async () => {
    const { alice, bob, zoe, carol, operator } = await ownWorld();
    await deactivateUser(operator, carol.id);
    const queue = await alice.register({ event_types: ["message"] });
    const nobody: unknown[] = [undefined, [], "", " , ", [99_999_999], "nobody@example.com", "bob"];
    for (const to of [
      ...nobody,
      [zoe.id],
      zoe.email,
      [bob.id, zoe.id],
      [carol.id],
      [bob.id, carol.id],
    ]) {
      expect([to, refusal(await send(alice, to))]).toEqual([to, "400 BAD_REQUEST"]);
    }
    expect(await queue.events()).toEqual([]);
    const { body } = await alice.get("/messages", {
      anchor: "newest",
      num_before: 5,
      num_after: 0,
    });
    expect(body.messages).toEqual([]);
  });
});

describe("Where the organization restricts direct messages", () => {
  const restrict = (settings: object) =>
    write(world.operator, (tx) =>
      tx.db
        .update(tx.t.realms)
        .set({ settings: JSON.stringify(settings) })
        .where(eq(tx.t.realms.id, world.realm.id)),
    );

  test("people write only where one of them is in the group, to bots, and to themselves", async () => {
    const { alice, bob, olga, robot } = await ownWorld();
    await restrict({ direct_message_permission_group: "role:owners" });
    expect(refusal(await send(alice, [bob.id]))).toBe("400 BAD_REQUEST");
    for (const to of [[olga.id], [olga.id, bob.id], [robot.id], [alice.id]]) {
      expect((await send(alice, to)).status).toBe(200);
    }
  });

  test("people who may not begin a conversation go on in those that are there", async () => {
    const { alice, bob, carol, olga } = await ownWorld();
    await alice.tell([bob], "before");
    await restrict({ direct_message_initiator_group: "role:owners" });
    expect((await send(bob, [alice.id])).status).toBe(200);
    expect(refusal(await send(alice, [carol.id]))).toBe("400 BAD_REQUEST");
    expect((await send(olga, [carol.id])).status).toBe(200);
  });
});
