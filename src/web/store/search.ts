import { batch, signal } from "@preact/signals";
import type { Narrow } from "../model/narrow";
import { everything, kindOf, namedNarrow } from "../model/narrow-kind";
import { fragmentOf } from "./names";
import { fragment, place, pushPlace, replacePlace } from "./place";
import { me } from "./state";

/** Fragment at which the field was opened; it is closed where the address leads elsewhere. */
const openedAt = signal<string | undefined>(undefined);
/** State of the entry of the history whose results were searched here, from the entry before it. */
const searchedHere = "searched here";

/** Number of times that the field was asked for: each time it takes the focus. */
export const searchAsked = signal(0);

/** Whether results are shown: messages of a narrow that has no name of its own. */
export function areResults(): boolean {
  const { view, narrow } = place.value;
  return (
    view === "messages" &&
    kindOf(narrow).kind === "search" &&
    namedNarrow(narrow, me.value) === undefined
  );
}

/** Whether the field stands in the head: results are shown, or it was opened. */
export const isSearching = (): boolean => areResults() || openedAt.value === fragment.value;

/**
 * Opens the field, to search among the messages that are shown. The address may have changed already,
 * as Back does, when the page has yet to follow: then the field stays open.
 */
export function openSearch(): void {
  openedAt.value = location.hash;
  searchAsked.value += 1;
}

/**
 * Closes the field; results lead back to where the search began, to the pixel. Results of a link
 * lead to the conversation in which they were searched, because another site may be behind them.
 */
export function closeSearch(): void {
  openedAt.value = undefined;
  if (!areResults()) return;
  if (history.state === searchedHere) history.back();
  else replacePlace(fragmentOf(conversationIn(place.value.narrow)));
}

/** The conversation, or the channel, among whose messages a narrow searches; else everything. */
function conversationIn(narrow: Narrow): Narrow {
  const places = narrow.filter(
    ({ operator, negated }) => !negated && ["channel", "topic", "dm"].includes(operator),
  );
  return kindOf(places).kind === "search" ? everything : places;
}

/** Shows results; those of further searches take their place, so that Back leads behind all. */
export function showResults(narrow: Narrow): void {
  const hash = fragmentOf(narrow);
  batch(() => {
    openedAt.value = undefined;
    if (areResults()) replacePlace(hash);
    else pushPlace(hash, searchedHere);
  });
}
