import { type Endpoint, endpoint } from "../http/endpoint";
import { GetStatus, getStatus, UpdateOwnStatus, UpdateStatus, updateOwnStatus, updateStatus } from "./service";

const path = "/users/{user_id}/status";

export const statusEndpoints: Endpoint[] = [
  endpoint({
    method: "POST",
    path: "/users/me/status",
    summary: "Changes what you say of yourself.",
    who: "user",
    callers: "people",
    input: UpdateOwnStatus,
    verb: updateOwnStatus,
  }),
  endpoint({
    method: "GET",
    path,
    summary: "Shows what a person says of themself.",
    who: "user",
    input: GetStatus,
    verb: getStatus,
  }),
  endpoint({
    method: "POST",
    path,
    summary: "Changes what a person says of themself, for administrators.",
    who: "user",
    input: UpdateStatus,
    verb: updateStatus,
  }),
];
