import { and, eq, gt, inArray, lte } from "drizzle-orm";
import type { App, Tx } from "../core/context";
import { describeError } from "../core/log";
import { write } from "../core/write";

/*
 * A file is noted as stray before it is stored, and the note goes with the write that names the file in a row; the write that
 * takes the row away notes it again. So whenever a process ends, and whether or not it learns that its write was committed,
 * each file is named by a row or noted here.
 */

/** Seconds for which a file that is taken in may be in the store before a row names it. */
const unclaimedSeconds = 3_600;
/** Clocks of several nodes may differ by less. */
const graceSeconds = 60;
const perTidy = 500;

/** Notes, before files are stored, that nobody has named them yet. */
export const noteStray = (
  scope: { app: App; realm: { id: number }; now: number },
  keys: readonly string[],
) => write(scope, (tx) => noteStrayIn(tx, scope.realm.id, keys, tx.now + unclaimedSeconds));

/** Notes a stray file as part of a write; `removeAt`, in UNIX seconds, is when it goes. */
export async function noteStrayIn(
  { db, t }: Tx,
  realmId: number,
  keys: readonly string[],
  removeAt: number,
) {
  if (keys.length === 0) return;
  const rows = keys.map((fileKey) => ({ realmId, fileKey, removeAt }));
  await db.insert(t.strayPictures).values(rows).onConflictDoNothing();
}

/**
 * Part of the write that names files in rows: they stay from now on. Answers whether none of them
 * was given up meanwhile.
 */
export async function claimStrayIn(
  { db, t, now }: Tx,
  realmId: number,
  keys: readonly string[],
): Promise<boolean> {
  const { strayPictures: s } = t;
  const rows = await db
    .delete(s)
    .where(and(eq(s.realmId, realmId), inArray(s.fileKey, [...keys]), gt(s.removeAt, now)))
    .returning({ key: s.fileKey });
  return rows.length === keys.length;
}

/**
 * Part of the write after which no row names some files any more: they are removed once that is
 * committed.
 */
export async function releaseFilesIn(
  tx: Tx,
  app: App,
  realmId: number,
  keys: readonly string[],
): Promise<void> {
  await noteStrayIn(tx, realmId, keys, tx.now);
  tx.afterCommit(() => {
    const removal: Promise<unknown> = removeFiles(app, keys).finally(() =>
      removals.delete(removal),
    );
    removals.add(removal);
  });
}

/** Removals that were begun. */
const removals = new Set<Promise<unknown>>();

/** Waits until what was released is gone. */
export async function removalsSettled(): Promise<void> {
  await Promise.all(removals);
}

/** Answers which are gone: what cannot be removed now is left for `tidyStray`. */
export async function removeFiles({ files, log }: App, keys: readonly string[]): Promise<string[]> {
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

/**
 * Removes files that no row names, some at a time. A process that ended at the wrong moment may
 * have left them behind.
 */
export async function tidyStray(app: App): Promise<void> {
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
