import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { desc, isNull } from "drizzle-orm";
import { write } from "../../src/core/write";
import { waitingMax } from "../../src/jobs/store";
import { verify } from "../support/client-state/verify";
import { until } from "../support/polls";
import {
  inTopic,
  loopbackAllowed,
  newest,
  newHook,
  type Receiver,
  startReceiver,
} from "../support/servers/receiver";
import { makeWorld, type Person, type World } from "../support/world";

let world: World;
let receiver: Receiver;
beforeEach(async () => {
  world = await makeWorld(loopbackAllowed);
  receiver = startReceiver();
});
afterEach(async () => {
  await world.close();
  await receiver.close();
});

const settled = () => world.app.jobs.settled();

/**
 * Sends two messages to a bot for which others wait. Between them, the first one is put on the list
 * again and again, until so many wait as if each had been sent.
 */
async function askOften(count: number, ask: () => Promise<unknown>) {
  await ask();
  await write(world.operator, async ({ db, t }) => {
    const [newest] = await db.select().from(t.jobs).orderBy(desc(t.jobs.id)).limit(1);
    if (newest === undefined) throw new Error("Nothing waits for the bot.");
    const { id: _, ...row } = newest;
    await db.insert(t.jobs).values(Array.from({ length: count - 2 }, () => row));
  });
  await ask();
}

describe("a receiver", () => {
  test("that is in trouble is tried again with growing pauses, and the messages stay in order", async () => {
    const { bob } = world;
    const cook = await newHook(world, receiver.url);
    receiver.answer(() => new Response("later", { status: 503 }));
    await bob.say("general", "lunch", "@**Cook** one");
    await bob.say("general", "lunch", "@**Cook** two");
    await settled();
    await world.pass(4);
    expect(receiver.received).toHaveLength(1);
    await world.pass(1);
    expect(receiver.received).toHaveLength(2);
    receiver.answer(({ json }) => ({ content: `answer to ${json.data.slice(-3)}` }));
    await world.pass(15);
    expect(receiver.received.map(({ json }) => json.data.slice(-3))).toEqual([
      "one",
      "one",
      "one",
      "two",
    ]);
    expect(await newest(bob, 2, inTopic("lunch"))).toEqual([
      [cook.id, "<p>answer to one</p>"],
      [cook.id, "<p>answer to two</p>"],
    ]);
  });

  test("that hangs does not delay the bots of other people", async () => {
    const { bob } = world;
    const released = Promise.withResolvers<void>();
    receiver.answer(async ({ json }) => {
      if (!json.data.includes("Bread")) await released.promise;
      return Response.json({ content: "here" });
    });
    const names = Array.from({ length: 17 }, (_, index) => `Cook${index}`);
    for (const name of names) await newHook(world, receiver.url, { name });
    const bread = await newHook({ ...world, alice: bob }, receiver.url, { name: "Bread" });
    await bob.say("general", "lunch", names.map((name) => `@**${name}**`).join(" "));
    await until(() => receiver.received.length === 12);
    await bob.say("general", "tea", "@**Bread**");
    await until(async () => (await newest(bob, 1, inTopic("tea")))[0]?.[0] === bread.id);
    released.resolve();
    await settled();
    expect(receiver.received).toHaveLength(names.length + 1);
  });

  test("for which too many messages wait loses some, and the owner is told once", async () => {
    const { alice, bob } = world;
    const cook = await newHook(world, receiver.url);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    receiver.answer(async () => {
      await released;
      return Response.json({});
    });
    const ask = () => bob.say("general", "lunch", "@**Cook**");
    const toldTo = (person: Person) => newest(person, 5, [{ operator: "is", operand: "dm" }]);
    await ask();
    await until(() => receiver.received.length === 1);
    await askOften(waitingMax.ofLane, ask);
    expect(await toldTo(alice)).toEqual([]);
    await verify(world, ask);
    const notice: [number, string] = [
      expect.any(Number),
      expect.stringMatching(
        new RegExp(`^<p>Too many messages wait for your bot <span .*data-user-id="${cook.id}"`),
      ),
    ];
    expect(await toldTo(alice)).toEqual([notice]);
    await ask();
    await ask();
    expect(await toldTo(alice)).toEqual([notice]);
    expect(await toldTo(bob)).toEqual([]);
    // Messages that wait need not be posted.
    await write(world.operator, ({ db, t }) => db.delete(t.jobs).where(isNull(t.jobs.lease)));
    release();
    await settled();
  });

  test("for which many come at once, on two nodes, loses them, and the owner is told once", async () => {
    const { alice, bob } = world;
    await newHook(world, receiver.url);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    receiver.answer(async () => {
      await released;
      return Response.json({});
    });
    const ask = (person: Person) => person.say("general", "lunch", "@**Cook**");
    const notices = async () =>
      (await newest(alice, 20, [{ operator: "is", operand: "dm" }])).map(([, text]) => text);
    await ask(bob);
    await until(() => receiver.received.length === 1);
    await askOften(waitingMax.ofLane, () => ask(bob));
    await Promise.all(Array.from({ length: 16 }, () => ask(bob)));
    const notice = expect.stringContaining("Too many messages wait for your bot");
    expect(await notices()).toEqual([notice]);
    await ask(bob.at(await world.startNode()));
    expect(await notices()).toEqual([notice]);
    await write(world.operator, ({ db, t }) => db.delete(t.jobs).where(isNull(t.jobs.lease)));
    release();
    await settled();
  });

  test("and one of too many that could not be posted before a newer one took its place is lost with a word, too", async () => {
    const { alice, bob } = world;
    await newHook(world, receiver.url);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    const ask = (word: string) => bob.say("general", "lunch", `@**Cook** ${word}`);
    const toldTo = (person: Person) => newest(person, 5, [{ operator: "is", operand: "dm" }]);
    receiver.answer(async ({ json }) => {
      if (json.data.includes("first")) await opened;
      if (!json.data.includes("unlucky")) return Response.json({});
      await released;
      return new Response("later", { status: 503 });
    });
    await ask("first");
    await until(() => receiver.received.length === 1);
    await askOften(waitingMax.ofLane - 1, () => ask("first"));
    await ask("unlucky");
    open();
    for (let posted = 1; posted <= waitingMax.ofLane + 1; posted++)
      await until(() => receiver.received.length >= posted);
    await askOften(waitingMax.ofLane, () => ask("later"));
    expect(await toldTo(alice)).toEqual([]);
    release();
    await settled();
    expect(await toldTo(alice)).toEqual([
      [expect.any(Number), expect.stringContaining("Too many messages wait for your bot")],
    ]);
    expect(receiver.received).toHaveLength(2 * waitingMax.ofLane + 1);
  });

  test("that is not there for half an hour is given up: who wrote and the owner are told", async () => {
    const { alice, bob } = world;
    const cook = await newHook(world, receiver.url);
    await receiver.close();
    const id = await bob.say("general", "lunch", "@**Cook** secret plan");
    await settled();
    for (const pause of [5, 15, 45, 135, 405, 1215]) await world.pass(pause);
    expect(await newest(bob, 1, inTopic("lunch"))).toEqual([
      [cook.id, "<p>Failure! The bot is unavailable.</p>"],
    ]);
    const [[, told] = [0, ""]] = await newest(alice, 1);
    expect(told).toContain("Nobody listens at this address.");
    expect(told).toContain(`/near/${id}">A message</a>`);
    expect(told).not.toContain("secret plan");
    expect(await world.app.jobs.list()).toEqual([]);
  });

  test("F7: that answers with an error is not tried again, and what it says reaches the owner alone, as text", async () => {
    const { alice, bob } = world;
    const cook = await newHook(world, receiver.url);
    const answer = "<script>alert(1)</script> ``` @**all** [x](javascript:alert(1))";
    receiver.answer(() => new Response(answer, { status: 404 }));
    await bob.say("general", "lunch", "@**Cook**");
    await bob.say("general", "lunch", "@**Cook** again");
    await settled();
    expect(receiver.received).toHaveLength(2);
    expect(await newest(bob, 1)).toEqual([[cook.id, "<p>Failure! The bot is unavailable.</p>"]]);
    // Two failures in a row are told once.
    const [[, told] = [0, ""], ...others] = await newest(alice, 2, [
      { operator: "is", operand: "dm" },
    ]);
    expect(others).toEqual([]);
    expect(told).toContain("The receiver answered with the status 404.");
    expect(told).toContain("&lt;script&gt;");
    expect(told).not.toMatch(/<script|<a href="javascript|user-mention channel-wildcard/);
  });

  test("in a channel that the owner may not know does not tell its name or topic", async () => {
    const { alice, bob, olga } = world;
    const cook = await newHook(world, receiver.url);
    const place = { name: "quarrel" };
    const { body } = await bob.post("/users/me/subscriptions", {
      subscriptions: [place],
      principals: [cook.id, bob.id],
      invite_only: true,
    });
    expect(body.result).toBe("success");
    const about = [{ operator: "is", operand: "dm" }];
    receiver.answer(() => new Response("", { status: 404 }));
    await bob.say("quarrel", "layoffs", "@**Cook**");
    await settled();
    expect((await newest(alice, 9, about)).map(([, told]) => told)).toEqual([
      `<p>A message to your bot <span class="user-mention silent" data-user-id="${cook.id}">Cook</span> could not be answered: The receiver answered with the status 404.</p>`,
    ]);
    await world.pass(600);
    const { body: found } = await bob.get("/get_stream_id", { stream: "quarrel" });
    receiver.answer(async () => {
      const { status } = await olga.patch(`/streams/${found.stream_id}`, {
        can_send_message_group: { new: { direct_members: [bob.id], direct_subgroups: [] } },
      });
      return Response.json({ content: `not here ${status}` });
    });
    await bob.say("quarrel", "layoffs", "@**Cook**");
    await settled();
    const [[, told] = [0, ""]] = await newest(alice, 1, about);
    expect(told).toContain("its answer was refused.");
    expect(told).not.toMatch(/quarrel|layoffs/);
  });

  test("I12: that shows what was posted does not bring the token into a message", async () => {
    const { alice, bob } = world;
    await newHook(world, receiver.url);
    receiver.answer(({ text }) => new Response(`You have sent ${text}`, { status: 400 }));
    await bob.say("general", "lunch", "@**Cook** soup");
    await settled();
    const [[, told] = [0, ""]] = await newest(alice, 1, [{ operator: "is", operand: "dm" }]);
    expect(told).toContain("You have sent");
    expect(told).not.toContain(receiver.received[0]?.json.token);
  });

  test.each([
    ["no JSON", () => "<html>"],
    ["a list", () => "[]"],
    ["a text that is an object", () => '{"content": {"text": "soup"}}'],
    ["a text that is a list", () => '{"response_string": ["soup"], "content": "soup"}'],
    ["a redirect", () => new Response(null, { status: 302, headers: { location: "/elsewhere" } })],
    ["a flood", () => new Response("x".repeat(1_100_000))],
  ])("G3, G5: that answers with %s has failed", async (_, answer) => {
    const { bob } = world;
    const cook = await newHook(world, receiver.url);
    receiver.answer(answer);
    await bob.say("general", "lunch", "@**Cook**");
    await settled();
    expect(receiver.received.map(({ path }) => path)).toEqual(["/x"]);
    expect(await newest(bob, 1)).toEqual([[cook.id, "<p>Failure! The bot is unavailable.</p>"]]);
  });

  test("that is slow holds up its own bot's messages and nobody else's", async () => {
    const { bob } = world;
    await newHook(world, receiver.url);
    const quick = startReceiver();
    await newHook(world, quick.url, { name: "Waiter" });
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    receiver.answer(() => {
      begin();
      return new Promise<Response>(() => undefined);
    });
    await bob.say("general", "lunch", "@**Cook** one");
    await bob.say("general", "lunch", "@**Cook** two");
    await begun;
    const { promise: served, resolve: serve } = Promise.withResolvers<void>();
    quick.answer(() => {
      serve();
      return {};
    });
    await bob.say("general", "lunch", "@**Waiter** three");
    await served;
    expect(receiver.received).toHaveLength(1);
    // The time is over.
    world.clock.advance(10);
    receiver.answer(() => ({}));
    await settled();
    await world.pass(5);
    expect(receiver.received.map(({ json }) => json.data.slice(-3))).toEqual(["one", "one", "two"]);
    await quick.close();
  });
});

test("A server that ends gives back what is under way, and the next one posts it again at once", async () => {
  const { bob } = world;
  const cook = await newHook(world, receiver.url);
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
  receiver.answer(() => {
    arrive();
    return new Promise<Response>(() => undefined);
  });
  await bob.say("general", "lunch", "@**Cook**");
  await arrived;
  receiver.answer(() => ({ content: "soup" }));
  await world.restart();
  await settled();
  expect(receiver.received).toHaveLength(2);
  expect(await newest(bob, 2, inTopic("lunch"))).toEqual([
    [bob.id, expect.any(String)],
    [cook.id, "<p>soup</p>"],
  ]);
});

describe("where the server may not go", () => {
  beforeEach(async () => {
    await world.close();
    world = await makeWorld();
  });

  test("G1: nothing is posted, and the owner is told", async () => {
    const { alice, bob } = world;
    const cook = await newHook(world, receiver.url);
    await bob.say("general", "lunch", "@**Cook**");
    await settled();
    expect(receiver.received).toEqual([]);
    expect(await newest(bob, 1)).toEqual([[cook.id, "<p>Failure! The bot is unavailable.</p>"]]);
    expect((await newest(alice, 1))[0]?.[1]).toContain("is not on the open internet");
  });

  test("G1, G2: nothing is posted however the address is written", async () => {
    const { alice, bob } = world;
    const cook = await newHook(world, receiver.url);
    const { port } = new URL(receiver.url);
    const hosts =
      "127.1 2130706433 0x7f.1 0177.0.0.1 0.0.0.0 127.0.0.1. localhost foo.localhost LOCALHOST. [::1]".split(
        " ",
      );
    hosts.push(
      "[::ffff:127.0.0.1]",
      "[::ffff:7f00:1]",
      "[64:ff9b::7f00:1]",
      "10.0.0.1",
      "169.254.169.254",
      "[fe80::1]",
    );
    for (const host of hosts) {
      const address = { service_payload_url: JSON.stringify(`http://${host}:${port}/x`) };
      const changed = await alice.patch(`/bots/${cook.id}`, address);
      if (changed.status === 200) await bob.tell([cook], host);
      else expect([host, changed.body.code]).toEqual([host, "BAD_REQUEST"]);
      await settled();
    }
    for (const url of [
      "file:///etc/passwd",
      "data:application/json,{}",
      `ftp://127.0.0.1:${port}/`,
      `//127.0.0.1:${port}/`,
    ]) {
      const changed = await alice.patch(`/bots/${cook.id}`, {
        service_payload_url: JSON.stringify(url),
      });
      expect([url, changed.status, changed.body.code]).toEqual([url, 400, "BAD_REQUEST"]);
    }
    expect(receiver.received).toEqual([]);
  });
});
