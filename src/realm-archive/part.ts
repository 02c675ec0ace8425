import { zstdDecompress } from "node:zlib";
import type { StoredTable, StoredValue } from "../../db/stored-rows";
import { BrokenExportError } from "./manifest";

/** How much text of rows is together in one entry, about; what one row may add to that is bounded below. */
const partCharacters = 2_000_000;
/** More than any part has that we write: who says otherwise wants to fill the memory. */
const partBytesMax = 64 * 1024 * 1024;
const nameForm = /^tables\/([a-z][a-z0-9_]*)\/\d{6,9}\.jsonl\.zst$/;

export const partName = (table: string, number: number): string =>
  `tables/${table}/${String(number).padStart(6, "0")}.jsonl.zst`;

/** The table that an entry has rows of; undefined where it has none. */
export const tableOfPart = (name: string): string | undefined => nameForm.exec(name)?.[1];

/** Collects rows of a table into the contents of entries: lines of JSON, the names of the columns in the first. */
export class PartWriter {
  private lines: string[] = [];
  private characters = 0;
  private number = 0;

  constructor(
    private readonly table: StoredTable,
    private readonly put: (name: string, content: Uint8Array) => Promise<void>,
  ) {}

  async add(row: readonly StoredValue[]): Promise<void> {
    const line = JSON.stringify(row.map(encodeValue));
    this.lines.push(line);
    this.characters += line.length;
    if (this.characters >= partCharacters) await this.flush();
  }

  async flush(): Promise<void> {
    if (this.lines.length === 0) return;
    const content = await Bun.zstdCompress([JSON.stringify(this.table.columns), ...this.lines, ""].join("\n"));
    this.number += 1;
    await this.put(partName(this.table.name, this.number), content);
    [this.lines, this.characters] = [[], 0];
  }
}

const encodeValue = (value: StoredValue) =>
  value instanceof Uint8Array ? { base64: Buffer.from(value).toString("base64") } : value;

export interface Part {
  columns: readonly string[];
  rows: StoredValue[][];
}

/** The rows of an entry. Refuses one that unpacks to more than any has. */
export async function decodePart(content: Uint8Array): Promise<Part> {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(await unpack(content));
    const [first, ...rows] = text.split("\n").slice(0, -1).map(parseLine);
    const columns = first?.map(String) ?? [];
    if (rows.some((row) => row.length !== columns.length)) throw new Error("a row has another length");
    return { columns, rows: rows.map((row) => row.map(decodeValue)) };
  } catch {
    throw new BrokenExportError("it is damaged");
  }
}

function unpack(content: Uint8Array): Promise<Uint8Array> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
  zstdDecompress(content, { maxOutputLength: partBytesMax }, (error, bytes) =>
    error ? reject(error) : resolve(bytes),
  );
  return promise;
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
