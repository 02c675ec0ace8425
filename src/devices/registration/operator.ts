import { and, eq } from "drizzle-orm";
import type { Context } from "../../core/context";
import { write } from "../../core/write";
import { loadUser } from "../../people/users/queries";
import { removeDevices } from "../forget";
import { listSubscriptions } from "../push/queries";
import { isUnserved, openTarget } from "../push/target";
import { listDevices } from "../queries";
import { pushStatus } from "../wire";

/**
 * A receiver of somebody's notifications. `kind`: `device`, or the kind of subscription;
 * `createdAt` in UNIX seconds.
 */
interface ListedReceiver {
  id: number;
  kind: string;
  state: string;
  createdAt: number;
}

/** All receivers of somebody, for the operator. Refuses an unknown user. */
export async function listReceivers(ctx: Context, userId: number): Promise<ListedReceiver[]> {
  const { app, reader, realm } = ctx;
  await loadUser(reader, realm.id, userId);
  const devices = (await listDevices(reader, realm.id, userId)).map((device) => ({
    id: device.id,
    kind: device.pushTokenKind ?? "device",
    createdAt: device.createdAt,
    state: pushStatus(device)?.status ?? "not registered",
  }));
  const others = (await listSubscriptions(reader, realm.id, userId)).map((row) => ({
    id: row.id,
    kind: row.kind,
    createdAt: row.createdAt,
    state: isUnserved(realm, row.kind, openTarget(app.secrets, row)) ? "not notified" : "active",
  }));
  return [...devices, ...others];
}

/**
 * Removes all receivers of somebody, for the operator; answers how many. Announces `device` remove
 * to the user's clients.
 */
export async function removeReceivers(ctx: Context, userId: number): Promise<number> {
  return write(ctx, async (tx) => {
    const { id: realmId } = ctx.realm;
    await loadUser(tx, realmId, userId);
    const { devices, pushSubscriptions: s } = tx.t;
    const count = await removeDevices(
      tx,
      and(eq(devices.realmId, realmId), eq(devices.userId, userId)),
    );
    const removed = await tx.db
      .delete(s)
      .where(and(eq(s.realmId, realmId), eq(s.userId, userId)))
      .returning({ id: s.id });
    const all = count + removed.length;
    tx.audit(ctx, { action: "device.remove", kind: "user", ids: [userId], before: { count: all } });
    return all;
  });
}
