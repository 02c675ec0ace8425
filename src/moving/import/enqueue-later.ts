import { and, eq } from "drizzle-orm";
import type { Context, Tx } from "../../core/context";
import { deliverReminder } from "../../own/reminders/deliver";
import { deliverScheduled } from "../../own/scheduled-messages/deliver";
import { endStatus } from "../../people/status/end";

/**
 * Enqueues the jobs for imported rows that take effect later: scheduled messages, reminders, and
 * statuses that end.
 */
export async function enqueueLater(tx: Tx, { app, realm }: Pick<Context, "app" | "realm">) {
  const { scheduledMessages: s, reminders: r, userStatuses: u } = tx.t;
  const place = { app, realm };
  const later = await tx.db
    .select()
    .from(s)
    .where(and(eq(s.realmId, realm.id), eq(s.hasFailed, false)));
  for (const { id, deliverAt: at } of later) {
    await deliverScheduled.enqueue(tx, place, { scheduledMessageId: id }, { at, key: String(id) });
  }
  for (const { id, deliverAt: at } of await tx.db.select().from(r).where(eq(r.realmId, realm.id))) {
    await deliverReminder.enqueue(tx, place, { reminderId: id }, { at, key: String(id) });
  }
  for (const { userId, endsAt } of await tx.db.select().from(u).where(eq(u.realmId, realm.id)))
    if (endsAt !== null)
      await endStatus.enqueue(tx, place, { userId }, { at: endsAt, key: String(userId) });
}
