import { type Endpoint, endpoint } from "../http/endpoint";
import { SetTypingStatus, setTypingStatus } from "./service";

export const typingEndpoints: Endpoint[] = [
  endpoint({
    method: "POST",
    path: "/typing",
    summary: "Tells others that one is writing, or no longer is.",
    who: "user",
    input: SetTypingStatus,
    verb: setTypingStatus,
  }),
];
