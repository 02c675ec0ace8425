import { Type } from "@sinclair/typebox";
import { endpoint, noFields } from "../../core/endpoint";
import { AddPlayground, addPlayground, RemovePlayground, removePlayground } from "./service";

export const playgroundEndpoints = [
  endpoint({
    method: "POST",
    path: "/realm/playgrounds",
    summary: "Adds a place where code of a language can be run.",
    who: "administrator",
    input: AddPlayground,
    output: Type.Object({ id: Type.Integer() }),
    verb: addPlayground,
  }),
  endpoint({
    method: "DELETE",
    path: "/realm/playgrounds/{playground_id}",
    summary: "Takes a playground away.",
    who: "administrator",
    input: RemovePlayground,
    output: noFields,
    verb: removePlayground,
  }),
];
