import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Place } from "../../../db/open";
import { openRows, readVersion } from "../../../db/rows";
import type { RowSource, StoredTable, StoredValue } from "../../../db/stored-rows";
import type { Config } from "../../config/config";
import { systemClock } from "../../core/clock";
import { badRequest } from "../../core/errors";
import type { Log } from "../../core/log";
import { loadServerSecret, makeSecrets } from "../../core/secrets/secrets";
import { placeOf } from "../../core/storage/data-place";
import { requireFinishedRestore } from "../../core/storage/unfinished-restore";
import { version } from "../../core/version";
import { openFiles } from "../../files/open";
import { type ArchiveWriter, type Sink, writeArchive } from "./archive";
import { idsName, manifestName, secretName, writeManifest } from "./manifest";
import { neededKeys, tablesWithFiles } from "./named-files";
import type { Progress } from "./progress";
import { partName } from "./row-lines";
import { addFiles } from "./stored-files";
import { encodeTable } from "./table-parts";

interface BackupReport {
  schemaVersion: number;
  files: number;
  /** Number of files and pictures that rows name and that were not found. */
  filesMissing: number;
  rows: number;
}

interface Surroundings {
  sink: Sink;
  /** Folder for a copy of a SQLite database while it is read. */
  scratchFolder: string;
  /** UNIX seconds. */
  now: number;
  progress: Progress;
  /** Log for the reasons why an S3 store does not give its files. */
  log: Log;
}

/**
 * Writes a backup of everything, while servers keep running: rows, files, the secret. It contains
 * everything that was acknowledged before, as of one moment.
 *
 * Files come first, then the rows as of a moment, then newer files. A file is stored before a row
 * names it and removed after that row, so the backup contains every file that the rows name, except
 * one that was uploaded and removed again while the rows were read. Other files that are not found
 * are counted, because the configuration may name another store than that of the servers.
 */
export async function makeBackup(
  config: Config,
  { sink, scratchFolder, now, progress, log }: Surroundings,
): Promise<BackupReport> {
  const place = placeOf(config);
  requireFinishedRestore(config.data);
  const schemaVersion = await readVersion(place);
  if (schemaVersion === 0)
    throw badRequest("There is no data to back up: choose its folder with --data.");
  const secret = loadExistingSecret(config);
  const archive = writeArchive(sink, now);
  await archive.add(manifestName, writeManifest({ chatd: version, schemaVersion, createdAt: now }));
  await archive.add(secretName, `${secret}\n`);
  const store = openFiles(config, systemClock, log);
  const files = new Set<string>();
  await addFiles(archive, store, files, progress);
  const source = await openRows(place, scratchFolder);
  const named = new Set<string>();
  let rows: number;
  try {
    if (source.version !== schemaVersion)
      throw new Error("The data was migrated meanwhile. Make the backup again.");
    const { fingerprint } = makeSecrets(secret);
    rows = await addRows(archive, source, fingerprint, progress, (table, some) => {
      for (const key of keysIn(table, some)) named.add(key);
    });
  } finally {
    await source.close();
  }
  await addFiles(archive, store, files, progress);
  await archive.end({ files: files.size, rows });
  const filesMissing = await countStillNamed(place, named.difference(files));
  return { schemaVersion, files: files.size, filesMissing, rows };
}

/** Keys of the files that rows of a table name. */
function keysIn({ name, columns }: StoredTable, rows: readonly StoredValue[][]): string[] {
  const table = tablesWithFiles().find((one) => one === name);
  if (!table) return [];
  return rows.flatMap((row) =>
    neededKeys(table, Object.fromEntries(columns.map((column, at) => [column, row[at] ?? null]))),
  );
}

/** Number of those files that rows name now: a file that is removed has lost its row before. */
async function countStillNamed(place: Place, keys: ReadonlySet<string>): Promise<number> {
  if (keys.size === 0) return 0;
  const source = await openRows(place, undefined);
  try {
    let count = 0;
    for (const table of source.tables.filter(({ name }) =>
      tablesWithFiles().some((one) => one === name),
    ))
      for await (const rows of source.read(table))
        count += keysIn(table, rows).filter((key) => keys.has(key)).length;
    return count;
  } finally {
    await source.close();
  }
}

/** The existing secret. A backup never makes a new secret, because no data would belong to it. */
function loadExistingSecret({ secret, data }: Config): string {
  if (secret === undefined && !existsSync(join(data, "secret"))) {
    throw badRequest(
      `There is no secret in ${data}. Set CHATD_SECRET to the secret of the servers.`,
    );
  }
  return loadServerSecret(secret, data);
}

/** Adds all rows of a source to an archive, and shows them to `note`; answers their number. */
export async function addRows(
  archive: ArchiveWriter,
  source: RowSource,
  fingerprint: string,
  progress: Progress,
  note: (table: StoredTable, rows: readonly StoredValue[][]) => void = () => undefined,
): Promise<number> {
  let count = 0;
  for (const table of source.tables) {
    const see = (rows: StoredValue[][]) => {
      count += rows.length;
      progress("Rows", count);
      note(table, rows);
      if (table.name === "server_facts") requireSecret(table, rows, fingerprint);
    };
    let number = 0;
    for await (const part of encodeTable(source, table, see)) {
      number += 1;
      await archive.add(partName(table.name, number), part);
    }
  }
  await archive.add(idsName, `${JSON.stringify(source.lastIds)}\n`);
  return count;
}

/**
 * Refuses a secret to which the data does not belong, because after a restore with it no API key
 * would match.
 */
function requireSecret({ columns }: StoredTable, rows: StoredValue[][], fingerprint: string) {
  const [name, value] = [columns.indexOf("name"), columns.indexOf("value")];
  const stored = rows.find((row) => row[name] === "secret_fingerprint");
  if (!stored || stored[value] === fingerprint) return;
  throw badRequest(
    "The secret is not the one that this data belongs to. Set CHATD_SECRET to the secret of the servers.",
  );
}
