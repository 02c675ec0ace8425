import type { PushStatus } from "./events";
import type { DeviceRow } from "./queries";

/** A device as `register` shows it. */
export const deviceWire = (device: DeviceRow) => ({
  push_key_id: device.pushKeyId,
  push_token_id: device.pushTokenId,
  pending_push_token_id: device.pendingPushTokenId,
  push_token_last_updated_timestamp: device.pushTokenUpdatedAt,
  push_registration_error_code: device.pushErrorCode,
});

/** How it stands with a device's registration, in the older form; undefined where none was ever asked for. */
export function pushStatus(device: DeviceRow): { status: PushStatus; error_code: string | null } | undefined {
  const { pushErrorCode, pendingPushTokenId, pushTokenId } = device;
  if (pushErrorCode !== null) return { status: "failed", error_code: pushErrorCode };
  if (pendingPushTokenId !== null) return { status: "pending", error_code: null };
  return pushTokenId === null ? undefined : { status: "active", error_code: null };
}
