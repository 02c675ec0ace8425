import type { PostgresStore } from "./postgres";
import { isAway } from "./trouble";

export const channel = "chatd";

export function receive(store: PostgresStore, payload: string) {
  const [nodeId, verb, ...rest] = payload.split(" ");
  if (nodeId === store.nodeId) return;
  if (verb === "log") store.hooks.changedElsewhere(Number(rest[0]));
  if (verb === "say") store.hooks.received(rest.join(" "));
}

/**
 * Announces that a realm's log has new entries. Only one announcement per realm is under way at a
 * time. The next one covers all writes since.
 */
export function announce(store: PostgresStore, realmId: number) {
  if (store.announcing.has(realmId)) {
    store.announcing.set(realmId, "again");
    return;
  }
  store.announcing.set(realmId, "sending");
  notify(store, `${store.nodeId} log ${realmId}`).finally(() => {
    const again = store.announcing.get(realmId) === "again";
    store.announcing.delete(realmId);
    if (again) announce(store, realmId);
  });
}

export async function notify(store: PostgresStore, payload: string) {
  if (store.link.isAway) return;
  try {
    await store.pool.client.notify(channel, payload);
  } catch (error) {
    if (!isAway(error)) store.hooks.warn("notify_failed", { error: String(error) });
  }
}
