import { and, eq, isNull, sql } from "drizzle-orm";
import { isRowOf } from "../../db/sql/json";
import type { Tx, UserRow } from "../core/context";
import { noteStrayIn } from "../files/stray";
import { findUsersByIds } from "../people/users/queries";
import { addUsed } from "./room";
import { thumbnailKeys } from "./thumbnail-formats";
import { type AttachmentRow, keyOf } from "./wire";

/*
 * Files of deleted people that no message links to. They are removed with the person or with the
 * last message that links to them, because nobody could read or delete them any more.
 */

/** Removes the files of a person that no message links to, in the write that deletes the person. */
export async function removeUnlinkedOf(
  tx: Tx,
  { realmId, id: ownerId }: Pick<UserRow, "realmId" | "id">,
): Promise<void> {
  const { attachments: a, attachmentMessages: links } = tx.t;
  const rows = await tx.db
    .select({ file: a })
    .from(a)
    .leftJoin(links, and(eq(links.realmId, a.realmId), eq(links.attachmentId, a.id)))
    .where(and(eq(a.realmId, realmId), eq(a.ownerId, ownerId), isNull(links.messageId)));
  await removeFilesIn(
    tx,
    realmId,
    rows.map(({ file }) => file),
  );
}

/**
 * Removes those of the given files that belong to deleted people and that no message links to, in
 * the write that removes the last link of each. Answers the other files.
 */
export async function removeOrphansIn(
  tx: Tx,
  realmId: number,
  unlinked: readonly AttachmentRow[],
): Promise<AttachmentRow[]> {
  const owners = await findUsersByIds(tx, realmId, [
    ...new Set(unlinked.map(({ ownerId }) => ownerId)),
  ]);
  const deleted = new Set(owners.filter(({ isDeleted }) => isDeleted).map(({ id }) => id));
  const [orphans, others] = [true, false].map((isOrphan) =>
    unlinked.filter(({ ownerId }) => deleted.has(ownerId) === isOrphan),
  );
  await removeFilesIn(tx, realmId, orphans ?? []);
  return others ?? [];
}

/**
 * Removes the rows of files. The bytes are removed a minute later, with other files that no row
 * names.
 */
async function removeFilesIn(tx: Tx, realmId: number, rows: readonly AttachmentRow[]) {
  if (rows.length === 0) return;
  const { attachments: a } = tx.t;
  const ids = rows.map(({ id }) => id);
  await tx.db.delete(a).where(isRowOf(tx.dialect, a, realmId, sql`${JSON.stringify(ids)}`));
  for (const [ownerId, theirs] of Map.groupBy(rows, (row) => row.ownerId)) {
    const bytes = theirs.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    await addUsed(tx, realmId, ownerId, -bytes);
  }
  const keys = rows.flatMap((row) => [keyOf(row.pathId), ...thumbnailKeys(row)]);
  await noteStrayIn(tx, realmId, keys, tx.now);
}
