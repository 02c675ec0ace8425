import { audited } from "../../core/audit";
import { endpoint, noFields } from "../../core/endpoint";
import {
  AddDomain,
  AddedDomain,
  addDomain,
  ChangeDomain,
  changeDomain,
  DomainList,
  getDomains,
  ListDomains,
  RemoveDomain,
  removeDomain,
} from "./service";

export const domainEndpoints = [
  endpoint({
    method: "GET",
    path: "/realm/domains",
    summary: "Lists the domains whose e-mail addresses the organization accepts.",
    who: "user",
    input: ListDomains,
    output: DomainList,
    verb: getDomains,
  }),
  endpoint({
    method: "POST",
    path: "/realm/domains",
    summary: "Adds a domain whose e-mail addresses the organization accepts.",
    who: "owner",
    audit: audited("domain.add"),
    input: AddDomain,
    output: AddedDomain,
    verb: addDomain,
  }),
  endpoint({
    method: "PATCH",
    path: "/realm/domains/{domain}",
    summary: "Sets whether the subdomains of a domain count.",
    who: "owner",
    audit: audited("domain.update"),
    input: ChangeDomain,
    output: noFields,
    verb: changeDomain,
  }),
  endpoint({
    method: "DELETE",
    path: "/realm/domains/{domain}",
    summary: "Removes a domain.",
    who: "owner",
    audit: audited("domain.remove"),
    input: RemoveDomain,
    output: noFields,
    verb: removeDomain,
  }),
];
