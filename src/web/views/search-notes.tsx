import type { Narrow, Term } from "../model/narrow";
import { feedOf, restart } from "../store/feeds";
import { place } from "../store/place";
import { areResults } from "../store/search";
import { misreadHere, searchFor, textOfNarrow } from "../store/search-text";
import { searchWords } from "../words/search";
import { words } from "../words/words";

const isOfPlace = ({ operator, negated }: Term): boolean =>
  !negated && ["channel", "topic", "dm"].includes(operator);

/** The way from results in a conversation to those of all messages. */
export function SearchScope() {
  const narrow: Narrow = areResults() ? place.value.narrow : [];
  const others = narrow.filter((term) => !isOfPlace(term));
  if (others.length === 0 || others.length === narrow.length) return null;
  const search = (button: HTMLElement) => {
    // The button goes, and the field has the text of what is found.
    button.closest(".search")?.querySelector("input")?.focus();
    searchFor(textOfNarrow(others));
  };
  return (
    <button type="button" class="chip" onClick={({ currentTarget }) => search(currentTarget)}>
      {searchWords.everywhere}
    </button>
  );
}

/** Lines above results: parts that were not understood, and that newest messages may be missing. */
export function SearchNotes() {
  const misread = misreadHere();
  const feed = feedOf(place.value.narrow);
  if (misread.length === 0 && !feed?.isIncomplete) return null;
  return (
    <div class="lost" role="status">
      {misread.length > 0 && (
        <p>
          {searchWords.misreadAll(
            misread.map(({ obstacle, typed }) => searchWords.misread[obstacle](typed)),
          )}
        </p>
      )}
      {feed?.isIncomplete && (
        <p>
          {searchWords.incomplete}{" "}
          <button type="button" class="chip" onClick={() => restart(feed, "newest")}>
            {words.tryAgain}
          </button>
        </p>
      )}
    </div>
  );
}
