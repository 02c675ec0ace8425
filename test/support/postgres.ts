import postgres from "postgres";

/**
 * Creates an empty database on the PostgreSQL of this test run (see `test/run.ts`) and answers with its URL.
 * Give it back with `dropDatabase`.
 */
export async function freshDatabase(): Promise<string> {
  const url = new URL(serverUrl());
  const name = `test_${crypto.randomUUID().replaceAll("-", "")}`;
  await onServer((sql) => sql`CREATE DATABASE ${sql(name)} TEMPLATE template0`);
  url.pathname = name;
  return url.href;
}

/** Removes a database that `freshDatabase` made, also when connections to it are still open. */
export async function dropDatabase(databaseUrl: string): Promise<void> {
  const name = new URL(databaseUrl).pathname.slice(1);
  await onServer((sql) => sql`DROP DATABASE IF EXISTS ${sql(name)} WITH (FORCE)`);
}

function serverUrl(): string {
  const url = process.env.CHATD_TEST_POSTGRES;
  if (!url) throw new Error("CHATD_TEST_POSTGRES is not set: run the tests with `make test`, which starts PostgreSQL.");
  return url;
}

async function onServer(run: (sql: postgres.Sql) => Promise<unknown>): Promise<void> {
  const sql = postgres(serverUrl(), { max: 1, onnotice: () => {} });
  try {
    await run(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}
