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

interface WritingProps {
  box: TextBox;
  label: string;
  /** The id of the element that tells why something cannot be done. */
  describedBy: string;
  placeholder?: string;
  /** Whether the text has not arrived in the box yet. */
  isReadOnly?: boolean;
  /** Called after each change by the writer. */
  onWrite?(): void;
  /** Sends or saves the text. */
  submit(): void;
  /** Leaves the box. The text is kept. */
  leave(): void;
  /** Handles keys that only this box knows; returns whether the key was handled. */
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
        // Words that an input method is still composing are not names yet.
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
 * The key of the field's element. Each text has its own element, with its caret and its undo. If a
 * text moves along with its topic, it keeps its element, because somebody may be writing in it.
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

/** A writer who has opened the preview by a key continues to write after it. */
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

/** If the box changes to another text while somebody is writing, they continue to write in it. */
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

/** Handles a key in a box; returns whether the key was handled. */
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

/** Whether a key sends or saves: Enter or Ctrl Enter, according to the person's setting. */
const isSubmitting = ({ ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): boolean =>
  ctrlKey || metaKey || (settings.value.enter_sends && !shiftKey && !altKey);

/** A new line in a list begins the next item. */
function beginPoint(box: TextBox, element: HTMLTextAreaElement): boolean {
  const { value, selectionStart, selectionEnd } = element;
  const change = selectionStart === selectionEnd ? nextPoint(value, selectionStart) : undefined;
  if (change) applyChange(box, change);
  return change !== undefined;
}
