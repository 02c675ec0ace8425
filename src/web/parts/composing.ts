/**
 * Whether a key belongs to the words that somebody is choosing with an input method. Safari tells it
 * by the code alone for the key that ends the choice.
 */
export const isComposing = (event: Pick<KeyboardEvent, "isComposing" | "keyCode">): boolean =>
  event.isComposing || event.keyCode === 229;
