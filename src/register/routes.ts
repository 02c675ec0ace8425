import type { TProperties, TSchema } from "@sinclair/typebox";
import { endpoint, noFields } from "../core/endpoint";
import { Register, registerOutput } from "./register";
import { registerAnybody } from "./register-spectator";
import { DeleteQueue, deleteQueue, eventsOutput, GetEvents, getEvents } from "./service";

/**
 * So many requests a poll stands for in the rate limits: a part of two, which adds up without a
 * rest.
 */
const pollCost = 0.125;

/**
 * The endpoints of event queues, which tell of the state of all features, and of all their events.
 */
export const eventEndpoints = <Keys extends TProperties>(stateKeys: Keys, event: TSchema) => [
  endpoint({
    method: "POST",
    path: "/register",
    summary: "Opens an event queue and answers the current state.",
    who: "spectator",
    input: Register,
    output: registerOutput(stateKeys),
    verb: registerAnybody,
  }),
  endpoint({
    method: "GET",
    path: "/events",
    summary: "Waits for the events of a queue.",
    who: "user",
    // Polls cost less because the others, who make the events, decide how often somebody polls.
    cost: (parameters) => (parameters.has("queue_id") ? pollCost : 1),
    input: GetEvents,
    output: eventsOutput(stateKeys, event),
    verb: getEvents,
  }),
  endpoint({
    method: "DELETE",
    path: "/events",
    summary: "Ends an event queue.",
    who: "user",
    input: DeleteQueue,
    output: noFields,
    verb: deleteQueue,
  }),
];
