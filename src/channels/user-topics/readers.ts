import type { Tx } from "../../core/context";
import { mayReadMessage } from "../../core/reading-right/predicate";
import { findPeriodsAmong } from "../../core/reading-right/stored";
import { findUsersByIds } from "../../people/users/queries";
import type { ChannelRow } from "../queries";

/** Place of a message in time, on which the right to read it depends. */
export interface Placed {
  placedAt: number;
}

/** Users among these who may read at least one of some messages of a channel. */
export async function readersOfAny(
  tx: Tx,
  channel: ChannelRow,
  messages: readonly Placed[],
  userIds: readonly number[],
): Promise<number[]> {
  if (userIds.length === 0) return [];
  const periods = await findPeriodsAmong(tx, channel, userIds);
  const users = await findUsersByIds(tx, channel.realmId, [...userIds]);
  const mayReadOne = ({ id, role }: { id: number; role: number }) =>
    messages.some((message) => mayReadMessage(channel, periods.get(id) ?? [], role, message));
  return users.filter(mayReadOne).map(({ id }) => id);
}
