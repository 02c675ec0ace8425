import { useEffect, useMemo, useState } from "preact/hooks";
import { rankedBy } from "../model/ranking";
import { isComposing } from "../parts/composing";
import { shownKind } from "../store/place";
import { openRecent } from "../store/recent";
import { searchFor } from "../store/search-text";
import { openTopics } from "../store/topics";
import { words } from "../words/words";
import { type Destination, destinations } from "./destinations";
import { closeOverlay } from "./overlay";
import { OverlayDialog } from "./overlay-dialog";

const shownMax = 12;
const listId = "palette-list";
const optionId = (index: number) => `palette-${index}`;

/** Runs something after the palette has gone and given the focus back. */
function choose(run: () => void): void {
  document.querySelector<HTMLDialogElement>("dialog.palette")?.close();
  closeOverlay();
  run();
}

/** The palette: a field that finds channels, topics, people and commands by their names. */
export function Palette() {
  const [text, setText] = useState("");
  const [index, setIndex] = useState(0);
  useEffect(() => {
    openRecent();
    const kind = shownKind();
    if (kind && "channelId" in kind) void openTopics(kind.channelId);
  }, []);
  const all = destinations();
  const found = useMemo(() => rankedBy(all, text, shownMax), [text, all.length]);
  const chosen = Math.min(index, Math.max(found.length - 1, 0));
  const onKey = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by !== undefined) {
      event.preventDefault();
      setIndex((chosen + by + found.length) % Math.max(found.length, 1));
    }
    if (event.key !== "Enter") return;
    event.preventDefault();
    const destination = found[chosen];
    choose(destination ? destination.run : () => void searchFor(text));
  };
  return (
    <OverlayDialog name={words.keys.palette} form="palette">
      <input
        type="text"
        role="combobox"
        aria-label={words.keys.palette}
        aria-expanded={found.length > 0}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={found.length > 0 ? optionId(chosen) : undefined}
        placeholder={words.keys.paletteHint}
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          setIndex(0);
        }}
        onKeyDown={onKey}
      />
      <div id={listId} class="found" role="listbox" aria-label={words.keys.palette}>
        {found.map((destination, at) => (
          <Option
            key={destination.key}
            destination={destination}
            at={at}
            isChosen={at === chosen}
          />
        ))}
      </div>
      {found.length === 0 && <p>{words.keys.paletteEmpty}</p>}
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
    <span class="name" dir="auto">
      {destination.name}
    </span>
    {destination.where?.()}
  </div>
);
