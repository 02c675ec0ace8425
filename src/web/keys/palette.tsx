import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { isComposing } from "../parts/composing";
import { newestHits, searchSoon } from "../store/newest-hits";
import { shownKind } from "../store/place";
import { openRecent } from "../store/recent";
import { searchFor } from "../store/search-text";
import { openTopics } from "../store/topics";
import { keyWords } from "../words/keys";
import { type Destination, destinationsFor, messageToGoTo, searchToRun } from "./destinations";
import { closeOverlay } from "./overlay";
import { OverlayDialog } from "./overlay-dialog";

const shownMax = 12;
const listId = "palette-list";
const optionId = (index: number) => `palette-${index}`;

/** Calls a function after the palette has closed and returned the focus. */
function choose(run: () => void): void {
  document.querySelector<HTMLDialogElement>("dialog.palette")?.close();
  closeOverlay();
  run();
}

/**
 * The lines of the palette for a text: places and commands, then a search of all messages for it,
 * and below that the newest hits when they have arrived, so that the lines above do not move while
 * one is being chosen.
 */
function linesFor(text: string): readonly Destination[] {
  const places = destinationsFor(text, shownMax);
  if (text.trim() === "") return places;
  const search = searchToRun(text.trim(), () => void searchFor(text));
  return [...places, search, ...newestHits(text).map(messageToGoTo)];
}

/** The palette: a field that finds places, commands and messages. */
export function Palette() {
  const [text, setText] = useState("");
  const [index, setIndex] = useState(0);
  useEffect(() => {
    openRecent();
    const kind = shownKind();
    if (kind && "channelId" in kind) void openTopics(kind.channelId);
  }, []);
  useEffect(() => searchSoon(text), [text]);
  const lines = linesFor(text);
  const chosen = Math.min(index, Math.max(lines.length - 1, 0));
  useLayoutEffect(() => {
    document.getElementById(optionId(chosen))?.scrollIntoView({ block: "nearest" });
  }, [chosen]);
  const onKey = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by !== undefined) setIndex((chosen + by + lines.length) % Math.max(lines.length, 1));
    else if (event.key !== "Enter") return;
    event.preventDefault();
    const line = lines[chosen];
    if (by === undefined && line) choose(line.run);
  };
  return (
    <OverlayDialog name={keyWords.palette} form="palette">
      <input
        type="text"
        role="combobox"
        aria-label={keyWords.palette}
        aria-expanded={lines.length > 0}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={lines.length > 0 ? optionId(chosen) : undefined}
        placeholder={keyWords.paletteHint}
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          setIndex(0);
        }}
        onKeyDown={onKey}
      />
      <div id={listId} class="found" role="listbox" aria-label={keyWords.palette}>
        {lines.map((destination, at) => (
          <Option
            key={destination.key}
            destination={destination}
            at={at}
            isChosen={at === chosen}
          />
        ))}
      </div>
    </OverlayDialog>
  );
}

interface OptionProps {
  destination: Destination;
  at: number;
  isChosen: boolean;
}

const Option = ({ destination, at, isChosen }: OptionProps) => (
  // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys.
  // biome-ignore lint/a11y/useFocusableInteractive: the field above keeps the focus.
  <div
    id={optionId(at)}
    class="line"
    role="option"
    aria-selected={isChosen}
    onClick={() => choose(destination.run)}
  >
    {destination.mark()}
    <span class="name">
      <bdi>{destination.name}</bdi>
    </span>
    {destination.where?.()}
  </div>
);
