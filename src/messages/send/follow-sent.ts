import { wishedPolicy } from "../../channels/user-topics/automatic";
import { findPolicy } from "../../channels/user-topics/queries";
import { setVisibilityIn } from "../../channels/user-topics/set";
import type { Tx, UserRow } from "../../core/context";
import { hasOpenHistory } from "../../core/reading-right/predicate";
import { topicPolicies } from "../../protocol/topics";
import { findReadableInTopic } from "../../reading/topic-messages";
import type { AddressedChannel } from "./addressed-channel";

/**
 * Follows or unmutes the topic of a message that somebody has just sent, if their settings say so;
 * answers their new policy if it changes, and announces `user_topic` then. Source: `wishedPolicy`.
 */
export async function followSent(
  tx: Tx,
  sender: UserRow,
  channel: AddressedChannel,
  sent: { id: number; topic: string },
): Promise<number | undefined> {
  const isChannelMuted = channel.isMuted ?? false;
  const participation = channel.hasMessages && hasOpenHistory(channel) ? "sends" : "initiates";
  // Most sends end here, because settings that change nothing for a topic without a policy change
  // nothing for one with a policy.
  if (
    wishedPolicy(sender, participation, { policy: topicPolicies.inherit, isChannelMuted }) ===
    undefined
  )
    return undefined;
  const place = { channelId: channel.id, topic: sent.topic };
  const policy = await findPolicy(tx, sender.realmId, sender.id, place);
  const hasBegun = participation === "initiates" && (await isFirst(tx, sender, channel, sent));
  const wished = wishedPolicy(sender, hasBegun ? "initiates" : "sends", { policy, isChannelMuted });
  if (wished !== undefined)
    await setVisibilityIn(tx, { realmId: sender.realmId, userId: sender.id }, place, wished);
  return wished;
}

/**
 * With protected history nobody may learn that a topic had messages before their time, so their own
 * message counts as its first.
 */
async function isFirst(
  tx: Tx,
  sender: UserRow,
  channel: AddressedChannel,
  { id, topic }: { id: number; topic: string },
): Promise<boolean> {
  return (
    !channel.hasMessages ||
    (await findReadableInTopic(tx, sender, channel, topic, id)) === undefined
  );
}
