import { computed } from "@preact/signals";
import type { Snippet } from "../model/wire";
import { patch, post, remove } from "../net/api";
import { language } from "../words/words";
import { snippets } from "./state";

const collator = new Intl.Collator(language, { numeric: true });

/** Texts that the person has saved to use again, by title. */
export const snippetList = computed(() =>
  [...snippets.value.values()].sort((one, other) => collator.compare(one.title, other.title)),
);

export type SnippetText = Pick<Snippet, "title" | "content">;

/** Saves a text to use again. */
export const saveSnippet = ({ title, content }: SnippetText): Promise<unknown> =>
  post("/saved_snippets", { title, content });

export const changeSnippet = (id: number, { title, content }: SnippetText): Promise<unknown> =>
  patch("/saved_snippets/{saved_snippet_id}", { saved_snippet_id: id, title, content });

export const removeSnippet = (id: number): Promise<unknown> =>
  remove("/saved_snippets/{saved_snippet_id}", { saved_snippet_id: id });
