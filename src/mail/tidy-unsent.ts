import { and, eq, inArray, lte } from "drizzle-orm";
import type { App, Tx } from "../core/context";
import { serverCounters } from "../core/counters";
import { write } from "../core/write";
import { hasRelay } from "../letters/relay-needed";
import { digestJob } from "./digest/job";
import { mailJob, patienceSeconds } from "./job";
import { missedMailJob } from "./missed-mail/job";
import { newMentionsJob } from "./missed-mail/new-mentions";

const names = [mailJob, missedMailJob, newMentionsJob, digestJob].map(({ name }) => name);
const rowsPerWrite = 500;

/**
 * Removes the work of mail that no server has begun for days, where no relay is configured, because
 * nobody expects these mails any more once there is a relay again.
 */
export async function tidyUnsent(app: App): Promise<void> {
  if (hasRelay(app)) return;
  const now = app.clock.now();
  const isOld = ({ jobs }: Tx["t"]) => lte(jobs.dueAt, now - patienceSeconds);
  const { db, t } = app.engine.reader;
  const rows = await db
    .select({ id: t.jobs.id, realmId: t.jobs.realmId })
    .from(t.jobs)
    .where(and(isOld(t), inArray(t.jobs.name, names)))
    .limit(rowsPerWrite);
  for (const [realmId, old] of Map.groupBy(rows, (row) => row.realmId)) {
    const ids = old.map(({ id }) => id);
    const removed = await write({ app, realm: { id: realmId }, now }, (tx) =>
      tx.db
        .delete(tx.t.jobs)
        .where(and(eq(tx.t.jobs.realmId, realmId), inArray(tx.t.jobs.id, ids), isOld(tx.t)))
        .returning({ id: tx.t.jobs.id, name: tx.t.jobs.name }),
    );
    for (const { id } of removed.filter(({ name }) => name === mailJob.name)) {
      serverCounters.of(app).add("mails", "dropped");
      app.log.info("mail_dropped", { job: id, why: "no relay is configured" });
    }
  }
}
