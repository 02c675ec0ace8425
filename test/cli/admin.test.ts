import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { Client } from "../support/client";
import { chatd, clientOf, mustChatd, organizationFile, places, serve, sqlite } from "./chatd";

const patienceMilliseconds = 10_000;

async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const timer = Promise.withResolvers<never>();
  const timeout = setTimeout(
    () => timer.reject(new Error(`not within ${milliseconds} ms`)),
    milliseconds,
  );
  return Promise.race([work, timer.promise]).finally(() => clearTimeout(timeout));
}

describe.each(places)("admin commands on $engine, without a server", ({ fresh, provisioned }) => {
  test("provision organizations, people and keys", async () => {
    const place = await fresh();
    const admin = async (...args: string[]) =>
      (await mustChatd(["admin", ...args, "--json", ...place])).json();
    const make = ["realm", "create", "--name", "Acme", "--host", "Chat.Example.com", "--json"];
    const made = await mustChatd(["admin", ...make, ...place]);
    expect(made.json()).toMatchObject({
      result: "success",
      realm: { name: "Acme", host: "chat.example.com" },
    });
    expect(made.stderr).toContain("--role owner --realm chat.example.com\n");
    const added = await admin(
      "user",
      "add",
      "olga@example.com",
      "--name",
      "Olga",
      "--role",
      "owner",
    );
    expect(added.user).toMatchObject({
      email: "olga@example.com",
      role: "owner",
      is_active: true,
      is_bot: false,
    });
    const alice = (
      await admin("user", "add", "alice@example.com", "--name", "Alice", "--role", "member")
    ).user;
    expect((await admin("user", "role", "alice@example.com", "moderator")).user.role).toBe(
      "moderator",
    );
    const issued = await admin("api-key", "issue", "alice@example.com", "--label", "laptop");
    expect(issued).toMatchObject({
      label: "laptop",
      api_key: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
    });
    const { api_keys } = await admin("api-key", "list", "alice@example.com");
    expect(api_keys).toEqual([
      {
        id: issued.id,
        user_id: alice.user_id,
        label: "laptop",
        created_at: expect.any(Number),
        last_used_at: null,
      },
    ]);
    await admin("api-key", "revoke", String(issued.id));
    expect((await admin("api-key", "list", "alice@example.com")).api_keys).toEqual([]);
    expect((await admin("user", "deactivate", "alice@example.com", "--yes")).user.is_active).toBe(
      false,
    );
    expect((await admin("user", "reactivate", "alice@example.com")).user.is_active).toBe(true);
    const { users } = await admin("user", "list");
    expect(
      users.map(({ full_name, role }: { full_name: string; role: string }) => [full_name, role]),
    ).toEqual([
      ["Olga", "owner"],
      ["Alice", "moderator"],
    ]);
  });

  test("ask which organization is meant where there are none or several", async () => {
    const place = await fresh();
    const create = (name: string, host: string) =>
      mustChatd(["admin", "realm", "create", "--name", name, "--host", host, ...place]);
    await create("One", "one.example.com");
    await mustChatd(["admin", "user", "list", ...place]);
    await create("Two", "two.example.com");
    const unsure = await chatd(["admin", "user", "list", ...place]);
    expect(unsure.code).toBe(1);
    expect(unsure.stderr).toContain(
      "Choose one with --realm HOST: one.example.com, two.example.com.",
    );
    expect(
      (await chatd(["admin", "user", "list", "--realm", "three.example.com", ...place])).code,
    ).toBe(1);
    await mustChatd(["admin", "user", "list", "--realm", "TWO.example.com", ...place]);
  });

  test("I12: take passwords from stdin only, and store them hashed", async () => {
    const { place } = await provisioned();
    const add = [
      "admin",
      "user",
      "add",
      "eve@example.com",
      "--name",
      "Eve",
      "--role",
      "owner",
      "--password-stdin",
      ...place,
    ];
    expect((await chatd(add)).code).toBe(2);
    expect((await chatd(add, { stdin: "short\n" })).code).toBe(1);
    const mangled = await chatd(add, { stdin: Buffer.from("Käsebrot-mit-Ei\n", "latin1") });
    expect([mangled.code, mangled.stderr]).toEqual([2, expect.stringContaining("not in UTF-8")]);
    await mustChatd(add, { stdin: "first-password\n" });
    const server = await serve(place);
    const signIn = async (password: string) =>
      (
        await new Client(server.site, "localhost").post("/fetch_api_key", {
          username: "eve@example.com",
          password,
        })
      ).status;
    expect(await signIn("first-password")).toBe(200);
    await mustChatd(["admin", "user", "password", "eve@example.com", ...place], {
      stdin: "second-password",
    });
    expect([await signIn("first-password"), await signIn("second-password")]).toEqual([401, 200]);
    const made = await mustChatd([
      "admin",
      "user",
      "password",
      "eve@example.com",
      "--generate",
      ...place,
    ]);
    expect(await signIn(made.stdout.trim())).toBe(200);
    await server.stop();
    for (const password of ["first-password", "second-password", made.stdout.trim()]) {
      expect(server.stderr()).not.toContain(password);
    }
  });
});

describe.each(places)("admin commands on $engine, beside a running server", ({ provisioned }) => {
  async function start() {
    const { place, credentials } = await provisioned();
    const server = await serve(place);
    const adminWith =
      (options: { isAlone?: boolean }) =>
      (...args: string[]) =>
        mustChatd(["admin", ...args, ...place], options);
    return {
      server,
      credentials,
      admin: adminWith({}),
      adminWith,
      client: (name: string) => clientOf(server.site, credentials, name),
    };
  }

  test("reach a connected client, which is waiting for events", async () => {
    const { server, admin, client } = await start();
    const queue = await client("alice").register({ event_types: ["realm_user"] });
    const arrival = queue.next();
    await admin("user", "add", "zoe@example.com", "--name", "Zoe", "--role", "member");
    const [event] = await within(patienceMilliseconds, arrival);
    const person = { email: "zoe@example.com", full_name: "Zoe" };
    expect(event).toMatchObject({ type: "realm_user", op: "add", person });
    expect(await server.stop()).toBe(0);
  });

  test("C1: end the held polls of somebody who is deactivated", async () => {
    const { server, admin, client } = await start();
    const [alice, bob] = [client("alice"), client("bob")];
    const [queue, other] = [
      await alice.register(),
      await bob.register({ event_types: ["realm_user"] }),
    ];
    const [poll, arrival] = [queue.poll(), other.next()];
    await admin("user", "deactivate", "alice@example.com", "--yes");
    expect((await within(patienceMilliseconds, poll)).body).toMatchObject({ result: "error" });
    const told = await within(patienceMilliseconds, arrival);
    expect(told[0]).toMatchObject({ op: "update", person: { is_active: false } });
    expect((await alice.get("/users/me")).status).toBe(401);
    await server.kill();
  });

  test("C3: bring back the keys of somebody who was deactivated with the person, unless they were revoked", async () => {
    const { server, admin, client } = await start();
    const after = async (...options: string[]) => {
      await admin("user", "deactivate", "alice@example.com", "--yes", ...options);
      expect((await client("alice").get("/users/me")).status).toBe(401);
      await admin("user", "reactivate", "alice@example.com");
      return (await client("alice").get("/users/me")).status;
    };
    expect([await after(), await after("--revoke-keys")]).toEqual([200, 401]);
    expect((await admin("api-key", "list", "alice@example.com", "--json")).json().api_keys).toEqual(
      [],
    );
    expect((await client("bob").get("/users/me")).status).toBe(200);
    await server.kill();
  });

  test("issue at most 20 keys to one account: the next one ends the one longest unused, and says so", async () => {
    const { server, admin, adminWith } = await start();
    const issue = ["api-key", "issue", "ivy@example.com"];
    const before = (await admin("api-key", "list", "ivy@example.com", "--json")).json().api_keys
      .length;
    for (let keys = before; keys < 17; keys++) await admin(...issue);
    const issueAlone = () => adminWith({ isAlone: true })(...issue);
    const issued = await Promise.all(Array.from({ length: 4 }, issueAlone));
    expect(
      issued.filter(({ stderr }) =>
        stderr.includes("The key that was unused for the longest time has ended"),
      ),
    ).toHaveLength(1);
    expect(
      (await admin("api-key", "list", "ivy@example.com", "--json")).json().api_keys,
    ).toHaveLength(20);
    await server.kill();
  });

  test("end a key, its queues and its held polls", async () => {
    const { server, admin, client } = await start();
    const { body } = await client("alice").get("/users/me");
    const issued = (await admin("api-key", "issue", "alice@example.com", "--json")).json();
    const laptop = new Client(server.site, "localhost", {
      email: body.email,
      apiKey: issued.api_key,
    });
    const poll = (await laptop.register()).poll();
    await admin("api-key", "revoke", String(issued.id));
    expect((await within(patienceMilliseconds, poll)).body).toMatchObject({ result: "error" });
    expect((await laptop.get("/users/me")).status).toBe(401);
    expect((await client("alice").get("/users/me")).status).toBe(200);
    await server.kill();
  });

  test("delete a topic with all of its messages, however many", async () => {
    const { server, admin, client } = await start();
    const alice = client("alice");
    const send = (topic: string) =>
      alice.post("/messages", { type: "channel", to: "core", topic, content: "hello" });
    await Promise.all([...Array.from({ length: 130 }, () => send("lunch")), send("plans")]);
    const queue = await client("olga").register({ event_types: ["delete_message"] });
    const arrival = queue.next();
    await admin("topic", "delete", "Core", "Lunch", "--yes");
    expect((await within(patienceMilliseconds, arrival))[0]).toMatchObject({
      type: "delete_message",
      topic: "lunch",
    });
    const { body } = await alice.get("/messages", {
      anchor: "newest",
      num_before: 200,
      num_after: 0,
      narrow: [],
    });
    expect(body.messages.map(({ subject }: { subject: string }) => subject)).toEqual(["plans"]);
    await server.kill();
  });

  test("apply a file while clients are connected and sending", async () => {
    const { server, admin, client } = await start();
    const alice = client("alice");
    const queue = await alice.register({ event_types: ["realm_user", "user_group"] });
    await admin("user", "deactivate", "ivy@example.com", "--yes");
    const sends = Array.from({ length: 50 }, () =>
      alice.post("/messages", { type: "channel", to: "core", topic: "busy", content: "hello" }),
    );
    await admin("apply", organizationFile);
    expect((await Promise.all(sends)).every(({ status }) => status === 200)).toBe(true);
    const events = await queue.events();
    const shown = events.flatMap(({ person }) => (person === undefined ? [] : [person.is_active]));
    expect(shown).toEqual([false, true]);
    await server.kill();
  });
});

describe("what the admin commands print", () => {
  test("F10: has no control characters of stored texts in it", async () => {
    const { place } = await sqlite.provisioned();
    const file = new Database(join(place[1] ?? "", "chatd.db"));
    file.run("UPDATE users SET full_name = ? WHERE email_key = ?", [
      "Bob\u001b[2J\u009b1A\r\nforged line",
      "bob@example.com",
    ]);
    file.close();
    const list = await mustChatd(["admin", "user", "list", ...place]);
    expect(list.stdout).not.toMatch(/[^\P{Cc}\n]/u);
    expect(list.stdout).toContain("bob@example.com");
    expect(list.stdout.split("\n").some((line) => line.startsWith("forged"))).toBe(false);
    const json = await mustChatd(["admin", "user", "list", "--json", ...place]);
    expect(json.stdout).not.toMatch(/[^\P{Cc}\n]/u);
    const bob = json
      .json()
      .users.find(({ email }: { email: string }) => email === "bob@example.com");
    expect(bob.full_name).toContain("\u001b[2J\u009b1A\r\n");
  });
});

test("admin commands refuse with exit code 1 what cannot be, and leave nothing behind", async () => {
  const { place } = await sqlite.provisioned();
  const before = await mustChatd(["admin", "user", "list", ...place]);
  const refused: [string[], string][] = [
    [
      ["user", "add", "ALICE@example.com", "--name", "X", "--role", "member"],
      "alice@example.com already exists: Alice",
    ],
    [["user", "role", "olga@example.com", "member"], "at least one active owner"],
    [["user", "deactivate", "olga@example.com", "--yes"], "at least one active owner"],
    [["user", "reactivate", "alice@example.com"], "is active"],
    [["user", "role", "nobody@example.com", "member"], "Nobody in Acme (localhost)"],
    [["user", "password", "robot-bot@example.com", "--generate"], "Bots have no password"],
    [
      ["api-key", "revoke", "4711"],
      "There is no API key 4711. To list them: chatd admin api-key list EMAIL",
    ],
    [["invite", "revoke", "4711"], "No such invitation. To list them: chatd admin invite list"],
    [["invite", "renew", "4711"], "No such invitation. To list them: chatd admin invite list"],
    [["playground", "remove", "4711"], "To list them: chatd admin playground list"],
    [["domain", "remove", "nowhere.example"], "To list them: chatd admin domain list"],
    [["topic", "delete", "nowhere", "lunch", "--yes"], "no channel 'nowhere'"],
    [
      ["realm", "create", "--name", "Twice", "--host", "localhost"],
      "an organization at localhost already",
    ],
  ];
  const outcomes = await Promise.all(refused.map(([args]) => chatd(["admin", ...args, ...place])));
  expect(outcomes.map(({ code, stdout }) => [code, stdout])).toEqual(refused.map(() => [1, ""]));
  for (const [index, [, why]] of refused.entries()) expect(outcomes[index]?.stderr).toContain(why);
  expect((await mustChatd(["admin", "user", "list", ...place])).stdout).toBe(before.stdout);
});
