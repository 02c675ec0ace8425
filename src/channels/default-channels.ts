import { and, eq } from "drizzle-orm";
import type { Reader } from "../../db/reader";
import type { Tx } from "../core/context";
import { roles } from "../core/role";
import { defaultChannelsChanged } from "./events";
import { defaultChannelIds } from "./queries";

/** Announces `default_streams` to all but guests, to whom the ids of channels that they are not in mean nothing. */
export async function announceDefaults(tx: Tx, realmId: number) {
  const except = await guestIds(tx, realmId);
  const ids = await defaultChannelIds(tx, realmId);
  await tx.emit({ to: "realm", except }, defaultChannelsChanged({ default_streams: ids }));
}

/** Tells somebody whose role changed the default channels that they see from now on: guests see none. */
export async function announceDefaultsTo(tx: Tx, realmId: number, userId: number, role: number) {
  const ids = role === roles.guest ? [] : await defaultChannelIds(tx, realmId);
  await tx.emit({ to: "users", ids: [userId] }, defaultChannelsChanged({ default_streams: ids }));
}

async function guestIds(reader: Reader, realmId: number): Promise<number[]> {
  const { users } = reader.t;
  const rows = await reader.db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.realmId, realmId), eq(users.role, roles.guest), eq(users.isActive, true)));
  return rows.map(({ id }) => id);
}
