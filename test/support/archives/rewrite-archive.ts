import { readFileSync, writeFileSync } from "node:fs";
import type { StoredValue } from "../../../db/stored-rows";
import { readArchive, writeArchive } from "../../../src/moving/backup/archive";
import { tableOfPart } from "../../../src/moving/backup/row-lines";
import { decodePart, PartWriter } from "../../../src/moving/realm-archive/part";

type Row = Record<string, StoredValue>;

interface Changes {
  /** Changed rows of a table. */
  rows?: (table: string, rows: Row[]) => Row[];
  /** Entries that are added, by name. */
  more?: Record<string, Uint8Array>;
  /** New name of an entry. */
  rename?: (name: string) => string;
}

/** Rewrites an export, complete and with a right checksum, like an attacker. */
export async function rewriteArchive(
  from: string,
  to: string,
  { rows, more = {}, rename }: Changes,
): Promise<void> {
  const pieces: Uint8Array[] = [];
  const archive = writeArchive(async (bytes) => void pieces.push(Buffer.from(bytes)), 0);
  const counts = { rows: 0, files: 0 };
  for await (const entry of readArchive(new Blob([Buffer.from(readFileSync(from))]).stream())) {
    const table = tableOfPart(entry.name);
    const bytes = await entry.bytes();
    if (table === undefined) {
      if (entry.name.startsWith("files/")) counts.files += 1;
      await archive.add(rename?.(entry.name) ?? entry.name, bytes);
      continue;
    }
    const { columns, rows: values } = await decodePart(bytes);
    const objects = values.map((row) =>
      Object.fromEntries(columns.map((column, at) => [column, row[at] ?? null])),
    );
    const changed = rows?.(table, objects) ?? objects;
    const part = new PartWriter({ name: table, columns }, (_, content) =>
      archive.add(entry.name, content),
    );
    for (const row of changed) await part.add(columns.map((column) => row[column] ?? null));
    await part.flush();
    counts.rows += changed.length;
  }
  for (const [name, bytes] of Object.entries(more)) await archive.add(name, bytes);
  await archive.end({ files: counts.files, rows: counts.rows });
  writeFileSync(to, Buffer.concat(pieces));
}
