import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type HeldFolder, makeHeldFolder, removeLeftFolders } from "../../../db/held-folder";
import { newestVersion } from "../../../db/migrate";
import { isExported } from "../../../db/schema/tables";
import { whyRowRefused } from "../../../db/sqlite-error";
import { openStaged, type StagedRows, stageRows } from "../../../db/staged-rows";
import type { RowTarget, StoredValue } from "../../../db/stored-rows";
import { assetPath } from "../../core/assets";
import { type ReachedEntry, readArchive } from "../backup/archive";
import { BrokenBackupError, RepeatedEntryError } from "../backup/broken";
import { isFileName } from "../backup/named-files";
import type { Progress } from "../backup/progress";
import { tableOfPart } from "../backup/row-lines";
import { writeEntry } from "../backup/stored-files";
import {
  BrokenExportError,
  filesPrefix,
  type Manifest,
  manifestName,
  newerExport,
  parseManifest,
} from "./manifest";
import { decodePart } from "./part";

const privateFolder = 0o700;
const stagePrefix = "importing-";

/**
 * An organization of another server, on the disk of this machine, whose rows and files can be read
 * in any order.
 */
export interface StagedRealm {
  manifest: Manifest;
  rows: StagedRows;
  folder: string;
  /** The path of a file; undefined if it is missing. */
  file(name: string): string | undefined;
  /** Deletes the staged organization. */
  discard(): Promise<void>;
}

/**
 * Makes a folder within the data folder for unpacking, and removes the folders of processes that
 * have ended.
 */
export async function makeStageFolder(dataFolder: string): Promise<HeldFolder> {
  await mkdir(dataFolder, { recursive: true, mode: privateFolder });
  await removeLeftFolders(dataFolder, stagePrefix);
  return makeHeldFolder(dataFolder, stagePrefix);
}

/** Called for each skipped row, with its table, its name, and the reason. */
type LeaveOut = (table: string, which: string, why: string) => void;

const migrationsFolder = () => assetPath("db", "migrations");

/**
 * Unpacks an export whose schema has this version or an older one. Writes only plain files with
 * names of our own, in a private folder. Refuses a broken export and one of a newer chatd
 * (`BrokenExportError`).
 */
export async function stageArchive(
  dataFolder: string,
  source: AsyncIterable<Uint8Array>,
  { now, progress, leaveOut }: { now: number; progress: Progress; leaveOut: LeaveOut },
): Promise<StagedRealm> {
  const folder = await makeStageFolder(dataFolder);
  try {
    const manifest = await unpack(folder.path, source, { now, progress, leaveOut });
    return openStagedRealm(folder, manifest);
  } catch (error) {
    await folder.remove();
    if (error instanceof RepeatedEntryError)
      throw new BrokenExportError(`it has ${error.entryName} twice`);
    if (error instanceof BrokenBackupError) throw new BrokenExportError("it is damaged or cut off");
    throw error;
  }
}

/** Opens the content of a stage folder: rows, and files by their names. */
export function openStagedRealm(held: HeldFolder, manifest: Manifest): StagedRealm {
  const { path: folder, remove } = held;
  const rows = openStaged(folder);
  return {
    manifest,
    rows,
    folder,
    file(name) {
      const path = join(folder, "files", name);
      return isFileName(name) && existsSync(path) ? path : undefined;
    },
    async discard() {
      rows.close();
      await remove();
    },
  };
}

async function unpack(
  folder: string,
  source: AsyncIterable<Uint8Array>,
  { now, progress, leaveOut }: { now: number; progress: Progress; leaveOut: LeaveOut },
) {
  const entries = readArchive(source);
  const { done, value: first } = await entries.next();
  if (done || first.name !== manifestName) throw new BrokenExportError("its manifest is missing");
  const manifest = parseManifest(new TextDecoder().decode(await first.bytes()));
  const { schemaVersion, chatd } = manifest;
  if (schemaVersion > newestVersion(migrationsFolder())) throw newerExport(chatd);
  await stageRows(folder, migrationsFolder(), { version: schemaVersion, now }, async (target) => {
    const counts = { files: 0, rows: 0 };
    let next = await entries.next();
    for (; !next.done; next = await entries.next()) {
      await unpackEntry(folder, next.value, target, {
        counts,
        leaveOut,
        realmId: manifest.realm.id,
      });
      progress("Unpacking", counts.rows + counts.files);
    }
    const { files, rows } = next.value;
    if (files !== counts.files || rows !== counts.rows)
      throw new BrokenExportError("a part of it is missing");
  });
  return manifest;
}

async function unpackEntry(
  folder: string,
  entry: ReachedEntry,
  target: RowTarget,
  {
    counts,
    leaveOut,
    realmId,
  }: { counts: { files: number; rows: number }; leaveOut: LeaveOut; realmId: number },
) {
  const { name } = entry;
  const table = tableOfPart(name);
  if (table !== undefined) {
    if (!isExported(table)) throw new BrokenExportError(`it has a table called ${table}`);
    const { columns, rows } = await decodePart(await entry.bytes());
    if (columns.some((column) => !columnForm.test(column))) throw wrongColumns();
    // All rows get one realm id, so that rows with unique values do not conflict.
    const realmAt = columns.indexOf("realm_id");
    for (const row of rows) {
      if (realmAt >= 0) row[realmAt] = realmId;
      await unpackRow(target, table, { columns, row }, leaveOut);
    }
    counts.rows += rows.length;
  } else if (name.startsWith(filesPrefix) && isFileName(name.slice(filesPrefix.length))) {
    await writeEntry(join(folder, "files", name.slice(filesPrefix.length)), entry);
    counts.files += 1;
  } else throw new BrokenExportError(`it has an entry called ${name}`);
}

const columnForm = /^[a-z][a-z0-9_]*$/;
const wrongColumns = () => new BrokenExportError("it has columns that no table has");

/**
 * Unpacks one row alone, so that a row that violates the constraints of its table is skipped
 * without the others.
 */
async function unpackRow(
  target: RowTarget,
  table: string,
  { columns, row }: { columns: readonly string[]; row: StoredValue[] },
  leaveOut: LeaveOut,
) {
  try {
    await target.insert(table, columns, [row]);
  } catch (error) {
    const why = whyRowRefused(error);
    if (why === "columns") throw wrongColumns();
    if (why === undefined) throw error;
    leaveOut(
      table,
      String(row[columns.indexOf("id")] ?? "?"),
      "violates a constraint of its table",
    );
  }
}
