import { and, eq, lt, sql } from "drizzle-orm";
import type { App } from "../core/context";
import { write } from "../core/write";
import type { ServingHub } from "./hub";
import { type QueueState, saveAndExpire } from "./queues";

/** How long an event stays in the log: longer than any queue may live. */
const logKeptSeconds = 8 * 24 * 3600;

/** Saves when queues were last seen, removes those nobody polls any more, and forgets events that no queue can ask for. */
export async function tidyQueues(app: App, hub: ServingHub, realmIds: number[]): Promise<void> {
  const now = app.clock.now();
  for (const realmId of realmIds) {
    const queues = hub.queuesIn(realmId);
    for (const queue of queues) if (queue.held) queue.lastSeen = now;
    hub.endQueues(realmId, await saveAndExpire(app, realmId, queues, now));
    hub.endQueues(realmId, forgotten(queues, now));
    await pruneLog(app, realmId, now);
  }
}

/** Queues in memory whose time is over, whether or not this node removed their rows. */
const forgotten = (queues: QueueState[], now: number) =>
  queues.filter(({ lastSeen, idleTimeoutSeconds }) => lastSeen + idleTimeoutSeconds * 2 < now).map(({ id }) => id);

/** The newest entry always stays, so that log ids never start over. */
async function pruneLog(app: App, realmId: number, now: number) {
  const { eventLog } = app.engine.schema;
  const isOld = and(eq(eventLog.realmId, realmId), lt(eventLog.createdAt, now - logKeptSeconds));
  const [oldest] = await app.engine.reader.db.select({ id: eventLog.id }).from(eventLog).where(isOld).limit(1);
  if (!oldest) return;
  await write({ app, realm: { id: realmId }, now }, async (tx) => {
    const newest = sql`(select max(id) from event_log where realm_id = ${realmId})`;
    await tx.db.delete(eventLog).where(and(isOld, lt(eventLog.id, newest)));
  });
}

/** Appends an entry that is for nobody. */
export async function logBlank(app: App, realmId: number): Promise<void> {
  await write({ app, realm: { id: realmId }, now: app.clock.now() }, (tx) =>
    tx.emit({ to: "server" }, { type: "server_blank" }),
  );
}
