import type { Reader } from "../../db/reader";
import { JsonText } from "../core/raw-json";
import { systemGroupIds } from "../user-groups/queries";
import { listedChannel } from "./describe";
import { type ChannelRow, subscriberCounts } from "./queries";
import { channelWire } from "./wire";

type Form = "channel" | "listed";

/** A channel in each form, whole and without braces. */
type Written = Record<Form, { whole: JsonText; members: string }>;

/** By the numbers of subscribers, which are one map as long as they hold. The ids of system groups never change. */
const known = new WeakMap<ReadonlyMap<number, number>, WeakMap<ChannelRow, Written>>();

/** Writes channels as JSON; `listed` is the form of lists without a subscription (`listedChannel`). */
async function channelWriter(reader: Reader, realmId: number): Promise<(channel: ChannelRow) => Written> {
  const counts = await subscriberCounts(reader, realmId);
  const groupIds = await systemGroupIds(reader, realmId);
  const texts = known.get(counts) ?? new WeakMap<ChannelRow, Written>();
  known.set(counts, texts);
  return (channel) => {
    const found = texts.get(channel);
    if (found) return found;
    const described = channelWire(channel, counts.get(channel.id) ?? 0, groupIds);
    const written = { channel: writtenForm(described), listed: writtenForm(listedChannel(described)) };
    texts.set(channel, written);
    return written;
  };
}

function writtenForm(object: object) {
  const text = JSON.stringify(object);
  return { whole: new JsonText(text), members: text.slice(1, -1) };
}

/** The objects of some channels in the protocol, in the same order. */
export async function channelTexts(
  reader: Reader,
  realmId: number,
  channels: readonly ChannelRow[],
): Promise<JsonText[]> {
  const write = await channelWriter(reader, realmId);
  return channels.map((channel) => write(channel).channel.whole);
}

/** A channel's object, to which members may be added that are JSON already: `,"a":1`, or nothing. */
export async function channelTextMaker(
  reader: Reader,
  realmId: number,
): Promise<(channel: ChannelRow, form: Form, more: string) => JsonText> {
  const write = await channelWriter(reader, realmId);
  return (channel, form, more) => {
    const { whole, members } = write(channel)[form];
    return more === "" ? whole : new JsonText(`{${members}${more}}`);
  };
}
