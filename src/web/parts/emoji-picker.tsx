import type { RefObject } from "preact";
import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { usableEmoji } from "../model/custom-emoji";
import { emojiInOrder, type NamedEmoji, searchEmoji } from "../model/emoji-search";
import { loadPart } from "../net/build";
import { type Emoji, frequentEmoji } from "../store/emoji-use";
import { notify } from "../store/notices";
import { organization, emoji as ownEmoji } from "../store/state";
import { words } from "../words/words";
import { isComposing } from "./composing";
import type { PickerProps } from "./emoji-picker-host";
import { EmojiSign } from "./emoji-sign";
import { placeBeside } from "./floating";
import { useLeftPlace } from "./left-place";

/** The number of emoji in a line of the grid, as in the style sheet. */
const columns = 9;
/** The number of emoji that are drawn at first, and added with each scroll to the end. */
const page = 180;

interface Section {
  readonly name: string;
  readonly emoji: readonly Emoji[];
}

/** A picker of emoji: frequently used ones, custom emoji, and all others. */
export function EmojiPicker({ picking, close }: PickerProps) {
  const element = useRef<HTMLDivElement>(null);
  const [typed, setTyped] = useState("");
  const [active, setActive] = useState(0);
  const [shown, setShown] = useState(page);
  const listId = useId();
  const unicode = useUnicode();
  const sections = useMemo(() => sectionsFor(unicode, typed, shown), [unicode, typed, shown]);
  const all = sections.flatMap(({ emoji }) => emoji);
  useOpened(element, picking.anchor, active);
  useLeftPlace(close);
  const pick = (emoji: Emoji | undefined) => {
    if (!emoji) return;
    element.current?.hidePopover();
    picking.pick(emoji);
  };
  const search = (text: string) => {
    setTyped(text);
    setActive(0);
    setShown(page);
  };
  const step = (by: number) => setActive(Math.max(Math.min(active + by, all.length - 1), 0));
  return (
    <div
      ref={element}
      popover="auto"
      class="emoji-picker"
      role="dialog"
      aria-label={words.actions.pickEmoji}
      onToggle={(event) => {
        if (event.newState === "closed") close();
      }}
    >
      <Search
        listId={listId}
        active={all.length > 0 ? active : undefined}
        typed={typed}
        search={search}
        step={step}
        pick={() => pick(all[active])}
      />
      <div
        id={listId}
        class="list"
        role="listbox"
        aria-label={words.actions.emoji}
        onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
          if (scrollHeight - scrollTop < 2 * clientHeight) setShown(shown + page);
        }}
      >
        <Sections sections={sections} listId={listId} active={active} pick={pick} />
      </div>
      <p class="name" role="status">
        {all.length === 0 ? words.actions.noEmoji : `:${all[active]?.emoji_name}:`}
      </p>
    </div>
  );
}

let loaded: readonly NamedEmoji[] = [];

/** Unicode emoji; empty until their table is loaded, which the rest of the page does not need. */
function useUnicode(): readonly NamedEmoji[] {
  const [unicode, setUnicode] = useState(loaded);
  useEffect(() => {
    if (loaded.length > 0) return;
    loadPart(() => import("./emoji-names")).then(
      ({ emojiNames }) => {
        loaded = emojiInOrder(emojiNames);
        setUnicode(loaded);
      },
      () => notify(words.actions.partIsGone),
    );
  }, []);
  return unicode;
}

/** Opens the picker beside its anchor, and scrolls to the active emoji. */
function useOpened(
  element: RefObject<HTMLDivElement | null>,
  anchor: HTMLElement,
  active: number,
): void {
  useLayoutEffect(() => {
    const { current } = element;
    if (!current) return;
    const rectangle = anchor.getBoundingClientRect();
    current.showPopover();
    placeBeside(current, rectangle);
    current.querySelector("input")?.focus();
  }, [anchor]);
  useLayoutEffect(() => {
    element.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [active]);
}

interface SearchProps {
  listId: string;
  /** The index of the emoji that Enter picks; undefined if there is none. */
  active: number | undefined;
  typed: string;
  search: (text: string) => void;
  step: (by: number) => void;
  pick: () => void;
}

/** The search field. Arrow keys move among the emoji, and Enter picks one. */
function Search({ listId, active, typed, search, step, pick }: SearchProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (isComposing(event)) return;
    const by = steps[event.key];
    if (event.key === "Enter") pick();
    else if (by !== undefined) step(by);
    else return;
    event.preventDefault();
  };
  return (
    <input
      type="text"
      class="field"
      role="combobox"
      aria-expanded="true"
      aria-autocomplete="list"
      aria-controls={listId}
      aria-activedescendant={active === undefined ? undefined : `${listId}-${active}`}
      aria-label={words.actions.searchEmoji}
      placeholder={words.actions.searchEmoji}
      autocomplete="off"
      value={typed}
      onInput={({ currentTarget }) => search(currentTarget.value)}
      onKeyDown={onKeyDown}
    />
  );
}

const steps: Readonly<Record<string, number>> = {
  ArrowDown: columns,
  ArrowUp: -columns,
  ArrowRight: 1,
  ArrowLeft: -1,
};

interface SectionsProps {
  sections: readonly Section[];
  listId: string;
  /** The index of the emoji that Enter picks. */
  active: number;
  pick: (emoji: Emoji) => void;
}

function Sections({ sections, listId, active, pick }: SectionsProps) {
  let number = -1;
  return (
    <>
      {sections.map(({ name, emoji }) => (
        // biome-ignore lint/a11y/useSemanticElements: a list of options has no fields.
        <div key={name} role="group" aria-label={name}>
          <p aria-hidden="true" dir="auto">
            {name}
          </p>
          <div class="grid" role="presentation">
            {emoji.map((one) => {
              number += 1;
              const isActive = number === active;
              return (
                <button
                  type="button"
                  key={`${one.reaction_type} ${one.emoji_code}`}
                  id={`${listId}-${number}`}
                  role="option"
                  aria-selected={isActive}
                  tabIndex={-1}
                  title={`:${one.emoji_name}:`}
                  aria-label={one.emoji_name}
                  onClick={() => pick(one)}
                >
                  <EmojiSign emoji={one} />
                </button>
              );
            })}
          </div>
        </div>
      ))}
    </>
  );
}

const reactionOf = ({ code, names: [emoji_name = ""], isOwn }: NamedEmoji): Emoji => ({
  emoji_name,
  emoji_code: code,
  reaction_type: isOwn ? "realm_emoji" : "unicode_emoji",
});

const keyOfEmoji = ({ reaction_type, emoji_code }: Emoji): string =>
  `${reaction_type} ${emoji_code}`;

/** The sections of the list for the typed text, with a limited number of emoji. */
function sectionsFor(
  unicode: readonly NamedEmoji[],
  typed: string,
  shownMax: number,
): readonly Section[] {
  const own = usableEmoji(ownEmoji.value).map(({ id, name }) => ({
    code: id,
    names: [name],
    isOwn: true,
  }));
  if (typed.trim() !== "") {
    const usual = new Set(frequentEmoji().map(keyOfEmoji));
    const isUsual = (emoji: NamedEmoji) => usual.has(keyOfEmoji(reactionOf(emoji)));
    const found = searchEmoji([...own, ...unicode], typed, isUsual).slice(0, shownMax);
    return found.length === 0 ? [] : [{ name: words.actions.emoji, emoji: found.map(reactionOf) }];
  }
  return [
    { name: words.actions.oftenUsed, emoji: frequentEmoji() },
    { name: organization.value.name, emoji: own.map(reactionOf) },
    { name: words.actions.allEmoji, emoji: unicode.slice(0, shownMax).map(reactionOf) },
  ].filter(({ emoji }) => emoji.length > 0);
}
