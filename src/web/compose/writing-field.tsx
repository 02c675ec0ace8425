import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { isComposing } from "../parts/composing";
import { settings } from "../store/state";
import { applyChange, beginComposing, endComposing } from "./field";
import { nextPoint } from "./format";
import { offerId, offersId } from "./offer-list";
import { useOffers } from "./offering";
import { strokeOf } from "./stroke";
import { pasteInto } from "./take-paste";
import type { TextBox } from "./text-box";
import { formatSelection } from "./tools";

export interface WritingProps {
  box: TextBox;
  label: string;
  /** The id of the element that tells why something cannot be done. */
  describedBy: string;
  placeholder?: string;
  /** Whether the text is still on its way to the box. */
  isReadOnly?: boolean;
  /** Called after each change by the writer. */
  onWrite?(): void;
  /** Sends the text, or saves it. */
  submit(): void;
  /** Leaves the box; the text stays. */
  leave(): void;
  /** Does what a key means in this box alone; answers whether it means something. */
  takeKey?(stroke: string, element: HTMLTextAreaElement): boolean;
}

/** The field of a box, in which Markdown is written. */
export function WritingField(props: WritingProps) {
  const { box, label, describedBy, placeholder, isReadOnly = false, onWrite } = props;
  const { offering } = box;
  useOffers(box);
  useFocusAfterPreview(box);
  const isOffering = offering.offers.value.length > 0;
  const noteCaret = ({ currentTarget }: FieldEvent) => offering.noteCaret(currentTarget);
  const elementKey = useElementKey(box);
  return (
    <textarea
      ref={box.field}
      key={elementKey}
      rows={1}
      dir="auto"
      value={box.text.value}
      placeholder={placeholder}
      readOnly={isReadOnly}
      aria-label={label}
      aria-describedby={describedBy}
      aria-autocomplete="list"
      aria-haspopup="listbox"
      aria-controls={isOffering ? offersId(box) : undefined}
      aria-activedescendant={isOffering ? offerId(box, offering.active.value) : undefined}
      onInput={(event) => {
        box.tell(undefined);
        box.write(event.currentTarget.value);
        // Words that an input method is still choosing are no names yet.
        offering.noteCaret(event.isComposing ? undefined : event.currentTarget);
        onWrite?.();
      }}
      onKeyDown={(event) => onKey(props, event)}
      onKeyUp={noteCaret}
      onClick={noteCaret}
      onPaste={(event) => pasteInto(box, event)}
      onBlur={() => offering.noteCaret(undefined)}
      onCompositionStart={({ currentTarget }) => beginComposing(currentTarget)}
      onCompositionEnd={(event) => {
        noteCaret(event);
        endComposing(event.currentTarget);
      }}
    />
  );
}

/**
 * Key of the field's element. Each text has an element of its own, with its caret and its undo; one
 * that moves along with its topic keeps the element in which somebody may be writing.
 */
function useElementKey({ key, text, field }: TextBox): number {
  const shown = useRef({ key: key.value, text: text.value, elementKey: 0 });
  const { current: before } = shown;
  const hasMoved = text.value !== "" && text.value === before.text;
  const isNext = key.value !== before.key && !hasMoved;
  const elementKey = before.elementKey + (isNext ? 1 : 0);
  shown.current = { key: key.value, text: text.value, elementKey };
  useLayoutEffect(() => {
    const { current: element } = field;
    return () => {
      if (element) endComposing(element);
    };
  }, [elementKey, field]);
  return elementKey;
}

/** Somebody who has looked at the preview by a key writes on after it. */
function useFocusAfterPreview({ preview, field }: TextBox): void {
  useEffect(() => {
    if (preview.takeFocus()) field.current?.focus();
  }, [preview, field]);
}

/** Puts the caret at the end of the text in a box. */
export function focusAtEnd({ field: { current: element } }: TextBox): void {
  if (!element) return;
  element.focus();
  element.setSelectionRange(element.value.length, element.value.length);
}

/** Somebody who is writing goes on writing where the box becomes that of another text. */
export function useIsWritingOn(box: TextBox): boolean {
  const key = box.key.value;
  const before = useRef(key);
  const isWritingOn = before.current !== key && document.activeElement === box.field.current;
  before.current = key;
  return isWritingOn;
}

type FieldEvent = { readonly currentTarget: HTMLTextAreaElement };

function onKey(props: WritingProps, event: KeyboardEvent & FieldEvent): void {
  if (isComposing(event)) return;
  if (props.box.offering.takeKey(event) || hasMeaning(props, event)) {
    event.preventDefault();
    event.stopPropagation();
  }
}

/** Does what a key means in a box; answers whether it means something. */
function hasMeaning(props: WritingProps, event: KeyboardEvent & FieldEvent): boolean {
  const { box, submit, leave, takeKey } = props;
  const stroke = strokeOf(event);
  if (event.key === "Escape") leave();
  else if (event.key === "Enter" && isSubmitting(event)) submit();
  else if (event.key === "Enter") return beginPoint(box, event.currentTarget);
  else if (stroke in shortcuts) shortcuts[stroke]?.(box);
  else return takeKey?.(stroke, event.currentTarget) ?? false;
  return true;
}

const shortcuts: Readonly<Record<string, (box: TextBox) => void>> = {
  "Ctrl B": (box) => formatSelection(box, "bold"),
  "Ctrl I": (box) => formatSelection(box, "italic"),
  "Ctrl Shift C": (box) => formatSelection(box, "code"),
  "Ctrl Shift L": (box) => formatSelection(box, "link"),
  "Alt P": ({ preview }) => preview.toggle(),
};

/** Enter sends and saves, or Ctrl Enter: as the person has set it. */
const isSubmitting = ({ ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): boolean =>
  ctrlKey || metaKey || (settings.value.enter_sends && !shiftKey && !altKey);

/** A new line in a list begins its next point. */
function beginPoint(box: TextBox, element: HTMLTextAreaElement): boolean {
  const { value, selectionStart, selectionEnd } = element;
  const change = selectionStart === selectionEnd ? nextPoint(value, selectionStart) : undefined;
  if (change) applyChange(box, change);
  return change !== undefined;
}
