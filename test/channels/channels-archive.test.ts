import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Queue, WireEvent } from "../support/client";
import { verify, verifyInTurn } from "../support/client-state/verify";
import { makeWorld, type Person, type World } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

/** Capabilities at register of a client that shows archived channels. */
const archived = {
  client_capabilities: {
    archived_channels: true,
    bulk_message_deletion: true,
    empty_topic_name: true,
    notification_settings_null: true,
    stream_typing_notifications: true,
    user_settings_object: true,
  },
};

/** Makes a channel of alice, bob and greta that alice administers, and answers its id. */
async function makeCrew(parameters = {}): Promise<number> {
  const { alice, bob, greta } = world;
  const principals = [alice.id, bob.id, greta.id];
  await alice.post("/users/me/subscriptions", {
    subscriptions: [{ name: "crew" }],
    principals,
    ...parameters,
  });
  return (await alice.get("/get_stream_id", { stream: "crew" })).body.stream_id;
}

const archive = (person: Person, id: number) => person.delete(`/streams/${id}`);
const restore = (person: Person, id: number) =>
  person.patch(`/streams/${id}`, { is_archived: false });

const inShort = async (queue: Queue) =>
  (await queue.events()).map(({ type, op, property, value, flags }: WireEvent) => {
    if (type === "message") return ["message", flags];
    return property === undefined ? `${type} ${op}` : [property, value];
  });

describe("archiving a channel", () => {
  test("Clients that show archived channels are told that it is one, the others that it is gone", async () => {
    const { alice, bob, otto, greta } = world;
    const id = await makeCrew();
    const [plain, knowing] = [await bob.register(), await bob.register(archived)];
    const [member, outsider] = [
      await otto.register({ event_types: ["stream"] }),
      await greta.register(archived),
    ];
    expect((await archive(alice, id)).body).toEqual({ result: "success", msg: "" });
    expect(await inShort(plain)).toEqual([["message", ["read"]], "stream delete"]);
    expect(await inShort(knowing)).toEqual([
      ["message", ["read"]],
      ["is_archived", true],
    ]);
    expect(await inShort(member)).toEqual(["stream delete"]);
    expect(await inShort(outsider)).toEqual([
      ["message", ["read"]],
      ["is_archived", true],
    ]);
    expect((await bob.get(`/streams/${id}`)).body.stream.is_archived).toBe(true);
    expect((await archive(alice, id)).status).toBe(400);

    expect((await restore(alice, id)).status).toBe(200);
    expect(await inShort(plain)).toEqual(["stream create", "subscription add", ["message", []]]);
    expect(await inShort(knowing)).toEqual([
      ["is_archived", false],
      ["message", []],
    ]);
    expect(await inShort(member)).toEqual(["stream create"]);
    expect((await restore(alice, id)).status).toBe(200);
    expect((await bob.get(`/streams/${id}`)).body.stream).toMatchObject({
      is_archived: false,
      subscriber_count: 3,
    });
  });

  test.each<[string, Record<string, unknown>]>([
    ["that show archived channels", archived],
    ["that do not", {}],
  ])("What clients %s make of the events is what a new register gives", async (_, clients) => {
    const { alice, olga } = world;
    const id = await makeCrew();
    await olga.post("/default_streams", { stream_id: id });
    const verifyNext = verifyInTurn(world, clients);
    await verifyNext(() => archive(alice, id));
    for (const change of [
      { new_name: "old crew", description: "gone" },
      { is_private: true },
      { is_private: false },
    ]) {
      await verifyNext(async () =>
        expect((await alice.patch(`/streams/${id}`, change)).status).toBe(200),
      );
    }
    if (clients === archived) await verifyNext(() => restore(alice, id));
  });

  test("What clients make of a channel that comes back is what a new register gives", async () => {
    const { alice, bob } = world;
    const id = await makeCrew();
    await archive(alice, id);
    await verify(world, () => restore(bob, id).then(() => restore(alice, id)));
  });

  test("A10: who could read in it still can, and nobody else; nobody sends to it", async () => {
    const { alice, bob, otto, olga, greta } = world;
    const id = await makeCrew({ invite_only: true });
    const message = await alice.say("crew", "plans", "hello");
    await archive(alice, id);
    const reads = async (person: Person) =>
      (await person.get(`/messages/${message}`)).status === 200;
    expect(await Promise.all([alice, bob, greta, olga, otto].map(reads))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
    expect((await bob.get(`/users/me/${id}/topics`)).body.topics).toHaveLength(2);
    expect((await otto.get(`/users/me/${id}/topics`)).status).toBe(400);
    for (const to of [id, "crew"]) {
      const { body } = await bob.post("/messages", {
        type: "channel",
        to,
        topic: "plans",
        content: "x",
      });
      expect(body.code).toBe("BAD_REQUEST");
    }
  });

  test("It leaves the lists and the defaults, keeps its name and its people, and takes nobody in", async () => {
    const { alice, bob, otto, olga } = world;
    const id = await makeCrew();
    await olga.post("/default_streams", { stream_id: id });
    await archive(alice, id);
    const listed = async (parameters: Record<string, unknown>) =>
      (await bob.get("/streams", parameters)).body.streams.some(
        (one: { name: string }) => one.name === "crew",
      );
    expect([await listed({}), await listed({ exclude_archived: false })]).toEqual([false, true]);
    expect((await alice.register()).state.realm_default_streams).toEqual([]);
    expect((await olga.post("/default_streams", { stream_id: id })).status).toBe(400);
    expect((await bob.get("/get_stream_id", { stream: "crew" })).status).toBe(400);
    const join = (person: Person) =>
      person.post("/users/me/subscriptions", { subscriptions: [{ name: "crew" }] });
    expect((await join(bob)).body).toMatchObject({
      subscribed: {},
      already_subscribed: { [bob.id]: ["crew"] },
    });
    expect((await join(otto)).body).toMatchObject({
      code: "BAD_REQUEST",
      msg: expect.stringContaining("archived"),
    });
    expect((await olga.patch(`/streams/${id}`, { is_default_stream: true })).status).toBe(400);
    const back = await alice.patch(`/streams/${id}`, { is_archived: false, description: "back" });
    expect(back.status).toBe(200);
    expect((await bob.get(`/streams/${id}`)).body.stream).toMatchObject({
      description: "back",
      is_archived: false,
    });
    expect((await alice.register()).state.realm_default_streams).toEqual([]);
    expect((await alice.patch(`/streams/${id}`, { is_archived: true })).status).toBe(200);
    expect((await bob.get(`/streams/${id}`)).body.stream.is_archived).toBe(true);
  });

  test("D8: only who administers it archives it or brings it back", async () => {
    const { alice, bob, mona, greta, otto, adam, robot } = world;
    const id = await makeCrew();
    for (const person of [bob, mona, greta, otto, robot]) {
      expect((await archive(person, id)).body.code).toBe("BAD_REQUEST");
      expect((await person.patch(`/streams/${id}`, { is_archived: true })).body.code).toBe(
        "BAD_REQUEST",
      );
    }
    expect((await world.anonymous.delete(`/streams/${id}`)).status).toBe(401);
    expect((await world.zoe.delete(`/streams/${id}`)).body.code).toBe("BAD_REQUEST");
    expect((await bob.get(`/streams/${id}`)).body.stream.is_archived).toBe(false);
    expect((await archive(adam, id)).status).toBe(200);
    expect((await restore(bob, id)).body.code).toBe("BAD_REQUEST");
    expect((await restore(alice, id)).status).toBe(200);
  });
});

describe("an archived channel", () => {
  const update = (person: Person, id: number, change: Record<string, unknown>) =>
    person.patch(`/streams/${id}`, change);

  test("gets another text, name, privacy and permissions from who administers it, so that its name is free again", async () => {
    const { alice, bob, otto, adam } = world;
    const id = await makeCrew();
    await archive(alice, id);
    const [plain, knowing] = [await bob.register(), await bob.register(archived)];
    const nobody = { direct_members: [], direct_subgroups: [] };
    const changes = [
      { new_name: "old crew" },
      { description: "gone" },
      { can_send_message_group: { new: nobody } },
    ];
    for (const change of changes)
      expect((await update(alice, id, change)).body).toEqual({ result: "success", msg: "" });
    expect((await update(adam, id, { topics_policy: "disable_empty_topic" })).status).toBe(200);
    expect((await update(alice, id, { is_private: true })).status).toBe(200);
    expect((await bob.get(`/streams/${id}`)).body.stream).toMatchObject({
      name: "old crew",
      description: "gone",
      invite_only: true,
      history_public_to_subscribers: false,
      is_archived: true,
      topics_policy: "disable_empty_topic",
      subscriber_count: 3,
    });
    expect((await otto.get(`/streams/${id}`)).status).toBe(400);
    // Nothing is said in it, and clients that do not show archived channels hear nothing.
    expect(await inShort(plain)).toEqual([]);
    const told = (await inShort(knowing)).map((one) => one[0]);
    expect(told).toEqual(
      expect.arrayContaining(["name", "description", "can_send_message_group", "invite_only"]),
    );
    expect(told).not.toContain("message");
    const taken = { subscriptions: [{ name: "crew" }] };
    expect((await otto.post("/users/me/subscriptions", taken)).body.subscribed).toEqual({
      [otto.id]: ["crew"],
    });
    expect((await update(alice, id, { new_name: "crew" })).status).toBe(400);
  });

  test("is not left, nobody is removed from it, and nobody changes how it looks to them", async () => {
    const { alice, bob, olga } = world;
    const id = await makeCrew();
    await alice.post("/users/me/subscriptions", {
      subscriptions: [{ name: "crew 2" }],
      principals: [bob.id],
    });
    await archive(alice, id);
    const queues = await Promise.all([alice, bob, olga].map((one) => one.register(archived)));
    const data = (property: string, value: unknown) => ({ stream_id: id, property, value });
    for (const answer of [
      await bob.delete("/users/me/subscriptions", { subscriptions: ["crew"] }),
      await bob.delete("/users/me/subscriptions", { subscriptions: ["crew 2", "crew"] }),
      await bob.patch("/users/me/subscriptions", { delete: ["crew"] }),
      await olga.delete("/users/me/subscriptions", {
        subscriptions: ["crew"],
        principals: [bob.id],
      }),
      await bob.post("/users/me/subscriptions/properties", {
        subscription_data: [data("color", "#aabbcc")],
      }),
      await bob.post("/users/me/subscriptions/properties", {
        subscription_data: [data("is_muted", true)],
      }),
      await bob.patch(`/users/me/subscriptions/${id}`, { property: "pin_to_top", value: true }),
    ]) {
      expect(answer.body).toMatchObject({
        code: "BAD_REQUEST",
        msg: expect.stringContaining("archived"),
      });
    }
    expect((await bob.get(`/streams/${id}`)).body.stream.subscriber_count).toBe(3);
    for (const queue of queues) expect(await queue.events()).toEqual([]);
    await restore(alice, id);
    expect((await bob.delete("/users/me/subscriptions", { subscriptions: ["crew"] })).status).toBe(
      200,
    );
  });

  test("D8: is asked for the right to administer it before whether anything changes, like any other", async () => {
    const { alice, bob, mona, adam } = world;
    const id = await makeCrew();
    const sameForAll = [{}, { new_name: "crew" }, { description: "" }, { is_private: false }];
    const refused = async (person: Person, change: object) => {
      const { status, body } = await update(person, id, { ...change });
      expect([change, status, body.msg]).toEqual([
        change,
        400,
        expect.stringContaining("You do not administer"),
      ]);
    };
    for (const person of [bob, mona]) {
      for (const change of [...sameForAll, { is_archived: false }]) await refused(person, change);
    }
    await archive(alice, id);
    for (const person of [bob, mona]) {
      for (const change of [...sameForAll, { is_archived: true }]) await refused(person, change);
    }
    expect((await update(adam, id, {})).status).toBe(200);
    expect((await update(alice, id, { is_archived: true })).status).toBe(200);
    expect((await update(alice, id, { new_name: "crew" })).body.msg).toContain(
      "already called 'crew'",
    );
  });
});

describe("default channels", () => {
  test("Adding and removing one is told to all but guests", async () => {
    const { olga, alice, greta, channels } = world;
    const verifyNext = verifyInTurn(world);
    const stream_id = channels.general;
    const queues = await Promise.all(
      [alice, greta].map((one) => one.register({ event_types: ["default_streams"] })),
    );
    const heard = async () =>
      (await Promise.all(queues.map((queue) => queue.events()))).map((events) =>
        events.map(({ default_streams }) => default_streams),
      );
    await verifyNext(() => olga.post("/default_streams", { stream_id }));
    expect(await heard()).toEqual([[[stream_id]], []]);
    expect((await olga.post("/default_streams", { stream_id })).status).toBe(200);
    expect(await heard()).toEqual([[], []]);
    await verifyNext(() => olga.delete("/default_streams", { stream_id }));
    expect(await heard()).toEqual([[[]], []]);
    expect((await alice.register()).state.realm_default_streams).toEqual([]);
    for (const id of [channels.secret, 99_999_999]) {
      expect((await olga.post("/default_streams", { stream_id: id })).body.code).toBe(
        "BAD_REQUEST",
      );
    }
    expect((await olga.delete("/default_streams", { stream_id: 99_999_999 })).body.code).toBe(
      "BAD_REQUEST",
    );
    expect((await olga.post("/default_streams")).body.code).toBe("REQUEST_VARIABLE_MISSING");
  });
});
