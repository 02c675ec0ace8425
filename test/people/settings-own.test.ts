import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { deactivateUser } from "../../src/management/accounts/deactivate";
import { setPassword } from "../../src/management/accounts/update";
import { updateSettings } from "../../src/management/settings/service";
import { loadUser } from "../../src/people/users/queries";
import { issueApiKey, listApiKeys } from "../../src/sign-in/api-keys";
import { type Answer, Client, type WireEvent } from "../support/client";
import { verify, verifyInTurn } from "../support/client-state/verify";
import { shapesOf } from "../support/groups";
import { startPoll } from "../support/polls";
import { makeWorld, type Person, type World, worldHost } from "../support/world";

const password = "correct-horse-battery";
const anotherPassword = "another-horse-battery";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

const codeOf = ({ status, body }: Answer) => [status, body.code];
const refused = [400, "BAD_REQUEST"];

const signIn = (username: string, secret: string) =>
  world.anonymous.post("/fetch_api_key", { username, password: secret });

/** Another client of somebody, with a key of its own. */
async function anotherClient(person: Person): Promise<Client> {
  const { apiKey } = await issueApiKey(world.operator, person.id, "another");
  return new Client(world.site, worldHost, { email: person.email, apiKey });
}

const forPeople = (events: WireEvent[]) =>
  shapesOf(events).filter(({ type }) => type === "realm_user");

describe("one's own name and time zone", () => {
  test("are told to those who see the person, settings to the person alone", async () => {
    const { alice, bob, zoe } = world;
    const [own, other, foreign] = [
      await alice.register(),
      await bob.register(),
      await zoe.register(),
    ];
    const change = {
      full_name: " Alice Liddell ",
      timezone: "Europe/Berlin",
      default_language: "de",
    };
    expect((await alice.patch("/settings", change)).body).toEqual({ result: "success", msg: "" });
    const told = [
      {
        type: "realm_user",
        op: "update",
        person: { user_id: alice.id, full_name: "Alice Liddell" },
      },
      {
        type: "realm_user",
        op: "update",
        person: { user_id: alice.id, email: alice.email, timezone: "Europe/Berlin" },
      },
    ];
    expect(shapesOf(await other.events())).toEqual(told);
    const events = await own.events();
    expect(forPeople(events)).toEqual(told);
    expect(shapesOf(events).filter(({ type }) => type === "user_settings")).toEqual([
      { type: "user_settings", op: "update", property: "timezone", value: "Europe/Berlin" },
      {
        type: "user_settings",
        op: "update",
        property: "default_language",
        value: "de",
        language_name: "Deutsch",
      },
      { type: "user_settings", op: "update", property: "twenty_four_hour_time", value: true },
    ]);
    expect(await foreign.events()).toEqual([]);
    const { body } = await bob.get(`/users/${alice.id}`);
    expect(body.user).toMatchObject({ full_name: "Alice Liddell", timezone: "Europe/Berlin" });
    expect((await alice.register()).state).toMatchObject({
      full_name: "Alice Liddell",
      user_settings: { timezone: "Europe/Berlin", default_language: "de" },
    });
    await alice.patch("/settings", change);
    expect(await other.events()).toEqual([]);
  });

  test("give everybody the right picture", async () => {
    const { alice } = world;
    const verifyNext = verifyInTurn(world);
    await verifyNext(() =>
      alice.patch("/settings", {
        full_name: "Alice Liddell",
        timezone: "Asia/Tokyo",
        enter_sends: true,
      }),
    );
    await verifyNext(() => alice.patch("/settings", { timezone: "", email_address_visibility: 3 }));
    await verifyNext(() =>
      alice.patch("/settings", { email_address_visibility: 1, twenty_four_hour_time: "null" }),
    );
  });

  test("are refused where they are bad, with everything else that was sent", async () => {
    const { alice } = world;
    const queue = await alice.register();
    const bad = [
      ...["", "  ", "bad*name", "N".repeat(101), "line\nbreak"].map((full_name) => ({ full_name })),
      { timezone: "Mars/Olympus" },
      { timezone: "+01:00" },
      { enter_sends: "x" },
    ];
    for (const values of bad) {
      const answer = await alice.patch("/settings", { high_contrast_mode: true, ...values });
      expect([values, ...codeOf(answer)]).toEqual([values, ...refused]);
    }
    expect(await queue.events()).toEqual([]);
  });

  test("stay as they are where the organization wants it, but for administrators", async () => {
    const { olga, adam, mona, alice } = world;
    await olga.patch("/realm", { name_changes_disabled: true });
    for (const person of [mona, alice]) {
      expect(codeOf(await person.patch("/settings", { full_name: "Somebody" }))).toEqual(refused);
    }
    expect((await alice.patch("/settings", { full_name: "Alice", enter_sends: true })).status).toBe(
      200,
    );
    expect((await adam.patch("/settings", { full_name: "Adam A." })).status).toBe(200);
  });

  test("are one person's only, where the organization wants it", async () => {
    const { olga, alice } = world;
    expect((await alice.patch("/settings", { full_name: "bob" })).status).toBe(200);
    await olga.patch("/realm", { require_unique_names: true });
    for (const name of ["CAROL", "Ｃarol", "Robot"]) {
      expect(codeOf(await alice.patch("/settings", { full_name: name }))).toEqual(refused);
    }
    expect((await alice.patch("/settings", { full_name: "Bobby" })).status).toBe(200);
  });
});

describe("one's own e-mail address", () => {
  beforeEach(() => setPassword(world.operator, world.alice.id, password));

  const changeEmail = (email: string, old_password: string | undefined = password) =>
    world.alice.patch("/settings", { email, old_password });

  test("is another one at once, for whoever shows the password", async () => {
    const { alice, bob } = world;
    const queue = await bob.register();
    expect((await changeEmail("Liddell@example.com")).status).toBe(200);
    const [first, second, third] = forPeople(await queue.events());
    expect(first.person).toEqual({ user_id: alice.id, delivery_email: "Liddell@example.com" });
    expect(second.person).toEqual({ user_id: alice.id, new_email: "Liddell@example.com" });
    expect(third.person).toMatchObject({ user_id: alice.id, avatar_source: "G" });
    expect((await bob.get("/users/liddell@example.com")).body.user.user_id).toBe(alice.id);
    expect((await bob.get("/users/alice@example.com")).status).toBe(400);
    const apiKey = alice.credentials?.apiKey ?? "";
    expect(
      (
        await new Client(world.site, worldHost, { email: "liddell@example.com", apiKey }).get(
          "/users/me",
        )
      ).status,
    ).toBe(200);
    expect((await alice.get("/users/me")).status).toBe(401);
    expect((await signIn("liddell@example.com", password)).status).toBe(200);
    expect((await signIn("alice@example.com", password)).status).toBe(401);
  });

  test("is not taken back without the password by a client that still knows the old one", async () => {
    const { alice, operator, realm, app } = world;
    const user = await loadUser(app.engine.reader, realm.id, alice.id);
    const early = { ...operator, actor: { kind: "user" as const, user, apiKeyId: 0 } };
    expect((await changeEmail("liddell@example.com")).status).toBe(200);
    await updateSettings(
      early,
      { email: "alice@example.com", fullName: "Alice L." },
      { address: () => "127.0.0.1", header: () => null },
    );
    const after = await loadUser(app.engine.reader, realm.id, alice.id);
    expect([after.email, after.fullName]).toEqual(["liddell@example.com", "Alice L."]);
  });

  test("K3: is told only to those who may read it, the old one and the new one", async () => {
    const { olga, adam, alice, bob, greta } = world;
    await alice.patch("/settings", { email_address_visibility: 3 });
    const queues = { olga: await olga.register(), adam: await adam.register() };
    const others = [await bob.register(), await greta.register()];
    expect((await changeEmail("liddell@example.com")).status).toBe(200);
    for (const queue of Object.values(queues)) {
      expect(JSON.stringify(await queue.events())).toContain("liddell@example.com");
    }
    for (const queue of others) {
      const text = JSON.stringify(await queue.events());
      expect([text.includes("liddell@example.com"), text.includes("alice@example.com")]).toEqual([
        false,
        false,
      ]);
    }
    expect(codeOf(await bob.get("/users/liddell@example.com"))).toEqual(refused);
  });

  test("K3: is told to nobody new when it is hidden and changed at once, nor the old one when it is shown", async () => {
    const { alice, bob } = world;
    const queue = await bob.register();
    const hidden = {
      email: "secret@example.com",
      old_password: password,
      email_address_visibility: 4,
    };
    expect((await alice.patch("/settings", hidden)).status).toBe(200);
    expect(JSON.stringify(await queue.events())).not.toContain("secret@example.com");
    const self = new Client(world.site, worldHost, {
      email: "secret@example.com",
      apiKey: alice.credentials?.apiKey ?? "",
    });
    const shown = {
      email: "open@example.com",
      old_password: password,
      email_address_visibility: 1,
    };
    expect((await self.patch("/settings", shown)).status).toBe(200);
    const text = JSON.stringify(await queue.events());
    expect([text.includes("open@example.com"), text.includes("secret@example.com")]).toEqual([
      true,
      false,
    ]);
  });

  test("is refused without the password, or where it is somebody's, or none", async () => {
    const { bob, alice } = world;
    const queue = await bob.register();
    expect(codeOf(await alice.patch("/settings", { email: "new@example.com" }))).toEqual(refused);
    expect(codeOf(await changeEmail("new@example.com", "wrong-horse-battery"))).toEqual(refused);
    for (const email of [
      "bob@example.com",
      "BOB@example.com",
      "no address",
      `user${bob.id}@${worldHost}`,
      "",
    ]) {
      expect([email, ...codeOf(await changeEmail(email))]).toEqual([email, ...refused]);
    }
    expect((await changeEmail("alice@example.com", undefined)).status).toBe(200);
    expect(await queue.events()).toEqual([]);
    expect((await signIn("alice@example.com", password)).status).toBe(200);
  });

  test.each([1, 2, 3, 4])(
    "gives everybody the right picture, with visibility %i",
    async (visibility) => {
      await world.alice.patch("/settings", { email_address_visibility: visibility });
      await verify(world, () => changeEmail("liddell@example.com"));
    },
  );

  test("may differ by case alone from what it was", async () => {
    expect((await changeEmail("ALICE@example.com")).status).toBe(200);
    expect((await world.alice.get("/users/me")).body.email).toBe("ALICE@example.com");
  });

  test("stays where the organization wants it, but for administrators", async () => {
    const { olga, adam, operator } = world;
    await setPassword(operator, adam.id, password);
    await olga.patch("/realm", { email_changes_disabled: true });
    expect(codeOf(await changeEmail("new@example.com"))).toEqual(refused);
    expect(
      (await adam.patch("/settings", { email: "admin@example.com", old_password: password }))
        .status,
    ).toBe(200);
  });
});

describe("one's own password", () => {
  beforeEach(() => setPassword(world.operator, world.alice.id, password));

  const change = (old_password: string | undefined, new_password: string) =>
    world.alice.patch("/settings", { old_password, new_password });

  test("I1: another one ends every other key, queue and held poll, and the login links, and asks for the old one", async () => {
    const { alice, bob, robot, operator, app } = world;
    const { t } = app.engine.reader;
    const other = await anotherClient(alice);
    const [kept, lost] = [await alice.register(), await other.register()];
    const { answer } = await startPoll(world, lost);
    await app.engine.write(
      world.realm.id,
      (tx) =>
        tx.db
          .insert(t.loginLinks)
          .values({
            realmId: world.realm.id,
            hash: "00",
            userId: alice.id,
            expiresAt: 4_000_000_000,
          })
          .returning({ userId: t.loginLinks.userId }),
      () => undefined,
    );
    for (const old of [undefined, "", "wrong-horse-battery"]) {
      expect([old, ...codeOf(await change(old, anotherPassword))]).toEqual([old, ...refused]);
    }
    expect((await other.get("/users/me")).status).toBe(200);
    expect((await change(password, anotherPassword)).status).toBe(200);
    expect((await answer).body.code).toBe("BAD_EVENT_QUEUE_ID");
    expect((await other.get("/users/me")).status).toBe(401);
    expect((await kept.events()).length).toBe(0);
    await bob.say("general", "lunch", "soup?");
    expect((await kept.events()).map(({ type }) => type)).toEqual(["message"]);
    expect(await listApiKeys(operator, alice.id)).toHaveLength(1);
    expect((await robot.get("/users/me")).status).toBe(200);
    expect(await app.engine.reader.db.select().from(t.loginLinks)).toEqual([]);
    expect([
      (await signIn(alice.email, password)).status,
      (await signIn(alice.email, anotherPassword)).status,
    ]).toEqual([401, 200]);
  });

  test("is told to nobody, and refused when it is too short, too long, or the account has none", async () => {
    const { alice, bob } = world;
    const queues = [await alice.register(), await bob.register()];
    for (const bad of ["short", "", "p".repeat(101)]) {
      expect([bad, ...codeOf(await change(password, bad))]).toEqual([bad, ...refused]);
    }
    expect((await change(password, anotherPassword)).status).toBe(200);
    for (const queue of queues) expect(await queue.events()).toEqual([]);
    const without = await bob.patch("/settings", {
      old_password: "",
      new_password: anotherPassword,
    });
    expect(codeOf(without)).toEqual(refused);
  });

  test("I6: five guesses of the old one are looked at in half an hour; they lock nobody else out", async () => {
    const { alice, clock } = world;
    for (let guess = 0; guess < 5; guess++) {
      expect(codeOf(await change(`wrong-horse-${guess}`, anotherPassword))).toEqual(refused);
    }
    expect(codeOf(await change(password, anotherPassword))).toEqual(refused);
    expect((await signIn(alice.email, password)).status).toBe(200);
    clock.advance(30 * 60);
    expect((await change(password, anotherPassword)).status).toBe(200);
  });
});

describe("who has settings", () => {
  test("people of every role, and no bot", async () => {
    const { olga, adam, mona, alice, greta, robot, zoe } = world;
    for (const person of [olga, adam, mona, alice, greta, zoe]) {
      expect((await person.patch("/settings", { enter_sends: true })).status).toBe(200);
    }
    for (const path of ["/settings", "/settings/display", "/settings/notifications"]) {
      expect([path, ...codeOf(await robot.patch(path, { enter_sends: true }))]).toEqual([
        path,
        ...refused,
      ]);
    }
  });

  test("nothing, and what the server does not know, is answered with success", async () => {
    const { alice } = world;
    expect((await alice.patch("/settings")).body).toEqual({ result: "success", msg: "" });
    expect(
      (await alice.patch("/settings", { bogus_setting: true })).body.ignored_parameters_unsupported,
    ).toEqual(["bogus_setting"]);
  });
});

describe("an administrator changes the settings of others", () => {
  const settingsOf = async (person: Person) =>
    (await person.register({ fetch_event_types: ["user_settings"] })).state.user_settings;

  test("by their ids and those of groups, each hearing of their own; bots are passed over", async () => {
    const { adam, olga, alice, bob, greta, robot } = world;
    const { body } = await adam.get("/user_groups");
    const moderators = body.user_groups.find(
      ({ name }: { name: string }) => name === "role:administrators",
    ).id;
    const queues = [
      await alice.register(),
      await olga.register(),
      await bob.register(),
      await robot.register(),
    ];
    const target_users = {
      user_ids: [alice.id, robot.id],
      group_ids: [moderators],
      skip_if_already_edited: false,
    };
    expect((await adam.patch("/settings", { target_users, color_scheme: 2 })).status).toBe(200);
    const event = { type: "user_settings", op: "update", property: "color_scheme", value: 2 };
    expect(await Promise.all(queues.map(async (queue) => shapesOf(await queue.events())))).toEqual([
      [event],
      [event],
      [],
      [],
    ]);
    for (const [person, value] of [
      [alice, 2],
      [olga, 2],
      [adam, 2],
      [bob, 1],
      [greta, 1],
    ] as const) {
      expect((await settingsOf(person)).color_scheme).toBe(value);
    }
  });

  test("but not what they have chosen themselves, if it is so wished", async () => {
    const { adam, alice, bob, greta } = world;
    const everybody = { user_ids: [alice.id, greta.id], skip_if_already_edited: true };
    await verify(world, () =>
      adam.patch("/settings", { target_users: everybody, enable_sounds: false }),
    );
    await alice.patch("/settings", { color_scheme: 3 });
    await alice.patch("/settings", { color_scheme: 1 });
    const change = (skip_if_already_edited: boolean, value: number) =>
      adam.patch("/settings", {
        target_users: { user_ids: [alice.id, bob.id], skip_if_already_edited },
        color_scheme: value,
        enter_sends: true,
      });
    await change(true, 2);
    expect([(await settingsOf(alice)).color_scheme, (await settingsOf(bob)).color_scheme]).toEqual([
      1, 2,
    ]);
    expect((await settingsOf(alice)).enter_sends).toBe(true);
    await change(true, 3);
    expect((await settingsOf(bob)).color_scheme).toBe(3);
    await change(false, 2);
    expect((await settingsOf(alice)).color_scheme).toBe(2);
  });

  test("and nobody else does, nor anything personal, nor people of another organization", async () => {
    const { adam, mona, alice, bob, zoe, operator } = world;
    const queue = await bob.register();
    const target_users = { user_ids: [bob.id], skip_if_already_edited: false };
    for (const person of [mona, alice]) {
      const answer = await person.patch("/settings", { target_users, enter_sends: true });
      expect(codeOf(answer)).toEqual([400, "UNAUTHORIZED_PRINCIPAL"]);
    }
    const personal = [
      { send_read_receipts: false },
      { email_address_visibility: 4 },
      { presence_enabled: false },
      { full_name: "Bobby" },
      { timezone: "Asia/Tokyo" },
      { email: "new@example.com" },
      { new_password: anotherPassword, old_password: password },
    ];
    for (const values of personal) {
      const answer = await adam.patch("/settings", { target_users, enter_sends: true, ...values });
      expect([values, ...codeOf(answer)]).toEqual([values, ...refused]);
    }
    for (const wrong of [
      { skip_if_already_edited: true },
      { user_ids: [], skip_if_already_edited: true },
      { user_ids: [zoe.id], skip_if_already_edited: true },
      { user_ids: [bob.id] },
      { group_ids: [999_999], skip_if_already_edited: true },
    ]) {
      const answer = await adam.patch("/settings", { target_users: wrong, enter_sends: true });
      expect([wrong, ...codeOf(answer)]).toEqual([wrong, ...refused]);
    }
    expect(await queue.events()).toEqual([]);
    await deactivateUser(operator, bob.id);
    expect((await adam.patch("/settings", { target_users, enter_sends: true })).status).toBe(200);
    const { db, t } = world.app.engine.reader;
    const [row] = await db.select().from(t.users).where(eq(t.users.id, bob.id));
    expect(JSON.parse(row?.settings ?? "")).toEqual({ enter_sends: true });
  });
});
