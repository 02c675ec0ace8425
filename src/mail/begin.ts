import { and, eq, inArray } from "drizzle-orm";
import type { App, Tx } from "../core/context";
import { write } from "../core/write";
import { realmJobKey as key } from "../letters/new-mentions";
import { isMailOn } from "../letters/relay";
import { newestMessageId } from "../people/users/queries";
import { listRealms } from "../realm/queries";
import { digestJob, nextHour } from "./digest/job";
import { missedMailJob } from "./missed-mail/job";

/**
 * Makes sure that each active realm has its jobs for missed messages and digests, where mail is
 * configured. Missed messages count from that moment on. Inactive realms have to wait, because
 * nobody has missed the messages of a running import.
 */
export async function beginMails(app: App): Promise<void> {
  if (!isMailOn(app.config)) return;
  const realms = (await listRealms(app.engine.reader)).filter(({ isActive }) => isActive);
  const realmIds = realms.map(({ id }) => id);
  await keep(app, realmIds, missedMailJob.name, async (tx, realm) => {
    await missedMailJob.enqueue(
      tx,
      { app, realm },
      { after: await newestMessageId(tx, realm.id) },
      { key },
    );
  });
  await keep(app, realmIds, digestJob.name, (tx, realm) =>
    digestJob.enqueue(tx, { app, realm }, { after: 0 }, { key, at: nextHour(tx.now) }),
  );
}

/** Makes sure that each of some realms has one job with this name. */
async function keep(
  app: App,
  realmIds: readonly number[],
  name: string,
  enqueue: (tx: Tx, realm: { id: number }) => Promise<void>,
) {
  const { db, t } = app.engine.reader;
  const isIt = and(eq(t.jobs.name, name), eq(t.jobs.key, key));
  const begun = await db
    .select({ realmId: t.jobs.realmId })
    .from(t.jobs)
    .where(and(isIt, inArray(t.jobs.realmId, [...realmIds])));
  const kept = new Set(begun.map(({ realmId }) => realmId));
  for (const id of realmIds.filter((one) => !kept.has(one))) {
    await write({ app, realm: { id }, now: app.clock.now() }, async (tx) => {
      const [there] = await tx.db
        .select({ id: t.jobs.id })
        .from(t.jobs)
        .where(and(isIt, eq(t.jobs.realmId, id)));
      if (!there) await enqueue(tx, { id });
    });
  }
}
