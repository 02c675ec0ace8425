import { daySeconds } from "../core/clock";
import { ApiError } from "../core/errors";

/**
 * The content of a file, with the methods of a `Blob`. It is read only when one of them is called.
 */
export interface FileContent {
  /** Bytes. */
  readonly size: number;
  slice(start: number, end: number): FileContent;
  stream(): ReadableStream<Uint8Array>;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** A file that is being received. It cannot be found until it is kept. */
export interface FileDraft {
  /** Number of bytes written so far. */
  readonly sizeBytes: number;
  /**
   * Writes the next bytes, which the caller may reuse afterwards; resolves when there is room for
   * more.
   */
  write(chunk: Uint8Array): Promise<void>;
  /**
   * Ends the draft although the file is incomplete. The bytes are stored durably, and `resume`
   * continues with them.
   */
  rest(): Promise<void>;
  /** Stores the bytes durably under their key, by which the file can then be found. */
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
  /** Continues with the bytes of an earlier draft of the key, by this process or another one. */
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
export const draftSecondsMax = daySeconds;

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

/**
 * Refusal of a request because the store of the files does not work. The request has changed
 * nothing.
 */
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
