import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { findChannel } from "../../src/channels/queries";
import { write } from "../../src/core/write";
import { updateRealmSettingsIn } from "../../src/management/organization/change-settings";
import { unsubscribeUsers } from "../../src/management/subscriptions/unsubscribe";
import type { Queue } from "../support/client";
import { makeWorld, type Person, type World } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

async function make(
  by: Person,
  channel: { name: string; description?: string },
): Promise<{ stream_id: number }> {
  await by.post("/users/me/subscriptions", { subscriptions: [channel] });
  return (await by.get("/get_stream_id", { stream: channel.name })).body;
}

const remove = (by: Person, channel: string, people: Person[]) =>
  by.delete("/users/me/subscriptions", {
    subscriptions: [channel],
    principals: people.map(({ id }) => id),
  });

/** Answer to somebody, without the id or the name that they asked for. */
async function answerTo(
  person: Person,
  method: string,
  path: string,
  parameters: Record<string, unknown> = {},
) {
  const { status, body } = await person.ask(method, path, parameters);
  const asked = [...path.matchAll(/\d{1,9}/g)].map(([digits]) => digits);
  let msg: string = body.msg;
  for (const one of [...asked, ...Object.values(parameters).flat().map(String)])
    msg = msg.replaceAll(one, "…");
  return { status, code: body.code, msg };
}

/** Everything that can be asked of a channel by its id; the second is what it is asked with. */
const requestsAbout = (id: number): [string, string, Record<string, unknown>][] => [
  ["GET", `/streams/${id}`, {}],
  ["GET", `/streams/${id}/members`, {}],
  ["GET", `/users/me/${id}/topics`, {}],
  ["GET", `/users/${world.alice.id}/subscriptions/${id}`, {}],
  ["PATCH", `/streams/${id}`, { description: "x" }],
  ["PATCH", `/streams/${id}`, { new_name: "x" }],
  ["PATCH", `/streams/${id}`, { is_private: false }],
  ["PATCH", `/streams/${id}`, { is_archived: true }],
  ["DELETE", `/streams/${id}`, {}],
  ["PATCH", `/users/me/subscriptions/${id}`, { property: "is_muted", value: true }],
  ["POST", `/users/me/subscriptions/${id}`, { property: "is_muted", value: true }],
];

describe("what is hidden", () => {
  test("A1: who was taken out of a private channel reads nothing of it any more, in no way", async () => {
    const { alice, bob, channels } = world;
    const id = await alice.say("secret", "t", "hush");
    await alice.post(`/messages/${id}/reactions`, { emoji_name: "tada" });
    const queue = await bob.register();
    const narrows = [
      [{ operator: "channel", operand: channels.secret }],
      [{ operator: "id", operand: id }],
      [],
    ];
    const found = async () => {
      const answers = await Promise.all(
        narrows.map((narrow) =>
          bob.get("/messages", { anchor: "newest", num_before: 50, num_after: 0, narrow }),
        ),
      );
      return answers
        .flatMap(({ body }) => body.messages ?? [])
        .filter((message: { id: number }) => message.id === id);
    };
    expect(await found()).not.toEqual([]);
    await world.olga.delete("/users/me/subscriptions", {
      subscriptions: ["secret"],
      principals: [bob.id],
    });
    const later = await alice.say("secret", "t", "later");
    expect(await found()).toEqual([]);
    expect((await queue.events()).filter(({ type }) => type === "message")).toEqual([]);
    const requests: [string, string, Record<string, unknown>][] = [
      ["GET", `/messages/${id}`, {}],
      ["POST", `/messages/${id}/reactions`, { emoji_name: "tada" }],
      ["DELETE", `/messages/${id}/reactions`, { emoji_name: "tada" }],
      ["GET", `/users/me/${channels.secret}/topics`, {}],
    ];
    for (const [method, path, parameters] of requests) {
      expect([path, (await bob.ask(method, path, parameters)).status]).toEqual([path, 400]);
    }
    const flags = await bob.post("/messages/flags", {
      messages: [id, later],
      op: "add",
      flag: "starred",
    });
    expect(flags.status).toBe(400);
    expect((await bob.register()).state.starred_messages).toEqual([]);
  });

  test("A2: who left a private channel gets nothing of its name, description, people and settings, asked for or told", async () => {
    const { alice, bob, carol, channels } = world;
    await alice.post("/users/me/subscriptions", {
      subscriptions: [{ name: "secret" }],
      principals: [carol.id],
    });
    const queue = await bob.register();
    await remove(bob, "secret", [bob]);
    const own = (await queue.events()).map(({ type, op }) => [type, op]);
    expect(own).toEqual([
      ["subscription", "remove"],
      ["stream", "delete"],
    ]);
    const { adam } = world;
    await adam.patch(`/streams/${channels.secret}`, { new_name: "hush", description: "psst" });
    await alice.post("/users/me/subscriptions", {
      subscriptions: [{ name: "hush" }],
      principals: [world.mona.id],
    });
    await remove(alice, "hush", [alice]);
    await adam.delete(`/streams/${channels.secret}`);
    expect(await queue.events()).toEqual([]);
    const { state } = await bob.register();
    for (const list of ["streams", "subscriptions", "unsubscribed", "never_subscribed"]) {
      expect(state[list].map(({ stream_id }: { stream_id: number }) => stream_id)).not.toContain(
        channels.secret,
      );
    }
    expect(JSON.stringify(state)).not.toMatch(/hush|psst/);
    for (const [method, path, parameters] of requestsAbout(channels.secret)) {
      expect([path, (await bob.ask(method, path, parameters)).status]).toEqual([path, 400]);
    }
    expect(
      (await bob.get("/streams", { include_all: true, exclude_archived: false })).body.streams,
    ).toHaveLength(1);
  });

  test("A16, A17: a hidden channel answers every request as one that is not there", async () => {
    const { otto, greta, robot, channels } = world;
    for (const person of [otto, greta, robot]) {
      const missing = requestsAbout(99_999_999);
      for (const [index, [method, path, parameters]] of requestsAbout(channels.secret).entries()) {
        const [, absent = ""] = missing[index] ?? [];
        const hidden = await answerTo(person, method, path, parameters);
        expect([path, hidden]).toEqual([path, await answerTo(person, method, absent, parameters)]);
        expect(hidden).toMatchObject({ status: 400, code: "BAD_REQUEST" });
      }
      const byName = async (name: string) => [
        await answerTo(person, "GET", "/get_stream_id", { stream: name }),
        await answerTo(person, "DELETE", "/users/me/subscriptions", { subscriptions: [name] }),
      ];
      expect(await byName("secret")).toEqual(await byName("absent"));
    }
  });

  test("A16: a name that a hidden channel has is taken, and that is all that is said of it", async () => {
    const { otto, carol, channels } = world;
    const queue = await carol.register();
    const { body } = await otto.post("/users/me/subscriptions", {
      subscriptions: [{ name: "secret" }],
    });
    expect(body).toMatchObject({ result: "error", code: "BAD_REQUEST" });
    expect(JSON.stringify(body)).not.toContain(String(channels.secret));
    const { body: soft } = await otto.post("/users/me/subscriptions", {
      subscriptions: [{ name: "secret" }],
      authorization_errors_fatal: false,
    });
    expect(soft).toMatchObject({
      subscribed: {},
      already_subscribed: {},
      unauthorized: ["secret"],
    });
    expect(await queue.events()).toEqual([]);
  });

  test("A18: no list names a hidden channel or counts what is in it", async () => {
    const { alice, otto, greta, channels } = world;
    await alice.say("secret", "t", "hush");
    await alice.say("plans", "t", "hush");
    for (const person of [otto, greta]) {
      const { state } = await person.register({ include_subscribers: true });
      const lists = [
        "streams",
        "subscriptions",
        "unsubscribed",
        "never_subscribed",
        "realm_default_streams",
      ];
      expect(JSON.stringify(lists.map((list) => state[list]))).not.toMatch(/"secret"|"plans"/);
      expect(state.unread_msgs.streams).toEqual([]);
      for (const parameters of [{}, { include_all: true }, { include_can_access_content: true }]) {
        const { body } = await person.get("/streams", parameters);
        const ids = body.streams.map(({ stream_id }: { stream_id: number }) => stream_id);
        expect(ids).toEqual(person === otto ? [channels.general] : []);
      }
    }
  });

  test("A19: an administrator knows of private channels, but reads nothing in them and is in none by role alone", async () => {
    const { adam, olga, alice, channels } = world;
    const id = await alice.say("plans", "t", "hush");
    for (const person of [adam, olga]) {
      expect((await person.get(`/streams/${channels.plans}`)).body.stream.name).toBe("plans");
      expect((await person.get(`/streams/${channels.plans}/members`)).body.subscribers).toEqual([
        alice.id,
      ]);
      expect((await person.get(`/messages/${id}`)).status).toBe(400);
      expect((await person.get(`/users/me/${channels.plans}/topics`)).status).toBe(400);
      const join = (principals: number[]) =>
        person.post("/users/me/subscriptions", { subscriptions: [{ name: "plans" }], principals });
      expect((await join([person.id])).body.code).toBe("BAD_REQUEST");
      expect((await join([world.bob.id])).body.code).toBe("BAD_REQUEST");
      const sent = await person.post("/messages", {
        type: "channel",
        to: "plans",
        topic: "t",
        content: "x",
      });
      expect(sent.body.code).toBe("BAD_REQUEST");
    }
    expect((await alice.get(`/streams/${channels.plans}/members`)).body.subscribers).toEqual([
      alice.id,
    ]);
  });
});

describe("who asks", () => {
  test("E4: the ids of another organization's channels and people mean nothing here", async () => {
    const { zoe, alice, channels } = world;
    const { body } = await zoe.post("/users/me/subscriptions", {
      subscriptions: [{ name: "theirs" }],
    });
    expect(body.result).toBe("success");
    const theirs = (await zoe.get("/get_stream_id", { stream: "theirs" })).body.stream_id;
    for (const [index, [method, path, parameters]] of requestsAbout(channels.general).entries()) {
      const [, absent = ""] = requestsAbout(99_999_999)[index] ?? [];
      const foreign = await answerTo(zoe, method, path, parameters);
      expect([path, foreign]).toEqual([path, await answerTo(zoe, method, absent, parameters)]);
    }
    for (const [method, path, parameters] of requestsAbout(theirs)) {
      expect([path, (await alice.ask(method, path, parameters)).status]).toEqual([path, 400]);
    }
    const { olga } = world;
    for (const method of ["POST", "DELETE"]) {
      expect((await olga.ask(method, "/default_streams", { stream_id: theirs })).body.code).toBe(
        "BAD_REQUEST",
      );
    }
    const add = await alice.post("/users/me/subscriptions", {
      subscriptions: [{ name: "general" }],
      principals: [zoe.id],
    });
    expect(add.body.code).toBe("BAD_REQUEST");
    expect((await alice.get(`/users/${zoe.id}/subscriptions/${channels.general}`)).body.code).toBe(
      "BAD_REQUEST",
    );
    expect(
      (await alice.get(`/streams/${channels.general}/members`)).body.subscribers,
    ).not.toContain(zoe.id);
    expect((await zoe.get(`/streams/${theirs}`)).body.stream).toMatchObject({
      name: "theirs",
      is_archived: false,
    });
  });

  test("E9: nothing of channels is read or changed by who has not signed in", async () => {
    const { anonymous, alice, channels } = world;
    const before = (await alice.register({ include_subscribers: true })).state;
    const requests: [string, string, Record<string, unknown>][] = [
      ...requestsAbout(channels.general),
      ["GET", "/streams", {}],
      ["GET", "/get_stream_id", { stream: "general" }],
      ["GET", "/users/me/subscriptions", {}],
      [
        "POST",
        "/users/me/subscriptions",
        { subscriptions: [{ name: "x" }], principals: [alice.id] },
      ],
      ["PATCH", "/users/me/subscriptions", { delete: ["general"] }],
      ["DELETE", "/users/me/subscriptions", { subscriptions: ["general"], principals: [alice.id] }],
      ["POST", "/users/me/subscriptions/properties", { subscription_data: [] }],
      ["POST", "/default_streams", { stream_id: channels.general }],
      ["DELETE", "/default_streams", { stream_id: channels.general }],
      ["POST", `/streams/${channels.general}/delete_topic`, { topic_name: "t" }],
    ];
    for (const [method, path, parameters] of requests) {
      const { status, body } = await anonymous.ask(method, path, parameters);
      expect([method, path, status, body.code]).toEqual([method, path, 401, "UNAUTHORIZED"]);
    }
    const { streams, subscriptions } = (await alice.register({ include_subscribers: true })).state;
    expect({ streams, subscriptions }).toEqual({
      streams: before.streams,
      subscriptions: before.subscriptions,
    });
  });
});

describe("guests", () => {
  test("K2: a guest lists, asks for and hears of no channel but their own", async () => {
    const { greta, alice, otto, channels } = world;
    const queue = await greta.register();
    await otto.post("/users/me/subscriptions", {
      subscriptions: [{ name: "open" }, { name: "general" }],
    });
    await alice.patch(`/streams/${channels.general}`, { description: "x" });
    expect(await queue.events()).toEqual([]);
    expect(
      (await greta.get("/streams", { include_all: true, include_web_public: true })).body.streams,
    ).toEqual([]);
    for (const [method, path, parameters] of requestsAbout(channels.general)) {
      expect([path, (await greta.ask(method, path, parameters)).status]).toEqual([path, 400]);
    }
    for (const parameters of [
      { subscriptions: [{ name: "general" }] },
      { subscriptions: [{ name: "new one" }] },
    ]) {
      expect((await greta.post("/users/me/subscriptions", parameters)).body.code).toBe(
        "BAD_REQUEST",
      );
    }
    await alice.post("/users/me/subscriptions", {
      subscriptions: [{ name: "open" }],
      principals: [greta.id],
    });
    const { body } = await greta.get("/streams", { include_all: true });
    expect(body.streams.map(({ name }: { name: string }) => name)).toEqual(["open"]);
  });

  test("K4: a guest who is taken out of the last channel loses it and its people at once, and hears no more of them", async () => {
    const { greta, alice, bob, channels, operator } = world;
    await alice.post("/users/me/subscriptions", {
      subscriptions: [{ name: "general" }],
      principals: [greta.id],
    });
    const queue = await greta.register({
      event_types: ["stream", "subscription"],
      include_subscribers: true,
    });
    const general = await findChannel(world.app.engine.reader, world.realm.id, channels.general);
    if (!general) throw new Error("the channel is gone");
    await write(operator, (tx) => unsubscribeUsers(tx, operator, [general], [greta.id]));
    const told = async (one: Queue) => (await one.events()).map(({ type, op }) => `${type} ${op}`);
    expect(await told(queue)).toEqual(["subscription remove", "stream delete"]);
    await bob.delete("/users/me/subscriptions", { subscriptions: ["general"] });
    await world.otto.post("/users/me/subscriptions", { subscriptions: [{ name: "general" }] });
    expect(await queue.events()).toEqual([]);
    expect((await greta.get(`/streams/${channels.general}/members`)).status).toBe(400);
    expect((await greta.get(`/users/${bob.id}/subscriptions/${channels.general}`)).status).toBe(
      400,
    );
    const { state } = await greta.register({ include_subscribers: true });
    expect([
      state.streams,
      state.subscriptions,
      state.unsubscribed,
      state.never_subscribed,
    ]).toEqual([[], [], [], []]);
  });
});

describe("what lets one infer a hidden channel", () => {
  test("A16: who is in an archived private channel is not told to who asks to add them", async () => {
    const { alice, otto } = world;
    await alice.post("/users/me/subscriptions", {
      subscriptions: [{ name: "Crew" }],
      invite_only: true,
    });
    const { stream_id } = (await alice.get("/get_stream_id", { stream: "crew" })).body;
    await alice.delete(`/streams/${stream_id}`);
    const add = async (principals: number[]) =>
      (
        await otto.post("/users/me/subscriptions", {
          subscriptions: [{ name: "crew" }],
          principals,
          authorization_errors_fatal: false,
        })
      ).body;
    expect(await add([alice.id])).toEqual(await add([world.bob.id]));
    expect(await add([alice.id])).toMatchObject({
      subscribed: {},
      already_subscribed: {},
      unauthorized: ["crew"],
    });
  });

  test("A17: who may not make channels cannot tell a hidden one from one that is not there", async () => {
    const { otto, greta, operator } = world;
    const nobody = {
      can_create_public_channel_group: "role:nobody",
      can_create_private_channel_group: "role:nobody",
    };
    await write(operator, (tx) => updateRealmSettingsIn(tx, operator, nobody));
    for (const more of [{}, { invite_only: true }, { authorization_errors_fatal: false }]) {
      const join = (name: string) =>
        answerTo(otto, "POST", "/users/me/subscriptions", { subscriptions: [{ name }], ...more });
      expect(await join("secret")).toEqual(await join("absent"));
      expect((await join("secret")).status).toBe(400);
    }
    const join = (person: Person, name: string) =>
      answerTo(person, "PATCH", "/users/me/subscriptions", { add: [{ name }] });
    for (const name of ["secret", "general"])
      expect(await join(greta, name)).toEqual(await join(greta, "absent"));
    expect(
      (await otto.post("/users/me/subscriptions", { subscriptions: [{ name: "general" }] })).status,
    ).toBe(200);
  });

  test("A17: a message to a hidden channel is refused exactly as one to a channel that is not there", async () => {
    const { otto, greta, channels } = world;
    for (const person of [otto, greta]) {
      const send = async (to: number | string) => {
        const { status, body } = await person.post("/messages", {
          type: "channel",
          to,
          topic: "t",
          content: "x",
        });
        return JSON.stringify({ status, ...body }).replaceAll(`${to}`, "…");
      };
      expect(await send(channels.secret)).toEqual(await send(99_999_999));
      expect(await send("secret")).toEqual(await send("absent"));
    }
  });

  test("A16: what people write into a channel's name or description makes no link of Notification Bot's to a hidden one", async () => {
    const { otto, alice } = world;
    const description = "see #**secret** and #**general**";
    const { stream_id } = await make(otto, { name: "mine", description });
    await otto.patch(`/streams/${stream_id}`, {
      new_name: "x #**secret** x",
      description: "still #**secret**",
    });
    await otto.post("/users/me/subscriptions", {
      subscriptions: [{ name: "x #**secret** x" }],
      principals: [alice.id],
    });
    for (const narrow of [
      [{ operator: "channel", operand: stream_id }],
      [{ operator: "is", operand: "dm" }],
    ]) {
      for (const person of [otto, alice]) {
        const { body } = await person.get("/messages", {
          anchor: "newest",
          num_before: 9,
          num_after: 0,
          narrow,
        });
        expect(JSON.stringify(body.messages)).not.toContain("data-stream-id");
      }
    }
  });
});
