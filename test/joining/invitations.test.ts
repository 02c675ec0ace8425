import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { write } from "../../src/core/write";
import { mailFlags } from "../support/api/calls/mail-calls";
import { verify, verifyInTurn } from "../support/client-state/verify";
import { accept, inviteByLink, openLink, reusableLink } from "../support/invitations";
import { hear, listen, refusal } from "../support/listening";
import { makeWorld, type Person, type World } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

/** Takes the test to a world with other flags: one that sends mail, so that it can mail again. */
async function restart(flags: Record<string, string>) {
  await world.close();
  world = await makeWorld(flags);
}

const invitesOnly = { event_types: ["invites_changed"] };
const invite = (person: Person, invitee_emails: string, more: Record<string, unknown> = {}) =>
  person.post("/invites", { invitee_emails, stream_ids: [], ...more });
const invitesOf = async (person: Person) => (await person.get("/invites")).body.invites;
const emailsOf = async (person: Person) =>
  (await invitesOf(person)).map((one: { email?: string }) => one.email);
const linkOf = (person: Person, more: Record<string, unknown> = {}) =>
  person.post("/invites/multiuse", more);

test("Alice invites people: she and the administrators see it and hear of it, nobody else", async () => {
  const { olga, adam, alice, bob, greta, zoe } = world;
  const queues = await listen({ olga, adam, alice, bob, zoe }, invitesOnly);
  const { status, body } = await invite(
    alice,
    "Nina <nina@example.com>, noel@example.com\n nina@EXAMPLE.com",
  );
  expect([status, body]).toEqual([200, { result: "success", msg: "" }]);
  expect(await emailsOf(alice)).toEqual(["nina@example.com", "noel@example.com"]);
  const now = world.clock.now();
  expect((await invitesOf(adam))[0]).toEqual({
    id: expect.any(Number),
    invited_by_user_id: alice.id,
    invited: now,
    expiry_date: now + 864_000,
    invited_as: 400,
    email: "nina@example.com",
    is_multiuse: false,
    notify_referrer_on_join: true,
  });
  expect([await emailsOf(bob), await emailsOf(zoe), (await greta.get("/invites")).status]).toEqual([
    [],
    [],
    400,
  ]);
  const told = ["invites_changed"];
  expect(await hear(queues, ({ type }) => type)).toEqual({
    olga: told,
    adam: told,
    alice: told,
    bob: [],
    zoe: [],
  });
});

test("a bot neither sees invitations nor sends, renews or withdraws them, whoever owns it", async () => {
  const { olga, alice, robot } = world;
  await invite(alice, "nina@example.com");
  await linkOf(olga);
  await olga.patch(`/users/${robot.id}`, { role: 200 });
  const before = await invitesOf(olga);
  const [mailed, link] = before.map(({ id }: { id: number }) => id);
  const queues = await listen({ olga, alice }, invitesOnly);
  for (const answer of [
    await robot.get("/invites"),
    await invite(robot, "noel@example.com"),
    await linkOf(robot),
    await robot.post(`/invites/${mailed}/resend`),
    await robot.delete(`/invites/${mailed}`),
    await robot.delete(`/invites/multiuse/${link}`),
  ]) {
    expect(answer.body).toMatchObject({
      code: "BAD_REQUEST",
      msg: "This endpoint does not accept bot requests.",
    });
  }
  expect(await invitesOf(olga)).toEqual(before);
  expect(await hear(queues, ({ type }) => type)).toEqual({ olga: [], alice: [] });
});

test("each address has its own outcome; one that is none stops all, one with an account only itself", async () => {
  const { olga, alice, carol } = world;
  await olga.delete(`/users/${carol.id}`);
  const failed = async (addresses: string) => {
    const { status, body } = await invite(alice, addresses);
    return [status, body.code, body.sent_invitations, body.daily_limit_reached, body.errors];
  };
  expect(await failed("nina@example.com, bad, bob@example.com")).toEqual([
    400,
    "INVITATION_FAILED",
    false,
    false,
    [
      ["bad", "Invalid address.", false],
      ["bob@example.com", "Already has an account.", false],
    ],
  ]);
  expect(await emailsOf(alice)).toEqual([]);
  expect(await failed("carol@example.com")).toEqual([
    400,
    "INVITATION_FAILED",
    false,
    false,
    [["carol@example.com", "Account has been deactivated.", true]],
  ]);
  expect(await failed("nina@example.com, BOB@example.com")).toEqual([
    400,
    "INVITATION_FAILED",
    true,
    false,
    [["BOB@example.com", "Already has an account.", false]],
  ]);
  expect(await emailsOf(alice)).toEqual(["nina@example.com"]);
  const standIn = `user${carol.id}@${alice.host}`;
  expect((await failed(standIn)).at(-1)).toEqual([[standIn, "Invalid address.", false]]);
  for (const none of [
    "",
    " , \n",
    Array.from({ length: 1_001 }, (_, i) => `a${i}@example.com`).join(),
  ]) {
    expect(refusal(await invite(alice, none))).toBe("400 BAD_REQUEST");
  }
});

test("addresses that the organization does not accept are not invited, nor are accounts made for them", async () => {
  const { olga, alice } = world;
  const whyNot = async (email: string) => (await invite(alice, email)).body.errors?.[0]?.[1];
  expect(await whyNot("nina@sub.Mailinator.com")).toBe(
    "This organization accepts no disposable addresses.",
  );
  const account = {
    email: "nina@mailinator.com",
    full_name: "Nina",
    password: "correct-horse-battery",
  };
  expect(refusal(await olga.post("/users", account))).toBe("400 BAD_REQUEST");
  await olga.patch("/realm", { disallow_disposable_email_addresses: false });
  expect((await invite(alice, "nina@mailinator.com")).status).toBe(200);
  await olga.post("/realm/domains", { domain: "example.net", allow_subdomains: false });
  await olga.patch("/realm", { emails_restricted_to_domains: true });
  expect(await whyNot("noel@example.com")).toContain("accepts no addresses of example.com");
  expect(await whyNot("noel+1@example.net")).toContain("plus sign");
  expect((await invite(alice, "noel@example.net")).status).toBe(200);
});

describe("who may invite", () => {
  test("people: whom the organization lets, and nobody who is a guest; a bot as any member", async () => {
    await restart(mailFlags);
    const { olga, alice, mona, greta, robot } = world;
    const { body } = await olga.get("/user_groups", { include_deactivated_groups: false });
    const groupId = (name: string) =>
      body.user_groups.find((one: { name: string }) => one.name === name).id;
    await invite(alice, "before@example.com");
    await olga.patch("/realm", { can_invite_users_group: { new: groupId("role:moderators") } });
    expect([
      refusal(await invite(alice, "n1@example.com")),
      refusal(await invite(robot, "n2@example.com")),
    ]).toEqual(["400 BAD_REQUEST", "400 BAD_REQUEST"]);
    expect((await invite(mona, "n3@example.com")).status).toBe(200);
    expect(refusal(await invite(greta, "n4@example.com"))).toBe("400 BAD_REQUEST");
    const [kept] = await invitesOf(olga);
    expect(refusal(await alice.post(`/invites/${kept.id}/resend`))).toBe("400 BAD_REQUEST");
    expect((await alice.delete(`/invites/${kept.id}`)).status).toBe(200);
  });

  test("D6: links and ids are shown to nobody who may not make such invitations", async () => {
    const { olga, adam, alice, bob } = world;
    const { body } = await olga.get("/user_groups");
    const id = (name: string) =>
      body.user_groups.find((one: { name: string }) => one.name === name).id;
    await olga.patch("/realm", { create_multiuse_invite_group: { new: id("role:members") } });
    expect((await linkOf(alice, { invite_as: 600 })).status).toBe(200);
    expect(await invitesOf(alice)).toMatchObject([
      { is_multiuse: true, link_url: expect.stringContaining("/join/") },
    ]);
    expect(await invitesOf(bob)).toEqual([]);
    await olga.patch("/realm", {
      create_multiuse_invite_group: { new: id("role:administrators") },
    });
    expect(await invitesOf(alice)).toEqual([]);
    expect(await invitesOf(adam)).toHaveLength(1);
  });

  test("D3: nobody as more than they may make of people", async () => {
    const { olga, adam, mona, alice } = world;
    const outcomes = async (person: Person) => {
      const all: string[] = [];
      for (const role of [100, 200, 300, 400, 600, 500, 0]) {
        all.push(
          refusal(await invite(person, `p${person.id}-${role}@example.com`, { invite_as: role })),
        );
      }
      return all;
    };
    const bad = "400 BAD_REQUEST";
    const owner = "400 UNAUTHORIZED_PRINCIPAL";
    expect(await outcomes(olga)).toEqual(["200", "200", "200", "200", "200", bad, bad]);
    expect(await outcomes(adam)).toEqual([owner, "200", "200", "200", "200", bad, bad]);
    for (const person of [mona, alice])
      expect(await outcomes(person)).toEqual([owner, bad, bad, "200", "200", bad, bad]);
    expect(refusal(await linkOf(adam, { invite_as: 100 }))).toBe(owner);
  });

  test("D3: nobody into channels and groups that they may not add people to", async () => {
    const { olga, adam, alice, bob, carol, channels } = world;
    const { body: group } = await olga.post("/user_groups/create", {
      name: "cooks",
      description: "",
      members: [],
    });
    const outcome = async (person: Person, more: object) =>
      refusal(await invite(person, `n${Math.random()}@example.com`, { ...more }));
    expect(await outcome(alice, { stream_ids: [channels.general, channels.plans] })).toBe("200");
    expect(await outcome(carol, { stream_ids: [channels.plans] })).toBe("400 BAD_REQUEST");
    // An administrator knows of it and is not in it.
    expect(await outcome(adam, { stream_ids: [channels.plans] })).toBe("400 BAD_REQUEST");
    expect(await outcome(alice, { stream_ids: [99_999_999] })).toBe("400 BAD_REQUEST");
    expect(refusal(await linkOf(olga, { stream_ids: [channels.secret] }))).toBe("400 BAD_REQUEST");
    expect(await outcome(olga, { group_ids: [group.group_id] })).toBe("200");
    expect(await outcome(bob, { group_ids: [group.group_id] })).toBe("400 BAD_REQUEST");
    expect(await outcome(olga, { group_ids: [99_999_999] })).toBe("400 BAD_REQUEST");
    await olga.delete(`/streams/${channels.general}`);
    expect(await outcome(alice, { stream_ids: [channels.general] })).toBe("400 BAD_REQUEST");
  });

  test("the words of welcome are chosen by administrators", async () => {
    const { adam, alice } = world;
    const welcome_message_custom_text = "Soup is at noon.";
    expect((await invite(adam, "n1@example.com", { welcome_message_custom_text })).status).toBe(
      200,
    );
    expect(refusal(await invite(alice, "n2@example.com", { welcome_message_custom_text }))).toBe(
      "400 BAD_REQUEST",
    );
    const long = { welcome_message_custom_text: "x".repeat(8_001) };
    expect(refusal(await invite(adam, "n3@example.com", long))).toBe("400 BAD_REQUEST");
  });
});

test("an invitation expires when its maker says, or never; minutes are positive", async () => {
  await restart(mailFlags);
  const { alice, clock } = world;
  await invite(alice, "soon@example.com", { invite_expires_in_minutes: 5 });
  await invite(alice, "never@example.com", { invite_expires_in_minutes: null });
  for (const minutes of [0, -1, 5_256_001, 1.5, "soon"]) {
    expect(
      refusal(await invite(alice, "no@example.com", { invite_expires_in_minutes: minutes })),
    ).toBe("400 BAD_REQUEST");
  }
  const [soon, never] = await invitesOf(alice);
  expect([soon.expiry_date - clock.now(), never.expiry_date]).toEqual([300, null]);
  clock.advance(300);
  expect(await emailsOf(alice)).toEqual(["never@example.com"]);
  expect(refusal(await alice.delete(`/invites/${soon.id}`))).toBe("400 BAD_REQUEST");
  expect(refusal(await alice.post(`/invites/${soon.id}/resend`))).toBe("400 BAD_REQUEST");
});

test("H5: of the reusable links of one person there are so many at the most, also of two made at once", async () => {
  const { adam, olga, operator, realm } = world;
  const link = {
    realmId: realm.id,
    inviterId: adam.id,
    role: 400,
    channelIds: "[]",
    groupIds: "[]",
    invitedAt: 1,
  };
  const many = Array.from({ length: 499 }, (_, i) => ({
    ...link,
    hash: `x${i}`,
    withDefaults: false,
    notifiesInviter: false,
    sealed: "",
  }));
  await write(operator, (tx) => tx.db.insert(tx.t.invitations).values(many));
  const answers = await Promise.all([linkOf(adam), linkOf(adam), linkOf(olga)]);
  expect(answers.map(refusal).sort()).toEqual(["200", "200", "400 BAD_REQUEST"]);
  await write(operator, (tx) => tx.db.update(tx.t.invitations).set({ expiresAt: 2 }));
  expect((await linkOf(adam)).status).toBe(200);
});

describe("withdrawing and renewing", () => {
  test("one's own, and others' as an administrator; to all others an invitation is not there", async () => {
    await restart(mailFlags);
    const { olga, adam, alice, bob, zoe } = world;
    await invite(alice, "nina@example.com");
    await invite(alice, "noel@example.com");
    const [first, second] = await invitesOf(alice);
    const missing = (await bob.delete("/invites/99999999")).body;
    for (const person of [bob, zoe]) {
      expect((await person.delete(`/invites/${first.id}`)).body).toEqual(missing);
      expect((await person.post(`/invites/${first.id}/resend`)).body).toEqual(missing);
    }
    // The kinds are apart.
    expect((await olga.delete(`/invites/multiuse/${first.id}`)).body).toEqual(missing);
    const queues = await listen({ olga, alice, bob }, invitesOnly);
    expect((await alice.delete(`/invites/${first.id}`)).status).toBe(200);
    expect((await adam.delete(`/invites/${second.id}`)).status).toBe(200);
    expect(await invitesOf(alice)).toEqual([]);
    const told = ["invites_changed", "invites_changed"];
    expect(await hear(queues, ({ type }) => type)).toEqual({ olga: told, alice: told, bob: [] });
  });

  test("those of owners are owners' alone: an administrator neither sees the link nor withdraws it", async () => {
    const { olga, adam } = world;
    await linkOf(olga, { invite_as: 100 });
    const [link] = await invitesOf(olga);
    expect(link).toMatchObject({ is_multiuse: true, invited_as: 100 });
    expect(await invitesOf(adam)).toEqual([]);
    expect(refusal(await adam.delete(`/invites/multiuse/${link.id}`))).toBe(
      "400 UNAUTHORIZED_PRINCIPAL",
    );
    expect((await olga.delete(`/invites/multiuse/${link.id}`)).status).toBe(200);
    expect((await openLink(world, link.link_url)).status).toBe(404);
  });

  test("without mail nothing is sent again, and the link that was given out by hand still works", async () => {
    const { olga, alice } = world;
    const { url } = await inviteByLink(world, "nina@example.com", { from: alice });
    const before = await invitesOf(alice);
    const queues = await listen({ olga, alice }, invitesOnly);
    const { status, body } = await alice.post(`/invites/${before[0].id}/resend`);
    expect([status, body.code, body.msg]).toEqual([
      400,
      "BAD_REQUEST",
      expect.stringContaining("This server sends no mail"),
    ]);
    expect(await invitesOf(alice)).toEqual(before);
    expect((await openLink(world, url)).status).toBe(200);
    expect(await hear(queues, ({ type }) => type)).toEqual({ olga: [], alice: [] });
  });

  test("a renewed invitation lives as long again, and its first link does not work any more", async () => {
    await restart(mailFlags);
    const { olga, alice, clock } = world;
    const { url } = await inviteByLink(world, "nina@example.com", {
      inviteExpiresInMinutes: 60,
      from: alice,
    });
    clock.advance(1_800);
    const [{ id }] = await invitesOf(alice);
    const queues = await listen({ olga, alice }, invitesOnly);
    expect((await alice.post(`/invites/${id}/resend`)).status).toBe(200);
    const [renewed] = await invitesOf(alice);
    expect(renewed).toMatchObject({ id, invited: clock.now(), expiry_date: clock.now() + 3_600 });
    expect((await openLink(world, url)).status).toBe(404);
    const told = ["invites_changed"];
    expect(await hear(queues, ({ type }) => type)).toEqual({ olga: told, alice: told });
  });

  test("invitations go with who made them", async () => {
    const { olga, alice } = world;
    const { url } = await inviteByLink(world, "nina@example.com", { from: alice });
    const link = await reusableLink(world, { from: alice, inviteAs: 600 });
    const queue = await olga.register(invitesOnly);
    await olga.delete(`/users/${alice.id}`);
    expect(await invitesOf(olga)).toEqual([]);
    expect((await queue.events()).map(({ type }) => type)).toEqual(["invites_changed"]);
    for (const gone of [url, link.url]) expect((await openLink(world, gone)).status).toBe(404);
    await olga.post(`/users/${alice.id}/reactivate`);
    expect((await accept(world, url, { full_name: "Nina" })).status).toBe(404);
  });

  test("D3: an invitation goes when its inviter may not give its role any more, and others stay", async () => {
    const { olga, adam, alice } = world;
    const { url } = await inviteByLink(world, "nina@example.com", { from: adam, inviteAs: 300 });
    await reusableLink(world, { from: adam, inviteAs: 200 });
    const asMember = await inviteByLink(world, "noel@example.com", { from: adam });
    await inviteByLink(world, "nora@example.com", { from: olga, inviteAs: 300 });
    const queues = await listen({ olga, adam, alice }, invitesOnly);
    await verify(world, () => olga.patch(`/users/${adam.id}`, { role: 300 }));
    expect(await emailsOf(olga)).toEqual(["noel@example.com", "nora@example.com"]);
    expect(await emailsOf(adam)).toEqual(["noel@example.com"]);
    const told = ["invites_changed"];
    expect(await hear(queues, ({ type }) => type)).toEqual({ olga: told, adam: told, alice: [] });
    expect((await openLink(world, url)).status).toBe(404);
    expect((await openLink(world, asMember.url)).status).toBe(200);
    await olga.patch(`/users/${adam.id}`, { role: 400 });
    expect(await hear(queues, ({ type }) => type)).toEqual({ olga: [], adam: [], alice: [] });
    await olga.patch(`/users/${adam.id}`, { role: 600 });
    expect(await emailsOf(olga)).toEqual(["nora@example.com"]);
  });
});

test("an organization invites so many a day, and each of its people so many", async () => {
  await restart({
    ...mailFlags,
    invitations_per_day_per_user: "3",
    invitations_per_day_per_realm: "4",
  });
  const { alice, bob, olga, clock } = world;
  expect((await invite(alice, "n1@example.com, n2@example.com")).status).toBe(200);
  const { status, body } = await invite(alice, "n3@example.com, n4@example.com");
  expect([status, body.code, body.daily_limit_reached, body.sent_invitations, body.errors]).toEqual(
    [400, "INVITATION_FAILED", true, false, []],
  );
  const [first] = await invitesOf(alice);
  expect((await alice.post(`/invites/${first.id}/resend`)).status).toBe(200);
  // Withdrawing gives nothing back.
  await alice.delete(`/invites/${first.id}`);
  expect((await invite(alice, "n3@example.com")).body.daily_limit_reached).toBe(true);
  expect((await invite(bob, "n5@example.com")).status).toBe(200);
  expect((await invite(bob, "n6@example.com")).body.daily_limit_reached).toBe(true);
  expect((await inviteByLink(world, "n7@example.com")).email).toBe("n7@example.com");
  expect((await linkOf(olga)).status).toBe(200);
  clock.advance(86_400);
  expect((await invite(alice, "n3@example.com")).status).toBe(200);
});

test("state before and events give the state after: inviting, withdrawing, joining", async () => {
  const { olga, alice } = world;
  const verifyNext = verifyInTurn(world);
  await olga.patch("/realm", { signup_announcements_stream_id: world.channels.general });
  await verifyNext(async () => {
    await invite(alice, "nina@example.com");
    await linkOf(olga, { stream_ids: [world.channels.general] });
  });
  const { url } = await inviteByLink(world, "noel@example.com", {
    from: alice,
    channels: [world.channels.plans],
  });
  await verifyNext(async () => {
    expect((await accept(world, url, { full_name: "Noel" })).status).toBe(303);
  });
});
