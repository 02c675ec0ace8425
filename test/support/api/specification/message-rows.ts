import { each, type Shown, shows } from "./shown";

const edit = "PATCH /messages/{message_id}";
const limitExceeded = "error: MOVE_MESSAGES_TIME_LIMIT_EXCEEDED:";

/** Messages: what they are, how they are edited, moved, deleted and reported. */
export const messageRows: Shown[] = [
  shows(
    "messages/message-shape.test.ts",
    "A message in a channel that was reacted to, edited and moved has exactly the members that say so",
    each(
      "field: Message object",
      "id type stream_id subject content content_type recipient_id sender_id sender_email",
    ),
    each(
      "field: Message object",
      "sender_full_name sender_realm_str avatar_url client timestamp is_me_message",
    ),
    each(
      "field: Message object",
      "reactions edit_history last_edit_timestamp last_moved_timestamp unicode_emoji",
    ),
  ),
  shows(
    "messages/message-shape.test.ts",
    "A direct message names everybody in it, has no channel and no topic, and its widget's submessages",
    each("field: Message object", "display_recipient submessages"),
  ),
  shows(
    "channels/topic-links.test.ts",
    "What linkifiers find in a topic is shown with its messages, as they come and as the topic is renamed",
    "field: Message object topic_links",
  ),
  shows(
    "realm/realm-emoji.test.ts",
    "is there for everybody in it; nobody elsewhere hears of it",
    "field: Message object realm_emoji",
    "event: realm_emoji",
  ),
  shows(
    "messages/reactions.test.ts",
    "is accepted as of type %s",
    "field: Message object service_extra_emoji",
  ),
  shows(
    "messages/reactions.test.ts",
    "and those who received the message hear of it",
    "event: reaction",
  ),
  shows(
    "messages/edit-message.test.ts",
    "in a channel: those who receive what is sent there hear of it, with their own flags",
    `endpoint: ${edit}`,
    `parameter: ${edit} message_id`,
    `parameter: ${edit} content`,
  ),
  shows(
    "messages/move-topic.test.ts",
    "one, and those who receive what is sent there hear of it",
    `parameter: ${edit} topic`,
  ),
  shows(
    "messages/move-topic.test.ts",
    "it and those after it, or all of the topic, whatever the case that they are written in",
    `parameter: ${edit} propagate_mode`,
    `parameter: ${edit} change_all`,
  ),
  shows(
    "messages/move-notices.test.ts",
    "what came to it and what went from it, as far as it is wanted",
    each(`parameter: ${edit}`, "send_notification_to_old_thread send_notification_to_new_thread"),
  ),
  shows(
    "messages/edit-message.test.ts",
    "but not what stands there now if that is another text than she took it for",
    `parameter: ${edit} prev_content_sha256`,
    "error: edit-message: mismatching prev_content_sha256",
    "version: 379",
  ),
  shows(
    "messages/move-channel.test.ts",
    "and each hears what it is for them",
    `parameter: ${edit} stream_id`,
  ),
  shows(
    "messages/edit-access.test.ts",
    "A12: that an edit takes out of the last message that linked it is its owner's alone again",
    `answer: ${edit} detached_uploads`,
    each("field: Attachment summary", "id name path_id size create_time message_ids"),
    "version: 472",
  ),
  shows(
    "messages/edit-message.test.ts",
    "as long as the organization lets her, and twenty seconds more",
    each(`permission: ${edit}`, "allow_message_editing message_content_edit_limit_seconds"),
    "limit: message edit and move windows",
  ),
  shows(
    "messages/move-permission.test.ts",
    "to another topic: as the organization lets, and the channel besides",
    each(`permission: ${edit}`, "can_resolve_topics_group can_move_messages_between_topics_group"),
    "version: 367",
  ),
  shows(
    "messages/move-permission.test.ts",
    "to another channel: members as it is at first, as the source lets out and the target lets in",
    `permission: ${edit} can_move_messages_between_channels_group`,
  ),
  shows(
    "messages/move-permission.test.ts",
    "what is too old stays for members, with some seconds of grace; administrators and moderators move it",
    each(`permission: ${edit}`, "move_messages_within_stream_limit_seconds"),
    each(`permission: ${edit}`, "move_messages_between_streams_limit_seconds"),
  ),
  shows(
    "messages/move-permission.test.ts",
    "of a topic a part may be young enough: then it is told which, also where the message named is too old",
    `${limitExceeded} moving a topic with change_all when the caller may move some but not all messages`,
    `${limitExceeded} since feature level 505 also when the target message is past the limit but at least one topic message is within it`,
    each(
      "error field: MOVE_MESSAGES_TIME_LIMIT_EXCEEDED",
      "first_message_id_allowed_to_move change_later",
    ),
    each(
      "error field: MOVE_MESSAGES_TIME_LIMIT_EXCEEDED",
      "total_messages_allowed_to_move total_messages_in_topic",
    ),
    "version: 172",
  ),
  shows(
    "messages/edit-message.test.ts",
    "what somebody else wrote, whatever their role",
    "error: BAD_REQUEST: no permission to edit a message",
  ),
  shows(
    "messages/edit-message.test.ts",
    "nothing at all, several things at once, or a poll",
    "error: edit-message: sending content with stream_id",
    "error: edit-message: topic or channel change on a non-channel message",
  ),
  shows(
    "messages/edit-access.test.ts",
    "Mentioning everybody by an edit takes the right to in a channel of many",
    "error: edit-message: a message rejected for a channel-wide mention by a user lacking permission in a channel with many subscribers",
  ),
  shows(
    "messages/move-notices.test.ts",
    "and unresolved: all are told, and it is unread for those alone who follow it, or by their setting",
    "state: Topic of a message set: resolved",
    "state: Topic of a message set: unresolved",
  ),
  shows(
    "messages/typing.test.ts",
    "and those who take part see it, herself too, and nobody else",
    "endpoint: POST /typing",
    each("parameter: POST /typing", "type op to"),
    each("answer: POST /typing", "start stop"),
    [
      "event: typing",
      "event: typing (start / stop)",
      "event tie: POST /typing produces typing events",
    ],
  ),
  shows(
    "messages/typing.test.ts",
    "and its subscribers see it whose clients said that they show that",
    "parameter: POST /typing stream_id",
  ),
  shows(
    "messages/typing.test.ts",
    "whatever is said of who, and to people whatever is said of a channel: that is not looked at",
    each("parameter: POST /typing", "to stream_id"),
  ),
  shows(
    "messages/typing.test.ts",
    "with an empty topic, under each name for it",
    "parameter: POST /typing topic",
  ),
  shows(
    "messages/typing.test.ts",
    "A17: a channel that one may not read is refused like one that is not there",
    "error: BAD_REQUEST: missing channel ID in typing",
  ),
  shows(
    "messages/typing.test.ts",
    "and who hears of the message sees that, with or without typing in channels",
    "event: typing_edit_message",
  ),
  shows(
    "http/limits.test.ts",
    "Register tells how long clients wait: for an answer of the server, and between notices of typing",
    "limit: typing timing",
  ),
  shows(
    "messages/flags.test.ts",
    "and his own clients hear of it, nobody else",
    "event: update_message_flags",
  ),
  shows(
    "channels/topics.test.ts",
    "An owner deletes a topic, whatever its case: subscribers are told in the form that they asked for",
    "endpoint: POST /streams/{stream_id}/delete_topic",
    each("parameter: POST /streams/{stream_id}/delete_topic", "stream_id topic_name"),
    ["event: stream (update)", "event tie: topic deletion can produce a stream update event"],
  ),
  shows(
    "channels/topics.test.ts",
    "What takes longer than a request may is told to be incomplete, and goes on when it is repeated",
    "answer: POST /streams/{stream_id}/delete_topic complete",
    "error: topic deletion that is interrupted",
  ),
  shows(
    "messages/delete-message.test.ts",
    "are deleted in one channel by whom that channel lets, and nowhere else",
    "version: 407",
  ),
  shows(
    "channels/topics.test.ts",
    "A long topic is deleted in batches, newest first",
    "limit: batch deletion",
  ),
  shows(
    "messages/protected-history.test.ts",
    "A6: when a topic is deleted a later subscriber hears only of the messages that they could read",
    ["event: delete_message", "event field: delete_message message_ids"],
  ),
  shows(
    "messages/reports.test.ts",
    "a report is told in the moderation channel, to those in it and to nobody else",
    "endpoint: POST /messages/{message_id}/report",
    each("parameter: POST /messages/{message_id}/report", "message_id"),
  ),
  shows(
    "messages/reports.test.ts",
    "refuses an unknown type, `other` without a description, one that is too long, and where no channel is chosen",
    each("parameter: POST /messages/{message_id}/report", "report_type description other"),
    "error: BAD_REQUEST: report when moderation request channel unset",
    "limit: report description",
    "version: 435",
  ),
];
