import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { deleteUser } from "../../src/management/accounts/delete";
import type { Queue, WireEvent } from "../support/client";
import { verify } from "../support/client-state/verify";
import { testEngine } from "../support/databases/storage";
import { hear, listen, refusal } from "../support/listening";
import { until } from "../support/polls";
import { makeWorld, type Person, type World } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

const presenceOnly = { event_types: ["presence"] };
const modern = {
  ...presenceOnly,
  client_capabilities: { notification_settings_null: true, simplified_presence_events: true },
};
const ping = (person: Person, parameters: object = {}) =>
  person.post("/users/me/presence", { status: "active", ...parameters });
const quietly = (person: Person, status = "active") => ping(person, { status, ping_only: true });
const idsIn = ({ presences }: { presences: object }) =>
  Object.keys(presences)
    .map(Number)
    .sort((a, b) => a - b);
/** People whom a person learns of, by id. */
const seenBy = async (person: Person) => idsIn((await ping(person, { slim_presence: true })).body);
const bare = ({ id: _, ...event }: WireEvent) => event;
/**
 * Opens queues, and asks them once: the server then knows who they are of, and puts what is not
 * stored into them at once.
 */
async function connect<Name extends string>(
  queues: Promise<Record<Name, Queue>>,
): Promise<Record<Name, Queue>> {
  await hear(await queues, bare);
  return queues;
}
const setInvisible = (person: Person, isInvisible: boolean) =>
  person.patch("/settings", { presence_enabled: !isInvisible });
/** Guests see only those with whom they share a channel. */
const limitGuests = async ({ olga }: World) => {
  const { body } = await olga.get("/user_groups");
  const { id } = body.user_groups.find(({ name }: { name: string }) => name === "role:members");
  const setting = { can_access_all_users_group: { new: id } };
  expect((await olga.patch("/realm", setting)).status).toBe(200);
};
/** Presence in the answer of register, by id. */
const startOf = (person: Person) =>
  person.register({ fetch_event_types: ["presence"], slim_presence: true });

test("somebody who reported while the clock was ahead is shown with the right time when they report again", async () => {
  const { alice, bob, clock } = world;
  const ahead = 365 * 86_400;
  clock.setForward(ahead);
  await quietly(bob);
  clock.setForward(-ahead);
  await quietly(bob, "idle");
  const now = clock.now();
  expect((await ping(alice, { slim_presence: true })).body.presences[bob.id]).toEqual({
    active_timestamp: now,
    idle_timestamp: now,
  });
});

describe("Alice reports that she is there", () => {
  test("and learns who else is, in today's form or in the older one", async () => {
    const { alice, bob, clock } = world;
    const now = clock.now();
    expect((await quietly(bob, "idle")).body).toEqual({
      result: "success",
      msg: "",
      presence_last_update_id: -1,
    });
    const joined = (await alice.get("/users/me")).body.date_joined;
    const idle = { active_timestamp: Date.parse(joined) / 1000, idle_timestamp: now };
    const active = { active_timestamp: now, idle_timestamp: now };
    const first = await ping(alice, { last_update_id: -1 });
    expect(first.body).toEqual({
      result: "success",
      msg: "",
      server_timestamp: now,
      presence_last_update_id: 2,
      presences: { [bob.id]: idle, [alice.id]: active },
    });
    expect((await ping(alice, { slim_presence: true })).body.presences).toEqual(
      first.body.presences,
    );
    const legacy = (status: string) => ({
      aggregated: { client: "website", status, timestamp: now },
      website: { client: "website", status, timestamp: now, pushable: false },
    });
    const byEmail = { [bob.email]: legacy("idle"), [alice.email]: legacy("active") };
    expect((await ping(alice)).body.presences).toEqual(byEmail);
    expect((await bob.get("/realm/presence")).body).toEqual({
      result: "success",
      msg: "",
      server_timestamp: now,
      presences: byEmail,
    });
  });

  test("and asks again for what is new since: less than a minute later, nothing", async () => {
    const { alice, bob, clock } = world;
    await quietly(bob);
    const { body } = await ping(alice, { last_update_id: -1 });
    const newest = body.presence_last_update_id;
    clock.advance(30);
    const same = await ping(alice, { last_update_id: newest });
    expect([same.body.presences, same.body.presence_last_update_id]).toEqual([{}, newest]);
    clock.advance(30);
    await quietly(bob);
    const { body: later } = await ping(alice, { last_update_id: newest, history_limit_days: 0 });
    expect(idsIn(later)).toEqual([alice.id, bob.id]);
    expect(later.presence_last_update_id).toBeGreaterThan(newest);
    const only = await ping(alice, { last_update_id: newest + 1, ping_only: true });
    expect(only.body).toEqual({ result: "success", msg: "", presence_last_update_id: newest + 1 });
  });

  test("and misses nobody after the person was deleted who was there last", async () => {
    const { alice, bob, carol, operator, clock } = world;
    for (const person of [alice, bob, carol]) await quietly(person);
    const newest = (await ping(alice, { last_update_id: -1 })).body.presence_last_update_id;
    await deleteUser(operator, carol.id);
    clock.advance(60);
    await quietly(bob);
    expect(idsIn((await ping(alice, { last_update_id: newest })).body)).toContain(bob.id);
  });

  test("and hears of those who were there in the last 14 days, or as many as she says", async () => {
    const { alice, bob, carol, clock } = world;
    const day = 86_400;
    await quietly(bob);
    clock.advance(10 * day);
    await quietly(carol);
    clock.advance(5 * day);
    expect(await seenBy(alice)).toEqual([alice.id, carol.id]);
    const askFor = async (days: number) =>
      idsIn((await ping(alice, { last_update_id: -1, history_limit_days: days })).body);
    expect([await askFor(4), await askFor(5), await askFor(15)]).toEqual([
      [alice.id],
      [alice.id, carol.id],
      [alice.id, bob.id, carol.id],
    ]);
    const { state } = await alice.register({
      ...presenceOnly,
      slim_presence: true,
      presence_history_limit_days: 1,
    });
    expect(idsIn(state)).toEqual([alice.id]);
  });

  test("to the second; and who has come since a list was read is in the next one", async () => {
    const { alice, bob, carol, clock } = world;
    await quietly(bob);
    clock.advance(86_400);
    const lastDay = async () =>
      idsIn((await ping(alice, { last_update_id: -1, history_limit_days: 1 })).body);
    expect(await lastDay()).toEqual([alice.id, bob.id]);
    clock.advance(1);
    expect(await lastDay()).toEqual([alice.id]);
    await quietly(carol);
    expect(await lastDay()).toEqual([alice.id, carol.id]);
  });

  test("and is refused a state that is none, and all that is no number or flag", async () => {
    const { alice, robot } = world;
    const queue = await alice.register(presenceOnly);
    for (const parameters of [
      { status: "away" },
      { ping_only: "x" },
      { last_update_id: "x" },
      { last_update_id: 1.5 },
      { history_limit_days: -1 },
      { slim_presence: [] },
    ]) {
      expect([parameters, refusal(await ping(alice, parameters))]).toEqual([
        parameters,
        "400 BAD_REQUEST",
      ]);
    }
    expect(refusal(await alice.post("/users/me/presence"))).toBe("400 REQUEST_VARIABLE_MISSING");
    expect(refusal(await ping(robot))).toBe("400 BAD_REQUEST");
    expect(await queue.events()).toEqual([]);
    expect(await seenBy(alice)).toEqual([alice.id]);
  });

  test("and whether she uses her client, which is no news to others", async () => {
    const { alice, bob } = world;
    const queue = await bob.register(presenceOnly);
    await queue.events();
    for (const new_user_input of [true, false]) {
      const answer = await ping(alice, { new_user_input, ping_only: true });
      expect(answer.body).toEqual({ result: "success", msg: "", presence_last_update_id: -1 });
    }
    expect(refusal(await ping(alice, { new_user_input: "often" }))).toBe("400 BAD_REQUEST");
    expect((await queue.events()).map(({ user_id }) => user_id)).toEqual([alice.id]);
  });

  test("however far back or ahead her update id and her days are", async () => {
    const { alice } = world;
    await quietly(alice);
    const far = Number.MAX_SAFE_INTEGER;
    expect((await ping(alice, { last_update_id: far })).body.presence_last_update_id).toBe(far);
    expect(
      idsIn((await ping(alice, { last_update_id: -far, history_limit_days: far })).body),
    ).toEqual([alice.id]);
  });
});

describe("Bob looks at Alice alone", () => {
  test("by id or e-mail address, and after 200 seconds she is offline", async () => {
    const { alice, bob, clock } = world;
    await quietly(alice);
    const timestamp = clock.now();
    const active = { status: "active", timestamp };
    const path = `/users/${alice.id}/presence`;
    expect((await bob.get(path)).body).toEqual({
      result: "success",
      msg: "",
      presence: { aggregated: active, website: active },
    });
    expect((await bob.get(`/users/${alice.email}/presence`)).body.presence.website).toEqual(active);
    clock.advance(201);
    const offline = { aggregated: { status: "offline", timestamp }, website: active };
    expect((await bob.get(path)).body.presence).toEqual(offline);
  });

  test("A17, E4: who was never there, bots, strangers and who does not exist are refused", async () => {
    const { alice, bob, robot, zoe } = world;
    await quietly(zoe);
    const missing = await bob.get("/users/99999999/presence");
    expect((await bob.get(`/users/${zoe.id}/presence`)).body).toEqual(missing.body);
    expect((await bob.get(`/users/${zoe.email}/presence`)).body).toEqual(missing.body);
    for (const { id } of [alice, robot, zoe])
      expect(refusal(await bob.get(`/users/${id}/presence`))).toBe("400 BAD_REQUEST");
    expect(await seenBy(bob)).toEqual([bob.id]);
  });
});

describe("Who comes is announced at once", () => {
  test("in the form that each client knows, once, and to nobody elsewhere", async () => {
    const { alice, bob, carol, olga, zoe, clock } = world;
    const queues = {
      alice: await alice.register(presenceOnly),
      bob: await bob.register({ ...presenceOnly, slim_presence: true }),
      carol: await carol.register(modern),
      zoe: await zoe.register(presenceOnly),
    };
    await hear(queues, bare);
    const other = await olga.register({ event_types: ["message"] });
    await quietly(alice);
    await quietly(alice);
    const timestamp = clock.now();
    const website = { client: "website", status: "active", timestamp, pushable: false };
    const slim = {
      type: "presence",
      user_id: alice.id,
      server_timestamp: timestamp,
      presence: { website },
    };
    const presences = { [alice.id]: { active_timestamp: timestamp, idle_timestamp: timestamp } };
    expect(await hear(queues, bare)).toEqual({
      alice: [{ ...slim, email: alice.email }],
      bob: [slim],
      zoe: [],
      carol: [{ type: "presence", presences }],
    });
    expect(await other.events()).toEqual([]);
    clock.advance(60);
    await quietly(alice);
    expect(await hear(queues, bare)).toMatchObject({ alice: [], bob: [] });
    for (let pass = 1; pass <= 2; pass++) {
      clock.advance(110);
      await hear(queues, bare);
    }
    await quietly(alice, "idle");
    clock.advance(60);
    await quietly(alice);
    expect(await hear(queues, ({ presence }) => presence?.website.status)).toMatchObject({
      bob: ["idle", "active"],
    });
  });

  test("K3: an address that not everybody may read is in no event and no list", async () => {
    const { alice, bob, olga } = world;
    await bob.patch("/settings", { email_address_visibility: 3 });
    const queues = await connect(listen({ alice, olga }, presenceOnly));
    await quietly(bob);
    const placeholder = `user${bob.id}@chat.example.com`;
    expect(await hear(queues, ({ email }) => email)).toEqual({
      alice: [placeholder],
      olga: [bob.email],
    });
    const namesFor = async (person: Person) =>
      Object.keys((await person.get("/realm/presence")).body.presences);
    expect([await namesFor(alice), await namesFor(olga)]).toEqual([[placeholder], [bob.email]]);
    const { state } = await alice.register({ fetch_event_types: ["presence"] });
    expect(Object.keys(state.presences)).toEqual([placeholder]);
    expect(refusal(await alice.get(`/users/${bob.email}/presence`))).toBe("400 BAD_REQUEST");
  });

  test("and what register says is as of the same moment", async () => {
    const { alice, bob } = world;
    await quietly(alice);
    const { state } = await bob.register({ fetch_event_types: ["presence"] });
    expect(state).toMatchObject({
      presence_last_update_id: 1,
      presences: { [alice.email]: { website: {} } },
    });
    const { body } = await ping(bob, { last_update_id: state.presence_last_update_id });
    expect(idsIn(body)).toEqual([bob.id]);
    const counts = await verify(world, () => quietly(world.carol));
    expect(counts).toMatchObject({ alice: 1, carol: 1, greta: 1, robot: 1 });
  });
});

describe("Who is invisible", () => {
  test("shares nothing: neither what was nor what is, and is told of as gone", async () => {
    const { alice, bob, carol, clock } = world;
    await quietly(alice);
    clock.advance(60);
    const before = (await ping(bob, { last_update_id: -1 })).body.presence_last_update_id;
    const queues = await connect(listen({ bob, carol }, modern));
    await setInvisible(alice, true);
    const gone = clock.now() - 201;
    const event = {
      type: "presence",
      presences: { [alice.id]: { active_timestamp: gone, idle_timestamp: gone } },
    };
    expect(await hear(queues, bare)).toEqual({ bob: [event], carol: [event] });
    clock.advance(110);
    expect((await ping(alice, { last_update_id: before })).status).toBe(200);
    expect(await hear(queues, bare)).toEqual({ bob: [], carol: [] });
    expect(await seenBy(bob)).toEqual([bob.id]);
    expect(idsIn((await ping(bob, { last_update_id: before })).body)).not.toContain(alice.id);
    expect(Object.keys((await bob.get("/realm/presence")).body.presences)).toEqual([bob.email]);
    expect(idsIn((await startOf(bob)).state)).toEqual([bob.id]);
  });

  test("is offline since the account was made to who looks at them alone, whatever came later and whether or not they ever were there", async () => {
    const { alice, bob, carol, adam, zoe, clock } = world;
    const made = Date.parse((await bob.get(`/users/${alice.id}`)).body.user.date_joined) / 1000;
    await quietly(alice);
    for (const person of [alice, carol]) await setInvisible(person, true);
    const offline = {
      aggregated: { status: "offline", timestamp: made },
      website: { status: "idle", timestamp: made },
    };
    expect((await bob.get(`/users/${alice.id}/presence`)).body.presence).toEqual(offline);
    clock.advance(3600);
    await ping(alice, {});
    for (const asked of [alice.id, alice.email, carol.id]) {
      expect((await bob.get(`/users/${asked}/presence`)).body.presence).toEqual(offline);
    }
    expect((await adam.get(`/users/${alice.id}/presence`)).body.presence).toEqual(offline);
    expect(refusal(await zoe.get(`/users/${alice.id}/presence`))).toBe("400 BAD_REQUEST");
    await adam.delete(`/users/${alice.id}`);
    expect(refusal(await bob.get(`/users/${alice.id}/presence`))).toBe("400 BAD_REQUEST");
  });

  test("and visible again, is there now", async () => {
    const { alice, bob, clock } = world;
    await quietly(alice);
    await setInvisible(alice, true);
    clock.advance(3600);
    const { presence_last_update_id } = (await ping(bob, { last_update_id: -1 })).body;
    const queues = await connect(listen({ bob }, modern));
    await setInvisible(alice, false);
    const now = { active_timestamp: clock.now(), idle_timestamp: clock.now() };
    expect(await hear(queues, bare)).toEqual({
      bob: [{ type: "presence", presences: { [alice.id]: now } }],
    });
    expect((await ping(bob, { last_update_id: presence_last_update_id })).body.presences).toEqual({
      [alice.id]: now,
    });
  });
});

describe("Who is deactivated", () => {
  test("is there no more, and comes back with the account", async () => {
    const { alice, bob, olga } = world;
    await quietly(bob);
    await olga.delete(`/users/${bob.id}`);
    expect(await seenBy(alice)).toEqual([alice.id]);
    expect(refusal(await alice.get(`/users/${bob.id}/presence`))).toBe("400 BAD_REQUEST");
    await olga.post(`/users/${bob.id}/reactivate`);
    expect(await seenBy(alice)).toEqual([alice.id, bob.id]);
  });
});

describe("Where guests do not see everybody", () => {
  test("K1: Greta learns nothing of those with whom she shares no channel", async () => {
    const { alice, bob, greta, olga } = world;
    await limitGuests(world);
    const { body } = await olga.post("/users/me/subscriptions", {
      subscriptions: [{ name: "guests" }],
      principals: [alice.id, greta.id],
    });
    expect(body.result).toBe("success");
    const queues = await connect(listen({ greta, bob }, presenceOnly));
    for (const person of [alice, bob]) await quietly(person);
    expect(await hear(queues, ({ user_id }) => user_id)).toEqual({
      greta: [alice.id],
      bob: [alice.id, bob.id],
    });
    expect(await seenBy(greta)).toEqual([alice.id, greta.id]);
    expect(Object.keys((await greta.get("/realm/presence")).body.presences).sort()).toEqual([
      alice.email,
      greta.email,
    ]);
    expect(idsIn((await startOf(greta)).state)).toEqual([alice.id, greta.id]);
    const missing = await greta.get("/users/99999999/presence");
    expect((await greta.get(`/users/${bob.id}/presence`)).body).toEqual(missing.body);
    expect((await greta.get(`/users/${bob.email}/presence`)).body).toEqual(missing.body);
    expect((await bob.get(`/users/${greta.id}/presence`)).status).toBe(200);
  });
});

test("CAN_ACCESS_ALL_USERS_GROUP_LIMITS_PRESENCE: off, guests learn who is there, but not their addresses", async () => {
  const open = await makeWorld({ can_access_all_users_group_limits_presence: "false" });
  try {
    await limitGuests(open);
    await quietly(open.bob);
    expect(await seenBy(open.greta)).toEqual([open.bob.id, open.greta.id]);
    const names = Object.keys((await open.greta.get("/realm/presence")).body.presences);
    expect(names.sort()).toEqual([open.greta.email, `user${open.bob.id}@chat.example.com`]);
  } finally {
    await open.close();
  }
});

test("A thousand reports at once are few writes, and each is there afterwards", async () => {
  const { alice, olga, bob, carol, adam, mona, otto, greta } = world;
  const everybody = [alice, olga, bob, carol, adam, mona, otto, greta];
  const answers = await Promise.all(
    Array.from({ length: 240 }, (_, index) =>
      ping(everybody[index % 8] ?? alice, { last_update_id: -1 }),
    ),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  for (const [index, { body }] of answers.entries())
    expect(idsIn(body)).toContain(everybody[index % 8]?.id ?? 0);
  const { body } = await ping(alice, { last_update_id: -1 });
  expect(idsIn(body)).toEqual(everybody.map(({ id }) => id).sort((a, b) => a - b));
  expect(body.presence_last_update_id).toBeLessThanOrEqual(8);
});

test("Presence reaches those who listen at another server, where those can talk, and ids go on from there", async () => {
  const { alice, bob, carol } = world;
  const other = await world.startNode();
  const queue = await bob.at(other).register(presenceOnly);
  await quietly(alice);
  const heard: WireEvent[] = [];
  // Two servers on one SQLite file tell each other of what is stored, not of what is not.
  await until(async () => {
    heard.push(...(await queue.events()));
    return heard.length > 0 || testEngine === "sqlite";
  });
  expect(heard.map(({ user_id }) => user_id)).toEqual(testEngine === "sqlite" ? [] : [alice.id]);
  const first = (await ping(bob.at(other), { last_update_id: -1 })).body;
  expect(idsIn(first)).toEqual([alice.id, bob.id]);
  const second = (await ping(carol, { last_update_id: first.presence_last_update_id })).body;
  expect(idsIn(second)).toEqual([carol.id]);
  expect(second.presence_last_update_id).toBeGreaterThan(first.presence_last_update_id);
});
