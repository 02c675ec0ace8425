import { and, asc, eq } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../db/reader";
import type { Schema } from "../../db/schema";
import { badRequest } from "../core/errors";

export type DeviceRow = Schema["devices"]["$inferSelect"];

const selectOf = statement(
  (db, { devices: d }, given: Given<{ realmId: number; userId: number }>) =>
    db
      .select()
      .from(d)
      .where(and(eq(d.realmId, given.realmId), eq(d.userId, given.userId)))
      .orderBy(asc(d.id)),
);

/** Somebody's devices, oldest first. */
export const listDevices = (
  reader: Reader,
  realmId: number,
  userId: number,
): PromiseLike<DeviceRow[]> => selectOf(reader, { realmId, userId });

/**
 * One of somebody's devices. Refuses a missing device, and a device of another person, with equal
 * errors (BAD_REQUEST).
 */
export async function loadDevice(
  reader: Reader,
  realmId: number,
  userId: number,
  deviceId: number,
): Promise<DeviceRow> {
  const device = (await listDevices(reader, realmId, userId)).find(({ id }) => id === deviceId);
  if (!device) throw badRequest("Invalid `device_id`: register the device first.");
  return device;
}
