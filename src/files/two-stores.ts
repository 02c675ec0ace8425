import type { FileContent, FileStore } from "./store";

/**
 * Uses two stores as one. New files go to the first store. Files that are still in the other store
 * are found there, so files can be moved from the other store to the first while servers run.
 */
export function openTwoStores(first: FileStore, other: FileStore): FileStore {
  const both = [other, first];
  return {
    begin: (key) => first.begin(key),
    resume: (key) => first.resume(key),
    async discard(key) {
      for (const store of both) await store.discard(key);
    },
    find: (key) => findInBoth(first, other, key),
    // The file is removed from the other store first, because a move checks afterwards whether the
    // file is still there.
    async remove(key) {
      for (const store of both) await store.remove(key);
    },
    async removeRealm(realmId) {
      for (const store of both) await store.removeRealm(realmId);
    },
    async *list() {
      const seen = new Set<string>();
      for await (const file of other.list()) {
        seen.add(file.key);
        yield file;
      }
      for await (const file of first.list()) if (!seen.has(file.key)) yield file;
    },
    async tidy() {
      for (const store of both) await store.tidy();
    },
  };
}

/**
 * A file of either store. A file in the other store is found even while the first does not answer,
 * because a file has one content, whichever store has it.
 */
async function findInBoth(
  first: FileStore,
  other: FileStore,
  key: string,
): Promise<FileContent | undefined> {
  const findMoved = () => first.find(key);
  const content = await findMoved().catch(async (error: unknown) => {
    const inOther = movable(await other.find(key), findMoved);
    if (!inOther) throw error;
    return inOther;
  });
  // The first store is asked again, because the file may have been moved meanwhile.
  return content ?? movable(await other.find(key), findMoved) ?? findMoved();
}

/**
 * A content that stays readable when its file moves to the other store during the read. An open
 * local file stays readable anyway.
 */
function movable(
  content: FileContent | undefined,
  findMoved: () => Promise<FileContent | undefined>,
): FileContent | undefined {
  return content === undefined || content instanceof Blob
    ? content
    : readElsewhere(content, findMoved);
}

function readElsewhere(
  content: FileContent,
  findMoved: () => Promise<FileContent | undefined>,
): FileContent {
  const loadMoved = async (error: unknown) => {
    const moved = await findMoved();
    if (!moved) throw error;
    return moved;
  };
  return {
    size: content.size,
    slice: (start, end) =>
      readElsewhere(content.slice(start, end), async () => (await findMoved())?.slice(start, end)),
    arrayBuffer: () =>
      content.arrayBuffer().catch(async (error: unknown) => (await loadMoved(error)).arrayBuffer()),
    stream() {
      let reader = content.stream().getReader();
      let position = 0;
      const goOn = async (error: unknown) => {
        const moved = await loadMoved(error);
        reader = moved.slice(position, content.size).stream().getReader();
        return reader.read();
      };
      return new ReadableStream<Uint8Array>(
        {
          async pull(controller) {
            const { done, value } = await reader.read().catch(goOn);
            if (done) return controller.close();
            position += value.byteLength;
            controller.enqueue(value);
          },
          cancel: (reason) => reader.cancel(reason),
        },
        { highWaterMark: 0 },
      );
    },
  };
}
