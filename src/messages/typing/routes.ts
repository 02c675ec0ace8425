import { endpoint, noFields } from "../../core/endpoint";
import {
  SetEditTypingStatus,
  SetTypingStatus,
  setEditTypingStatus,
  setTypingStatus,
} from "./service";

export const typingEndpoints = [
  endpoint({
    method: "POST",
    path: "/typing",
    summary: "Tells others that one is writing, or no longer is.",
    who: "user",
    input: SetTypingStatus,
    output: noFields,
    verb: setTypingStatus,
  }),
  endpoint({
    method: "POST",
    path: "/messages/{message_id}/typing",
    summary: "Tells others that one is changing a message, or no longer is.",
    who: "user",
    input: SetEditTypingStatus,
    output: noFields,
    verb: setEditTypingStatus,
  }),
];
