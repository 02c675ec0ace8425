import { type Static, Type } from "@sinclair/typebox";
import { and, eq, inArray } from "drizzle-orm";
import type { Context, Person } from "../../core/context";
import { type Input, id, record } from "../../core/params";
import { onlyRow, write } from "../../core/write";
import { renewContext } from "../../people/users/renew-context";
import { deviceAdded } from "../events";
import { removeDevices } from "../forget";
import { requireLiveKey } from "../live-key";
import { listDevices, loadDevice } from "../queries";

export const RegisterClientDevice = record({});

/** Id of the device, which the client needs to register it for notifications. */
export const RegisteredDevice = Type.Object({ device_id: Type.Integer() });

/**
 * Registers the calling client as one of the actor's devices. The device ends with the API key, or
 * session, that registered it. Where somebody has too many (`push_devices_per_user_max`), the
 * oldest is removed. Events, to the actor's own clients: device add, and device remove of the
 * oldest. Refuses a key that has ended meanwhile (UNAUTHORIZED, 401). Source:
 * `test/recorded/api/api-surface.json`, register-client-device.
 */
export async function registerClientDevice(
  ctx: Context<Person>,
): Promise<Static<typeof RegisteredDevice>> {
  return write(ctx, async (tx) => {
    const { realm, actor, app } = await renewContext(tx, ctx);
    await requireLiveKey(tx, ctx);
    const { devices } = tx.t;
    const ownDevices = await listDevices(tx, realm.id, actor.user.id);
    const surplus = ownDevices.slice(
      0,
      Math.max(0, ownDevices.length - app.config.pushDevicesPerUserMax + 1),
    );
    if (surplus.length > 0) {
      const ids = surplus.map((device) => device.id);
      await removeDevices(tx, and(eq(devices.realmId, realm.id), inArray(devices.id, ids)));
    }
    const rows = await tx.db
      .insert(devices)
      .values({
        realmId: realm.id,
        userId: actor.user.id,
        apiKeyId: actor.apiKeyId,
        createdAt: tx.now,
      })
      .returning({ id: devices.id });
    const { id: device_id } = onlyRow(rows);
    await tx.emit({ to: "users", ids: [actor.user.id] }, deviceAdded({ device_id }));
    return { device_id };
  });
}

export const RemoveClientDevice = record({ deviceId: id() });

/**
 * Removes one of the actor's devices, as clients do on log-out: it gets no more notifications.
 * Announces `device` remove to the actor's own clients. Refuses a missing device and another
 * person's alike (BAD_REQUEST). Source: `docs/protocol/specification.md`, POST
 * /remove_client_device.
 */
export async function removeClientDevice(
  ctx: Context<Person>,
  { deviceId }: Input<typeof RemoveClientDevice>,
): Promise<undefined> {
  await write(ctx, async (tx) => {
    const { realm, actor } = await renewContext(tx, ctx);
    await loadDevice(tx, realm.id, actor.user.id, deviceId);
    const { devices } = tx.t;
    await removeDevices(tx, and(eq(devices.realmId, realm.id), eq(devices.id, deviceId)));
  });
}
