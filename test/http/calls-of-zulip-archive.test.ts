import { afterEach, beforeEach, expect, test } from "bun:test";
import { makeWorld, type World } from "../support/world";

/*
 * Calls as zulip-archive makes them (lib/populate.py, by the Python package zulip), which no
 * registry has: it turns public channels into pages, first whole and then by what is new.
 */

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

interface Message {
  id: number;
  subject: string;
  content: string;
  sender_full_name: string;
  timestamp: number;
}

/** All messages of a narrow from an id on, a page of two after the other. */
async function readAll(narrow: object[], from = 0): Promise<Message[]> {
  const found: Message[] = [];
  let anchor = from;
  for (;;) {
    const { body } = await world.robot.get("/messages", {
      narrow,
      anchor,
      num_before: 0,
      num_after: 2,
      client_gravatar: true,
      apply_markdown: true,
    });
    found.push(...body.messages);
    if (body.found_newest) return found;
    anchor = body.messages.at(-1).id + 1;
  }
}

test("all topics of the public channels are read, page by page, and later only what is new", async () => {
  const { robot, bob, channels } = world;
  for (const text of ["one", "two **bold**", "three"]) await bob.say("general", "soup", text);
  await bob.say("general", "bread", "four");
  const listed = await robot.get("/streams", { include_public: true, include_subscribed: false });
  const names = listed.body.streams.map(({ name }: { name: string }) => name);
  expect(names).toEqual(["general"]);
  const { topics } = (await robot.get(`/users/me/${channels.general}/topics`)).body;
  const inChannel = { operator: "stream", operand: "general" };
  const archived = new Map<string, Message[]>();
  for (const { name } of topics)
    archived.set(name, await readAll([inChannel, { operator: "topic", operand: name }]));
  expect([...archived].map(([name, { length }]) => `${name} ${length}`).sort()).toEqual([
    "bread 1",
    "soup 3",
  ]);
  const [, bold] = archived.get("soup") ?? [];
  expect(bold).toMatchObject({
    sender_full_name: "Bob",
    content: "<p>two <strong>bold</strong></p>",
    timestamp: expect.any(Number),
  });
  const latest = Math.max(...[...archived.values()].flat().map(({ id }) => id));
  expect(await readAll([inChannel], latest + 1)).toEqual([]);
  await bob.say("general", "bread", "five");
  expect(await readAll([inChannel], latest + 1)).toMatchObject([
    { subject: "bread", content: "<p>five</p>" },
  ]);
});
