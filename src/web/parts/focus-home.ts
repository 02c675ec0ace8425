import { isFocusFree } from "./focus-free";

/*
 * The focus is never nowhere: keys of a browser, such as those that scroll, and readers of the
 * screen begin where it is. It is given to what covers the page, or else to the view, when the
 * element that had it goes or can have it no more.
 */

/** Dialogs, menus and cards. While one is open, it receives all keys. */
const covers = "dialog[open], [role=menu]:popover-open, [role=dialog]:popover-open";

/** Focuses the view as if it had just been opened. */
export function focusHome(): void {
  const cover = [...document.querySelectorAll<HTMLElement>(covers)].at(-1);
  const home = cover ?? document.querySelector<HTMLElement>("main");
  if (!home || home === document.activeElement) return;
  if (!home.hasAttribute("tabindex")) home.tabIndex = -1;
  home.focus({ preventScroll: true });
}

/** Focuses the view whenever nothing has the focus. */
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
    // A disabled button loses the focus without leaving the page.
    if (event.relatedTarget === null) queueMicrotask(check);
  });
  check();
}

const isCover = (node: Node): boolean =>
  node instanceof Element && node.matches("dialog, [popover]");

const isTextField = (element: unknown): element is HTMLInputElement | HTMLTextAreaElement =>
  element instanceof HTMLTextAreaElement ||
  // A checkbox has no caret.
  (element instanceof HTMLInputElement && element.selectionStart !== null);

/** The caret positions in fields when they lost the focus. */
const carets = new WeakMap<Element, { readonly start: number; readonly end: number }>();

function noteCaret({ target: field }: FocusEvent): void {
  if (!isTextField(field)) return;
  const { selectionStart: start, selectionEnd: end } = field;
  carets.set(field, { start: start ?? 0, end: end ?? 0 });
}

/**
 * Puts the caret back into the field to which a closed dialog has returned the focus. In Chromium
 * the caret disappears together with the dialog, and typed text is lost. A caret that was set
 * elsewhere meanwhile stays there.
 */
function restoreCaret(): void {
  const { activeElement: field } = document;
  const caret = isTextField(field) ? carets.get(field) : undefined;
  if (isTextField(field) && field.selectionStart === 0 && caret)
    field.setSelectionRange(caret.start, caret.end);
}
