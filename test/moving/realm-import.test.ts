import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { findTraits } from "../../db/schema/traits";
import type { StoredValue } from "../../db/stored-rows";
import type { RunningApp } from "../../src/app";
import { deleteUser } from "../../src/management/accounts/delete";
import type { Progress } from "../../src/moving/backup/progress";
import { importFile } from "../../src/moving/import/import-file";
import type { Skipped } from "../../src/moving/import/report";
import type { ExportType } from "../../src/moving/realm-archive/manifest";
import { exportToFile } from "../../src/moving/realm-archive/to-file";
import { backupFolder } from "../support/archives/backups";
import { fillRealm } from "../support/archives/full-realm";
import { signInAll } from "../support/archives/realm-view";
import { rewriteArchive } from "../support/archives/rewrite-archive";
import type { Client } from "../support/client";
import { outcomeOf } from "../support/outcome";
import { keepWriting } from "../support/processes/keep-writing";
import { makeWorld, type World } from "../support/world";

const { folder, remove } = backupFolder();
afterAll(remove);

let made = 0;
const nextPath = () => join(folder, `${made++}.tar`);
const quiet = { progress: () => undefined };
const copyHost = "copy.example.org";

async function exportWorld(
  { app, realm }: World,
  withPasswords = false,
  type: ExportType = "full_without_consent",
): Promise<string> {
  const path = nextPath();
  await exportToFile(app, realm, path, { type, withPasswords }, quiet);
  return path;
}

interface How {
  host?: string;
  isDry?: boolean;
  progress?: Progress;
  tell?: (skipped: Skipped) => void;
}

const importAt = (
  app: RunningApp,
  path: string,
  { host = copyHost, isDry = false, ...surroundings }: How = {},
) =>
  importFile(
    app,
    path,
    { from: "chatd", host, name: undefined, isDry },
    { ...quiet, ...surroundings },
  );

/** Number of rows in all tables, without the rows that writes leave behind everywhere. */
async function countAll({ app }: World): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const [name, table] of Object.entries(app.engine.schema)) {
    if (name === "messageWords" || name === "eventLog" || name.startsWith("search")) continue;
    counts[name] = (await app.engine.reader.db.select().from(table)).length;
  }
  return counts;
}

/** Number of rows that the organizations of imports have in each table of an export. */
async function countByRealm({ app }: World): Promise<Record<string, Record<string, number>>> {
  const { db, t } = app.engine.reader;
  const hosts = new Map((await db.select().from(t.realms)).map(({ id, host }) => [id, host]));
  const counts: Record<string, Record<string, number>> = {};
  for (const [name, table] of Object.entries(app.engine.schema)) {
    const isExported = "exported" in (findTraits(table) ?? {});
    if (!isExported || !("realmId" in table)) continue;
    const rows = await db.select({ realmId: table.realmId }).from(table);
    counts[name] = {};
    for (const [realmId, of] of Map.groupBy(rows, (row) => hosts.get(row.realmId) ?? ""))
      counts[name][realmId] = of.length;
  }
  return counts;
}

const messagesOf = async (person: Client | undefined) => {
  const page = { anchor: "oldest", num_before: 0, num_after: 1000, narrow: [] };
  return (await person?.get("/messages", page))?.body.messages;
};

const aliceAt = async (world: World, host = copyHost) =>
  (await signInAll(world, host)).get(world.alice.email);

describe("an import", () => {
  /** World with a full organization, whose export each test imports at hosts of its own. */
  let full: World;
  let path: string;
  beforeAll(async () => {
    full = await makeWorld();
    await fillRealm(full);
    path = await exportWorld(full);
  });
  afterAll(() => full.close());

  test("that is repeated adds nothing", async () => {
    const host = "repeated.example.org";
    expect(await importAt(full.app, path, { host })).toMatchObject({ wasThere: false });
    const counts = await countAll(full);
    expect(await importAt(full.app, path, { host })).toMatchObject({ wasThere: true });
    expect(await countAll(full)).toEqual(counts);
  });

  test("that was interrupted shows nothing, goes on where it was, and ends as if it had not been", async () => {
    const [host, once] = ["interrupted.example.org", "once.example.org"];
    for (const where of ["channels", "reactions", "Files"]) {
      const progress: Progress = (what) => {
        if (what === where) throw new Error("interrupted");
      };
      expect(await outcomeOf(importAt(full.app, path, { host, progress }))).toThrow("interrupted");
      const { realms } = full.app.engine.schema;
      const [begun] = await full.app.engine.reader.db
        .select()
        .from(realms)
        .where(eq(realms.host, host));
      expect(begun?.isActive).toBe(false);
      // These files are left when a process is killed in the middle of a file.
      for await (const { key } of full.app.files.list()) {
        const [realmId, name] = key.split("/");
        if (where !== "Files" || realmId !== String(full.realm.id)) continue;
        await (await full.app.files.resume(`${begun?.id}/${name}`)).rest();
      }
    }
    await importAt(full.app, path, { host });
    await importAt(full.app, path, { host: once });
    const [resumed, atOnce] = [
      await messagesOf(await aliceAt(full, host)),
      await messagesOf(await aliceAt(full, once)),
    ];
    const shown = (messages: Record<string, unknown>[]) =>
      messages.map(({ subject, timestamp, flags, reactions }) => [
        subject,
        timestamp,
        flags,
        String(reactions),
      ]);
    expect(shown(resumed)).toEqual(shown(atOnce));
    const counts = await countByRealm(full);
    for (const [table, of] of Object.entries(counts))
      expect({ [table]: of[host] }).toEqual({ [table]: of[once] });
  }, 180_000);

  test("by two commands at once is made once: one of them ends it, at the latest when it is repeated", async () => {
    const host = "twice.example.org";
    // Both are at the files when the first of them goes on.
    const { promise: other, resolve } =
      Promise.withResolvers<Awaited<ReturnType<typeof importAt>>>();
    let isFirst = true;
    const first = importAt(full.app, path, {
      host,
      progress: (what) => {
        if (what !== "Files" || !isFirst) return;
        isFirst = false;
        resolve(importAt(full.app, path, { host }));
      },
    });
    const outcomes = await Promise.allSettled([first, other]);
    // One that comes when the other is done finds the realm there, and makes nothing.
    const makers = outcomes.filter((one) => one.status === "fulfilled" && !one.value.wasThere);
    expect(makers.length).toBeLessThan(2);
    await importAt(full.app, path, { host });
    const counts = await countByRealm(full);
    expect(counts["users"]?.[host]).toBe(counts["users"]?.[full.realm.host] ?? 0);
    const { apiKeys, realms } = full.app.engine.schema;
    const [copy] = await full.app.engine.reader.db
      .select()
      .from(realms)
      .where(eq(realms.host, host));
    const keys = await full.app.engine.reader.db
      .select()
      .from(apiKeys)
      .where(eq(apiKeys.realmId, copy?.id ?? 0));
    expect(new Set(keys.map(({ userId }) => userId)).size).toBe(keys.length);
  });

  test("that is only tried writes nothing and tells what would come", async () => {
    const counts = await countAll(full);
    const { realm, rows, skipped } = await importAt(full.app, path, {
      host: "tried.example.org",
      isDry: true,
    });
    expect({ realm, skipped }).toEqual({ realm: undefined, skipped: {} });
    expect(rows["users"]).toBeGreaterThan(8);
    expect(rows["messages"]).toBeGreaterThan(8);
    expect(await countAll(full)).toEqual(counts);
    expect(
      readdirSync(full.place.dataFolder).filter((name) => name.startsWith("importing-")),
    ).toEqual([]);
  });

  test("is refused at a host that is in use, and of another file at the host of an import", async () => {
    const world = await makeWorld();
    const path = await exportWorld(world);
    expect(await outcomeOf(importAt(world.app, path, { host: world.realm.host }))).toThrow(
      "already",
    );
    await importAt(world.app, path);
    await world.alice.say("general", "x", "more");
    expect(await outcomeOf(importAt(world.app, await exportWorld(world)))).toThrow("another file");
    await world.close();
  });

  test("brings no key and no password, unless hashes are asked for; bots and people get in anew", async () => {
    const world = await makeWorld();
    const hash = await Bun.password.hash("correct horse", {
      algorithm: "argon2id",
      memoryCost: 4096,
      timeCost: 2,
    });
    const { users } = world.app.engine.schema;
    await world.app.engine.write(
      world.realm.id,
      async ({ db }) =>
        void (await db
          .update(users)
          .set({ passwordHash: hash })
          .where(eq(users.id, world.alice.id))),
      () => undefined,
    );
    const [without, withThem] = [await exportWorld(world), await exportWorld(world, true)];
    await importAt(world.app, without, { host: "a.example.org" });
    await importAt(world.app, withThem, { host: "b.example.org" });
    const key = { headers: { host: "a.example.org" } };
    expect((await world.alice.open("/api/v1/users/me", key)).status).toBe(401);
    const signIn = (host: string) =>
      fetch(`${world.site}/api/v1/fetch_api_key`, {
        method: "POST",
        headers: { host },
        body: new URLSearchParams({ username: world.alice.email, password: "correct horse" }),
      });
    expect((await signIn("a.example.org")).status).not.toBe(200);
    expect((await signIn("b.example.org")).status).toBe(200);
    const alice = await aliceAt(world, "a.example.org");
    const { bots } = (await alice?.get("/bots"))?.body ?? {};
    expect(bots.length).toBe(1);
    expect(bots[0].api_key).toMatch(/^[A-Za-z0-9]{32}$/);
    expect(bots[0].api_key).not.toBe(world.robot.credentials?.apiKey);
    await world.close();
  });

  test("gives deleted people, and people whose address is not shown, placeholders with their new ids", async () => {
    const world = await makeWorld();
    const { alice, bob, mona } = world;
    await deleteUser(world.operator, bob.id);
    await mona.patch("/settings", { email_address_visibility: 5 });
    const path = nextPath();
    const ofAnother = `user${alice.id}@${copyHost}`;
    await rewriteArchive(await exportWorld(world, false, "public"), path, {
      rows: (table, rows) =>
        table === "users"
          ? rows.map((row) => (row["id"] === alice.id ? { ...row, email: ofAnother } : row))
          : rows,
    });
    const { realm } = await importAt(world.app, path);
    const { users } = world.app.engine.schema;
    const { db } = world.app.engine.reader;
    const rows = await db
      .select()
      .from(users)
      .where(eq(users.realmId, realm?.id ?? 0));
    for (const name of [`Deleted user ${bob.id}`, mona.fullName, alice.fullName]) {
      const person = rows.find(({ fullName }) => fullName === name);
      const placeholder = `user${person?.id}@${copyHost}`;
      expect(person).toMatchObject({ email: placeholder, emailKey: placeholder });
    }
    await world.close();
  });

  test("of an export made while people write is as of one moment", async () => {
    const world = await makeWorld();
    const writing = keepWriting(world);
    await writing.reached(60);
    const before = writing.acknowledged.size;
    const path = await exportWorld(world);
    await writing.stop();
    await importAt(world.app, path);
    const stored = (await messagesOf(await aliceAt(world))).filter(
      ({ subject }: { subject: string }) => subject === "load",
    );
    const numbers = stored.map(({ content }: { content: string }) =>
      Number(/number (\d+)/.exec(content)?.[1]),
    );
    expect(numbers).toEqual(numbers.map((_: number, index: number) => index + 1));
    expect(numbers.length).toBeGreaterThanOrEqual(before);
    await world.close();
  }, 180_000);

  test("is found by search", async () => {
    const world = await makeWorld();
    await world.alice.say("general", "x", "a very rareword indeed");
    await importAt(world.app, await exportWorld(world));
    const alice = await aliceAt(world);
    const narrow = [{ operator: "search", operand: "rareword" }];
    const { messages } =
      (await alice?.get("/messages", { anchor: "newest", num_before: 5, num_after: 0, narrow }))
        ?.body ?? {};
    expect(messages.length).toBe(1);
    await world.close();
  });
});

describe("a file that was made to do harm", () => {
  const change = async (world: World, changes: Parameters<typeof rewriteArchive>[2]) => {
    const path = nextPath();
    await rewriteArchive(await exportWorld(world), path, changes);
    return path;
  };

  test("G8, G9: writes and reads nothing outside the folder that it is unpacked into", async () => {
    const world = await makeWorld();
    for (const name of [
      "files/../../../escaped",
      "/tmp/escaped",
      "files/..",
      "tables/../escaped/000001.jsonl.zst",
    ]) {
      const path = await change(world, { more: { [name]: Buffer.from("x") } });
      expect(await outcomeOf(importAt(world.app, path))).toThrow("no whole export");
    }
    expect(existsSync("/tmp/escaped")).toBe(false);
    const bad = await change(world, {
      rows: (table, rows) =>
        table === "users"
          ? rows.map((row) => ({ ...row, avatar_file: "../../../../../etc/passwd" }))
          : rows,
    });
    await importAt(world.app, bad);
    const users = (await (await aliceAt(world))?.get("/users"))?.body.members;
    expect(JSON.stringify(users)).not.toContain("etc/passwd");
    await world.close();
  });

  test("H9: is refused where it unpacks to more than any part has", async () => {
    const world = await makeWorld();
    const bomb = await Bun.zstdCompress(Buffer.alloc(200 * 1024 * 1024));
    expect(bomb.byteLength).toBeLessThan(100_000);
    const path = await change(world, { more: { "tables/messages/999999.jsonl.zst": bomb } });
    expect(await outcomeOf(importAt(world.app, path))).toThrow("no whole export");
    await world.close();
  });

  test("H12: breaks nobody's reading: what is malformed is left out and told of, and no HTML but ours comes in", async () => {
    const world = await makeWorld();
    const { alice } = world;
    const [good, evil, orphan, wild] = [
      await alice.say("general", "x", "good"),
      await alice.say("general", "x", "evil **one**"),
      await alice.say("general", "x", "orphan"),
      await alice.say("general", "x", "wild"),
    ];
    const harm = (id: StoredValue | undefined): Record<string, StoredValue> => {
      if (id === evil)
        return {
          rendered_content: '<p>hi<img src="x" onerror="alert(1)"></p><script>alert(1)</script>',
        };
      if (id === orphan) return { sender_id: 987_654 };
      return id === wild ? { content: null } : {};
    };
    const path = await change(world, {
      rows: (table, rows) =>
        table === "messages" ? rows.map((row) => ({ ...row, ...harm(row["id"]) })) : rows,
    });
    expect(good).toBeGreaterThan(0);
    const told: Skipped[] = [];
    const { skipped } = await importAt(world.app, path, { tell: (one) => void told.push(one) });
    expect(skipped).toEqual({
      "messages: names a missing row of users": 1,
      "messages: violates a constraint of its table": 1,
    });
    expect(told.map(({ what, which }) => [what, which])).toEqual([
      ["messages", String(wild)],
      ["messages", String(orphan)],
    ]);
    const read = await messagesOf(await aliceAt(world));
    const shown = read.filter(({ subject }: { subject: string }) => subject === "x");
    expect(shown.map(({ content }: { content: string }) => content)).toEqual([
      "<p>good</p>",
      "<p>evil <strong>one</strong></p>",
    ]);
    await world.close();
  });

  test("names nothing of another organization", async () => {
    const world = await makeWorld();
    const { zoe, alice } = world;
    await alice.say("general", "x", "mine");
    const path = await change(world, {
      rows: (table, rows) =>
        table === "messages"
          ? rows.map((row) => ({ ...row, realm_id: 2, content: `@**Zoe|${zoe.id}**` }))
          : rows,
    });
    await importAt(world.app, path);
    const { messages } = world.app.engine.schema;
    const { db } = world.app.engine.reader;
    expect(await db.select().from(messages).where(eq(messages.realmId, 2))).toEqual([]);
    await world.close();
  });

  test("is refused where it is cut off or changed", async () => {
    const world = await makeWorld();
    const bytes = readFileSync(await exportWorld(world));
    const [cut, changed] = [nextPath(), nextPath()];
    writeFileSync(cut, bytes.subarray(0, bytes.length - 2_000));
    const other = Buffer.from(bytes);
    other[Math.floor(other.length / 2)] = (other[Math.floor(other.length / 2)] ?? 0) ^ 1;
    writeFileSync(changed, other);
    for (const path of [cut, changed])
      expect(await outcomeOf(importAt(world.app, path))).toThrow("no whole export");
    const { realms } = world.app.engine.schema;
    expect((await world.app.engine.reader.db.select().from(realms)).length).toBe(2);
    await world.close();
  });
});
