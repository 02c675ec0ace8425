import type { Narrow } from "../model/narrow";
import { readFragment } from "../model/narrow";
import { withStorage } from "./kept-rows";
import { fragmentOf, names } from "./names";
import { me } from "./state";

const most = 20;
const storageKey = (): string => `chatd searches ${me.value}`;

/** The fragments of the person's latest searches in this browser, the latest first. */
function keptFragments(): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(storageKey()) ?? "[]");
    return Array.isArray(kept) ? kept.filter((one) => typeof one === "string") : [];
  } catch {
    return [];
  }
}

/** The person's latest searches, with the present names of channels and people. */
export const keptSearches = (): readonly Narrow[] =>
  keptFragments().flatMap((fragment) => {
    const narrow = readFragment(fragment, names);
    return narrow ? [narrow] : [];
  });

/** Stores a search. Nothing is stored if the browser has no storage, or it is full. */
export function keepSearch(narrow: Narrow): void {
  const fragment = fragmentOf(narrow);
  const others = keptFragments().filter((one) => one !== fragment);
  try {
    localStorage.setItem(storageKey(), JSON.stringify([fragment, ...others].slice(0, most)));
  } catch {
    return;
  }
}

/** Removes the person's latest searches from this browser. */
export const forgetSearches = (): void =>
  void withStorage(() => localStorage.removeItem(storageKey()));
