import { Type } from "@sinclair/typebox";
import { auditReasons, notAudited } from "../../core/audit";
import { endpoint, noFields } from "../../core/endpoint";
import {
  CreateSavedSnippet,
  createSavedSnippet,
  DeleteSavedSnippet,
  deleteSavedSnippet,
  EditSavedSnippet,
  editSavedSnippet,
  GetSavedSnippets,
  getSavedSnippets,
} from "./service";
import { savedSnippetObject } from "./wire";

export const savedSnippetEndpoints = [
  endpoint({
    method: "GET",
    path: "/saved_snippets",
    summary: "Lists your saved snippets.",
    who: "user",
    input: GetSavedSnippets,
    output: Type.Object({ saved_snippets: Type.Array(savedSnippetObject) }),
    verb: getSavedSnippets,
  }),
  endpoint({
    method: "POST",
    path: "/saved_snippets",
    summary: "Saves a snippet.",
    who: "user",
    audit: notAudited(auditReasons.oneself),
    input: CreateSavedSnippet,
    output: Type.Object({ saved_snippet_id: Type.Integer() }),
    verb: createSavedSnippet,
  }),
  endpoint({
    method: "PATCH",
    path: "/saved_snippets/{saved_snippet_id}",
    summary: "Changes a saved snippet.",
    who: "user",
    audit: notAudited(auditReasons.oneself),
    input: EditSavedSnippet,
    output: noFields,
    verb: editSavedSnippet,
  }),
  endpoint({
    method: "DELETE",
    path: "/saved_snippets/{saved_snippet_id}",
    summary: "Deletes a saved snippet.",
    who: "user",
    audit: notAudited(auditReasons.oneself),
    input: DeleteSavedSnippet,
    output: noFields,
    verb: deleteSavedSnippet,
  }),
];
