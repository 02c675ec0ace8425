import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Queue, WireEvent } from "../support/client";
import { makeWorld, type Person, type World, worldHost } from "../support/world";

/** Rights to read somebody's e-mail address. Alice decides about hers. */
let world: World;
let placeholder: string;

beforeEach(async () => {
  world = await makeWorld();
  placeholder = `user${world.alice.id}@${worldHost}`;
});
afterEach(() => world.close());

/** The protocol's numbers for who may read an address. */
const visibility = { everyone: 1, members: 2, administrators: 3, nobody: 4, moderators: 5 };

const show = (to: keyof typeof visibility, person = world.alice) =>
  person.patch("/settings", { email_address_visibility: visibility[to] });

const real = "alice@example.com";
const peopleOnly = { event_types: ["realm_user"] };

const hashOf = (email: string) => Bun.MD5.hash(email, "hex");

/** Events of users as `delivery_email alice@example.com`. */
const told = async (queue: Queue) =>
  (await queue.events()).map(
    ({ person: { user_id: _, ...changed } }: WireEvent) =>
      Object.entries(changed).map(([name, value]) =>
        name.startsWith("avatar") ? name : `${name} ${value}`,
      )[0],
  );

const loss = () => ["delivery_email null", `new_email ${placeholder}`, "avatar_url"];
const gain = (email = real) => [`delivery_email ${email}`, `new_email ${email}`, "avatar_url"];

describe("Alice's address", () => {
  test("K3: is shown to those whom she lets read it, and to herself", async () => {
    const { olga, adam, mona, bob, greta, alice, robot } = world;
    const readers: Record<keyof typeof visibility, Person[]> = {
      everyone: [olga, adam, mona, bob, robot, greta, alice],
      members: [olga, adam, mona, bob, robot, alice],
      moderators: [olga, adam, mona, alice],
      administrators: [olga, adam, alice],
      nobody: [alice],
    };
    for (const [name, allowed] of Object.entries(readers)) {
      expect((await show(name as keyof typeof visibility)).status).toBe(200);
      for (const person of readers.everyone) {
        const { user } = (await person.get(`/users/${alice.id}`, { client_gravatar: false })).body;
        const mayRead = allowed.includes(person);
        const email = mayRead ? real : placeholder;
        const seen = { delivery_email: mayRead ? real : null, email };
        expect([name, person.fullName, user]).toMatchObject([name, person.fullName, seen]);
        expect(user.avatar_url).toContain(hashOf(email));
        const { members } = (await person.get("/users", { user_ids: [alice.id] })).body;
        expect(members[0]).toMatchObject({ ...seen, avatar_url: mayRead ? null : user.avatar_url });
        const { state } = await person.register({ fetch_event_types: ["realm_user"] });
        const row = state.realm_users.find(
          ({ user_id }: { user_id: number }) => user_id === alice.id,
        );
        expect(row).toMatchObject({ ...seen, avatar_url: members[0].avatar_url });
      }
      expect((await alice.get("/users/me")).body).toMatchObject({
        email: real,
        delivery_email: real,
      });
    }
  });

  test("K3: changes for those whom that concerns, and for nobody else", async () => {
    const { olga, adam, mona, bob, greta, alice, zoe } = world;
    const queues = await Promise.all(
      [olga, adam, mona, bob, greta, alice].map((one) => one.register(peopleOnly)),
    );
    const stranger = await zoe.register(peopleOnly);
    const hear = async () => Promise.all(queues.map(told));
    const nothing: string[] = [];
    await show("administrators");
    expect(await hear()).toEqual([nothing, nothing, loss(), loss(), loss(), nothing]);
    await show("moderators");
    expect(await hear()).toEqual([nothing, nothing, gain(), nothing, nothing, nothing]);
    await show("nobody");
    expect(await hear()).toEqual([loss(), loss(), loss(), nothing, nothing, nothing]);
    await show("members");
    expect(await hear()).toEqual([gain(), gain(), gain(), gain(), nothing, nothing]);
    await show("everyone");
    expect(await hear()).toEqual([nothing, nothing, nothing, nothing, gain(), nothing]);
    expect(await stranger.events()).toEqual([]);
  });

  test("K3: finds her only for those who may read it; the placeholder finds her for all", async () => {
    const { adam, bob } = world;
    await show("administrators");
    const ways = (person: Person, email: string) => [
      person.get(`/users/${email}`),
      person.post("/messages", { type: "direct", to: [email], content: "hi" }),
      person.get("/messages", {
        anchor: "newest",
        num_before: 1,
        num_after: 0,
        narrow: [["sender", email]],
      }),
      person.get("/messages", {
        anchor: "newest",
        num_before: 1,
        num_after: 0,
        narrow: [["dm", email]],
      }),
      person.post("/users/me/subscriptions", {
        subscriptions: [{ name: "general" }],
        principals: [email],
      }),
    ];
    const outcomes = async (person: Person, email: string) =>
      (await Promise.all(ways(person, email))).map(({ status, body }) => [
        status,
        body.msg.replaceAll(email, "#"),
      ]);
    const unknown = await outcomes(bob, "nobody@example.com");
    expect(unknown.map(([status]) => status)).toEqual([400, 400, 400, 400, 400]);
    expect(await outcomes(bob, real)).toEqual(unknown);
    for (const [person, email] of [
      [adam, real],
      [bob, placeholder],
    ] as const) {
      expect((await outcomes(person, email)).map(([status]) => status)).toEqual([
        200, 200, 200, 200, 200,
      ]);
    }
  });

  test("is shown with her messages as each reader may read it, live, later and read", async () => {
    const { adam, bob, alice } = world;
    await show("administrators");
    const queues = [
      await adam.register({ event_types: ["message"] }),
      await bob.register({ event_types: ["message"] }),
    ];
    const later = [
      await adam.register({ event_types: ["message"] }),
      await bob.register({ event_types: ["message"] }),
    ];
    const ids = [
      await alice.say("general", "hello", "all"),
      await alice.tell([bob, adam], "you two"),
    ];
    const addresses = ({ sender_email, display_recipient, avatar_url }: WireEvent) => [
      sender_email,
      Array.isArray(display_recipient)
        ? display_recipient.find(({ id }) => id === alice.id).email
        : sender_email,
      avatar_url === null ? "gravatar" : avatar_url.includes(hashOf(placeholder)),
    ];
    const [seen, hidden] = [
      Array(2).fill([real, real, "gravatar"]),
      Array(2).fill([placeholder, placeholder, true]),
    ];
    const heard = async (queue: Queue) =>
      (await queue.events()).map(({ message }) => addresses(message));
    expect([await heard(queues[0] as Queue), await heard(queues[1] as Queue)]).toEqual([
      seen,
      hidden,
    ]);
    await world.restart();
    expect([await heard(later[0] as Queue), await heard(later[1] as Queue)]).toEqual([
      seen,
      hidden,
    ]);
    for (const [person, expected] of [
      [adam, seen],
      [bob, hidden],
    ] as const) {
      const { messages } = (await person.get("/messages", { message_ids: ids })).body;
      expect(messages.map(addresses)).toEqual(expected);
    }
  });

  test("K3: once hidden does not come with what was sent before, nor match a queue's narrow", async () => {
    const { bob, alice } = world;
    const queue = await bob.register({ event_types: ["message"] });
    const narrowed = await bob.register({ event_types: ["message"], narrow: [["sender", real]] });
    await alice.say("general", "hello", "all");
    await show("nobody");
    expect((await queue.events())[0].message.sender_email).toBe(placeholder);
    await alice.say("general", "hello", "again");
    expect(await narrowed.events()).toEqual([]);
  });

  test("K3: is in no reaction and no typing that others get", async () => {
    const { bob, alice, channels } = world;
    const id = await bob.say("general", "hello", "all");
    await show("administrators");
    const queue = await bob.register({ event_types: ["reaction", "typing", "realm_user"] });
    await alice.post(`/messages/${id}/reactions`, { emoji_name: "wave" });
    await alice.post("/typing", { op: "start", to: [bob.id] });
    await alice.post("/typing", {
      op: "start",
      type: "stream",
      stream_id: channels.general,
      topic: "x",
    });
    await alice.patch("/settings", { timezone: "Europe/Berlin" });
    const events = await queue.events();
    expect(events).toHaveLength(4);
    expect(JSON.stringify(events)).not.toContain(real);
    expect(JSON.stringify(events)).toContain(placeholder);
  });

  test("signs her in as before, as the placeholder does", async () => {
    const { alice } = world;
    await show("nobody");
    expect((await alice.get("/users/me")).status).toBe(200);
  });
});

describe("Somebody's role", () => {
  test("decides whose addresses they may read: they are told what changes with it", async () => {
    const { adam, bob } = world;
    await show("administrators");
    await show("members", world.carol);
    const [bobs, others] = [await bob.register(peopleOnly), await world.otto.register(peopleOnly)];
    const role = (number: number) => adam.patch(`/users/${bob.id}`, { role: number });
    await role(200);
    expect(await told(bobs)).toEqual(["role 200", ...gain()]);
    await role(600);
    const carols = [
      `delivery_email null`,
      `new_email user${world.carol.id}@${worldHost}`,
      "avatar_url",
    ];
    expect(await told(bobs)).toEqual(["role 600", ...loss(), ...carols]);
    expect(await told(others)).toEqual(["role 200", "role 600"]);
  });
});

describe("Another address", () => {
  const other = "alice@new.example.com";

  test("is given by an owner and told to those who may read it", async () => {
    const { olga, adam, bob, alice } = world;
    await show("administrators");
    const queues = [await adam.register(peopleOnly), await bob.register(peopleOnly)];
    expect((await olga.patch(`/users/${alice.id}`, { new_email: other })).status).toBe(200);
    expect((await olga.patch(`/users/${alice.id}`, { new_email: other })).status).toBe(200);
    expect(await Promise.all(queues.map(told))).toEqual([gain(other), []]);
    expect((await adam.get(`/users/${other}`)).body.user.user_id).toBe(alice.id);
    expect((await alice.get("/users/me")).status).toBe(401);
    const { apiKey = "" } = alice.credentials ?? {};
    const authorization = `Basic ${Buffer.from(`${other}:${apiKey}`).toString("base64")}`;
    const signedIn = await world.anonymous.ask(
      "GET",
      "/users/me",
      {},
      { headers: { authorization } },
    );
    expect(signedIn.body.delivery_email).toBe(other);
  });

  test("is refused when it is taken or none, and to all but owners", async () => {
    const { olga, adam, mona, alice, bob, robot } = world;
    const queue = await adam.register(peopleOnly);
    const give = (by: Person, email: string, to = alice) =>
      by.patch(`/users/${to.id}`, { new_email: email });
    for (const email of [
      "bob@example.com",
      "BOB@example.com",
      "not-an-email",
      `user7@${worldHost}`,
      "",
    ]) {
      expect([email, (await give(olga, email)).body.code]).toEqual([email, "BAD_REQUEST"]);
    }
    expect((await give(olga, other, robot)).body.code).toBe("BAD_REQUEST");
    expect((await give(adam, other)).body.code).toBe("UNAUTHORIZED_PRINCIPAL");
    for (const person of [mona, alice, bob])
      expect((await give(person, other)).body.code).toBe("BAD_REQUEST");
    expect(await queue.events()).toEqual([]);
    expect((await bob.get(`/users/${alice.id}`)).body.user.email).toBe(real);
  });
});
