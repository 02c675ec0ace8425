import { type Signal, signal } from "@preact/signals";
import { me } from "./state";

/* Choices of the person that this browser keeps, because the protocol has no setting for them. */

/** A choice among words that is stored in the browser. An unknown word counts as the first one. */
function kept<Word extends string>(name: string, words: readonly [Word, ...Word[]]): Signal<Word> {
  const key = `chatd choice ${me.value} ${name}`;
  const choice = signal(words.find((word) => word === stored(key)) ?? words[0]);
  choice.subscribe((word) => store(key, word));
  return choice;
}

/** A browser may have no storage. Then choices last as long as the page. */
function stored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function store(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    return;
  }
}

/** Whether keys without Ctrl or Alt run commands (WCAG 2.2, 2.1.4). */
export const singleKeys = kept("single keys", ["on", "off"]);

/** Whether people are listed beside the messages, if there is room. */
export const peopleBeside = kept("people", ["shown", "hidden"]);

/** Whether the inbox suggests first steps, as long as the person is new. */
export const firstSteps = kept("first steps", ["shown", "hidden"]);

const foldedKey = () => `chatd choice ${me.value} folded`;

/** Keys of the folded sections of the rail. */
export const folded = signal<ReadonlySet<string>>(
  new Set((stored(foldedKey()) ?? "").split("\n").filter((key) => key !== "")),
);

/** Folds or unfolds a section of the rail. */
export function toggleFolded(section: string): void {
  const others = [...folded.value].filter((key) => key !== section);
  folded.value = new Set(folded.value.has(section) ? others : [...others, section]);
  store(foldedKey(), [...folded.value].join("\n"));
}
