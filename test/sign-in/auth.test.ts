import { beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import {
  isSameHash,
  loadServerSecret,
  makeApiKey,
  makeRandomId,
} from "../../src/core/secrets/secrets";
import { deactivateUser, reactivateUser } from "../../src/management/accounts/deactivate";
import { deleteUser } from "../../src/management/accounts/delete";
import { setPassword } from "../../src/management/accounts/update";
import { loadUser } from "../../src/people/users/queries";
import { issueApiKey, listApiKeys, revokeApiKey } from "../../src/sign-in/api-keys";
import { dummyHash, fullPasswordCosts } from "../../src/sign-in/passwords";
import { Client, type Queue } from "../support/client";
import { refusalOf } from "../support/refusal";
import { scratchFolder } from "../support/scratch-folder";
import { worldPerTest } from "../support/shared-world";
import { makeWorld, type Person, type World, worldHost } from "../support/world";

const password = "correct-horse-battery";

let world: World;
const oneWorldForGroup = worldPerTest(
  async () => {
    world = await makeWorld();
  },
  () => world.close(),
);

const keyOf = (person: Person) => person.credentials?.apiKey ?? "";
const signedIn = (email: string, apiKey: string) =>
  new Client(world.site, worldHost, { email, apiKey });
const fetchKey = (username: string, secret: string) =>
  world.anonymous.post("/fetch_api_key", { username, password: secret });
const codeOf = ({ status, body }: { status: number; body: { code?: string } }) => [
  status,
  body.code,
];

/** Starts a poll that waits, and answers once the server holds it. */
async function startPoll(queue: Queue): Promise<{ answer: ReturnType<Queue["poll"]> }> {
  const answer = queue.poll();
  const isHeld = () =>
    [...world.app.events.queuesIn(world.realm.id)].some(
      ({ id, held }) => id === queue.id && held !== undefined,
    );
  while (!isHeld()) await new Promise((resolve) => setImmediate(resolve));
  return { answer };
}

async function storedRows(): Promise<string> {
  const { db, t } = world.app.engine.reader;
  const tables = [t.users, t.apiKeys, t.eventLog, t.eventQueues, t.realms];
  const rows = [];
  for (const table of tables) rows.push(await db.select().from(table));
  return JSON.stringify(rows);
}

describe("signing requests", () => {
  oneWorldForGroup();

  test("people sign in with their address in any case, or with the placeholder", async () => {
    const { alice } = world;
    for (const email of [
      "alice@example.com",
      "Alice@Example.COM",
      `user${alice.id}@${worldHost}`,
    ]) {
      const { status, body } = await signedIn(email, keyOf(alice)).get("/users/me");
      expect([status, body.user_id]).toEqual([200, alice.id]);
    }
  });

  test("blanks and line breaks around the address and the key do not count, as at the end of a file with a key", async () => {
    const { alice } = world;
    for (const client of [
      signedIn(alice.email, `${keyOf(alice)}\r\n`),
      signedIn(` ${alice.email}\n`, ` ${keyOf(alice)}\t`),
    ]) {
      const { status, body } = await client.get("/users/me");
      expect([status, body.user_id]).toEqual([200, alice.id]);
    }
  });

  test("a wrong, malformed, empty or foreign key is an invalid API key, and refused, and so is a header that says nothing", async () => {
    const { alice, bob, zoe } = world;
    const wrong = [
      signedIn(alice.email, makeApiKey()),
      signedIn(alice.email, "short"),
      signedIn(alice.email, ""),
      signedIn(bob.email, keyOf(alice)),
      signedIn("nobody@example.com", keyOf(alice)),
      signedIn(`user${bob.id}@${worldHost}`, keyOf(alice)),
      signedIn(zoe.email, keyOf(zoe)),
    ];
    for (const client of wrong) {
      expect(await client.get("/users/me")).toMatchObject({
        status: 401,
        body: { code: "UNAUTHORIZED", msg: "Invalid API key" },
      });
    }
    expect(codeOf(await world.anonymous.get("/users/me"))).toEqual([401, "UNAUTHORIZED"]);
    const undecodable = await world.anonymous.ask(
      "GET",
      "/users/me",
      {},
      { headers: { authorization: "Basic !!!" } },
    );
    expect(codeOf(undecodable)).toEqual([401, "UNAUTHORIZED"]);
    expect(undecodable.headers.get("www-authenticate")).toStartWith("Basic");
  });

  test("a scheme other than Basic is told apart", async () => {
    const answer = await world.anonymous.ask(
      "GET",
      "/users/me",
      {},
      { headers: { authorization: "Bearer abc" } },
    );
    expect(codeOf(answer)).toEqual([400, "BAD_REQUEST"]);
  });

  test("I8: keys are compared as hashes, in a time that does not tell where they differ", async () => {
    const { alice } = world;
    const hash = world.app.secrets.hashApiKey(keyOf(alice));
    expect(isSameHash(hash, hash)).toBe(true);
    expect(
      isSameHash(
        hash,
        hash.replace(/.$/, (last) => (last === "0" ? "1" : "0")),
      ),
    ).toBe(false);
    expect(isSameHash(hash, hash.slice(2))).toBe(false);
    const nearMiss = keyOf(alice).replace(/.$/, (last) => (last === "a" ? "b" : "a"));
    const [near, far] = [
      await signedIn(alice.email, nearMiss).get("/users/me"),
      await signedIn(alice.email, makeApiKey()).get("/users/me"),
    ];
    expect(near.body).toEqual(far.body);
  });

  test("I11: keys and ids come from the system's random source, and a secret that can be guessed stops the start", () => {
    const keys = new Set(Array.from({ length: 500 }, makeApiKey));
    expect(keys.size).toBe(500);
    for (const key of keys) expect(key).toMatch(/^[A-Za-z0-9]{32}$/);
    expect(new Set(Array.from({ length: 500 }, makeRandomId)).size).toBe(500);
    for (const weak of ["secret", "changeme".repeat(4), "0".repeat(64)]) {
      expect(() => loadServerSecret(weak, "/nowhere")).toThrow("can be guessed");
    }
  });

  test("a file of the secret that cannot be read is named, with what to do", () => {
    const data = mkdtempSync(join(scratchFolder(), "chatd-secret-"));
    mkdirSync(join(data, "secret"));
    expect(() => loadServerSecret(undefined, data)).toThrow(
      `${data}/secret cannot be used: it is a folder. Name a file in it.`,
    );
    rmSync(data, { recursive: true });
  });
});

describe("fetch_api_key", () => {
  beforeEach(() => setPassword(world.operator, world.alice.id, password));

  test("answers a new key each time, and the earlier ones go on working", async () => {
    const first = await fetchKey("alice@example.com", password);
    const second = await fetchKey("ALICE@example.com", password);
    expect(first.body).toEqual({
      result: "success",
      msg: "",
      api_key: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
      email: "alice@example.com",
      user_id: world.alice.id,
    });
    expect(second.body.api_key).not.toBe(first.body.api_key);
    for (const { body } of [first, second]) {
      expect((await signedIn("alice@example.com", body.api_key).get("/users/me")).status).toBe(200);
    }
    const labels = (await listApiKeys(world.operator, world.alice.id)).map(({ label }) => label);
    expect(labels).toHaveLength(3);
  });

  test("an unknown address, a wrong password, an account without one and a bot are answered alike", async () => {
    const wrong = [
      await fetchKey("alice@example.com", "not-her-password"),
      await fetchKey("nobody@example.com", password),
      await fetchKey("bob@example.com", password),
      await fetchKey("robot-bot@example.com", password),
      await fetchKey(`notification-bot@${worldHost}`, password),
      await fetchKey("alice@example.com", ""),
      await fetchKey("alice@example.com", "p".repeat(5000)),
    ];
    for (const answer of wrong) expect(codeOf(answer)).toEqual([401, "AUTHENTICATION_FAILED"]);
    expect(new Set(wrong.map(({ body }) => body.msg)).size).toBe(1);
  });

  test("where there is no account, a hash of the same costs is checked", async () => {
    await world.close();
    world = await makeWorld({}, undefined, fullPasswordCosts);
    await setPassword(world.operator, world.alice.id, password);
    const { db, t } = world.app.engine.reader;
    const stored =
      (await db.select().from(t.users)).find(({ id }) => id === world.alice.id)?.passwordHash ?? "";
    const costsOf = (hash: string) => hash.split("$").slice(0, 4);
    expect(costsOf(dummyHash(world.app.passwordCosts))).toEqual(costsOf(stored));
    expect(costsOf(stored)).toEqual(["", "argon2id", "v=19", "m=19456,t=2,p=1"]);
  });

  test("what is no address is refused, and a missing parameter is named", async () => {
    const refused = await fetchKey("alice", password);
    expect(codeOf(refused)).toEqual([400, "BAD_REQUEST"]);
    expect(refused.body.msg).toBe("This is not a valid e-mail address.");
    expect((await fetchKey("", password)).body.msg).toBe("Enter your e-mail address.");
    const { body } = await world.anonymous.post("/fetch_api_key", {
      username: "alice@example.com",
    });
    expect([body.code, body.var_name]).toEqual(["REQUEST_VARIABLE_MISSING", "password"]);
  });

  test("a password must have 8 to 100 characters", async () => {
    for (const refused of ["", "seven77", "x".repeat(101)]) {
      expect(
        (await refusalOf(setPassword(world.operator, world.bob.id, refused))).message,
      ).toContain("8 to 100 characters");
    }
    await setPassword(world.operator, world.bob.id, "x".repeat(100));
    expect((await fetchKey("bob@example.com", "x".repeat(100))).status).toBe(200);
  });

  test("the account and password of one organization are worth nothing in another", async () => {
    const other = new Client(world.site, "other.example.com");
    const answer = await other.post("/fetch_api_key", { username: "alice@example.com", password });
    expect(codeOf(answer)).toEqual([401, "AUTHENTICATION_FAILED"]);
  });

  test("I12: passwords and keys are stored as hashes only, and are not logged", async () => {
    const { body } = await fetchKey("alice@example.com", password);
    await fetchKey("alice@example.com", "a-wrong-guess");
    await signedIn("alice@example.com", body.api_key).register();
    const kept = (await storedRows()) + world.logged.join("\n");
    for (const secret of [password, "a-wrong-guess", body.api_key, keyOf(world.alice)]) {
      expect(kept).not.toContain(secret);
    }
    expect(kept).toContain("$argon2id$");
  });
});

describe("API keys", () => {
  test("a revoked key ends its queues and held polls at once; the user's other keys live on", async () => {
    const { alice, operator } = world;
    const { id, apiKey } = await issueApiKey(operator, alice.id, "laptop");
    const laptop = await signedIn(alice.email, apiKey).register();
    const phone = await alice.register();
    const { answer } = await startPoll(laptop);
    await revokeApiKey(operator, id);
    expect(codeOf(await answer)).toEqual([400, "BAD_EVENT_QUEUE_ID"]);
    expect(codeOf(await laptop.poll({ dont_block: true }))).toEqual([401, "UNAUTHORIZED"]);
    expect(await phone.events()).toEqual([]);
    expect((await listApiKeys(operator, alice.id)).map(({ label }) => label)).toEqual(["test"]);
  });

  test("a key of an unknown id, of another organization or for a deactivated user is refused", async () => {
    const { operator, zoe, bob } = world;
    expect((await refusalOf(revokeApiKey(operator, 999_999))).message).toContain(
      "There is no API key",
    );
    expect((await refusalOf(issueApiKey(operator, zoe.id, "theft"))).message).toContain(
      "No such user",
    );
    await deactivateUser(operator, bob.id);
    expect((await refusalOf(issueApiKey(operator, bob.id, "late"))).message).toContain(
      "deactivated",
    );
    expect((await refusalOf(issueApiKey(operator, world.alice.id, " "))).message).toContain(
      "must not be empty",
    );
  });
});

describe("whose key it is", () => {
  const asPerson = async ({ id }: Person) => {
    const { reader, realm } = world.operator;
    const user = await loadUser(reader, realm.id, id);
    return { ...world.operator, actor: { kind: "user" as const, user, apiKeyId: 1 } };
  };

  test("E10: nobody but the operator ends, lists or issues keys of somebody else", async () => {
    const { alice, bob, olga, operator } = world;
    const [key] = await listApiKeys(operator, bob.id);
    for (const person of [alice, olga]) {
      const ctx = await asPerson(person);
      const [theirs, missing] = [key?.id ?? 0, 999_999];
      const refusals = [
        await refusalOf(revokeApiKey(ctx, theirs)),
        await refusalOf(revokeApiKey(ctx, missing)),
      ];
      const [one, other] = refusals.map(({ status, message }) => [
        status,
        message.replace(/\d+/, ""),
      ]);
      expect(one).toEqual(other);
      expect((await refusalOf(listApiKeys(ctx, bob.id))).status).toBe(403);
      expect((await refusalOf(issueApiKey(ctx, bob.id, "x"))).status).toBe(403);
    }
    expect((await bob.get("/users/me")).status).toBe(200);
    await revokeApiKey(await asPerson(bob), key?.id ?? 0);
    expect(codeOf(await bob.get("/users/me"))).toEqual([401, "UNAUTHORIZED"]);
  });

  test("E6: a new key takes the password; a cookie, or a key that is still good, is worth nothing for it", async () => {
    const { alice, anonymous, operator } = world;
    await setPassword(operator, alice.id, password);
    const before = (await listApiKeys(operator, alice.id)).length;
    const parameters = { username: alice.email, password: "not-her-password" };
    const headers = { cookie: `session=${keyOf(alice)}; sessionid=1; api_key=${keyOf(alice)}` };
    const answers = [
      await alice.post("/fetch_api_key", parameters),
      await anonymous.ask("POST", "/fetch_api_key", parameters, { headers }),
    ];
    for (const answer of answers) expect(codeOf(answer)).toEqual([401, "AUTHENTICATION_FAILED"]);
    expect(codeOf(await anonymous.ask("GET", "/users/me", {}, { headers }))).toEqual([
      401,
      "UNAUTHORIZED",
    ]);
    expect(await listApiKeys(operator, alice.id)).toHaveLength(before);
  });
});

describe("deactivation", () => {
  test("C1: deactivating a user ends each of their held polls at once", async () => {
    const { alice, bob, operator } = world;
    const [first, second, others] = [
      await alice.register(),
      await alice.register(),
      await bob.register(),
    ];
    const polls = [await startPoll(first), await startPoll(second)];
    await deactivateUser(operator, alice.id);
    for (const { answer } of polls)
      expect(codeOf(await answer)).toEqual([400, "BAD_EVENT_QUEUE_ID"]);
    const { db, t } = world.app.engine.reader;
    const left = await db.select().from(t.eventQueues);
    expect(left.map(({ id }) => id)).toEqual([others.id]);
  });

  test("C2: a request that races with deactivation leaves neither a queue nor a key that works", async () => {
    const { alice, operator } = world;
    await setPassword(operator, alice.id, password);
    const answers = [
      alice.register().catch(() => undefined),
      fetchKey(alice.email, password),
      alice.register().catch(() => undefined),
    ];
    await deactivateUser(operator, alice.id);
    await Promise.all(answers);
    const { db, t } = world.app.engine.reader;
    expect(
      (await db.select().from(t.eventQueues)).filter(({ userId }) => userId === alice.id),
    ).toEqual([]);
    expect(codeOf(await alice.get("/users/me"))).toEqual([401, "UNAUTHORIZED"]);
    expect(codeOf(await fetchKey(alice.email, password))).toEqual([401, "USER_DEACTIVATED"]);
  });

  test("C3: deactivation makes all keys of the user and of the bots that they own dead, and each lives again with its owner", async () => {
    const { alice, robot, bob, adam, operator } = world;
    const { apiKey } = await issueApiKey(operator, alice.id, "second");
    const second = signedIn(alice.email, apiKey);
    const queues = [await alice.register(), await second.register(), await robot.register()];
    const { answer } = await startPoll(queues[2] ?? (await robot.register()));
    await deactivateUser(operator, alice.id);
    expect(codeOf(await answer)).toEqual([400, "BAD_EVENT_QUEUE_ID"]);
    const statuses = async () => {
      const answers = await Promise.all(
        [alice, second, robot].map((client) => client.get("/users/me")),
      );
      return answers.map(({ status }) => status);
    };
    expect(await statuses()).toEqual([401, 401, 401]);
    await reactivateUser(operator, alice.id);
    expect(await statuses()).toEqual([200, 200, 401]);
    expect((await adam.post(`/users/${robot.id}/reactivate`)).status).toBe(200);
    expect(await statuses()).toEqual([200, 200, 200]);
    for (const queue of queues) {
      expect(codeOf(await queue.poll({ dont_block: true }))).toEqual([400, "BAD_EVENT_QUEUE_ID"]);
    }
    expect((await alice.register()).id).not.toBe(queues[0]?.id);
    expect((await bob.get("/users/me")).status).toBe(200);
  });

  test("C3: keys that are revoked with a deactivation are dead for good, of the bots that end with it too", async () => {
    const { alice, robot, adam, bob, carol, operator } = world;
    const revoke = { revoke_keys: true };
    const isBack = async (person: Person) => {
      expect((await adam.post(`/users/${person.id}/reactivate`)).status).toBe(200);
      return (await person.get("/users/me")).status === 200;
    };
    expect((await adam.delete(`/users/${alice.id}`, revoke)).status).toBe(200);
    expect([await isBack(alice), await isBack(robot)]).toEqual([false, false]);
    expect([await listApiKeys(operator, alice.id), await listApiKeys(operator, robot.id)]).toEqual([
      [],
      [],
    ]);
    expect((await bob.delete("/users/me", revoke)).status).toBe(200);
    expect(await isBack(bob)).toBe(false);
    expect((await adam.delete(`/users/${carol.id}`, { revoke_keys: false })).status).toBe(200);
    expect(await isBack(carol)).toBe(true);
    expect((await adam.delete(`/bots/${robot.id}`, revoke)).status).toBe(200);
    expect(await isBack(robot)).toBe(false);
    expect(codeOf(await adam.delete(`/users/${carol.id}`, { revoke_keys: "perhaps" }))).toEqual([
      400,
      "BAD_REQUEST",
    ]);
    expect((await carol.get("/users/me")).status).toBe(200);
  });

  test("C3: the keys of somebody who was deactivated can still be revoked one by one, and a deletion for good ends them", async () => {
    const { alice, bob, operator } = world;
    await deactivateUser(operator, alice.id);
    const [key] = await listApiKeys(operator, alice.id);
    await revokeApiKey(operator, key?.id ?? 0);
    await reactivateUser(operator, alice.id);
    expect((await alice.get("/users/me")).status).toBe(401);
    await deactivateUser(operator, bob.id);
    await deleteUser(operator, bob.id);
    expect(await listApiKeys(operator, bob.id)).toEqual([]);
  });

  test("C11: who is refused everywhere is refused their queue in the same words", async () => {
    const { alice, bob, robot, zoe, operator } = world;
    const gone = await issueApiKey(operator, alice.id, "gone");
    const queue = await alice.register();
    await revokeApiKey(operator, gone.id);
    await deactivateUser(operator, bob.id);
    const header = (authorization: string) => ({ headers: { authorization } });
    const base64 = Buffer.from(`${alice.email}:${keyOf(alice)}`).toString("base64");
    const attempts: [Client, object][] = [
      [world.anonymous, {}],
      [signedIn(alice.email, makeApiKey()), {}],
      [signedIn(alice.email, ""), {}],
      [signedIn(alice.email, gone.apiKey), {}],
      [signedIn(bob.email, keyOf(bob)), {}],
      [signedIn(alice.email, keyOf(robot)), {}],
      [signedIn(zoe.email, keyOf(zoe)), {}],
      [world.anonymous, header(`Bearer ${base64}`)],
      [world.anonymous, header("Basic !!!")],
    ];
    const poll = { queue_id: queue.id, last_event_id: -1, dont_block: true };
    for (const [client, how] of attempts) {
      const refused = await client.ask("GET", "/users/me", {}, how);
      expect(refused.status).toBeGreaterThanOrEqual(400);
      for (const answer of [
        await client.ask("GET", "/events", poll, how),
        await client.ask("DELETE", "/events", { queue_id: queue.id }, how),
      ]) {
        expect([answer.status, answer.body]).toEqual([refused.status, refused.body]);
      }
    }
    expect((await alice.get("/events", poll)).status).toBe(200);
  });

  test("C4: a deactivated user gets in by no door: key, password, held queue", async () => {
    const { alice, operator } = world;
    await setPassword(operator, alice.id, password);
    const queue = await alice.register();
    await deactivateUser(operator, alice.id);
    expect(codeOf(await alice.post("/register"))).toEqual([401, "UNAUTHORIZED"]);
    expect(codeOf(await queue.poll({ dont_block: true }))).toEqual([401, "UNAUTHORIZED"]);
    expect(codeOf(await fetchKey(alice.email, password))).toEqual([401, "USER_DEACTIVATED"]);
    expect(codeOf(await fetchKey(alice.email, "not-her-password"))).toEqual([
      401,
      "AUTHENTICATION_FAILED",
    ]);
    await reactivateUser(operator, alice.id);
    expect((await fetchKey(alice.email, password)).status).toBe(200);
  });
});

test("server_settings tells everybody which server this is, under both names of the level", async () => {
  const { status, body } = await world.anonymous.get("/server_settings");
  expect(status).toBe(200);
  expect(body).toMatchObject({
    zulip_version: "12.0",
    zulip_merge_base: "12.0",
    zulip_feature_level: 481,
    service_feature_level: 481,
    realm_name: "Acme",
    is_incompatible: false,
    email_auth_enabled: true,
    external_authentication_methods: [],
  });
  expect(body.realm_url).toBe(body.realm_uri);
  expect((await world.alice.get("/server_settings")).body).toEqual(body);
});
