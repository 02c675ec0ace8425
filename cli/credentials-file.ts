import { closeSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { badRequest } from "../src/core/errors";
import { whyNotWritten } from "../src/core/file-failure";
import type { Applied } from "../src/moving/organization/apply";
import { printNotice } from "./output";

/** A file that is there in full or not at all. */
export interface CredentialsFile {
  /**
   * Puts the file in its place, and tells of keys that ended for those in it. `site` is the address
   * that clients connect to.
   */
  write(site: string, applied: Applied): void;
  /** Leaves everything as it was, unless it was written. */
  discard(): void;
}

/**
 * Prepares a file for API keys, readable by its owner only (mode 0600). Fails at once where none
 * can be written: before keys are issued that nobody would get, and the earlier ones revoked.
 */
export function openCredentialsFile(path: string): CredentialsFile {
  const file = openPrivateFile(path);
  return {
    write(site, { realm, credentials, notices }) {
      file.write({ site, realm: realm.name, users: credentials });
      for (const notice of notices) printNotice(notice);
    },
    discard: file.discard,
  };
}

/** A file of JSON that is there in full or not at all, readable by its owner only (mode 0600). */
export interface PrivateFile {
  /** Puts the file in its place. */
  write(value: unknown): void;
  /** Leaves everything as it was, unless it was written. */
  discard(): void;
}

/** Prepares a file of secrets. Fails at once where none can be written. */
export function openPrivateFile(path: string): PrivateFile {
  const temporary = `${path}.${crypto.randomUUID()}`;
  const file = openPrivate(path, temporary);
  let isOpen = true;
  const close = () => {
    if (isOpen) closeSync(file);
    isOpen = false;
  };
  return {
    write(value) {
      writeSync(file, `${JSON.stringify(value, null, 2)}\n`);
      close();
      renameSync(temporary, path);
    },
    discard() {
      close();
      rmSync(temporary, { force: true });
    },
  };
}

function openPrivate(path: string, temporary: string): number {
  try {
    return openSync(temporary, "wx", 0o600);
  } catch (error) {
    throw badRequest(whyNotWritten(path, error));
  }
}
