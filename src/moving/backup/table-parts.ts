import type { RowSource, StoredTable, StoredValue } from "../../../db/stored-rows";
import { BrokenBackupError } from "./broken";
import { encodeRow, type Part, packLines, partCharacters, unpackLines } from "./row-lines";

/**
 * The rows of a table as the contents of archive entries, each of which fits in memory. Calls `see`
 * with all rows, some at a time.
 */
export async function* encodeTable(
  source: RowSource,
  table: StoredTable,
  see: (rows: StoredValue[][]) => void,
): AsyncIterable<Uint8Array> {
  let lines: string[] = [];
  let characters = 0;
  for await (const rows of source.read(table)) {
    see(rows);
    for (const row of rows) {
      const line = encodeRow(row);
      lines.push(line);
      characters += line.length;
      if (characters < partCharacters) continue;
      yield await packLines(table.columns, lines);
      [lines, characters] = [[], 0];
    }
  }
  if (lines.length > 0) yield await packLines(table.columns, lines);
}

/** The rows of an entry of a table. Refuses a damaged one (`BrokenBackupError`). */
export async function decodePart(content: Uint8Array): Promise<Part> {
  try {
    return await unpackLines(content);
  } catch {
    throw new BrokenBackupError("it is damaged");
  }
}
