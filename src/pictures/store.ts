import { and, eq, gt, inArray, lte } from "drizzle-orm";
import type { App, Context, Tx } from "../core/context";
import { ApiError, badRequest } from "../core/errors";
import { describeError } from "../core/log";
import { makeToken } from "../core/secrets";
import { write } from "../core/write";
import { makeFileKey } from "../files/store";

/** How long a picture that is taken in may be on the disk before a row names it. */
const unclaimedSeconds = 3_600;
/** Clocks of several nodes may differ by less. */
const graceSeconds = 60;
const perTidy = 500;

/** Where the file of a picture is: `name` is a secret, `variant` (`-avatar`) sets it apart from files that people upload. */
export const pictureKey = (realmId: number, name: string, variant: string): string =>
  makeFileKey(realmId, `${name}${variant}`);

/** A picture that is in the store and that no row names yet. */
export interface StoredPicture {
  /** What its files are called. */
  name: string;
  keys: string[];
}

/**
 * Puts the files of one picture in the store, by variant. Until a write claims it (`claimPictureIn`) it counts as left
 * behind, so that nothing stays of it if that write never comes.
 */
export async function storePicture(ctx: Context, files: Readonly<Record<string, Uint8Array>>): Promise<StoredPicture> {
  const { app, realm } = ctx;
  const name = makeToken();
  const contents = Object.entries(files).map(([variant, bytes]) => ({
    key: pictureKey(realm.id, name, variant),
    bytes,
  }));
  const keys = contents.map(({ key }) => key);
  await write(ctx, (tx) => markStrayIn(tx, realm.id, keys, tx.now + unclaimedSeconds));
  for (const { key, bytes } of contents) await storeFile(app, key, bytes);
  return { name, keys };
}

async function storeFile({ files }: App, key: string, bytes: Uint8Array) {
  const draft = await files.begin();
  try {
    await draft.write(bytes);
    await draft.keep(key);
  } finally {
    await draft.discard();
  }
}

async function markStrayIn({ db, t }: Tx, realmId: number, keys: readonly string[], removeAt: number) {
  const rows = keys.map((fileKey) => ({ realmId, fileKey, removeAt }));
  await db.insert(t.strayPictures).values(rows).onConflictDoNothing();
}

/** Part of the write that names a picture: it stays from now on. Refuses one that was given up meanwhile (BAD_REQUEST). */
export async function claimPictureIn({ db, t, now }: Tx, realmId: number, { keys }: StoredPicture): Promise<void> {
  const { strayPictures: s } = t;
  const rows = await db
    .delete(s)
    .where(and(eq(s.realmId, realmId), inArray(s.fileKey, keys), gt(s.removeAt, now)))
    .returning({ key: s.fileKey });
  if (rows.length < keys.length) throw badRequest("Storing the picture took too long. Send it again.");
}

/** Part of the write after which no row names a picture any more: its files are removed once that is committed. */
export async function releasePictureIn(
  tx: Tx,
  app: App,
  realmId: number,
  name: string,
  variants: readonly string[],
): Promise<void> {
  const keys = variants.map((variant) => pictureKey(realmId, name, variant));
  await markStrayIn(tx, realmId, keys, tx.now);
  tx.afterCommit(() => {
    const removal: Promise<unknown> = removeFiles(app, keys).finally(() => removals.delete(removal));
    removals.add(removal);
  });
}

/** Removals that were begun. */
const removals = new Set<Promise<unknown>>();

/** Waits until what was released is gone. */
export async function removalsSettled(): Promise<void> {
  await Promise.all(removals);
}

/** Lets go of a picture that no write has claimed. */
export async function discardPicture(app: App, { keys }: StoredPicture): Promise<void> {
  await removeFiles(app, keys);
}

/** Answers which are gone: what cannot be removed now is left for `tidyPictures`. */
async function removeFiles({ files, log }: App, keys: readonly string[]): Promise<string[]> {
  const gone: string[] = [];
  for (const key of keys) {
    try {
      await files.remove(key);
      gone.push(key);
    } catch (error) {
      log.warn("file_not_removed", { key, ...describeError(error) });
    }
  }
  return gone;
}

/** Stores a picture and claims it in the write that names it. What is refused leaves nothing behind. */
export async function withStoredPicture<Made>(
  ctx: Context,
  files: Readonly<Record<string, Uint8Array>>,
  name: (tx: Tx, picture: StoredPicture) => Promise<Made>,
): Promise<Made> {
  const picture = await storePicture(ctx, files);
  try {
    const made = await write(ctx, async (tx) => {
      const named = await name(tx, picture);
      await claimPictureIn(tx, ctx.realm.id, picture);
      return named;
    });
    await removalsSettled();
    return made;
  } catch (error) {
    // After any other error it is not known whether the write was done.
    if (error instanceof ApiError) await discardPicture(ctx.app, picture);
    throw error;
  }
}

/** Removes the files that no row names, some at a time: those that a process left behind when it ended. */
export async function tidyPictures(app: App): Promise<void> {
  const { strayPictures: s } = app.engine.schema;
  const now = app.clock.now();
  const due = await app.engine.reader.db
    .select()
    .from(s)
    .where(lte(s.removeAt, now - graceSeconds))
    .limit(perTidy);
  for (const [realmId, rows] of Map.groupBy(due, (row) => row.realmId)) {
    // The files go first: if this ends in between, it is done again.
    const keys = await removeFiles(
      app,
      rows.map(({ fileKey }) => fileKey),
    );
    if (keys.length === 0) continue;
    await write({ app, realm: { id: realmId }, now }, async ({ db, t: { strayPictures } }) => {
      await db
        .delete(strayPictures)
        .where(and(eq(strayPictures.realmId, realmId), inArray(strayPictures.fileKey, keys)));
    });
  }
}
