import { Type } from "@sinclair/typebox";
import { auditReasons, notAudited } from "../../core/audit";
import { endpoint, noFields } from "../../core/endpoint";
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
import { draftObject } from "./wire";

export const draftEndpoints = [
  endpoint({
    method: "GET",
    path: "/drafts",
    summary: "Lists your drafts.",
    who: "user",
    input: GetDrafts,
    output: Type.Object({ count: Type.Integer(), drafts: Type.Array(draftObject) }),
    verb: getDrafts,
  }),
  endpoint({
    method: "POST",
    path: "/drafts",
    summary: "Stores drafts.",
    who: "user",
    audit: notAudited(auditReasons.oneself),
    input: CreateDrafts,
    output: Type.Object({ ids: Type.Array(Type.Integer()) }),
    verb: createDrafts,
  }),
  endpoint({
    method: "PATCH",
    path: "/drafts/{draft_id}",
    summary: "Changes a draft.",
    who: "user",
    audit: notAudited(auditReasons.oneself),
    input: EditDraft,
    output: noFields,
    verb: editDraft,
  }),
  endpoint({
    method: "DELETE",
    path: "/drafts/{draft_id}",
    summary: "Deletes a draft.",
    who: "user",
    audit: notAudited(auditReasons.oneself),
    input: DeleteDraft,
    output: noFields,
    verb: deleteDraft,
  }),
];
