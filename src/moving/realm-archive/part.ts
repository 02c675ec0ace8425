import type { StoredTable, StoredValue } from "../../../db/stored-rows";
import {
  encodeRow,
  type Part,
  packLines,
  partCharacters,
  partName,
  unpackLines,
} from "../backup/row-lines";
import { BrokenExportError } from "./manifest";

/** Collects the rows of a table into archive entries. */
export class PartWriter {
  private lines: string[] = [];
  private characters = 0;
  private number = 0;

  constructor(
    private readonly table: StoredTable,
    private readonly put: (name: string, content: Uint8Array) => Promise<void>,
  ) {}

  async add(row: readonly StoredValue[]): Promise<void> {
    const line = encodeRow(row);
    this.lines.push(line);
    this.characters += line.length;
    if (this.characters >= partCharacters) await this.flush();
  }

  async flush(): Promise<void> {
    if (this.lines.length === 0) return;
    const content = await packLines(this.table.columns, this.lines);
    this.number += 1;
    await this.put(partName(this.table.name, this.number), content);
    [this.lines, this.characters] = [[], 0];
  }
}

/**
 * The rows of an entry. Refuses an entry that unpacks to more data than a valid one
 * (`BrokenExportError`).
 */
export async function decodePart(content: Uint8Array): Promise<Part> {
  try {
    return await unpackLines(content);
  } catch {
    throw new BrokenExportError("it is damaged");
  }
}
