import { Type } from "@sinclair/typebox";
import { audited } from "../../core/audit";
import { endpoint, noFields } from "../../core/endpoint";
import {
  AddLinkifier,
  addLinkifier,
  getLinkifiers,
  LinkifierList,
  ListLinkifiers,
  RemoveLinkifier,
  ReorderLinkifiers,
  removeLinkifier,
  reorderLinkifiers,
  UpdateLinkifier,
  updateLinkifier,
} from "./service";

export const linkifierEndpoints = [
  endpoint({
    method: "GET",
    path: "/realm/linkifiers",
    summary: "Lists the organization's linkifiers.",
    who: "user",
    input: ListLinkifiers,
    output: LinkifierList,
    verb: getLinkifiers,
  }),
  endpoint({
    method: "PATCH",
    path: "/realm/linkifiers",
    summary: "Changes the order of the linkifiers.",
    who: "administrator",
    audit: audited("linkifier.reorder"),
    input: ReorderLinkifiers,
    output: noFields,
    verb: reorderLinkifiers,
  }),
  endpoint({
    method: "POST",
    path: "/realm/filters",
    summary: "Adds a linkifier: a pattern, and the address of its links.",
    who: "administrator",
    audit: audited("linkifier.add"),
    input: AddLinkifier,
    output: Type.Object({ id: Type.Integer() }),
    verb: addLinkifier,
  }),
  endpoint({
    method: "PATCH",
    path: "/realm/filters/{filter_id}",
    summary: "Changes a linkifier.",
    who: "administrator",
    audit: audited("linkifier.update"),
    input: UpdateLinkifier,
    output: noFields,
    verb: updateLinkifier,
  }),
  endpoint({
    method: "DELETE",
    path: "/realm/filters/{filter_id}",
    summary: "Removes a linkifier.",
    who: "administrator",
    audit: audited("linkifier.remove"),
    input: RemoveLinkifier,
    output: noFields,
    verb: removeLinkifier,
  }),
];
