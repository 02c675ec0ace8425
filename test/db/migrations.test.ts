import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { getTableName } from "drizzle-orm";
import postgres from "postgres";
import { type MigrationRight, migrateSqlite, readMigrations } from "../../db/migrate";
import { migratePostgres } from "../../db/migrate-postgres";
import { databaseFile, openEngine, type Place } from "../../db/open";
import { schemaOf } from "../../db/schema";
import { freshPlace, notingHooks, testEngine } from "../support/databases/storage";
import { outcomeOf } from "../support/outcome";

type Migrations = ReturnType<typeof readMigrations>;

const migrationsOf = (place: Place) => readMigrations(join(place.migrationsFolder, testEngine));

async function migrate(place: Place, migrations: Migrations) {
  if (place.databaseUrl !== undefined) return migratePostgres(place.databaseUrl, migrations, 5);
  return migrateSqlite(databaseFile(place.dataFolder), migrations, 5);
}

/** Every column of every table with its type, sorted. */
async function describeSchema({ databaseUrl, dataFolder }: Place): Promise<string[]> {
  if (databaseUrl === undefined) {
    const file = new Database(databaseFile(dataFolder));
    const rows = file
      .query("SELECT name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY name")
      .all();
    file.close();
    return rows.map((row) => JSON.stringify(row));
  }
  const sql = postgres(databaseUrl, { max: 1 });
  const rows = await sql`SELECT table_name, column_name, data_type, is_nullable, column_default
    FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 2`;
  const indexes = await sql`SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1`;
  await sql.end();
  return [...rows, ...indexes].map((row) => JSON.stringify(row));
}

/** Number of migrations when the first databases were made that have to be kept. */
const releasedBefore = 3;

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
  return [...rows];
}

test("a new database gets the newest schema, and doing it again changes nothing", async () => {
  const place = await freshPlace();
  const migrations = migrationsOf(place);
  expect(await migrate(place, migrations)).toMatchObject({ from: 0, to: migrations.length });
  const fresh = await describeSchema(place);
  expect(await migrate(place, migrations)).toMatchObject({
    from: migrations.length,
    to: migrations.length,
  });
  expect(await describeSchema(place)).toEqual(fresh);
  await place.remove();
});

test("step by step leads to the same schema as all at once", async () => {
  const [atOnce, stepwise] = [await freshPlace(), await freshPlace()];
  const migrations = migrationsOf(atOnce);
  await migrate(atOnce, migrations);
  for (let count = 1; count <= migrations.length; count++)
    await migrate(stepwise, migrations.slice(0, count));
  expect(await describeSchema(stepwise)).toEqual(await describeSchema(atOnce));
  await Promise.all([atOnce.remove(), stepwise.remove()]);
});

test("an organization of before gets what channels need to receive mail", async () => {
  const place = await freshPlace();
  const migrations = migrationsOf(place);
  await migrate(place, migrations.slice(0, releasedBefore));
  await run(
    place,
    "INSERT INTO realms (host, name, uuid, created_at) VALUES ('old.example.com', 'Old', 'u', 1)",
  );
  await migrate(place, migrations);
  const bots = await run(
    place,
    "SELECT email, is_system_bot FROM users WHERE email_key = 'email-gateway@old.example.com'",
  );
  expect(bots.map(({ email, is_system_bot }) => [email, Boolean(is_system_bot)])).toEqual([
    ["email-gateway@old.example.com", true],
  ]);
  await place.remove();
});

test("the migrations make every table that the code knows", async () => {
  const place = await freshPlace();
  await migrate(place, migrationsOf(place));
  const described = (await describeSchema(place)).join("\n");
  for (const table of Object.values(schemaOf(testEngine)))
    expect(described).toContain(getTableName(table));
  await place.remove();
});

/** Somebody who has the data open, as a server of an earlier version has. */
async function openElsewhere({ databaseUrl, dataFolder }: Place): Promise<() => unknown> {
  if (databaseUrl === undefined) {
    const file = new Database(databaseFile(dataFolder));
    file.query("SELECT count(*) FROM chatd_schema").get();
    return () => file.close();
  }
  const sql = postgres(databaseUrl, { max: 1, connection: { application_name: "chatd" } });
  await sql`SELECT 1`;
  return () => sql.end();
}

test("data of before is migrated by no command, and by no server while another one is at work on it", async () => {
  const place = await freshPlace();
  const [migrations, { hooks }] = [migrationsOf(place), notingHooks()];
  const before = migrations.length - 1;
  await migrate(place, migrations.slice(0, before));
  const open = (right: MigrationRight) => openEngine(place, hooks, 1, { right });
  const version = async () =>
    Number((await run(place, "SELECT max(version) AS newest FROM chatd_schema"))[0]?.["newest"]);
  for (const right of ["none", "of-new-data"] as const)
    expect(await outcomeOf(open(right))).toThrow(
      /has schema version \d+, and .* stop the server .* start this version once with `chatd serve`/,
    );
  const closeElsewhere = await openElsewhere(place);
  expect(await outcomeOf(open("all"))).toThrow(
    /another server or command is at work on it\. Stop it/,
  );
  expect(await version()).toBe(before);
  await closeElsewhere();
  const { engine, migrated } = await open("all");
  expect(migrated).toMatchObject({ from: before, to: migrations.length });
  await engine.close();
  const { engine: again } = await open("none");
  await again.close();
  await place.remove();
});

test("a migration that fails changes nothing, and leaves no copy: a service is started again and again", async () => {
  const place = await freshPlace();
  const migrations = migrationsOf(place);
  await migrate(place, migrations);
  const schema = await describeSchema(place);
  const version = migrations.length + 1;
  const statements = ["CREATE TABLE halfway (a bigint)", "NONSENSE"];
  const broken = [...migrations, { version, name: "broken", statements }];
  let copies = 0;
  const copy = async () => {
    copies += 1;
    const path = join(place.dataFolder, `before-schema-${version}-5.tar`);
    writeFileSync(path, "rows");
    return path;
  };
  const attempt = async () =>
    place.databaseUrl === undefined
      ? migrate(place, broken)
      : migratePostgres(place.databaseUrl, broken, 5, { copy });
  expect(await outcomeOf(attempt())).toThrow(/syntax error/);
  expect(copies).toBe(place.databaseUrl === undefined ? 0 : 1);
  const left = readdirSync(place.dataFolder).filter((name) => name.includes("before-schema-"));
  expect(left).toEqual([]);
  expect(await describeSchema(place)).toEqual(schema);
  await place.remove();
});

test("two processes that start at once migrate once", async () => {
  const place = await freshPlace();
  const script = `
    import { openEngine } from "./db/open";
    const hooks = { flushed() {}, changedElsewhere() {}, received() {}, lost() { return () => undefined }, fatal(e) { throw e }, warn() {} };
    const { engine } = await openEngine(${JSON.stringify(place)}, hooks, 1);
    await engine.close();`;
  const start = () =>
    Bun.spawn([process.execPath, "-e", script], {
      cwd: join(import.meta.dir, "../.."),
      stderr: "pipe",
    });
  const processes = [start(), start(), start()];
  const exits = await Promise.all(processes.map((one) => one.exited));
  expect(exits).toEqual([0, 0, 0]);
  await place.remove();
});
