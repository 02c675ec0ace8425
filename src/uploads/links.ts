import { and, asc, eq, inArray, sql } from "drizzle-orm";
import { type Given, statement } from "../../db/reader";
import { isIn, isRowOf } from "../../db/sql/json";
import type { Tx, UserRow } from "../core/context";
import type { SendStep } from "../core/steps";
import { isAmong } from "../reading/queries";
import { attachmentUpdated } from "./events";
import { decodedPath } from "./file-name";
import { mayOpenFile, type Words } from "./opening-right";
import { removeOrphansIn } from "./orphans";
import { linksOf, uploadSpaceUsed } from "./queries";
import { type AttachmentRow, attachmentWire, type WireAttachment } from "./wire";

const folder = "/user_uploads/";

/**
 * Whether a message may contain links to files. This check is cheap, because every message needs
 * it.
 */
const mayLinkFiles = (content: string) => content.includes(folder);

/** Paths after `/user_uploads/` in the links of rendered Markdown, without duplicates. */
export function linkedPaths(rendered: string): string[] {
  const addresses = [...rendered.matchAll(/(?:href|src)="[^"]*?\/user_uploads\/([^"?#]+)/g)];
  return [...new Set(addresses.map(([, path]) => decodedPath(path ?? "")))];
}

interface Linking extends Words {
  id: number;
  sender: UserRow;
  rendered: string;
}

/**
 * Step that runs with each new message: stores its links to files, because readers of the message
 * may read these files. Links that do not open their file (`mayOpenFile`) are ignored. Event:
 * attachment update, to the owner of each.
 */
export const filesLinked: SendStep = {
  name: "files linked",
  async run(tx, { realm }, message) {
    if (mayLinkFiles(message.content)) await linkAttachmentsIn(tx, realm.id, message);
  },
};

async function linkAttachmentsIn(
  tx: Tx,
  realmId: number,
  { id, sender, authorId, rendered }: Linking,
): Promise<void> {
  const { attachments, attachmentMessages } = tx.t;
  const paths = linkedPaths(rendered);
  if (paths.length === 0) return;
  const rows = await tx.db
    .select()
    .from(attachments)
    .where(and(eq(attachments.realmId, realmId), inArray(attachments.pathId, paths)))
    .orderBy(asc(attachments.id));
  const writing = { realmId, sender, authorId };
  const opened: AttachmentRow[] = [];
  for (const row of rows) if (await mayOpenFile(tx, writing, row)) opened.push(row);
  if (opened.length === 0) return;
  await tx.db
    .insert(attachmentMessages)
    .values(opened.map((row) => ({ realmId, attachmentId: row.id, messageId: id })))
    .onConflictDoNothing()
    .returning({ messageId: attachmentMessages.messageId });
  await announceLinks(tx, realmId, opened);
}

/**
 * Updates the links of a message to files, in the write that changes the message. `before` is its
 * former HTML. Answers the files of the sender that no message links to any more. Event: attachment
 * update, to the owner of each file.
 */
export async function relinkAttachmentsIn(
  tx: Tx,
  realmId: number,
  linking: Linking,
  before: string,
): Promise<WireAttachment[]> {
  const [paths, pathsNow] = [linkedPaths(before), linkedPaths(linking.rendered)];
  const gone = paths.filter((path) => !pathsNow.includes(path));
  const left = gone.length === 0 ? [] : await unlinkIn(tx, realmId, linking.id, gone);
  if (pathsNow.some((path) => !paths.includes(path))) await linkAttachmentsIn(tx, realmId, linking);
  const links = await linksOf(
    tx,
    realmId,
    left.map(({ id }) => id),
  );
  const detached = left.filter(
    ({ id, ownerId }) => ownerId === linking.sender.id && !links.has(id),
  );
  return detached.map((row) => attachmentWire(row, []));
}

/** Deletes links of a message; answers the files that they led to. */
async function unlinkIn(
  tx: Tx,
  realmId: number,
  messageId: number,
  paths: string[],
): Promise<AttachmentRow[]> {
  const { attachments, attachmentMessages: links } = tx.t;
  const rows = await tx.db
    .select()
    .from(attachments)
    .where(and(eq(attachments.realmId, realmId), inArray(attachments.pathId, paths)))
    .orderBy(asc(attachments.id));
  const ids = rows.map(({ id }) => id);
  const removed = await tx.db
    .delete(links)
    .where(
      and(
        eq(links.realmId, realmId),
        eq(links.messageId, messageId),
        isAmong(tx, links.attachmentId, ids),
      ),
    )
    .returning({ id: links.attachmentId });
  const left = rows.filter(({ id }) => removed.some((link) => link.id === id));
  if (left.length > 0) await announceLinks(tx, realmId, left);
  return left;
}

const deleteLinksOf = statement(
  (
    db,
    { attachmentMessages: links },
    given: Given<{ realmId: number; messageIds: string }>,
    dialect,
  ) =>
    db
      .delete(links)
      .where(
        and(eq(links.realmId, given.realmId), isIn(dialect, links.messageId, given.messageIds)),
      )
      .returning({ id: links.attachmentId }),
);

/**
 * Deletes the links of messages to files, in the write that deletes the messages. People who could
 * read a file only through these messages can no longer read it. The files stay with their owners,
 * except files of deleted people, which are removed with their last link. Event: attachment update,
 * to the owner of each file.
 */
export async function releaseAttachmentsIn(
  tx: Tx,
  realmId: number,
  messageIds: readonly number[],
): Promise<void> {
  const { attachments } = tx.t;
  const released = await deleteLinksOf(tx, { realmId, messageIds: JSON.stringify(messageIds) });
  if (released.length === 0) return;
  const ids = [...new Set(released.map(({ id }) => id))];
  const rows = await tx.db
    .select()
    .from(attachments)
    .where(isRowOf(tx.dialect, attachments, realmId, sql`${JSON.stringify(ids)}`))
    .orderBy(asc(attachments.id));
  await announceLinks(tx, realmId, rows);
}

async function announceLinks(tx: Tx, realmId: number, changed: readonly AttachmentRow[]) {
  const links = await linksOf(
    tx,
    realmId,
    changed.map(({ id }) => id),
  );
  const unlinked = changed.filter(({ id }) => !links.has(id));
  const left = unlinked.length === 0 ? [] : await removeOrphansIn(tx, realmId, unlinked);
  const rows = changed.filter((row) => links.has(row.id) || left.includes(row));
  await noteUnlinked(tx, realmId, rows, links);
  const used = await uploadSpaceUsed(tx, realmId);
  for (const row of rows) {
    const attachment = attachmentWire(row, links.get(row.id) ?? []);
    await tx.emit(
      { to: "users", ids: [row.ownerId] },
      attachmentUpdated({ attachment, upload_space_used: used }),
    );
  }
}

/**
 * Stores when the last link to a file was removed, because `tidyUnlinked` removes old unlinked
 * files; null while a message links to it.
 */
async function noteUnlinked(
  tx: Tx,
  realmId: number,
  rows: readonly AttachmentRow[],
  links: ReadonlyMap<number, readonly number[]>,
) {
  const { attachments: a } = tx.t;
  const changed = Map.groupBy(
    rows.filter(({ id, unlinkedAt }) => !links.has(id) || unlinkedAt !== null),
    ({ id }) => (links.has(id) ? null : tx.now),
  );
  for (const [unlinkedAt, group] of changed) {
    const ids = group.map(({ id }) => id);
    await tx.db
      .update(a)
      .set({ unlinkedAt })
      .where(isRowOf(tx.dialect, a, realmId, sql`${JSON.stringify(ids)}`));
  }
}
