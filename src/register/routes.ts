import type { TProperties, TSchema } from "@sinclair/typebox";
import { auditReasons, notAudited } from "../core/audit";
import { endpoint, noFields } from "../core/endpoint";
import { Register, registerOutput } from "./register";
import { registerAnybody } from "./register-spectator";
import { DeleteQueue, deleteQueue, eventsOutput, GetEvents, getEvents } from "./service";

/**
 * Number of requests that a poll counts for in the rate limits. A power of two, so that sums have
 * no rounding errors.
 */
const pollCost = 0.125;

/** The endpoints of event queues, with the schemas of all features' states and events. */
export const eventEndpoints = <Keys extends TProperties>(stateKeys: Keys, event: TSchema) => [
  endpoint({
    method: "POST",
    path: "/register",
    summary: "Opens an event queue and answers the current state.",
    who: "spectator",
    audit: notAudited(auditReasons.oneself),
    input: Register,
    output: registerOutput(stateKeys),
    verb: registerAnybody,
  }),
  endpoint({
    method: "GET",
    path: "/events",
    summary: "Waits for the events of a queue.",
    who: "user",
    // Polls cost less, because their frequency depends on the events that others cause.
    cost: (parameters) => (parameters.has("queue_id") ? pollCost : 1),
    input: GetEvents,
    output: eventsOutput(stateKeys, event),
    verb: getEvents,
  }),
  endpoint({
    method: "DELETE",
    path: "/events",
    audit: notAudited(auditReasons.oneself),
    summary: "Ends an event queue.",
    who: "user",
    input: DeleteQueue,
    output: noFields,
    verb: deleteQueue,
  }),
];
