import type { RealmMoment, Tx } from "../core/context";
import { announceUpdate } from "./announce-changes";
import type { ChannelRow } from "./queries";
import { storeChannel } from "./store";

/**
 * Stores the oldest message of a channel, or null when it has none, and announces it as a `stream`
 * update to people who may know the channel. Does nothing when it is unchanged.
 */
export async function noteFirstMessage(
  tx: Tx,
  moment: RealmMoment,
  channel: ChannelRow,
  firstMessageId: number | null,
) {
  if (channel.firstMessageId === firstMessageId) return;
  const updated = await storeChannel(tx, channel, { firstMessageId });
  await announceUpdate(tx, moment, updated, {
    property: "first_message_id",
    value: firstMessageId,
  });
}
