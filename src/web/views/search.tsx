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

/**
 * The last request that has focused the field. A field that is drawn later does not take the focus
 * again.
 */
let focusTaken = 0;

/** The text of the field, and the caret in it. */
interface Typed {
  readonly text: string;
  readonly caret: number;
}

/** The search field, with suggestions below it. */
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

/** The text of the present view, followed by a blank for a search in it. */
function textHere(): Typed {
  const text = textOfNarrow(narrowHere());
  const begun = text === "" || areResults() ? text : `${text} `;
  return { text: begun, caret: begun.length };
}

/** The state of the field, and its actions. */
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

/** The text after a suggestion was chosen, with the caret behind it. */
function typedAfter({ text: before }: Typed, { from, to, text }: Suggestion): Typed {
  const whole = before.slice(0, from) + text + before.slice(to);
  const end = from + text.length;
  return { text: whole, caret: whole[end] === " " ? end + 1 : end };
}

const typedIn = ({ value, selectionStart }: HTMLInputElement): Typed => ({
  text: value,
  caret: selectionStart ?? value.length,
});

/**
 * The meaning of a key: a chosen suggestion, the index of a suggestion to move to, or an action.
 */
type Meaning = Suggestion | number | "open" | "fold" | "close" | "search";

interface Shown {
  readonly suggestions: readonly Suggestion[];
  readonly index: number;
  /** Whether something was typed since a suggestion was chosen. */
  readonly hasTyped: boolean;
  /** Whether the text differs from that of the place. */
  readonly isChanged: boolean;
}

/** The meaning of a key. The key then has no other effect. */
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
      // If nothing was typed, Tab moves the focus to the next element, as everywhere.
      return shiftKey || (index < 0 && !hasTyped) ? undefined : suggestions[Math.max(index, 0)];
    case "Escape":
      return length > 0 && (isChanged || index >= 0) ? "fold" : "close";
    default:
      return undefined;
  }
}

/** When the field is left, results stay. Without results, the field closes. */
function leaveField(field: HTMLInputElement | null): void {
  const feed = document.querySelector<HTMLElement>(".conversation .feed");
  if (areResults() && feed && document.activeElement === field) feed.focus({ preventScroll: true });
  else closeSearch();
}

/**
 * Focuses the field on request; above results with its text selected, so that another search can be
 * typed at once. If the field is removed with the focus, focuses the view.
 */
function useFocus(field: Field, open: () => void): void {
  const asked = searchAsked.value;
  // Results that were opened by a link do not change the focus.
  useLayoutEffect(() => {
    if (asked > focusTaken) {
      field.current?.focus();
      if (areResults()) field.current?.select();
      open();
    }
    focusTaken = asked;
  }, [asked]);
  useLayoutEffect(
    () => () => {
      const search = field.current?.closest(".search");
      const hasFocus = search?.contains(document.activeElement) || isFocusFree();
      // By then the view that replaces the results is drawn.
      if (hasFocus) queueMicrotask(focusView);
    },
    [field],
  );
}

/**
 * Focuses the field if it is drawn again above results; otherwise the messages of the view, or the
 * line of its list to which Tab leads.
 */
function focusView(): void {
  if (!isFocusFree()) return;
  const parts = [".search .field", ".feed", ".pane .line[tabindex='0']"];
  const first = document.querySelector<HTMLElement>(
    parts.map((part) => `.conversation ${part}`).join(),
  );
  first?.focus({ preventScroll: true });
}

/** Takes over the text of another place when the address changes. */
function useFragment(take: () => void): void {
  const here = fragment.value;
  const shown = useRef(here);
  useLayoutEffect(() => {
    if (shown.current !== here) take();
    shown.current = here;
  }, [here]);
}

/** Sets the caret after the text was changed other than by typing. */
function useCaret(field: Field, { text, caret }: Typed): void {
  useLayoutEffect(() => {
    if (document.activeElement === field.current) field.current?.setSelectionRange(caret, caret);
  }, [text, caret]);
}

/** Loads the topics of the channel that the text names. */
function useTopics(text: string): void {
  const channelId = channelOfText(text);
  useEffect(() => {
    if (channelId !== undefined) void openTopics(channelId);
  }, [channelId]);
}
