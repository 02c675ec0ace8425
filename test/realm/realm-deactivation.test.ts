import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { isNotNull } from "drizzle-orm";
import { operatorContext } from "../../src/core/operator";
import { write } from "../../src/core/write";
import { createUser } from "../../src/management/accounts/create";
import { setPassword } from "../../src/management/accounts/update";
import {
  deactivateRealm,
  deactivateRealmIn,
  reactivateRealm,
  reactivateRealmIn,
} from "../../src/management/organization/deactivate";
import { deleteDueRealms } from "../../src/management/organization/delete";
import { listRealms, loadRealm } from "../../src/realm/queries";
import { issueApiKey } from "../../src/sign-in/api-keys";
import { storeKeyUses } from "../../src/sign-in/key-uses";
import { createLoginLink } from "../../src/sign-in/login-links";
import { type Answer, Client } from "../support/client";
import { shapesOf } from "../support/groups";
import { startPoll } from "../support/polls";
import { refusalOf } from "../support/refusal";
import { makeWorld, type Person, type World, worldHost } from "../support/world";

const password = "correct-horse-battery";
const daySeconds = 24 * 60 * 60;

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

const codeOf = ({ status, body }: Answer) => [status, body.code];
const deactivated = [401, "REALM_DEACTIVATED"];
const deactivate = (person: Person, more = {}) => person.post("/realm/deactivate", more);

/** The operator, with the organization as it is stored now. */
const operatorNow = async () =>
  operatorContext(world.app, await loadRealm(world.app.engine.reader, world.realm.id));

describe("deactivating an organization", () => {
  test("is its owners' alone", async () => {
    const { adam, mona, alice, greta, robot, anonymous, operator, zoe } = world;
    const queue = await alice.register();
    for (const person of [adam, mona, alice, greta, robot]) {
      expect(codeOf(await deactivate(person))).toEqual([400, "UNAUTHORIZED_PRINCIPAL"]);
    }
    expect(codeOf(await anonymous.post("/realm/deactivate"))).toEqual([401, "UNAUTHORIZED"]);
    const actor = { kind: "user" as const, user: await rowOf(adam), apiKeyId: 0 };
    const within = write(operator, (tx) => deactivateRealmIn(tx, { ...operator, actor }, null));
    expect((await refusalOf(within)).code).toBe("UNAUTHORIZED_PRINCIPAL");
    expect(await queue.events()).toEqual([]);
    expect((await deactivate(zoe)).status).toBe(200);
    expect((await alice.get("/users/me")).status).toBe(200);
  });

  test("C4: shuts every door at once, for everybody and every kind of key", async () => {
    const { olga, alice, greta, robot, anonymous, operator, channels } = world;
    await setPassword(operator, alice.id, password);
    const link = new URL((await createLoginLink(operator, alice.id, 3600)).url).pathname;
    const queue = await alice.register();
    expect((await deactivate(olga)).body).toEqual({ result: "success", msg: "" });
    for (const person of [olga, alice, greta, robot]) {
      const answers = [
        await person.get("/users/me"),
        await person.post("/register"),
        await person.get("/events", { queue_id: queue.id, last_event_id: -1, dont_block: true }),
        await person.post("/messages", {
          type: "channel",
          to: channels.general,
          topic: "lunch",
          content: "soup?",
        }),
        await person.patch("/realm", { name: "Back" }),
        await person.patch("/settings", { enter_sends: true }),
        await deactivate(person),
      ];
      expect(answers.map(codeOf)).toEqual(answers.map(() => deactivated));
    }
    for (const secret of [password, "wrong-horse-battery"]) {
      expect(
        codeOf(await anonymous.post("/fetch_api_key", { username: alice.email, password: secret })),
      ).toEqual(deactivated);
    }
    for (const method of ["GET", "POST"])
      expect((await anonymous.open(link, { method })).status).toBe(404);
    const stranger = new Client(world.site, worldHost, {
      email: "nobody@example.com",
      apiKey: "x".repeat(32),
    });
    expect(codeOf(await stranger.get("/users/me"))).toEqual(deactivated);
  });

  test("C1: ends held polls at once with the news of it, and nothing comes after", async () => {
    const { olga, alice, bob, carol, zoe, app, realm } = world;
    const [all, some, quiet] = [
      await alice.register(),
      await bob.register({ event_types: ["realm", "message"] }),
      await carol.register({ event_types: ["message"] }),
    ];
    const foreign = await zoe.register();
    const held = await Promise.all([all, some, quiet].map((queue) => startPoll(world, queue)));
    expect((await deactivate(olga)).status).toBe(200);
    const [first, second, third] = await Promise.all(held.map(({ answer }) => answer));
    const event = { type: "realm", op: "deactivated", realm_id: realm.id };
    for (const answer of [first, second]) expect(shapesOf(answer?.body.events)).toEqual([event]);
    expect(third && codeOf(third)).toEqual(deactivated);
    expect(app.events.queuesIn(realm.id)).toEqual([]);
    const { db, t } = app.engine.reader;
    expect((await db.select().from(t.eventQueues)).map(({ realmId }) => realmId)).toEqual(
      [foreign.client.host].map(() => realm.id + 1),
    );
    expect(await foreign.events()).toEqual([]);
  });

  test("C1: gives a poll that waits on another server what it missed, too", async () => {
    const { olga, alice, clock, realm } = world;
    const node = await world.startNode();
    const queue = await alice.at(node).register();
    const { answer } = await startPoll({ app: node.app, realm }, queue);
    await deactivate(olga);
    clock.advance(1);
    expect(shapesOf((await answer).body.events)).toEqual([
      { type: "realm", op: "deactivated", realm_id: realm.id },
    ]);
    expect(codeOf(await alice.at(node).get("/users/me"))).toEqual(deactivated);
  });

  test("C2: a request that was let in before it leaves nothing behind", async () => {
    const { alice, olga, app, realm } = world;
    const queues = await Promise.all([
      ...Array.from({ length: 5 }, () => alice.post("/register", { event_types: ["message"] })),
      deactivate(olga),
      ...Array.from({ length: 5 }, () => alice.post("/register", { event_types: ["message"] })),
    ]);
    expect(queues.map(({ status }) => status)).toContain(200);
    const { db, t } = app.engine.reader;
    expect(await db.select().from(t.eventQueues)).toEqual([]);
    expect(app.events.queuesIn(realm.id).filter(({ hasEnded }) => !hasEnded)).toEqual([]);
    const actor = { kind: "user" as const, user: await rowOf(alice), apiKeyId: 0 };
    const late = issueApiKey({ ...world.operator, actor }, alice.id, "late");
    expect((await refusalOf(late)).code).toBe("REALM_DEACTIVATED");
  });

  test("twice is refused, and so is a delay that the server does not allow", async () => {
    const { olga } = world;
    for (const days of [0, 13, -1, 1.5, 36_501, Number.MAX_SAFE_INTEGER]) {
      const answer = await deactivate(olga, { deletion_delay_days: days });
      expect([days, ...codeOf(answer)]).toEqual([days, 400, "BAD_REQUEST"]);
    }
    expect((await deactivate(olga, { deletion_delay_days: "null" })).status).toBe(200);
    expect((await refusalOf(deactivateRealm(await operatorNow(), {}))).message).toContain(
      "already deactivated",
    );
  });
});

describe("reactivating an organization", () => {
  test("lets everybody in again with the keys they had; it is the operator's alone", async () => {
    const { olga, alice, operator } = world;
    const lost = await alice.register();
    await deactivate(olga);
    const actor = { kind: "user" as const, user: await rowOf(olga), apiKeyId: 0 };
    const own = write(operator, (tx) => reactivateRealmIn(tx, { ...operator, actor }));
    expect((await refusalOf(own)).status).toBe(403);
    await reactivateRealm(await operatorNow());
    expect((await alice.get("/users/me")).status).toBe(200);
    expect((await lost.poll({ dont_block: true })).body.code).toBe("BAD_EVENT_QUEUE_ID");
    const queue = await alice.register();
    await olga.say("general", "lunch", "soup?");
    expect((await queue.events()).map(({ type }) => type)).toEqual(["message"]);
    expect((await refusalOf(reactivateRealm(await operatorNow()))).message).toContain("is active");
  });

  test("is still possible while the data is kept", async () => {
    const { olga, clock, alice } = world;
    await deactivate(olga, { deletion_delay_days: 14 });
    clock.advance(14 * daySeconds - 1);
    await deleteDueRealms(world.app);
    await reactivateRealm(await operatorNow());
    clock.advance(daySeconds);
    await deleteDueRealms(world.app);
    expect((await alice.get("/users/me")).status).toBe(200);
  });
});

describe("the data of a deactivated organization", () => {
  /**
   * Its deletion is due then, without the time having passed: the server's own work has not begun
   * it.
   */
  async function deactivateUntilNow(owner: Person) {
    expect((await deactivate(owner, { deletion_delay_days: 14 })).status).toBe(200);
    const { operator, clock } = world;
    await write(operator, async ({ db, t: { realms } }) => {
      await db.update(realms).set({ deletionAt: clock.now() }).where(isNotNull(realms.deletionAt));
    });
  }

  test("is deleted when its time has come, and that of no other", async () => {
    const { olga, alice, zoe, clock, app, realm } = world;
    for (let count = 0; count < 3; count++) await alice.say("general", "lunch", "soup?");
    const id = (await zoe.post("/messages", { type: "direct", to: [zoe.id], content: "note" })).body
      .id;
    await deactivate(olga, { deletion_delay_days: 20 });
    expect((await loadRealm(app.engine.reader, realm.id)).deletionAt).toBe(
      clock.now() + 20 * daySeconds,
    );
    clock.advance(20 * daySeconds);
    expect((await refusalOf(reactivateRealm(await operatorNow()))).message).toContain(
      "being deleted",
    );
    await deleteDueRealms(app);
    expect(await listRealms(app.engine.reader)).toMatchObject([{ host: "other.example.com" }]);
    const { db, t } = app.engine.reader;
    for (const table of Object.values(t)) {
      if (!("realmId" in table)) continue;
      const rows = await db.select({ realmId: table.realmId }).from(table);
      expect(rows.filter(({ realmId }) => realmId === realm.id)).toEqual([]);
    }
    expect((await zoe.get(`/messages/${id}`)).status).toBe(200);
    expect(world.logged.some((line) => line.includes("realm_deleted"))).toBe(true);
  });

  test("is gone for good once its deletion has begun, also for a reactivation that was asked for before", async () => {
    const { olga, clock, app, realm } = world;
    await deactivateUntilNow(olga);
    const early = { ...(await operatorNow()), now: clock.now() - 1 };
    const refused: string[] = [];
    const removeRealm = async (id: number) => {
      refused.push((await refusalOf(reactivateRealm(early))).message);
      await app.files.removeRealm(id);
    };
    await deleteDueRealms({ ...app, files: { ...app.files, removeRealm } });
    expect(refused).toEqual([expect.stringContaining("being deleted")]);
    expect((await listRealms(app.engine.reader)).map(({ id }) => id)).not.toContain(realm.id);
  });

  test("is not written to any more, though its people's keys were used just before it was deleted", async () => {
    const { olga, zoe, app, realm } = world;
    for (const person of [olga, zoe]) expect((await person.get("/users/me")).status).toBe(200);
    await deactivateUntilNow(olga);
    await deleteDueRealms(app);
    await storeKeyUses(app);
    const { db, t } = app.engine.reader;
    const logged = await db.select({ realmId: t.eventLog.realmId }).from(t.eventLog);
    expect(logged.filter(({ realmId }) => realmId === realm.id)).toEqual([]);
    const uses = await db.select({ lastUsedAt: t.apiKeys.lastUsedAt }).from(t.apiKeys);
    expect(uses.filter(({ lastUsedAt }) => lastUsedAt !== null)).toHaveLength(1);
  });

  test("that cannot be deleted holds up neither that of others nor what else there is to do, and goes the next time", async () => {
    const { olga, zoe, app, realm } = world;
    for (const owner of [olga, zoe]) await deactivateUntilNow(owner);
    const removeRealm = async (id: number) => {
      if (id === realm.id) throw new Error("The disk is away.");
      await app.files.removeRealm(id);
    };
    await deleteDueRealms({ ...app, files: { ...app.files, removeRealm } });
    expect(await listRealms(app.engine.reader)).toMatchObject([{ id: realm.id, isActive: false }]);
    expect(world.logged.some((line) => line.includes("realm_deletion_failed"))).toBe(true);
    await deleteDueRealms(app);
    expect(await listRealms(app.engine.reader)).toEqual([]);
  });

  test("is deleted a piece at a time: a server that stops in between goes on when it runs again", async () => {
    const { olga, alice, app, realm, operator } = world;
    const values = Array.from({ length: 1_100 }, (_, index) => ({
      realmId: realm.id,
      userId: alice.id,
      wordKey: `word${index}`,
      word: `word${index}`,
    }));
    await write(operator, (tx) => tx.db.insert(tx.t.alertWords).values(values));
    await deactivateUntilNow(olga);
    let pieces = 0;
    await deleteDueRealms(app, () => pieces++ > 2);
    expect(await listRealms(app.engine.reader)).toHaveLength(2);
    expect((await refusalOf(reactivateRealm(await operatorNow()))).message).toContain(
      "being deleted",
    );
    await deleteDueRealms(app);
    expect(await listRealms(app.engine.reader)).toHaveLength(1);
  });

  test("is kept no longer than the server allows, where it says so", async () => {
    await world.close();
    world = await makeWorld({
      max_deactivated_realm_deletion_days: "30",
      min_deactivated_realm_deletion_days: "0",
    });
    const { olga } = world;
    expect((await olga.register({ fetch_event_types: ["realm"] })).state).toMatchObject({
      server_max_deactivated_realm_deletion_days: 30,
      server_min_deactivated_realm_deletion_days: 0,
    });
    for (const more of [{}, { deletion_delay_days: 31 }]) {
      expect(codeOf(await deactivate(olga, more))).toEqual([400, "BAD_REQUEST"]);
    }
    expect((await deactivate(olga, { deletion_delay_days: 0 })).status).toBe(200);
  });
});

describe("several organizations on one server", () => {
  test("never see one another: neither people, channels, messages, groups nor settings", async () => {
    const { olga, zoe, alice, channels, app } = world;
    const id = await alice.say("general", "lunch", "soup?");
    const group = (await olga.get("/user_groups")).body.user_groups[0].id;
    const there = await zoe.register();
    const here = await alice.register();
    const foreign = [
      await zoe.get(`/users/${alice.id}`),
      await zoe.get("/users/alice@example.com"),
      await zoe.get(`/messages/${id}`),
      await zoe.post("/messages", {
        type: "channel",
        to: channels.general,
        topic: "lunch",
        content: "x",
      }),
      await zoe.post("/messages", { type: "direct", to: [alice.id], content: "x" }),
      await zoe.post(`/messages/${id}/reactions`, { emoji_name: "wave" }),
      await zoe.post("/users/me/subscriptions", {
        subscriptions: [{ name: "crew" }],
        principals: [alice.id],
      }),
      await zoe.patch("/realm", { signup_announcements_stream_id: channels.general }),
      await zoe.patch("/realm", { can_create_groups: { new: group } }),
      await zoe.get("/events", { queue_id: here.id, last_event_id: -1, dont_block: true }),
    ];
    for (const [index, answer] of foreign.entries())
      expect([index, answer.status]).toEqual([index, 400]);
    const key = alice.credentials;
    expect((await new Client(world.site, "other.example.com", key).get("/users/me")).status).toBe(
      401,
    );
    expect((await new Client(world.site, "nowhere.example.com", key).get("/users/me")).status).toBe(
      404,
    );
    await alice.patch("/settings", { full_name: "Alice Liddell" });
    await olga.patch("/realm", { name: "Acme Ltd", can_create_groups: { new: group } });
    expect(await there.events()).toEqual([]);
    const { state } = await zoe.register();
    expect(state.realm_users).toHaveLength(1);
    expect(state.streams).toEqual([]);
    expect(state.realm_name).toBe("Other");
    const ids = new Set(state.realm_user_groups.map(({ id: one }: { id: number }) => one));
    expect(ids.has(group)).toBe(false);
    const both = await createUser(await operatorOf("other.example.com"), {
      email: "alice@example.com",
      fullName: "Alice",
      role: 400,
      password,
    });
    expect(both.realmId).not.toBe(world.realm.id);
    const there2 = new Client(world.site, "other.example.com");
    expect(
      (await there2.post("/fetch_api_key", { username: alice.email, password })).body.user_id,
    ).toBe(both.id);
    expect(
      (await world.anonymous.post("/fetch_api_key", { username: alice.email, password })).status,
    ).toBe(401);
    expect((await listRealms(app.engine.reader)).length).toBe(2);
  });

  test("one goes on while another is deactivated, also for requests without its name", async () => {
    const { olga, zoe, alice } = world;
    const queue = await zoe.register();
    const withoutName = new Client(world.site, "10.0.0.1", zoe.credentials);
    expect((await withoutName.get("/users/me")).status).toBe(404);
    await deactivate(olga);
    expect((await zoe.get("/users/me")).status).toBe(200);
    expect(await queue.events()).toEqual([]);
    expect((await withoutName.get("/users/me")).status).toBe(200);
    await deactivate(zoe);
    expect((await withoutName.get("/users/me")).status).toBe(404);
    expect(codeOf(await alice.get("/users/me"))).toEqual(deactivated);
  });
});

async function operatorOf(host: string) {
  const realm = (await listRealms(world.app.engine.reader)).find((one) => one.host === host);
  if (!realm) throw new Error(`There is no realm at ${host}.`);
  return operatorContext(world.app, realm);
}

async function rowOf({ id }: Person) {
  const { db, t } = world.app.engine.reader;
  const user = (await db.select().from(t.users)).find((one) => one.id === id);
  if (!user) throw new Error("The user is gone.");
  return user;
}
