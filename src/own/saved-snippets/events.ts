import { Type } from "@sinclair/typebox";
import { event } from "../../events/define";
import { savedSnippetObject } from "./wire";

/** Somebody keeps another text to use again. */
export const savedSnippetAdded = event("saved_snippets", "add", {
  saved_snippet: savedSnippetObject,
});

/** A snippet has another title or content. */
export const savedSnippetUpdated = event("saved_snippets", "update", {
  saved_snippet: savedSnippetObject,
});

/** A snippet is gone. */
export const savedSnippetRemoved = event("saved_snippets", "remove", {
  saved_snippet_id: Type.Integer(),
});
