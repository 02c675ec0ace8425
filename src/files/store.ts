import { ApiError } from "../core/errors";

/** The content of a file, as a `Blob` gives it: nothing of it is read before somebody asks. */
export interface FileContent {
  /** Bytes. */
  readonly size: number;
  slice(start: number, end: number): FileContent;
  stream(): ReadableStream<Uint8Array>;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** A file that is being taken in: it is nowhere to be found until it is kept. */
export interface FileDraft {
  /** Number of bytes written so far. */
  readonly sizeBytes: number;
  /** Takes the next bytes, which are only lent; settled when there is room for more. */
  write(chunk: Uint8Array): Promise<void>;
  /**
   * Lets go of it unfinished: what was written is stored for good, and `resume` goes on with it.
   */
  rest(): Promise<void>;
  /** Puts what was written under its key, stored for good: after that it is found. */
  keep(): Promise<void>;
  /** Throws the written bytes away, unless they were kept. */
  discard(): Promise<void>;
}

export interface StoredFile {
  key: string;
  sizeBytes: number;
}

/**
 * Place of files: a folder, or a store that others run. A key is made by `makeFileKey` and holds
 * nothing that a client said.
 */
export interface FileStore {
  /** Begins to take in the file of a new key. */
  begin(key: string): Promise<FileDraft>;
  /**
   * Goes on with the bytes that an earlier draft of the key has left, in this process or another
   * one.
   */
  resume(key: string): Promise<FileDraft>;
  /** Throws away the bytes that a draft of the key has left, if there are any. */
  discard(key: string): Promise<void>;
  /** The content under a key; undefined where there is none. */
  find(key: string): Promise<FileContent | undefined>;
  /** Removes a file, if it is there. */
  remove(key: string): Promise<void>;
  /** Removes all files of a realm. */
  removeRealm(realmId: number): Promise<void>;
  /** All files that are kept, in no order. */
  list(): AsyncIterable<StoredFile>;
  /** Removes what drafts have left that nobody will keep any more. */
  tidy(): Promise<void>;
}

/** Age at which a draft counts as left behind: longer than any upload takes. */
export const draftSecondsMax = 86_400;

const keyForm = /^\d{1,15}\/[A-Za-z0-9_-]{20,64}$/;

export const isFileKey = (text: string): boolean => keyForm.test(text);

/** The key of a new file of a realm. `random` is a secret that nobody can guess. */
export const makeFileKey = (realmId: number, random: string): string =>
  requireFileKey(`${realmId}/${random}`);

/** Throws where a key does not have the form of one: it becomes part of a path. */
export function requireFileKey(key: string): string {
  if (!isFileKey(key)) throw new Error("A file's key must be a realm's id and a random name.");
  return key;
}

/** Name of a draft in the folder of drafts. */
export const draftName = (key: string): string => requireFileKey(key).replace("/", "-");

/** Refusal because the place of the files does not work: nothing has happened then. */
export const storeUnavailable = () =>
  new ApiError(
    "INTERNAL_SERVER_ERROR",
    "Files cannot be stored or read at the moment. Try again in a minute.",
    503,
  );

/** Stores a file that is in memory. */
export async function storeBytes(files: FileStore, key: string, bytes: Uint8Array): Promise<void> {
  const draft = await files.begin(key);
  try {
    await draft.write(bytes);
    await draft.keep();
  } finally {
    await draft.discard();
  }
}
