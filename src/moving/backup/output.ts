import { existsSync } from "node:fs";
import { link, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { removeLeftBehind } from "../../../db/left-behind";
import { syncFolderMeanwhile } from "../../../db/sync-to-disk";
import { badRequest } from "../../core/errors";
import { makeRandomId } from "../../core/secrets/secrets";
import { whyNotWritten } from "../../core/storage/file-failure";
import type { Sink } from "./archive";
import { writeAll } from "./stored-files";

const privateFile = 0o600;
/** Names of drafts: what is to be there, an id, and `.part`. */
const draftName = /^.+\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.part$/;

/** The path of a new draft of a file or folder. */
export const draftOf = (path: string): string => `${path}.${makeRandomId()}.part`;

/**
 * Removes drafts of killed processes beside a new draft, under any name, because a backup has the
 * day in its name. See `removeLeftBehind`.
 */
export const removeOldDrafts = (draft: string): void => removeLeftBehind(draft, draftName);

/** A file that gets its name only when it is complete and on the disk. */
export interface Output {
  sink: Sink;
  keep(): Promise<void>;
  /** Deletes the draft, unless it was kept. */
  discard(): Promise<void>;
}

const alreadyThere = (path: string) => badRequest(`${path} already exists. Choose another name.`);

/**
 * Begins a file that only the system account of this process may read. Refuses an existing name.
 * Removes drafts of killed processes in its folder.
 */
export async function openOutput(path: string): Promise<Output> {
  if (existsSync(path)) throw alreadyThere(path);
  const draft = draftOf(path);
  const file = await open(draft, "wx", privateFile).catch((error: unknown) => {
    throw badRequest(whyNotWritten(path, error));
  });
  removeOldDrafts(draft);
  let isOpen = true;
  const close = async () => {
    if (isOpen) await file.close();
    isOpen = false;
  };
  return {
    sink: (bytes) => writeAll(file, bytes),
    async keep() {
      await file.sync();
      await close();
      await putInPlace(draft, path);
      await syncFolderMeanwhile(dirname(path));
    },
    async discard() {
      await close();
      await rm(draft, { force: true });
    },
  };
}

/**
 * Uses a hard link, because a link never replaces a file that has appeared meanwhile. Some file
 * systems have no hard links.
 */
async function putInPlace(draft: string, path: string) {
  try {
    await link(draft, path);
  } catch (error) {
    if (existsSync(path)) throw alreadyThere(path);
    if (!(error instanceof Error)) throw error;
    await rename(draft, path);
    return;
  }
  await rm(draft, { force: true });
}
