import { signal } from "@preact/signals";
import type { FlaggedMessage } from "../model/message";
import { narrowParameter } from "../model/narrow";
import { readSearchText } from "../model/narrow-text";
import { Refusal, read } from "../net/api";
import { searchNames } from "./search-text";

interface Hits {
  readonly text: string;
  readonly messages: readonly FlaggedMessage[];
}

const hits = signal<Hits | undefined>(undefined);

const most = 5;
const lettersMin = 2;
const pauseMilliseconds = 300;

/**
 * The newest messages that a search finds, the newest first; empty until the answer has arrived.
 */
export const newestHits = (text: string): readonly FlaggedMessage[] =>
  hits.value?.text === text ? hits.value.messages : [];

/**
 * Searches for a text after a pause. Returns a function that cancels the search, so that a late
 * answer is dropped.
 */
export function searchSoon(text: string): () => void {
  const ending = new AbortController();
  if (text.trim().length < lettersMin) return () => undefined;
  const timer = setTimeout(() => void search(text, ending.signal), pauseMilliseconds);
  return () => {
    clearTimeout(timer);
    ending.abort();
  };
}

async function search(text: string, ending: AbortSignal): Promise<void> {
  const { narrow } = readSearchText(text, searchNames);
  if (narrow.length === 0) return;
  try {
    const range = { anchor: "newest", num_before: most, num_after: 0 };
    const asked = { narrow: narrowParameter(narrow), ...range, client_gravatar: true };
    const { messages } = await read(
      "/messages",
      { ...asked, allow_empty_topic_name: true },
      ending,
    );
    if (!ending.aborted) hits.value = { text, messages: messages.toReversed() };
  } catch (error) {
    if (!(error instanceof Refusal) && !ending.aborted) throw error;
  }
}
