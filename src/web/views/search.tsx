import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Suggestion } from "../model/search-suggestions";
import { isComposing } from "../parts/composing";
import { isFocusFree } from "../parts/focus-free";
import { Icon } from "../parts/icon";
import { fragment } from "../store/place";
import { areResults, closeSearch, searchAsked } from "../store/search";
import { channelOfText, narrowHere, searchFor, textOfNarrow } from "../store/search-text";
import { openTopics } from "../store/topics";
import { searchWords } from "../words/search";
import { words } from "../words/words";
import { SearchScope } from "./search-notes";
import { optionId, Suggestions, suggestionsId, suggestionsOf } from "./search-suggestions";

/** Times that the field was given the focus: one that is drawn later does not take it again. */
let focusTaken = 0;

/** The text of the field, and the place in it where somebody types. */
interface Typed {
  readonly text: string;
  readonly caret: number;
}

/** The field of a search, with suggestions below it. */
export const SearchField = () => (
  <search class="search">
    <h1 class="visually-hidden">{words.searchResults}</h1>
    <SearchInput />
    <SearchScope />
    <button
      type="button"
      class="tool"
      title={words.close}
      aria-label={words.close}
      onClick={closeSearch}
    >
      <Icon name="close" />
    </button>
  </search>
);

/** The text of what is shown; a search in it begins behind a blank. */
function textHere(): Typed {
  const text = textOfNarrow(narrowHere());
  const begun = text === "" || areResults() ? text : `${text} `;
  return { text: begun, caret: begun.length };
}

/** The state of the field, and what is done with it. */
function useField(field: Field) {
  const [typed, setTyped] = useState(textHere);
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const [hasTyped, setHasTyped] = useState(false);
  const suggestions = isOpen ? suggestionsOf(typed.text, typed.caret) : [];
  const index = Math.min(active, suggestions.length - 1);
  const write = (next: Typed, isByHand: boolean) => {
    setTyped(next);
    setActive(-1);
    setHasTyped(isByHand);
  };
  const search = (text: string) => {
    setOpen(false);
    if (searchFor(text)) write(textHere(), false);
  };
  const take = (suggestion: Suggestion) => {
    const next = typedAfter(typed, suggestion);
    write(next, false);
    if (suggestion.about.kind === "recent") search(next.text);
  };
  const act = (meaning: Meaning) => {
    if (meaning === "open" || meaning === "fold") setOpen(meaning === "open");
    else if (meaning === "close") leaveField(field.current);
    else if (meaning === "search") search(typed.text);
    else if (typeof meaning === "number") setActive(meaning);
    else take(meaning);
  };
  useFocus(field, () => setOpen(true));
  useFragment(() => write(textHere(), false));
  useCaret(field, typed);
  useTopics(typed.text);
  return {
    typed,
    suggestions,
    index,
    take,
    onInput: (input: HTMLInputElement) => {
      write(typedIn(input), true);
      setOpen(true);
    },
    onClick: (input: HTMLInputElement) => {
      setTyped(typedIn(input));
      setOpen(true);
    },
    onBlur: () => setOpen(false),
    onKey: (event: KeyboardEvent) => {
      const isChanged = typed.text !== textHere().text;
      const meaning = heard(event, { suggestions, index, hasTyped, isChanged });
      if (meaning !== undefined) act(meaning);
    },
  };
}

type Field = { current: HTMLInputElement | null };

function SearchInput() {
  const field = useRef<HTMLInputElement>(null);
  const { typed, suggestions, index, take, onInput, onClick, onBlur, onKey } = useField(field);
  const isOpen = suggestions.length > 0;
  return (
    <div class="choice">
      <input
        ref={field}
        class="field"
        role="combobox"
        enterkeyhint="search"
        dir="auto"
        autocomplete="off"
        spellcheck={false}
        aria-label={searchWords.field}
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={isOpen ? suggestionsId : undefined}
        aria-activedescendant={index >= 0 ? optionId(index) : undefined}
        placeholder={searchWords.hint}
        value={typed.text}
        onInput={({ currentTarget }) => onInput(currentTarget)}
        onClick={({ currentTarget }) => onClick(currentTarget)}
        onBlur={onBlur}
        onKeyDown={onKey}
      />
      {isOpen && <Suggestions suggestions={suggestions} active={index} take={take} />}
    </div>
  );
}

/** The text after a suggestion has taken its place in it; the caret stands behind it. */
function typedAfter({ text: before }: Typed, { from, to, text }: Suggestion): Typed {
  const whole = before.slice(0, from) + text + before.slice(to);
  const end = from + text.length;
  return { text: whole, caret: whole[end] === " " ? end + 1 : end };
}

const typedIn = ({ value, selectionStart }: HTMLInputElement): Typed => ({
  text: value,
  caret: selectionStart ?? value.length,
});

/** Meaning of a key: a suggestion that is taken, the number of one that is gone to, or an action. */
type Meaning = Suggestion | number | "open" | "fold" | "close" | "search";

interface Shown {
  readonly suggestions: readonly Suggestion[];
  readonly index: number;
  /** Whether something was typed since a suggestion was taken. */
  readonly hasTyped: boolean;
  /** Whether the text is another one than that of the place. */
  readonly isChanged: boolean;
}

/** The meaning of a key, which has no other then. */
function heard(event: KeyboardEvent, shown: Shown): Meaning | undefined {
  const meaning = isComposing(event) ? undefined : meaningOf(event, shown);
  if (meaning === undefined) return undefined;
  event.preventDefault();
  event.stopPropagation();
  return meaning;
}

function meaningOf(
  { key, shiftKey }: KeyboardEvent,
  { suggestions, index, hasTyped, isChanged }: Shown,
): Meaning | undefined {
  const { length } = suggestions;
  switch (key) {
    case "ArrowDown":
      return length === 0 ? "open" : index + 1 < length ? index + 1 : -1;
    case "ArrowUp":
      return length === 0 ? "open" : index < 0 ? length - 1 : index - 1;
    case "Enter":
      return suggestions[index] ?? "search";
    case "Tab":
      // Without anything typed it leads to what is next, as it does everywhere.
      return shiftKey || (index < 0 && !hasTyped) ? undefined : suggestions[Math.max(index, 0)];
    case "Escape":
      return length > 0 && (isChanged || index >= 0) ? "fold" : "close";
    default:
      return undefined;
  }
}

/** Results keep their place when the field is left; without results it closes. */
function leaveField(field: HTMLInputElement | null): void {
  const feed = document.querySelector<HTMLElement>(".conversation .feed");
  if (areResults() && feed && document.activeElement === field) feed.focus({ preventScroll: true });
  else closeSearch();
}

/** Takes the focus when the field is asked for, and gives it back when it goes with the focus. */
function useFocus(field: Field, open: () => void): void {
  const asked = searchAsked.value;
  // Results of a link leave the focus where it is.
  useLayoutEffect(() => {
    if (asked > focusTaken) {
      field.current?.focus();
      open();
    }
    focusTaken = asked;
  }, [asked]);
  useLayoutEffect(
    () => () => {
      const search = field.current?.closest(".search");
      const hasFocus = search?.contains(document.activeElement) || isFocusFree();
      // The view in place of the results is drawn then.
      if (hasFocus) queueMicrotask(focusView);
    },
    [field],
  );
}

/**
 * Gives the focus to the field that is drawn anew above results, or else to the messages of the
 * view, or to the line of its list that Tab leads to.
 */
function focusView(): void {
  if (!isFocusFree()) return;
  const parts = [".search .field", ".feed", ".pane .line[tabindex='0']"];
  const first = document.querySelector<HTMLElement>(
    parts.map((part) => `.conversation ${part}`).join(),
  );
  first?.focus({ preventScroll: true });
}

/** Takes the text of another place, once the address leads there. */
function useFragment(take: () => void): void {
  const here = fragment.value;
  const shown = useRef(here);
  useLayoutEffect(() => {
    if (shown.current !== here) take();
    shown.current = here;
  }, [here]);
}

/** Puts the caret where it belongs after a text that was not typed. */
function useCaret(field: Field, { text, caret }: Typed): void {
  useLayoutEffect(() => {
    if (document.activeElement === field.current) field.current?.setSelectionRange(caret, caret);
  }, [text, caret]);
}

/** Loads the topics of a channel that is named. */
function useTopics(text: string): void {
  const channelId = channelOfText(text);
  useEffect(() => {
    if (channelId !== undefined) void openTopics(channelId);
  }, [channelId]);
}
