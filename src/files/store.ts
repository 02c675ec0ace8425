/** A file that is being taken in: it is nowhere to be found until it is kept. */
export interface FileDraft {
  /** Takes the next bytes; settled when there is room for more. */
  write(chunk: Uint8Array): Promise<void>;
  /** Puts what was written under a key, on the disk for good: after that it is found. */
  keep(key: string): Promise<void>;
  /** Lets go of what was written, unless it was kept. */
  discard(): Promise<void>;
}

/** Where files are: a folder, or a store that others run. A key is made by `makeFileKey` and holds nothing that a client said. */
export interface FileStore {
  begin(): Promise<FileDraft>;
  /** The content under a key, to be read when it is sent; undefined where there is none. */
  find(key: string): Promise<Blob | undefined>;
  /** Removes a file, if it is there. */
  remove(key: string): Promise<void>;
  /** Removes all files of a realm. */
  removeRealm(realmId: number): Promise<void>;
  /** Removes what drafts have left that nobody will keep any more. */
  tidy(): Promise<void>;
}

const keyForm = /^\d{1,15}\/[A-Za-z0-9_-]{20,64}$/;

/** The key of a new file of a realm. `random` is a secret that nobody can guess. */
export const makeFileKey = (realmId: number, random: string): string => requireFileKey(`${realmId}/${random}`);

/** Throws where a key does not have the form of one: it becomes part of a path. */
export function requireFileKey(key: string): string {
  if (!keyForm.test(key)) throw new Error("A file's key must be a realm's id and a random name.");
  return key;
}
