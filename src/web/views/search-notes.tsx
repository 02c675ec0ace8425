import type { Narrow, Term } from "../model/narrow";
import { feedOf, restart } from "../store/feeds";
import { place } from "../store/place";
import { areResults } from "../store/search";
import { misreadHere, searchFor, textOfNarrow } from "../store/search-text";
import { searchWords } from "../words/search";
import { words } from "../words/words";

const isOfPlace = ({ operator, negated }: Term): boolean =>
  !negated && ["channel", "topic", "dm"].includes(operator);

/**
 * Moves the focus from a button that disappears to the field, which has the text of the results.
 */
const focusField = () =>
  document.querySelector<HTMLElement>(".conversation .search .field")?.focus();

/** A link from the results in a conversation to the results in all messages. */
export function SearchScope() {
  const narrow: Narrow = areResults() ? place.value.narrow : [];
  const others = narrow.filter((term) => !isOfPlace(term));
  if (others.length === 0 || others.length === narrow.length) return null;
  const search = () => {
    focusField();
    searchFor(textOfNarrow(others));
  };
  return (
    <button type="button" class="chip" onClick={search}>
      {searchWords.everywhere}
    </button>
  );
}

/**
 * Lines above the results: parts that were not understood, and that the newest messages may be
 * missing.
 */
export function SearchNotes() {
  const misread = misreadHere();
  const feed = feedOf(place.value.narrow);
  const searchAgain = () => {
    focusField();
    if (feed) restart(feed, "newest");
  };
  if (misread.length === 0 && !feed?.isIncomplete) return null;
  return (
    <div class="lost" role="status">
      {misread.length > 0 && (
        <p>
          {searchWords.misreadAll(
            misread.map(({ reason, typed }) => searchWords.misread[reason](typed)),
          )}
        </p>
      )}
      {feed?.isIncomplete && (
        <p>
          {searchWords.incomplete}{" "}
          <button type="button" class="chip" onClick={searchAgain}>
            {words.tryAgain}
          </button>
        </p>
      )}
    </div>
  );
}
