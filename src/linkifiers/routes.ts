import { type Endpoint, endpoint } from "../http/endpoint";
import {
  AddLinkifier,
  addLinkifier,
  getLinkifiers,
  ListLinkifiers,
  RemoveLinkifier,
  ReorderLinkifiers,
  removeLinkifier,
  reorderLinkifiers,
  UpdateLinkifier,
  updateLinkifier,
} from "./service";

export const linkifierEndpoints: Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/realm/linkifiers",
    summary: "Lists what the organization turns into links.",
    who: "user",
    input: ListLinkifiers,
    verb: getLinkifiers,
  }),
  endpoint({
    method: "PATCH",
    path: "/realm/linkifiers",
    summary: "Changes the order in which linkifiers are tried.",
    who: "administrator",
    input: ReorderLinkifiers,
    verb: reorderLinkifiers,
  }),
  endpoint({
    method: "POST",
    path: "/realm/filters",
    summary: "Adds a linkifier: a pattern, and where its matches link to.",
    who: "administrator",
    input: AddLinkifier,
    verb: addLinkifier,
  }),
  endpoint({
    method: "PATCH",
    path: "/realm/filters/{filter_id}",
    summary: "Changes a linkifier.",
    who: "administrator",
    input: UpdateLinkifier,
    verb: updateLinkifier,
  }),
  endpoint({
    method: "DELETE",
    path: "/realm/filters/{filter_id}",
    summary: "Removes a linkifier.",
    who: "administrator",
    input: RemoveLinkifier,
    verb: removeLinkifier,
  }),
];
