import type { RealmMoment, Tx } from "../core/context";
import { announceUpdate } from "./announce-changes";
import type { ChannelRow } from "./queries";
import { storeChannel } from "./store";

/**
 * Notes which of a channel's messages is its oldest, null when it has none, and announces it as a
 * `stream` update to those who may know the channel. Does nothing when it is noted already.
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
