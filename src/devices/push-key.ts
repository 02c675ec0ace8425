import type { Secrets } from "../core/secrets";
import type { DeviceRow } from "./queries";

const sealedFor = (deviceId: number) => `push key of device ${deviceId}`;

/** A device's key as it is stored. */
export const sealPushKey = (secrets: Secrets, deviceId: number, pushKey: string): string =>
  secrets.seal(sealedFor(deviceId), pushKey);

/**
 * The key that notifications for a device are encrypted with; undefined before it has given one.
 */
export const openPushKey = (
  secrets: Secrets,
  { id, sealedPushKey }: DeviceRow,
): string | undefined =>
  sealedPushKey === null ? undefined : secrets.open(sealedFor(id), sealedPushKey);
