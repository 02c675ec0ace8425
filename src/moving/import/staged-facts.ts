import type { ExportedTable } from "../../../db/schema/tables";
import type { StagedRows } from "../../../db/staged-rows";
import type { StoredValue } from "../../../db/stored-rows";
import { isClosed } from "./adjust";

const rowsPerPage = 1_000;

/** The types of profile fields, by their ids in the file. */
export const fieldTypesOf = (rows: StagedRows): Map<number, number> =>
  new Map(
    [...rowsOf(rows, "profile_fields")].map(({ id, type }) => [Number(id), Number(type)] as const),
  );

/** Ids in the file of channels that newcomers may not choose. */
export const closedChannelsOf = (rows: StagedRows): Set<number> =>
  new Set([...rowsOf(rows, "channels")].filter(isClosed).map(({ id }) => Number(id)));

function* rowsOf(rows: StagedRows, name: ExportedTable): Iterable<Record<string, StoredValue>> {
  const table = rows.tables.find((one) => one.name === name);
  for (let after = 0; table; ) {
    const page = rows.page(table, after, rowsPerPage);
    if (page.rows.length === 0) return;
    for (const row of page.rows)
      yield Object.fromEntries(table.columns.map((column, at) => [column, row[at] ?? null]));
    after = page.last;
  }
}
