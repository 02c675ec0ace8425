import { and, eq, gt, inArray, lte } from "drizzle-orm";
import { type Given, statement } from "../../db/reader";
import { isInTexts } from "../../db/sql/json";
import { inChunks } from "../core/chunks";
import type { App, Tx } from "../core/context";
import { describeError } from "../core/log";
import { write } from "../core/write";

/*
 * Stray files are files that no row names. A file is noted here before it is stored. The write that
 * names the file in a row deletes the note, and the write that deletes the row adds it again. So
 * each file is always either named by a row or noted here, even if a process ends in between or
 * never learns whether its write was committed.
 */

/** Seconds that a received file may stay in the store before a row names it. */
const unclaimedSeconds = 3_600;
/** Allowed difference between the clocks of several nodes. */
const graceSeconds = 60;
const perTidy = 500;

/**
 * Notes files that are about to be stored and that no row names yet. Their time begins now, because
 * the request that uploads them may have begun hours ago.
 */
export const noteStray = (
  { app, realm }: { app: App; realm: { id: number } },
  keys: readonly string[],
) =>
  write({ app, realm, now: app.clock.now() }, (tx) =>
    noteStrayIn(tx, realm.id, keys, tx.now + unclaimedSeconds),
  );

/** Up to this number of files, one prepared statement for each file is fastest. */
const fewMax = 8;

type Note = Given<{ realmId: number; fileKey: string; removeAt: number }>;

const insertNote = statement((db, { strayPictures: s }, given: Note) =>
  db
    .insert(s)
    .values({ realmId: given.realmId, fileKey: given.fileKey, removeAt: given.removeAt })
    .onConflictDoNothing()
    .returning({ key: s.fileKey }),
);

/**
 * Notes stray files as part of a write; `removeAt` is the time of their removal, in UNIX seconds.
 */
export async function noteStrayIn(
  tx: Tx,
  realmId: number,
  keys: readonly string[],
  removeAt: number,
) {
  const rows = keys.map((fileKey) => ({ realmId, fileKey, removeAt }));
  if (rows.length <= fewMax) await Promise.all(rows.map((row) => insertNote(tx, row)));
  else
    for (const chunk of inChunks(rows))
      await tx.db.insert(tx.t.strayPictures).values(chunk).onConflictDoNothing();
}

const deleteNotes = statement(
  (
    db,
    { strayPictures: s },
    given: Given<{ realmId: number; keys: string; now: number }>,
    dialect,
  ) =>
    db
      .delete(s)
      .where(
        and(
          eq(s.realmId, given.realmId),
          isInTexts(dialect, s.fileKey, given.keys),
          gt(s.removeAt, given.now),
        ),
      )
      .returning({ key: s.fileKey }),
);

/**
 * Deletes the notes of files, in the write that names the files in rows, so that the files stay.
 * Answers whether all of them still had a note.
 */
export async function claimStrayIn(
  tx: Tx,
  realmId: number,
  keys: readonly string[],
): Promise<boolean> {
  const given = { realmId, keys: JSON.stringify(keys), now: tx.now };
  return (await deleteNotes(tx, given)).length === keys.length;
}

/**
 * Releases files, in the write that deletes the last rows which name them. The files are removed
 * once that write is committed.
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

/** Removals of files that have begun and not ended. */
const removals = new Set<Promise<unknown>>();

/** Waits until all released files have been removed. */
export async function removalsSettled(): Promise<void> {
  await Promise.all(removals);
}

/** Removes files; answers the ones that it could remove. `tidyStray` removes the others later. */
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
 * have left such files.
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
    // The files are removed before their notes, so that an interrupted run is repeated.
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
