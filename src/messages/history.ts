import type { Context, Person } from "../core/context";
import { badRequest } from "../core/errors";
import { flag, type Input, id, optional, record } from "../core/params";
import { parseRealmSettings } from "../realm/settings";
import { shownTopic } from "../topics/empty-topic";
import { loadReadableMessage } from "./queries";

export const GetMessageHistory = record({ messageId: id(), allowEmptyTopicName: optional(flag()) });

/** What a message was at a time. */
type MessageVersion = {
  topic: string;
  content: string;
  rendered_content: string;
  timestamp: number;
  user_id: number;
};

/**
 * What a message has been, oldest first: it is as it was sent. Refuses a missing message and one that the actor may not
 * read alike, and everybody where the organization shows no history. Shape: `api/api-surface.json`, get-message-history.
 */
export async function getMessageHistory(
  ctx: Context<Person>,
  { messageId, allowEmptyTopicName = false }: Input<typeof GetMessageHistory>,
): Promise<{ message_history: MessageVersion[] }> {
  const message = await loadReadableMessage(ctx.reader, ctx, messageId);
  if (parseRealmSettings(ctx.realm.settings).message_edit_history_visibility_policy === "none") {
    throw badRequest("This organization does not show how messages were edited.");
  }
  const { channelId, topic, content, renderedContent, sentAt, senderId } = message;
  return {
    message_history: [
      {
        topic: channelId === null ? topic : shownTopic(topic, allowEmptyTopicName),
        content,
        rendered_content: renderedContent,
        timestamp: sentAt,
        user_id: senderId,
      },
    ],
  };
}
