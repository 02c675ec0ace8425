import { and, eq, inArray, lte } from "drizzle-orm";
import type { Reader } from "../../../db/reader";
import { rowPlace } from "../../../db/sql/rows";
import type { App } from "../../core/context";
import { tellFailure } from "../../core/log";
import { write } from "../../core/write";
import { listRealms } from "../../realm/queries";
import { deletionBegun, isDeletionDue } from "./deactivate";

/**
 * Number of rows that one write deletes: others do not wait for it longer than for a large message.
 */
const rowsPerWrite = 500;

/**
 * Deletes the data of those deactivated organizations whose time has come, a piece at a time, until
 * all is done or `isEnding`. An interrupted deletion goes on the next time. One that cannot be
 * deleted is logged and does not hold up the others.
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
 * Deletes the rows of the organization, then the organization itself. Its log tells that the
 * deletion has begun; the rows go without a word in it, since it is among what goes.
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
 * From here on there is no way back, however late a reactivation comes to its turn and whatever the
 * clock of its machine says: half of an organization must not return. Answers whether it is so.
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

/** Answers whether nothing is left. */
async function deletePiece(tx: Reader, realmId: number): Promise<boolean> {
  const { realms } = tx.t;
  if ((await deleteRows(tx, realmId)) > 0) return false;
  await tx.db.delete(realms).where(eq(realms.id, realmId));
  return true;
}

/** Deletes some rows of one of the tables that have any, and answers how many. */
async function deleteRows(tx: Reader, realmId: number): Promise<number> {
  const place = rowPlace(tx.dialect);
  for (const table of Object.values(tx.t)) {
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
