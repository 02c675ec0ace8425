import { exportedTables, isNumbered, type NumberedTable } from "../../../db/schema/tables";
import type { StagedRows } from "../../../db/staged-rows";
import { idsPerBlock } from "../../reading/read-blocks";
import { BrokenExportError } from "../realm-archive/manifest";

/**
 * All sequences of ids. The event log is one of them, because periods of subscriptions name places
 * in it.
 */
export type Numbered = NumberedTable | "event_log";

/** The tables with ids of their own, and the event log. */
export const numberedTables = (): readonly Numbered[] => [
  ...exportedTables()
    .map(({ name }) => name)
    .filter(isNumbered),
  "event_log",
];

/** The range of a table's ids in the file, and the number that is added to each of them. */
export interface Shift {
  min: number;
  max: number;
  shift: number;
}

export type Shifts = Readonly<Partial<Record<Numbered, Shift>>>;

/** The id of a log entry times 1,024 must be an integer that clients can represent. */
const idMax = 2 ** 40;

interface Places {
  of: Numbered;
  table: string;
  column: string;
  /** Number of places that one value of the column covers. */
  count: number;
}

/** Columns with places, which are not ids of rows: a row with that id need not exist. */
const placeColumns = (): Places[] =>
  exportedTables().flatMap(({ name: table, holds }) =>
    Object.entries(holds).flatMap(([column, holding]): Places[] => {
      if (holding.is === "block") return [{ of: "messages", table, column, count: idsPerBlock }];
      return holding.is === "place" ? [{ of: holding.of, table, column, count: 1 }] : [];
    }),
  );

/** Lowest and highest id in a staged organization. Refuses ids that no server gives out. */
export function boundsOf(rows: StagedRows, of: Numbered): { min: number; max: number } | undefined {
  const own = of === "event_log" ? undefined : rows.bounds(of, "id");
  const others = placeColumns()
    .filter((places) => places.of === of)
    .map(({ table, column, count }) => {
      const found = rows.bounds(table, column);
      return found && { min: found.min * count, max: found.max * count + count - 1 };
    });
  const all = [own, ...others].filter((one) => one !== undefined);
  if (all.length === 0) return undefined;
  // A place of 0 means before all rows, so it is not the lowest id.
  const min = own?.min ?? 1;
  const max = Math.max(min, ...all.map((one) => one.max));
  if (min < 1 || max > idMax)
    throw new BrokenExportError(`its ids of ${of} are none that a server gives out`);
  return { min, max };
}

/** The new id for an id of the file; undefined if it is unknown. */
export function shiftId(shifts: Shifts, of: Numbered, id: number): number | undefined {
  const range = shifts[of];
  if (!range || !Number.isSafeInteger(id) || id < range.min || id > range.max) return undefined;
  return id + range.shift;
}

/**
 * The new place for a place of the file among messages or in the log. 0 stays 0 and means before
 * all of them.
 */
export function shiftPlace(shifts: Shifts, of: Numbered, place: number): number | undefined {
  const range = shifts[of];
  if (place === 0 || !range) return place === 0 ? 0 : undefined;
  if (!Number.isSafeInteger(place) || place < 0 || place > range.max) return undefined;
  return place + range.shift;
}
