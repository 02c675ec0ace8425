import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Clock } from "../core/clock";
import { makeRandomId } from "../core/secrets";
import { type FileDraft, type FileStore, requireFileKey } from "./store";

const privateFile = 0o600;
const privateFolder = 0o700;
/** How old a draft gets before it counts as left behind: longer than any upload takes. */
const draftSecondsMax = 86_400;

/** Files in a folder of this machine, or of one that all nodes share. Only the server's own account may read them. */
export function openLocalFiles(folder: string, clock: Pick<Clock, "nowMilliseconds">): FileStore {
  const drafts = join(folder, "drafts");
  return {
    async begin() {
      await mkdir(drafts, { recursive: true, mode: privateFolder });
      const path = join(drafts, makeRandomId());
      return makeDraft(folder, path, await open(path, "wx", privateFile));
    },
    async find(key) {
      const content = Bun.file(pathOf(folder, key));
      return (await content.exists()) ? content : undefined;
    },
    remove: (key) => rm(pathOf(folder, key), { force: true }),
    removeRealm: (realmId) => rm(join(folder, String(realmId)), { recursive: true, force: true }),
    tidy: () => removeOldFiles(drafts, clock.nowMilliseconds() - draftSecondsMax * 1_000),
  };
}

/** No folder gets too many entries: those of a realm are spread by how they begin. */
function pathOf(folder: string, key: string): string {
  const [realm = "", name = ""] = requireFileKey(key).split("/");
  return join(folder, realm, name.slice(0, 2), name);
}

function makeDraft(folder: string, path: string, file: FileHandle): FileDraft {
  let isOpen = true;
  const close = async () => {
    if (isOpen) await file.close();
    isOpen = false;
  };
  return {
    async write(chunk) {
      for (let written = 0; written < chunk.byteLength; ) {
        written += (await file.write(chunk, written)).bytesWritten;
      }
    },
    async keep(key) {
      await file.sync();
      await close();
      const target = pathOf(folder, key);
      const made = await mkdir(dirname(target), { recursive: true, mode: privateFolder });
      await rename(path, target);
      await syncFolders(dirname(target), made);
    },
    async discard() {
      await close();
      await rm(path, { force: true });
    },
  };
}

/** Names survive a power cut only when the folders that they stand in are on the disk too, up to the first that was new. */
async function syncFolders(folder: string, firstNew: string | undefined) {
  const last = firstNew === undefined ? folder : dirname(firstNew);
  for (let current = folder; ; current = dirname(current)) {
    const handle = await open(current, "r");
    await handle.sync().finally(() => handle.close());
    if (current === last || current === dirname(current)) return;
  }
}

async function removeOldFiles(folder: string, olderThanMilliseconds: number) {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    const path = join(folder, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
    if (mtimeMs < olderThanMilliseconds) await rm(path, { force: true });
  }
}
