import { openRows } from "../../../db/rows";
import { type ExportedTable, exportedTables } from "../../../db/schema/tables";
import type { RowSource, StoredTable } from "../../../db/stored-rows";
import type { Config } from "../../config/config";
import { placeOf } from "../../core/storage/data-place";
import { turn } from "../../core/turns/turn";
import { version } from "../../core/version";
import { type FileStore, makeFileKey } from "../../files/store";
import { type ArchiveWriter, type Sink, writeArchive } from "../backup/archive";
import { filesOf, tablesWithFiles } from "../backup/named-files";
import type { Progress } from "../backup/progress";
import { type ExportType, filesPrefix, manifestName, writeManifest } from "./manifest";
import { PartWriter } from "./part";
import { type ReadTable, type Row, type Select, Selection, withoutSecrets } from "./selection";

export interface ExportReport {
  rows: number;
  messages: number;
  files: number;
  /** Number of missing files that rows name. */
  filesMissing: number;
}

export interface ExportWanted {
  type: ExportType;
  /** Whether to include the hashes of passwords. */
  withPasswords: boolean;
}

interface Surroundings {
  config: Config;
  files: FileStore;
  realm: { id: number; host: string; name: string };
  sink: Sink;
  /**
   * Folder for a copy of a SQLite database while it is read; without it, the database itself is
   * read.
   */
  scratchFolder: string | undefined;
  /** UNIX seconds. */
  now: number;
  progress: Progress;
}

interface Work extends Surroundings {
  archive: ArchiveWriter;
  filesAdded: Set<string>;
  report: ExportReport;
}

/**
 * Writes an organization to an archive, while servers keep running: its rows as of one moment,
 * table by table, and the files that they name. The archive contains no secrets. The needed memory
 * does not grow with the size of the organization.
 *
 * For a full export the files are added twice, as in a backup: once before that moment and once
 * after it, so that none is missing.
 */
export async function writeRealmArchive(
  surroundings: Surroundings,
  { type, withPasswords }: ExportWanted,
): Promise<ExportReport> {
  const { sink, now, config, realm, scratchFolder } = surroundings;
  const place = placeOf(config);
  const archive = writeArchive(sink, now);
  const report = { rows: 0, messages: 0, files: 0, filesMissing: 0 };
  const work: Work = { ...surroundings, archive, filesAdded: new Set(), report };
  const first = await openRows(place, undefined);
  try {
    const { version: schemaVersion } = first;
    const { id, host, name } = realm;
    const manifest = {
      chatd: version,
      schemaVersion,
      createdAt: now,
      type,
      realm: { id, host, name },
    };
    await archive.add(manifestName, writeManifest(manifest));
    if (type === "full_without_consent")
      await addFiles(work, readerOf(first, realm.id), (_, row) => row);
  } finally {
    await first.close();
  }
  const source = await openRows(place, scratchFolder);
  try {
    await addRows(work, source, type, withPasswords);
  } finally {
    await source.close();
  }
  await archive.end({ files: report.files, rows: report.rows });
  return report;
}

async function addRows(work: Work, source: RowSource, type: ExportType, withPasswords: boolean) {
  const { realm } = work;
  const read = readerOf(source, realm.id);
  const noSecrets = withoutSecrets(withPasswords);
  const selection =
    type === "full_without_consent"
      ? undefined
      : await Selection.make(read, type === "full_with_consent");
  const select: Select = (table, row) => {
    const selected = selection ? selection.select(table, row) : row;
    return selected && noSecrets(table, selected);
  };
  for (const { name } of exportedTables()) {
    if (name === "attachments") await selection?.seeLinks(read);
    await addTable(work, tableIn(source, name), name, read(name), select);
  }
  await addFiles(work, read, (table, row) => select(table, row), true);
}

function tableIn({ tables }: RowSource, name: string): StoredTable {
  const table = tables.find((one) => one.name === name);
  if (!table) throw new Error(`There is no table ${name}.`);
  return table;
}

const readerOf = (source: RowSource, realmId: number): ReadTable =>
  async function* (name) {
    const table = tableIn(source, name);
    for await (const rows of source.read(table, realmId)) {
      for (const row of rows)
        yield Object.fromEntries(table.columns.map((column, at) => [column, row[at] ?? null]));
      // Lets other work run between two batches of rows.
      await turn();
    }
  };

async function addTable(
  { archive, report, progress }: Work,
  table: StoredTable,
  name: ExportedTable,
  rows: AsyncIterable<Row>,
  select: Select,
) {
  const part = new PartWriter(table, archive.add);
  for await (const row of rows) {
    const selected = select(name, row);
    if (!selected) continue;
    await part.add(table.columns.map((column) => selected[column] ?? null));
    report.rows += 1;
    if (name === "messages") report.messages += 1;
    progress("Rows", report.rows);
  }
  await part.flush();
}

/**
 * Adds those files that rows name and that are not in the archive yet. `isLast`: whether files that
 * are missing now are counted as missing.
 */
async function addFiles(work: Work, read: ReadTable, select: Select, isLast = false) {
  for (const table of tablesWithFiles()) {
    for await (const row of read(table)) {
      const selected = select(table, row);
      for (const name of selected ? filesOf(table, selected) : []) {
        if (work.filesAdded.has(name)) continue;
        const isThere = await addFile(work, name);
        if (isThere) work.filesAdded.add(name);
        else if (isLast && table === "attachments") work.report.filesMissing += 1;
      }
    }
  }
}

async function addFile(
  { archive, files, realm, report, progress }: Work,
  name: string,
): Promise<boolean> {
  const content = await files.find(makeFileKey(realm.id, name));
  if (!content) return false;
  await archive.addStream(
    { name: `${filesPrefix}${name}`, sizeBytes: content.size },
    content.stream(),
  );
  report.files += 1;
  progress("Files", report.files);
  return true;
}
