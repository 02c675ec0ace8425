import type { RowSource, StoredTable, StoredValue } from "../../db/stored-rows";
import { BrokenBackupError } from "./broken";

/** How much text of rows is together in one entry, about. */
const partCharacters = 2_000_000;
const nameForm = /^tables\/([a-z][a-z0-9_]*)\/\d+\.jsonl\.zst$/;

/** Some rows of a table: lines of JSON, the names of the columns in the first. */
export interface Part {
  columns: readonly string[];
  rows: StoredValue[][];
}

export const partName = (table: string, number: number): string =>
  `tables/${table}/${String(number).padStart(6, "0")}.jsonl.zst`;

/** The table that an entry has rows of; undefined where it has none. */
export const tableOfPart = (name: string): string | undefined => nameForm.exec(name)?.[1];

/** A table's rows as the contents of entries, each small enough for the memory. `see` is shown all of them. */
export async function* encodeTable(
  source: RowSource,
  table: StoredTable,
  see: (rows: StoredValue[][]) => void,
): AsyncIterable<Uint8Array> {
  let lines: string[] = [];
  let characters = 0;
  const part = () => Bun.zstdCompress([JSON.stringify(table.columns), ...lines, ""].join("\n"));
  for await (const rows of source.read(table)) {
    see(rows);
    for (const row of rows) {
      const line = JSON.stringify(row.map(encodeValue));
      lines.push(line);
      characters += line.length;
      if (characters < partCharacters) continue;
      yield await part();
      [lines, characters] = [[], 0];
    }
  }
  if (lines.length > 0) yield await part();
}

const encodeValue = (value: StoredValue) =>
  value instanceof Uint8Array ? { base64: Buffer.from(value).toString("base64") } : value;

/** The same read back. */
export async function decodePart(content: Uint8Array): Promise<Part> {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(await Bun.zstdDecompress(content));
    const [first, ...rows] = text.split("\n").slice(0, -1).map(parseLine);
    const columns = first?.map(String) ?? [];
    if (rows.some((row) => row.length !== columns.length)) throw new Error("a row has another length");
    return { columns, rows: rows.map((row) => row.map(decodeValue)) };
  } catch {
    throw new BrokenBackupError("it is damaged");
  }
}

function parseLine(line: string): unknown[] {
  const parsed: unknown = JSON.parse(line);
  if (!Array.isArray(parsed)) throw new Error("a line is no list");
  return parsed;
}

function decodeValue(value: unknown): StoredValue {
  if (value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    return value;
  if (typeof value === "object" && "base64" in value && typeof value.base64 === "string") {
    return Buffer.from(value.base64, "base64");
  }
  throw new Error("a value is of no kind that there is");
}
