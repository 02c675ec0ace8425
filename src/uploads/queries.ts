import { and, asc, desc, eq, lt, sql } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../db/reader";
import { filterReadable, isAmong, type MessageReader, messageColumns } from "../reading/queries";
import { loadRealm } from "../realm/queries";
import type { AttachmentRow } from "./wire";

const selectByPath = statement((db, t, given: Given<{ realmId: number; pathId: string }>) =>
  db
    .select()
    .from(t.attachments)
    .where(and(eq(t.attachments.realmId, given.realmId), eq(t.attachments.pathId, given.pathId))),
);

const linksPerPage = 500;

/**
 * The file at an address, if somebody may read it now. `pathId` is the part after `/user_uploads/`.
 */
export async function findReadableAttachment(
  reader: Reader,
  who: MessageReader,
  pathId: string,
): Promise<AttachmentRow | undefined> {
  const [row] = await selectByPath(reader, { realmId: who.realmId, pathId });
  return row && (await mayReadAttachment(reader, who, row)) ? row : undefined;
}

/** A file by its id, if the user may read it now. */
export async function findReadableAttachmentById(
  reader: Reader,
  who: MessageReader,
  attachmentId: number,
): Promise<AttachmentRow | undefined> {
  const { attachments } = reader.t;
  const [row] = await reader.db
    .select()
    .from(attachments)
    .where(and(eq(attachments.realmId, who.realmId), eq(attachments.id, attachmentId)));
  return row && (await mayReadAttachment(reader, who, row)) ? row : undefined;
}

/**
 * Whether a user may read a file: its owner may, and so may everybody who may now read a message
 * that links to it.
 */
export async function mayReadAttachment(
  reader: Reader,
  who: MessageReader,
  row: AttachmentRow,
): Promise<boolean> {
  if (row.ownerId === who.userId) return true;
  let before = Number.MAX_SAFE_INTEGER;
  for (;;) {
    const messages = await listLinking(reader, row, before);
    if ((await filterReadable(reader, who, messages)).length > 0) return true;
    const last = messages.at(-1);
    if (!last || messages.length < linksPerPage) return false;
    before = last.id;
  }
}

/**
 * Messages that link to a file, newest first, without their texts, because the right to read a
 * message does not depend on its text.
 */
function listLinking({ db, t }: Reader, { realmId, id }: AttachmentRow, before: number) {
  const { attachmentMessages: links, messages } = t;
  const none = sql<string>`''`;
  return db
    .select({ ...messageColumns(t), content: none, renderedContent: none })
    .from(links)
    .innerJoin(messages, and(eq(messages.realmId, links.realmId), eq(messages.id, links.messageId)))
    .where(and(eq(links.realmId, realmId), eq(links.attachmentId, id), lt(links.messageId, before)))
    .orderBy(desc(links.messageId))
    .limit(linksPerPage);
}

/** The ids of the messages that link to some files, by the file's id, ascending. */
export async function linksOf(
  reader: Reader,
  realmId: number,
  ids: readonly number[],
): Promise<Map<number, number[]>> {
  if (ids.length === 0) return new Map();
  const { attachmentMessages: links } = reader.t;
  const rows = await reader.db
    .select({ attachmentId: links.attachmentId, messageId: links.messageId })
    .from(links)
    .where(and(eq(links.realmId, realmId), isAmong(reader, links.attachmentId, ids)))
    // In the order of the key, because SQLite would walk all links of the realm for another one.
    .orderBy(asc(links.attachmentId), asc(links.messageId));
  const byFile = Map.groupBy(rows, ({ attachmentId }) => attachmentId);
  return new Map([...byFile].map(([id, group]) => [id, group.map(({ messageId }) => messageId)]));
}

/** Whether a message links to a file; any message, if none is named. */
export async function isLinked(
  reader: Reader,
  { realmId, id }: { realmId: number; id: number },
  messageId?: number,
): Promise<boolean> {
  const { attachmentMessages: links } = reader.t;
  const isIt = messageId === undefined ? undefined : eq(links.messageId, messageId);
  const rows = await reader.db
    .select({ messageId: links.messageId })
    .from(links)
    .where(and(eq(links.realmId, realmId), eq(links.attachmentId, id), isIt))
    .limit(1);
  return rows.length > 0;
}

/** The bytes of all files of a realm. */
export const uploadSpaceUsed = async (reader: Reader, realmId: number): Promise<number> =>
  (await loadRealm(reader, realmId)).uploadedBytes;
