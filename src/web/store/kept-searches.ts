import type { Narrow } from "../model/narrow";
import { readFragment } from "../model/narrow";
import { fragmentOf, names } from "./names";
import { me } from "./state";

const most = 20;
const storageKey = (): string => `chatd searches ${me.value}`;

/** Fragments of the person's latest searches in this browser, the latest first. */
function keptFragments(): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(storageKey()) ?? "[]");
    return Array.isArray(kept) ? kept.filter((one) => typeof one === "string") : [];
  } catch {
    return [];
  }
}

/** The person's latest searches, as channels and people are named now. */
export const keptSearches = (): readonly Narrow[] =>
  keptFragments().flatMap((fragment) => {
    const narrow = readFragment(fragment, names);
    return narrow ? [narrow] : [];
  });

/** Keeps a search; a browser may have no storage, or none left: then nothing is kept. */
export function keepSearch(narrow: Narrow): void {
  const fragment = fragmentOf(narrow);
  const others = keptFragments().filter((one) => one !== fragment);
  try {
    localStorage.setItem(storageKey(), JSON.stringify([fragment, ...others].slice(0, most)));
  } catch {
    return;
  }
}
