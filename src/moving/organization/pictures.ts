import type { Context, Tx } from "../../core/context";
import { ApiError, badRequest } from "../../core/errors";
import type { PreparedEmoji } from "../../management/realm-emoji/service";
import { pictureDigest } from "../../pictures/digest";
import {
  claimPictureIn,
  discardPicture,
  type StoredPicture,
  storePicture,
} from "../../pictures/store";
import type { Change } from "./change";
import { type Node, readText } from "./file/decode";
import { type Problem, refuse, type Source } from "./file/problems";

/** A picture in a file of its own, which the organization's file names. */
export interface DeclaredPicture {
  /** Path of the file, relative to the organization's file. */
  file: string;
  bytes: Uint8Array;
  /**
   * Digest of its bytes. If these are of a stored picture (`recognizePictures`), the digest of the
   * file that it was made from; null for a picture from another system, whose file is unknown.
   */
  digest: string | null;
  /**
   * Digest of its bytes where the stored picture, whose file is unknown, is what they become. An
   * application stores it (`noteSources`).
   */
  sourceToNote?: string | null;
}

/**
 * Whether a declared picture is the stored one with a source digest. Another application of the
 * file may have noted the digest meanwhile.
 */
export const isStoredAs = (
  { digest, sourceToNote }: DeclaredPicture,
  storedDigest: string | null | undefined,
): boolean =>
  storedDigest !== undefined && (storedDigest === digest || storedDigest === sourceToNote);

/** A picture that a change sets. */
export interface PictureToStore {
  /** Name of the picture's subject, which has only one picture: `emoji parrot`. */
  key: string;
  file: string;
  /** Decodes the picture. Refuses a file that is not a picture (BAD_REQUEST). */
  decode(): Promise<Decoded>;
}

/** A decoded picture, as files for the store. */
interface Decoded {
  files: Record<string, Uint8Array>;
  digest: string;
  emoji?: PreparedEmoji;
}

/** Decoded pictures by their subjects. */
type DecodedPictures = ReadonlyMap<string, Decoded>;

interface Ready extends Decoded {
  stored: StoredPicture;
}

/** Stored pictures that the write of an application will claim. */
export type ReadyPictures = ReadonlyMap<string, Ready>;

/** Lane in which jobs for the pictures of a file wait. */
export const operator = "operator";

const pictureBytesMax = 5 * 1_048_576;

/** Reads the file that a key names; mistakes become problems with their place. */
export function readPicture(
  node: Node,
  key: string,
  { readFile }: Source,
): DeclaredPicture | undefined {
  let bytes: Uint8Array | undefined;
  const file = readText(node, key, (text) => {
    if (!readFile)
      throw badRequest(
        `${key} names a file, which only an organization that is in a file itself can do.`,
      );
    bytes = readFile(text, pictureBytesMax);
    return text;
  });
  return file === undefined || !bytes ? undefined : { file, bytes, digest: pictureDigest(bytes) };
}

/**
 * Decodes the pictures of some changes. Refuses all files that are not pictures (BAD_REQUEST), with
 * their places.
 */
export async function decodePictures(
  source: Source,
  changes: readonly Change[],
): Promise<DecodedPictures> {
  const decoded = new Map<string, Decoded>();
  const problems: Problem[] = [];
  for (const { path, picture } of changes) {
    if (!picture) continue;
    try {
      decoded.set(picture.key, await picture.decode());
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      problems.push({ path, message: `${picture.file}: ${error.message}` });
    }
  }
  if (problems.length > 0) throw refuse(source, problems);
  return decoded;
}

/** Stores decoded pictures, which count as abandoned until they are claimed. */
export async function storePictures(
  ctx: Context,
  decoded: DecodedPictures,
): Promise<ReadyPictures> {
  const ready = new Map<string, Ready>();
  for (const [key, picture] of decoded) {
    ready.set(key, { ...picture, stored: await storePicture(ctx, picture.files) });
  }
  return ready;
}

/**
 * Claims a stored picture in a write, so that it is not removed as abandoned. Refuses (BAD_REQUEST)
 * a picture that was not decoded before.
 */
export async function claimPicture(
  tx: Tx,
  ctx: Context,
  { pictures, key }: { pictures: ReadyPictures; key: string },
  name: (picture: Ready) => Promise<unknown>,
): Promise<void> {
  const ready = pictures.get(key);
  if (!ready)
    throw badRequest("Somebody has changed this picture meanwhile. Apply the file again.");
  await name(ready);
  await claimPictureIn(tx, ctx.realm.id, ready.stored);
}

/** Removes the stored pictures that no change has claimed. */
export async function discardUnused(
  { app }: Context,
  pictures: ReadyPictures,
  changes: readonly Change[],
) {
  const used = new Set(changes.map(({ picture }) => picture?.key));
  for (const [key, { stored }] of pictures) if (!used.has(key)) await discardPicture(app, stored);
}
