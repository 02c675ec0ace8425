import type { Reader } from "../../db/reader";
import { findChannel } from "../channels/queries";
import { hasOpenHistory } from "../channels/subscribers";
import type { Audience } from "../core/audience";
import { type MessageRow, participantIds } from "./queries";

/**
 * Audience of the events about a message: the participants of its conversation, or the subscribers
 * of its channel; with protected history those who were subscribed when it was placed there.
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
