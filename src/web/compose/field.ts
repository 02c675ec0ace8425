import { type Change, changed } from "./format";
import type { TextBox, WrittenText } from "./text-box";

type Field = Pick<TextBox, "field"> & Pick<WrittenText, "text" | "write">;

/** Changes the text in a box through the browser's own editing, so that its undo takes it back. */
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
    const isDone =
      text === ""
        ? document.execCommand("delete")
        : document.execCommand("insertText", false, text);
    if (!isDone) setPart(element, text, from, to);
  }
  element.setSelectionRange(start, end);
}

/** Puts text in the place of what is selected in a box. */
export function insertText(box: Field, text: string): void {
  const at = box.field.current?.selectionStart ?? box.text.peek().length;
  const to = box.field.current?.selectionEnd ?? at;
  const after = at + text.length;
  applyChange(box, { from: at, to, text, start: after, end: after });
}

/** Puts a text as lines of their own at the caret. */
export function insertLines(box: Field, text: string): void {
  const written = box.text.peek();
  const at = box.field.current?.selectionStart ?? written.length;
  const before = at === 0 || written[at - 1] === "\n" ? "" : "\n";
  insertText(box, `${before}${text}\n`);
}

type Replace = (key: string, before: string, after: string) => void;

/**
 * A way to put one text in the place of another in the text of a box, wherever its writer has gone
 * meanwhile; the caret stays where it is.
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
 * Fields in which an input method is choosing words, with changes that wait until it is done: a
 * change before would leave the words of the method in the text, which writes them once more.
 */
const composing = new Map<HTMLTextAreaElement, (() => void)[]>();

export function beginComposing(element: HTMLTextAreaElement): void {
  if (!composing.has(element)) composing.set(element, []);
}

/** Makes the changes that have waited, once words are chosen or their field is gone. */
export function endComposing(element: HTMLTextAreaElement): void {
  const waiting = composing.get(element) ?? [];
  composing.delete(element);
  for (const change of waiting) change();
}

/** Has a change wait where words are being chosen; answers whether it does. */
function afterComposing(element: HTMLTextAreaElement, change: () => void): boolean {
  const waiting = composing.get(element);
  waiting?.push(change);
  return waiting !== undefined;
}

function setPart(element: HTMLTextAreaElement, text: string, from: number, to: number): void {
  element.setRangeText(text, from, to, "preserve");
  element.dispatchEvent(new InputEvent("input", { bubbles: true }));
}
