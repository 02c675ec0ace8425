import { expect, test } from "bun:test";
import postgres from "postgres";
import { openConnections } from "../../db/postgres-client";
import { dropDatabase, freshDatabase } from "../support/postgres";
import { lendDatabase } from "../support/reused-databases";
import { findSeed } from "../support/seed";

const template = findSeed()?.database;

const connect = (url: string) => postgres(url, { max: 1, onnotice: () => undefined });

/** A value for a column of each type that tables have. */
const sampleOf: Readonly<Record<string, string>> = {
  bigint: "900001",
  text: "'left behind'",
  boolean: "true",
  bytea: "'\\x00'",
  tsvector: "'left'",
};

const tablesSql = `SELECT table_name AS name, array_agg(column_name || ' ' || data_type) AS columns
  FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
  WHERE table_schema = 'public' AND table_type = 'BASE TABLE' GROUP BY 1 ORDER BY 1`;
const sequencesSql = "SELECT relname AS name FROM pg_class WHERE relkind = 'S' ORDER BY 1";

/** Changes each row that is there, adds one to every table, and counts every sequence on. */
async function changeEverything(url: string) {
  const sql = connect(url);
  for (const { name, columns } of await sql.unsafe(tablesSql)) {
    const values = columns.map((one: string) => one.split(" "));
    const names = values.map(([column]: string[]) => `"${column}"`).join(", ");
    const given = values.map(([, type]: string[]) => sampleOf[type ?? ""]).join(", ");
    const [key, type] = values.find(([, one]: string[]) => one === "bigint" || one === "text");
    await sql.unsafe(
      `UPDATE "${name}" SET "${key}" = "${key}" ${type === "text" ? "|| '.'" : "+ 500000"}`,
    );
    await sql.unsafe(`INSERT INTO "${name}" (${names}) VALUES (${given})`);
  }
  for (const { name } of await sql.unsafe(sequencesSql)) {
    await sql.unsafe(`SELECT nextval('"${name}"'), nextval('"${name}"')`);
  }
  await sql.end();
}

/** All that a database holds: the rows of each table, and each sequence. */
async function describeDatabase(url: string): Promise<Record<string, unknown>> {
  const sql = connect(url);
  const content: Record<string, unknown> = {};
  for (const { name } of await sql.unsafe(tablesSql)) {
    content[name] = await sql.unsafe(`SELECT t::text FROM "${name}" t ORDER BY 1`).values();
  }
  for (const { name } of await sql.unsafe(sequencesSql)) {
    content[name] = await sql.unsafe(`SELECT last_value, is_called FROM "${name}"`).values();
  }
  content["relations"] = await sql
    .unsafe("SELECT relname, relkind FROM pg_class WHERE relnamespace = 'public'::regnamespace")
    .values();
  await sql.end();
  return content;
}

test("a database that other worlds have used holds what a fresh one holds, in every table and sequence", async () => {
  if (template === undefined) return;
  const fresh = await freshDatabase(template);
  const expected = await describeDatabase(fresh);
  const lent = await lendDatabase(template);
  await changeEverything(lent.url);
  const changed = await describeDatabase(lent.url);
  const unchanged = Object.keys(expected).filter((name) =>
    Bun.deepEquals(changed[name], expected[name]),
  );
  expect(unchanged).toEqual(["relations"]);
  await lent.giveBack();
  const again = await lendDatabase(template);
  expect(again.url).toBe(lent.url);
  expect(await describeDatabase(again.url)).toEqual(expected);
  await again.giveBack();
  await dropDatabase(fresh);
});

test("a database whose tables are others, or to which a test has connected itself, serves no other world", async () => {
  if (template === undefined) return;
  const altered = await lendDatabase(template);
  const sql = connect(altered.url);
  await sql`CREATE INDEX left_behind ON messages (sender_id)`;
  await sql.end();
  await altered.giveBack();
  const owned = await lendDatabase(template);
  expect(owned.url).not.toBe(altered.url);
  owned.own();
  await owned.giveBack();
  const next = await lendDatabase(template);
  expect([altered.url, owned.url]).not.toContain(next.url);
  await next.giveBack();
});

/** All that a session remembers, and how it was set up. */
const sessionSql = `SELECT pg_backend_pid() AS pid, jsonb_build_object(
  'statements', (SELECT count(*) FROM pg_prepared_statements WHERE statement NOT LIKE '%pg_backend_pid%'),
  'channels', (SELECT count(*) FROM pg_listening_channels()),
  'locks', (SELECT count(*) FROM pg_locks WHERE pid = pg_backend_pid() AND locktype = 'advisory'),
  'cursors', (SELECT count(*) FROM pg_cursors WHERE name <> '' AND statement NOT LIKE '%pg_backend_pid%'),
  'temporary', (SELECT count(*) FROM pg_class WHERE relnamespace = pg_my_temp_schema()),
  'settings', (SELECT jsonb_object_agg(name, setting) FROM pg_settings)) AS state`;

async function describeSession(url: string, run: (sql: postgres.Sql) => Promise<void>) {
  const connections = openConnections(url, { max: 1 });
  const [row] = await connections.client.unsafe(sessionSql);
  await run(connections.client);
  await connections.end();
  return { pid: row?.["pid"], state: row?.["state"] };
}

test("a connection that another server has used remembers nothing of it", async () => {
  if (template === undefined) return;
  const lent = await lendDatabase(template);
  const first = await describeSession(lent.url, async (sql) => {
    await sql`SELECT pg_advisory_lock(7)`;
    await sql.unsafe("LISTEN somebody");
    await sql.unsafe("PREPARE left_behind AS SELECT 1");
    await sql.unsafe("CREATE TEMP TABLE left_behind (id bigint)");
    await sql.unsafe("SET lock_timeout = 1234");
    await sql.unsafe("DECLARE left_behind CURSOR WITH HOLD FOR SELECT 1");
  });
  await lent.giveBack();
  const again = await lendDatabase(template);
  const second = await describeSession(again.url, async () => undefined);
  expect(second).toEqual(first);
  await again.giveBack();
});

test("a connection that is closed in the middle of a transaction is not used again", async () => {
  if (template === undefined) return;
  const lent = await lendDatabase(template);
  const first = await describeSession(lent.url, async (sql) => void (await sql.unsafe("BEGIN")));
  await lent.giveBack();
  const again = await lendDatabase(template);
  expect(again.url).toBe(lent.url);
  const second = await describeSession(again.url, async () => undefined);
  expect(second.pid).not.toBe(first.pid);
  await again.giveBack();
});
