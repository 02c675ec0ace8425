import { type Endpoint, endpoint } from "../http/endpoint";
import { Register, register, type RegisterParts } from "./register";
import { DeleteQueue, deleteQueue, GetEvents, getEvents } from "./service";

/** The endpoints of the realtime contract; `parts` is what the features put into the state. */
export function eventEndpoints(parts: RegisterParts): Endpoint[] {
  return [
    endpoint({
      method: "POST",
      path: "/register",
      summary: "Opens an event queue and answers the current state.",
      who: "user",
      input: Register,
      verb: (ctx, input) => register(ctx, input, parts),
    }),
    endpoint({
      method: "GET",
      path: "/events",
      summary: "Waits for the events of a queue.",
      who: "user",
      input: GetEvents,
      verb: (ctx, input, connection) => getEvents(ctx, input, connection, (asked) => register(ctx, asked, parts)),
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
}
