import { type Endpoint, endpoint } from "../http/endpoint";
import { Register } from "./register";
import { registerAnybody } from "./register-spectator";
import { DeleteQueue, deleteQueue, GetEvents, getEvents } from "./service";

/** So many requests a poll stands for in the rate limits: a part of two, which adds up without a rest. */
const pollCost = 0.125;

export const eventEndpoints: Endpoint[] = [
  endpoint({
    method: "POST",
    path: "/register",
    summary: "Opens an event queue and answers the current state.",
    who: "spectator",
    input: Register,
    verb: registerAnybody,
  }),
  endpoint({
    method: "GET",
    path: "/events",
    summary: "Waits for the events of a queue.",
    who: "user",
    // How often somebody polls is up to the others, who make the events.
    cost: (parameters) => (parameters.has("queue_id") ? pollCost : 1),
    input: GetEvents,
    verb: getEvents,
  }),
  endpoint({
    method: "DELETE",
    path: "/events",
    summary: "Ends an event queue.",
    who: "user",
    input: DeleteQueue,
    verb: deleteQueue,
  }),
];
