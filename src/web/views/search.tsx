import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Narrow, Term } from "../model/narrow";
import { kindOf } from "../model/narrow-kind";
import { Icon } from "../parts/icon";
import { channelName, directName, fragmentOf, topicName } from "../store/names";
import { type Place, place, replacePlace } from "../store/place";
import { words } from "../words/words";

/** Place in which the field was opened; it is closed where the address leads elsewhere. */
const openedAt = signal<Place | undefined>(undefined);

const isSearch = ({ operator }: Term): boolean => operator === "search";

/** Words that the place is found by, and the messages among which it looks for them. */
function searchOf(narrow: Narrow): { text: string; among: Narrow } {
  const term = narrow.find(isSearch);
  const text = term?.operator === "search" ? term.operand : "";
  return { text, among: narrow.filter((one) => !isSearch(one)) };
}

const isResult = (): boolean => searchOf(place.value.narrow).text !== "";

/** Whether the field stands in the head: results are shown, or it was opened. */
export const isSearching = (): boolean => isResult() || openedAt.value === place.value;

/** Opens the field, to search among the messages that are shown. */
export function openSearch(): void {
  openedAt.value = place.value;
  document.querySelector<HTMLInputElement>(".search input")?.select();
}

/** Closes the field; results lead back to where the search began, to the pixel. */
export function closeSearch(): void {
  openedAt.value = undefined;
  if (isResult()) history.back();
}

/** Searches for words; further searches take the place of the first, so that Back leads behind all. */
export function searchFor(text: string, among: Narrow): void {
  const sought = text.trim();
  if (sought === "") return;
  const hash = fragmentOf([...among, { operator: "search", operand: sought, negated: false }]);
  openedAt.value = undefined;
  if (isResult()) replacePlace(hash);
  else location.hash = hash;
}

/** The field for the words of a search. */
export function SearchField() {
  const field = useRef<HTMLInputElement>(null);
  const { text, among } = searchOf(place.value.narrow);
  useEffect(() => {
    if (text === "") field.current?.focus();
  }, [text]);
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || event.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    closeSearch();
  };
  const where = placeName(among);
  return (
    <search class="search">
      <h1 class="visually-hidden">{words.searchResults}</h1>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          searchFor(field.current?.value ?? "", among);
        }}
      >
        <input
          key={text}
          ref={field}
          class="field"
          type="search"
          enterkeyhint="search"
          aria-label={
            where === undefined ? words.views.searchEverywhere : words.views.searchIn(where)
          }
          placeholder={
            where === undefined ? words.views.searchEverywhere : words.views.searchIn(where)
          }
          defaultValue={text}
          onKeyDown={onKey}
        />
      </form>
      {text !== "" && among.length > 0 && (
        <button type="button" class="chip" onClick={() => searchFor(text, [])}>
          {words.views.everywhere}
        </button>
      )}
      <button
        type="button"
        class="tool"
        title={words.keys.close}
        aria-label={words.keys.close}
        onClick={closeSearch}
      >
        <Icon name="close" />
      </button>
    </search>
  );
}

function placeName(among: Narrow): string | undefined {
  const kind = kindOf(among);
  switch (kind.kind) {
    case "channel":
      return channelName(kind.channelId);
    case "topic":
      return topicName(kind.topic);
    case "direct":
      return directName(kind.userIds);
    default:
      return undefined;
  }
}
