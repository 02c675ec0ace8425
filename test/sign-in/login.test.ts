import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { deactivateUser } from "../../src/management/accounts/deactivate";
import { setPassword } from "../../src/management/accounts/update";
import { loadAccount } from "../../src/moving/organization/lookup";
import { tidySignIns, unlockSignIn } from "../../src/sign-in/failed-sign-ins";
import { createLoginLink } from "../../src/sign-in/login-links";
import { hashPasswords } from "../../src/sign-in/passwords";
import { type Answer, Client } from "../support/client";
import { makeWorldWithLineOf } from "../support/hashing-line";
import { refusalOf } from "../support/refusal";
import { makeWorld, type World, worldHost } from "../support/world";

const password = "correct-horse-battery";
const halfAnHour = 1_800;

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

const signIn = (username: string, secret = password, site = world.site) =>
  new Client(site, worldHost).post("/fetch_api_key", { username, password: secret });

/** Signs in with a wrong password so many times; answers the last answer. */
async function fail(username: string, times: number): Promise<Answer> {
  let answer = await signIn(username, "a-wrong-guess");
  for (let i = 1; i < times; i++) answer = await signIn(username, "a-wrong-guess");
  return answer;
}

/** Failures with each e-mail address, from everywhere together. */
const storedFailures = async () => {
  const { db, t } = world.app.engine.reader;
  return (await db.select().from(t.failedSignIns)).filter(({ emailKey }) => emailKey.includes("@"));
};

describe("I6: five failures", () => {
  beforeEach(() => setPassword(world.operator, world.alice.id, password));

  test("lock an account for their address for half an hour, for the right password too; not longer because somebody goes on", async () => {
    expect((await fail("alice@example.com", 5)).status).toBe(401);
    const locked = await signIn("alice@example.com");
    expect([locked.status, locked.body.code]).toEqual([401, "AUTHENTICATION_FAILED"]);
    world.clock.advance(halfAnHour - 1);
    await fail("alice@example.com", 3);
    expect((await signIn("alice@example.com")).status).toBe(401);
    world.clock.advance(1);
    expect((await signIn("alice@example.com")).status).toBe(200);
  });

  test("count for the account, under whichever of its addresses", async () => {
    await fail("alice@example.com", 2);
    await fail(" ALICE@Example.com ", 1);
    await fail(`user${world.alice.id}@${worldHost}`, 2);
    expect((await signIn("alice@example.com")).status).toBe(401);
    expect(await storedFailures()).toMatchObject([{ emailKey: "alice@example.com", failures: 5 }]);
  });

  test("are forgotten at a success, and after half an hour", async () => {
    await fail("alice@example.com", 4);
    expect((await signIn("alice@example.com")).status).toBe(200);
    await fail("alice@example.com", 4);
    world.clock.advance(halfAnHour);
    await fail("alice@example.com", 4);
    expect((await signIn("alice@example.com")).status).toBe(200);
    expect(await storedFailures()).toEqual([]);
  });

  test("lock after a restart and on every other node too, and only in their own organization", async () => {
    await fail("alice@example.com", 3);
    const node = await world.startNode();
    await signIn("alice@example.com", "a-wrong-guess", node.site);
    await signIn("alice@example.com", "a-wrong-guess", node.site);
    expect((await signIn("alice@example.com")).status).toBe(401);
    await world.restart();
    expect((await signIn("alice@example.com")).status).toBe(401);
    await setPassword(
      { ...world.operator, realm: { ...world.realm, id: world.realm.id + 1 } },
      world.zoe.id,
      password,
    );
    const other = new Client(world.site, "other.example.com");
    expect(
      (await other.post("/fetch_api_key", { username: world.zoe.email, password })).status,
    ).toBe(200);
    const theirs = (await storedFailures()).map(({ realmId }) => realmId);
    expect(theirs).toEqual([world.realm.id]);
  });

  test("are no more than five when they come at the same moment", async () => {
    const guesses = Array.from({ length: 12 }, (_, index) =>
      signIn("alice@example.com", `guess-number-${index}`),
    );
    for (const { status } of await Promise.all(guesses)) expect(status).toBe(401);
    expect(await storedFailures()).toMatchObject([{ failures: 5 }]);
    expect((await signIn("alice@example.com")).status).toBe(401);
  });

  test("do not come of many who sign in at the same moment with the right password", async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => signIn("alice@example.com")),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
  });

  test("are lifted by the operator, and by nobody else", async () => {
    await fail("alice@example.com", 5);
    const user = await loadAccount(world.operator, "alice@example.com");
    const asAlice = { ...world.operator, actor: { kind: "user" as const, user, apiKeyId: 1 } };
    expect((await refusalOf(unlockSignIn(asAlice, user))).status).toBe(403);
    await unlockSignIn(world.operator, user);
    expect((await signIn("alice@example.com")).status).toBe(200);
  });

  test("under addresses that nobody has are cleaned away when they do not count any more", async () => {
    await fail("nobody@example.com", 2);
    world.clock.advance(60);
    await fail("somebody@example.com", 1);
    world.clock.advance(halfAnHour - 60);
    await tidySignIns(world.app, [world.realm.id, world.realm.id + 1]);
    expect((await storedFailures()).map(({ emailKey }) => emailKey)).toEqual([
      "somebody@example.com",
    ]);
  });
});

describe("I5: who has an account", () => {
  beforeEach(() => setPassword(world.operator, world.alice.id, password));

  test("is not told by the answer: unknown address, wrong password, lock of either", async () => {
    const answers: Answer[] = [];
    for (const username of ["alice@example.com", "nobody@example.com"]) {
      answers.push(await fail(username, 1), await fail(username, 6), await signIn(username));
    }
    for (const { status, body } of answers)
      expect({ status, ...body }).toEqual({ status: 401, ...answers[0]?.body });
    expect(answers[0]?.body.code).toBe("AUTHENTICATION_FAILED");
    expect((await storedFailures()).map(({ failures }) => failures)).toEqual([5, 5]);
  });

  test("is not told by the time: each of them waits for its turn to be hashed, with the same costs", async () => {
    await world.close();
    world = await makeWorldWithLineOf(1);
    for (const { id } of [world.alice, world.olga]) await setPassword(world.operator, id, password);
    await fail("olga@example.com", 5);
    for (const username of [
      "alice@example.com",
      "nobody@example.com",
      "bob@example.com",
      "olga@example.com",
    ]) {
      const answers = await Promise.all(
        Array.from({ length: 12 }, () => signIn(username, "a-wrong-guess")),
      );
      const statuses = new Set(answers.map(({ status }) => status));
      expect([username, ...statuses].sort()).toEqual([401, 429, username].sort());
    }
  });

  test("is told to whoever has the right password of a deactivated account, but not through a lock", async () => {
    await deactivateUser(world.operator, world.alice.id);
    expect((await signIn("alice@example.com")).body.code).toBe("USER_DEACTIVATED");
    await fail("alice@example.com", 5);
    expect((await signIn("alice@example.com")).body.code).toBe("AUTHENTICATION_FAILED");
  });
});

describe("I6: hashing cannot be used to keep the server busy", () => {
  test("checks beyond the line that waits are refused at once, and the next ones are not", async () => {
    await world.close();
    world = await makeWorldWithLineOf(2);
    await setPassword(world.operator, world.alice.id, password);
    const flood = Array.from({ length: 30 }, (_, index) => signIn(`guess${index}@example.com`));
    const answers = await Promise.all(flood);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(10);
    expect(answers.length - refused.length).toBeGreaterThanOrEqual(3);
    expect(refused[0]?.body).toMatchObject({ code: "RATE_LIMIT_HIT", "retry-after": 5 });
    expect(refused[0]?.headers.get("retry-after")).toBe("5");
    expect((await signIn("alice@example.com")).status).toBe(200);
  });

  test("new passwords stand in the same line, and those that an operator gives to many do not fill it", async () => {
    await world.close();
    world = await makeWorldWithLineOf(2);
    await setPassword(world.operator, world.alice.id, password);
    const people = Array.from({ length: 20 }, (_, index) => ({
      email: `new${index}@example.com`,
      password,
    }));
    const created = await Promise.all(
      people.map(({ email }, index) =>
        world.olga.post("/users", { email, password, full_name: `New ${index}` }),
      ),
    );
    const statuses = created.map(({ status }) => status);
    expect([...new Set(statuses)].sort()).toEqual([200, 429]);
    const hashed: string[] = [];
    const work = hashPasswords(world.app, people, ({ email }) => void hashed.push(email));
    expect((await signIn("alice@example.com")).status).toBe(200);
    expect(hashed.length).toBeLessThan(20);
    await work;
    expect(hashed).toEqual(people.map(({ email }) => email));
    const short = [{ password: "seven77" }];
    expect((await refusalOf(hashPasswords(world.app, short, () => undefined))).message).toContain(
      "8 to 100",
    );
  });

  test("an address may fail so often in half an hour, whatever it fails with; what succeeds does not count", async () => {
    await world.close();
    world = await makeWorld({ failed_sign_ins_per_address_max: "4" });
    await setPassword(world.operator, world.alice.id, password);
    for (let i = 0; i < 6; i++) expect((await signIn("alice@example.com")).status).toBe(200);
    for (let i = 0; i < 4; i++) expect((await fail(`guess${i}@example.com`, 1)).status).toBe(401);
    const refused = await signIn("alice@example.com");
    expect([refused.status, refused.body.code, refused.body["retry-after"]]).toEqual([
      429,
      "RATE_LIMIT_HIT",
      450,
    ]);
    expect(await storedFailures()).toHaveLength(4);
    world.clock.advance(450);
    expect((await signIn("alice@example.com")).status).toBe(200);
  });

  test("H10: a very long password is refused before it is hashed, and a very long address too", async () => {
    await world.close();
    world = await makeWorldWithLineOf(1);
    const flood = Array.from({ length: 12 }, () => signIn("alice@example.com", "p".repeat(60_000)));
    for (const { status, body } of await Promise.all(flood))
      expect([status, body.code]).toEqual([401, "AUTHENTICATION_FAILED"]);
    expect(
      (await refusalOf(setPassword(world.operator, world.bob.id, "p".repeat(60_000)))).message,
    ).toContain("100");
    const long = await signIn(`${"a".repeat(60_000)}@example.com`);
    expect([long.status, long.body.code]).toEqual([400, "BAD_REQUEST"]);
    expect((await storedFailures()).map(({ emailKey }) => emailKey)).toEqual(["alice@example.com"]);
  });
});

describe("a login link", () => {
  const open = (url: string, method: "GET" | "POST" | "HEAD", host = worldHost) =>
    fetch(`${world.site}${new URL(url).pathname}`, {
      method,
      headers: { host },
      redirect: "manual",
    });
  const linkOf = async (lifeSeconds = 3_600) =>
    (await createLoginLink(world.operator, world.alice.id, lifeSeconds)).url;

  test("shows a page that changes nothing, with a button that signs in and leads to the chat", async () => {
    const link = await linkOf();
    expect(link).toMatch(/^http:\/\/chat\.example\.com:0\/login\/link\/[A-Za-z0-9]{32}$/);
    for (let i = 0; i < 2; i++) {
      const page = await open(link, "GET");
      expect([page.status, page.headers.get("content-type")]).toEqual([
        200,
        "text/html; charset=utf-8",
      ]);
      const text = await page.text();
      expect(text).toContain('<form method="post"><button>');
      expect(text).toContain("alice@example.com");
      expect(text).not.toContain("<script");
    }
    expect((await open(link, "HEAD")).status).toBe(200);
    const used = await open(link, "POST");
    expect([used.status, used.headers.get("location")]).toEqual([303, "/"]);
    const cookie = used.headers
      .getSetCookie()
      .map((one) => one.split(";")[0])
      .join("; ");
    const me = await fetch(`${world.site}/api/v1/users/me`, {
      headers: { host: worldHost, cookie },
    });
    expect(await me.json()).toMatchObject({ user_id: world.alice.id });
    for (const { headers } of [await open(link, "GET"), used]) {
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("referrer-policy")).toBe("same-origin");
      expect(headers.get("content-security-policy")).toContain("default-src 'none'");
      expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    }
  });

  test("D1: that has expired or was used is refused", async () => {
    const [expired, used] = [await linkOf(60), await linkOf()];
    expect((await open(used, "POST")).status).toBe(303);
    world.clock.advance(60);
    for (const link of [expired, used, `${used}x`, used.slice(0, -1)]) {
      for (const method of ["GET", "POST"] as const) {
        const page = await open(link, method);
        expect([link, page.status]).toEqual([link, 404]);
        expect(page.headers.getSetCookie()).toEqual([]);
      }
    }
  });

  test("D2: works only for the organization that it was made for", async () => {
    const link = await linkOf();
    for (const method of ["GET", "POST"] as const) {
      const page = await open(link, method, "other.example.com");
      expect(page.status).toBe(404);
      expect(await page.text()).not.toContain("alice");
    }
    expect((await open(link, "POST")).status).toBe(303);
  });

  test("D5: works once, also when it is used many times at the same moment and on two nodes", async () => {
    const link = await linkOf();
    const node = await world.startNode();
    const at = (site: string) =>
      fetch(`${site}${new URL(link).pathname}`, {
        method: "POST",
        headers: { host: worldHost },
        redirect: "manual",
      });
    const pages = await Promise.all(
      Array.from({ length: 12 }, (_, index) => at(index % 2 ? world.site : node.site)),
    );
    expect(pages.map(({ status }) => status).sort()).toEqual([303, ...Array(11).fill(404)]);
    const { db, t } = world.app.engine.reader;
    expect(await db.select().from(t.sessions)).toHaveLength(1);
  });

  test("of somebody who was deactivated meanwhile is refused; none is made for them, nor for bots", async () => {
    const link = await linkOf();
    expect(
      (await refusalOf(createLoginLink(world.operator, world.robot.id, 60))).message,
    ).toContain("API key");
    await deactivateUser(world.operator, world.alice.id);
    for (const method of ["GET", "POST"] as const)
      expect((await open(link, method)).status).toBe(404);
    expect((await refusalOf(linkOf())).message).toContain("deactivated");
    expect((await refusalOf(createLoginLink(world.operator, world.zoe.id, 60))).message).toContain(
      "No such user",
    );
    expect(
      (await refusalOf(createLoginLink(world.operator, world.bob.id, 8 * 86_400))).message,
    ).toContain("7 days");
  });

  test("is made by the operator only, and I12: stored as a hash and not logged", async () => {
    const user = await loadAccount(world.operator, "alice@example.com");
    const asAlice = { ...world.operator, actor: { kind: "user" as const, user, apiKeyId: 1 } };
    expect((await refusalOf(createLoginLink(asAlice, user.id, 60))).status).toBe(403);
    const token = (await linkOf()).split("/").at(-1) ?? "";
    await open(`http://x/login/link/${token}`, "GET");
    const { db, t } = world.app.engine.reader;
    const kept = JSON.stringify(await db.select().from(t.loginLinks)) + world.logged.join("\n");
    expect(kept).not.toContain(token);
    expect(kept).toContain(world.app.secrets.hash("login-link", token));
    world.clock.advance(3_600);
    await tidySignIns(world.app, [world.realm.id]);
    expect(await db.select().from(t.loginLinks)).toEqual([]);
  });

  test("F7: and its pages reflect nothing that was put into the address", async () => {
    const page = await open("http://x/login/link/%3Cscript%3Ealert(1)%3C%2Fscript%3E", "GET");
    expect([page.status, await page.text()]).toEqual([404, expect.not.stringContaining("alert")]);
    const nowhere = await open("http://x/login/link/", "GET");
    expect([nowhere.status, await nowhere.json()]).toEqual([
      404,
      expect.objectContaining({ code: "NOT_FOUND" }),
    ]);
  });
});

test("E5: an empty or missing secret never matches an account that has none", async () => {
  const { bob, site } = world;
  for (const secret of ["", " ", "null", "undefined"]) {
    expect((await signIn("bob@example.com", secret)).body.code).toBe("AUTHENTICATION_FAILED");
  }
  expect(
    (await world.anonymous.post("/fetch_api_key", { username: "bob@example.com" })).status,
  ).toBe(400);
  const headers = [`${bob.email}:`, `${bob.email}`, `:`, `${bob.id}-`, "", `${bob.email}: `];
  for (const text of headers) {
    const authorization = `Basic ${Buffer.from(text).toString("base64")}`;
    const { status, body } = await world.anonymous.ask(
      "GET",
      "/users/me",
      {},
      { headers: { authorization } },
    );
    expect([text, status, body.code]).toEqual([text, 401, "UNAUTHORIZED"]);
  }
  for (const path of ["/login/link/", "/login/link", "/login/link/%20"]) {
    expect(
      (await fetch(`${site}${path}`, { method: "POST", headers: { host: worldHost } })).status,
    ).toBe(404);
  }
});
