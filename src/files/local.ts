import {
  constants,
  type FileHandle,
  link,
  mkdir,
  open,
  readdir,
  rename,
  rm,
  stat,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import { syncFolderMeanwhile } from "../../db/sync-to-disk";
import type { Clock } from "../core/clock";
import { codeOf } from "../core/error-code";
import {
  draftName,
  draftSecondsMax,
  type FileDraft,
  type FileStore,
  isFileKey,
  requireFileKey,
} from "./store";

const privateFile = 0o600;
const privateFolder = 0o700;

/**
 * Files in a folder of this machine, or in a folder that all nodes share. Only the system account
 * of the server may read them.
 */
export function openLocalFiles(folder: string, clock: Pick<Clock, "nowMilliseconds">): FileStore {
  const drafts = join(folder, "drafts");
  const draftPath = (key: string) => join(drafts, draftName(key));
  const openDraft = async (key: string, flags: string | number) => {
    await mkdir(drafts, { recursive: true, mode: privateFolder });
    const path = draftPath(key);
    return makeDraft(
      path,
      pathOf(folder, key),
      await open(path, flags, privateFile),
      flags !== "wx",
    );
  };
  return {
    begin: (key) => openDraft(key, "wx"),
    resume: (key) => openDraft(key, constants.O_RDWR | constants.O_CREAT),
    discard: (key) => rm(draftPath(key), { force: true }),
    async find(key) {
      const content = Bun.file(pathOf(folder, key));
      return (await content.exists()) ? content : undefined;
    },
    remove: (key) => rm(pathOf(folder, key), { force: true }),
    async removeRealm(realmId) {
      await rm(join(folder, String(realmId)), { recursive: true, force: true });
      for (const name of await namesIn(drafts)) {
        if (name.startsWith(`${realmId}-`)) await rm(join(drafts, name), { force: true });
      }
    },
    list: () => listFiles(folder),
    tidy: () => removeOldFiles(drafts, clock.nowMilliseconds() - draftSecondsMax * 1_000),
  };
}

/**
 * Files of a realm are spread over folders by the beginning of their names, so that no folder gets
 * too many entries.
 */
export function filePath(key: string): string {
  const [realm = "", name = ""] = requireFileKey(key).split("/");
  return `${realm}/${name.slice(0, 2)}/${name}`;
}

const pathOf = (folder: string, key: string) => join(folder, filePath(key));

async function* listFiles(folder: string) {
  for (const realm of await namesIn(folder)) {
    if (!/^\d+$/.test(realm)) continue;
    for (const part of await namesIn(join(folder, realm))) {
      for (const name of await namesIn(join(folder, realm, part))) {
        const key = `${realm}/${name}`;
        const found = isFileKey(key) && (await stat(pathOf(folder, key)).catch(() => undefined));
        if (found) yield { key, sizeBytes: found.size };
      }
    }
  }
}

const namesIn = (folder: string) => readdir(folder).catch((): string[] => []);

/**
 * Draft of a file on the local disk. Two nodes may write the file at once, because every byte has a
 * fixed place in it. A draft that `isShared` may be kept by any of them, but only once.
 */
async function makeDraft(
  path: string,
  target: string,
  file: FileHandle,
  isShared: boolean,
): Promise<FileDraft> {
  let isOpen = true;
  let { size: sizeBytes } = await file.stat();
  const close = async () => {
    if (isOpen) await file.close();
    isOpen = false;
  };
  return {
    get sizeBytes() {
      return sizeBytes;
    },
    async write(chunk) {
      for (let written = 0; written < chunk.byteLength; ) {
        const { bytesWritten } = await file.write(
          chunk,
          written,
          chunk.byteLength - written,
          sizeBytes,
        );
        written += bytesWritten;
        sizeBytes += bytesWritten;
      }
    },
    async rest() {
      try {
        if (isOpen) await file.sync();
      } catch (error) {
        // After a failed sync it is unknown which bytes are on the disk, and a later sync would not
        // report the failure again. So the draft is removed, and the upload starts over.
        await rm(path, { force: true });
        throw error;
      } finally {
        await close();
      }
    },
    async keep() {
      await file.sync();
      const firstNewFolder = await mkdir(dirname(target), { recursive: true, mode: privateFolder });
      await requireSameFile(file, path);
      await (isShared ? linkFirst(path, target) : rename(path, target));
      await close();
      await syncFolders(dirname(target), firstNewFolder);
    },
    async discard() {
      await close();
      await rm(path, { force: true });
    },
  };
}

/**
 * Throws if another node has already kept the written draft and a newer draft has taken its name,
 * because that newer draft must not be kept instead.
 */
async function requireSameFile(file: FileHandle, path: string) {
  const [opened, named] = await Promise.all([
    file.stat({ bigint: true }),
    stat(path, { bigint: true }),
  ]);
  if (opened.ino !== named.ino)
    throw new Error("Another node has kept or deleted the bytes of this upload.");
}

/** Error codes of file systems that have no hard links. */
const withoutLinks = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EINVAL"]);

/**
 * The first writer wins: an existing file is not replaced, even if the draft has changed since it
 * was checked. Without hard links, a file that another process makes in the very moment is
 * replaced.
 */
async function linkFirst(path: string, target: string) {
  try {
    await link(path, target);
  } catch (error) {
    if (!withoutLinks.has(codeOf(error))) throw error;
    return rename(path, target);
  }
  await rm(path, { force: true });
}

/** Names survive a power cut only when their folders are synced too, up to the first new one. */
async function syncFolders(folder: string, firstNew: string | undefined) {
  const last = firstNew === undefined ? folder : dirname(firstNew);
  for (let current = folder; ; current = dirname(current)) {
    await syncFolderMeanwhile(current);
    if (current === last || current === dirname(current)) return;
  }
}

async function removeOldFiles(folder: string, olderThanMilliseconds: number) {
  for (const name of await namesIn(folder)) {
    const path = join(folder, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
    if (mtimeMs < olderThanMilliseconds) await rm(path, { force: true });
  }
}
