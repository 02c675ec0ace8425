import { batch, signal } from "@preact/signals";
import type { Narrow } from "../model/narrow";
import { everything, kindOf, namedNarrow } from "../model/narrow-kind";
import { fragmentOf } from "./names";
import { fragment, place, pushPlace, replacePlace } from "./place";
import { me } from "./state";

/** The fragment at which the field was opened. The field is closed when the address changes. */
const openedAt = signal<string | undefined>(undefined);
/** The state of a history entry whose results were searched from the entry before it. */
const searchedHere = "searched here";

/** Changes each time when the field should take the focus. */
export const searchAsked = signal(0);

/** Whether results are shown, that is, messages of a narrow that has no name of its own. */
export function areResults(): boolean {
  const { view, narrow } = place.value;
  return (
    view === "messages" &&
    kindOf(narrow).kind === "search" &&
    namedNarrow(narrow, me.value) === undefined
  );
}

/** Whether the search field is shown: results are shown, or it was opened. */
export const isSearching = (): boolean => areResults() || openedAt.value === fragment.value;

/**
 * Opens the field, to search among the messages that are shown. After Back, the address may have
 * changed before the page. Then the field stays open.
 */
export function openSearch(): void {
  openedAt.value = location.hash;
  searchAsked.value += 1;
}

/**
 * Closes the field. From results, it leads back to the place and scroll position at which the
 * search began. Results that were opened by a link lead to the conversation that was searched,
 * because the history may lead to another site.
 */
export function closeSearch(): void {
  openedAt.value = undefined;
  if (!areResults()) return;
  if (history.state === searchedHere) history.back();
  else replacePlace(fragmentOf(conversationIn(place.value.narrow)));
}

/** The conversation or the channel in which a narrow searches; otherwise all messages. */
function conversationIn(narrow: Narrow): Narrow {
  const places = narrow.filter(
    ({ operator, negated }) => !negated && ["channel", "topic", "dm"].includes(operator),
  );
  return kindOf(places).kind === "search" ? everything : places;
}

/**
 * Shows results. Results of further searches replace them in the history, so that Back leaves all
 * of them.
 */
export function showResults(narrow: Narrow): void {
  const hash = fragmentOf(narrow);
  batch(() => {
    openedAt.value = undefined;
    if (areResults()) replacePlace(hash);
    else pushPlace(hash, searchedHere);
  });
}
