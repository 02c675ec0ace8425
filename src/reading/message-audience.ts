import type { Reader } from "../../db/reader";
import { type ChannelRow, findChannel } from "../channels/queries";
import { isSubscribed } from "../channels/subscribers";
import type { Audience } from "../core/audience";
import type { Context, Tx } from "../core/context";
import { hasOpenHistory } from "../core/reading-right/predicate";
import { type MessageRow, participantIds } from "./queries";

/**
 * Audience of the events about a message: the participants of its conversation, or the subscribers
 * of its channel; with protected history, people who were subscribed when it was placed there.
 */
export async function audienceOf(
  reader: Reader,
  realmId: number,
  {
    channelId,
    conversationId,
    placedAt,
  }: Pick<MessageRow, "channelId" | "conversationId" | "placedAt">,
): Promise<Audience> {
  if (channelId === null)
    return { to: "users", ids: await participantIds(reader, realmId, conversationId ?? 0) };
  const channel = await findChannel(reader, realmId, channelId);
  const isGuarded = channel !== undefined && !hasOpenHistory(channel);
  return {
    to: "subscribers",
    channelId,
    isPrivate: channel?.inviteOnly ?? true,
    ...(isGuarded ? { guardedPlace: placedAt } : {}),
  };
}

/**
 * The actor, if they are not subscribed, because their client shows the message that they change.
 */
export async function actorOutside(
  tx: Tx,
  { actor }: Context,
  channel: ChannelRow,
): Promise<number[]> {
  if (!("user" in actor)) return [];
  return (await isSubscribed(tx, channel.realmId, actor.user.id, channel.id))
    ? []
    : [actor.user.id];
}
