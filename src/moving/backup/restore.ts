import { rm } from "node:fs/promises";
import { join } from "node:path";
import { isInDataFolder, type Place } from "../../../db/open";
import { isInUse, loadRows, readVersion, requireKnownVersion } from "../../../db/rows";
import { DataInUseError, isCopied, type RowTarget } from "../../../db/stored-rows";
import type { Config } from "../../config/config";
import { badRequest } from "../../core/errors";
import { placeOf } from "../../core/storage/data-place";
import { type Facts, type ReachedEntry, readArchive } from "./archive";
import { BrokenBackupError } from "./broken";
import {
  filesPrefix,
  idsName,
  type Manifest,
  manifestName,
  newerBackup,
  parseIds,
  parseManifest,
  secretName,
} from "./manifest";
import { numberingAfter } from "./numbering";
import type { Progress } from "./progress";
import { tableOfPart } from "./row-lines";
import {
  beginReplacing,
  beginReplacingAlone,
  findOwn,
  finishReplacing,
  makeStage,
  replaceOwn,
  requireOneDisk,
} from "./stage";
import { pathOfFile, writeEntry, writeNewFile } from "./stored-files";
import { decodePart } from "./table-parts";

export interface RestoreReport {
  manifest: Manifest;
  files: number;
  rows: number;
  /** The folder that the former data was moved into, if there was any. */
  aside: string | undefined;
}

interface Surroundings {
  /** Opens the bytes of the backup from the beginning. */
  open(): AsyncIterable<Uint8Array>;
  /** Whether it can be opened twice, so that it can be checked before any data is moved. */
  isRepeatable: boolean;
  /** Whether existing data is replaced. */
  replaces: boolean;
  /** UNIX seconds. */
  now: number;
  progress: Progress;
}

type Entries = AsyncGenerator<ReachedEntry, Facts>;

/**
 * Restores a backup: rows, files and the secret. Either all of it happens or nothing: existing data
 * stays until the backup has been read and checked to its end. A database with an older schema is
 * migrated at the next start.
 *
 * Refuses a broken backup and one of a newer chatd, data that a process is using, and without
 * `replaces` any place that is not empty.
 */
export async function restoreBackup(
  config: Config,
  surroundings: Surroundings,
): Promise<RestoreReport> {
  const { open, isRepeatable, replaces, now, progress } = surroundings;
  const place = placeOf(config);
  await requireFree(place, replaces);
  if (isRepeatable) await checkBackup(config, open(), progress);
  const stage = await makeStage(config.data);
  try {
    const entries = readArchive(open());
    const manifest = await readManifest(place, entries);
    const what = manifest.holds ?? "all";
    const restored = { ...noting(), manifest, config, stage, entries, progress };
    await loadRows(
      place,
      stage,
      { version: manifest.schemaVersion, now, replaces },
      async (target) => {
        await restoreEntries(restored, target);
        await target.finish(numberingAfter(restored.lastIds, now - manifest.createdAt));
        await requireFree(place, replaces);
        if (!isInDataFolder(place)) await beginReplacing(config.data, what);
      },
    );
    if (isInDataFolder(place)) await beginReplacingAlone(place, what);
    const aside = await replaceOwn(config.data, stage, now, what);
    await finishReplacing(config.data);
    return { manifest, files: restored.files, rows: restored.rows, aside };
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
}

async function requireFree(place: Place, replaces: boolean) {
  const ownFiles = findOwn(place.dataFolder);
  if (!replaces && ownFiles.length > 0) {
    throw badRequest(
      `${place.dataFolder} is not empty (${ownFiles.join(", ")}). With --force, what is there is put aside into a folder of its own.`,
    );
  }
  if (!replaces && !isInDataFolder(place) && (await readVersion(place)) > 0) {
    throw badRequest(
      "The database is not empty. With --force, all data of chatd in it is deleted and replaced.",
    );
  }
  if (replaces) requireOneDisk(place.dataFolder);
  if (await isInUse(place)) throw new DataInUseError();
}

/** Reads and checks a backup to its end. */
async function checkBackup(config: Config, source: AsyncIterable<Uint8Array>, progress: Progress) {
  const entries = readArchive(source);
  await readManifest(placeOf(config), entries);
  let count = 0;
  for await (const entry of entries) {
    count += 1;
    progress("Checking", count);
    if (entry.name === secretName) await readSecret(config, entry);
  }
}

async function readManifest(place: Place, entries: Entries): Promise<Manifest> {
  const { done, value: entry } = await entries.next();
  if (done || entry.name !== manifestName) throw new BrokenBackupError("its manifest is missing");
  const manifest = parseManifest(new TextDecoder().decode(await entry.bytes()));
  try {
    requireKnownVersion(place, manifest.schemaVersion);
  } catch {
    throw newerBackup(manifest.chatd);
  }
  return manifest;
}

/** State of a restore. */
interface Restored {
  config: Config;
  manifest: Manifest;
  stage: string;
  entries: Entries;
  progress: Progress;
  hasSecret: boolean;
  lastIds: Record<string, number> | undefined;
  files: number;
  rows: number;
}

const noting = () => ({ hasSecret: false, lastIds: undefined, files: 0, rows: 0 });

async function restoreEntries(restored: Restored, target: RowTarget) {
  let next = await restored.entries.next();
  for (; !next.done; next = await restored.entries.next())
    await restoreEntry(restored, next.value, target);
  const { files, rows } = next.value;
  const isWhole =
    restored.hasSecret !== (restored.manifest.holds === "rows") &&
    restored.lastIds &&
    files === restored.files &&
    rows === restored.rows;
  if (!isWhole) throw new BrokenBackupError("a part of it is missing");
}

async function restoreEntry(restored: Restored, entry: ReachedEntry, target: RowTarget) {
  const { config, stage, progress } = restored;
  const { name } = entry;
  const table = tableOfPart(name);
  if (table !== undefined) {
    restored.rows += await restoreRows(table, entry, target);
    progress("Rows", restored.rows);
  } else if (name.startsWith(filesPrefix)) {
    await writeEntry(join(stage, pathOfFile(name)), entry);
    restored.files += 1;
    progress("Files", restored.files);
  } else if (name === secretName) {
    const secret = await readSecret(config, entry);
    restored.hasSecret = true;
    if (config.secret === undefined)
      await writeNewFile(join(stage, secretName), new Blob([`${secret}\n`]).stream());
  } else if (name === idsName) {
    restored.lastIds = parseIds(new TextDecoder().decode(await entry.bytes()));
  } else throw new BrokenBackupError(`it has an entry called ${name}`);
}

async function restoreRows(table: string, entry: ReachedEntry, target: RowTarget): Promise<number> {
  const { columns, rows } = await decodePart(await entry.bytes());
  if (isCopied(table)) await target.insert(table, columns, rows);
  return rows.length;
}

/**
 * Reads the secret of the backup. Refuses it where the configuration has another secret, because
 * everything that is sealed or hashed in the backup could not be used with that one.
 */
async function readSecret({ secret: configured }: Config, entry: ReachedEntry): Promise<string> {
  const secret = new TextDecoder().decode(await entry.bytes()).trim();
  if (configured === undefined || configured === secret) return secret;
  throw badRequest(
    "CHATD_SECRET is not the secret of the backup. Unset it to restore the backup's secret to the data folder. " +
      "Nothing was changed.",
  );
}
