/**
 * A key by its position on the keyboard, because layouts without Latin letters have none of the
 * letters.
 */
export function strokeOf({ code, key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): string {
  const sign = key === "." ? "." : /^Key([A-Z])$/.exec(code)?.[1];
  return [(ctrlKey || metaKey) && "Ctrl", shiftKey && "Shift", altKey && "Alt", sign ?? key]
    .filter(Boolean)
    .join(" ");
}
