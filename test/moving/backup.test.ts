import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { count, eq } from "drizzle-orm";
import postgres from "postgres";
import { type Migration, migrateSqlite, readMigrations } from "../../db/migrate";
import { migratePostgres } from "../../db/migrate-postgres";
import { databaseFile, type Place } from "../../db/open";
import { requireFinishedRestore } from "../../src/core/storage/unfinished-restore";
import { seededRandom } from "../crash/seeded-random";
import {
  backUpInto,
  backupFolder,
  type RestoredServer,
  restoreInto,
  serveRestored,
  withRestored,
} from "../support/archives/backups";
import type { Client } from "../support/client";
import { freshPlace, testEngine } from "../support/databases/storage";
import { makeFakeClock } from "../support/fake-clock";
import { statusOf, upload } from "../support/files";
import { refusal } from "../support/listening";
import { outcomeOf } from "../support/outcome";
import { emojiForm, staticPng } from "../support/pictures";
import { keepWriting } from "../support/processes/keep-writing";
import { makeWorld, type World } from "../support/world";

/** `CHATD_BACKUP_RUNS=20 make test ARGS="backup"` for the figure that we publish. */
const runs = Number(process.env["CHATD_BACKUP_RUNS"] ?? 2);
const baseMilliseconds = 60_000;
const runMilliseconds = 20_000;
/** Fewer on PostgreSQL, because most of them show before a database is asked. */
const damages = testEngine === "postgres" ? 15 : 40;
/**
 * Some of the damaged ones are read as from a pipe: what is wrong shows only when most of it has
 * been put into tables.
 */
const isFromPipe = (index: number) => index % (testEngine === "postgres" ? 8 : 20) === 0;
const damagedMilliseconds = 120_000;

const { folder, remove } = backupFolder();
afterAll(remove);

let backups = 0;
const nextPath = () => join(folder, `${backups++}.tar`);

const backUp = async ({ place, clock }: World): Promise<string> => {
  const path = nextPath();
  await backUpInto(path, place, clock.now());
  return path;
};

/**
 * Rows and files that people can see: everything of a place, in the archive of a backup made of it
 * now.
 */
async function contentOf(place: Place): Promise<Buffer> {
  const path = nextPath();
  await backUpInto(path, place, 0);
  return readFileSync(path);
}

/** The messages that a narrow matches, oldest first. */
async function readAll(
  client: Client,
  operator: string,
  operand: string,
): Promise<{ id: number; content: string }[]> {
  const messages: { id: number; content: string }[] = [];
  const page = {
    num_before: 0,
    num_after: 1000,
    apply_markdown: false,
    narrow: [{ operator, operand }],
  };
  for (let isWhole = false; !isWhole; ) {
    const anchor = messages.at(-1)?.id ?? "oldest";
    const { body } = await client.get("/messages", {
      ...page,
      anchor,
      include_anchor: messages.length === 0,
    });
    messages.push(...body.messages);
    isWhole = body.found_newest;
  }
  return messages;
}

const read = (client: Client) => readAll(client, "topic", "load");

/**
 * Fails where what was restored is not what was there at one moment, or lacks what was acknowledged
 * before.
 */
async function judge(
  world: World,
  { app, site }: RestoredServer,
  before: Map<number, number>,
  files: string[],
) {
  const alice = world.alice.at({ site });
  const stored = await read(alice);
  const numbers = stored.map(({ content }) => Number(/number (\d+)/.exec(content)?.[1]));
  expect(numbers).toEqual(numbers.map((_, index) => index + 1));
  expect(numbers.length).toBeGreaterThanOrEqual(before.size);
  const idByNumber = new Map(stored.map(({ id }, index) => [index + 1, id]));
  expect([...before].filter(([number, id]) => idByNumber.get(number) !== id)).toEqual([]);
  const { db, t } = app.engine.reader;
  const [logged] = await db
    .select({ count: count() })
    .from(t.eventLog)
    .where(eq(t.eventLog.type, "message"));
  const [all] = await db.select({ count: count() }).from(t.messages);
  expect(logged).toEqual(all);
  expect((await readAll(alice, "search", "loadword")).length).toBe(stored.length);
  const { attachments, upload_space_used } = (await alice.get("/attachments")).body;
  const sizes: number[] = attachments.map(({ size }: { size: number }) => size);
  expect(upload_space_used).toBe(sizes.reduce((sum, size) => sum + size, 0));
  const named: string[] = attachments.map(
    ({ path_id }: { path_id: string }) => `/user_uploads/${path_id}`,
  );
  expect(files.filter((file) => !named.includes(file))).toEqual([]);
  for (const url of named) expect(await statusOf(alice, url)).toBe(200);
  return stored.length;
}

describe("a backup made while people write", () => {
  test(
    `is as of one moment and lacks nothing that was acknowledged before, ${runs} times`,
    async () => {
      const world = await makeWorld();
      const writing = keepWriting(world);
      const made: { before: Map<number, number>; files: string[]; path: string }[] = [];
      for (let run = 1; run <= runs; run++) {
        await writing.reached(run * 30);
        const [before, files] = [new Map(writing.acknowledged), [...writing.files]];
        made.push({ before, files, path: await backUp(world) });
      }
      await writing.stop();
      const counts: number[] = [];
      for (const { before, files, path } of made)
        counts.push(
          await withRestored(path, world.clock, (server) => judge(world, server, before, files)),
        );
      console.log(
        `${runs} backups under load: ${counts.join(", ")} of ${writing.attempted()} messages; nothing lost`,
      );
      await world.close();
    },
    baseMilliseconds + runs * runMilliseconds,
  );

  test("has every file that its rows name, also where files come and go meanwhile", async () => {
    const world = await makeWorld();
    const { alice } = world;
    const two = [await upload(alice, "a.txt"), await upload(alice, "b.txt")];
    let late: string | undefined;
    const path = nextPath();
    await backUpInto(path, world.place, world.clock.now(), async (bytes) => {
      if (late !== undefined || !Buffer.from(bytes).toString("latin1", 0, 6).startsWith("files/"))
        return;
      late = await upload(alice, "late.txt");
      const { attachments } = (await alice.get("/attachments")).body;
      const key = keyIn(Buffer.from(bytes).toString("latin1", 0, 100));
      const gone = attachments.find(
        ({ path_id }: { path_id: string }) =>
          two.some((url) => url.endsWith(path_id)) && !path_id.includes(key),
      );
      expect((await alice.delete(`/attachments/${gone.id}`)).status).toBe(200);
    });
    await withRestored(path, world.clock, async ({ site }) => {
      const person = alice.at({ site });
      const { attachments } = (await person.get("/attachments")).body;
      expect(attachments.length).toBe(2);
      for (const { path_id } of attachments)
        expect(await statusOf(person, `/user_uploads/${path_id}`)).toBe(200);
      expect(await statusOf(person, late ?? "")).toBe(200);
    });
    await world.close();
  });

  test("counts the files that its rows name and the store does not have, but none that went meanwhile", async () => {
    const world = await makeWorld();
    const { alice } = world;
    await upload(alice, "kept.txt");
    const lost = await upload(alice, "lost.txt");
    await world.app.files.remove(lost.split("/").slice(2, 4).join("/"));
    for (const name of ["parrot", "raven"])
      await world.olga.ask("POST", `/realm/emoji/${name}`, {}, { body: emojiForm(staticPng) });
    const { emoji } = (await alice.get("/realm/emoji")).body;
    const [first] = Object.values<{ source_url: string }>(emoji);
    await world.app.files.remove(
      `${world.realm.id}/${/([\w-]+)\.png/.exec(first?.source_url ?? "")?.[1]}`,
    );
    let late: number | undefined;
    const report = await backUpInto(nextPath(), world.place, world.clock.now(), async (bytes) => {
      const name = Buffer.from(bytes).toString("latin1", 0, 7);
      if (name.startsWith("files/")) late ??= await uploadLate();
      // The row of the late file is among those that are being read.
      if (name !== "tables/" || late === undefined) return;
      expect((await alice.delete(`/attachments/${late}`)).status).toBe(200);
      late = undefined;
    });
    expect(report).toMatchObject({ files: 2, filesMissing: 2 });
    await world.close();

    async function uploadLate(): Promise<number> {
      await upload(alice, "late.txt");
      const { attachments } = (await alice.get("/attachments")).body;
      return attachments.find(({ name }: { name: string }) => name === "late.txt").id;
    }
  });

  test("has everything that there was, and nothing of it has changed after a restore", async () => {
    const world = await makeWorld();
    const url = await upload(world.alice);
    await world.alice.say("general", "load", `look: [note](${url})`);
    await world.alice.tell([world.bob], "for you");
    await world.bob.post("/messages/1/reactions", { emoji_name: "smile" });
    const path = nextPath();
    await backUpInto(path, world.place, 0);
    const place = await freshPlace();
    await restoreInto(place, path);
    const again = readFileSync(path);
    const restored = await contentOf(place);
    expect(entriesOf(restored)).toEqual(entriesOf(again));
    await Promise.all([place.remove(), world.close()]);
  });
});

/** The last part of the name of a file in an archive. */
const keyIn = (name: string) => name.split("\0")[0]?.split("/").at(-1) ?? "";

/**
 * The contents of an archive's entries by their names, but for the ids that numbering goes on
 * after.
 */
function entriesOf(archive: Buffer): Record<string, string> {
  const entries: Record<string, string> = {};
  for (let at = 0; archive[at] !== 0; ) {
    const name = archive.toString("latin1", at, at + 100).split("\0")[0] ?? "";
    const size = Number.parseInt(archive.toString("latin1", at + 124, at + 135), 8);
    const content = archive.subarray(at + 512, at + 512 + size);
    at += 512 + Math.ceil(size / 512) * 512;
    if (name === "ids.json" || name === "end.json") continue;
    const isTable = name.startsWith("tables/");
    entries[name] = isTable
      ? Bun.zstdDecompressSync(content).toString().split("\n").sort().join("\n")
      : content.toString();
  }
  return entries;
}

describe("after a restore", () => {
  test("old queues are refused, and no id is given out again that somebody may have seen", async () => {
    const world = await makeWorld();
    const queue = await world.alice.register();
    await world.alice.say("general", "load", "number 1");
    await queue.events();
    const path = await backUp(world);
    const lost = await world.alice.say("general", "load", "never to be seen again");
    const [seen] = await queue.events();
    world.clock.advance(3600);
    await withRestored(path, world.clock, async ({ site }) => {
      const alice = world.alice.at({ site });
      const old = { queue_id: queue.id, last_event_id: queue.lastEventId, dont_block: true };
      expect(refusal(await alice.get("/events", old))).toBe("400 BAD_EVENT_QUEUE_ID");
      const fresh = await alice.register();
      const sent = await alice.say("general", "load", "number 2");
      expect(sent).toBeGreaterThan(lost + 3600);
      const [event] = await fresh.events();
      expect(event.message.id).toBe(sent);
      expect(event.id).toBeGreaterThan(seen.id);
      expect((await read(alice)).map(({ content }) => content)).toEqual(["number 1", "number 2"]);
    });
    await world.close();
  });

  test("people, sessions and settings are as they were, and everybody gets in with their key", async () => {
    const world = await makeWorld();
    await world.olga.patch("/realm", { description: "As it was" });
    const path = await backUp(world);
    await world.olga.patch("/realm", { description: "Later" });
    await withRestored(path, world.clock, async ({ site }) => {
      for (const person of [world.olga, world.bob, world.greta, world.zoe]) {
        expect((await person.at({ site }).get("/users/me")).body.user_id).toBe(person.id);
      }
      const { body } = await world.bob
        .at({ site })
        .post("/register", { fetch_event_types: ["realm"] });
      expect(body.realm_description).toBe("As it was");
    });
    await world.close();
  });
});

describe("a restore is refused", () => {
  let world: World;
  let archive: Buffer;
  beforeAll(async () => {
    world = await makeWorld();
    await world.alice.say("general", "load", "number 1");
    archive = readFileSync(await backUp(world));
  });
  afterAll(() => world.close());

  test(
    "for a backup that was cut off anywhere, and nothing is touched",
    async () => {
      const place = await freshPlace();
      const random = seededRandom(7);
      const lengths = [
        0,
        1,
        511,
        512,
        archive.length - 1,
        archive.length - 512,
        archive.length - 1024,
      ];
      for (let i = 0; i < damages; i++) lengths.push(Math.floor(random() * archive.length));
      for (const [index, length] of lengths.entries()) {
        const restoring = restoreInto(place, archive.subarray(0, length), {
          isRepeatable: !isFromPipe(index),
        });
        expect(await outcomeOf(restoring)).toThrow("This is no whole backup");
        expect(readdirSync(place.dataFolder)).toEqual([]);
      }
      await restoreInto(place, archive);
      await place.remove();
    },
    damagedMilliseconds,
  );

  test(
    "for a backup of which one bit is another, wherever it is, and nothing is touched",
    async () => {
      const place = await freshPlace();
      const random = seededRandom(8);
      const bits = [archive.length * 8 - 1, (archive.length - 1024) * 8 - 3];
      for (let i = 0; i < damages; i++) bits.push(Math.floor(random() * archive.length * 8));
      for (const [index, bit] of bits.entries()) {
        const damaged = Buffer.from(archive);
        damaged[bit >> 3] = (damaged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        const restoring = restoreInto(place, damaged, { isRepeatable: !isFromPipe(index) });
        const outcome = await restoring.then(
          () => "restored",
          (error: unknown) => error,
        );
        expect(outcome, `bit ${bit}`).toBeInstanceOf(Error);
        expect(readdirSync(place.dataFolder), `bit ${bit}`).toEqual([]);
      }
      await restoreInto(place, archive);
      await place.remove();
    },
    damagedMilliseconds,
  );

  test("where there is data, unless it may be replaced; then it is put aside", async () => {
    const place = await freshPlace();
    await restoreInto(place, archive);
    expect(await outcomeOf(restoreInto(place, archive))).toThrow("not empty");
    const { aside } = await restoreInto(place, archive, { replaces: true });
    expect(existsSync(join(aside ?? "", "secret"))).toBe(true);
    const names = readdirSync(place.dataFolder).filter(
      (name) => !name.startsWith("before-restore-"),
    );
    expect(names.sort()).toEqual(
      place.databaseUrl === undefined ? ["chatd.db", "secret"] : ["secret"],
    );
    expect(statSync(join(place.dataFolder, "secret")).mode & 0o777).toBe(0o600);
    await place.remove();
  });

  test("while a server is at work on the data", async () => {
    const place = await freshPlace();
    await restoreInto(place, archive);
    const server = await serveRestored(place, makeFakeClock());
    expect(await outcomeOf(restoreInto(place, archive, { replaces: true }))).toThrow(
      "Stop it first",
    );
    expect((await world.alice.at(server).get("/users/me")).status).toBe(200);
    await server.close();
    await place.remove();
  });

  test("where servers have another secret", async () => {
    const place = await freshPlace();
    const secret = "0123456789abcdef0123456789abcdef";
    expect(await outcomeOf(restoreInto(place, archive, { secret }))).toThrow(
      "CHATD_SECRET is not the secret",
    );
    expect(readdirSync(place.dataFolder)).toEqual([]);
    await place.remove();
  });

  test("for a backup of a newer chatd, which is named", async () => {
    const place = await freshPlace();
    const newer = withManifest(archive, (text) =>
      text.replace(/"schemaVersion": \d+/, '"schemaVersion": 99'),
    );
    expect(await outcomeOf(restoreInto(place, newer))).toThrow("which is newer than this chatd");
    const later = withManifest(archive, (text) =>
      text.replace('"formatVersion": 1', '"formatVersion": 2'),
    );
    expect(await outcomeOf(restoreInto(place, later))).toThrow("which is newer than this chatd");
    expect(readdirSync(place.dataFolder)).toEqual([]);
    await place.remove();
  });
});

/**
 * An archive whose manifest says something else; its checksum is wrong then, but that comes later.
 */
function withManifest(archive: Buffer, change: (text: string) => string): Buffer {
  const manifest = archive.toString("utf8", 512, 1024).split("\0")[0] ?? "";
  const changed = Buffer.from(archive);
  changed.fill(0, 512, 1024);
  changed.write(change(manifest).slice(0, manifest.length).padEnd(manifest.length, " "), 512);
  return changed;
}

describe("a backup of an older schema", () => {
  /** Number of migrations when the first databases were made that have to be kept. */
  const releasedBefore = 3;

  test("is restored as it was, and migrated at the next start", async () => {
    const old = await freshPlace();
    const migrations = readMigrations(join(old.migrationsFolder, testEngine));
    await migrateOnly(old, migrations.slice(0, releasedBefore));
    await Bun.write(join(old.dataFolder, "secret"), `${"0123456789abcdef".repeat(4)}\n`);
    const realm =
      "INSERT INTO realms (host, name, uuid, created_at) VALUES ('old.example.com', 'Old', 'u', 1)";
    await run(old, realm);
    const path = nextPath();
    const report = await backUpInto(path, old, 5);
    expect(report).toEqual({
      schemaVersion: releasedBefore,
      files: 0,
      filesMissing: 0,
      rows: 1,
    });
    const place = await freshPlace();
    await restoreInto(place, path);
    expect(await run(place, "SELECT max(version) AS version FROM chatd_schema")).toEqual([
      { version: releasedBefore },
    ]);
    const server = await serveRestored(place, makeFakeClock());
    const realms = await server.app.engine.reader.db.select().from(server.app.engine.schema.realms);
    expect(
      realms.map(({ host, isActive, hasLinkifiers }) => [host, isActive, hasLinkifiers]),
    ).toEqual([["old.example.com", true, false]]);
    await server.close();
    await Promise.all([place.remove(), old.remove()]);
  });
});

async function migrateOnly({ databaseUrl, dataFolder }: Place, migrations: Migration[]) {
  if (databaseUrl !== undefined) await migratePostgres(databaseUrl, migrations, 5);
  else migrateSqlite(databaseFile(dataFolder), migrations, 5);
}

async function run(
  { databaseUrl, dataFolder }: Place,
  statement: string,
): Promise<Record<string, unknown>[]> {
  if (databaseUrl === undefined) {
    const file = new Database(databaseFile(dataFolder));
    const rows = file.query(statement).all() as Record<string, unknown>[];
    file.close();
    return rows;
  }
  const sql = postgres(databaseUrl, { max: 1 });
  const rows = await sql.unsafe(statement);
  await sql.end();
  return rows.map((row) => ({
    ...row,
    ...("version" in row ? { version: Number(row["version"]) } : {}),
  }));
}

test("nobody works on data of which a part only was restored", async () => {
  const place = await freshPlace();
  await Bun.write(join(place.dataFolder, "restore-unfinished"), "");
  expect(() => requireFinishedRestore(place.dataFolder)).toThrow("was interrupted. Run it again");
  await place.remove();
});
