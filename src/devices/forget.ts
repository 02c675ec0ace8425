import { and, eq, inArray, type SQL } from "drizzle-orm";
import type { Tx } from "../core/context";
import { deviceRemoved } from "./events";

/**
 * Deletes the registrations for push notifications of an API key or a session, when that ends.
 * Announces `device` remove to the user's other clients. Source: `docs/protocol/security-cases.md`,
 * I1.
 */
export async function forgetDevicesOfKey(tx: Tx, realmId: number, apiKeyId: number): Promise<void> {
  const { devices, pushSubscriptions } = tx.t;
  await removeDevices(tx, and(eq(devices.realmId, realmId), eq(devices.apiKeyId, apiKeyId)));
  await tx.db
    .delete(pushSubscriptions)
    .where(and(eq(pushSubscriptions.realmId, realmId), eq(pushSubscriptions.apiKeyId, apiKeyId)));
}

/**
 * Deletes all devices of some users, when they are deactivated. Source:
 * `docs/protocol/security-cases.md`, C3.
 */
export async function forgetDevicesOf(
  tx: Tx,
  realmId: number,
  userIds: readonly number[],
): Promise<void> {
  const { devices, pushSubscriptions, pushedMessages } = tx.t;
  const ids = [...userIds];
  await removeDevices(tx, and(eq(devices.realmId, realmId), inArray(devices.userId, ids)));
  for (const table of [pushSubscriptions, pushedMessages]) {
    await tx.db.delete(table).where(and(eq(table.realmId, realmId), inArray(table.userId, ids)));
  }
}

/** Removes devices; answers how many. Announces `device` remove to each owner's clients. */
export async function removeDevices(tx: Tx, which: SQL | undefined): Promise<number> {
  const { devices } = tx.t;
  const removed = await tx.db
    .delete(devices)
    .where(which)
    .returning({ id: devices.id, userId: devices.userId });
  for (const { id, userId } of removed) {
    await tx.emit({ to: "users", ids: [userId] }, deviceRemoved({ device_id: id }));
  }
  return removed.length;
}
