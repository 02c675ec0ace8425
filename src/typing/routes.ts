import { type Endpoint, endpoint } from "../http/endpoint";
import { SetEditTypingStatus, SetTypingStatus, setEditTypingStatus, setTypingStatus } from "./service";

export const typingEndpoints: Endpoint[] = [
  endpoint({
    method: "POST",
    path: "/typing",
    summary: "Tells others that one is writing, or no longer is.",
    who: "user",
    input: SetTypingStatus,
    verb: setTypingStatus,
  }),
  endpoint({
    method: "POST",
    path: "/messages/{message_id}/typing",
    summary: "Tells others that one is changing a message, or no longer is.",
    who: "user",
    input: SetEditTypingStatus,
    verb: setEditTypingStatus,
  }),
];
