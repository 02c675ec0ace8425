import { isFocusFree } from "./focus-free";

/*
 * The focus is never nowhere: keys of a browser, such as those that scroll, and readers of the screen
 * begin where it is. It is given to what covers the page, or else to the view, when the element that
 * had it goes or can have it no more.
 */

/** Dialogs, menus and cards, which have all keys while they are open. */
const covers = "dialog[open], [role=menu]:popover-open, [role=dialog]:popover-open";

/** Gives the focus to the view, as if it had just been opened. */
export function focusHome(): void {
  const cover = [...document.querySelectorAll<HTMLElement>(covers)].at(-1);
  const home = cover ?? document.querySelector<HTMLElement>("main");
  if (!home || home === document.activeElement) return;
  if (!home.hasAttribute("tabindex")) home.tabIndex = -1;
  home.focus({ preventScroll: true });
}

/** Gives the focus to the view whenever it would be nowhere. */
export function keepFocus(): void {
  const check = () => {
    if (isFocusFree()) focusHome();
  };
  new MutationObserver((changes) => {
    check();
    if (changes.some(({ removedNodes }) => [...removedNodes].some(isCover))) restoreCaret();
  }).observe(document.body, { childList: true, subtree: true });
  document.addEventListener("focusout", (event) => {
    noteCaret(event);
    // A button that is switched off loses the focus without leaving the page.
    if (event.relatedTarget === null) queueMicrotask(check);
  });
  check();
}

const isCover = (node: Node): boolean =>
  node instanceof Element && node.matches("dialog, [popover]");

const isTextField = (element: unknown): element is HTMLInputElement | HTMLTextAreaElement =>
  element instanceof HTMLTextAreaElement ||
  // A box that is ticked has no place to write at.
  (element instanceof HTMLInputElement && element.selectionStart !== null);

/** Places in fields at which somebody was writing when the focus left. */
const carets = new WeakMap<Element, { readonly start: number; readonly end: number }>();

function noteCaret({ target: field }: FocusEvent): void {
  if (!isTextField(field)) return;
  const { selectionStart: start, selectionEnd: end } = field;
  carets.set(field, { start: start ?? 0, end: end ?? 0 });
}

/**
 * Puts the caret back into the field to which a dialog has given the focus: in Chromium it goes with
 * the dialog when that leaves the page, and what is typed then is lost. A caret that somebody has put
 * elsewhere meanwhile stays.
 */
function restoreCaret(): void {
  const { activeElement: field } = document;
  const caret = isTextField(field) ? carets.get(field) : undefined;
  if (isTextField(field) && field.selectionStart === 0 && caret)
    field.setSelectionRange(caret.start, caret.end);
}
