import { and, eq, lt } from "drizzle-orm";
import { daySeconds } from "../../core/clock";
import type { App, Tx } from "../../core/context";
import { write } from "../../core/write";

/** No server sends a mail again after this time: RFC 5321, 4.5.4.1. */
const rememberedSeconds = 7 * daySeconds;

/** Forgets received mails that cannot be sent again any more. */
export async function tidyReceivedMails(app: App, realmIds: readonly number[]): Promise<void> {
  const now = app.clock.now();
  const { reader } = app.engine;
  for (const realmId of realmIds) {
    const isOld = ({ receivedMails }: Tx["t"]) =>
      and(
        eq(receivedMails.realmId, realmId),
        lt(receivedMails.receivedAt, now - rememberedSeconds),
      );
    const [old] = await reader.db
      .select()
      .from(reader.t.receivedMails)
      .where(isOld(reader.t))
      .limit(1);
    if (old)
      await write({ app, realm: { id: realmId }, now }, (tx) =>
        tx.db.delete(tx.t.receivedMails).where(isOld(tx.t)),
      );
  }
}
