import { existsSync } from "node:fs";
import { join } from "node:path";
import { openRows, readVersion } from "../../../db/rows";
import type { RowSource, StoredTable, StoredValue } from "../../../db/stored-rows";
import type { Config } from "../../config";
import { systemClock } from "../../core/clock";
import { badRequest } from "../../core/errors";
import type { Log } from "../../core/log";
import { placeOf } from "../../core/place";
import { loadServerSecret, makeSecrets } from "../../core/secrets";
import { requireFinishedRestore } from "../../core/unfinished-restore";
import { version } from "../../core/version";
import { openFiles } from "../../files/open";
import { type ArchiveWriter, type Sink, writeArchive } from "./archive";
import { idsName, manifestName, secretName, writeManifest } from "./manifest";
import type { Progress } from "./progress";
import { partName } from "./row-lines";
import { addFiles } from "./stored-files";
import { encodeTable } from "./table-parts";

export interface BackupReport {
  schemaVersion: number;
  files: number;
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
 * one that was uploaded and removed again while the rows were read.
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
  let rows: number;
  try {
    if (source.version !== schemaVersion)
      throw new Error("The data was migrated meanwhile. Make the backup again.");
    rows = await addRows(archive, source, makeSecrets(secret).fingerprint, progress);
  } finally {
    await source.close();
  }
  await addFiles(archive, store, files, progress);
  await archive.end({ files: files.size, rows });
  return { schemaVersion, files: files.size, rows };
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

/** Adds all rows of a source to an archive; answers their number. */
export async function addRows(
  archive: ArchiveWriter,
  source: RowSource,
  fingerprint: string,
  progress: Progress,
): Promise<number> {
  let count = 0;
  for (const table of source.tables) {
    const see = (rows: StoredValue[][]) => {
      count += rows.length;
      progress("Rows", count);
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
