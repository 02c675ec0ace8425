import type { JobContext } from "../../jobs/define";
import type { Mail } from "../../letters/envelope";
import { findUser } from "../../people/users/queries";
import { filterReadable, findMessages } from "../../reading/queries";
import { listRealms } from "../../realm/queries";
import { composeMissed } from "./compose";
import { listMissed } from "./missed";

/** Whether these messages are all there, and somebody may read each of them. */
export async function mayReadAll(
  { reader, realm }: JobContext,
  userId: number,
  messageIds: readonly number[],
): Promise<boolean> {
  const user = await findUser(reader, realm.id, userId);
  if (!user) return false;
  const rows = await findMessages(reader, realm.id, [...messageIds]);
  const who = { realmId: realm.id, userId, role: user.role };
  return (await filterReadable(reader, who, rows)).length === messageIds.length;
}

/**
 * New mails in place of one whose messages may have been read or changed, because it waited so
 * long, or are not all there for the person any more: about those messages alone, because the person's other mails may have been delivered.
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
