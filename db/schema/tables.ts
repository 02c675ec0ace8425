import { getTableColumns, getTableName } from "drizzle-orm";
import type { TableNameOf } from "../drizzle-internals";
import { type Schema, schemaOf } from "./index";
import { type Described, findTraits, type Holding, type Traits } from "./traits";

/** The name in the database of a table in the schema. */
type NameOf<Key extends keyof Schema> = TableNameOf<Schema[Key]>;

type NamesOfDescribed<Told> = {
  [Key in keyof Schema]: Schema[Key] extends Described<Told> ? NameOf<Key> : never;
}[keyof Schema];

type NamesWithId = {
  [Key in keyof Schema]: Schema[Key] extends { id: unknown } ? NameOf<Key> : never;
}[keyof Schema];

export type TableName = NameOf<keyof Schema>;

export type ExportedTable = NamesOfDescribed<{ exported: true }>;

/**
 * The tables whose changes are noted in the realm's log, so that results from them can be cached.
 */
export type LoggedTable = Exclude<TableName, NamesOfDescribed<{ changes: "notLogged" }>>;

/** The exported tables whose rows have ids of their own. */
export type NumberedTable = Exclude<ExportedTable & NamesWithId, "realms">;

/** Content of a column of an exported table. Its ids are of tables that are exported too. */
export type ExportedHolding =
  | Exclude<Holding, { is: "id" }>
  | (Extract<Holding, { is: "id" }> & { of: NumberedTable });

/** A table for code that uses its traits. Columns are named as in the database. */
interface DescribedTable<Name extends string, Held> {
  name: Name;
  traits: Traits;
  columns: readonly string[];
  holds: Readonly<Record<string, Held>>;
}

let all: readonly DescribedTable<TableName, Holding>[] | undefined;

/**
 * All tables in the order of the schema. A table's traits do not depend on the engine, so they are
 * read from the tables of SQLite.
 */
export function allTables(): readonly DescribedTable<TableName, Holding>[] {
  all ??= Object.values(schemaOf("sqlite")).map(describedTable);
  return all;
}

function describedTable(table: Schema[keyof Schema]): DescribedTable<TableName, Holding> {
  const traits = findTraits(table);
  const name = getTableName(table) as TableName;
  if (!traits) throw new Error(`The table ${name} has no traits.`);
  const columns = getTableColumns(table) as Readonly<Record<string, { name: string }>>;
  const nameOf = (key: string) => columns[key]?.name ?? key;
  const holds = Object.entries(traits.holds ?? {}).flatMap(([key, holding]) => {
    if (!holding) return [];
    const held = holding.is === "html" ? { ...holding, from: nameOf(holding.from) } : holding;
    return [[nameOf(key), held] as const];
  });
  return {
    name,
    traits,
    columns: Object.values(columns).map((column) => column.name),
    holds: Object.fromEntries(holds),
  };
}

type Exported = DescribedTable<ExportedTable, ExportedHolding>;

let exported: ReadonlyMap<string, Exported> | undefined;

function exportedByName(): ReadonlyMap<string, Exported> {
  exported ??= new Map(
    allTables()
      .filter(({ traits }) => "exported" in traits)
      .map((table) => [table.name, table as Exported]),
  );
  return exported;
}

/** The exported tables, in the order in which they are written and imported. */
export const exportedTables = (): readonly Exported[] => [...exportedByName().values()];

export function exportedTable(name: ExportedTable): Exported {
  const table = exportedByName().get(name);
  if (!table) throw new Error(`No export holds the table ${name}.`);
  return table;
}

export const isExported = (name: string): name is ExportedTable => exportedByName().has(name);

/** Whether a table is exported and its rows have ids of their own. */
export const isNumbered = (name: string): name is NumberedTable =>
  name !== "realms" && (exportedByName().get(name)?.columns.includes("id") ?? false);
