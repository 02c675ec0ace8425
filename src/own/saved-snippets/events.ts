import { Type } from "@sinclair/typebox";
import { event } from "../../events/define";
import { savedSnippetObject } from "./wire";

/** Somebody has saved a snippet. */
export const savedSnippetAdded = event("saved_snippets", "add", {
  saved_snippet: savedSnippetObject,
});

/** The title or content of a snippet has changed. */
export const savedSnippetUpdated = event("saved_snippets", "update", {
  saved_snippet: savedSnippetObject,
});

/** A snippet was deleted. */
export const savedSnippetRemoved = event("saved_snippets", "remove", {
  saved_snippet_id: Type.Integer(),
});
