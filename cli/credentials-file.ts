import {
  closeSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { systemClock } from "../src/core/clock";
import { badRequest } from "../src/core/errors";
import { isRecord } from "../src/core/json/record";
import { whyNotWritten } from "../src/core/storage/file-failure";
import type { Applied } from "../src/moving/organization/apply";
import type { Declared } from "../src/moving/organization/declaration";
import { printNotice } from "./output";

/** A file that is written completely or not at all. */
export interface CredentialsFile {
  /**
   * Moves the file into place, and reports keys that ended because those in the file replace them.
   * `site` is the address to which clients connect.
   */
  write(site: string, applied: Applied): void;
  /** Leaves everything as it was, unless `write` was called. */
  discard(): void;
}

/**
 * Prepares a file for API keys of a number of accounts, readable only by its owner (mode 0600).
 * Fails at once if the file cannot be written, also for want of room: before any key is issued that
 * nobody would get, and before the former keys are revoked.
 */
export function openCredentialsFile(path: string, accountCount: number): CredentialsFile {
  const file = openPrivateFile(path, accountCount);
  return {
    write(site, { realm, credentials, notices }) {
      file.write({ site, realm: realm.name, users: credentials });
      for (const notice of notices) printNotice(notice);
    },
    discard: file.discard,
  };
}

/** Number of accounts that get keys: those declared, or the first owner alone. */
export const accountCountOf = (declared: Declared | undefined): number =>
  declared ? declared.declaration.users.length + declared.declaration.bots.length : 1;

/** A JSON file that is written completely or not at all, readable only by its owner (mode 0600). */
export interface PrivateFile {
  /** Moves the file into place. */
  write(value: unknown): void;
  /** Leaves everything as it was, unless `write` was called. */
  discard(): void;
}

/**
 * Prepares a file of secrets of a number of accounts. Fails at once if the file cannot be written,
 * its disk has no room for it, or it would replace anything but an earlier file of secrets.
 */
export function openPrivateFile(path: string, accountCount: number): PrivateFile {
  requireOwnKind(path);
  removeLeftDrafts(path);
  const temporary = `${path}${draftMark}${crypto.randomUUID()}`;
  const file = openPrivate(path, temporary, bytesOfFile + accountCount * bytesOfAccount);
  let isOpen = true;
  const close = () => {
    if (isOpen) closeSync(file);
    isOpen = false;
  };
  return {
    write(value) {
      const text = Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
      writeFromStart(file, text);
      ftruncateSync(file, text.byteLength);
      fsyncSync(file);
      close();
      renameSync(temporary, path);
    },
    discard() {
      close();
      rmSync(temporary, { force: true });
    },
  };
}

/** More bytes than a file of secrets needs, and than it needs for an account. */
const [bytesOfFile, bytesOfAccount] = [4_096, 1_024];
const draftMark = ".draft-";
const draftMillisecondsMax = 86_400_000;

/**
 * Removes drafts that were begun a day ago, because killed processes could not do it themselves.
 * Only the age counts: a number of a process means nothing in another container. A draft that
 * cannot be removed stays.
 */
function removeLeftDrafts(path: string) {
  const start = `${basename(path)}${draftMark}`;
  for (const name of namesIn(dirname(path))) {
    const isDraft = name.startsWith(start) && /^[0-9a-f-]{36}$/.test(name.slice(start.length));
    const draft = join(dirname(path), name);
    if (!isDraft || !isOld(draft)) continue;
    try {
      rmSync(draft, { force: true });
    } catch {
      // It belongs to another account.
    }
  }
}

function isOld(path: string): boolean {
  const begunAt = statusOf(path)?.mtimeMs;
  return begunAt !== undefined && begunAt < systemClock.nowMilliseconds() - draftMillisecondsMax;
}

/** Names in a folder; none if it cannot be listed, which is no reason not to write there. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/**
 * Refuses a path at which something else is, such as the organization's file or a device, because a
 * slip in the command line would destroy it.
 */
function requireOwnKind(path: string) {
  const status = statusOf(path);
  if (status === undefined || (status.isFile() && (status.size === 0 || isSecretsFile(path))))
    return;
  throw badRequest(
    `${path} already exists, and chatd has not written it, so it is not replaced. Choose another name.`,
  );
}

/** A path that cannot be looked at cannot be written either, which is refused with its reason. */
function statusOf(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Whether a file is one of secrets: a JSON object that has the name of its organization. */
function isSecretsFile(path: string): boolean {
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    return isRecord(value) && typeof value["realm"] === "string";
  } catch {
    return false;
  }
}

/** Opens the draft, and takes the room on the disk that it will need. */
function openPrivate(path: string, temporary: string, sizeBytes: number): number {
  let file: number | undefined;
  try {
    file = openSync(temporary, "wx", 0o600);
    writeFromStart(file, Buffer.alloc(sizeBytes));
    fsyncSync(file);
    return file;
  } catch (error) {
    if (file !== undefined) {
      closeSync(file);
      rmSync(temporary, { force: true });
    }
    throw badRequest(whyNotWritten(path, error));
  }
}

/** A single write to a disk that is nearly full would write a part and report no error. */
function writeFromStart(file: number, bytes: Uint8Array) {
  for (let written = 0; written < bytes.byteLength; )
    written += writeSync(file, bytes, written, bytes.byteLength - written, written);
}
