import type { FileDraft, FileStore } from "./store";

/**
 * A store that calls `stored` for each file that it has kept, because a kept file proves that the
 * store has room.
 */
export function tellStored(files: FileStore, stored: (sizeBytes: number) => void): FileStore {
  return {
    ...files,
    begin: async (key) => telling(await files.begin(key), stored),
    resume: async (key) => telling(await files.resume(key), stored),
  };
}

const telling = (draft: FileDraft, stored: (sizeBytes: number) => void): FileDraft => ({
  get sizeBytes() {
    return draft.sizeBytes;
  },
  write: (chunk) => draft.write(chunk),
  rest: () => draft.rest(),
  discard: () => draft.discard(),
  async keep() {
    const { sizeBytes } = draft;
    await draft.keep();
    stored(sizeBytes);
  },
});
