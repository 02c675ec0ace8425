import { type Static, Type } from "@sinclair/typebox";
import { nullable, word } from "../core/params";
import type { DeviceRow } from "./queries";

/**
 * Facts about a device for push notifications, all null before the device is registered for them.
 */
export const deviceObject = Type.Object(
  {
    push_key_id: nullable(
      Type.Integer({ description: "Id of the key that encrypts notifications." }),
    ),
    push_token_id: nullable(
      Type.String({ description: "Id of the token that the relay has accepted." }),
    ),
    pending_push_token_id: nullable(
      Type.String({ description: "Id of a token that the relay has not accepted yet." }),
    ),
    push_token_last_updated_timestamp: nullable(Type.Integer({ description: "UNIX seconds." })),
    push_registration_error_code: nullable(
      Type.String({ description: "Reason why the relay has refused the token." }),
    ),
  },
  { title: "Device" },
);

/** State of a device's registration, in the older form. */
export const pushDeviceObject = Type.Object(
  {
    status: word("active", "pending", "failed"),
    error_code: nullable(
      Type.String({ description: "Reason why the relay has refused the device." }),
    ),
  },
  { title: "PushDevice" },
);

export const deviceWire = (device: DeviceRow): Static<typeof deviceObject> => ({
  push_key_id: device.pushKeyId,
  push_token_id: device.pushTokenId,
  pending_push_token_id: device.pendingPushTokenId,
  push_token_last_updated_timestamp: device.pushTokenUpdatedAt,
  push_registration_error_code: device.pushErrorCode,
});

/**
 * State of a device's registration, in the older form; undefined where no registration was ever
 * requested.
 */
export function pushStatus(device: DeviceRow): Static<typeof pushDeviceObject> | undefined {
  const { pushErrorCode, pendingPushTokenId, pushTokenId } = device;
  if (pushErrorCode !== null) return { status: "failed", error_code: pushErrorCode };
  if (pendingPushTokenId !== null) return { status: "pending", error_code: null };
  return pushTokenId === null ? undefined : { status: "active", error_code: null };
}
