import { type Endpoint, endpoint } from "../http/endpoint";
import { Register, register } from "./register";
import { DeleteQueue, deleteQueue, GetEvents, getEvents } from "./service";

export const eventEndpoints: Endpoint[] = [
  endpoint({
    method: "POST",
    path: "/register",
    summary: "Opens an event queue and answers the current state.",
    who: "user",
    input: Register,
    verb: register,
  }),
  endpoint({
    method: "GET",
    path: "/events",
    summary: "Waits for the events of a queue.",
    who: "user",
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
