import type { Dirent } from "node:fs";
import { type FileHandle, mkdir, open, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ArchiveWriter } from "./archive";
import { BrokenBackupError } from "./broken";
import { filesPrefix } from "./manifest";
import type { Progress } from "./progress";

const chunkBytes = 1_048_576;
const privateFile = 0o600;
const privateFolder = 0o700;
/** What is being taken in: nothing in the database names it. */
const draftsFolder = "drafts";

const isMissing = (error: unknown) => error instanceof Error && "code" in error && error.code === "ENOENT";

/** Every file below a folder, by its path there. What goes away meanwhile is left out. */
async function listFiles(folder: string, below = ""): Promise<string[]> {
  const entries: Dirent[] = await readdir(join(folder, below), { withFileTypes: true }).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  const paths: string[] = [];
  for (const entry of entries) {
    const path = below === "" ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory() && path !== draftsFolder) for (const one of await listFiles(folder, path)) paths.push(one);
    if (entry.isFile()) paths.push(path);
  }
  return paths;
}

/**
 * Adds the files of a folder to an archive that are not in it yet. Files are written once and never changed; one that was
 * removed before its turn came is left out. Answers how many bytes were added.
 */
export async function addFiles(
  archive: ArchiveWriter,
  folder: string,
  added: Set<string>,
  progress: Progress,
): Promise<number> {
  const paths = (await listFiles(folder)).filter((path) => !added.has(path));
  let bytes = 0;
  for (const [index, path] of paths.entries()) {
    progress("Files", index + 1, paths.length);
    const sizeBytes = await addFile(archive, folder, path);
    if (sizeBytes === undefined) continue;
    bytes += sizeBytes;
    added.add(path);
  }
  return bytes;
}

async function addFile(archive: ArchiveWriter, folder: string, path: string): Promise<number | undefined> {
  const file = await open(join(folder, path), "r").catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (!file) return undefined;
  try {
    const { size: sizeBytes } = await file.stat();
    await archive.addStream({ name: `${filesPrefix}${path}`, sizeBytes }, readChunks(file));
    return sizeBytes;
  } finally {
    await file.close();
  }
}

/** The content of an open file, some at a time. */
export async function* readChunks(file: FileHandle): AsyncIterable<Uint8Array> {
  for (;;) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(chunkBytes), 0, chunkBytes);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

/** Writes a new file of this account's own, with the folders that it is in, on the disk for good. Answers its size. */
export async function writeNewFile(path: string, chunks: AsyncIterable<Uint8Array>): Promise<number> {
  await mkdir(dirname(path), { recursive: true, mode: privateFolder });
  const file = await open(path, "wx", privateFile);
  let bytes = 0;
  try {
    for await (const chunk of chunks) {
      bytes += chunk.byteLength;
      await writeAll(file, chunk);
    }
    await file.sync();
    return bytes;
  } finally {
    await file.close();
  }
}

/** Writes all of some bytes, however many the system takes at once. */
export async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let written = 0; written < bytes.byteLength; ) written += (await file.write(bytes, written)).bytesWritten;
}

/** The path of a file within the folder that it is restored into. Refuses one that would lead out of it. */
export function pathOfFile(name: string): string {
  const segments = name.split("/");
  const isSafe = segments.every((segment) => segment !== "" && segment !== "." && segment !== "..");
  if (!isSafe || segments.length < 2) throw new BrokenBackupError(`it has a file called ${name}`);
  return join(...segments);
}
