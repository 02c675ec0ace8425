import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  createReadStream,
  createWriteStream,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { spawnSync } from "bun";
import { codeOf } from "../../src/core/error-code";
import { ApiError, badRequest } from "../../src/core/errors";
import { headOf } from "./candidate";

const stagedPrefix = ".chatd-new-";
const packageList = "/var/lib/dpkg/info/chatd.list";

/** The former executable, to which `chatd upgrade --back` returns. */
export const previousOf = (own: string): string => `${own}.previous`;

/** The executable that a return has just moved aside. */
const undoneOf = (own: string): string => `${own}.undone`;

/**
 * The path of the running executable. Refuses if there is none, or if another program manages it.
 */
export function ownExecutable(): string {
  if (!Bun.isStandaloneExecutable)
    throw badRequest(
      "This chatd runs from source code, so it cannot be replaced: update the source code.",
    );
  const own = realpathSync(process.execPath);
  if (isInPackage(own))
    throw badRequest(
      `${own} belongs to the package chatd of this system: install the newer package, as with apt install ./chatd_….deb`,
    );
  try {
    accessSync(dirname(own), constants.W_OK | constants.X_OK);
  } catch {
    throw badRequest(
      `This account may not write to ${dirname(own)}, the folder of chatd. Run the command as root, with sudo.`,
    );
  }
  return own;
}

const isInPackage = (own: string): boolean =>
  existsSync(packageList) && readFileSync(packageList, "utf8").split("\n").includes(own);

/**
 * Copies the new executable beside the one to replace, from a file or out of a release archive, so
 * that a rename puts it in place. Answers its path. The copy is on disk then.
 */
export async function stage(file: string, own: string): Promise<string> {
  const staged = join(dirname(own), `${stagedPrefix}${crypto.randomUUID()}`);
  try {
    if (isGzip(file)) await unpack(file, staged);
    else copyFileSync(file, staged, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    chmodSync(staged, statSync(own).mode & 0o777);
    syncToDisk(staged);
    return staged;
  } catch (error) {
    rmSync(staged, { force: true });
    if (noRoomCodes.has(codeOf(error)))
      throw badRequest(
        `There is no room for the new version in ${dirname(own)}, the folder of chatd. Nothing was changed. Make room there, then try again.`,
      );
    throw error instanceof ApiError || !isGzip(file) ? error : notUnpacked(file, error);
  }
}

const noRoomCodes = new Set(["ENOSPC", "EDQUOT"]);

const notUnpacked = (archive: string, error: unknown) =>
  badRequest(
    `${archive} cannot be unpacked: ${error instanceof Error ? error.message : error}. Download it again: it is incomplete or damaged.`,
  );

/**
 * Removes files of interrupted upgrades, for whoever alone may upgrade at the moment: each takes as
 * much room as chatd itself.
 */
export function removeStaged(own: string) {
  const folder = dirname(own);
  for (const name of readdirSync(folder).filter((one) => one.startsWith(stagedPrefix)))
    rmSync(join(folder, name), { force: true });
}

const isGzip = (path: string): boolean => headOf(path).readUInt16BE(0) === 0x1f8b;

async function unpack(archive: string, target: string) {
  const { extract } = await import("tar-stream");
  const entries = extract();
  const feeding = pipeline(createReadStream(archive), createGunzip(), entries);
  feeding.catch(() => undefined);
  let isFound = false;
  for await (const entry of entries) {
    const isOne = entry.header.type === "file" && basename(entry.header.name) === "chatd";
    if (isOne && !isFound) {
      isFound = true;
      await pipeline(entry, createWriteStream(target, { flags: "wx", mode: 0o700 }));
    } else entry.resume();
  }
  await feeding;
  if (!isFound)
    throw badRequest(`${archive} does not contain chatd. Name an archive chatd-….tar.gz.`);
}

/**
 * Replaces the running executable with a staged one, and keeps it as `chatd.previous`. There is a
 * complete chatd under its name at each moment, even if the machine fails in between.
 */
export function putInPlace(staged: string, own: string) {
  const draft = join(dirname(own), `${stagedPrefix}${crypto.randomUUID()}`);
  linkOrCopy(own, draft);
  renameSync(draft, previousOf(own));
  renameSync(staged, own);
  syncToDisk(dirname(own));
}

/** Rights in the file of an executable, as `setcap` sets them; "" if it has none. */
export function fileRightsOf(path: string): string {
  if (Bun.which("getcap") === null) return "";
  const printed = spawnSync(["getcap", path]).stdout.toString().trim();
  return /\bcap_\S+$/.exec(printed)?.[0] ?? "";
}

/** Puts the former executable back; the replaced one becomes `chatd.previous`. */
export function putBack(own: string) {
  const undone = undoneOf(own);
  rmSync(undone, { force: true });
  linkOrCopy(own, undone);
  renameSync(previousOf(own), own);
  renameSync(undone, previousOf(own));
  syncToDisk(dirname(own));
}

/**
 * Puts the former executable back and removes the replaced one, because nobody should return to a
 * version that does not become ready.
 */
export function undoPutInPlace(own: string) {
  renameSync(previousOf(own), own);
  syncToDisk(dirname(own));
}

/** Finishes a return that was interrupted between its last two steps. */
export function finishPutBack(own: string) {
  const undone = undoneOf(own);
  if (existsSync(undone) && !existsSync(previousOf(own))) renameSync(undone, previousOf(own));
}

/** Copies if the file system has no links. */
function linkOrCopy(path: string, target: string) {
  try {
    linkSync(path, target);
  } catch {
    copyFileSync(path, target, constants.COPYFILE_EXCL);
    chmodSync(target, statSync(path).mode & 0o777);
    syncToDisk(target);
  }
}

/** Returns when a file, or the names in a folder, are on disk, if the file system supports this. */
function syncToDisk(path: string) {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } catch {
    // Some network file systems cannot sync folders.
  } finally {
    closeSync(file);
  }
}
