import { type Endpoint, endpoint } from "../http/endpoint";
import {
  AddDomain,
  addDomain,
  ChangeDomain,
  changeDomain,
  getDomains,
  ListDomains,
  RemoveDomain,
  removeDomain,
} from "./service";

export const domainEndpoints: Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/realm/domains",
    summary: "Lists the domains whose e-mail addresses the organization accepts.",
    who: "user",
    input: ListDomains,
    verb: getDomains,
  }),
  endpoint({
    method: "POST",
    path: "/realm/domains",
    summary: "Adds a domain whose e-mail addresses the organization accepts.",
    who: "owner",
    input: AddDomain,
    verb: addDomain,
  }),
  endpoint({
    method: "PATCH",
    path: "/realm/domains/{domain}",
    summary: "Says whether the subdomains of a domain count.",
    who: "owner",
    input: ChangeDomain,
    verb: changeDomain,
  }),
  endpoint({
    method: "DELETE",
    path: "/realm/domains/{domain}",
    summary: "Takes a domain away.",
    who: "owner",
    input: RemoveDomain,
    verb: removeDomain,
  }),
];
