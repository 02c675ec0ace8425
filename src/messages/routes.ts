import { type Endpoint, endpoint } from "../http/endpoint";
import { UpdateMessageFlags, updateMessageFlags } from "./flags";
import { GetMessage, GetMessages, getMessage, getMessages } from "./read";
import { SendMessage, sendMessage } from "./send";

export const messageEndpoints: Endpoint[] = [
  endpoint({
    method: "POST",
    path: "/messages",
    summary: "Sends a message to a channel's topic or to people.",
    who: "user",
    input: SendMessage,
    aliases: { subject: "topic" },
    verb: sendMessage,
  }),
  endpoint({
    method: "GET",
    path: "/messages",
    summary: "Reads messages around an anchor, or by id.",
    who: "user",
    input: GetMessages,
    verb: getMessages,
  }),
  endpoint({
    method: "GET",
    path: "/messages/{message_id}",
    summary: "Reads one message, with its source.",
    who: "user",
    input: GetMessage,
    verb: getMessage,
  }),
  endpoint({
    method: "POST",
    path: "/messages/flags",
    summary: "Marks messages as read, starred or collapsed, or takes that back.",
    who: "user",
    input: UpdateMessageFlags,
    verb: updateMessageFlags,
  }),
];
