import { and, eq, gt, inArray, lte } from "drizzle-orm";
import { type Given, statement } from "../../db/reader";
import { isInTexts } from "../../db/sql/json";
import { inChunks } from "../core/chunks";
import type { App, Tx } from "../core/context";
import { describeError } from "../core/log";
import { write } from "../core/write";

/*
 * Files that no row names. A file is noted here before it is stored. The write that names the file
 * in a row deletes the note, and the write that deletes the row adds it again. So each file is
 * named by a row or noted here, whenever a process ends and even if it never learns whether its
 * write was committed.
 */

/** Seconds that a received file may stay in the store before a row names it. */
const unclaimedSeconds = 3_600;
/** Greatest difference between the clocks of several nodes. */
const graceSeconds = 60;
const perTidy = 500;

/**
 * Notes files that are about to be stored and that no row names yet. Their time begins now, because
 * the request that brings them may have begun hours ago.
 */
export const noteStray = (
  { app, realm }: { app: App; realm: { id: number } },
  keys: readonly string[],
) =>
  write({ app, realm, now: app.clock.now() }, (tx) =>
    noteStrayIn(tx, realm.id, keys, tx.now + unclaimedSeconds),
  );

/** Up to this number of files, a prepared statement for each is the quickest. */
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
 * Part of the write that names files in rows: deletes their notes, so that they stay. Answers
 * whether all of them still had one.
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
 * Part of the write that deletes the last rows which name some files: they are removed once the
 * write is committed.
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

/** Removals under way. */
const removals = new Set<Promise<unknown>>();

/** Waits until all released files are removed. */
export async function removalsSettled(): Promise<void> {
  await Promise.all(removals);
}

/** Answers the files that were removed; the others are left for `tidyStray`. */
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
 * Removes files that no row names, some at a time: a process that ended at the wrong moment may
 * have left them.
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
    // Files are removed before their notes, so that an interrupted run is repeated.
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
