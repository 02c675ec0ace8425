import { type Change, changed } from "./format";
import type { TextBox, WrittenText } from "./text-box";

type Field = Pick<TextBox, "field"> & Pick<WrittenText, "text" | "write">;

/** Changes the text in a box with the browser's own editing, so that the browser's undo works. */
export function applyChange(box: Field, change: Change): void {
  const { from, to, text, start, end } = change;
  const element = box.field.current;
  if (!element) {
    box.write(changed(box.text.peek(), change));
    return;
  }
  element.focus();
  element.setSelectionRange(from, to);
  if (from !== to || text !== "") {
    // While a dialog is open, the field cannot take the focus, and the browser's editing would
    // write into the field of the dialog.
    const isFocused = document.activeElement === element;
    const isDone =
      isFocused &&
      (text === ""
        ? document.execCommand("delete")
        : document.execCommand("insertText", false, text));
    if (!isDone) setPart(element, text, from, to);
  }
  element.setSelectionRange(start, end);
}

/** Replaces the selection in a box by a text. */
export function insertText(box: Field, text: string): void {
  const at = box.field.current?.selectionStart ?? box.text.peek().length;
  const to = box.field.current?.selectionEnd ?? at;
  const after = at + text.length;
  applyChange(box, { from: at, to, text, start: after, end: after });
}

/** Inserts a text at the caret, on lines of its own. */
export function insertLines(box: Field, text: string): void {
  const written = box.text.peek();
  const at = box.field.current?.selectionStart ?? written.length;
  const before = at === 0 || written[at - 1] === "\n" ? "" : "\n";
  insertText(box, `${before}${text}\n`);
}

type Replace = (key: string, before: string, after: string) => void;

/**
 * Returns a function that replaces one text by another in the text of a box, even if the box shows
 * another text by then. The caret stays in its place.
 */
export function replacerIn(box: TextBox): Replace {
  return function replace(key, before, after) {
    const element = box.field.current;
    if (!element || key !== box.key.peek()) {
      box.replaceAway(key, before, after);
      return;
    }
    if (afterComposing(element, () => replace(key, before, after))) return;
    const at = element.value.indexOf(before);
    if (at >= 0) setPart(element, after, at, at + before.length);
  };
}

/**
 * Fields in which an input method is composing words, with changes that wait until it has finished.
 * An earlier change would leave the method's words in the text, and the method would then write
 * them once more.
 */
const composing = new Map<HTMLTextAreaElement, (() => void)[]>();

export function beginComposing(element: HTMLTextAreaElement): void {
  if (!composing.has(element)) composing.set(element, []);
}

/** Makes the waiting changes, once the composition has ended or the field was removed. */
export function endComposing(element: HTMLTextAreaElement): void {
  const waiting = composing.get(element) ?? [];
  composing.delete(element);
  for (const change of waiting) change();
}

/** Lets a change wait if words are being composed; returns whether it waits. */
function afterComposing(element: HTMLTextAreaElement, change: () => void): boolean {
  const waiting = composing.get(element);
  waiting?.push(change);
  return waiting !== undefined;
}

function setPart(element: HTMLTextAreaElement, text: string, from: number, to: number): void {
  element.setRangeText(text, from, to, "preserve");
  element.dispatchEvent(new InputEvent("input", { bubbles: true }));
}
