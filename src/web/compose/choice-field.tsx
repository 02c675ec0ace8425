import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";
import { isComposing } from "../parts/composing";
import type { Match } from "./matching";
import { useChosenInSight, useRoomAbove } from "./offers-in-sight";

/** An entry that can be chosen in a field of the recipient. */
export interface Choice {
  readonly key: string;
  readonly name: string;
  readonly match: Match;
  readonly sign: ComponentChildren;
}

interface Props {
  label: string;
  /** Text in the empty field; the label, if it is absent. */
  placeholder?: string | undefined;
  value: string;
  choices: readonly Choice[];
  onInput(text: string): void;
  onChoose(choice: Choice): void;
  /** Called for Backspace when there is no character before the caret. */
  onBackspace?(): void;
  /** Called for Enter when it chooses nothing. */
  onDone(): void;
  /** Whether only offered entries can be chosen. Then Enter chooses the first match. */
  isStrict?: boolean;
}

/** A text field with a list of matching entries. */
export function ChoiceField(props: Props) {
  const { label, placeholder = label, value, choices, onInput, onChoose } = props;
  const { onBackspace, onDone, isStrict } = props;
  const id = useId();
  const first = isStrict ? 0 : -1;
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(first);
  const isShown = isOpen && choices.length > 0;
  const index = Math.min(active, choices.length - 1);
  const choose = (choice: Choice) => {
    onChoose(choice);
    setOpen(false);
    setActive(first);
  };
  const onKey = (event: KeyboardEvent & { readonly currentTarget: HTMLInputElement }) => {
    if (isComposing(event)) return;
    const isMeant = isStrict ? active > 0 || value !== "" : active >= 0;
    const chosen = isShown && isMeant ? choices[index] : undefined;
    const isStep = event.key === "ArrowDown" || event.key === "ArrowUp";
    if (isStep && isShown)
      setActive(next(index, event.key === "ArrowDown" ? 1 : -1, choices.length));
    else if (isStep) setOpen(true);
    else if (event.key === "Escape" && isShown) setOpen(false);
    else if (event.key === "Enter" && chosen) choose(chosen);
    else if (event.key === "Enter") onDone();
    else if (event.key === "Backspace" && event.currentTarget.value === "" && onBackspace)
      onBackspace();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <span class="choice">
      <input
        dir="auto"
        role="combobox"
        value={value}
        placeholder={placeholder}
        aria-label={label}
        aria-autocomplete="list"
        aria-expanded={isShown}
        aria-controls={isShown ? id : undefined}
        aria-activedescendant={isShown && index >= 0 ? `${id}-${index}` : undefined}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onInput={({ currentTarget }) => {
          setOpen(true);
          setActive(first);
          onInput(currentTarget.value);
        }}
        onKeyDown={onKey}
      />
      {isShown && <ChoiceList {...{ id, label, choices, index, choose }} />}
    </span>
  );
}

/** The next index in a list, which wraps around; -1 is before the first. */
const next = (index: number, step: 1 | -1, length: number): number =>
  index < 0 && step < 0 ? length - 1 : (index + step + length) % length;

interface ListProps {
  id: string;
  label: string;
  choices: readonly Choice[];
  index: number;
  choose(choice: Choice): void;
}

function ChoiceList({ id, label, choices, index, choose }: ListProps) {
  useChosenInSight(index < 0 ? undefined : `${id}-${index}`);
  return (
    <div ref={useRoomAbove()} class="offers" id={id} role="listbox" aria-label={label}>
      {choices.map((choice, at) => (
        <button
          type="button"
          tabIndex={-1}
          key={choice.key}
          id={`${id}-${at}`}
          role="option"
          aria-selected={at === index}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => choose(choice)}
        >
          {choice.sign}
          <span class="name" dir="auto">
            {choice.name.slice(0, choice.match.start)}
            <mark>{choice.name.slice(choice.match.start, choice.match.end)}</mark>
            {choice.name.slice(choice.match.end)}
          </span>
        </button>
      ))}
    </div>
  );
}
