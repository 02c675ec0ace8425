import { and, eq } from "drizzle-orm";
import type { LoggedEvent, Tx } from "../core/context";
import { onlyRow } from "../core/write";
import { deviceUpdated, pushDeviceChanged } from "./events";
import type { DeviceRow } from "./queries";
import { deviceWire, pushStatus } from "./wire";

type Changes = Partial<Omit<DeviceRow, "id" | "realmId" | "userId">>;

/** Names on the wire of the fields of a device that may change. */
const wireNames = {
  pushKeyId: "push_key_id",
  pushTokenId: "push_token_id",
  pendingPushTokenId: "pending_push_token_id",
  pushTokenUpdatedAt: "push_token_last_updated_timestamp",
  pushErrorCode: "push_registration_error_code",
} as const;

const isShown = (name: string): name is keyof typeof wireNames => Object.hasOwn(wireNames, name);

/**
 * Changes the stored facts about a device. Events, to its owner's own clients: device update with
 * the given fields, and push_device if the state of its registration changes.
 */
export async function updateDeviceIn(
  tx: Tx,
  before: DeviceRow,
  changes: Changes,
): Promise<DeviceRow> {
  const { devices } = tx.t;
  const rows = await tx.db
    .update(devices)
    .set(changes)
    .where(and(eq(devices.realmId, before.realmId), eq(devices.id, before.id)))
    .returning();
  const after = onlyRow(rows);
  const shown = deviceWire(after);
  const fields = Object.keys(changes)
    .filter(isShown)
    .map((name) => [wireNames[name], shown[wireNames[name]]]);
  const tell = (event: LoggedEvent) => tx.emit({ to: "users", ids: [after.userId] }, event);
  await tell(deviceUpdated({ device_id: after.id, ...Object.fromEntries(fields) }));
  const [was, is] = [pushStatus(before), pushStatus(after)];
  if (is && after.pushKeyId !== null && JSON.stringify(was) !== JSON.stringify(is)) {
    await tell(pushDeviceChanged({ push_account_id: after.pushKeyId, ...is }));
  }
  return after;
}
