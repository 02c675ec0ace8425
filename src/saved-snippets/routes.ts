import { type Endpoint, endpoint } from "../http/endpoint";
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

export const savedSnippetEndpoints: Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/saved_snippets",
    summary: "Lists the texts that you keep to use again.",
    who: "user",
    input: GetSavedSnippets,
    verb: getSavedSnippets,
  }),
  endpoint({
    method: "POST",
    path: "/saved_snippets",
    summary: "Keeps a text to use again.",
    who: "user",
    input: CreateSavedSnippet,
    verb: createSavedSnippet,
  }),
  endpoint({
    method: "PATCH",
    path: "/saved_snippets/{saved_snippet_id}",
    summary: "Changes a saved snippet.",
    who: "user",
    input: EditSavedSnippet,
    verb: editSavedSnippet,
  }),
  endpoint({
    method: "DELETE",
    path: "/saved_snippets/{saved_snippet_id}",
    summary: "Deletes a saved snippet.",
    who: "user",
    input: DeleteSavedSnippet,
    verb: deleteSavedSnippet,
  }),
];
