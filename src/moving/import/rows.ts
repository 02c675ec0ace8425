import { type ExportedTable, exportedTable, isNumbered } from "../../../db/schema/tables";
import type { StoredTable, StoredValue } from "../../../db/stored-rows";
import type { TakenColumn, TakenTable } from "../../../db/take-rows";
import { shiftId } from "./shifts";
import { type Mapping, mapValue, RowRefusal } from "./values";

type Row = Record<string, StoredValue>;

const integerMax = Number.MAX_SAFE_INTEGER;

/** A value of the column's type; undefined where it has another type. */
function typed({ type, isNullable }: TakenColumn, value: StoredValue): StoredValue | undefined {
  if (value === null) return isNullable ? null : undefined;
  switch (type) {
    case "boolean":
      return value === true || value === 1
        ? true
        : value === false || value === 0
          ? false
          : undefined;
    case "number":
      return Number.isSafeInteger(value) && Math.abs(Number(value)) <= integerMax
        ? value
        : undefined;
    case "string":
      // PostgreSQL stores neither NUL nor lone surrogates.
      return typeof value === "string" ? value.replaceAll("\0", "").toWellFormed() : undefined;
    case "bytes":
      return value instanceof Uint8Array ? Buffer.from(value) : undefined;
  }
}

/**
 * A row of the file with the ids of this server, also in texts. Columns that this server does not
 * have are left out. Throws a `RowRefusal` with the reason if the row cannot be imported.
 */
export function mapRow(
  mapping: Mapping,
  name: ExportedTable,
  { columns }: StoredTable,
  table: TakenTable,
  values: readonly StoredValue[],
): Row {
  const given: Row = Object.fromEntries(columns.map((column, at) => [column, values[at] ?? null]));
  const row: Row = {};
  for (const column of table.columns) {
    if (!(column.name in given)) continue;
    const value = typed(column, given[column.name] ?? null);
    if (value === undefined) {
      if (given[column.name] === null && column.hasDefault) continue;
      throw new RowRefusal(`has no ${column.type} in ${column.name}`);
    }
    row[column.name] = value;
  }
  for (const [column, holding] of Object.entries(exportedTable(name).holds)) {
    const value = row[column];
    if (value === undefined) continue;
    const mapped = mapValue(mapping, holding, value, row);
    if (mapped === null && value !== null && !isNullable(table, column))
      throw new RowRefusal(`names a missing row in ${column}`);
    row[column] = mapped;
  }
  return { ...row, ...place(mapping, name, row) };
}

const isNullable = ({ columns }: TakenTable, column: string): boolean =>
  columns.some((one) => one.name === column && one.isNullable);

/** A row with the mapped id of its object, and the id of the new organization. */
function place({ shifts, realmId }: Mapping, name: ExportedTable, row: Row): Row {
  if (name === "realms") return { id: realmId.to };
  if (!isNumbered(name)) return { realm_id: realmId.to };
  const id = shiftId(shifts, name, Number(row["id"]));
  if (id === undefined) throw new RowRefusal("has no id");
  return { realm_id: realmId.to, id };
}
