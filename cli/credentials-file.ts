import { closeSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { badRequest } from "../src/core/errors";
import { whyNotWritten } from "../src/core/file-failure";
import type { Applied } from "../src/moving/organization/apply";
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
 * Prepares a file for API keys, readable only by its owner (mode 0600). Fails at once if the file
 * cannot be written: before any key is issued that nobody would get, and before the former keys are
 * revoked.
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

/** A JSON file that is written completely or not at all, readable only by its owner (mode 0600). */
export interface PrivateFile {
  /** Moves the file into place. */
  write(value: unknown): void;
  /** Leaves everything as it was, unless `write` was called. */
  discard(): void;
}

/** Prepares a file of secrets. Fails at once if the file cannot be written. */
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
