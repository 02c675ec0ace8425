import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { WireEvent } from "../support/client";
import { verify } from "../support/client-state/verify";
import { hear, listen, refusal } from "../support/listening";
import { makeWorld, type Person, type World } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

const mutedOnly = { event_types: ["muted_users", "update_message_flags"] };
const pathOf = ({ id }: { id: number }) => `/users/me/muted_users/${id}`;
const mute = (person: Person, other: { id: number }) => person.post(pathOf(other));
const unmute = (person: Person, other: { id: number }) => person.delete(pathOf(other));
const nobody = { id: 99_999_999 };

const flagsOf = async (person: Person, id: number): Promise<string[]> =>
  (await person.get(`/messages/${id}`)).body.message.flags;
const isRead = async (person: Person, id: number) => (await flagsOf(person, id)).includes("read");
const mutedBy = async (person: Person) =>
  (await person.register({ fetch_event_types: ["muted_users"] })).state.muted_users;
/** The ids of what register calls unread. */
async function unreadOf(person: Person): Promise<number[]> {
  const { state } = await person.register({
    fetch_event_types: ["message", "update_message_flags"],
  });
  const { streams, pms, huddles } = state.unread_msgs;
  const rows: { unread_message_ids: number[] }[] = [...streams, ...pms, ...huddles];
  return rows.flatMap(({ unread_message_ids }) => unread_message_ids).sort((a, b) => a - b);
}
const inShort = ({ type, muted_users, flag, op, messages }: WireEvent) =>
  type === "muted_users" ? muted_users.map(({ id }: { id: number }) => id) : [op, flag, messages];

describe("Alice mutes Bob", () => {
  test("and what he wrote counts as read, for her alone; her clients hear of it, nobody else's", async () => {
    const { alice, bob, carol, clock } = world;
    const [inGeneral, direct] = [
      await bob.say("general", "t", "1"),
      await bob.tell([alice, carol], "2"),
    ];
    const other = await carol.say("general", "t", "3");
    const queues = await listen({ alice, bob, carol }, mutedOnly);
    expect((await mute(alice, bob)).body).toEqual({ result: "success", msg: "" });
    expect(await hear(queues, inShort)).toEqual({
      alice: [[bob.id], ["add", "read", [inGeneral, direct]]],
      bob: [],
      carol: [],
    });
    expect(await mutedBy(alice)).toEqual([{ id: bob.id, timestamp: clock.now() }]);
    expect([await mutedBy(bob), await mutedBy(carol)]).toEqual([[], []]);
    expect(await unreadOf(alice)).toEqual([other]);
    expect(await unreadOf(carol)).toEqual([inGeneral, direct, other]);
  });

  test("and what he writes from then on is read from the start, in channels and to people", async () => {
    const { alice, bob, carol } = world;
    await mute(alice, bob);
    const queues = await listen({ alice, carol }, { event_types: ["message"] });
    const ids = [
      await bob.say("general", "t", "@**Alice**"),
      await bob.say("secret", "t", "2"),
      await bob.tell([alice], "3"),
      await bob.tell([alice, carol], "4"),
    ];
    const flags = ({ message, flags }: WireEvent) => [
      ids.indexOf(message.id),
      flags.includes("read"),
    ];
    const all = [0, 1, 2, 3].map((index) => [index, true]);
    expect(await hear(queues, flags)).toEqual({
      alice: all,
      carol: [
        [0, false],
        [3, false],
      ],
    });
    for (const id of ids) expect(await isRead(alice, id)).toBe(true);
    expect(await unreadOf(alice)).toEqual([]);
    expect(await unreadOf(carol)).toEqual([ids[0] ?? 0, ids[3] ?? 0]);
    const late = await alice.register({ event_types: ["message"] });
    await bob.say("general", "t", "5");
    await world.restart();
    expect((await late.events()).map(({ flags: own }) => own)).toEqual([["read"]]);
    expect((await mute(carol, bob)).status).toBe(200);
    expect(await isRead(carol, await bob.say("general", "t", "6"))).toBe(true);
  });

  test("and no longer: what was read stays so, what comes is unread", async () => {
    const { alice, bob } = world;
    const before = await bob.say("general", "t", "1");
    await mute(alice, bob);
    const meanwhile = await bob.tell([alice], "2");
    const queues = await listen({ alice, bob }, mutedOnly);
    expect((await unmute(alice, bob)).body).toEqual({ result: "success", msg: "" });
    expect(await hear(queues, inShort)).toEqual({ alice: [[]], bob: [] });
    const after = await bob.say("general", "t", "3");
    expect(await unreadOf(alice)).toEqual([after]);
    for (const id of [before, meanwhile]) expect(await isRead(alice, id)).toBe(true);
    expect(await mutedBy(alice)).toEqual([]);
  });

  test("and hears nothing of his messages that she may not read any more", async () => {
    const { alice, bob, olga } = world;
    const given = { name: "soup", subscribers: [olga.id, bob.id] };
    const soup: number = (await olga.post("/channels/create", given)).body.id;
    const older = await bob.say("soup", "t", "1");
    const subscriptions = [{ name: "soup" }];
    expect((await alice.post("/users/me/subscriptions", { subscriptions })).status).toBe(200);
    const marked = { messages: [older], op: "remove", flag: "read" };
    expect((await alice.post("/messages/flags", marked)).status).toBe(200);
    const later = await bob.say("soup", "t", "2");
    const guarded = { is_private: true, history_public_to_subscribers: false };
    expect((await olga.patch(`/streams/${soup}`, guarded)).status).toBe(200);
    const queues = await listen({ alice }, mutedOnly);
    await mute(alice, bob);
    expect(await hear(queues, inShort)).toEqual({ alice: [[bob.id], ["add", "read", [later]]] });
  });

  test("while many of his messages are unread: all of them are read afterwards", async () => {
    const { alice, bob, carol } = world;
    for (let count = 1; count <= 30; count++)
      await (count % 3 ? bob : carol).say("general", `topic ${count % 4}`, "x");
    const before = await unreadOf(alice);
    await mute(alice, bob);
    const after = await unreadOf(alice);
    expect([before.length, after.length]).toEqual([30, 10]);
    for (const id of before) expect(await isRead(alice, id)).toBe(!after.includes(id));
  });

  test("and marks one of his messages as unread herself", async () => {
    const { alice, bob } = world;
    await mute(alice, bob);
    const id = await bob.say("general", "t", "1");
    await alice.post("/messages/flags", { messages: [id], op: "remove", flag: "read" });
    expect(await unreadOf(alice)).toEqual([id]);
  });

  test("and the state at register and the events give the state afterwards", async () => {
    const { alice, bob, carol, robot } = world;
    await bob.say("general", "t", "before");
    const counts = await verify(world, async () => {
      await mute(alice, bob);
      await bob.say("general", "t", "while muted");
      await bob.tell([alice, carol], "to both");
      await mute(alice, robot);
      await unmute(alice, bob);
      await bob.say("general", "t", "afterwards");
    });
    expect(counts).toMatchObject({ alice: 7, bob: 3, carol: 3, greta: 0 });
  });
});

describe("Muting", () => {
  test("bots and guests is possible, oneself is not", async () => {
    const { alice, robot, greta } = world;
    for (const other of [robot, greta]) expect((await mute(alice, other)).status).toBe(200);
    const queue = await alice.register(mutedOnly);
    expect(refusal(await mute(alice, alice))).toBe("400 BAD_REQUEST");
    expect(refusal(await mute(alice, robot))).toBe("400 BAD_REQUEST");
    expect(refusal(await unmute(alice, world.bob))).toBe("400 BAD_REQUEST");
    expect(await queue.events()).toEqual([]);
    expect((await mutedBy(alice)).map(({ id }: { id: number }) => id)).toEqual([
      greta.id,
      robot.id,
    ]);
  });

  test("A17, E4: who is deactivated, a stranger or nobody is refused alike; who is muted already can be let go", async () => {
    const { olga, alice, bob, carol, zoe } = world;
    await mute(alice, carol);
    for (const person of [bob, carol]) await olga.delete(`/users/${person.id}`);
    const queue = await alice.register(mutedOnly);
    const missing = await mute(alice, nobody);
    expect(refusal(missing)).toBe("400 BAD_REQUEST");
    for (const person of [bob, zoe]) expect((await mute(alice, person)).body).toEqual(missing.body);
    expect((await unmute(alice, zoe)).body).toEqual((await unmute(alice, nobody)).body);
    expect(await queue.events()).toEqual([]);
    expect((await unmute(alice, carol)).status).toBe(200);
    const { body } = await alice.get("/users");
    const bot = (await alice.register()).state.cross_realm_bots[0];
    expect(body.result).toBe("success");
    expect((await mute(alice, { id: bot.user_id })).body).toEqual(missing.body);
  });

  test("K1: a guest cannot find out by it whom they do not see", async () => {
    const { olga, bob, greta } = world;
    const { body } = await olga.get("/user_groups");
    const { id } = body.user_groups.find(({ name }: { name: string }) => name === "role:members");
    await olga.patch("/realm", { can_access_all_users_group: { new: id } });
    expect((await mute(greta, bob)).body).toEqual((await mute(greta, nobody)).body);
    expect((await unmute(greta, bob)).body).toEqual((await unmute(greta, nobody)).body);
  });
});
