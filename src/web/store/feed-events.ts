import type { Event, EventOf, Message } from "../model/wire";

/** A message as a feed shows it, with the flags that it has for the person. */
export type FeedMessage = Message & { readonly flags: readonly string[] };

/** A message after an event; undefined where the event deletes it. */
export function messageAfter(message: FeedMessage, event: Event): FeedMessage | undefined {
  switch (event.type) {
    case "update_message":
      return moved(edited(message, event), event);
    case "delete_message":
      return isDeletedBy(message, event) ? undefined : message;
    case "reaction":
      return event.message_id === message.id ? reacted(message, event) : message;
    default:
      return message;
  }
}

function edited(message: FeedMessage, event: EventOf<"update_message">): FeedMessage {
  const { rendered_content: content } = event;
  if (event.message_id !== message.id || content === undefined) return message;
  const isEdit = event.rendering_only !== true;
  return {
    ...message,
    content,
    ...(isEdit ? { last_edit_timestamp: event.edit_timestamp } : {}),
  };
}

function moved(message: FeedMessage, event: EventOf<"update_message">): FeedMessage {
  const { subject, new_stream_id: channelId, message_ids: ids } = event;
  if ((subject === undefined && channelId === undefined) || !ids.includes(message.id))
    return message;
  return {
    ...message,
    ...(subject === undefined ? {} : { subject }),
    ...(channelId === undefined ? {} : { stream_id: channelId }),
  };
}

const isDeletedBy = (message: FeedMessage, event: EventOf<"delete_message">): boolean =>
  "message_ids" in event ? event.message_ids.includes(message.id) : event.message_id === message.id;

function reacted(message: FeedMessage, event: EventOf<"reaction">): FeedMessage {
  const { emoji_name, emoji_code, reaction_type, user_id } = event;
  const others = message.reactions.filter(
    (one) =>
      one.user_id !== user_id ||
      one.emoji_code !== emoji_code ||
      one.reaction_type !== reaction_type,
  );
  const own = { emoji_name, emoji_code, reaction_type, user_id };
  return { ...message, reactions: event.op === "add" ? [...others, own] : others };
}

/** Whether an event may bring messages into a view that it did not have. */
export const isMove = (event: Event): boolean =>
  event.type === "update_message" &&
  (event.subject !== undefined || event.new_stream_id !== undefined);
