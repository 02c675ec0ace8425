import { byKey, put, withoutKeys } from "./copies";
import type { Event, Register, Snippet } from "./wire";

/** Texts that the person has saved to use again, by id. */
export type Snippets = ReadonlyMap<number, Snippet>;

export const snippetsFrom = ({ saved_snippets }: Register): Snippets =>
  byKey(saved_snippets, ({ id }) => id);

export function applySnippets(snippets: Snippets, event: Event): Snippets {
  if (event.type !== "saved_snippets") return snippets;
  return event.op === "remove"
    ? withoutKeys(snippets, [event.saved_snippet_id])
    : put(snippets, event.saved_snippet.id, event.saved_snippet);
}
