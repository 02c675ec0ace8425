import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Engine } from "../../db/engine";
import type { Person as Account, Context } from "../../src/core/context";
import { write } from "../../src/core/write";
import { updateRealmSettingsIn } from "../../src/management/organization/change-settings";
import { findUser } from "../../src/people/users/queries";
import { register } from "../../src/register/register";
import { listApiKeys } from "../../src/sign-in/api-keys";
import type { Queue, WireEvent } from "../support/client";
import { startPoll } from "../support/polls";
import { makeWorld, type Person, type World, worldHost } from "../support/world";

/** Greta is a guest. In `crew`, which is public, there are alice and she. */
let world: World;
let crew: number;

beforeEach(async () => {
  world = await makeWorld();
  await subscribe(world.alice, "crew", [world.alice, world.greta]);
  crew = (await world.alice.get("/get_stream_id", { stream: "crew" })).body.stream_id;
});
afterEach(() => world.close());

const subscribe = (by: Person, name: string, people: Person[]) =>
  by.post("/users/me/subscriptions", {
    subscriptions: [{ name }],
    principals: people.map(({ id }) => id),
  });

const remove = (by: Person, name: string, people: Person[]) =>
  by.delete("/users/me/subscriptions", {
    subscriptions: [name],
    principals: people.map(({ id }) => id),
  });

const setSight = (group: string) =>
  write(world.operator, (tx) =>
    updateRealmSettingsIn(tx, world.operator, { can_access_all_users_group: group }),
  );

const limitGuests = () => setSight("role:members");

const complete = {
  client_capabilities: {
    notification_settings_null: true,
    bulk_message_deletion: true,
    empty_topic_name: true,
    stream_typing_notifications: true,
    user_list_incomplete: true,
    user_settings_object: true,
  },
};
const peopleOnly = { ...complete, event_types: ["realm_user"] };

const namesOf = (users: { full_name: string }[]) => users.map(({ full_name }) => full_name);
const seenBy = async (person: Person) => namesOf((await person.get("/users")).body.members);
const everybody = ["Olga", "Adam", "Mona", "Alice", "Bob", "Carol", "Otto", "Greta", "Robot"];

/** Events of users as `add Alice` or `update 5 full_name`. */
async function moves(queue: Queue): Promise<string[]> {
  const words = ({ op, person }: WireEvent) => {
    const { user_id, full_name, ...changed } = person;
    if (op === "add") return `add ${full_name}`;
    return op === "remove"
      ? `remove ${user_id}`
      : `update ${user_id} ${Object.keys(changed)[0] ?? full_name}`;
  };
  return (await queue.events()).filter(({ type }) => type === "realm_user").map(words);
}

describe("A guest who does not see everybody", () => {
  test("K1: sees themself, those with whom they share a channel or a conversation, and bots", async () => {
    const { bob, greta, alice, robot } = world;
    expect(await seenBy(greta)).toEqual(everybody);
    await bob.tell([greta], "hello");
    await limitGuests();
    expect(await seenBy(greta)).toEqual(["Alice", "Bob", "Greta", "Robot"]);
    for (const person of [alice, robot]) expect(await seenBy(person)).toEqual(everybody);
    const { body } = await greta.get("/users", { user_ids: [world.carol.id, alice.id] });
    expect(namesOf(body.members)).toEqual(["Alice"]);
    await setSight("role:everyone");
    expect(await seenBy(greta)).toEqual(everybody);
  });

  test("K1, A17: cannot tell who is hidden from who does not exist, by any route", async () => {
    const { greta, carol, zoe } = world;
    await limitGuests();
    const outcomes = async (id: number, email: string, placeholder: string) => {
      const dm = (to: unknown) => greta.post("/messages", { type: "direct", to, content: "?" });
      const narrowed = (operator: string, operand: unknown) =>
        greta.get("/messages", {
          anchor: "newest",
          num_before: 1,
          num_after: 0,
          narrow: [{ operator, operand }],
        });
      const answers = [
        await greta.get(`/users/${id}`),
        await greta.get(`/users/${email}`),
        await greta.get(`/users/${placeholder}`),
        await greta.get(`/users/${id}/channels`),
        await greta.get(`/users/${id}/subscriptions/${crew}`),
        await greta.patch(`/users/${id}`, { full_name: "X" }),
        await greta.delete(`/users/${id}`),
        await greta.post(`/users/${id}/reactivate`),
        await dm([id]),
        await dm([email]),
        await dm(placeholder),
        await greta.post("/typing", { op: "start", to: [id] }),
        await narrowed("sender", id),
        await narrowed("sender", email),
        await narrowed("dm", [id]),
      ];
      const plain = (text: string) =>
        [placeholder, email, `${id}`].reduce((shown, name) => shown.replaceAll(name, "#"), text);
      return answers.map(({ status, body }) => [status, body.code, plain(body.msg)]);
    };
    const missing = await outcomes(999_999, "nobody@example.com", `user999999@${worldHost}`);
    expect(missing.every(([status]) => status === 400)).toBe(true);
    expect(await outcomes(carol.id, carol.email, `user${carol.id}@${worldHost}`)).toEqual(missing);
    expect(await outcomes(zoe.id, zoe.email, "user1@other.example.com")).toEqual(missing);
  });

  test("finds the others in no list of a register; older clients get entries that tell nothing", async () => {
    const { greta, carol, alice } = world;
    await limitGuests();
    const { state } = await greta.register(complete);
    expect(namesOf(state.realm_users).sort()).toEqual(["Alice", "Greta", "Robot"]);
    expect(namesOf(state.cross_realm_bots)).toContain("Notification Bot");
    const older = (await greta.register()).state;
    expect(older.realm_users).toHaveLength(everybody.length);
    const unknown = older.realm_users.find(
      ({ user_id }: { user_id: number }) => user_id === carol.id,
    );
    expect(unknown).toMatchObject({
      full_name: "Unknown user",
      email: `user${carol.id}@${worldHost}`,
      delivery_email: null,
      role: 400,
      is_active: true,
      is_bot: false,
      profile_data: {},
    });
    expect(unknown.avatar_url).not.toContain(Bun.MD5.hash("carol@example.com", "hex"));
    expect(namesOf((await alice.register(complete)).state.realm_users)).toHaveLength(
      everybody.length,
    );
  });
});

describe("What somebody hidden does where a guest is", () => {
  const heard = async (queue: Queue, type: string) =>
    (await queue.events()).filter((event) => event.type === type);

  test("K1: a message shows neither name nor address, live, later and read", async () => {
    const { alice, greta, carol } = world;
    await limitGuests();
    const types = { event_types: ["message"] };
    const [hers, late, others] = [
      await greta.register(types),
      await greta.register(types),
      await alice.register(types),
    ];
    const id = await carol.say("crew", "hello", "who am I?");
    const hidden = {
      sender_id: carol.id,
      sender_full_name: "Unknown user",
      sender_email: `user${carol.id}@${worldHost}`,
      avatar_url: expect.stringContaining("/generated/"),
    };
    const shown = {
      sender_full_name: "Carol",
      sender_email: "carol@example.com",
      avatar_url: null,
    };
    expect((await heard(hers, "message"))[0].message).toMatchObject(hidden);
    expect((await heard(others, "message"))[0].message).toMatchObject(shown);
    await world.restart();
    expect((await heard(late, "message"))[0].message).toMatchObject(hidden);
    expect((await greta.get(`/messages/${id}`)).body.message).toMatchObject(hidden);
    expect((await alice.get(`/messages/${id}`)).body.message).toMatchObject(shown);
    await subscribe(alice, "crew", [carol]);
    expect((await greta.get(`/messages/${id}`)).body.message).toMatchObject(shown);
  });

  test("everybody in a conversation of theirs is there by name, whoever wrote, later and read", async () => {
    const { alice, bob, greta } = world;
    await limitGuests();
    const queue = await greta.register({ event_types: ["message"] });
    const id = await alice.tell([bob, greta], "hello");
    await alice.tell([greta], "and you alone");
    await world.restart();
    const people = ({ display_recipient }: WireEvent) => namesOf(display_recipient);
    const late = await heard(queue, "message");
    expect(late.map(({ message }) => people(message))).toEqual([
      ["Alice", "Bob", "Greta"],
      ["Alice", "Greta"],
    ]);
    expect(people((await greta.get(`/messages/${id}`)).body.message)).toEqual([
      "Alice",
      "Bob",
      "Greta",
    ]);
  });

  test("K1: a reaction is nobody's by name, and typing is not told", async () => {
    const { alice, greta, carol } = world;
    const id = await alice.say("crew", "hello", "all");
    await limitGuests();
    const types = { ...complete, event_types: ["reaction", "typing"] };
    const [hers, others] = [await greta.register(types), await alice.register(types)];
    for (const typist of [carol, alice]) {
      await typist.post("/typing", {
        op: "start",
        type: "stream",
        stream_id: crew,
        topic: "hello",
      });
    }
    await carol.post("/typing", { op: "start", to: [greta.id] });
    await carol.post(`/messages/${id}/reactions`, { emoji_name: "wave" });
    await carol.delete(`/messages/${id}/reactions`, { emoji_name: "wave" });
    const unknown = {
      user_id: carol.id,
      email: `user${carol.id}@${worldHost}`,
      full_name: "Unknown user",
    };
    const events = await hers.events();
    expect(events.flatMap(({ sender }) => sender ?? [])).toEqual([
      { user_id: alice.id, email: alice.email },
    ]);
    expect(events.flatMap(({ user }) => user ?? [])).toEqual([unknown, unknown]);
    const carols = { user_id: carol.id, email: carol.email, full_name: "Carol" };
    expect((await others.events()).flatMap(({ user }) => user ?? [])).toEqual([carols, carols]);
  });

  test("changes of their account are told to those who see them", async () => {
    const { adam, greta, carol, alice } = world;
    await limitGuests();
    const [hers, others] = [await greta.register(peopleOnly), await alice.register(peopleOnly)];
    for (const person of [carol, alice]) {
      await adam.patch(`/users/${person.id}`, { full_name: `${person.fullName}a`, role: 300 });
    }
    await adam.delete(`/users/${carol.id}`);
    await adam.post(`/users/${carol.id}/reactivate`);
    expect(await moves(hers)).toEqual([`update ${alice.id} role`, `update ${alice.id} Alicea`]);
    expect(await moves(others)).toHaveLength(6);
  });
});

describe("A guest comes to see somebody", () => {
  test("K4: when one of them is subscribed where the other is, before anything else is told of it", async () => {
    const { alice, bob, greta, carol, zoe } = world;
    await limitGuests();
    const queue = await greta.register(complete);
    const [others, strangers] = [await bob.register(peopleOnly), await zoe.register(peopleOnly)];
    await subscribe(alice, "crew", [carol, bob]);
    const events = await queue.events();
    expect(events.map(({ type, op }) => `${type} ${op}`)).toEqual([
      "realm_user add",
      "realm_user add",
      "subscription peer_add",
    ]);
    const { user } = (await greta.get(`/users/${bob.id}`, { client_gravatar: false })).body;
    expect(events[0].person).toEqual({ ...user, profile_data: {} });
    await subscribe(alice, "general", [greta]);
    expect(await moves(queue)).toEqual(["add Olga", "add Adam", "add Mona"]);
    await subscribe(alice, "crew", [world.mona]);
    expect([await moves(queue), await moves(others), await moves(strangers)]).toEqual([[], [], []]);
  });

  test("with the first direct message between them, and not with the second", async () => {
    const { bob, carol, greta } = world;
    await limitGuests();
    const queue = await greta.register(complete);
    await bob.tell([greta, carol], "hello, both");
    await bob.tell([greta, carol], "and again");
    const events = await queue.events();
    expect(events.map(({ type, person }) => person?.full_name ?? type)).toEqual([
      "Bob",
      "Carol",
      "message",
      "message",
    ]);
    expect(events[2].message.sender_full_name).toBe("Bob");
    expect(
      (await greta.post("/messages", { type: "direct", to: [carol.id], content: "hi" })).status,
    ).toBe(200);
  });

  test("when somebody new is in their channel from the start: once", async () => {
    const { olga, alice, greta, operator } = world;
    await write(operator, (tx) =>
      updateRealmSettingsIn(tx, operator, { can_access_all_users_group: "role:members" }),
    );
    const newcomer = {
      email: "nina@example.com",
      full_name: "Nina",
      password: "correct-horse-battery",
    };
    const [hers, others] = [await greta.register(peopleOnly), await alice.register(peopleOnly)];
    await olga.post("/users", { ...newcomer, email: "nora@example.com", full_name: "Nora" });
    expect([await moves(hers), await moves(others)]).toEqual([[], ["add Nora"]]);
    await olga.post("/users/me/subscriptions", {
      subscriptions: [{ name: "lobby" }],
      is_default_stream: true,
    });
    await subscribe(olga, "lobby", [greta]);
    expect(await moves(hers)).toEqual(["add Olga"]);
    await olga.post("/users", newcomer);
    expect([await moves(hers), await moves(others)]).toEqual([["add Nina"], ["add Nina"]]);
  });
});

describe("A guest does not see somebody any more", () => {
  test("K4: at once when they are taken out of the last channel that they share", async () => {
    const { alice, bob, greta } = world;
    await subscribe(alice, "crew", [bob]);
    await bob.tell([greta], "hello");
    await limitGuests();
    const queue = await greta.register({ ...complete, event_types: ["realm_user", "message"] });
    const others = await bob.register(peopleOnly);
    const id = await alice.say("crew", "hello", "all");
    await queue.events();
    const { answer } = await startPoll(world, queue);
    await remove(alice, "crew", [greta]);
    const [event, ...more] = (await answer).body.events;
    expect(event).toMatchObject({
      type: "realm_user",
      op: "remove",
      person: { user_id: alice.id },
    });
    expect(more).toEqual([]);
    expect(await seenBy(greta)).toEqual(["Bob", "Greta", "Robot"]);
    expect((await greta.get(`/users/${alice.id}`)).body.msg).toBe("No such user");
    expect((await greta.get(`/messages/${id}`)).status).toBe(400);
    expect(await moves(others)).toEqual([]);
  });

  test("K4: nor does it show in what was sent before and comes later", async () => {
    const { alice, carol, greta } = world;
    await subscribe(alice, "crew", [carol]);
    await limitGuests();
    const queue = await greta.register({ ...complete, event_types: ["message", "realm_user"] });
    await carol.say("crew", "hello", "all");
    await remove(carol, "crew", [carol]);
    const [message, gone] = await queue.events();
    expect(message.message.sender_full_name).toBe("Unknown user");
    expect(gone).toMatchObject({ op: "remove", person: { user_id: carol.id } });
  });

  test("C10: a member who becomes a guest loses sight of the others, and wins it back", async () => {
    const { adam, carol, alice } = world;
    await remove(alice, "general", [alice]);
    await limitGuests();
    const queue = await carol.register(peopleOnly);
    await adam.patch(`/users/${carol.id}`, { role: 600 });
    const ids = [alice, world.otto, world.greta].map(({ id }) => `remove ${id}`);
    expect((await moves(queue)).filter((move) => !move.startsWith("update"))).toEqual(ids);
    expect(await seenBy(carol)).toEqual(["Olga", "Adam", "Mona", "Bob", "Carol", "Robot"]);
    await adam.patch(`/users/${carol.id}`, { role: 400 });
    expect(await moves(queue)).toEqual([
      `update ${carol.id} role`,
      "add Alice",
      "add Otto",
      "add Greta",
    ]);
  });

  test("when the organization decides so: the queues of guests end, and their clients begin anew", async () => {
    const { greta, alice } = world;
    const [hers, others] = [
      await greta.register(),
      await alice.register({ event_types: ["realm"] }),
    ];
    const { answer } = await startPoll(world, hers);
    await limitGuests();
    expect((await answer).body.code).toBe("BAD_EVENT_QUEUE_ID");
    expect((await others.events())[0].data).toHaveProperty("can_access_all_users_group");
    expect(namesOf((await greta.register(complete)).state.realm_users).sort()).toEqual([
      "Alice",
      "Greta",
      "Robot",
    ]);
  });
});

test("a register during which the queues of guests end shows what holds after it", async () => {
  const { greta, operator } = world;
  const [user, [key]] = [
    await findUser(operator.reader, operator.realm.id, greta.id),
    await listApiKeys(operator, greta.id),
  ];
  if (!user || !key) throw new Error("greta has no key");
  let snapshots = 0;
  const engine: Engine = {
    ...operator.app.engine,
    async snapshot(run) {
      const state = await operator.app.engine.snapshot(run);
      if (++snapshots === 1) await limitGuests();
      return state;
    },
  };
  const app = { ...operator.app, engine };
  const ctx: Context<Account> = {
    ...operator,
    app,
    actor: { kind: "user", user, apiKeyId: key.id },
  };
  const input = { clientCapabilities: complete.client_capabilities, eventTypes: ["realm_user"] };
  const { pieces } = await register(ctx, input, { expect: () => undefined });
  const state = JSON.parse(`{${pieces.join("")}}`);
  expect(namesOf(state.realm_users).sort()).toEqual(["Alice", "Greta", "Robot"]);
  const poll = { queue_id: state.queue_id, last_event_id: -1, dont_block: true };
  expect((await greta.get("/events", poll)).body).toMatchObject({ result: "success", events: [] });
});

test("K2: a guest lists no channel but their own, and knows of no other who is in it", async () => {
  const { greta, channels } = world;
  const names = (await greta.get("/streams")).body.streams.map(
    ({ name }: { name: string }) => name,
  );
  expect(names).toEqual(["crew"]);
  const { subscriptions, unsubscribed, never_subscribed } = (
    await greta.register({ include_subscribers: true })
  ).state;
  expect([subscriptions.length, unsubscribed.length, never_subscribed.length]).toEqual([1, 0, 0]);
  expect((await greta.get(`/streams/${channels.general}/members`)).status).toBe(400);
});
