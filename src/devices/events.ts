import { Type } from "@sinclair/typebox";
import { event } from "../events/define";
import { deviceObject, pushDeviceObject } from "./wire";

/** A client has registered as a device. To its owner's own clients. */
export const deviceAdded = event("device", "add", { device_id: Type.Integer() });

/** A device was removed. To its owner's own clients. */
export const deviceRemoved = event("device", "remove", { device_id: Type.Integer() });

/** Never null again, because a key and the time of a token are never taken back. */
const deviceChanges = Type.Object({
  ...deviceObject.properties,
  push_key_id: Type.Integer(),
  push_token_last_updated_timestamp: Type.Integer(),
});

/**
 * Facts about a device's push notifications have changed, with the changed fields. To its owner's
 * clients.
 */
export const deviceUpdated = event("device", "update", {
  device_id: Type.Integer(),
  ...Type.Partial(deviceChanges).properties,
});

/**
 * State of a device's registration, for clients that ask for this older event by its name. It
 * identifies the device by the id of its key. To its owner's clients. Source:
 * `docs/protocol/decisions.md` 2.
 */
export const pushDeviceChanged = event("push_device", undefined, {
  push_account_id: Type.Integer(),
  ...pushDeviceObject.properties,
});
