import { signal } from "@preact/signals";
import type { Narrow, Term } from "../model/narrow";
import { fragmentOf } from "./names";
import { fragment, place, replacePlace } from "./place";

/** Fragment at which the field was opened; it is closed where the address leads elsewhere. */
const openedAt = signal<string | undefined>(undefined);
/** State of the entry of the history whose results were searched here, from the entry before it. */
const searchedHere = "searched here";

/** Number of times that the field was asked for: each time it takes the focus. */
export const searchAsked = signal(0);

const isSearch = ({ operator }: Term): boolean => operator === "search";

/** Words that the place is found by, and the messages among which it looks for them. */
export function searchOf(narrow: Narrow): { text: string; among: Narrow } {
  const term = narrow.find(isSearch);
  const text = term?.operator === "search" ? term.operand : "";
  return { text, among: narrow.filter((one) => !isSearch(one)) };
}

const isResult = (): boolean => searchOf(place.value.narrow).text !== "";

/** Whether the field stands in the head: results are shown, or it was opened. */
export const isSearching = (): boolean => isResult() || openedAt.value === fragment.value;

/** Opens the field, to search among the messages that are shown. */
export function openSearch(): void {
  openedAt.value = fragment.value;
  searchAsked.value += 1;
}

/**
 * Closes the field; results lead back to where the search began, to the pixel. Results of a link
 * lead to the messages that were searched, because another site may be behind them.
 */
export function closeSearch(): void {
  openedAt.value = undefined;
  if (!isResult()) return;
  if (history.state === searchedHere) history.back();
  else replacePlace(fragmentOf(searchOf(place.value.narrow).among));
}

/** Searches for words; further searches take the place of the first, so that Back leads behind all. */
export function searchFor(text: string, among: Narrow): void {
  const sought = text.trim();
  if (sought === "") return;
  const hash = fragmentOf([...among, { operator: "search", operand: sought, negated: false }]);
  openedAt.value = undefined;
  if (isResult()) {
    replacePlace(hash);
    return;
  }
  location.hash = hash;
  history.replaceState(searchedHere, "");
}
