import { and, eq, inArray, lte } from "drizzle-orm";
import type { Reader } from "../../../db/reader";
import { rowPlace } from "../../../db/sql/rows";
import type { App } from "../../core/context";
import { tellFailure } from "../../core/log";
import { write } from "../../core/write";
import { listRealms } from "../../realm/queries";
import { deletionBegun, isDeletionDue } from "./deactivate";

/**
 * Number of rows that one write deletes, so that other writes wait no longer than for a large
 * message.
 */
const rowsPerWrite = 500;

/**
 * Deletes the data of deactivated organizations whose time has come, a piece at a time, until all
 * is done or `isEnding`. An interrupted deletion continues the next time. One that fails is logged
 * and does not delay the others.
 */
export async function deleteDueRealms(
  app: App,
  isEnding: () => boolean = () => false,
): Promise<void> {
  for (const realm of await listRealms(app.engine.reader)) {
    if (isEnding()) return;
    if (!isDeletionDue(realm, app.clock.now())) continue;
    await deleteRealm(app, realm.id, isEnding).catch((error: unknown) =>
      tellFailure(app.log.error, "realm_deletion_failed", error, { realmId: realm.id }),
    );
  }
}

/**
 * Deletes the rows of the organization, then the organization itself. Its log notes that the
 * deletion has begun; the deleted rows are not noted, because the log is deleted too.
 */
async function deleteRealm(app: App, realmId: number, isEnding: () => boolean) {
  const inWrite = (run: (tx: Reader) => Promise<boolean>) =>
    app.engine.write(realmId, run, () => undefined);
  const now = app.clock.now();
  if (!(await write({ app, realm: { id: realmId }, now }, (tx) => beginDeletion(tx, realmId, now))))
    return;
  await app.files.removeRealm(realmId);
  let isDone = false;
  while (!isDone && !isEnding()) isDone = await inWrite((tx) => deletePiece(tx, realmId));
  if (isDone) app.log.info("realm_deleted", { realmId });
}

/**
 * From here on the deletion is final, even for a reactivation that is already waiting or a machine
 * whose clock is behind, because half of an organization must not return. Answers whether it has
 * begun.
 */
async function beginDeletion(
  { db, t: { realms } }: Reader,
  realmId: number,
  now: number,
): Promise<boolean> {
  const rows = await db
    .update(realms)
    .set({ deletionAt: deletionBegun })
    .where(and(eq(realms.id, realmId), eq(realms.isActive, false), lte(realms.deletionAt, now)))
    .returning({ id: realms.id });
  return rows.length > 0;
}

/**
 * Deletes a small realm and its rows, as part of a write. Notes of stray files stay, so that these
 * files are removed even if the store does not answer now.
 */
export async function deleteWholeRealm(tx: Reader, realmId: number): Promise<void> {
  const tables = Object.values(tx.t).filter((table) => table !== tx.t.strayPictures);
  while (!(await deletePiece(tx, realmId, tables)));
}

type Table = Reader["t"][keyof Reader["t"]];

/** Answers whether nothing is left. */
async function deletePiece(
  tx: Reader,
  realmId: number,
  tables = Object.values(tx.t),
): Promise<boolean> {
  const { realms } = tx.t;
  if ((await deleteRows(tx, realmId, tables)) > 0) return false;
  await tx.db.delete(realms).where(eq(realms.id, realmId));
  return true;
}

/** Deletes some rows of one table that has any, and answers how many. */
async function deleteRows(tx: Reader, realmId: number, tables: readonly Table[]): Promise<number> {
  const place = rowPlace(tx.dialect);
  for (const table of tables) {
    if (!("realmId" in table)) continue;
    const some = tx.db
      .select({ place })
      .from(table)
      .where(eq(table.realmId, realmId))
      .limit(rowsPerWrite);
    const rows = await tx.db
      .delete(table)
      .where(inArray(place, some))
      .returning({ realmId: table.realmId });
    if (rows.length > 0) return rows.length;
  }
  return 0;
}
