import type { Context, Tx } from "../../core/context";
import { ApiError, badRequest } from "../../core/errors";
import {
  addRealmEmojiIn,
  emojiFiles,
  type PreparedEmoji,
  prepareEmoji,
  removeRealmEmojiIn,
} from "../../management/realm-emoji/service";
import { prepareRealmPicture, setRealmPictureIn } from "../../management/realm-pictures/change";
import {
  claimPictureIn,
  discardPicture,
  type StoredPicture,
  storePicture,
} from "../../pictures/store";
import type { Change } from "./changes";
import type { Declaration } from "./declaration";
import { isPictureChange, type PictureChange } from "./picture-changes";
import { placeOf } from "./places";
import { type Problem, refuse, type Source } from "./problems";

/** A picture that was found to be one, and its files as they are stored. */
interface Decoded {
  files: Record<string, Uint8Array>;
  digest: string;
  emoji?: PreparedEmoji;
}

/** Decoded pictures by what they are of. */
export type DecodedPictures = ReadonlyMap<string, Decoded>;

interface Ready extends Decoded {
  stored: StoredPicture;
}

/** Stored pictures that the write of an apply is to name. */
export type ReadyPictures = ReadonlyMap<string, Ready>;

const keyOf = (change: PictureChange) =>
  change.kind === "setRealmPicture" ? `realm ${change.picture}` : `emoji ${change.name}`;

/**
 * Decodes the pictures of some changes. Refuses all files that hold none (BAD_REQUEST), with their
 * lines.
 */
export async function decodePictures(
  { source, declaration }: { source: Source; declaration: Declaration },
  changes: readonly Change[],
): Promise<DecodedPictures> {
  const decoded = new Map<string, Decoded>();
  const problems: Problem[] = [];
  for (const change of changes.filter(isPictureChange)) {
    try {
      const picture = await decode(change);
      if (picture) decoded.set(keyOf(change), picture);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      problems.push({
        path: placeOf(declaration, change),
        message: `${change.file?.file}: ${error.message}`,
      });
    }
  }
  if (problems.length > 0) throw refuse(source, problems);
  return decoded;
}

/** Name in whose turn the pictures of a file wait. */
const operator = "operator";

async function decode(change: PictureChange): Promise<Decoded | undefined> {
  if (change.file === null) return undefined;
  if (change.kind === "setRealmPicture")
    return prepareRealmPicture(operator, change.picture, change.file.bytes);
  const emoji = await prepareEmoji(operator, change.name, change.file.bytes);
  return { files: emojiFiles(emoji), digest: change.file.digest, emoji };
}

/** Puts decoded pictures in the store, where they count as left behind until they are claimed. */
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

/** Makes one change in a write. Refuses (BAD_REQUEST) a picture that was not looked at before. */
export async function carryOutPicture(
  tx: Tx,
  ctx: Context,
  change: PictureChange,
  pictures: ReadyPictures,
) {
  if (change.kind === "setRealmPicture" && change.file === null) {
    await setRealmPictureIn(tx, ctx, change.picture, null);
    return;
  }
  const ready = pictures.get(keyOf(change));
  if (!ready)
    throw badRequest("Somebody has changed this picture meanwhile. Apply the file again.");
  await nameIn(tx, ctx, change, ready);
  await claimPictureIn(tx, ctx.realm.id, ready.stored);
}

async function nameIn(
  tx: Tx,
  ctx: Context,
  change: PictureChange,
  { stored, digest, emoji }: Ready,
) {
  if (change.kind === "setRealmPicture") {
    await setRealmPictureIn(tx, ctx, change.picture, { name: stored.name, digest });
  } else if (emoji) {
    if (change.kind === "replaceEmoji") await removeRealmEmojiIn(tx, ctx, change.name);
    await addRealmEmojiIn(tx, ctx, emoji, stored);
  }
}

/** Lets go of the stored pictures that no change has named. */
export async function discardUnused(
  { app }: Context,
  pictures: ReadyPictures,
  changes: readonly Change[],
) {
  const used = new Set(changes.filter(isPictureChange).map(keyOf));
  for (const [key, { stored }] of pictures) if (!used.has(key)) await discardPicture(app, stored);
}
