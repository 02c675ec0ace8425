import { change, changeEach, withMembers, withoutKeys } from "./copies";
import { deletedBy } from "./unread";
import type { Event, EventOf, Message } from "./wire";

/**
 * A message with the person's flags. Use `stream_id` for its channel, because `display_recipient`
 * keeps the name of the channel in which the message was loaded, even after a move.
 */
export interface FlaggedMessage extends Message {
  readonly flags: readonly string[];
}

/** Loaded messages by id. An unchanged message stays the identical object. */
export type Messages = ReadonlyMap<number, FlaggedMessage>;

/** The message of an event. */
export const arrived = ({ message, flags }: EventOf<"message">): FlaggedMessage => ({
  ...message,
  flags,
});

/**
 * Messages after an event. New messages are not added, because only a view knows which messages it
 * shows.
 */
export function applyMessages(messages: Messages, event: Event): Messages {
  switch (event.type) {
    case "update_message":
      return withContent(withPlace(messages, event), event);
    case "update_message_flags":
      return withFlag(messages, event);
    case "delete_message":
      return withoutKeys(messages, deletedBy(event));
    case "reaction":
      return change(messages, event.message_id, (message) => withReaction(message, event));
    case "submessage":
      return change(messages, event.message_id, (message) => withSubmessage(message, event));
    case "realm_user":
      return withPerson(messages, event);
    default:
      return messages;
  }
}

/** Changes several messages in one copy. */
function changeAll(
  messages: Messages,
  ids: readonly number[],
  changed: (message: FlaggedMessage) => FlaggedMessage,
): Messages {
  const meant = new Set(ids);
  return changeEach(messages, (message, id) => (meant.has(id) ? changed(message) : message));
}

type Update = EventOf<"update_message">;

/** A move changes all messages that it names. */
function withPlace(messages: Messages, event: Update): Messages {
  const { subject, topic_links, new_stream_id, edit_timestamp } = event;
  if (event.orig_subject === undefined) return messages;
  return changeAll(messages, event.message_ids, (message) =>
    withMembers<FlaggedMessage>(message, {
      ...(subject === undefined ? {} : { subject, topic_links: topic_links ?? [] }),
      ...(new_stream_id === undefined ? {} : { stream_id: new_stream_id }),
      last_moved_timestamp: edit_timestamp,
    }),
  );
}

/**
 * Replaces the HTML of one message. If it was only rendered again, for example with a preview, the
 * message does not count as edited.
 */
function withContent(messages: Messages, event: Update): Messages {
  const { rendered_content: content, flags, rendering_only, edit_timestamp } = event;
  if (content === undefined) return messages;
  return change(messages, event.message_id, (message) =>
    withMembers<FlaggedMessage>(message, {
      content,
      flags: sameFlags(message.flags, flags) ? message.flags : flags,
      ...(event.is_me_message === undefined ? {} : { is_me_message: event.is_me_message }),
      ...(rendering_only ? {} : { last_edit_timestamp: edit_timestamp }),
    }),
  );
}

const sameFlags = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((flag) => other.includes(flag));

function withFlag(messages: Messages, event: EventOf<"update_message_flags">): Messages {
  const { flag, op } = event;
  const ids = event.all ? [...messages.keys()] : event.messages;
  return changeAll(messages, ids, (message) => {
    if (message.flags.includes(flag) === (op === "add")) return message;
    const others = message.flags.filter((one) => one !== flag);
    return { ...message, flags: op === "add" ? [...others, flag] : others };
  });
}

function withReaction(message: FlaggedMessage, event: EventOf<"reaction">): FlaggedMessage {
  const { emoji_name, emoji_code, reaction_type, user_id } = event;
  const others = message.reactions.filter(
    (one) =>
      one.user_id !== user_id ||
      one.emoji_code !== emoji_code ||
      one.reaction_type !== reaction_type,
  );
  if (event.op === "remove" && others.length === message.reactions.length) return message;
  const added = { emoji_name, emoji_code, reaction_type, user_id };
  return { ...message, reactions: event.op === "add" ? [...others, added] : others };
}

function withSubmessage(message: FlaggedMessage, event: EventOf<"submessage">): FlaggedMessage {
  const { submessage_id: id, message_id, sender_id, msg_type, content } = event;
  if (message.submessages.some((one) => one.id === id)) return message;
  const submessage = { id, message_id, sender_id, msg_type, content };
  return { ...message, submessages: [...message.submessages, submessage] };
}

/** Messages contain the name and the picture of their sender, and the names of their people. */
function withPerson(messages: Messages, event: EventOf<"realm_user">): Messages {
  if (event.op !== "update") return messages;
  const { person } = event;
  if ("full_name" in person)
    return changeEach(messages, (message) => withName(message, person.user_id, person.full_name));
  if (!("avatar_url" in person)) return messages;
  return changeEach(messages, (message) =>
    message.sender_id === person.user_id
      ? withMembers<FlaggedMessage>(message, { avatar_url: person.avatar_url })
      : message,
  );
}

function withName(message: FlaggedMessage, userId: number, full_name: string): FlaggedMessage {
  const named =
    message.sender_id === userId
      ? withMembers<FlaggedMessage>(message, { sender_full_name: full_name })
      : message;
  const { display_recipient: people } = named;
  if (typeof people === "string" || !people.some(({ id }) => id === userId)) return named;
  const renamed = people.map((one) => (one.id === userId ? withMembers(one, { full_name }) : one));
  return { ...named, display_recipient: renamed };
}
