import type { JobContext } from "../../jobs/define";
import type { Mail } from "../../letters/envelope";
import { findUser } from "../../people/users/queries";
import { listRealms } from "../../realm/queries";
import { composeMissed } from "./compose";
import { listMissed } from "./missed";

/**
 * New mails in place of one that waited so long that its messages may have been read, changed or
 * deleted: about those messages alone, because the person's other mails may have been delivered.
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
