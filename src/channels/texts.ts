import type { Reader } from "../../db/reader";
import { JsonText, textMemory } from "../core/json/raw-json";
import type { SystemGroupIds } from "../core/rights/group-setting";
import { systemGroupIds } from "../people/users/system-group-membership";
import { type ChannelRow, countAllSubscribers } from "./queries";
import { channelWire } from "./wire";

/**
 * From this length on, the constant part of a channel's text is in memory once, for all numbers of
 * subscribers and all people.
 */
const sharedLength = 4_096;

const lastingTexts = textMemory<ChannelRow>();

/**
 * A channel without the number of its subscribers and without the closing brace. It can be cached
 * because the ids of system groups never change.
 */
const lastingText = (channel: ChannelRow, groupIds: SystemGroupIds): string =>
  lastingTexts(channel, "channel", () => {
    const { subscriber_count: _, ...lasting } = channelWire(channel, 0, groupIds);
    return JSON.stringify(lasting).slice(0, -1);
  }).head;

const textOf = (lasting: string, rest: string) =>
  lasting.length < sharedLength ? new JsonText(`${lasting}${rest}`) : new JsonText(lasting, rest);

type Write = (channel: ChannelRow, more: string) => JsonText;

/** Cached by the map of subscriber numbers, which is one object until it changes. */
const textsByCounts = new WeakMap<ReadonlyMap<number, number>, WeakMap<ChannelRow, JsonText>>();

/** Writes a channel's object, to which JSON members may be added: `,"a":1`, or nothing. */
export async function channelTextMaker(reader: Reader, realmId: number): Promise<Write> {
  const counts = await countAllSubscribers(reader, realmId);
  const groupIds = await systemGroupIds(reader, realmId);
  const texts = textsByCounts.getOrInsertComputed(counts, () => new WeakMap());
  const write: Write = (channel, more) => {
    const count = `,"subscriber_count":${counts.get(channel.id) ?? 0}`;
    return textOf(lastingText(channel, groupIds), `${count}${more}}`);
  };
  return (channel, more) =>
    more === ""
      ? texts.getOrInsertComputed(channel, () => write(channel, ""))
      : write(channel, more);
}

/** The protocol's objects of some channels as texts, in the order of `channels`. */
export async function channelTexts(
  reader: Reader,
  realmId: number,
  channels: readonly ChannelRow[],
): Promise<JsonText[]> {
  const write = await channelTextMaker(reader, realmId);
  return channels.map((channel) => write(channel, ""));
}
