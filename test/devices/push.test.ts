import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { write } from "../../src/core/write";
import { considerPush } from "../../src/devices/push/jobs";
import { deactivateUser } from "../../src/management/accounts/deactivate";
import { deactivateRealm } from "../../src/management/organization/deactivate";
import { until } from "../support/polls";
import { type MobileDevice, PushRelay, registeredDevice } from "../support/servers/push-relay";
import { makeWorld, type Person, type World } from "../support/world";

let relay: PushRelay;
let world: World;
beforeEach(async () => {
  relay = new PushRelay();
  world = await makeWorld(relay.flags);
});
afterEach(async () => {
  await world.close();
  await relay.stop();
});

const device = (person: Person, kind?: "fcm" | "apns") =>
  registeredDevice(world.pass, person, relay, kind);
const set = async (person: Person, settings: Record<string, unknown>) =>
  expect((await person.patch("/settings", settings)).status).toBe(200);
/** Notices that a device was sent since it was last asked, in short. */
const ids = (one: MobileDevice) =>
  one
    .told()
    .map(({ type, message_id, message_ids }) =>
      type === "message" ? message_id : [type, message_ids],
    );
const markRead = (person: Person, messages: number[]) =>
  person.post("/messages/flags", { messages, op: "add", flag: "read" });
const jobCount = async () => {
  const { db, t } = world.app.engine.reader;
  return (await db.select().from(t.jobs)).length;
};

describe("Alice's device is told", () => {
  test("of a message to her, as the protocol says", async () => {
    const { alice, bob, carol, realm, clock } = world;
    const phone = await device(alice);
    const id = await bob.tell([alice, carol], "**Soup** is ready");
    await world.pass(0);
    const [push] = phone.received();
    expect(push?.fcm_priority).toBe("high");
    expect(push?.data).toEqual({
      type: "message",
      message_id: id,
      time: clock.now(),
      content: "Soup is ready",
      realm_name: realm.name,
      realm_url: expect.any(String),
      user_id: alice.id,
      sender_id: bob.id,
      sender_full_name: "Bob",
      sender_avatar_url: expect.stringMatching(/^https?:\/\//),
      recipient_type: "direct",
      recipient_user_ids: [alice.id, bob.id, carol.id].sort((a, b) => a - b),
    });
  });

  test("of a mention in a channel; of what does not concern her, of her own and of what nobody asked for she is not", async () => {
    const { alice, bob, channels } = world;
    const phone = await device(alice);
    await bob.say("general", "lunch", "soup");
    await alice.say("general", "mine", "@**Alice**");
    await bob.say("general", "lunch", "@**Carol**");
    const id = await bob.say("general", "lunch", "@**Alice** soup");
    await world.pass(0);
    expect(phone.told()).toMatchObject([
      {
        message_id: id,
        recipient_type: "channel",
        channel_id: channels.general,
        channel_name: "general",
        topic: "lunch",
        content: "@Alice soup",
      },
    ]);
  });

  test("by which group it was mentioned, unless it was also by name", async () => {
    const { alice, bob, olga } = world;
    const phone = await device(alice);
    const group = { name: "cooks", description: "", members: [alice.id] };
    const { body } = await olga.post("/user_groups/create", group);
    await bob.say("general", "t", "@*cooks*");
    await bob.say("general", "t", "@*cooks* @**Alice**");
    await world.pass(0);
    const [byGroup, byName] = phone.told().toSorted((a, b) => a.message_id - b.message_id);
    expect(byGroup).toMatchObject({
      mentioned_user_group_id: body.group_id,
      mentioned_user_group_name: "cooks",
    });
    expect("mentioned_user_group_id" in byName).toBe(false);
  });

  test("of wildcards, of topics that she follows and of channels whose messages she wants", async () => {
    const { alice, bob, olga, channels } = world;
    const phone = await device(alice);
    const follow = { stream_id: channels.general, topic: "followed", visibility_policy: 3 };
    await alice.post("/user_topics", follow);
    const subscription = [
      { stream_id: channels.secret, property: "push_notifications", value: true },
    ];
    await alice.post("/users/me/subscriptions/properties", { subscription_data: subscription });
    await bob.say("general", "t", "of no interest");
    const wanted = [
      await olga.say("general", "t", "@**all**"),
      await bob.say("general", "Followed", "x"),
      await bob.say("secret", "t", "y"),
    ];
    await world.pass(0);
    expect(ids(phone).sort()).toEqual(wanted);
    await set(alice, { enable_stream_push_notifications: true });
    const all = await bob.say("general", "t", "z");
    await world.pass(0);
    await alice.post("/user_topics", { ...follow, topic: "t", visibility_policy: 1 });
    await bob.say("general", "t", "muted");
    await world.pass(0);
    expect(ids(phone).sort()).toEqual([...wanted, all]);
  });

  test("of a mention that an edit brings, once", async () => {
    const { alice, bob } = world;
    const phone = await device(alice);
    const id = await bob.say("general", "t", "soup");
    await bob.patch(`/messages/${id}`, { content: "@**Alice** soup" });
    await world.pass(0);
    await bob.patch(`/messages/${id}`, { content: "@**Alice** hot soup" });
    await world.pass(0);
    expect(phone.told()).toMatchObject([{ message_id: id, content: "@Alice soup" }]);
  });

  test("on each of her devices, and Bob's are told of his", async () => {
    const { alice, bob, carol } = world;
    const [phone, tablet, other] = [
      await device(alice),
      await device(alice, "apns"),
      await device(bob),
    ];
    const id = await carol.tell([alice], "x");
    await world.pass(0);
    expect([ids(phone), ids(tablet), ids(other)]).toEqual([[id], [id], []]);
  });

  test("with thousands of others: the work is done in pieces", async () => {
    const { alice, bob, app, realm, clock } = world;
    const phone = await device(alice);
    const messageId = await bob.say("general", "t", "soup");
    const others = Array.from({ length: 120 }, (_, i) => 90_000 + i);
    const recipients = [...others, alice.id].map((userId) => ({
      userId,
      trigger: "mentioned" as const,
    }));
    const scope = { app, realm, now: clock.now() };
    await write(scope, (tx) =>
      considerPush.enqueue(tx, scope, { messageId, recipients, groups: [] }),
    );
    await world.pass(0);
    expect([ids(phone), await jobCount()]).toEqual([[messageId], 0]);
  });

  test("later, where the relay cannot be reached, also after a restart of the server", async () => {
    const { alice, bob } = world;
    const phone = await device(alice);
    await relay.stop();
    const id = await bob.tell([alice], "x");
    await world.pass(0);
    await world.restart();
    relay.restart();
    await world.pass(30);
    expect(ids(phone)).toEqual([id]);
  });

  test("of the sender no more than she may see", async () => {
    const { greta, adam, bob, olga } = world;
    const phone = await device(greta);
    await olga.patch("/realm", {
      can_access_all_users_group: JSON.stringify({ new: await membersGroup() }),
    });
    const { body } = await adam.post("/users/me/subscriptions", {
      subscriptions: [{ name: "kitchen" }],
      principals: [greta.id, bob.id],
    });
    expect(body.result).toBe("success");
    await bob.say("kitchen", "t", "@**Greta**");
    await world.pass(0);
    expect(phone.told()).toMatchObject([{ sender_id: bob.id, sender_full_name: "Bob" }]);
    relay.health = "broken";
    await bob.say("kitchen", "t", "@**Greta** bye");
    await bob.delete("/users/me/subscriptions", { subscriptions: ["kitchen"] });
    await world.pass(0);
    relay.health = "well";
    await world.pass(10);
    const [, unseen] = phone.told();
    expect(unseen).toMatchObject({ sender_full_name: "Unknown user", content: "@Greta bye" });
    expect(JSON.stringify(unseen)).not.toContain("Bob");
  });
});

describe("While the relay does not answer", () => {
  /**
   * Sends a message whose notification the relay takes, and keeps from answering until `answer` is
   * called.
   */
  async function sendHeld(send: () => Promise<number>) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const before = relay.requests;
    relay.hold = promise;
    const id = await send();
    await until(() => relay.requests > before);
    relay.hold = undefined;
    return { id, answer: resolve };
  }

  test("others are told, and after 15 seconds it is asked again", async () => {
    const { alice, bob, carol } = world;
    const [phone, other] = [await device(alice), await device(carol)];
    const { id, answer } = await sendHeld(() => bob.tell([alice], "x"));
    const second = await bob.tell([carol], "y");
    await until(() => other.told().length > 0);
    expect([ids(phone), ids(other)]).toEqual([[], [second]]);
    await world.pass(16);
    await world.pass(10);
    expect(ids(phone)).toEqual([id]);
    answer();
  });

  test("a device that is removed meanwhile, or whose person is deactivated, stays gone", async () => {
    const { alice, bob, carol, operator } = world;
    const [phone, other] = [await device(alice), await device(carol)];
    relay.tokens.clear();
    const { answer } = await sendHeld(async () => (await bob.tell([alice, carol], "x")) ?? 0);
    await alice.post("/remove_client_device", { device_id: phone.deviceId });
    await deactivateUser(operator, carol.id);
    answer();
    await world.pass(0);
    const { db, t } = world.app.engine.reader;
    expect([ids(phone), ids(other), await db.select().from(t.devices), await jobCount()]).toEqual([
      [],
      [],
      [],
      0,
    ]);
  });
});

test("Of an organization that is deactivated nothing is sent", async () => {
  const { alice, bob, operator } = world;
  const phone = await device(alice);
  await relay.stop();
  await bob.tell([alice], "x");
  await world.pass(0);
  await deactivateRealm(operator, {});
  relay.restart();
  await world.pass(10_000);
  expect(ids(phone)).toEqual([]);
});

async function membersGroup(): Promise<number> {
  const { body } = await world.olga.get("/user_groups");
  return body.user_groups.find(({ name }: { name: string }) => name === "role:members").id;
}

describe("Nobody is told", () => {
  test("who does not want to be told of mentions and messages to them", async () => {
    const { alice, bob } = world;
    const phone = await device(alice);
    await set(alice, {
      enable_offline_push_notifications: false,
      automatically_follow_topics_where_mentioned: false,
    });
    await bob.say("general", "t", "@**Alice**");
    await bob.tell([alice], "x");
    await world.pass(0);
    expect(ids(phone)).toEqual([]);
  });

  test("of wildcards who does not want it, in general or in a channel", async () => {
    const { alice, olga, channels } = world;
    const phone = await device(alice);
    await set(alice, { wildcard_mentions_notify: false });
    await olga.say("general", "t", "@**all**");
    await world.pass(0);
    const property = {
      stream_id: channels.general,
      property: "wildcard_mentions_notify",
      value: true,
    };
    await alice.post("/users/me/subscriptions/properties", { subscription_data: [property] });
    const id = await olga.say("general", "t", "@**all**");
    await world.pass(0);
    expect(ids(phone)).toEqual([id]);
  });

  test("who sits before a client, unless they want that too", async () => {
    const { alice, bob } = world;
    const phone = await device(alice);
    await alice.post("/users/me/presence", { status: "active" });
    await set(alice, { enable_online_push_notifications: false });
    await bob.tell([alice], "seen at once");
    await world.pass(0);
    expect(ids(phone)).toEqual([]);
    await world.pass(300);
    const later = await bob.tell([alice], "away");
    await world.pass(0);
    await alice.post("/users/me/presence", { status: "active" });
    await set(alice, { enable_online_push_notifications: true });
    const wanted = await bob.tell([alice], "there");
    await world.pass(0);
    expect(ids(phone)).toEqual([later, wanted]);
  });

  test("of what somebody writes whom they mute, of followed topics they do not want, and of channels they are not in", async () => {
    const { alice, bob, otto, channels } = world;
    const [phone, ottos] = [await device(alice), await device(otto)];
    await alice.post("/user_topics", {
      stream_id: channels.general,
      topic: "t",
      visibility_policy: 3,
    });
    await set(alice, { enable_followed_topic_push_notifications: false });
    await bob.say("general", "t", "followed");
    await world.pass(0);
    await alice.post(`/users/me/muted_users/${bob.id}`);
    await bob.tell([alice], "muted");
    await bob.say("general", "t", "@**Alice** @**Otto**");
    await world.pass(0);
    expect([ids(phone), ids(ottos)]).toEqual([[], []]);
  });

  test("and where nobody has a device, nothing is enqueued", async () => {
    const { alice, bob } = world;
    const before = await jobCount();
    await bob.tell([alice], "x");
    await bob.say("general", "t", "@**Alice**");
    expect(await jobCount()).toBe(before);
  });
});

describe("A notification disappears", () => {
  test("when its message is read or deleted, once; of others nothing is said", async () => {
    const { alice, bob } = world;
    const phone = await device(alice, "apns");
    const [read, gone, last] = [
      await bob.tell([alice], "1"),
      await bob.tell([alice], "2"),
      await bob.tell([alice], "3"),
    ];
    const plain = await bob.say("general", "t", "4");
    await world.pass(0);
    expect(ids(phone).sort()).toEqual([read, gone, last]);
    await markRead(alice, [read, plain]);
    await markRead(alice, [read]);
    await world.pass(0);
    expect(phone.received().at(-1)).toMatchObject({
      http_headers: { apns_priority: 5, apns_push_type: "background" },
    });
    await bob.delete(`/messages/${gone}`);
    await world.pass(0);
    await alice.post("/mark_all_as_read");
    await world.pass(0);
    expect(ids(phone).slice(3)).toEqual([
      ["remove", [read]],
      ["remove", [gone]],
      ["remove", [last]],
    ]);
    expect(phone.told().at(-1)).toMatchObject({ user_id: alice.id, realm_name: world.realm.name });
  });

  test("when its message is moved to where she may not read it, and stays where she may", async () => {
    const { alice, olga, carol } = world;
    const phone = await device(alice);
    const hidden = [{ name: "vault" }];
    await olga.post("/users/me/subscriptions", {
      subscriptions: hidden,
      invite_only: true,
      principals: [olga.id, carol.id],
    });
    const { body } = await olga.get("/get_stream_id", { stream: "vault" });
    const gone = await olga.say("general", "t", "@**Alice** 1");
    const kept = await olga.say("general", "u", "@**Alice** 2");
    await world.pass(0);
    await olga.patch(`/messages/${kept}`, { topic: "v" });
    expect((await olga.patch(`/messages/${gone}`, { stream_id: body.stream_id })).status).toBe(200);
    await world.pass(0);
    expect(ids(phone).filter(Array.isArray)).toEqual([["remove", [gone]]]);
  });

  test("also when its message was read while the relay was about to take it", async () => {
    const { alice, bob } = world;
    const phone = await device(alice);
    const { promise, resolve } = Promise.withResolvers<void>();
    relay.hold = promise;
    const before = relay.requests;
    const id = await bob.tell([alice], "x");
    await until(() => relay.requests > before);
    relay.hold = undefined;
    await markRead(alice, [id]);
    await until(() => relay.requests > before + 1);
    resolve();
    await world.pass(0);
    expect(ids(phone)).toEqual([["remove", [id]], id, ["remove", [id]]]);
  });

  test("and is not sent at all when it was read before it could be", async () => {
    const { alice, bob } = world;
    const phone = await device(alice);
    relay.health = "broken";
    const [first, second] = [await bob.tell([alice], "1"), await bob.tell([alice], "2")];
    await world.pass(0);
    await markRead(alice, [first]);
    relay.health = "well";
    await world.pass(10);
    await world.pass(30);
    expect(ids(phone)).toContain(second);
    expect(ids(phone)).not.toContain(first);
  });
});
