import type { JobContext } from "../../jobs/define";
import type { Mail } from "../../letters/envelope";
import { findUser } from "../../people/users/queries";
import { filterReadable, findMessages } from "../../reading/queries";
import { listRealms } from "../../realm/queries";
import { composeMissed, markOfShown } from "./compose";
import { listMissed } from "./missed";

/**
 * Whether a mail may still be sent as it was written: its messages are all there, with the texts
 * and places that it shows, and the person may read each of them.
 */
export async function isAsWritten(
  { reader, realm }: JobContext,
  userId: number,
  messageIds: readonly number[],
  shown: string | undefined,
): Promise<boolean> {
  const user = await findUser(reader, realm.id, userId);
  if (!user) return false;
  const rows = await findMessages(reader, realm.id, [...messageIds]);
  const who = { realmId: realm.id, userId, role: user.role };
  const readable = await filterReadable(reader, who, rows);
  return (
    readable.length === messageIds.length &&
    (shown === undefined || shown === markOfShown(readable))
  );
}

/**
 * Writes new mails in place of one that has waited so long that its messages may have been read,
 * changed or deleted, or that the person may no longer see some. The new mails are about only those
 * messages, because the person's other mails may have been delivered.
 */
export async function composeAgain(
  ctx: JobContext,
  userId: number,
  messageIds: readonly number[],
): Promise<Mail[]> {
  const { reader, realm } = ctx;
  const user = await findUser(reader, realm.id, userId);
  if (!user?.isActive || user.botType !== null) return [];
  const stretch = { from: Math.min(...messageIds), upTo: Math.max(...messageIds) };
  const about = new Set(messageIds);
  const missed = (await listMissed(reader, realm, user, stretch)).filter(({ id }) => about.has(id));
  return composeMissed(ctx, user, missed, (await listRealms(reader)).length > 1);
}
