import { boxKey, boxText, writeText } from "../store/box";
import { draftOf, writeDraft } from "../store/drafts";
import { type Change, changed } from "./format";

/** The text field of the box, while it is drawn: there is one at most. */
export const field: { current: HTMLTextAreaElement | null } = { current: null };

/** Changes the text in the box through the browser's own editing, so that its undo takes it back. */
export function applyChange(change: Change): void {
  const { from, to, text, start, end } = change;
  const element = field.current;
  if (!element) {
    writeText(changed(boxText.peek(), change));
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

/** Puts text in the place of what is selected in the box. */
export function insertText(text: string): void {
  const at = field.current?.selectionStart ?? boxText.peek().length;
  const to = field.current?.selectionEnd ?? at;
  const after = at + text.length;
  applyChange({ from: at, to, text, start: after, end: after });
}

/** Puts a text as lines of their own at the caret. */
export function insertLines(text: string): void {
  const written = boxText.peek();
  const at = field.current?.selectionStart ?? written.length;
  const before = at === 0 || written[at - 1] === "\n" ? "" : "\n";
  insertText(`${before}${text}\n`);
}

/**
 * Puts one text in the place of another in a draft, wherever its writer has gone meanwhile; the
 * caret stays where it is.
 */
export function replaceInDraft(key: string, before: string, after: string): void {
  const element = field.current;
  if (element && key === boxKey.peek()) {
    const at = element.value.indexOf(before);
    if (at < 0) return;
    setPart(element, after, at, at + before.length);
    return;
  }
  const draft = draftOf(key);
  if (draft)
    writeDraft(
      key,
      draft.target,
      draft.content.replace(before, () => after),
    );
}

function setPart(element: HTMLTextAreaElement, text: string, from: number, to: number): void {
  element.setRangeText(text, from, to, "preserve");
  element.dispatchEvent(new InputEvent("input", { bubbles: true }));
}
