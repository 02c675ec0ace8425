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
  const temporary = `${path}.${crypto.randomUUID()}`;
  const file = openPrivate(path, temporary);
  let isOpen = true;
  const close = () => {
    if (isOpen) closeSync(file);
    isOpen = false;
  };
  return {
    write(site, { realm, credentials, notices }) {
      writeSync(
        file,
        `${JSON.stringify({ site, realm: realm.name, users: credentials }, null, 2)}\n`,
      );
      close();
      renameSync(temporary, path);
      for (const notice of notices) printNotice(notice);
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
