import { afterEach, beforeEach, expect, test } from "bun:test";
import { verify } from "../support/client-state/verify";
import { hear, listen, refusal } from "../support/listening";
import { makeWorld, type Person, type World } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

const domainsOnly = { event_types: ["realm_domains", "realm"] };
const add = (person: Person, domain: string, allow_subdomains = false) =>
  person.post("/realm/domains", { domain, allow_subdomains });
const domainsOf = async (person: Person) => (await person.get("/realm/domains")).body.domains;
const create = (email: string, full_name = email.split("@")[0]) =>
  world.olga.post("/users", { email, full_name, password: "correct-horse-battery" });

test("Olga adds, changes and removes a domain; everybody of the realm hears of it, nobody else", async () => {
  const { olga, greta, zoe } = world;
  const queues = await listen({ olga, greta, zoe }, domainsOnly);
  expect((await add(olga, " Example.NET ")).body.new_domain).toEqual([
    expect.any(Number),
    "example.net",
  ]);
  expect(await domainsOf(greta)).toEqual([{ domain: "example.net", allow_subdomains: false }]);
  await olga.patch("/realm/domains/example.net", { allow_subdomains: true });
  expect(await domainsOf(greta)).toEqual([{ domain: "example.net", allow_subdomains: true }]);
  expect((await olga.delete("/realm/domains/example.net")).status).toBe(200);
  expect([await domainsOf(greta), await domainsOf(zoe)]).toEqual([[], []]);
  const told = ["add", "change", "remove"];
  expect(await hear(queues, ({ op }) => op)).toEqual({ olga: told, greta: told, zoe: [] });
});

test("What is no domain, is there already or is missing is refused", async () => {
  const { olga, zoe } = world;
  await add(olga, "example.net");
  for (const domain of [
    "",
    "example",
    "bad_domain.net",
    "-a.net",
    "a..net",
    `${"a".repeat(64)}.net`,
    "EXAMPLE.net",
  ]) {
    expect([domain, refusal(await add(olga, domain))]).toEqual([domain, "400 BAD_REQUEST"]);
  }
  expect(refusal(await zoe.delete("/realm/domains/example.net"))).toBe("400 BAD_REQUEST");
  expect(refusal(await zoe.patch("/realm/domains/example.net", { allow_subdomains: true }))).toBe(
    "400 BAD_REQUEST",
  );
  expect(await domainsOf(olga)).toEqual([{ domain: "example.net", allow_subdomains: false }]);
});

test("An organization that is restricted to its domains takes no other addresses, neither new ones nor changed ones", async () => {
  const { olga, operator } = world;
  await add(olga, "example.net");
  await add(olga, "example.org", true);
  await olga.patch("/realm", { emails_restricted_to_domains: true });
  expect((await create("new@example.net")).status).toBe(200);
  expect((await create("sub@a.b.Example.org")).status).toBe(200);
  for (const email of [
    "new@example.com",
    "new@sub.example.net",
    "new@badexample.org",
    "plus+x@example.net",
  ]) {
    expect([email, refusal(await create(email))]).toEqual([email, "400 BAD_REQUEST"]);
  }
  expect(
    refusal(await olga.patch(`/users/${world.alice.id}`, { new_email: "alice@example.com.evil" })),
  ).toBe("400 BAD_REQUEST");
  expect(
    (await olga.patch(`/users/${world.alice.id}`, { new_email: "alice@example.net" })).status,
  ).toBe(200);
  expect(operator.realm.id).toBe(world.realm.id);
});

test("With the last domain the restriction ends, or nobody could come in", async () => {
  const { olga, alice } = world;
  await add(olga, "example.net");
  await olga.patch("/realm", { emails_restricted_to_domains: true });
  const queue = await alice.register(domainsOnly);
  await olga.delete("/realm/domains/example.net");
  const events = await queue.events();
  expect(events).toMatchObject([
    { type: "realm_domains", op: "remove", domain: "example.net" },
    { type: "realm", op: "update", property: "emails_restricted_to_domains", value: false },
  ]);
  expect((await create("new@example.com")).status).toBe(200);
});

test("The domains at register and the events give the domains afterwards", async () => {
  const { olga } = world;
  await verify(world, async () => {
    await add(olga, "one.example.net");
    await add(olga, "two.example.net");
    await olga.patch("/realm/domains/one.example.net", { allow_subdomains: true });
    await olga.delete("/realm/domains/two.example.net");
  });
});
