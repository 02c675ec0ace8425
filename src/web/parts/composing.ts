/**
 * Whether a key belongs to an input method that is composing words. For the key that ends the
 * composition, Safari only tells it by the key code.
 */
export const isComposing = (event: Pick<KeyboardEvent, "isComposing" | "keyCode">): boolean =>
  event.isComposing || event.keyCode === 229;
