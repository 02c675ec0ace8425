import { ApiError } from "../core/errors";

/** The content of a file, as a `Blob` gives it: it is read only on demand. */
export interface FileContent {
  /** Bytes. */
  readonly size: number;
  slice(start: number, end: number): FileContent;
  stream(): ReadableStream<Uint8Array>;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** A file that is being received: it cannot be found until it is kept. */
export interface FileDraft {
  /** Number of bytes written so far. */
  readonly sizeBytes: number;
  /**
   * Writes the next bytes, which the caller may reuse afterwards; resolves when there is room for
   * more.
   */
  write(chunk: Uint8Array): Promise<void>;
  /** Ends the draft unfinished: the bytes are stored durably, and `resume` continues with them. */
  rest(): Promise<void>;
  /** Stores the bytes durably under their key: after that the file can be found. */
  keep(): Promise<void>;
  /** Deletes the bytes, unless they were kept. */
  discard(): Promise<void>;
}

export interface StoredFile {
  key: string;
  sizeBytes: number;
}

/**
 * Store of files: a folder, or an external service. A key is made by `makeFileKey` and contains no
 * text from clients.
 */
export interface FileStore {
  /** Begins to receive a file under a new key. */
  begin(key: string): Promise<FileDraft>;
  /** Continues with the bytes of an earlier draft of the key, of this process or another one. */
  resume(key: string): Promise<FileDraft>;
  /** Deletes the bytes of a draft of the key, if there are any. */
  discard(key: string): Promise<void>;
  /** The content under a key; undefined where there is none. */
  find(key: string): Promise<FileContent | undefined>;
  /** Removes a file, if it exists. */
  remove(key: string): Promise<void>;
  /** Removes all files of a realm. */
  removeRealm(realmId: number): Promise<void>;
  /** All files that are kept, in any order. */
  list(): AsyncIterable<StoredFile>;
  /** Removes abandoned drafts. */
  tidy(): Promise<void>;
}

/** Age at which a draft counts as abandoned: longer than any upload takes. */
export const draftSecondsMax = 86_400;

const keyForm = /^\d{1,15}\/[A-Za-z0-9_-]{20,64}$/;

export const isFileKey = (text: string): boolean => keyForm.test(text);

/** The key of a new file of a realm. `random` must be unguessable. */
export const makeFileKey = (realmId: number, random: string): string =>
  requireFileKey(`${realmId}/${random}`);

/** Throws for an invalid key, because a key becomes part of a path. */
export function requireFileKey(key: string): string {
  if (!isFileKey(key)) throw new Error("A file's key must be a realm's id and a random name.");
  return key;
}

/** Name of a draft in the drafts folder. */
export const draftName = (key: string): string => requireFileKey(key).replace("/", "-");

/** Refusal because the store of the files does not work; nothing was changed. */
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
