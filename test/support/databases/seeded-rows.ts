import type { Sql } from "postgres";

/** Rows and sequences of a database, as they are put back. */
export interface Contents {
  tables: readonly Table[];
  /** Statement that puts all sequences back. */
  sequences: string;
  /** Question after the marks of a database. */
  marks: string;
}

interface Table {
  name: string;
  /** Statement that inserts its rows; empty where it has none. */
  insert: string;
}

/** Counts that PostgreSQL keeps of a database. */
export interface Marks {
  /** Number of connections. */
  connections: number;
  /** Mark of the schema and of the settings, which each change of them makes another. */
  catalog: string;
  /** For each table, how many rows were ever inserted, changed or deleted. */
  tables: readonly string[];
}

const quoted = (name: string) => `"${name}"`;
/** So that neither triggers nor foreign keys do anything. */
const asTheyStand = "SET LOCAL session_replication_role = replica";

/** Reads what is in a database. */
export async function readContents(sql: Sql): Promise<Contents> {
  const columns: { table: string; names: string[] }[] = await sql`
    SELECT relname AS table, array_agg(attname::text ORDER BY attnum) AS names
    FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
      AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
    GROUP BY relname ORDER BY relname`;
  const tables: Table[] = [];
  for (const { table, names } of columns) tables.push(await readTable(sql, table, names));
  return { tables, sequences: await readSequences(sql), marks: await marksOf(sql, tables) };
}

async function readTable(sql: Sql, name: string, columns: string[]): Promise<Table> {
  const values = columns.map((column) => `quote_nullable(${quoted(column)}::text)`).join(", ");
  const [row] = await sql.unsafe(
    `SELECT string_agg('(' || concat_ws(',', ${values}) || ')', ',' ORDER BY ctid) AS rows FROM ${quoted(name)}`,
  );
  const into = `${quoted(name)} (${columns.map(quoted).join(", ")})`;
  const insert =
    row?.["rows"] == null
      ? ""
      : `INSERT INTO ${into} OVERRIDING SYSTEM VALUE VALUES ${row["rows"]}`;
  return { name, insert };
}

async function readSequences(sql: Sql): Promise<string> {
  const names = await sql`SELECT sequencename AS name FROM pg_sequences ORDER BY 1`;
  const calls: string[] = [];
  for (const { name } of names) {
    const [at] = await sql.unsafe(`SELECT last_value, is_called FROM ${quoted(name)}`);
    calls.push(`setval('${quoted(name)}', ${at?.["last_value"]}, ${at?.["is_called"]})`);
  }
  return `SELECT ${calls.join(", ")}`;
}

/** Lowest id of what a database has in addition to what PostgreSQL brings. */
const ownIdMin = 16_384;

/**
 * Asks PostgreSQL's own counts, because to look at the rows of all tables and catalogs takes it
 * thirty times as long. They count rows of transactions that were rolled back too, and what a
 * session has done from when it is told to say so. `VACUUM` writes into catalogs in place, which is
 * not counted.
 */
async function marksOf(sql: Sql, tables: readonly Table[]): Promise<string> {
  const rows: { name: string; id: number }[] = await sql`
    SELECT relname::text AS name, oid::int AS id FROM pg_class
    WHERE relkind = 'r' AND NOT relisshared
      AND (relnamespace = 'public'::regnamespace OR oid < ${ownIdMin})`;
  const own = new Map(rows.filter(({ id }) => id >= ownIdMin).map(({ name, id }) => [name, id]));
  const counted = (ids: readonly (number | undefined)[]) =>
    `unnest('{${ids.join(",")}}'::oid[]) WITH ORDINALITY AS counted (id, place)`;
  const changes =
    "pg_stat_get_tuples_inserted(id) + pg_stat_get_tuples_updated(id) + pg_stat_get_tuples_deleted(id)";
  const catalogs = rows.filter(({ id }) => id < ownIdMin).map(({ id }) => id);
  // Settings are in a catalog of all databases, among others those of databases that are gone.
  return `SELECT pg_stat_get_db_numbackends(here.oid) AS connections,
      (SELECT sum(${changes}) FROM ${counted(catalogs)})
        || ' ' || (SELECT count(*) FROM pg_db_role_setting WHERE setdatabase = here.oid) AS catalog,
      (SELECT string_agg((${changes})::text, ',' ORDER BY place)
        FROM ${counted(tables.map(({ name }) => own.get(name)))}) AS tables
    FROM pg_database here WHERE datname = $1`;
}

export async function readMarks(sql: Sql, { marks }: Contents): Promise<Marks> {
  // With a value, because postgres.js prepares no statement without one.
  const [row] = await sql.unsafe(marks, [sql.options.database], { prepare: true });
  return {
    connections: row?.["connections"],
    catalog: row?.["catalog"],
    tables: String(row?.["tables"]).split(","),
  };
}

/** Makes a session add what it has done to PostgreSQL's counts before its next statement. */
export const tellCounts = "SELECT pg_stat_force_next_flush()";

/**
 * Puts a database back to what it was when its contents and marks were read, and answers the new
 * marks; undefined where more than rows has changed, or where more than these sessions and the own
 * one are connected.
 */
export async function putBack(
  sql: Sql,
  contents: Contents,
  before: Marks,
  sessions: number,
): Promise<Marks | undefined> {
  const now = await readMarks(sql, contents);
  if (now.catalog !== before.catalog || now.connections > sessions + 1) return undefined;
  const changed = contents.tables.filter((_, index) => now.tables[index] !== before.tables[index]);
  return (await reset(sql, contents, changed)) ? readMarks(sql, contents) : undefined;
}

/**
 * Empties tables to the last page, so that new rows lie in them as in new ones, and inserts what
 * was in them. Answers whether all tables could be emptied so.
 */
export async function reset(
  sql: Sql,
  { sequences }: Contents,
  tables: readonly Table[],
): Promise<boolean> {
  const names = tables.map(({ name }) => quoted(name));
  if (tables.length > 0) {
    const deletions = names.map((name) => `DELETE FROM ${name}`);
    await sql.unsafe(["BEGIN", asTheyStand, ...deletions, "COMMIT"].join("; "));
    // Without its look through all tables for the age of the oldest row.
    await sql.unsafe(`VACUUM (SKIP_DATABASE_STATS) ${names.join(", ")}`);
  }
  const sizes = names.map((name) => `pg_relation_size('${name}')`);
  const size = `SELECT ${["0", ...sizes].join(" + ")} AS size`;
  const inserts = tables.map(({ insert }) => insert).filter((insert) => insert !== "");
  const answers: Record<string, unknown>[][] = await sql.unsafe(
    ["BEGIN", asTheyStand, size, ...inserts, sequences, "COMMIT", tellCounts].join("; "),
  );
  return Number(answers.flat().find((row) => "size" in row)?.["size"]) === 0;
}
