import type { StoredValue } from "../../db/stored-rows";

/*
 * Rows of a table as text, in the entries of backups and exports: lines of JSON, the names of the columns in the first. What is
 * not text, number or truth is in base64.
 */

/** Some rows of a table. */
export interface Part {
  columns: readonly string[];
  rows: StoredValue[][];
}

/** About how much text of rows is together in one entry. */
export const partCharacters = 2_000_000;

const nameForm = /^tables\/([a-z][a-z0-9_]*)\/\d{6,9}\.jsonl\.zst$/;

export const partName = (table: string, number: number): string =>
  `tables/${table}/${String(number).padStart(6, "0")}.jsonl.zst`;

/** The table that an entry has rows of; undefined where it has none. */
export const tableOfPart = (name: string): string | undefined => nameForm.exec(name)?.[1];

export const encodeRow = (row: readonly StoredValue[]): string => JSON.stringify(row.map(encodeValue));

/** The content of an entry. */
export const packLines = (columns: readonly string[], lines: readonly string[]): Promise<Uint8Array> =>
  Bun.zstdCompress([JSON.stringify(columns), ...lines, ""].join("\n"));

const encodeValue = (value: StoredValue) =>
  value instanceof Uint8Array ? { base64: Buffer.from(value).toString("base64") } : value;

/** What was packed, read back. Throws where it is not as it was written. */
export function decodeLines(unpacked: Uint8Array): Part {
  const text = new TextDecoder("utf-8", { fatal: true }).decode(unpacked);
  const [first, ...rows] = text.split("\n").slice(0, -1).map(parseLine);
  const columns = first?.map(String) ?? [];
  if (rows.some((row) => row.length !== columns.length)) throw new Error("a row has another length");
  return { columns, rows: rows.map((row) => row.map(decodeValue)) };
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
