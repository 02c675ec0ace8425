import type { ArchiveRow } from "./archive-file";

/** Rows with ids, for tables whose rows have no ids in chatd. */
export const numbered = (rows: readonly ArchiveRow[]): ArchiveRow[] =>
  rows.map((row, index) => ({ id: index + 1, ...row }));
