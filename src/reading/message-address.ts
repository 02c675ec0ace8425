import type { Reader } from "../../db/reader";
import { findChannel } from "../channels/queries";
import { type MessageRow, participantIds } from "./queries";
import { topicAddress } from "./topic-link";

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
  if (channel) return `${topicAddress(channel, topic)}/near/${id}`;
  const people = await participantIds(reader, realmId, conversationId ?? 0);
  return `#narrow/dm/${people.join(",")}-dm/near/${id}`;
}
