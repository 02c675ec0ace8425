import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { write } from "../../src/core/write";
import { updateRealmSettingsIn } from "../../src/management/organization/change-settings";
import { verifyInTurn } from "../support/client-state/verify";
import { makeWorld, type Person, type World } from "../support/world";

/**
 * For everybody and every verb that changes accounts, or who sees whom: the state before and the
 * events give the state after. Greta sees only those with whom she shares a channel or a
 * conversation; some hide their addresses.
 */
let world: World;
let verifyNext: ReturnType<typeof verifyInTurn>;
beforeEach(async () => {
  world = await makeWorld();
  const { operator, alice, greta, carol, otto } = world;
  await subscribe(alice, "crew", alice, greta, carol);
  await write(operator, (tx) =>
    updateRealmSettingsIn(tx, operator, { can_access_all_users_group: "role:members" }),
  );
  await otto.patch("/settings", { email_address_visibility: 2 });
  await carol.patch("/settings", { email_address_visibility: 3 });
  verifyNext = verifyInTurn(world);
});
afterEach(() => world.close());

const subscribe = (by: Person, name: string, ...people: Person[]) =>
  by.post("/users/me/subscriptions", {
    subscriptions: [{ name }],
    principals: people.map(({ id }) => id),
  });

const unsubscribe = (by: Person, name: string, ...people: Person[]) =>
  by.delete("/users/me/subscriptions", {
    subscriptions: [name],
    principals: people.map(({ id }) => id),
  });

/** Does it, all of which must be allowed, and checks everybody's state. */
async function check(...actions: (() => Promise<{ status: number; body: unknown }>)[]) {
  return verifyNext(async () => {
    for (const act of actions) {
      const { status, body } = await act();
      expect([status, body]).toEqual([200, expect.anything()]);
    }
  });
}

describe("Who sees whom", () => {
  test("changes with subscriptions", async () => {
    const { alice, bob, greta, olga, otto, carol, mona } = world;
    await check(() => subscribe(alice, "crew", bob));
    await check(() => subscribe(bob, "general", greta, otto));
    await check(() => unsubscribe(olga, "general", greta));
    await check(
      () => subscribe(alice, "inner", greta, mona, alice),
      () => unsubscribe(carol, "crew", carol),
    );
    await check(
      () => unsubscribe(greta, "crew", greta),
      () => unsubscribe(greta, "inner", greta),
    );
    const counts = await check(() => unsubscribe(olga, "general", otto));
    expect(counts["greta"]).toBe(0);
  });

  test("changes with direct messages", async () => {
    const { bob, greta, otto, adam, robot } = world;
    const tell =
      (by: Person, ...to: Person[]) =>
      () =>
        by.post("/messages", { type: "direct", to: to.map(({ id }) => id), content: "hi" });
    await check(tell(bob, greta), tell(greta, bob), tell(otto, greta, adam));
    await check(tell(greta, robot), tell(greta, greta), tell(adam, otto));
  });

  test("changes with roles", async () => {
    const { olga, carol, greta, mona } = world;
    const role = (person: Person, number: number) => () =>
      olga.patch(`/users/${person.id}`, { role: number });
    for (const [person, number] of [
      [greta, 400],
      [greta, 600],
      [carol, 600],
      [carol, 200],
      [mona, 600],
    ] as const) {
      await check(role(person, number));
    }
  });

  test("changes with the organization's mind", async () => {
    const { olga } = world;
    const ids = (await olga.get("/user_groups")).body.user_groups as { id: number; name: string }[];
    const groupId = (name: string) => ids.find((group) => group.name === name)?.id;
    for (const name of ["role:everyone", "role:members"]) {
      await check(() =>
        olga.patch("/realm", { can_access_all_users_group: { new: groupId(name) } }),
      );
    }
  });
});

describe("Accounts", () => {
  test("come, change and go", async () => {
    const { olga, bob, carol, greta, alice } = world;
    const nina = {
      email: "nina@example.com",
      full_name: "Nina",
      password: "correct-horse-battery",
    };
    await check(() => olga.post("/users", nina));
    await check(() =>
      olga.post("/users/me/subscriptions", {
        subscriptions: [{ name: "lobby" }],
        is_default_stream: true,
      }),
    );
    await check(() => subscribe(olga, "lobby", greta));
    await check(() =>
      olga.post("/users", { ...nina, email: "nora@example.com", full_name: "Nora" }),
    );
    const rename = (person: Person) => () =>
      olga.patch(`/users/${person.id}`, { full_name: `New ${person.fullName}` });
    await check(rename(bob), rename(carol), rename(greta));
    for (const person of [carol, greta, alice]) {
      await check(() => olga.delete(`/users/${person.id}`));
      await check(() => olga.post(`/users/${person.id}/reactivate`));
    }
  });

  test("go with a default address that is hidden", async () => {
    const { olga } = world;
    await check(() => olga.patch("/realm/user_settings_defaults", { email_address_visibility: 5 }));
    const nina = {
      email: "nina@example.com",
      full_name: "Nina",
      password: "correct-horse-battery",
    };
    await check(() => olga.post("/users", nina));
  });

  test("show and hide their addresses, and change them", async () => {
    const { olga, alice, carol, greta, robot } = world;
    for (const [person, email_address_visibility] of [
      [alice, 3],
      [alice, 5],
      [alice, 1],
      [greta, 4],
      [carol, 5],
    ] as const) {
      await check(() => person.patch("/settings", { email_address_visibility }));
    }
    await check(() => olga.patch(`/users/${carol.id}`, { new_email: "carol@new.example.com" }));
    await check(() => olga.patch(`/users/${robot.id}`, { role: 200 }));
    await check(() => alice.patch("/settings", { timezone: "Europe/Berlin", full_name: "Alicia" }));
    await check(() => alice.delete("/users/me"));
  });
});
