import type { Reader } from "../../db/reader";
import type { UserRow } from "../core/context";
import { findUser } from "../people/users/queries";
import type { NewFile } from "./attach";
import { isLinked, mayReadAttachment } from "./queries";
import type { AttachmentRow } from "./wire";

/** Origin of the words of a message. */
export interface Words {
  /**
   * User who has chosen them; the sender if it is absent. Null for words from outside, such as
   * those of a mail, because nobody knows who has chosen them.
   */
  authorId?: number | null | undefined;
  /** Files that the message brings: they get their rows in its write. */
  files?: readonly NewFile[];
  /** A stored message that is rendered anew: it shows the files that it has opened. */
  messageId?: number;
}

/** A message that is written: its sender, and the origin of its words. */
export interface Writing extends Words {
  realmId: number;
  sender: Pick<UserRow, "id" | "role" | "isSystemBot">;
}

/**
 * Whether a link in a message opens a file to the readers of the message. This is the only rule for
 * that: both the sender and the author of the words must be able to read the file, because a sender
 * that repeats words of others must not lend them its right. Words of the system bots have no
 * author, because these repeat mails, notes and names. A file that the sender has brought for this
 * message, so that no message has ever linked to it, needs no author.
 */
export async function mayOpenFile(
  reader: Reader,
  { realmId, sender, authorId = sender.isSystemBot ? null : sender.id, messageId }: Writing,
  row: AttachmentRow,
): Promise<boolean> {
  if (messageId !== undefined && (await isLinked(reader, row, messageId))) return true;
  const asSender = { realmId, userId: sender.id, role: sender.role };
  if (authorId === sender.id) return mayReadAttachment(reader, asSender, row);
  if (row.ownerId === sender.id && (await isNew(reader, row))) return true;
  const author = authorId === null ? undefined : await findUser(reader, realmId, authorId);
  if (!author) return false;
  const asAuthor = { realmId, userId: author.id, role: author.role };
  return (
    (await mayReadAttachment(reader, asAuthor, row)) &&
    (await mayReadAttachment(reader, asSender, row))
  );
}

/** Whether no message has ever linked to a file. */
const isNew = async (reader: Reader, { realmId, id, unlinkedAt }: AttachmentRow) =>
  unlinkedAt === null && !(await isLinked(reader, { realmId, id }));
