import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Place } from "../../../db/open";
import { isInUse } from "../../../db/rows";
import { DataInUseError } from "../../../db/stored-rows";
import { syncFolderMeanwhile } from "../../../db/sync-to-disk";
import { isoTime } from "../../core/clock";
import { badRequest } from "../../core/errors";
import { makeRandomId } from "../../core/secrets/secrets";
import { closeDataFolder } from "../../core/storage/data-folder-access";
import { unfinishedRestoreFile } from "../../core/storage/unfinished-restore";
import { writeNewFile } from "./stored-files";

const privateFolder = 0o700;
const stagePrefix = "restoring-";
const asidePrefix = "before-restore-";
/**
 * The files of the database in a data folder. They are moved last, so that no process uses the
 * database before the rest of the data exists.
 */
const databaseNames = ["chatd.db-wal", "chatd.db-shm", "chatd.db"];
const ownNames = ["files", "secret", ...databaseNames];

/** Parts of a data folder that a restore would replace. */
export const findOwn = (dataFolder: string): string[] =>
  [...ownNames, "restore-unfinished"].filter((name) => existsSync(join(dataFolder, name)));

/**
 * Makes a folder within the data folder for staging, and removes the staging folder of a restore
 * that was killed. Closes the data folder to other accounts, because it may have existed before. A
 * folder with something else in it stays as it is: all that is restored into it is private anyway.
 */
export async function makeStage(dataFolder: string): Promise<string> {
  await mkdir(dataFolder, { recursive: true, mode: privateFolder });
  closeDataFolder(dataFolder);
  for (const name of readdirSync(dataFolder)) {
    if (name.startsWith(stagePrefix))
      await rm(join(dataFolder, name), { recursive: true, force: true });
  }
  return mkdtemp(join(dataFolder, stagePrefix));
}

/**
 * Refuses a folder of files on another disk than the data folder, because files can only be moved
 * aside within one disk.
 */
export function requireOneDisk(dataFolder: string): void {
  const files = statSync(join(dataFolder, "files"), { throwIfNoEntry: false });
  if (!files || files.dev === statSync(dataFolder).dev) return;
  throw badRequest(
    `${join(dataFolder, "files")} is on another disk than ${dataFolder}: empty it and take it away first.`,
  );
}

/** The data that a restore replaces: all of it, or only the database. */
export type Replaced = "all" | "rows";

/**
 * Marks the data, so that no process starts to use it until `finishReplacing` removes the mark.
 * Answers false if the data was marked already. Refuses to replace the database alone where a
 * restore of all data was interrupted, because that restore still has to be finished.
 */
export async function beginReplacing(dataFolder: string, what: Replaced): Promise<boolean> {
  const path = unfinishedRestoreFile(dataFolder);
  const isNew = !existsSync(path);
  if (!isNew && what === "rows" && readFileSync(path, "utf8") !== "rows")
    throw badRequest(
      `A restore of a whole backup into ${dataFolder} was interrupted. First run it again: chatd admin restore FILE --force`,
    );
  // The name begins like that of the staging folders, so that the draft of a restore that was
  // killed is removed with them.
  const draft = join(dataFolder, `${stagePrefix}mark`);
  await rm(draft, { force: true });
  await writeNewFile(draft, new Blob([what]).stream());
  await rename(draft, path);
  await syncFolderMeanwhile(dataFolder);
  return isNew;
}

/**
 * Marks data that is a file in its folder, as `beginReplacing` does, and then refuses data that a
 * process is using: a process may have started after the first check, and from now on none can
 * start.
 */
export async function beginReplacingAlone(place: Place, what: Replaced): Promise<void> {
  const isNew = await beginReplacing(place.dataFolder, what);
  if (!(await isInUse(place))) return;
  if (isNew) await finishReplacing(place.dataFolder);
  throw new DataInUseError();
}

/**
 * Moves the existing data, or only the database, into a folder of its own, and moves the staged
 * data into its place. Answers the name of the folder with the former data.
 */
export async function replaceOwn(
  dataFolder: string,
  stage: string,
  now: number,
  what: Replaced,
): Promise<string | undefined> {
  const names = what === "rows" ? databaseNames : ownNames;
  const old = names.filter((name) => existsSync(join(dataFolder, name)));
  const aside = old.length > 0 ? await makeAside(dataFolder, now) : undefined;
  for (const name of aside ? old.toReversed() : [])
    await rename(join(dataFolder, name), join(aside ?? "", name));
  for (const name of names) {
    if (existsSync(join(stage, name))) await rename(join(stage, name), join(dataFolder, name));
  }
  await syncFolderMeanwhile(dataFolder);
  return aside;
}

async function makeAside(dataFolder: string, now: number): Promise<string> {
  const named = join(dataFolder, `${asidePrefix}${isoTime(now).replaceAll(/[-:]/g, "")}`);
  const aside = existsSync(named) ? `${named}-${makeRandomId()}` : named;
  await mkdir(aside, { mode: privateFolder });
  return aside;
}

export async function finishReplacing(dataFolder: string): Promise<void> {
  await rm(unfinishedRestoreFile(dataFolder));
  await syncFolderMeanwhile(dataFolder);
}
