import type { Reader } from "../../db/reader";
import type { Tx } from "../core/context";
import { systemGroupIds } from "../user-groups/queries";
import { channelsAppeared, channelsDisappeared } from "./events";
import { type ChannelRow, subscriberCounts } from "./queries";
import { type BasicChannel, channelWire } from "./wire";

/** The channel object in lists, whose shape in the protocol does not have `can_create_topic_group`. */
export function listedChannel(channel: BasicChannel): Omit<BasicChannel, "can_create_topic_group"> {
  const { can_create_topic_group: _, ...listed } = channel;
  return listed;
}

/** The objects of some channels in the protocol, in the same order. `counts` spares the reading of subscriber numbers. */
export async function describeChannels(
  reader: Reader,
  realmId: number,
  channels: readonly ChannelRow[],
  counts?: ReadonlyMap<number, number>,
): Promise<BasicChannel[]> {
  if (channels.length === 0) return [];
  const ids = channels.map(({ id }) => id);
  const numbers = counts ?? (await subscriberCounts(reader, realmId, ids));
  const groupIds = await systemGroupIds(reader, realmId);
  return channels.map((channel) => channelWire(channel, numbers.get(channel.id) ?? 0, groupIds));
}

/** Tells some users of channels that have come into their sight: `stream` create. */
export async function showChannels(tx: Tx, channels: BasicChannel[], userIds: number[]) {
  await tx.emit({ to: "users", ids: userIds }, channelsAppeared({ streams: channels }));
}

/** Tells some users that channels have gone out of their sight: `stream` delete. */
export async function hideChannels(tx: Tx, channelIds: number[], userIds: number[]) {
  const streams = channelIds.map((id) => ({ stream_id: id }));
  await tx.emit({ to: "users", ids: userIds }, channelsDisappeared({ stream_ids: channelIds, streams }));
}
