import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { isComposing } from "../parts/composing";
import { focusHome } from "../parts/focus-home";
import {
  boxKey,
  boxTarget,
  boxText,
  editLast,
  focusAsked,
  goToTarget,
  writeText,
} from "../store/box";
import { settings } from "../store/state";
import { words } from "../words/words";
import { applyChange, field } from "./field";
import { nextPoint } from "./format";
import { offerId, offersId } from "./offer-list";
import { activeOffer, noteCaret, offerKey, offers } from "./offering";
import { togglePreview } from "./preview";
import { nameOf } from "./recipient-line";
import { obstacle, send } from "./send";
import { pasteInto } from "./take-paste";
import { formatSelection } from "./tools";
import { noteTyping } from "./typing";

/** Times that the text was given the focus: a box that is drawn later does not take it again. */
let focusTaken = 0;

/** The field that the text of a message is written in. */
export function TextField() {
  const asked = focusAsked.value;
  useEffect(() => {
    if (asked > focusTaken) focusAtEnd();
    focusTaken = asked;
  }, [asked]);
  useKeptFocus(boxKey.value);
  const isOffering = offers.value.length > 0;
  return (
    <textarea
      ref={field}
      key={boxKey.value}
      rows={1}
      dir="auto"
      value={boxText.value}
      placeholder={words.compose.placeholder}
      aria-label={words.compose.messageTo(nameOf(boxTarget.value))}
      aria-describedby="compose-told"
      aria-autocomplete="list"
      aria-haspopup="listbox"
      aria-controls={isOffering ? offersId : undefined}
      aria-activedescendant={isOffering ? offerId(activeOffer.value) : undefined}
      onInput={onInput}
      onKeyDown={onKey}
      onKeyUp={onCaret}
      onClick={onCaret}
      onPaste={pasteInto}
      onBlur={() => noteCaret(undefined)}
      onCompositionEnd={onCaret}
    />
  );
}

/** Somebody who is writing goes on writing where the box becomes that of another conversation. */
function useKeptFocus(key: string): void {
  const before = useRef(key);
  const isWriting = before.current !== key && document.activeElement === field.current;
  before.current = key;
  useLayoutEffect(() => {
    if (isWriting) focusAtEnd();
  });
}

function focusAtEnd(): void {
  const element = field.current;
  if (!element) return;
  element.focus();
  element.setSelectionRange(element.value.length, element.value.length);
}

type FieldEvent = { readonly currentTarget: HTMLTextAreaElement };

function onInput(event: InputEvent & FieldEvent): void {
  obstacle.value = undefined;
  writeText(event.currentTarget.value);
  // Words that an input method is still choosing are no names yet.
  noteCaret(event.isComposing ? undefined : event.currentTarget);
  noteTyping();
}

const onCaret = ({ currentTarget }: FieldEvent): void => noteCaret(currentTarget);

function onKey(event: KeyboardEvent & FieldEvent): void {
  if (isComposing(event)) return;
  if (offerKey(event) || hasMeaning(event)) {
    event.preventDefault();
    event.stopPropagation();
  }
}

/** Does what a key means in the box; answers whether it means something. */
function hasMeaning(event: KeyboardEvent & FieldEvent): boolean {
  if (event.key === "Escape") return leave();
  if (event.key === "Enter") return isSending(event) ? sendText() : beginPoint(event);
  if (event.key === "ArrowUp" && event.currentTarget.value === "" && isPlain(event))
    return editLast();
  const run = shortcuts[strokeOf(event)];
  run?.();
  return run !== undefined;
}

const shortcuts: Readonly<Record<string, () => void>> = {
  "Ctrl B": () => formatSelection("bold"),
  "Ctrl I": () => formatSelection("italic"),
  "Ctrl Shift C": () => formatSelection("code"),
  "Ctrl Shift L": () => formatSelection("link"),
  "Alt P": togglePreview,
  "Ctrl .": () => goToTarget(),
};

/** A key by its place on the keyboard, because layouts without Latin letters have none of these. */
function strokeOf({ code, key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): string {
  const sign = key === "." ? "." : /^Key([A-Z])$/.exec(code)?.[1];
  return [(ctrlKey || metaKey) && "Ctrl", shiftKey && "Shift", altKey && "Alt", sign ?? key]
    .filter(Boolean)
    .join(" ");
}

const isPlain = ({ ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): boolean =>
  !(ctrlKey || metaKey || shiftKey || altKey);

const isSending = ({ ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): boolean =>
  ctrlKey || metaKey || (settings.value.enter_sends && !shiftKey && !altKey);

function sendText(): boolean {
  send();
  return true;
}

/** A new line in a list begins its next point. */
function beginPoint({ currentTarget }: FieldEvent): boolean {
  const { value, selectionStart, selectionEnd } = currentTarget;
  const change = selectionStart === selectionEnd ? nextPoint(value, selectionStart) : undefined;
  if (change) applyChange(change);
  return change !== undefined;
}

/** Leaves the box for the messages; the text stays. */
function leave(): boolean {
  const messages = document.querySelector<HTMLElement>(".feed");
  if (messages) messages.focus();
  else focusHome();
  return true;
}
