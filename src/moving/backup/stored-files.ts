import { type FileHandle, mkdir, open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { codeOf } from "../../core/error-code";
import { filePath } from "../../files/local";
import type { FileStore } from "../../files/store";
import type { ArchiveWriter, ReachedEntry } from "./archive";
import { BrokenBackupError, RepeatedEntryError } from "./broken";
import { filesPrefix } from "./manifest";
import type { Progress } from "./progress";

const chunkBytes = 1_048_576;
const privateFile = 0o600;
const privateFolder = 0o700;

/**
 * Adds those files of a store to an archive that are not in it yet. The content of a file never
 * changes. A file that is removed before its turn is left out. Answers the number of added bytes.
 */
export async function addFiles(
  archive: ArchiveWriter,
  store: FileStore,
  added: Set<string>,
  progress: Progress,
): Promise<number> {
  const keys: string[] = [];
  for await (const { key } of store.list()) if (!added.has(key)) keys.push(key);
  let bytes = 0;
  for (const [index, key] of keys.entries()) {
    progress("Files", index + 1, keys.length);
    const sizeBytes = await addFile(archive, store, key);
    if (sizeBytes === undefined) continue;
    bytes += sizeBytes;
    added.add(key);
  }
  return bytes;
}

async function addFile(
  archive: ArchiveWriter,
  store: FileStore,
  key: string,
): Promise<number | undefined> {
  const content = await store.find(key);
  if (!content) return undefined;
  const chunks = content.stream()[Symbol.asyncIterator]();
  // Once a file is open, it can be read to its end even if it is removed meanwhile.
  const first = await chunks.next().catch(async (error: unknown) => {
    if (await store.find(key)) throw error;
    return undefined;
  });
  if (!first) return undefined;
  await archive.addStream(
    { name: `${filesPrefix}${filePath(key)}`, sizeBytes: content.size },
    readOn(first, chunks),
  );
  return content.size;
}

async function* readOn(
  first: IteratorResult<Uint8Array>,
  rest: AsyncIterator<Uint8Array>,
): AsyncIterable<Uint8Array> {
  for (let next = first; !next.done; next = await rest.next()) yield next.value;
}

/** The content of an open file in pieces: from the present position, or from a given place. */
export async function* readChunks(file: FileHandle, from?: number): AsyncIterable<Uint8Array> {
  for (let place = from ?? null; ; ) {
    const { bytesRead, buffer } = await file.read(
      Buffer.allocUnsafe(chunkBytes),
      0,
      chunkBytes,
      place,
    );
    if (bytesRead === 0) return;
    if (place !== null) place += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/**
 * Writes a new file, with its folders, that only the system account of this process may read, and
 * syncs it to the disk. Answers its size.
 */
export async function writeNewFile(
  path: string,
  chunks: AsyncIterable<Uint8Array>,
): Promise<number> {
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

/**
 * Writes the content of an archive's entry to a new file. Refuses (`RepeatedEntryError`) a second
 * entry of its name.
 */
export async function writeEntry(path: string, { name, chunks }: ReachedEntry): Promise<void> {
  try {
    await writeNewFile(path, chunks);
  } catch (error) {
    throw codeOf(error) === "EEXIST" ? new RepeatedEntryError(name) : error;
  }
}

/** Writes all bytes, in as many steps as the system needs. */
export async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let written = 0; written < bytes.byteLength; )
    written += (await file.write(bytes, written)).bytesWritten;
}

/** The path of a file within the folder of the restore. Refuses one that leads out of it. */
export function pathOfFile(name: string): string {
  const segments = name.split("/");
  const isSafe = segments.every((segment) => segment !== "" && segment !== "." && segment !== "..");
  if (!isSafe || segments.length < 2) throw new BrokenBackupError(`it has a file called ${name}`);
  return join(...segments);
}
