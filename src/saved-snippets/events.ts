import { Type } from "@sinclair/typebox";
import { event } from "../events/define";

const savedSnippet = Type.Object({
  id: Type.Integer(),
  title: Type.String(),
  content: Type.String(),
  date_created: Type.Integer(),
});

/** Somebody keeps another text to use again. */
export const savedSnippetAdded = event("saved_snippets", "add", { saved_snippet: savedSnippet });

/** A snippet has another title or content. */
export const savedSnippetUpdated = event("saved_snippets", "update", { saved_snippet: savedSnippet });

/** A snippet is gone. */
export const savedSnippetRemoved = event("saved_snippets", "remove", { saved_snippet_id: Type.Integer() });
