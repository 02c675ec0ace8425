import { afterEach, beforeEach, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { operatorContext } from "../../src/core/operator";
import { write } from "../../src/core/write";
import { setPassword } from "../../src/management/accounts/update";
import { applyOrganization, diffOrganization } from "../../src/moving/organization/apply";
import { parseDeclaration } from "../../src/moving/organization/parse";
import { findUserByEmail } from "../../src/people/users/queries";
import { createLoginLink } from "../../src/sign-in/login-links";
import { Browser } from "../support/browser";
import { makeWorld, type World, worldHost } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld({}, []);
});
afterEach(() => world.close());

const password = "correct-horse-battery";

/** Declares somebody with a password, as a start does: it is hashed later. */
async function declare(email: string, declaredPassword: string) {
  const declared = declarationOf(email, declaredPassword);
  await applyOrganization(world.app, declared, { passwordsLater: true });
}

function declarationOf(email: string, declaredPassword: string) {
  const { name, host } = world.realm;
  const text = `realm: {name: ${name}, host: ${host}}\nusers: [{email: ${email}, name: Nora, password: ${declaredPassword}}]\n`;
  return parseDeclaration({ name: "org.yaml", text });
}

const signIn = async (username: string, given = password) =>
  (await world.anonymous.post("/fetch_api_key", { username, password: given })).status;

async function rowOf(email: string) {
  const user = await findUserByEmail(world.app.engine.reader, world.realm.id, email);
  if (!user) throw new Error(`${email} is nobody`);
  return user;
}

async function storedPayloads() {
  const { jobs } = world.app.engine.schema;
  const rows = await world.app.engine.reader.db
    .select()
    .from(jobs)
    .where(eq(jobs.name, "hash_password"));
  return rows.map(({ payload }) => payload);
}

test("a declared password works from the first answer on, before any background work, and once", async () => {
  await declare("nora@example.com", password);
  expect((await rowOf("nora@example.com")).passwordHash).toBeNull();
  expect(await storedPayloads()).toHaveLength(1);
  expect((await storedPayloads()).join()).not.toContain(password);
  expect(await Promise.all([signIn("nora@example.com"), signIn("nora@example.com")])).toEqual([
    200, 200,
  ]);
  expect((await rowOf("nora@example.com")).passwordHash).toStartWith("$argon2id$");
  expect(await storedPayloads()).toEqual([]);
  expect(await signIn("nora@example.com", "another-password")).toBe(401);
});

test("a declared password that is not hashed yet is nothing to change", async () => {
  const declared = declarationOf("nora@example.com", password);
  const changesNow = async () =>
    (await diffOrganization(world.app, declared)).changes.flatMap(({ lines }) => lines);
  expect(await changesNow()).toContain("+ user nora@example.com (member)");
  await declare("nora@example.com", password);
  expect(await changesNow()).toEqual([]);
  await declare("nora@example.com", password);
  expect(await signIn("nora@example.com")).toBe(200);
  expect(await changesNow()).toEqual([]);
});

test("a declared password that was not hashed when the server ended works from the first answer of the next one on", async () => {
  await declare("nora@example.com", password);
  await world.restart();
  expect((await rowOf("nora@example.com")).passwordHash).toBeNull();
  expect(await signIn("nora@example.com")).toBe(200);
});

test("whoever came by a login link gets no key without a password that is declared and not hashed yet", async () => {
  await declare("nora@example.com", password);
  const { id } = await rowOf("nora@example.com");
  const { url } = await createLoginLink(world.operator, id, 3_600);
  const browser = new Browser(world.site, worldHost);
  await browser.submit(new URL(url).pathname);
  const without = await (await browser.submit("/account/key")).text();
  expect(without).not.toMatch(/^key=/m);
  expect(await (await browser.submit("/account/key", { password })).text()).toMatch(
    /^key=[A-Za-z0-9]{32}$/m,
  );
});

test("the account page asks whoever came by a login link for a password that is declared and not hashed yet", async () => {
  await declare("nora@example.com", password);
  const { id } = await rowOf("nora@example.com");
  const { url } = await createLoginLink(world.operator, id, 3_600);
  const browser = new Browser(world.site, worldHost);
  await browser.submit(new URL(url).pathname);
  const page = await (await browser.open("/account")).text();
  const fieldsOf = (action: string) =>
    [
      ...(new RegExp(`action="${action}">(.*?)</form>`, "s").exec(page)?.[1] ?? "").matchAll(
        /name="(\w+)" type="password"/g,
      ),
    ].map(([, name = ""]) => name);
  expect(fieldsOf("/account/password")).toEqual(["old_password", "new_password"]);
  const fields = Object.fromEntries(fieldsOf("/account/key").map((name) => [name, password]));
  expect(await (await browser.submit("/account/key", fields)).text()).toMatch(
    /^key=[A-Za-z0-9]{32}$/m,
  );
});

test("a declared password that was declared again before it was hashed is the later one", async () => {
  await declare("nora@example.com", "an-earlier-password");
  await declare("nora@example.com", password);
  expect(await signIn("nora@example.com", "an-earlier-password")).toBe(401);
  expect(await signIn("nora@example.com")).toBe(200);
});

test("somebody who is deleted for good before their declared password is hashed gets none", async () => {
  await declare("nora@example.com", password);
  const { id } = await rowOf("nora@example.com");
  const isNora = eq(world.app.engine.schema.users.id, id);
  await write(operatorContext(world.app, world.realm), async ({ db, t }) => {
    await db.update(t.users).set({ isDeleted: true, isActive: false }).where(isNora);
  });
  expect(await signIn("nora@example.com")).toBe(401);
  const { db, t } = world.app.engine.reader;
  const [row] = await db.select({ hash: t.users.passwordHash }).from(t.users).where(isNora);
  expect(row?.hash).toBeNull();
});

test("a password that somebody was given meanwhile stays theirs", async () => {
  await declare("nora@example.com", password);
  const ctx = operatorContext(world.app, world.realm);
  await setPassword(ctx, (await rowOf("nora@example.com")).id, "a-password-of-her-own");
  await world.restart();
  expect(await signIn("nora@example.com", "a-password-of-her-own")).toBe(200);
  expect(await signIn("nora@example.com")).toBe(401);
});
