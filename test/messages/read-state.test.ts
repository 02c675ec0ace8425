import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { testEngine } from "../support/databases/storage";
import { addManyMessages } from "../support/many-messages";
import { makeWorld, type Person, type World } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

/** Numbers below `limit` that look random and depend on nothing but the seed (mulberry32). */
function makeDice(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

interface Sent {
  id: number;
  /** The channel's name, or `direct`. */
  place: string;
}

/** Bob's reading as a set of ids: what the compact form must always agree with. */
class Model {
  readonly sent: Sent[] = [];
  readonly received = new Set<number>();
  readonly unread = new Set<number>();
  /** Channels that bob is in now; direct messages always reach him. */
  readonly within = new Set(["general", "direct"]);

  send(message: Sent, isReadFromTheStart: boolean) {
    this.sent.push(message);
    if (!this.within.has(message.place)) return;
    this.received.add(message.id);
    if (!isReadFromTheStart) this.unread.add(message.id);
  }

  mark(ids: number[], op: "add" | "remove") {
    for (const { id, place } of this.sent.filter((message) => ids.includes(message.id))) {
      if (op === "add") this.unread.delete(id);
      else if (this.within.has(place)) this.unread.add(id);
    }
  }

  /** Messages that he leaves behind are read. */
  leave(channel: string) {
    this.mark(
      this.sent.filter(({ place }) => place === channel).map(({ id }) => id),
      "add",
    );
    this.within.delete(channel);
  }

  /** Messages that count as unread now: nothing of a channel that bob is not in. */
  get counted(): number[] {
    return this.sent
      .filter(({ id, place }) => this.unread.has(id) && this.within.has(place))
      .map(({ id }) => id);
  }
}

const pick = <Item>(items: readonly Item[], dice: (limit: number) => number): Item => {
  const item = items[dice(items.length)];
  if (item === undefined) throw new Error("There is nothing to pick.");
  return item;
};

async function sendSomething(model: Model, dice: (limit: number) => number) {
  const { alice, bob } = world;
  const place = pick(["general", "lounge", "direct"], dice);
  const sender = pick([alice, alice, bob], dice);
  const isRead = dice(2) === 0;
  const direct = { type: "direct", to: [sender === alice ? bob.id : alice.id] };
  const target = place === "direct" ? direct : { type: "channel", to: place, topic: `t${dice(3)}` };
  const { body } = await sender.post("/messages", {
    ...target,
    content: "x",
    read_by_sender: isRead,
  });
  model.send({ id: body.id, place }, sender === bob && isRead);
}

async function markSomething(model: Model, dice: (limit: number) => number) {
  if (model.sent.length === 0) return;
  const op = dice(5) < 3 ? "add" : "remove";
  const isAll = dice(6) === 0;
  const ids = isAll
    ? model.sent.map(({ id }) => id)
    : Array.from({ length: 1 + dice(8) }, () => pick(model.sent, dice).id);
  const { status } = await world.bob.post("/messages/flags", { messages: ids, op, flag: "read" });
  expect(status).toBe(200);
  model.mark(ids, op);
}

async function comeOrGo(model: Model, dice: (limit: number) => number) {
  const { bob } = world;
  const name = pick(["general", "lounge"], dice);
  if (model.within.has(name)) {
    model.leave(name);
    expect((await bob.delete("/users/me/subscriptions", { subscriptions: [name] })).status).toBe(
      200,
    );
    return;
  }
  model.within.add(name);
  expect((await bob.post("/users/me/subscriptions", { subscriptions: [{ name }] })).status).toBe(
    200,
  );
}

/** Every way in which bob learns what is unread says what the model says. */
async function compare(model: Model) {
  const { bob } = world;
  const { counted } = model;
  const ids = model.sent.map(({ id }) => id);
  const { messages } = (await bob.get("/messages", { message_ids: ids })).body;
  const withFlag = (flag: string) =>
    messages
      .filter(({ flags }: { flags: string[] }) => flags.includes(flag))
      .map(({ id }: { id: number }) => id);
  expect(withFlag("read")).toEqual(ids.filter((id) => !counted.includes(id)));
  expect(withFlag("historical")).toEqual(ids.filter((id) => !model.received.has(id)));
  expect(await unreadByRegister(bob)).toEqual(counted);
  const narrow = [["is", "unread"]];
  const narrowed = await bob.get("/messages", { anchor: "newest", num_before: 500, narrow });
  expect(narrowed.body.messages.map(({ id }: { id: number }) => id)).toEqual(counted);
  const heard = counted.filter((id) => model.received.has(id));
  const first = await bob.get("/messages", { anchor: "first_unread", num_after: 0 });
  expect(first.body.anchor).toBe(heard[0] ?? 10_000_000_000_000_000);
}

async function unreadByRegister(person: Person): Promise<number[]> {
  const { state } = await person.register({
    fetch_event_types: ["message", "update_message_flags"],
  });
  const { streams, pms, huddles, count } = state.unread_msgs;
  const ids = [...streams, ...pms, ...huddles].flatMap(
    ({ unread_message_ids }) => unread_message_ids,
  );
  expect(count).toBe(ids.length);
  return ids.sort((a, b) => a - b);
}

/** Fewer on PostgreSQL, because both engines store a form that is worked out in JavaScript. */
const steps = testEngine === "postgres" ? 60 : 120;

describe("What bob has read, in its compact form, is what a set of ids would say", () => {
  test.each([1, 2, 3, 4])(
    "through many steps of sending, marking, coming and going (seed %d)",
    async (seed) => {
      const dice = makeDice(seed);
      const model = new Model();
      await world.alice.post("/users/me/subscriptions", { subscriptions: [{ name: "lounge" }] });
      for (let step = 0; step < steps; step++) {
        const roll = dice(10);
        if (roll < 5) await sendSomething(model, dice);
        else if (roll < 9) await markSomething(model, dice);
        else await comeOrGo(model, dice);
        if (step % 8 === 7) await compare(model);
      }
      await compare(model);
    },
  );
});

describe("With tens of thousands of unread messages", () => {
  const countMax = 30_000;

  test("bob registers, reads from the first unread, marks thousands at once, and is told the truth", async () => {
    const { bob } = world;
    const ids = await addManyMessages(world, countMax);
    expect(await unreadByRegister(bob)).toEqual(ids);
    const seen = ids.filter((_, index) => index % 2 === 1);
    for (let from = 0; from < seen.length; from += 5000) {
      const { status } = await bob.post("/messages/flags", {
        messages: seen.slice(from, from + 5000),
        op: "add",
        flag: "read",
      });
      expect(status).toBe(200);
    }
    expect(await unreadByRegister(bob)).toEqual(ids.filter((_, index) => index % 2 === 0));
    const narrow = [
      ["channel", "general"],
      ["is", "unread"],
    ];
    const { body } = await bob.get("/messages", {
      anchor: "first_unread",
      num_before: 5,
      num_after: 3,
      narrow,
    });
    expect(body).toMatchObject({ anchor: ids[0], found_oldest: true, found_newest: false });
    expect(body.messages.map(({ id }: { id: number }) => id)).toEqual([
      ids[0],
      ids[2],
      ids[4],
      ids[6],
    ]);
    for (let from = 0; from < ids.length; from += 5000) {
      await bob.post("/messages/flags", {
        messages: ids.slice(from, from + 5000),
        op: "add",
        flag: "read",
      });
    }
    expect(await unreadByRegister(bob)).toEqual([]);
    const starred = await bob.post("/messages/flags", {
      messages: ids.slice(0, 9_000),
      op: "add",
      flag: "starred",
    });
    expect(starred.status).toBe(200);
    expect(
      (await bob.register({ fetch_event_types: ["starred_messages"] })).state.starred_messages,
    ).toHaveLength(9_000);
  }, 180_000);
});
