import { join } from "node:path";
import postgres from "postgres";
import { migratePostgres, readMigrations } from "../../db/migrate";
import { assetPath } from "../../src/core/assets";

const migratedTemplate = "chatd_migrated";

/** Makes the database of the newest schema that `freshDatabase` copies: a copy takes a third of the time of its migrations. */
export async function makeMigratedTemplate(url: string): Promise<void> {
  await onServer(url, (sql) => sql`CREATE DATABASE ${sql(migratedTemplate)} TEMPLATE template0`);
  const migrations = readMigrations(join(assetPath("db", "migrations"), "postgres"));
  await migratePostgres(urlOf(url, migratedTemplate), migrations, 0);
}

/**
 * Creates a database on the PostgreSQL of this test run (see `test/run.ts`), empty or of the newest schema, and answers with
 * its URL. Give it back with `dropDatabase`.
 */
export async function freshDatabase({ migrated = false } = {}): Promise<string> {
  const name = `test_${crypto.randomUUID().replaceAll("-", "")}`;
  const template = migrated ? migratedTemplate : "template0";
  await onServer(serverUrl(), (sql) => sql`CREATE DATABASE ${sql(name)} TEMPLATE ${sql(template)}`);
  return urlOf(serverUrl(), name);
}

function urlOf(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = database;
  return url.href;
}

/** Removes a database that `freshDatabase` made, also when connections to it are still open. */
export async function dropDatabase(databaseUrl: string): Promise<void> {
  const name = new URL(databaseUrl).pathname.slice(1);
  await onServer(serverUrl(), (sql) => sql`DROP DATABASE IF EXISTS ${sql(name)} WITH (FORCE)`);
}

function serverUrl(): string {
  const url = process.env.CHATD_TEST_POSTGRES;
  if (!url) throw new Error("CHATD_TEST_POSTGRES is not set: run the tests with `make test`, which starts PostgreSQL.");
  return url;
}

const idleTimeoutSeconds = 2;
const connections = new Map<string, postgres.Sql>();

/** Connecting takes as long as making a database: one connection serves a file's tests. */
async function onServer(url: string, run: (sql: postgres.Sql) => Promise<unknown>): Promise<void> {
  const sql =
    connections.get(url) ?? postgres(url, { max: 1, idle_timeout: idleTimeoutSeconds, onnotice: () => undefined });
  connections.set(url, sql);
  await run(sql);
}
