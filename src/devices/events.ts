import { Type } from "@sinclair/typebox";
import { event } from "../events/define";

/** A client of somebody's has become one of their devices. To their own clients. */
export const deviceAdded = event("device", "add", { device_id: Type.Integer() });

/** One of somebody's devices is gone. To their own clients. */
export const deviceRemoved = event("device", "remove", { device_id: Type.Integer() });

const nullable = Type.Optional(Type.Union([Type.String(), Type.Null()]));

/** What is known of a device for push notifications has changed: the fields that have. To its owner's clients. */
export const deviceUpdated = event("device", "update", {
  device_id: Type.Integer(),
  push_key_id: Type.Optional(Type.Integer()),
  push_token_id: nullable,
  pending_push_token_id: nullable,
  push_token_last_updated_timestamp: Type.Optional(Type.Integer()),
  push_registration_error_code: nullable,
});

/**
 * How it stands with the registration of a device, for clients that ask for this older event by its name: it calls the device
 * by what names the key of its notifications. To its owner's clients. Source: `spec/README.md` 2.
 */
export const pushDeviceChanged = event("push_device", undefined, {
  push_account_id: Type.Integer(),
  status: Type.Unsafe<PushStatus>(Type.String({ enum: ["active", "pending", "failed"] })),
  error_code: nullable,
});

export type PushStatus = "active" | "pending" | "failed";
