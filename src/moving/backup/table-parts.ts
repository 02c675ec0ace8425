import type { RowSource, StoredTable, StoredValue } from "../../../db/stored-rows";
import { BrokenBackupError } from "./broken";
import { encodeRow, type Part, packLines, partCharacters, unpackLines } from "./row-lines";

/**
 * A table's rows as the contents of entries, each small enough for the memory. `see` is called with
 * all rows.
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

/** Rows of a part of a table. */
export async function decodePart(content: Uint8Array): Promise<Part> {
  try {
    return await unpackLines(content);
  } catch {
    throw new BrokenBackupError("it is damaged");
  }
}
