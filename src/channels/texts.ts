import type { Reader } from "../../db/reader";
import { JsonText, jsonMemory } from "../core/raw-json";
import { systemGroupIds } from "../user-groups/queries";
import { listedChannel } from "./describe";
import { type ChannelRow, subscriberCounts } from "./queries";
import { channelWire } from "./wire";

/** The ids of system groups, which the permissions of channels name, never change. */
const texts = jsonMemory<ChannelRow>();

type Form = "channel" | "listed";

/** Writes channels as JSON; `listed` is the form of lists without a subscription (`listedChannel`). */
async function channelWriter(reader: Reader, realmId: number): Promise<(channel: ChannelRow, form: Form) => string> {
  const counts = await subscriberCounts(reader, realmId);
  const groupIds = await systemGroupIds(reader, realmId);
  return (channel, form) => {
    const count = counts.get(channel.id) ?? 0;
    const { text } = texts(channel, `${form} ${count}`, () => {
      const described = channelWire(channel, count, groupIds);
      return form === "listed" ? listedChannel(described) : described;
    });
    return text;
  };
}

/** The objects of some channels in the protocol, in the same order. */
export async function channelTexts(
  reader: Reader,
  realmId: number,
  channels: readonly ChannelRow[],
): Promise<JsonText[]> {
  const write = await channelWriter(reader, realmId);
  return channels.map((channel) => new JsonText(write(channel, "channel")));
}

/** The same without braces, so that members can be added. */
export async function channelMembers(
  reader: Reader,
  realmId: number,
): Promise<(channel: ChannelRow, form: Form) => string> {
  const write = await channelWriter(reader, realmId);
  return (channel, form) => write(channel, form).slice(1, -1);
}
