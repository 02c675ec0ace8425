import { Type } from "@sinclair/typebox";
import { endpoint, noFields } from "../core/endpoint";
import { DeleteMessage, deleteMessage } from "./delete/delete";
import { EditedMessage, EditMessage, editMessage } from "./edit/edit";
import { GetMessageHistory, getMessageHistory, MessageHistory } from "./edit/read-history";
import {
  FlagUpdate,
  NarrowUpdate,
  UpdateFlagsForNarrow,
  UpdateMessageFlags,
  updateFlagsForNarrow,
  updateMessageFlags,
} from "./flags/flags";
import {
  MarkAllAsRead,
  MarkChannelAsRead,
  MarkTopicAsRead,
  markAllAsRead,
  markChannelAsRead,
  markTopicAsRead,
} from "./flags/mark-read";
import { GetReadReceipts, getReadReceipts } from "./flags/read-receipts";
import { Matches, MatchNarrow, matchNarrow } from "./narrow/matches";
import { GetMessage, GetMessages, getMessage, getMessages, MessagePage, OneMessage } from "./read";
import { RenderMessage, renderMessage } from "./rendering/render";
import { SendMessage, SentMessage, sendMessage } from "./send/send";
import { SummarizeMessages, summarizeMessages } from "./summary";

export const messageEndpoints = [
  endpoint({
    method: "POST",
    path: "/messages",
    summary: "Sends a message to a channel's topic or to people.",
    who: "user",
    callers: "writers",
    input: SendMessage,
    output: SentMessage,
    aliases: { subject: "topic" },
    verb: sendMessage,
  }),
  endpoint({
    method: "GET",
    path: "/messages",
    summary: "Reads messages around an anchor, or by id.",
    who: "spectator",
    input: GetMessages,
    output: MessagePage,
    verb: getMessages,
  }),
  endpoint({
    method: "GET",
    path: "/messages/matches_narrow",
    summary: "Answers which messages are in a narrow.",
    who: "user",
    input: MatchNarrow,
    output: Matches,
    verb: matchNarrow,
  }),
  endpoint({
    method: "GET",
    path: "/messages/summary",
    summary: "Refuses to summarize messages: this server has no language model.",
    who: "user",
    input: SummarizeMessages,
    output: noFields,
    verb: summarizeMessages,
  }),
  endpoint({
    method: "GET",
    path: "/messages/{message_id}",
    summary: "Reads one message, with its source.",
    who: "spectator",
    input: GetMessage,
    output: OneMessage,
    verb: getMessage,
  }),
  endpoint({
    method: "PATCH",
    path: "/messages/{message_id}",
    summary: "Changes a message's content, topic or channel.",
    who: "user",
    input: EditMessage,
    output: EditedMessage,
    aliases: { subject: "topic" },
    verb: editMessage,
  }),
  endpoint({
    method: "DELETE",
    path: "/messages/{message_id}",
    summary: "Deletes a message for everybody.",
    who: "user",
    input: DeleteMessage,
    output: noFields,
    verb: deleteMessage,
  }),
  endpoint({
    method: "POST",
    path: "/messages/flags",
    summary: "Sets or clears a flag on messages: read, starred or collapsed.",
    who: "user",
    input: UpdateMessageFlags,
    output: FlagUpdate,
    verb: updateMessageFlags,
  }),
  endpoint({
    method: "POST",
    path: "/messages/flags/narrow",
    summary: "Sets or clears a flag on messages of a narrow around an anchor.",
    who: "user",
    input: UpdateFlagsForNarrow,
    output: NarrowUpdate,
    verb: updateFlagsForNarrow,
  }),
  endpoint({
    method: "POST",
    path: "/mark_all_as_read",
    summary: "Marks everything as read.",
    who: "user",
    input: MarkAllAsRead,
    output: Type.Object({ complete: Type.Boolean() }),
    verb: markAllAsRead,
  }),
  endpoint({
    method: "POST",
    path: "/mark_stream_as_read",
    summary: "Marks everything in a channel as read.",
    who: "user",
    input: MarkChannelAsRead,
    output: noFields,
    verb: markChannelAsRead,
  }),
  endpoint({
    method: "POST",
    path: "/mark_topic_as_read",
    summary: "Marks everything in a topic as read.",
    who: "user",
    input: MarkTopicAsRead,
    output: noFields,
    verb: markTopicAsRead,
  }),
  endpoint({
    method: "GET",
    path: "/messages/{message_id}/history",
    summary: "Reads the edit history of a message.",
    who: "user",
    input: GetMessageHistory,
    output: MessageHistory,
    verb: getMessageHistory,
  }),
  endpoint({
    method: "GET",
    path: "/messages/{message_id}/read_receipts",
    summary: "Lists the people who have read a message.",
    who: "user",
    input: GetReadReceipts,
    output: Type.Object({ user_ids: Type.Array(Type.Integer()) }),
    verb: getReadReceipts,
  }),
  endpoint({
    method: "POST",
    path: "/messages/render",
    summary: "Renders Markdown like a message.",
    who: "user",
    input: RenderMessage,
    output: Type.Object({ rendered: Type.String() }),
    verb: renderMessage,
  }),
];
