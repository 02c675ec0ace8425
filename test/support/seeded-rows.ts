import type { Sql } from "postgres";

/** Rows and sequences of a database, as they are put back. */
export interface Contents {
  tables: readonly Table[];
  /** Statement that puts all sequences back. */
  sequences: string;
  /** Question after the marks of the catalog and of each table. */
  marks: string;
}

interface Table {
  name: string;
  /** Statement that inserts its rows; empty where it has none. */
  insert: string;
  rowCount: number;
}

/** Marks of the catalog and of each table, of which each change makes others. */
export type Marks = readonly string[];

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
  return { tables, sequences: await readSequences(sql), marks: marksOf(tables) };
}

async function readTable(sql: Sql, name: string, columns: string[]): Promise<Table> {
  const values = columns.map((column) => `quote_nullable(${quoted(column)}::text)`).join(", ");
  const [row] = await sql.unsafe(
    `SELECT count(*)::int AS count,
      string_agg('(' || concat_ws(',', ${values}) || ')', ',' ORDER BY ctid) AS rows
    FROM ${quoted(name)}`,
  );
  const into = `${quoted(name)} (${columns.map(quoted).join(", ")})`;
  const insert =
    row?.["rows"] == null
      ? ""
      : `INSERT INTO ${into} OVERRIDING SYSTEM VALUE VALUES ${row["rows"]}`;
  return { name, insert, rowCount: row?.["count"] };
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

/**
 * Mark of rows, which each transaction that inserts, changes or deletes one of them makes another: how
 * many there are, and the id of the newest transaction. Ages lead to it, because ids themselves can
 * be compared as texts only, which takes twice as long for thousands of rows; 3 is the lowest id.
 */
const rowsMark = (rows: string) =>
  `(SELECT concat(count(*), ' ', age('3'::xid) - min(age(xmin)) + 3) FROM ${rows})`;

/** Lowest id of what a database has in addition to what PostgreSQL brings. */
const ownIdMin = 16_384;

/** `VACUUM` writes into these in place, which does not show in their marks. */
const catalogMarks = [
  ...["pg_class", "pg_constraint", "pg_proc"].map((name) =>
    rowsMark(`${name} WHERE oid >= ${ownIdMin}`),
  ),
  rowsMark(`pg_attribute WHERE attrelid >= ${ownIdMin}`),
  ...["pg_trigger", "pg_statistic"].map(rowsMark),
  // Settings are in a catalog of all databases, among others those of databases that are gone.
  "(SELECT count(*) FROM pg_db_role_setting JOIN pg_database ON oid = setdatabase WHERE datname = current_database())",
];

function marksOf(tables: readonly Table[]): string {
  const marks = tables.map(({ name, insert }) =>
    insert === "" ? `pg_relation_size('${quoted(name)}')` : rowsMark(quoted(name)),
  );
  const all = [...catalogMarks, ...marks].map((mark) => `${mark}::text`);
  return `SELECT array_to_string(ARRAY[${all.join(", ")}], ',') AS marks`;
}

export async function readMarks(sql: Sql, { marks }: Contents): Promise<Marks> {
  const [row] = await sql.unsafe(marks, [], { prepare: true });
  return String(row?.["marks"]).split(",");
}

/**
 * Puts a database back to what it was when its contents and marks were read, and answers the new
 * marks; undefined where more than rows has changed.
 */
export async function putBack(
  sql: Sql,
  contents: Contents,
  before: Marks,
): Promise<Marks | undefined> {
  const now = await readMarks(sql, contents);
  const hasChanged = (index: number) => now[index] !== before[index];
  if (catalogMarks.some((_, index) => hasChanged(index))) return undefined;
  const isToReset = (index: number) => hasChanged(catalogMarks.length + index);
  const tables = contents.tables.filter((_, index) => isToReset(index));
  const id = await reset(sql, contents, tables);
  if (id === undefined) return undefined;
  const markOf = ({ insert, rowCount }: Table) => (insert === "" ? "0" : `${rowCount} ${id}`);
  const marks = contents.tables.map((table, index) =>
    isToReset(index) ? markOf(table) : (now[catalogMarks.length + index] ?? ""),
  );
  return [...now.slice(0, catalogMarks.length), ...marks];
}

/**
 * Empties tables to the last page, so that new rows lie in them as in new ones, and inserts what
 * was in them. Answers the id of the transaction that did, or undefined where a table could not be
 * emptied so.
 */
export async function reset(
  sql: Sql,
  { sequences }: Contents,
  tables: readonly Table[],
): Promise<string | undefined> {
  const names = tables.map(({ name }) => quoted(name));
  if (tables.length > 0) {
    const deletions = names.map((name) => `DELETE FROM ${name}`);
    await sql.unsafe(["BEGIN", asTheyStand, ...deletions, "COMMIT"].join("; "));
    // Without its look through all tables for the age of the oldest row.
    await sql.unsafe(`VACUUM (SKIP_DATABASE_STATS) ${names.join(", ")}`);
  }
  const sizes = names.map((name) => `pg_relation_size('${name}')`);
  const begun = `SELECT pg_current_xact_id()::text AS id, ${["0", ...sizes].join(" + ")} AS size`;
  const inserts = tables.map(({ insert }) => insert).filter((insert) => insert !== "");
  const answers: Record<string, unknown>[][] = await sql.unsafe(
    ["BEGIN", asTheyStand, begun, ...inserts, sequences, "COMMIT"].join("; "),
  );
  const row = answers.flat().find(({ size }) => size !== undefined);
  return Number(row?.["size"]) === 0 ? String(row?.["id"]) : undefined;
}
