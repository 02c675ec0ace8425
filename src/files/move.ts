import type { FileContent, FileDraft, FileStore, StoredFile } from "./store";

interface MoveReport {
  /** Files that were moved from the old place to the new one. */
  moved: number;
  bytes: number;
}

/**
 * Moves all files from one store to another while servers run. These servers must use both stores,
 * and put new files into the latter. Each file is copied and checked before the old one is removed.
 * An interrupted move continues when it is run again. A file that is removed meanwhile stays
 * removed.
 */
export async function moveFiles(
  from: FileStore,
  to: FileStore,
  progress: (what: string, done: number, total?: number) => void = () => undefined,
): Promise<MoveReport> {
  const copied: StoredFile[] = [];
  for await (const file of from.list()) {
    if (await copyFile(from, to, file)) copied.push(file);
    progress("Copying files", copied.length);
  }
  // Files are removed at the end, because readers may still use files that they found in the old
  // store a moment ago.
  for (const [index, { key }] of copied.entries()) {
    await from.remove(key);
    progress("Removing the old ones", index + 1, copied.length);
  }
  return { moved: copied.length, bytes: copied.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) };
}

/** Answers whether the file is in the new place now; if not, it was removed. */
async function copyFile(
  from: FileStore,
  to: FileStore,
  { key, sizeBytes }: StoredFile,
): Promise<boolean> {
  const there = await to.find(key);
  if (there?.size !== sizeBytes) {
    const content = await from.find(key);
    if (!content) return false;
    // A draft of an interrupted move is removed first.
    await to.discard(key);
    const draft = await to.begin(key);
    try {
      const isThere = await copyContent(
        content,
        draft,
        async () => (await from.find(key)) !== undefined,
      );
      if (!isThere) return false;
      if (draft.sizeBytes !== sizeBytes)
        throw new Error(`The file ${key} was not read to its end. Move again.`);
      await draft.keep();
    } finally {
      await draft.discard();
    }
    // Nothing is removed where two moves disturb each other.
    if ((await to.find(key))?.size !== sizeBytes && (await from.find(key))) {
      throw new Error(`The file ${key} did not arrive whole. Run one move at a time.`);
    }
  }
  if (await from.find(key)) return true;
  await to.remove(key);
  return false;
}

/** Answers false if the file is removed while it is read. */
async function copyContent(
  content: FileContent,
  draft: FileDraft,
  isThere: () => Promise<boolean>,
): Promise<boolean> {
  try {
    for await (const chunk of content.stream()) await draft.write(chunk);
    return true;
  } catch (error) {
    if (await isThere()) throw error;
    return false;
  }
}
