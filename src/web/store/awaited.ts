import { keyWords } from "../words/keys";

/*
 * Something that a person has asked for may be a moment away: a dialog whose part is being loaded,
 * a text that the server still has. Keys that are pressed meanwhile belong to it. They act on
 * nothing else, and what they type is written into it when it comes.
 */

/** Selector of the fields in which text is typed. */
const textFields =
  "textarea:not(:read-only), input:is([type=text], [type=search], :not([type])):not(:read-only)";

/**
 * Waits for something that will take the focus, and holds back all key presses until then. Returns
 * undefined if the person pressed Esc or clicked meanwhile; then it must not be shown.
 */
export async function awaitedByKeys<Thing>(coming: Promise<Thing>): Promise<Thing | undefined> {
  const waiting = coverOfKeys();
  try {
    return await Promise.race([coming, waiting.isGivenUp]);
  } finally {
    waiting.end();
  }
}

/** A dialog that receives all key presses. It only becomes visible if waiting takes long. */
function coverOfKeys(): { readonly isGivenUp: Promise<undefined>; end(): void } {
  const cover = document.createElement("dialog");
  cover.className = "awaited";
  cover.ariaLabel = keyWords.awaited;
  cover.append(keyWords.awaited);
  const field = document.createElement("textarea");
  field.className = "visually-hidden";
  field.ariaLabel = keyWords.awaited;
  // Phones show no keyboard for it.
  field.inputMode = "none";
  cover.append(field);
  document.body.append(cover);
  const { promise: isGivenUp, resolve } = Promise.withResolvers<undefined>();
  cover.addEventListener("cancel", () => resolve(undefined));
  cover.addEventListener("click", () => resolve(undefined));
  cover.addEventListener("keydown", (event) => event.stopPropagation());
  cover.showModal();
  field.focus();
  const end = () => {
    // The focus returns to its former place, so that a dialog that opens now will also return it
    // there.
    cover.close();
    cover.remove();
    if (field.value !== "") writeIntoNext(field.value);
  };
  return { isGivenUp, end };
}

/** Types a text into the element that takes the focus next, or into the field that has it. */
function writeIntoNext(text: string): void {
  let isDone = false;
  const write = () => {
    removeEventListener("focusin", soon);
    const field = fieldAt(document.activeElement);
    if (isDone || !field) return;
    isDone = true;
    field.focus();
    field.setSelectionRange(field.value.length, field.value.length);
    document.execCommand("insertText", false, text);
  };
  // The field sets the caret next.
  const soon = () => queueMicrotask(write);
  addEventListener("focusin", soon);
  setTimeout(write);
}

/** The focused field, or else the first field of the dialog that has the focus. */
function fieldAt(element: Element | null): HTMLInputElement | HTMLTextAreaElement | undefined {
  const field = element?.matches(textFields)
    ? element
    : element?.closest("dialog[open]")?.querySelector(textFields);
  const isText = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement;
  return isText ? field : undefined;
}
