import type { Secrets } from "../core/secrets/secrets";
import type { DeviceRow } from "./queries";

const sealedFor = (deviceId: number) => `push key of device ${deviceId}`;

/** The stored form of a device's key. */
export const sealPushKey = (secrets: Secrets, deviceId: number, pushKey: string): string =>
  secrets.seal(sealedFor(deviceId), pushKey);

/** The key that encrypts notifications for a device; undefined before the device has sent one. */
export const openPushKey = (
  secrets: Secrets,
  { id, sealedPushKey }: DeviceRow,
): string | undefined =>
  sealedPushKey === null ? undefined : secrets.open(sealedFor(id), sealedPushKey);
