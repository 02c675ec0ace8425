import { describe, expect, test } from "bun:test";
import type { WireEvent } from "../support/client";
import { hear, listen, refusal } from "../support/listening";
import { shareWorld } from "../support/shared-world";
import type { Person, World } from "../support/world";

let world: World;
const ownWorld = shareWorld((given) => {
  world = given;
});

const textOf = ({ message, flags }: WireEvent): string =>
  `${message.content.replace(/<[^>]*>/g, "")}${flags.map((flag: string) => ` ${flag}`).join("")}`;

const messagesOnly = { event_types: ["message"] };

const join = async (person: Person, name: string, people: Person[]) => {
  const principals = people.map(({ id }) => id);
  const { status } = await person.post("/users/me/subscriptions", {
    subscriptions: [{ name }],
    principals,
    send_new_subscription_messages: false,
  });
  expect(status).toBe(200);
};

const leave = async (person: Person, name: string) => {
  expect((await person.delete("/users/me/subscriptions", { subscriptions: [name] })).status).toBe(
    200,
  );
};

describe("Message events", () => {
  test("reach who is subscribed at that moment: not who comes later, not who has left", async () => {
    const { alice, bob, otto } = await ownWorld();
    const queues = await listen({ bob, otto }, messagesOnly);
    await alice.say("general", "t", "one");
    await join(alice, "general", [otto]);
    await alice.say("general", "t", "two");
    await leave(bob, "general");
    await alice.say("general", "t", "three");
    await join(bob, "general", [bob]);
    await leave(otto, "general");
    await alice.say("general", "t", "four");
    expect(await hear(queues, textOf)).toEqual({
      bob: ["one read", "two read", "four"],
      otto: ["two read", "three read"],
    });
  });

  test("C7: after leaving a private channel nothing of it arrives, not even what was sent before", async () => {
    const { alice, bob } = await ownWorld();
    const queue = await bob.register(messagesOnly);
    await alice.say("secret", "t", "while bob is there");
    await leave(bob, "secret");
    await alice.say("secret", "t", "without bob");
    expect(await queue.events()).toEqual([]);
    await join(alice, "secret", [bob]);
    await alice.say("secret", "t", "with bob again");
    expect((await queue.events()).map(textOf)).toEqual(["with bob again"]);
  });

  test("of all public channels come to who asks for them, as what was never theirs, and of no private one", async () => {
    const { alice, otto, zoe } = world;
    const queues = await listen({ otto, zoe }, { ...messagesOnly, all_public_streams: true });
    await alice.say("general", "t", "public");
    await alice.say("secret", "t", "private");
    await alice.tell([alice], "direct");
    expect(await hear(queues, textOf)).toEqual({ otto: ["public"], zoe: [] });
    const { body } = await otto.get("/messages", {
      anchor: "newest",
      num_before: 5,
      num_after: 0,
      narrow: [["channel", "general"]],
    });
    expect(body.messages[0].flags).toEqual(["read", "historical"]);
  });

  test("are the same whether they are taken at once or read again later", async () => {
    const { alice, otto } = await ownWorld();
    const early = await alice.register(messagesOnly);
    const all = await otto.register({ ...messagesOnly, all_public_streams: true });
    await alice.say("general", "t", "**same**");
    const [fromMemory, fromOthers] = [await early.events(), await all.events()];
    await world.restart();
    const again = async (person: Person, id: string) =>
      (await person.get("/events", { queue_id: id, last_event_id: -1, dont_block: true })).body
        .events;
    expect(await again(alice, early.id)).toEqual(fromMemory);
    expect(await again(otto, all.id)).toEqual(fromOthers);
  });

  test("come as source or as HTML, with an address for the avatar or without, as the queue wants them", async () => {
    const { alice, bob } = world;
    const source = await bob.register({
      ...messagesOnly,
      apply_markdown: false,
      client_gravatar: false,
    });
    const html = await bob.register({ ...messagesOnly, apply_markdown: true });
    await alice.say("general", "t", "*hi*");
    expect((await source.events())[0].message).toMatchObject({
      content: "*hi*",
      content_type: "text/x-markdown",
      avatar_url: expect.any(String),
    });
    expect((await html.events())[0].message).toMatchObject({
      content: "<p><em>hi</em></p>",
      avatar_url: null,
    });
  });
});

describe("A queue with a narrow", () => {
  test.each([
    [[["channel", "general"]], ["a", "b"]],
    [
      [
        ["stream", "general"],
        ["topic", "A"],
      ],
      ["a"],
    ],
    [[{ operator: "topic", operand: "a", negated: true }], ["b", "dm"]],
    [[["is", "dm"]], ["dm"]],
    [[["is", "private"]], ["dm"]],
    [[["sender", "carol@example.com"]], ["b"]],
    [[["is", "starred"]], []],
    [[["is", "unread"]], ["a", "b", "dm"]],
  ])("%j gets what matches it", async (narrow, expected) => {
    const { alice, bob, carol } = world;
    const queue = await bob.register({ ...messagesOnly, narrow });
    await alice.say("general", "a", "a");
    await carol.say("general", "b", "b");
    await alice.tell([bob], "dm");
    expect((await queue.events()).map(textOf)).toEqual(expected);
  });

  test("A4: gives a guest nothing of a public channel that they are not in, whatever the narrow", async () => {
    const { alice, greta, channels } = await ownWorld();
    const narrows = [
      [],
      [["channel", "general"]],
      [["channel", channels.general]],
      [["topic", "t"]],
      [["-topic", "other"]],
      [["sender", alice.email]],
      [{ operator: "is", operand: "dm", negated: true }],
    ];
    const queues = [];
    for (const narrow of narrows) queues.push(await greta.register({ ...messagesOnly, narrow }));
    await alice.say("general", "t", "not for guests");
    await alice.say("secret", "t", "not for guests either");
    for (const queue of queues) expect(await queue.events()).toEqual([]);
    await join(alice, "general", [greta]);
    await alice.say("general", "t", "for greta");
    for (const queue of queues) expect((await queue.events()).map(textOf)).toEqual(["for greta"]);
  });

  test("A5: guests are refused all public channels, at register and at get events", async () => {
    const { greta } = world;
    expect(refusal(await greta.post("/register", { all_public_streams: true }))).toBe(
      "400 BAD_REQUEST",
    );
    expect(
      refusal(await greta.get("/events", { all_public_streams: true, dont_block: true })),
    ).toBe("400 BAD_REQUEST");
  });

  test("is refused when it asks for what a queue cannot see", async () => {
    for (const narrow of [[["search", "x"]], [["near", "1"]], { a: 1 }, [["nonsense"]], "x"]) {
      expect((await world.bob.post("/register", { narrow })).status).toBe(400);
    }
  });
});
