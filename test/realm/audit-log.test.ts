import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { badRequest } from "../../src/core/errors";
import { operatorAddress } from "../../src/core/operator-address";
import { roles } from "../../src/core/rights/role";
import { write } from "../../src/core/write";
import { createUser } from "../../src/management/accounts/create";
import { deleteUser } from "../../src/management/accounts/delete";
import { setPassword } from "../../src/management/accounts/update";
import { listAuditLog } from "../../src/management/audit-log/service";
import { tidyAuditLog } from "../../src/management/audit-log/tidy";
import { newPerson } from "../support/api/calls/things";
import { outcomeOf } from "../support/outcome";
import { makeWorld, Person, type World, worldHost } from "../support/world";

const daySeconds = 86_400;
const showToNobody = { email_address_visibility: 4 };

let world: World;
beforeEach(async () => {
  world = await makeWorld({ audit_log_days: "30" });
});
afterEach(() => world.close());

async function actsOf(parameters = {}) {
  const { status, body } = await world.olga.get("/audit_log", { limit: 1_000, ...parameters });
  expect(status).toBe(200);
  return body.audit_log;
}

describe("an owner reads", () => {
  test("who did what to whom, when, from where, and what it was before", async () => {
    const { olga, alice, clock } = world;
    clock.advance(60);
    await olga.ask(
      "PATCH",
      `/users/${alice.id}`,
      { role: roles.moderator },
      {
        body: new URLSearchParams({ role: String(roles.moderator) }),
        headers: { "x-forwarded-for": "198.51.100.7", "user-agent": "ZulipMobile/1.0" },
      },
    );
    const [act] = await actsOf({ limit: 1 });
    expect(act).toMatchObject({
      timestamp: clock.now(),
      actor: { kind: "person", user_id: olga.id, full_name: "Olga" },
      way: "key",
      address: "198.51.100.7",
      client: "ZulipMobile",
      action: "user.update",
      target: { kind: "user", ids: [alice.id] },
      before: { role: roles.member },
      after: { role: roles.moderator },
    });
    expect(act.key_id).toBeGreaterThan(0);
    expect(JSON.parse(world.logged.at(-1) ?? "")).toMatchObject({
      event: "audited",
      action: "user.update",
      address: "198.51.100.7",
      account: "olga@example.com",
      targetIds: `[${alice.id}]`,
    });
  });

  test("what the operator has done, by the account and the machine", async () => {
    await createUser(world.operator, { email: "nina@example.com", fullName: "Nina", role: 400 });
    const [act] = await actsOf({ limit: 1 });
    expect(act).toMatchObject({
      actor: { kind: "operator", user_id: null, full_name: null },
      way: "",
      key_id: null,
      address: operatorAddress(),
      client: "chatd-admin",
      action: "user.create",
      after: { email: "nina@example.com", full_name: "Nina", role: 400 },
    });
  });

  test("in pages, and by actor, action, target and time", async () => {
    const { olga, adam, alice, bob, clock } = world;
    await olga.patch(`/users/${alice.id}`, { full_name: "Alice A" });
    await adam.patch(`/users/${alice.id}`, { full_name: "Alice B" });
    clock.advance(100);
    await olga.delete(`/users/${bob.id}`);
    await olga.post("/user_groups/create", { name: "cooks", description: "", members: [alice.id] });
    const actions = async (parameters: object) =>
      (await actsOf(parameters)).map(({ action }: { action: string }) => action);
    expect(await actions({ since: clock.now() })).toEqual(["group.create", "user.deactivate"]);
    expect(await actions({ actor_id: adam.id })).toEqual(["user.update"]);
    expect(await actions({ target_kind: "user", target_id: alice.id, action: "user" })).toEqual([
      "user.update",
      "user.update",
    ]);
    expect(await actions({ action: "user.deactivate" })).toEqual(["user.deactivate"]);
    expect(await actions({ actor_kind: "bot" })).toEqual([]);
    const { body: page } = await olga.get("/audit_log", { limit: 3 });
    expect(page).toMatchObject({ found_oldest: false });
    const rest = await actsOf({ before_id: page.audit_log[2].id });
    expect(rest[0]).toMatchObject({ action: "user.update", after: { full_name: "Alice A" } });
    expect((await olga.get("/audit_log")).body.found_oldest).toBe(true);
  });

  test("J5: and nobody else does", async () => {
    const { adam, mona, alice, greta, robot, zoe, olga } = world;
    await olga.patch(`/users/${alice.id}`, { full_name: "Alice A" });
    for (const person of [adam, mona, alice, greta, robot])
      expect((await person.get("/audit_log")).status).toBe(400);
    expect((await world.anonymous.get("/audit_log")).status).toBe(401);
    // The owner of another organization sees their own acts alone.
    const { body } = await zoe.get("/audit_log");
    expect(JSON.stringify(body)).not.toContain("Alice A");
    expect((await olga.get("/audit_log", { target_id: 1 })).status).toBe(400);
    expect((await olga.get("/audit_log", { action: "user.%" })).status).toBe(400);
  });
});

test("K3: addresses of people who show theirs to nobody are for themselves and the operator alone", async () => {
  const { operator, olga, alice, bob } = world;
  const oskar = await newPerson(world, roles.owner);
  await olga.patch(`/users/${alice.id}`, { new_email: "alicia@example.com" });
  await olga.patch(`/users/${bob.id}`, { new_email: "robert@example.com" });
  const changes = ["~ user alicia@example.com: name A", "+ subscription a: robert@example.com"];
  await write(operator, async (tx) =>
    tx.audit(operator, { action: "realm.apply", kind: "realm", after: { changes } }),
  );
  const asOperator = await listAuditLog(operator, {});
  expect(await actsOf()).toEqual(asOperator.audit_log);
  const key = alice.credentials?.apiKey;
  const alicia = new Person(world.site, worldHost, alice.id, "alicia@example.com", "Alice", key);
  for (const person of [alicia, oskar])
    expect((await person.patch("/settings", showToNobody)).status).toBe(200);
  expect(JSON.stringify(await listAuditLog(operator, {}))).toContain("alicia@");
  const acts = await actsOf();
  expect(JSON.stringify(acts)).not.toMatch(/alice@|alicia@/);
  expect(JSON.stringify(acts)).not.toContain(oskar.email);
  const hidden = `user${alice.id}@${worldHost}`;
  expect(acts[0].after.changes).toEqual([
    `~ user ${hidden}: name A`,
    "+ subscription a: robert@example.com",
  ]);
  expect(acts[1]).toMatchObject({ after: { email: "robert@example.com" } });
  expect(acts[2]).toMatchObject({ before: { email: hidden }, after: { email: hidden } });
  const { body } = await oskar.get("/audit_log", { target_kind: "user", target_id: oskar.id });
  expect(body.audit_log.at(-1)).toMatchObject({ after: { email: oskar.email } });
});

test("an act that is rolled back is in no log", async () => {
  const { operator, alice } = world;
  const before = await actsOf();
  const noted = { action: "user.update", kind: "user", ids: [alice.id] } as const;
  const rolledBack = write(operator, async (tx) => {
    tx.audit(operator, noted);
    throw badRequest("on purpose");
  });
  expect(await outcomeOf(rolledBack)).toThrow("on purpose");
  expect(await actsOf()).toEqual(before);
  await write(operator, async (tx) => tx.audit(operator, noted));
  expect(await actsOf()).toHaveLength(before.length + 1);
});

test("several changes in one request are one act, and one that changes nothing is none", async () => {
  const { olga, alice } = world;
  const before = (await actsOf()).length;
  await olga.patch(`/users/${alice.id}`, { full_name: "Alice A", role: roles.moderator });
  await olga.patch(`/users/${alice.id}`, { full_name: "Alice A", role: roles.moderator });
  const acts = await actsOf();
  expect(acts).toHaveLength(before + 1);
  expect(acts[0]).toMatchObject({
    before: { full_name: "Alice", role: roles.member },
    after: { full_name: "Alice A", role: roles.moderator },
  });
});

test("messages that move are acts, and messages that are written or edited are none", async () => {
  const { alice, channels } = world;
  const before = (await actsOf()).length;
  const id = await alice.say("general", "lunch", "soup");
  await alice.patch(`/messages/${id}`, { content: "leek soup" });
  expect(await actsOf()).toHaveLength(before);
  await alice.patch(`/messages/${id}`, { topic: "dinner" });
  expect((await actsOf())[0]).toMatchObject({
    actor: { user_id: alice.id },
    action: "message.move",
    target: { kind: "message", ids: [id] },
    before: { channel_id: channels.general, topic: "lunch" },
    after: { channel_id: channels.general, topic: "dinner", message_count: 1 },
  });
});

test("a topic that is deleted in several writes is one act", async () => {
  const { olga, alice, channels } = world;
  for (let count = 0; count < 101; count++) await alice.say("general", "lunch", `soup ${count}`);
  const before = (await actsOf()).length;
  await olga.post(`/streams/${channels.general}/delete_topic`, { topic_name: "lunch" });
  const acts = await actsOf();
  expect(acts).toHaveLength(before + 1);
  expect(acts[0]).toMatchObject({ action: "topic.delete", before: { topic: "lunch" } });
});

test("who subscribes others or makes a channel acts, and who joins or leaves does not", async () => {
  const { alice, bob, otto, channels } = world;
  const general = [{ name: "general" }];
  const before = (await actsOf()).length;
  await otto.post("/users/me/subscriptions", { subscriptions: general });
  await otto.delete("/users/me/subscriptions", { subscriptions: ["general"] });
  expect(await actsOf()).toHaveLength(before);
  const principals = [otto.id, alice.id];
  await alice.post("/users/me/subscriptions", { subscriptions: general, principals });
  await bob.post("/users/me/subscriptions", { subscriptions: [{ name: "crew" }], principals });
  const [made, subscribed] = await actsOf();
  expect(subscribed).toMatchObject({
    action: "channel.subscribe",
    target: { kind: "channel", ids: [channels.general] },
    after: { user_ids: [otto.id] },
  });
  expect(made).toMatchObject({ action: "channel.create", after: { names: ["crew"] } });
});

test("one's own name and password are acts, which tell no secret; other settings are none", async () => {
  const { operator, alice } = world;
  await setPassword(operator, alice.id, "correct-horse-battery");
  const before = (await actsOf()).length;
  await alice.patch("/settings", { twenty_four_hour_time: true, timezone: "Europe/Berlin" });
  expect(await actsOf()).toHaveLength(before);
  await alice.patch("/settings", { full_name: "Alice A" });
  await alice.patch("/settings", {
    old_password: "correct-horse-battery",
    new_password: "another-horse-battery",
  });
  const [second, first] = await actsOf();
  expect(first).toMatchObject({ action: "user.update", after: { full_name: "Alice A" } });
  expect(second).toMatchObject({ action: "user.change_password", before: {}, after: {} });
});

test("long texts and lists are cut, and the row stays small", async () => {
  const { operator } = world;
  const long = "x".repeat(5_000);
  const ids = Array.from({ length: 10_000 }, (_, index) => index);
  await write(operator, async (tx) =>
    tx.audit(operator, { action: "realm.update", kind: "realm", ids, after: { long, ids } }),
  );
  await write(operator, async (tx) => {
    const after = Object.fromEntries(ids.map((id) => [`setting_${id}`, long]));
    tx.audit(operator, { action: "realm.update", kind: "realm", after });
  });
  const [second, first] = await actsOf({ limit: 2 });
  expect(first.after.long).toBe(`${"x".repeat(400)}…`);
  expect(first.after.ids).toHaveLength(101);
  expect(first.target.ids).toHaveLength(200);
  expect(JSON.stringify(second).length).toBeLessThan(5_000);
});

test("somebody who gets a key with their password is the actor, and a wrong password is no act", async () => {
  const { olga, anonymous } = world;
  const email = "nina@example.com";
  const password = "correct-horse-battery";
  const { body } = await olga.post("/users", { email, password, full_name: "Nina" });
  const before = (await actsOf()).length;
  await anonymous.post("/fetch_api_key", { username: email, password: "wrong-horse-battery" });
  expect(await actsOf()).toHaveLength(before);
  await anonymous.post("/fetch_api_key", { username: email, password });
  expect((await actsOf({ limit: 1 }))[0]).toMatchObject({
    actor: { kind: "person", user_id: body.user_id },
    action: "api_key.create",
    target: { kind: "user", ids: [body.user_id] },
  });
});

test("of a deleted person the acts stay, without their name and addresses", async () => {
  const { operator, olga, app } = world;
  const person = { email: "nina@example.com", fullName: "Nina Nebel", role: roles.owner };
  const { id } = await createUser(operator, person);
  await olga.patch(`/users/${id}`, { new_email: "nina2@example.com" });
  await olga.patch(`/users/${id}`, { role: roles.administrator });
  await olga.post("/invites", { invitee_emails: "other@example.com", stream_ids: [] });
  await deleteUser(operator, id);
  const acts = await actsOf({ target_kind: "user", target_id: id });
  expect(acts.map(({ action }: { action: string }) => action)).toEqual([
    "user.delete",
    "user.update",
    "user.update",
    "user.create",
  ]);
  expect(acts[1]).toMatchObject({ before: { role: 100 }, after: { role: 200 } });
  const { db, t } = app.engine.openReader();
  const rows = await db.select().from(t.auditLog).where(eq(t.auditLog.realmId, world.realm.id));
  for (const text of ["nina@", "nina2@", "Nebel"])
    expect(rows.filter((row) => JSON.stringify(row).includes(text))).toEqual([]);
});

test("of a deleted person no former address stays, in either case, but that of somebody else does", async () => {
  const { operator, olga, alice } = world;
  const invited = { invitee_emails: "Newton@Example.com,Second@Example.com", stream_ids: [] };
  await olga.post("/invites", invited);
  for (const new_email of ["newton@example.com", "given@example.com", "second@example.com"])
    await olga.patch(`/users/${alice.id}`, { new_email });
  const { id } = await createUser(operator, {
    email: "given@example.com",
    fullName: "Gwen",
    role: roles.member,
  });
  await deleteUser(operator, alice.id);
  const acts = await actsOf();
  expect(JSON.stringify(acts)).not.toMatch(/alice@|newton@|second@/i);
  const invitation = acts.find(({ action }: { action: string }) => action === "invitation.create");
  expect(invitation.after.emails).toEqual(["(deleted)", "(deleted)"]);
  const [created] = await actsOf({ target_kind: "user", target_id: id });
  expect(created.after).toMatchObject({ email: "given@example.com", full_name: "Gwen" });
});

test("acts are removed when they are as old as the operator says, and not before", async () => {
  const { app, olga, alice, clock, realm } = world;
  await olga.patch(`/users/${alice.id}`, { full_name: "Alice A" });
  clock.advance(29 * daySeconds);
  await tidyAuditLog(app, [realm.id]);
  await olga.patch(`/users/${alice.id}`, { full_name: "Alice B" });
  expect((await actsOf()).map(({ after }: { after: object }) => after)).toContainEqual({
    full_name: "Alice A",
  });
  clock.advance(2 * daySeconds);
  await tidyAuditLog(app, [realm.id]);
  expect((await actsOf()).map(({ after }: { after: object }) => after)).toEqual([
    { full_name: "Alice B" },
  ]);
});

test("acts are seen at once on each node", async () => {
  const { olga, alice } = world;
  const node = await world.startNode();
  try {
    await olga.at(node).patch(`/users/${alice.id}`, { full_name: "Alice A" });
    expect((await actsOf({ limit: 1 }))[0]).toMatchObject({ after: { full_name: "Alice A" } });
  } finally {
    await node.close();
  }
});
