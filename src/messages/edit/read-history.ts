import { type Static, Type } from "@sinclair/typebox";
import { shownTopic } from "../../channels/topics/empty-topic";
import type { Context, Person } from "../../core/context";
import { badRequest } from "../../core/errors";
import { flag, type Input, id, optional, record } from "../../core/params";
import {
  type EditRow,
  historyPolicyOf,
  listEdits,
  moveWire,
  textsLength,
  visibleEdits,
  withoutHiddenPlaces,
} from "../../reading/edit-history";
import { loadReadableMessage, type MessageRow } from "../../reading/queries";
import { contentHtmlDiff } from "./content-diff";

export const GetMessageHistory = record({ messageId: id(), allowEmptyTopicName: optional(flag()) });

/** State of a message at a time, and the change that led to it. */
const messageVersion = Type.Object({
  topic: Type.String(),
  content: Type.String(),
  rendered_content: Type.String(),
  timestamp: Type.Integer({ description: "UNIX seconds." }),
  user_id: Type.Integer({ description: "The user who sent or changed it." }),
  prev_topic: Type.Optional(Type.String()),
  prev_stream: Type.Optional(Type.Integer()),
  stream: Type.Optional(Type.Integer()),
  prev_content: Type.Optional(Type.String()),
  prev_rendered_content: Type.Optional(Type.String()),
  content_html_diff: Type.Optional(
    Type.String({ description: "The content with added and removed words marked." }),
  ),
});

type MessageVersion = Static<typeof messageVersion>;

/** Oldest first. */
export const MessageHistory = record({ message_history: Type.Array(messageVersion) });

/** Most characters of texts in an answer; older versions are left out. */
const textsMax = 2_000_000;
/**
 * Bytes of texts that are read for it: the answer counts each text twice, with its own version and
 * with the next one.
 */
const listedTextBytesMax = textsMax / 2;

/**
 * Versions of a message, oldest first: as sent, and after each change. Where the organization shows
 * only moves, these are the changes that moved it, all with its present content. Places in private
 * channels that it was in before are left out. Refuses a missing message and one that the actor may
 * not read alike, and every request where the organization shows no history. Source:
 * `test/recorded/api/api-surface.json`, get-message-history; recorded behaviour of the reference
 * server.
 */
export async function getMessageHistory(
  ctx: Context<Person>,
  { messageId, allowEmptyTopicName = false }: Input<typeof GetMessageHistory>,
): Promise<Static<typeof MessageHistory>> {
  return ctx.app.engine.snapshot(async (reader) => {
    const at = { ...ctx, reader };
    const message = await loadReadableMessage(reader, at, messageId);
    const policy = historyPolicyOf(ctx.realm);
    if (policy === "none")
      throw badRequest("This organization does not show how messages were changed.");
    const stored = await listEdits(reader, ctx.realm.id, messageId, listedTextBytesMax);
    const { channelId } = message;
    const edits = visibleEdits(
      await withoutHiddenPlaces(reader, ctx.realm.id, channelId, stored),
      policy,
    );
    return { message_history: versionsOf(message, edits, allowEmptyTopicName) };
  });
}

/** The versions of a message, oldest first, from its changes, newest first. */
function versionsOf(
  message: MessageRow,
  edits: readonly EditRow[],
  knowsEmptyTopics: boolean,
): MessageVersion[] {
  const versions: MessageVersion[] = [];
  const shown = (topic: string) =>
    message.channelId === null ? topic : shownTopic(topic, knowsEmptyTopics);
  let { topic, content, renderedContent } = message;
  let left = textsMax;
  for (const edit of edits) {
    left -= content.length + 2 * renderedContent.length + textsLength(edit);
    if (left < 0) return versions.reverse();
    const { topic: _, ...moved } = moveWire(edit, knowsEmptyTopics);
    versions.push({
      topic: shown(topic),
      content,
      rendered_content: renderedContent,
      timestamp: edit.editedAt,
      user_id: edit.userId,
      ...moved,
      ...changeWire(edit, renderedContent),
    });
    topic = edit.prevTopic ?? topic;
    content = edit.prevContent ?? content;
    renderedContent = edit.prevRenderedContent ?? renderedContent;
  }
  const { senderId: user_id, sentAt: timestamp } = message;
  versions.push({
    topic: shown(topic),
    content,
    rendered_content: renderedContent,
    timestamp,
    user_id,
  });
  return versions.reverse();
}

/** Members for a change of content, if it is one. */
function changeWire({ prevContent, prevRenderedContent }: EditRow, renderedContent: string) {
  if (prevContent === null || prevRenderedContent === null) return {};
  return {
    prev_content: prevContent,
    prev_rendered_content: prevRenderedContent,
    content_html_diff: contentHtmlDiff(prevRenderedContent, renderedContent),
  };
}
