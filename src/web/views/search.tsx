import { useLayoutEffect, useRef } from "preact/hooks";
import type { Narrow } from "../model/narrow";
import { kindOf } from "../model/narrow-kind";
import { isComposing } from "../parts/composing";
import { Icon } from "../parts/icon";
import { channelName, directName, topicName } from "../store/names";
import { place } from "../store/place";
import { closeSearch, searchAsked, searchFor, searchOf } from "../store/search";
import { words } from "../words/words";

/** Times that the field was given the focus: one that is drawn later does not take it again. */
let focusTaken = 0;

/** The field for the words of a search. */
export function SearchField() {
  const field = useRef<HTMLInputElement>(null);
  const { text, among } = searchOf(place.value.narrow);
  const asked = searchAsked.value;
  // Results of a link leave the focus where it is.
  useLayoutEffect(() => {
    if (asked > focusTaken) field.current?.select();
    focusTaken = asked;
  }, [asked]);
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || isComposing(event)) return;
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
