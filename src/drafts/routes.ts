import { type Endpoint, endpoint } from "../http/endpoint";
import {
  CreateDrafts,
  createDrafts,
  DeleteDraft,
  deleteDraft,
  EditDraft,
  editDraft,
  GetDrafts,
  getDrafts,
} from "./service";

export const draftEndpoints: Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/drafts",
    summary: "Lists your drafts.",
    who: "user",
    input: GetDrafts,
    verb: getDrafts,
  }),
  endpoint({
    method: "POST",
    path: "/drafts",
    summary: "Stores drafts.",
    who: "user",
    input: CreateDrafts,
    verb: createDrafts,
  }),
  endpoint({
    method: "PATCH",
    path: "/drafts/{draft_id}",
    summary: "Changes a draft.",
    who: "user",
    input: EditDraft,
    verb: editDraft,
  }),
  endpoint({
    method: "DELETE",
    path: "/drafts/{draft_id}",
    summary: "Deletes a draft.",
    who: "user",
    input: DeleteDraft,
    verb: deleteDraft,
  }),
];
