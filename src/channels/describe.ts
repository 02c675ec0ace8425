import type { Static } from "@sinclair/typebox";
import type { Reader } from "../../db/reader";
import type { Audience } from "../core/audience";
import type { Tx } from "../core/context";
import { systemGroupIds } from "../people/users/system-group-membership";
import { channelsAppeared, channelsDisappeared } from "./events";
import { type ChannelRow, countSubscribers } from "./queries";
import { type BasicChannel, channelWire, type listedChannelObject } from "./wire";

/** The channel object in `GET /streams`. */
export function listedChannel(channel: BasicChannel): Static<typeof listedChannelObject> {
  const { can_create_topic_group: _, ...listed } = channel;
  return listed;
}

/**
 * The protocol's objects of some channels, in the order of `channels`. `counts` saves the query of
 * subscriber numbers.
 */
export async function describeChannels(
  reader: Reader,
  realmId: number,
  channels: readonly ChannelRow[],
  counts?: ReadonlyMap<number, number>,
): Promise<BasicChannel[]> {
  if (channels.length === 0) return [];
  const ids = channels.map(({ id }) => id);
  const numbers = counts ?? (await countSubscribers(reader, realmId, ids));
  const groupIds = await systemGroupIds(reader, realmId);
  return channels.map((channel) => channelWire(channel, numbers.get(channel.id) ?? 0, groupIds));
}

/** The object of one channel in the protocol. */
export async function describeChannel(reader: Reader, channel: ChannelRow): Promise<BasicChannel> {
  const counts = await countSubscribers(reader, channel.realmId, [channel.id]);
  return channelWire(
    channel,
    counts.get(channel.id) ?? 0,
    await systemGroupIds(reader, channel.realmId),
  );
}

/**
 * Announces channels that become visible to people: `stream` create; archived ones only to clients
 * that show these.
 */
export async function showChannels(tx: Tx, audience: Audience, channels: readonly BasicChannel[]) {
  const [archived, active] = partition(channels, (channel) => channel.is_archived);
  if (active.length > 0) await tx.emit(audience, channelsAppeared({ streams: active }));
  if (archived.length > 0)
    await tx.emit(audience, channelsAppeared({ streams: archived, shows_archived: true }));
}

/**
 * Announces channels that become invisible to people: `stream` delete; archived ones only to
 * clients that showed these.
 */
export async function hideChannels(tx: Tx, audience: Audience, channels: readonly ChannelRow[]) {
  const [archived, active] = partition(channels, (channel) => channel.isArchived);
  if (active.length > 0) await tx.emit(audience, channelsDisappeared(disappeared(active)));
  if (archived.length > 0)
    await tx.emit(
      audience,
      channelsDisappeared({ ...disappeared(archived), shows_archived: true }),
    );
}

/** Channels in a `stream` delete event. */
export const disappeared = (channels: readonly { id: number }[]) => ({
  stream_ids: channels.map(({ id }) => id),
  streams: channels.map(({ id }) => ({ stream_id: id })),
});

function partition<Item>(
  items: readonly Item[],
  isFirst: (item: Item) => boolean,
): [Item[], Item[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}
