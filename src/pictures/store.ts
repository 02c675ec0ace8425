import type { App, Context, Tx } from "../core/context";
import { ApiError, badRequest } from "../core/errors";
import { makeToken } from "../core/secrets/secrets";
import { write } from "../core/write";
import { makeFileKey, storeBytes } from "../files/store";
import {
  claimStrayIn,
  noteStray,
  releaseFilesIn,
  removalsSettled,
  removeFiles,
} from "../files/stray";

export { removalsSettled };

/**
 * Key of a picture's file: `name` is a secret; `variant` (`-avatar`) distinguishes it from files
 * that people upload.
 */
export const pictureKey = (realmId: number, name: string, variant: string): string =>
  makeFileKey(realmId, `${name}${variant}`);

/** A picture in the store that no row names yet. */
export interface StoredPicture {
  /** Name of its files. */
  name: string;
  keys: string[];
}

/**
 * Stores the files of one picture, by variant. Until a write claims it (`claimPictureIn`) it counts
 * as abandoned, so that it is removed if that write never comes.
 */
export async function storePicture(
  ctx: Context,
  files: Readonly<Record<string, Uint8Array>>,
): Promise<StoredPicture> {
  const { app, realm } = ctx;
  const name = makeToken();
  const contents = Object.entries(files).map(([variant, bytes]) => ({
    key: pictureKey(realm.id, name, variant),
    bytes,
  }));
  const keys = contents.map(({ key }) => key);
  await noteStray(ctx, keys);
  for (const { key, bytes } of contents) await storeBytes(app.files, key, bytes);
  return { name, keys };
}

/**
 * Part of the write that names a picture, which then stays. Refuses one that was removed meanwhile
 * (BAD_REQUEST).
 */
export async function claimPictureIn(
  tx: Tx,
  realmId: number,
  { keys }: StoredPicture,
): Promise<void> {
  if (!(await claimStrayIn(tx, realmId, keys)))
    throw badRequest("Storing the picture took too long. Send it again.");
}

/**
 * Part of the write that deletes the last row naming a picture: its files are removed once the
 * write is committed.
 */
export async function releasePictureIn(
  tx: Tx,
  app: App,
  realmId: number,
  name: string,
  variants: readonly string[],
): Promise<void> {
  const keys = variants.map((variant) => pictureKey(realmId, name, variant));
  await releaseFilesIn(tx, app, realmId, keys);
}

/** Removes a picture that no write has claimed. */
export async function discardPicture(app: App, { keys }: StoredPicture): Promise<void> {
  await removeFiles(app, keys);
}

/**
 * Stores a picture and claims it in the write that names it. A refused picture leaves nothing
 * behind.
 */
export async function withStoredPicture<Made>(
  ctx: Context,
  files: Readonly<Record<string, Uint8Array>>,
  name: (tx: Tx, picture: StoredPicture) => Promise<Made>,
): Promise<Made> {
  const picture = await storePicture(ctx, files);
  try {
    const named = await write(ctx, async (tx) => {
      const named = await name(tx, picture);
      await claimPictureIn(tx, ctx.realm.id, picture);
      return named;
    });
    await removalsSettled();
    return named;
  } catch (error) {
    // After any other error it is unknown whether the write was committed.
    if (error instanceof ApiError) await discardPicture(ctx.app, picture);
    throw error;
  }
}
