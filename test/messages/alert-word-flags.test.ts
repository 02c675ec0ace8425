import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { WireEvent } from "../support/client";
import { hear, listen } from "../support/listening";
import { makeWorld, type Person, type World } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

const messagesOnly = { event_types: ["message"] };
const flagsIn = ({ flags }: WireEvent) => [...flags].sort().join(" ");

/** The flags of a message as somebody reads it. */
async function readFlags(person: Person, id: number): Promise<string> {
  const { body } = await person.get(`/messages/${id}`);
  return [...body.message.flags].sort().join(" ");
}

const narrowed = async (person: Person, ...operands: string[]) => {
  const narrow = operands.map((operand) => ({ operator: "is", operand }));
  const { body } = await person.get("/messages", {
    anchor: "newest",
    num_before: 50,
    num_after: 0,
    narrow,
  });
  return body.messages.map(({ id }: { id: number }) => id);
};

describe("Alert words", () => {
  const add = (person: Person, ...words: string[]) =>
    person.post("/users/me/alert_words", { alert_words: words });

  test("flag what has them between the bounds of words, for each who wants that and receives it", async () => {
    const { alice, bob, otto, carol } = world;
    await add(alice, "Coffee", "two words");
    await add(bob, "coffee");
    await add(otto, "coffee");
    const queues = await listen({ alice, bob, otto, carol }, messagesOnly);
    const texts = [
      "(COFFEE)?",
      "coffeehouse",
      "xcoffee",
      "so, two words!",
      "`two words`",
      "no",
      "*coffee*",
    ];
    for (const text of texts) await carol.say("general", "t", text);
    const own = await alice.say("general", "t", "own coffee");
    const flag = "has_alert_word";
    expect(await hear(queues, flagsIn)).toEqual({
      alice: [flag, "", "", flag, flag, "", flag, flag],
      bob: [flag, "", "", "", "", "", flag, flag],
      otto: [],
      carol: ["", "", "", "", "", "", "", ""],
    });
    expect(await readFlags(alice, own)).toBe(flag);
    expect([await narrowed(bob, "alerted"), await narrowed(otto, "alerted")]).toMatchObject([
      { length: 3 },
      [],
    ]);
  });

  test("in direct messages alert only who is in them; a word that was taken away alerts nobody", async () => {
    const { alice, bob, carol } = world;
    await add(alice, "coffee");
    await add(carol, "coffee");
    const queues = await listen({ alice, bob, carol }, messagesOnly);
    await bob.tell([alice], "coffee");
    await alice.delete("/users/me/alert_words", { alert_words: ["coffee"] });
    await bob.tell([alice], "coffee");
    expect(await hear(queues, flagsIn)).toEqual({
      alice: ["has_alert_word", ""],
      bob: ["", ""],
      carol: [],
    });
  });
});
