import postgres, { type ISql, type Sql } from "postgres";
import { type Migration, pending } from "./migrate";
import { isPostgresBusy, migrateLocked } from "./migrate-postgres";
import { migrationLock } from "./postgres-locks";
import {
  DataInUseError,
  isCopied,
  namesMade,
  quoted,
  type RowSource,
  type RowTarget,
  realmClause,
  type StoredTable,
  type StoredValue,
} from "./stored-rows";

const rowsPerBatch = 200;
const endSeconds = 5;
/**
 * Type of int8 in PostgreSQL, which has ids and times. Their values are small enough for numbers of
 * JavaScript.
 */
const bigintType = { to: 20, from: [20], serialize: String, parse: Number };

/**
 * Connects, by default with the option that fetches types. Without it `reserve` of postgres.js
 * 3.4.9 waits for ever, and names of columns, which come as an array, could not be read.
 */
const connect = (url: string, { fetchesTypes = true } = {}): Sql =>
  postgres(url, {
    max: 1,
    fetch_types: fetchesTypes,
    onnotice: () => undefined,
    connection: { application_name: "chatd-copy", TimeZone: "UTC" },
    types: { bigint: bigintType },
  }) as unknown as Sql;

/**
 * Reads a database to which other processes may write, as of the moment when it is opened. It does
 * not block them.
 */
export async function openPostgresRows(url: string, migrations: Migration[]): Promise<RowSource> {
  const client = connect(url);
  try {
    const sql = await client.reserve();
    await sql`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY`;
    const version = await versionOf(sql);
    pending(migrations, version);
    return {
      version,
      tables: await ownTables(sql, migrations),
      lastIds: await lastIdsOf(sql),
      read: (table, realmId) => readTable(sql, table, realmId),
      async close() {
        sql.release();
        await client.end({ timeout: endSeconds });
      },
    };
  } catch (error) {
    await client.end({ timeout: endSeconds });
    throw error;
  }
}

/** The schema's version; 0 where nothing is stored. */
export async function readPostgresVersion(url: string): Promise<number> {
  const client = connect(url);
  try {
    return await versionOf(client);
  } finally {
    await client.end({ timeout: endSeconds });
  }
}

async function versionOf(sql: ISql): Promise<number> {
  const [found] = await sql`SELECT to_regclass('chatd_schema') IS NOT NULL AS "hasVersions"`;
  if (!found?.["hasVersions"]) return 0;
  const [row] = await sql`SELECT max(version) AS version FROM chatd_schema`;
  return Number(row?.["version"] ?? 0);
}

/** Read from the catalog, because views of `information_schema` take twenty times as long. */
async function tablesOf(sql: ISql): Promise<StoredTable[]> {
  const rows =
    await sql`SELECT relname::text AS name, array_agg(attname::text ORDER BY attnum) AS columns
    FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid ${inOwnSchema(sql)}
      AND relkind IN ('r', 'p') AND attnum > 0 AND NOT attisdropped
    GROUP BY relname ORDER BY relname`;
  return rows.map((row) => ({ name: String(row["name"]), columns: row["columns"] as string[] }));
}

const inOwnSchema = (sql: ISql) =>
  sql`WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())`;

/** Tables that chatd has made and that are copied. */
async function ownTables(sql: ISql, migrations: Migration[]): Promise<StoredTable[]> {
  const ownNames = namesMade("TABLE", migrations);
  return (await tablesOf(sql)).filter(({ name }) => ownNames.has(name) && isCopied(name));
}

async function numberedTables(sql: ISql): Promise<string[]> {
  const rows = await sql`SELECT relname::text AS name
    FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid ${inOwnSchema(sql)}
      AND attname = 'id' AND attidentity <> ''`;
  return rows.map((row) => String(row["name"])).filter(isCopied);
}

async function lastIdsOf(sql: ISql): Promise<Record<string, number>> {
  const lastIds: Record<string, number> = {};
  for (const table of await numberedTables(sql)) {
    const [found] = await sql`SELECT pg_get_serial_sequence(${table}, 'id') AS name`;
    const [row] = await sql.unsafe(
      `SELECT CASE WHEN is_called THEN last_value ELSE 0 END AS last FROM ${found?.["name"]}`,
    );
    lastIds[table] = Number(row?.["last"] ?? 0);
  }
  return lastIds;
}

async function* readTable(
  sql: ISql,
  table: StoredTable,
  realmId: number | undefined,
): AsyncIterable<StoredValue[][]> {
  const { name, columns } = table;
  const clause = realmId === undefined ? "" : realmClause(table, realmId);
  const query = sql.unsafe(
    `SELECT ${columns.map(quoted).join(", ")} FROM ${quoted(name)}${clause}`,
  );
  for await (const rows of query.cursor(rowsPerBatch)) {
    yield rows.map((row) => columns.map((column) => (row[column] ?? null) as StoredValue));
  }
}

/**
 * Creates all tables with a version of the schema, and fills them, in one transaction. With
 * `replaces` existing tables are dropped. Refuses while servers are connected.
 */
export async function loadPostgresRows<Result>(
  url: string,
  {
    migrations: all,
    version,
    now,
    replaces,
  }: { migrations: Migration[]; version: number; now: number; replaces: boolean },
  fill: (target: RowTarget) => Promise<Result>,
): Promise<Result> {
  const client = connect(url);
  const { promise: filled, resolve } = Promise.withResolvers<Result>();
  try {
    await client.begin(async (sql) => {
      // Servers that connect meanwhile wait for this lock.
      await sql`SELECT pg_advisory_xact_lock(${migrationLock})`;
      if (await isPostgresBusy(sql)) throw new DataInUseError();
      if (replaces) await dropTables(sql, all);
      await migrateLocked(sql, all.slice(0, version), now);
      const tables = await ownTables(sql, all);
      for (const { name } of tables) await sql.unsafe(`DELETE FROM ${quoted(name)}`);
      const names = new Set(tables.map(({ name }) => name));
      const numbered = (await numberedTables(sql)).filter((name) => names.has(name));
      resolve(await fill(targetOf(sql, names, numbered)));
    });
    return await filled;
  } finally {
    await client.end({ timeout: endSeconds });
  }
}

/** Whether servers or commands are connected. */
export async function isPostgresInUse(url: string): Promise<boolean> {
  const client = connect(url, { fetchesTypes: false });
  try {
    return await isPostgresBusy(client);
  } finally {
    await client.end({ timeout: endSeconds });
  }
}

async function dropTables(sql: ISql, migrations: Migration[]) {
  const ownNames = namesMade("TABLE", migrations).add("chatd_schema");
  for (const name of ownNames) await sql.unsafe(`DROP TABLE IF EXISTS ${quoted(name)} CASCADE`);
  for (const name of namesMade("FUNCTION", migrations))
    await sql.unsafe(`DROP FUNCTION IF EXISTS ${quoted(name)}`);
}

function targetOf(
  sql: ISql,
  tableNames: ReadonlySet<string>,
  numbered: readonly string[],
): RowTarget {
  return {
    async insert(table, columns, rows) {
      if (!tableNames.has(table)) throw new Error(`There is no table ${table}.`);
      const names = columns.map(quoted).join(", ");
      const objects = rows.map((row) =>
        Object.fromEntries(columns.map((name, i) => [name, asJson(row[i] ?? null)])),
      );
      await sql.unsafe(
        `INSERT INTO ${quoted(table)} (${names})
          SELECT ${names} FROM json_populate_recordset(NULL::${quoted(table)}, $1::text::json)`,
        [JSON.stringify(objects)],
      );
    },
    async finish(lastIdOf) {
      for (const table of numbered) {
        await sql`SELECT setval(pg_get_serial_sequence(${table}, 'id'), ${lastIdOf(table)}::bigint)`;
      }
      // Without this, the first queries would have plans for empty tables.
      for (const table of tableNames) await sql.unsafe(`ANALYZE ${quoted(table)}`);
    },
  };
}

/** A value as JSON. PostgreSQL accepts 1 and 0 as booleans, and hexadecimal text as bytes. */
const asJson = (value: StoredValue) =>
  value instanceof Uint8Array
    ? `\\x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("hex")}`
    : value;
