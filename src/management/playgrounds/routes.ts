import { Type } from "@sinclair/typebox";
import { audited } from "../../core/audit";
import { endpoint, noFields } from "../../core/endpoint";
import { AddPlayground, addPlayground, RemovePlayground, removePlayground } from "./service";

export const playgroundEndpoints = [
  endpoint({
    method: "POST",
    path: "/realm/playgrounds",
    summary: "Adds a playground for code of a language.",
    who: "administrator",
    audit: audited("playground.add"),
    input: AddPlayground,
    output: Type.Object({ id: Type.Integer() }),
    verb: addPlayground,
  }),
  endpoint({
    method: "DELETE",
    path: "/realm/playgrounds/{playground_id}",
    summary: "Removes a playground.",
    who: "administrator",
    audit: audited("playground.remove"),
    input: RemovePlayground,
    output: noFields,
    verb: removePlayground,
  }),
];
