import postgres from "postgres";

/**
 * Creates a database on the PostgreSQL of this test run (see `test/run.ts`), empty or as a copy of
 * another one, and answers with its URL. Give it back with `dropDatabase`.
 */
export async function freshDatabase(template = "template0", url = serverUrl()): Promise<string> {
  const name = `test_${crypto.randomUUID().replaceAll("-", "")}`;
  // To copy the files takes half the time of writing every page to the log, and half the time again
  // when they are dropped.
  await onServer(
    url,
    (sql) => sql`CREATE DATABASE ${sql(name)} TEMPLATE ${sql(template)} STRATEGY FILE_COPY`,
  );
  return urlOf(url, name);
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
  if (!url)
    throw new Error(
      "CHATD_TEST_POSTGRES is not set: run the tests with `make test`, which starts PostgreSQL.",
    );
  return url;
}

const idleTimeoutSeconds = 2;
const connections = new Map<string, postgres.Sql>();

/** Connecting takes as long as making a database: one connection serves a file's tests. */
async function onServer(url: string, run: (sql: postgres.Sql) => Promise<unknown>): Promise<void> {
  const sql =
    connections.get(url) ??
    postgres(url, { max: 1, idle_timeout: idleTimeoutSeconds, onnotice: () => undefined });
  connections.set(url, sql);
  await run(sql);
}
