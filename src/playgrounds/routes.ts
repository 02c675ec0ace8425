import { type Endpoint, endpoint } from "../http/endpoint";
import { AddPlayground, addPlayground, RemovePlayground, removePlayground } from "./service";

export const playgroundEndpoints: Endpoint[] = [
  endpoint({
    method: "POST",
    path: "/realm/playgrounds",
    summary: "Adds a place where code of a language can be run.",
    who: "administrator",
    input: AddPlayground,
    verb: addPlayground,
  }),
  endpoint({
    method: "DELETE",
    path: "/realm/playgrounds/{playground_id}",
    summary: "Takes a playground away.",
    who: "administrator",
    input: RemovePlayground,
    verb: removePlayground,
  }),
];
