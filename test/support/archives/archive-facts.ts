import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../root";

/** Type of a field of the reference server's archive, as its page writes it. */
export interface FieldFact {
  /** `integer`, `boolean`, `text`, `time`, `json`, or the name of a table, whose `id` it has. */
  type: string;
  isList: boolean;
  isNullable: boolean;
  mayBeMissing: boolean;
}

export interface TableFact {
  file: string;
  fields: ReadonlyMap<string, FieldFact>;
}

export const plainTypes = ["integer", "boolean", "text", "time", "json"];

const page = "docs/protocol/archive.md";
const rowForm = /^\| (?:`([a-z_]+)`|(records of [a-z]+)) \| `([^`]+)` \| (.*) \|$/gm;
const fieldForm = /`([a-z_][a-z0-9_]*): (\[)?([a-z_]+)\]?(\?)?(\*)?`/g;
const baseForm = /all of `([a-z_]+)`/;

/** The tables of the archive with their fields, read from the page that states them. */
export function readArchiveFacts(): ReadonlyMap<string, TableFact> {
  const tables = new Map<string, TableFact>();
  const text = readFileSync(join(root, page), "utf8");
  for (const [, table, records, file = "", cell = ""] of text.matchAll(rowForm)) {
    const name = table ?? records ?? "";
    if (tables.has(name)) throw new Error(`${page} has ${name} twice.`);
    const [, base = ""] = baseForm.exec(cell) ?? [];
    const fields = new Map(tables.get(base)?.fields);
    for (const [, field = "", list, type = "", nullable, missing] of cell.matchAll(fieldForm)) {
      if (fields.has(field)) throw new Error(`${page} has ${name}.${field} twice.`);
      fields.set(field, {
        type,
        isList: list !== undefined,
        isNullable: nullable !== undefined,
        mayBeMissing: missing !== undefined,
      });
    }
    tables.set(name, { file, fields });
  }
  return tables;
}
