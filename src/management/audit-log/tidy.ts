import { and, asc, eq, lt, lte } from "drizzle-orm";
import { daySeconds } from "../../core/clock";
import type { App } from "../../core/context";
import { write } from "../../core/write";

const rowsPerWrite = 500;

/** Removes acts that are older than the audit log keeps them (`audit_log_days`). */
export async function tidyAuditLog(app: App, realmIds: readonly number[]): Promise<void> {
  const { auditLogDays } = app.config;
  if (auditLogDays === 0) return;
  const oldAt = app.clock.now() - auditLogDays * daySeconds;
  for (const realmId of realmIds) while (await removeOldest(app, realmId, oldAt));
}

/** Removes the oldest acts, as far as they are old; answers whether there may be more. */
async function removeOldest(app: App, realmId: number, oldAt: number): Promise<boolean> {
  const { db, t } = app.engine.reader;
  const oldest = db
    .select({ id: t.auditLog.id, createdAt: t.auditLog.createdAt })
    .from(t.auditLog)
    .where(eq(t.auditLog.realmId, realmId))
    .orderBy(asc(t.auditLog.id));
  const [first] = await oldest.limit(1);
  if (!first || first.createdAt >= oldAt) return false;
  const rows = await oldest.limit(rowsPerWrite);
  const lastId = rows.at(-1)?.id ?? first.id;
  await write({ app, realm: { id: realmId }, now: app.clock.now() }, async (tx) => {
    const { auditLog } = tx.t;
    const isOld = and(lte(auditLog.id, lastId), lt(auditLog.createdAt, oldAt));
    await tx.db.delete(auditLog).where(and(eq(auditLog.realmId, realmId), isOld));
  });
  return rows.length === rowsPerWrite && rows.every(({ createdAt }) => createdAt < oldAt);
}
