import { type Endpoint, endpoint } from "../http/endpoint";
import { DeactivateRealm, deactivateRealm } from "./deactivate";
import { UpdateRealm, updateRealm } from "./update";

export const realmEndpoints: Endpoint[] = [
  endpoint({
    method: "PATCH",
    path: "/realm",
    summary: "Changes the organization's name and settings.",
    who: "administrator",
    input: UpdateRealm,
    verb: updateRealm,
  }),
  endpoint({
    method: "POST",
    path: "/realm/deactivate",
    summary: "Deactivates the organization.",
    who: "owner",
    input: DeactivateRealm,
    verb: deactivateRealm,
  }),
];
