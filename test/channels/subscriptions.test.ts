import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { and, eq } from "drizzle-orm";
import { findChannel } from "../../src/channels/queries";
import { write } from "../../src/core/write";
import { prepareChange, updateChannelIn } from "../../src/management/channels/update";
import type { Queue, WireEvent } from "../support/client";
import { makeWorld, type Person, type World } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

const types = ["stream", "subscription", "default_streams"];

/** Opens a queue for each, to be asked with `heard`. */
async function listen<Name extends string>(
  people: Record<Name, Person>,
  parameters = {},
): Promise<Record<Name, Queue>> {
  const queues: Partial<Record<Name, Queue>> = {};
  for (const name of Object.keys(people) as Name[]) {
    queues[name] = await people[name].register({
      event_types: types,
      include_subscribers: true,
      ...parameters,
    });
  }
  return queues as Record<Name, Queue>;
}

/** Event in short: `stream create crew`, `peer_add crew alice`. */
function inShort(event: WireEvent): string {
  const nameOf = (id: number) =>
    Object.values(world)
      .find((one) => one?.id === id && "email" in one)
      ?.fullName.toLowerCase() ?? `user ${id}`;
  const ids = event.user_ids?.map(nameOf).join(" ") ?? "";
  if (event.op.startsWith("peer_")) return `${event.op} ${ids}`;
  const named = event.streams ?? event.subscriptions ?? [event];
  const names = named
    .map((one: { name?: string; stream_id: number }) => one.name ?? "a channel")
    .join(" ");
  return `${event.type} ${event.op} ${names}`;
}

async function heard<Name extends string>(
  queues: Record<Name, Queue>,
): Promise<Record<Name, string[]>> {
  const entries = Object.entries<Queue>(queues).map(
    async ([name, queue]) => [name, (await queue.events()).map(inShort)] as const,
  );
  return Object.fromEntries(await Promise.all(entries)) as Record<Name, string[]>;
}

const namesOf = (channels: { name: string }[]) => channels.map(({ name }) => name).sort();

async function subscriptionsOf(person: Person) {
  return (await person.get("/users/me/subscriptions", { include_subscribers: true })).body
    .subscriptions;
}

const join = (person: Person, name: string, more = {}) =>
  person.post("/users/me/subscriptions", { subscriptions: [{ name }], ...more });

const leave = (person: Person, name: string, more = {}) =>
  person.delete("/users/me/subscriptions", { subscriptions: [name], ...more });

describe("subscribing", () => {
  test("Otto joins a public channel: he gets the channel, the others hear of him, greta does not", async () => {
    const { otto, alice, olga, greta, zoe } = world;
    const queues = await listen({ otto, alice, olga, greta, zoe });
    const answer = await join(otto, "General");
    expect(answer.body).toEqual({
      result: "success",
      msg: "",
      subscribed: { [otto.id]: ["general"] },
      already_subscribed: {},
      new_subscription_messages_sent: true,
    });
    expect(namesOf(await subscriptionsOf(otto))).toEqual(["general"]);
    expect(await heard(queues)).toEqual({
      otto: ["subscription add general"],
      alice: ["peer_add otto"],
      olga: ["peer_add otto"],
      greta: [],
      zoe: [],
    });
    expect((await join(otto, "general")).body).toMatchObject({
      already_subscribed: { [otto.id]: ["general"] },
    });
    expect(await heard(queues)).toMatchObject({ otto: [], alice: [] });
  });

  test("Alice creates a channel and adds greta, by address and by id: greta now sees it", async () => {
    const { alice, bob, greta, olga } = world;
    const queues = await listen({ alice, bob, greta, olga });
    const principals = [alice.email, greta.email.toUpperCase()];
    const answer = await join(alice, "crew", { principals, announce: true });
    expect(answer.body.subscribed).toEqual({ [alice.id]: ["crew"], [greta.id]: ["crew"] });
    expect(await heard(queues)).toEqual({
      alice: ["stream create crew", "subscription add crew"],
      bob: ["stream create crew", "peer_add alice greta"],
      greta: ["stream create crew", "subscription add crew"],
      olga: ["stream create crew", "peer_add alice greta"],
    });
    const [crew] = await subscriptionsOf(greta);
    expect(crew).toMatchObject({
      name: "crew",
      subscribers: [alice.id, greta.id],
      subscriber_count: 2,
      creator_id: alice.id,
    });
    expect(crew.color).toMatch(/^#[0-9a-f]{6}$/);
    expect((await join(alice, "crew", { principals: [bob.id] })).body.subscribed).toEqual({
      [bob.id]: ["crew"],
    });
  });

  test("A private channel is made known to its subscribers and the administrators only", async () => {
    const { alice, bob, carol, adam, greta } = world;
    const queues = await listen({ alice, bob, carol, adam, greta });
    await join(alice, "inner", { invite_only: true, principals: [alice.id, bob.id] });
    expect(await heard(queues)).toEqual({
      alice: ["stream create inner", "subscription add inner"],
      bob: ["stream create inner", "subscription add inner"],
      carol: [],
      adam: ["stream create inner", "peer_add alice bob"],
      greta: [],
    });
    const [inner] = (await subscriptionsOf(alice)).filter(
      ({ name }: { name: string }) => name === "inner",
    );
    expect(inner).toMatchObject({ invite_only: true, history_public_to_subscribers: false });
    expect((await join(bob, "inner", { principals: [carol.id] })).status).toBe(200);
    expect(await heard(queues)).toEqual({
      alice: ["peer_add carol"],
      bob: ["peer_add carol"],
      carol: ["stream create inner", "subscription add inner"],
      adam: ["peer_add carol"],
      greta: [],
    });
  });

  test("Each subscription gets a color of its own, or the one asked for", async () => {
    const { otto } = world;
    const add = [{ name: "one" }, { name: "two", color: "#ABCDEF" }, { name: "three" }];
    expect((await otto.patch("/users/me/subscriptions", { add })).status).toBe(200);
    const colors = (await subscriptionsOf(otto)).map(({ color }: { color: string }) => color);
    expect(new Set(colors).size).toBe(3);
    expect(colors[1]).toBe("#abcdef");
    expect(
      (await otto.patch("/users/me/subscriptions", { add: [{ name: "four", color: "red" }] }))
        .status,
    ).toBe(400);
  });

  test("PATCH adds and removes in one, and nothing at all if a part is refused", async () => {
    const { alice } = world;
    const change = { add: [{ name: "fresh" }], delete: ["plans"] };
    expect((await alice.patch("/users/me/subscriptions", change)).body).toMatchObject({
      subscribed: { [alice.id]: ["fresh"] },
      removed: ["plans"],
      not_removed: [],
    });
    const halfBad = { add: [{ name: "never" }], delete: ["no such channel"] };
    expect((await alice.patch("/users/me/subscriptions", halfBad)).status).toBe(400);
    expect((await alice.get("/get_stream_id", { stream: "never" })).status).toBe(400);
    expect((await alice.patch("/users/me/subscriptions")).status).toBe(400);
  });

  test("Names, principals and lists that make no sense are refused, and leave nothing behind", async () => {
    const { alice, zoe } = world;
    const refused = async (parameters: object) => {
      const { status, body } = await alice.post("/users/me/subscriptions", { ...parameters });
      expect([status, body.code]).toEqual([400, "BAD_REQUEST"]);
    };
    for (const name of ["", "   ", "n".repeat(61), "bad\0name", "two\nlines"])
      await refused({ subscriptions: [{ name }] });
    await refused({ subscriptions: [{ description: "x" }] });
    await refused({ subscriptions: "kit" });
    await refused({ subscriptions: [{ name: "made" }], principals: [99_999_999] });
    await refused({ subscriptions: [{ name: "made" }], principals: [zoe.id] });
    await refused({ subscriptions: [{ name: "made" }], principals: ["nobody@example.com"] });
    await refused({ subscriptions: [{ name: "made" }], is_web_public: true });
    await refused({ subscriptions: [{ name: "made" }], is_default_stream: true });
    expect((await alice.get("/get_stream_id", { stream: "made" })).status).toBe(400);
    expect((await alice.post("/users/me/subscriptions")).body.code).toBe(
      "REQUEST_VARIABLE_MISSING",
    );
    expect((await alice.post("/users/me/subscriptions", { subscriptions: [] })).body).toMatchObject(
      { subscribed: {} },
    );
  });

  test("Guests neither join nor create, and deactivated users are not added", async () => {
    const { greta, alice, app, realm, operator, carol } = world;
    expect((await join(greta, "general")).status).toBe(400);
    expect((await join(greta, "guests")).status).toBe(400);
    expect(
      (await greta.patch("/users/me/subscriptions", { add: [{ name: "general" }] })).status,
    ).toBe(400);
    expect(await subscriptionsOf(greta)).toEqual([]);
    const { users } = app.engine.schema;
    await write(operator, async (tx) => {
      const isCarol = and(eq(users.realmId, realm.id), eq(users.id, carol.id));
      await tx.db.update(users).set({ isActive: false }).where(isCarol);
    });
    expect((await join(alice, "plans", { principals: [carol.id] })).status).toBe(400);
    expect(
      (await alice.get(`/streams/${world.channels.general}`)).body.stream.subscriber_count,
    ).toBe(5);
  });

  test("A19: an administrator neither joins a private channel nor adds anybody to it", async () => {
    const { olga, otto, carol, greta } = world;
    expect((await join(olga, "plans")).status).toBe(400);
    expect((await join(olga, "plans", { principals: [otto.id] })).status).toBe(400);
    expect((await join(carol, "plans")).status).toBe(400);
    expect((await join(carol, "plans", { principals: [greta.id] })).status).toBe(400);
    const { body } = await join(carol, "plans", { authorization_errors_fatal: false });
    expect(body).toMatchObject({ subscribed: {}, already_subscribed: {}, unauthorized: ["plans"] });
    expect(namesOf(await subscriptionsOf(carol))).toEqual(["general"]);
  });
});

describe("unsubscribing", () => {
  test("Bob leaves a public channel, again, and one that is not there", async () => {
    const { bob, alice, greta } = world;
    const queues = await listen({ bob, alice, greta });
    expect((await leave(bob, "general")).body).toMatchObject({
      removed: ["general"],
      not_removed: [],
    });
    expect(await heard(queues)).toEqual({
      bob: ["subscription remove general"],
      alice: ["peer_remove bob"],
      greta: [],
    });
    expect((await leave(bob, "general")).body).toMatchObject({
      removed: [],
      not_removed: ["general"],
    });
    expect((await bob.delete("/users/me/subscriptions", { subscriptions: "general" })).status).toBe(
      200,
    );
    expect((await leave(bob, "no such channel")).body.code).toBe("BAD_REQUEST");
    expect(namesOf(await subscriptionsOf(bob))).toEqual(["secret"]);
  });

  test("Who cannot send DELETE leaves by POST to delete, which is nobody's id", async () => {
    const { bob, alice, greta } = world;
    const leaveByPost = (parameters: object) =>
      bob.post("/users/me/subscriptions/delete", { ...parameters });
    const queues = await listen({ bob, alice, greta });
    const left = await leaveByPost({ subscriptions: ["general"] });
    expect(left.body).toEqual({
      result: "success",
      msg: "",
      removed: ["general"],
      not_removed: [],
    });
    expect(await heard(queues)).toEqual({
      bob: ["subscription remove general"],
      alice: ["peer_remove bob"],
      greta: [],
    });
    expect(namesOf(await subscriptionsOf(bob))).toEqual(["secret"]);
    expect((await leaveByPost({ subscriptions: ["general"] })).body.not_removed).toEqual([
      "general",
    ]);
    expect((await leaveByPost({ subscriptions: ["nowhere"] })).body.code).toBe("BAD_REQUEST");
    expect((await leaveByPost({ subscriptions: ["secret"], principals: [alice.id] })).status).toBe(
      400,
    );
    expect((await leaveByPost({})).body.code).toBe("REQUEST_VARIABLE_MISSING");
    expect(await heard(queues)).toEqual({ bob: [], alice: [], greta: [] });
  });

  test("Members remove nobody, a channel's creator and administrators do, an owner removes his bot", async () => {
    const { bob, alice, otto, olga, robot, carol } = world;
    expect((await leave(bob, "general", { principals: [carol.id] })).status).toBe(400);
    await join(alice, "crew", { principals: [alice.id, bob.id, otto.id, robot.id] });
    expect((await leave(bob, "crew", { principals: [otto.id] })).status).toBe(400);
    expect((await leave(alice, "crew", { principals: [otto.id] })).body.removed).toEqual(["crew"]);
    expect((await leave(olga, "general", { principals: [carol.id] })).body.removed).toEqual([
      "general",
    ]);
    await join(bob, "bobs", { principals: [robot.id] });
    expect((await leave(alice, "bobs", { principals: [robot.id] })).body.removed).toEqual(["bobs"]);
  });

  test("C7: after leaving a private channel nothing of it arrives, neither events nor answers", async () => {
    const { alice, bob, adam } = world;
    const queues = await listen({ bob, alice, adam });
    const everything = await bob.register({ include_subscribers: true });
    expect((await leave(bob, "secret")).status).toBe(200);
    const secret = await findChannel(
      world.app.engine.reader,
      world.realm.id,
      world.channels.secret,
    );
    if (!secret) throw new Error("the channel is gone");
    await write(world.operator, (tx) =>
      updateChannelIn(
        tx,
        world.operator,
        secret,
        prepareChange({ name: "secret2", description: "hidden" }),
      ),
    );
    await join(alice, "secret2", { principals: [world.otto.id] });
    await alice.say("secret2", "t", "not for bob");
    expect(await heard(queues)).toEqual({
      bob: ["subscription remove secret", "stream delete a channel"],
      alice: ["peer_remove bob", "stream update secret", "stream update secret2", "peer_add otto"],
      adam: ["peer_remove bob", "stream update secret", "stream update secret2", "peer_add otto"],
    });
    expect(JSON.stringify(await everything.events())).not.toMatch(/secret2|hidden|not for bob/);
    const state = await bob.register({ include_subscribers: true });
    expect(JSON.stringify(state.state)).not.toMatch(/secret/);
    const hidden = await bob.get(`/streams/${world.channels.secret}`);
    const missing = await bob.get("/streams/99999999");
    expect(hidden.body.msg.replace(`${world.channels.secret}`, "#")).toBe(
      missing.body.msg.replace("99999999", "#"),
    );
    expect(hidden.body.code).toBe("BAD_REQUEST");
  });

  test("C5: a queue from before does not give a removed subscriber what came after, nor who is in the channel now", async () => {
    const { alice, bob, otto, carol, olga } = world;
    const queue = await otto.register({ event_types: types, include_subscribers: true });
    await join(alice, "plans", { principals: [otto.id] });
    await leave(olga, "plans", { principals: [otto.id] });
    await join(alice, "plans", { principals: [carol.id, bob.id] });
    const events = await queue.events();
    expect(events.map(inShort)).toEqual([
      "stream create plans",
      "subscription add plans",
      "subscription remove plans",
      "stream delete a channel",
    ]);
    expect(events[1].subscriptions[0].subscribers).toEqual([]);
    expect((await join(otto, "plans")).status).toBe(400);
  });

  test("Who leaves still gets what was announced before", async () => {
    const { bob, alice, otto } = world;
    const queue = await bob.register({ event_types: types });
    await join(alice, "secret", { principals: [otto.id] });
    await leave(bob, "secret");
    expect((await queue.events()).map(inShort)).toEqual([
      "peer_add otto",
      "subscription remove secret",
      "stream delete a channel",
    ]);
  });
});
