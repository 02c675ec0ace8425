import { existsSync, readdirSync, statSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { isoTime } from "../../core/clock";
import { badRequest } from "../../core/errors";
import { makeRandomId } from "../../core/secrets";
import { unfinishedRestoreFile } from "../../core/unfinished-restore";
import { syncFolder } from "./output";
import { writeNewFile } from "./stored-files";

const privateFolder = 0o700;
const stagePrefix = "restoring-";
const asidePrefix = "before-restore-";
/**
 * Parts of the data in a folder; the database is last, so that nobody uses it before the rest
 * exists.
 */
const databaseNames = ["chatd.db-wal", "chatd.db-shm", "chatd.db"];
const ownNames = ["files", "secret", ...databaseNames];

/** Parts of a data folder that a restore would replace. */
export const findOwn = (dataFolder: string): string[] =>
  [...ownNames, "restore-unfinished"].filter((name) => existsSync(join(dataFolder, name)));

/** Makes a folder within the data folder for staging; removes the one of a killed restore. */
export async function makeStage(dataFolder: string): Promise<string> {
  await mkdir(dataFolder, { recursive: true, mode: privateFolder });
  await closeToOthers(dataFolder);
  for (const name of readdirSync(dataFolder)) {
    if (name.startsWith(stagePrefix))
      await rm(join(dataFolder, name), { recursive: true, force: true });
  }
  return mkdtemp(join(dataFolder, stagePrefix));
}

/**
 * Removes the access of others, because the folder may have existed before. If another account owns
 * it, it stays as it is, because the files in it are private.
 */
async function closeToOthers(folder: string): Promise<void> {
  await chmod(folder, privateFolder).catch((error: unknown) => {
    if (!(error instanceof Error && "code" in error && error.code === "EPERM")) throw error;
  });
}

/** Files can only be moved aside where their folder is on the disk of the data folder. */
export function requireOneDisk(dataFolder: string): void {
  const files = statSync(join(dataFolder, "files"), { throwIfNoEntry: false });
  if (!files || files.dev === statSync(dataFolder).dev) return;
  throw badRequest(
    `${join(dataFolder, "files")} is on another disk than ${dataFolder}: empty it and take it away first.`,
  );
}

/** From now on until `finishRestore`, no process starts to use the data. */
export async function beginReplacing(dataFolder: string): Promise<void> {
  const path = unfinishedRestoreFile(dataFolder);
  if (!existsSync(path)) await writeNewFile(path, new Blob([]).stream());
  await syncFolder(dataFolder);
}

/**
 * Moves the existing data, or the database alone, into a folder of its own, and the staged data into
 * its place; answers the name of that folder.
 */
export async function replaceOwn(
  dataFolder: string,
  stage: string,
  now: number,
  what: "all" | "rows",
): Promise<string | undefined> {
  const names = what === "rows" ? databaseNames : ownNames;
  const old = names.filter((name) => existsSync(join(dataFolder, name)));
  const aside = old.length > 0 ? await makeAside(dataFolder, now) : undefined;
  for (const name of aside ? old.toReversed() : [])
    await rename(join(dataFolder, name), join(aside ?? "", name));
  for (const name of names) {
    if (existsSync(join(stage, name))) await rename(join(stage, name), join(dataFolder, name));
  }
  await syncFolder(dataFolder);
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
  await syncFolder(dataFolder);
}
