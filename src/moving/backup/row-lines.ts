import { zstdDecompress } from "node:zlib";
import type { StoredValue } from "../../../db/stored-rows";

/**
 * Rows of a table as text, in the entries of backups and exports: lines of JSON, the first with the
 * names of the columns. Values other than texts, numbers and booleans are in base64.
 */

/** Some rows of a table. */
export interface Part {
  columns: readonly string[];
  rows: StoredValue[][];
}

/**
 * Approximate number of characters of the rows in one entry. When it is reached, a new entry
 * begins.
 */
export const partCharacters = 2_000_000;
/**
 * Greatest unpacked size of an entry, including its last row. A larger one is an attempt to fill
 * the memory.
 */
const partBytesMax = 128 * 1024 * 1024;

const nameForm = /^tables\/([a-z][a-z0-9_]*)\/\d{6,9}\.jsonl\.zst$/;

export const partName = (table: string, number: number): string =>
  `tables/${table}/${String(number).padStart(6, "0")}.jsonl.zst`;

/** The table whose rows an entry has; undefined for other entries. */
export const tableOfPart = (name: string): string | undefined => nameForm.exec(name)?.[1];

export const encodeRow = (row: readonly StoredValue[]): string =>
  JSON.stringify(row.map(encodeValue));

/** The content of an entry. Throws where a row is too large to be read back. */
export async function packLines(
  columns: readonly string[],
  lines: readonly string[],
): Promise<Uint8Array> {
  const text = Buffer.from([JSON.stringify(columns), ...lines, ""].join("\n"));
  if (text.byteLength > partBytesMax)
    throw new Error("A row takes more than 128 MiB: no backup or export can hold it.");
  return Bun.zstdCompress(text);
}

const encodeValue = (value: StoredValue) =>
  value instanceof Uint8Array ? { base64: Buffer.from(value).toString("base64") } : value;

/**
 * Rows of a packed part. Throws where it is invalid, at the latest when it has taken as much memory
 * as a valid entry may, because a few kilobytes can unpack to gigabytes.
 */
export async function unpackLines(content: Uint8Array): Promise<Part> {
  const text = new TextDecoder("utf-8", { fatal: true }).decode(await unpack(content));
  const lines = linesOf(text);
  const columns = parseLine(lines.next().value ?? "").map(String);
  const rows: StoredValue[][] = [];
  let characters = 0;
  for (const line of lines) {
    const row = parseLine(line);
    if (row.length !== columns.length) throw new Error("a row has another length");
    if (characters >= partCharacters) throw new Error("there are more rows than are put together");
    characters += line.length;
    rows.push(row.map(decodeValue));
  }
  return { columns, rows };
}

function unpack(content: Uint8Array): Promise<Uint8Array> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
  zstdDecompress(content, { maxOutputLength: partBytesMax }, (error, bytes) =>
    error ? reject(error) : resolve(bytes),
  );
  return promise;
}

/**
 * Gives the lines of a text one by one, because an array of all lines of a text that contains only
 * line breaks would take a hundred times the size of the text.
 */
function* linesOf(text: string): Generator<string, undefined> {
  for (
    let from = 0, end = text.indexOf("\n");
    end >= 0;
    from = end + 1, end = text.indexOf("\n", from)
  ) {
    yield text.slice(from, end);
  }
}

function parseLine(line: string): unknown[] {
  const parsed: unknown = JSON.parse(line);
  if (!Array.isArray(parsed)) throw new Error("a line is no list");
  return parsed;
}

function decodeValue(value: unknown): StoredValue {
  if (
    value === null ||
    typeof value === "string" ||
    typeof value === "number" ||
    typeof value === "boolean"
  )
    return value;
  if (typeof value === "object" && "base64" in value && typeof value.base64 === "string") {
    return Buffer.from(value.base64, "base64");
  }
  throw new Error("a value has an unknown kind");
}
