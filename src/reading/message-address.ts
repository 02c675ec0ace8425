import type { Reader } from "../../db/reader";
import { findChannel } from "../channels/queries";
import { directPath, topicPath } from "../protocol/narrow-links";
import { type MessageRow, participantIds } from "./queries";

/** Address of a message among those around it, as a link within the web page. */
export async function messageAddress(
  reader: Reader,
  realmId: number,
  {
    id,
    channelId,
    conversationId,
    topic,
  }: Pick<MessageRow, "id" | "channelId" | "conversationId" | "topic">,
): Promise<string> {
  const channel = channelId === null ? undefined : await findChannel(reader, realmId, channelId);
  if (channel) return `${topicPath(channel, topic)}/near/${id}`;
  const people = await participantIds(reader, realmId, conversationId ?? 0);
  return `${directPath(people)}/near/${id}`;
}
