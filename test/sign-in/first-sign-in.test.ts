import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { isoTimeWithOffset } from "../../src/core/clock";
import { write } from "../../src/core/write";
import { insertAccount } from "../../src/management/accounts/create";
import { setPassword } from "../../src/management/accounts/update";
import { announceAccount } from "../../src/people/users/announce";
import { createLoginLink } from "../../src/sign-in/login-links";
import { Browser } from "../support/browser";
import { verify } from "../support/client-state/verify";
import { makeWorld, type World, worldHost } from "../support/world";

const password = "correct-horse-battery";
const email = "nora@example.com";

let world: World;
let noraId: number;
beforeEach(async () => {
  world = await makeWorld();
  const { body } = await world.olga.post("/users", { email, password, full_name: "Nora" });
  noraId = body.user_id;
  world.clock.advance(86_400);
});
afterEach(() => world.close());

const nora = async (id = noraId) => (await world.alice.get(`/users/${id}`)).body.user;
const now = () => isoTimeWithOffset(world.clock.now());
const signIn = () => world.anonymous.post("/fetch_api_key", { username: email, password });

const arrival = (user_id = noraId) => [
  { type: "realm_user", op: "update", person: { user_id, is_imported_stub: false } },
  { type: "realm_user", op: "update", person: { user_id, date_joined: now() } },
];

const withoutIds = (events: { id: number }[]) => events.map(({ id: _, ...event }) => event);

const waysIn: [string, () => Promise<unknown>][] = [
  ["with their password, for an API key", signIn],
  [
    "with their password, in a browser",
    () => new Browser(world.site, worldHost).submit("/login", { email, password }),
  ],
  [
    "by a login link",
    async () => {
      const { url } = await createLoginLink(world.operator, noraId, 172_800);
      return new Browser(world.site, worldHost).submit(new URL(url).pathname);
    },
  ],
];

describe("somebody whom an administrator has added through the API", () => {
  test.each(waysIn)("joins when they sign in first: %s", async (_name, enter) => {
    expect(await nora()).toMatchObject({
      date_joined: isoTimeWithOffset(world.clock.now() - 86_400),
      is_imported_stub: false,
    });
    const [alice, stranger] = [await world.alice.register(), await world.zoe.register()];
    await verify(world, enter);
    expect(await nora()).toMatchObject({ date_joined: now(), is_imported_stub: false });
    expect(withoutIds(await alice.events())).toEqual(arrival());
    expect(await stranger.events()).toEqual([]);
    world.clock.advance(60);
    await signIn();
    expect(await alice.events()).toEqual([]);
    expect((await nora()).date_joined).toBe(isoTimeWithOffset(world.clock.now() - 60));
  });

  test("joins once, also when they sign in twice at the same moment", async () => {
    const alice = await world.alice.register();
    await Promise.all([signIn(), signIn(), signIn()]);
    expect(withoutIds(await alice.events())).toEqual(arrival());
  });

  test("begins the waiting period anew with it, which everybody hears who had them for a full member", async () => {
    await world.olga.patch("/realm", { waiting_period_threshold: 3 });
    world.clock.advance(10 * 86_400);
    await verify(world, signIn);
  });

  test("does not join by a guess, nor by a link that is only looked at", async () => {
    const { url } = await createLoginLink(world.operator, noraId, 172_800);
    await new Browser(world.site, worldHost).open(new URL(url).pathname);
    await world.anonymous.post("/fetch_api_key", { username: email, password: "a-wrong-guess" });
    expect((await nora()).date_joined).toBe(isoTimeWithOffset(world.clock.now() - 86_400));
  });

  test("K1: is not told of to guests who do not see them", async () => {
    const { olga, greta } = world;
    const { body } = await olga.get("/user_groups");
    const admins = body.user_groups.find(({ name }: { name: string }) => name === "role:members");
    await olga.patch("/realm", { can_access_all_users_group: { new: admins.id } });
    const queue = await greta.register();
    await signIn();
    expect(await queue.events()).toEqual([]);
  });
});

test("who was there from the start joined then", async () => {
  await setPassword(world.operator, world.alice.id, password);
  const bob = await world.bob.register();
  const before = await nora(world.alice.id);
  await world.anonymous.post("/fetch_api_key", { username: world.alice.email, password });
  expect(await nora(world.alice.id)).toEqual(before);
  expect(await bob.events()).toEqual([]);
});

test("who was brought along from another system is a stub until they sign in", async () => {
  const { operator, alice } = world;
  const imported = {
    email: "imported@example.com",
    fullName: "Imported",
    role: 400 as const,
    passwordHash: null,
    botType: null,
    botOwnerId: null,
    isImportedStub: true,
  };
  const { id } = await write(operator, async (tx) => {
    const user = await insertAccount(tx, operator, imported);
    await announceAccount(tx, user);
    return user;
  });
  expect(await nora(id)).toMatchObject({ is_imported_stub: true });
  const { state } = await alice.register();
  expect(
    state.realm_users.find(({ user_id }: { user_id: number }) => user_id === id).is_imported_stub,
  ).toBe(true);
  world.clock.advance(60);
  const queue = await alice.register();
  const { url } = await createLoginLink(operator, id, 172_800);
  await verify(world, () => new Browser(world.site, worldHost).submit(new URL(url).pathname));
  expect(withoutIds(await queue.events())).toEqual(arrival(id));
  expect(await nora(id)).toMatchObject({ is_imported_stub: false, date_joined: now() });
});
