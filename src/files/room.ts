import type { StorageReports } from "../core/storage-failure";
import type { FileDraft, FileStore } from "./store";

/** A store that reports each success to `reports`, because a success proves that there is room. */
export function tellStored(files: FileStore, reports: StorageReports): FileStore {
  return {
    ...files,
    begin: async (key) => telling(await files.begin(key), reports),
    resume: async (key) => telling(await files.resume(key), reports),
  };
}

const telling = (draft: FileDraft, reports: StorageReports): FileDraft => ({
  get sizeBytes() {
    return draft.sizeBytes;
  },
  write: (chunk) => draft.write(chunk),
  rest: () => draft.rest(),
  discard: () => draft.discard(),
  async keep() {
    await draft.keep();
    reports.stored("files");
  },
});
