import { type Endpoint, endpoint } from "../http/endpoint";
import { AddSubmessage, addSubmessage } from "./service";

export const submessageEndpoints: Endpoint[] = [
  endpoint({
    method: "POST",
    path: "/submessage",
    summary: "Votes in a poll, or changes a to-do list.",
    who: "user",
    input: AddSubmessage,
    verb: addSubmessage,
  }),
];
