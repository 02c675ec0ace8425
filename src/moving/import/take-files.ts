import { createReadStream } from "node:fs";
import { type ExportedTable, isNumbered } from "../../../db/schema/tables";
import type { StoredTable, StoredValue } from "../../../db/stored-rows";
import type { App, RealmRow } from "../../core/context";
import { makeFileKey } from "../../files/store";
import { filesOf, tablesWithFiles } from "../backup/named-files";
import type { Progress } from "../backup/progress";
import type { StagedRealm } from "../realm-archive/stage";
import type { SkipReport } from "./report";
import { type Mapping, takenId } from "./values";

const rowsPerPage = 200;

interface FileWork {
  app: App;
  staged: StagedRealm;
  realm: RealmRow;
  mapping: Mapping;
  report: SkipReport;
  progress: Progress;
}

/**
 * Imports the files that imported rows name, under keys of the new organization. All others are
 * skipped, because nothing would ever remove a file that no row names.
 */
export async function takeFiles(work: FileWork) {
  const { staged, mapping, report, progress } = work;
  let done = 0;
  for (const name of tablesWithFiles()) {
    const table = staged.rows.tables.find((one) => one.name === name);
    if (!table) continue;
    for (let after = 0; ; ) {
      const { rows, last } = staged.rows.page(table, after, rowsPerPage);
      if (rows.length === 0) break;
      for (const row of rows.filter((one) => isTaken(mapping, name, table, one))) {
        for (const file of filesIn(name, table, row)) {
          const path = staged.file(file);
          if (path !== undefined) await takeFile(work, file, path);
          else if (name === "attachments") report.add("files", file, fileMissing);
          done += 1;
          progress("Files", done);
        }
      }
      after = last;
    }
  }
}

/** Whether a row is imported; the organization's own row always is. */
const isTaken = (
  mapping: Mapping,
  name: ExportedTable,
  { columns }: StoredTable,
  row: readonly StoredValue[],
) => !isNumbered(name) || takenId(mapping, name, Number(row[columns.indexOf("id")])) !== undefined;

export const fileMissing = "is not in the file";

/** The names of the files that a row names. */
export const filesIn = (
  name: ExportedTable,
  { columns }: StoredTable,
  row: readonly StoredValue[],
) => filesOf(name, Object.fromEntries(columns.map((column, at) => [column, row[at] ?? null])));

async function takeFile({ app, realm }: FileWork, name: string, path: string) {
  const key = makeFileKey(realm.id, name);
  if (await app.files.find(key)) return;
  // This removes the draft of an import command that was killed.
  await app.files.discard(key);
  const draft = await app.files.begin(key);
  try {
    for await (const chunk of createReadStream(path)) await draft.write(chunk);
    await draft.keep();
  } finally {
    await draft.discard();
  }
}
