import { zstdDecompress } from "node:zlib";
import type { StoredValue } from "../../../db/stored-rows";

/**
 * Rows of a table as text, in the entries of backups and exports: lines of JSON, the names of the
 * columns in the first. Values that are neither text, number nor truth are in base64.
 */

/** Some rows of a table. */
export interface Part {
  columns: readonly string[];
  rows: StoredValue[][];
}

/**
 * About how much text of rows is together in one entry: it takes no further row once it has so
 * much.
 */
export const partCharacters = 2_000_000;
/**
 * An entry unpacks to no more, the last row of it included. Where it says more, somebody wants to
 * fill the memory.
 */
const partBytesMax = 128 * 1024 * 1024;

const nameForm = /^tables\/([a-z][a-z0-9_]*)\/\d{6,9}\.jsonl\.zst$/;

export const partName = (table: string, number: number): string =>
  `tables/${table}/${String(number).padStart(6, "0")}.jsonl.zst`;

/** The table that an entry has rows of; undefined where it has none. */
export const tableOfPart = (name: string): string | undefined => nameForm.exec(name)?.[1];

export const encodeRow = (row: readonly StoredValue[]): string =>
  JSON.stringify(row.map(encodeValue));

/** The content of an entry. Throws where a row is so large that it could not be read back. */
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
 * Rows of a packed part. Throws where it is not as it was written, at the latest when it has taken
 * as much memory as an entry of ours may: a few kilobytes unpack to gigabytes.
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
 * The lines of a text one by one: of a text that is nothing but ends of lines, a list of them would
 * take a hundred times as much.
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
  throw new Error("a value is of no kind that there is");
}
