import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { write } from "../../src/core/write";
import { createGroupIn } from "../../src/management/groups/create";
import { updateRealmSettingsIn } from "../../src/management/organization/change-settings";
import type { Answer, Queue, WireEvent } from "../support/client";
import { groupMoves, shapesOf } from "../support/groups";
import { startPoll } from "../support/polls";
import { makeWorld, type Person, type World } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

const outcome = ({ status, body }: Answer) => (status === 200 ? 200 : `${status} ${body.code}`);
const roleOf = async (id: number) => (await world.olga.get(`/users/${id}`)).body.user.role;

const persons = async (queue: Queue) =>
  (await queue.events())
    .filter(({ type }) => type === "realm_user")
    .map(({ person }: WireEvent) => person);

const patch = (by: Person, target: { id: number | string }, change: object) =>
  by.patch(`/users/${target.id}`, change as Record<string, unknown>);

describe("Administrators change accounts", () => {
  test("name and role at once, by id or address, and everybody hears of it", async () => {
    const { adam, bob, greta, zoe } = world;
    const [queue, foreign] = [await greta.register(), await zoe.register()];
    expect(outcome(await patch(adam, bob, { full_name: " Bobby ", role: 300 }))).toBe(200);
    expect(await persons(queue)).toEqual([
      { user_id: bob.id, role: 300 },
      { user_id: bob.id, full_name: "Bobby" },
    ]);
    expect((await bob.get("/users/me")).body).toMatchObject({ full_name: "Bobby", role: 300 });
    expect(
      outcome(
        await patch(adam, { id: "BOB@example.com" }, { full_name: "Robert", profile_data: [] }),
      ),
    ).toBe(200);
    for (const same of [{ full_name: "Robert" }, { full_name: " " }, { role: 300 }, {}]) {
      expect(outcome(await patch(adam, bob, same))).toBe(200);
    }
    expect(await persons(queue)).toEqual([{ user_id: bob.id, full_name: "Robert" }]);
    expect(await foreign.events()).toEqual([]);
  });

  test("all of it or nothing", async () => {
    const { adam, bob, alice } = world;
    const queue = await alice.register({ event_types: ["realm_user"] });
    for (const wrong of [
      { full_name: "bad*name" },
      { full_name: "w".repeat(101) },
      { role: 123 },
      { role: "x" },
    ]) {
      expect(outcome(await patch(adam, bob, { role: 300, full_name: "Bobby", ...wrong }))).toBe(
        "400 BAD_REQUEST",
      );
    }
    expect(outcome(await patch(adam, bob, { role: 300, new_email: "x@example.com" }))).toBe(
      "400 UNAUTHORIZED_PRINCIPAL",
    );
    expect(await queue.events()).toEqual([]);
    expect(await roleOf(bob.id)).toBe(400);
  });

  test("names that must differ do", async () => {
    const { olga, adam, bob, operator } = world;
    await write(operator, (tx) =>
      updateRealmSettingsIn(tx, operator, { require_unique_names: true }),
    );
    expect(outcome(await patch(adam, bob, { full_name: "ALICE" }))).toBe("400 BAD_REQUEST");
    expect(outcome(await patch(adam, bob, { full_name: "bob" }))).toBe(200);
    const newcomer = {
      email: "a@example.com",
      full_name: "Carol",
      password: "correct-horse-battery",
    };
    expect(outcome(await olga.post("/users", newcomer))).toBe("400 BAD_REQUEST");
  });

  test("E1: nobody raises their own role, or that of a bot of theirs, or makes an owner without being one", async () => {
    const { olga, adam, mona, alice, greta, robot } = world;
    for (const person of [mona, alice, greta, robot]) {
      for (const target of [person, robot]) {
        expect(outcome(await patch(person, target, { role: 200 }))).toBe("400 BAD_REQUEST");
      }
    }
    for (const target of [adam, robot, alice]) {
      expect(outcome(await patch(adam, target, { role: 100 }))).toBe("400 UNAUTHORIZED_PRINCIPAL");
    }
    expect(outcome(await patch(adam, olga, { role: 400 }))).toBe("400 UNAUTHORIZED_PRINCIPAL");
    expect(outcome(await patch(adam, olga, { full_name: "X" }))).toBe("400 UNAUTHORIZED_PRINCIPAL");
    expect([await roleOf(adam.id), await roleOf(robot.id), await roleOf(alice.id)]).toEqual([
      200, 400, 400,
    ]);
    expect(outcome(await patch(adam, robot, { role: 300 }))).toBe(200);
    expect(outcome(await patch(robot, robot, { role: 200 }))).toBe("400 BAD_REQUEST");
    expect(outcome(await patch(olga, adam, { role: 100 }))).toBe(200);
  });

  test("E4, A17: ids and addresses of another organization answer like none, and nothing changes there", async () => {
    const { olga, zoe, robot } = world;
    const [queue, missing] = [await zoe.register(), 999_999];
    const calls = async (id: number, email: string) => [
      await olga.get(`/users/${id}`),
      await olga.get(`/users/${email}`),
      await olga.get(`/users/${id}/channels`),
      await patch(olga, { id }, { full_name: "X", role: 600, new_email: "x@example.com" }),
      await patch(olga, { id: email }, { role: 600 }),
      await olga.delete(`/users/${id}`),
      await olga.post(`/users/${id}/reactivate`),
      await olga.get(`/bots/${id}/api_key`),
      await olga.post(`/bots/${id}/api_key/regenerate`),
    ];
    const plain = (answers: Answer[]) =>
      answers.map(({ status, body: { code, msg } }) => [status, code, msg]);
    const none = plain(await calls(missing, "nobody@example.com"));
    expect(none.every(([status]) => status === 400)).toBe(true);
    expect(plain(await calls(zoe.id, zoe.email))).toEqual(none);
    expect(outcome(await zoe.get(`/bots/${robot.id}/api_key`))).toBe("400 BAD_REQUEST");
    expect(await queue.events()).toEqual([]);
    expect((await zoe.get("/users/me")).body).toMatchObject({
      full_name: "Zoe",
      role: 100,
      is_active: true,
    });
  });

  test("the bots of the system stay as they are", async () => {
    const { olga } = world;
    const [bot] = (await olga.register({ fetch_event_types: ["realm_user"] })).state
      .cross_realm_bots;
    const calls = [
      patch(olga, { id: bot.user_id }, { full_name: "X" }),
      patch(olga, { id: bot.user_id }, { role: 600 }),
      olga.delete(`/users/${bot.user_id}`),
      olga.post(`/users/${bot.user_id}/reactivate`),
      olga.get(`/bots/${bot.user_id}/api_key`),
      olga.post(`/bots/${bot.user_id}/api_key/regenerate`),
    ];
    for (const call of calls) expect(outcome(await call)).toBe("400 BAD_REQUEST");
  });
});

test("Administrators add accounts, whatever else they may do; nobody else does", async () => {
  const { olga, adam, mona, alice, greta, robot, bob } = world;
  const account = (name: string) => ({
    email: `${name}@example.com`,
    full_name: name,
    password: "correct-horse-battery",
  });
  const queue = await bob.register({ event_types: ["realm_user"] });
  for (const person of [mona, alice, greta, robot]) {
    expect(outcome(await person.post("/users", account("Nora")))).toBe(
      "400 UNAUTHORIZED_PRINCIPAL",
    );
  }
  const added = await adam.post("/users", account("Nora"));
  expect([outcome(added), outcome(await olga.post("/users", account("Nils")))]).toEqual([200, 200]);
  expect((await bob.get(`/users/${added.body.user_id}`)).body.user).toMatchObject({
    full_name: "Nora",
    role: 400,
  });
  expect((await persons(queue)).map(({ full_name }) => full_name)).toEqual(["Nora", "Nils"]);
});

describe("C10: a role that is lost", () => {
  test("takes its rights and what queues and held polls got by it, at once", async () => {
    const { olga, adam, alice } = world;
    const queue = await adam.register({
      all_public_streams: true,
      event_types: ["message", "stream"],
    });
    await alice.post("/users/me/subscriptions", { subscriptions: [{ name: "open" }] });
    await queue.events();
    const { answer } = await startPoll(world, queue);
    await patch(olga, adam, { role: 600 });
    await alice.say("open", "news", "not for guests");
    await alice.say("general", "news", "for subscribers");
    const events = [...(await answer).body.events];
    queue.lastEventId = events.at(-1)?.id ?? queue.lastEventId;
    events.push(...(await queue.events()));
    const contents = events.flatMap(({ message }) => message?.content ?? []);
    expect(contents.map((content: string) => content.replaceAll(/<\/?p>/g, ""))).toEqual([
      "for subscribers",
    ]);
    expect(outcome(await patch(adam, alice, { full_name: "X" }))).toBe("400 BAD_REQUEST");
    expect(
      outcome(
        await adam.post("/users", { email: "a@b.example", full_name: "A", password: "12345678x" }),
      ),
    ).toBe("400 UNAUTHORIZED_PRINCIPAL");
  });
});

describe("Deactivation over HTTP", () => {
  test("ends the account, its keys, its held polls and its bots", async () => {
    const { adam, alice, robot, bob } = world;
    const queue = await alice.register();
    const { answer } = await startPoll(world, queue);
    const [others, robots] = [await bob.register(), await robot.register()];
    const parameters = {
      deactivation_notification_comment: "bye",
      actions: { delete_profile: false },
    };
    const done = await adam.delete(`/users/${alice.id}`, parameters);
    expect(done.body).toEqual({ result: "success", msg: "" });
    expect((await answer).body.code).toBe("BAD_EVENT_QUEUE_ID");
    expect([outcome(await alice.get("/users/me")), outcome(await robots.poll())]).toEqual([
      "401 UNAUTHORIZED",
      "401 UNAUTHORIZED",
    ]);
    const events = await others.events();
    expect(events.flatMap(({ person }) => person ?? [])).toEqual([
      { user_id: alice.id, is_active: false },
      { user_id: robot.id, is_active: false },
    ]);
    const left = events.filter(({ op }) => op === "peer_remove");
    const { general, secret } = world.channels;
    expect(left.map(({ stream_ids, user_ids }) => [stream_ids, user_ids])).toEqual([
      [[general], [alice.id]],
      [[secret], [alice.id]],
    ]);
    const dm = await bob.post("/messages", { type: "direct", to: [alice.id], content: "?" });
    expect([outcome(dm), dm.body.msg.includes(alice.email)]).toEqual(["400 BAD_REQUEST", false]);
    expect(outcome(await adam.delete(`/users/${alice.id}`))).toBe("400 BAD_REQUEST");
    expect((await bob.get(`/users/${alice.id}`)).body.user.is_active).toBe(false);
    expect((await bob.get(`/streams/${general}/members`)).body.subscribers).not.toContain(alice.id);
  });

  test("reactivation brings back groups, channels and keys, not bots", async () => {
    const { adam, alice, robot, bob, operator } = world;
    const devs = { name: "devs", description: "", memberIds: [alice.id], subgroupIds: [] };
    await write(operator, (tx) => createGroupIn(tx, operator, devs));
    await adam.delete(`/users/${alice.id}`);
    const queue = await bob.register();
    for (const _ of [1, 2])
      expect(outcome(await adam.post(`/users/${alice.id}/reactivate`))).toBe(200);
    const events = await queue.events();
    expect(shapesOf(events)[0]).toEqual({
      type: "realm_user",
      op: "update",
      person: { user_id: alice.id, is_active: true },
    });
    const moves = ["add_members role:members", "add_members role:fullmembers", "add_members devs"];
    // The second call announces all of it again.
    expect(await groupMoves(world.olga, events)).toEqual([...moves, ...moves]);
    const joined = events
      .filter(({ op }) => op === "peer_add")
      .flatMap(({ stream_ids }) => stream_ids);
    expect(new Set(joined)).toEqual(new Set([world.channels.general, world.channels.secret]));
    expect(outcome(await alice.get("/users/me"))).toBe(200);
    expect((await bob.get(`/users/${robot.id}`)).body.user.is_active).toBe(false);
    expect(
      (await bob.get(`/streams/${world.channels.general}/members`)).body.subscribers,
    ).toContain(alice.id);
    expect(outcome(await adam.post(`/users/${robot.id}/reactivate`))).toBe(200);
  });

  test("a bot does not come back before its owner", async () => {
    const { adam, alice, robot } = world;
    await adam.delete(`/users/${alice.id}`);
    expect(outcome(await adam.post(`/users/${robot.id}/reactivate`))).toBe("400 BAD_REQUEST");
    expect((await adam.get(`/users/${robot.id}`)).body.user.is_active).toBe(false);
  });

  test("is for administrators; of owners, for owners; and of oneself", async () => {
    const { olga, adam, mona, alice, bob, robot, greta } = world;
    const queue = await olga.register({ event_types: ["realm_user"] });
    for (const person of [mona, alice, greta, robot]) {
      expect(outcome(await person.delete(`/users/${bob.id}`))).toBe("400 BAD_REQUEST");
      expect(outcome(await person.post(`/users/${bob.id}/reactivate`))).toBe("400 BAD_REQUEST");
    }
    expect(outcome(await adam.delete(`/users/${olga.id}`))).toBe("400 UNAUTHORIZED_PRINCIPAL");
    expect(await queue.events()).toEqual([]);
    expect(outcome(await bob.delete("/users/me"))).toBe(200);
    expect(await persons(queue)).toEqual([{ user_id: bob.id, is_active: false }]);
    expect(outcome(await bob.get("/users/me"))).toBe("401 UNAUTHORIZED");
  });

  test("of the last owner is refused, by whatever way", async () => {
    const { olga, adam } = world;
    const refusal = {
      code: "CANNOT_DEACTIVATE_LAST_USER",
      is_last_owner: true,
      entity: "organization owner",
    };
    for (const path of ["/users/me", `/users/${olga.id}`])
      expect((await olga.delete(path)).body).toMatchObject(refusal);
    expect(outcome(await patch(olga, olga, { role: 200 }))).toBe("400 BAD_REQUEST");
    await patch(olga, adam, { role: 100 });
    expect(outcome(await olga.delete("/users/me"))).toBe(200);
    expect((await adam.delete("/users/me")).body).toMatchObject(refusal);
  });
});

test("the channels of somebody are told as far as one may know them", async () => {
  const { alice, bob, otto, greta, olga, channels } = world;
  const idsFor = async (person: Person) =>
    (await person.get(`/users/${alice.id}/channels`)).body.subscribed_channel_ids;
  expect(await idsFor(alice)).toEqual([channels.general, channels.secret, channels.plans]);
  expect(await idsFor(bob)).toEqual([channels.general, channels.secret]);
  expect(await idsFor(otto)).toEqual([channels.general]);
  expect(await idsFor(olga)).toEqual([channels.general, channels.secret, channels.plans]);
  expect(await idsFor(greta)).toEqual([]);
});
