import type { PressedKey } from "../keys/keystroke";

/**
 * A key by its Latin letter, or by its position on the keyboard if it has none, because layouts
 * without Latin letters have none of the letters, and Option makes signs of them.
 */
export function strokeOf({ code, key, ctrlKey, metaKey, shiftKey, altKey }: PressedKey): string {
  return [(ctrlKey || metaKey) && "Ctrl", shiftKey && "Shift", altKey && "Alt", nameOf(key, code)]
    .filter(Boolean)
    .join(" ");
}

function nameOf(key: string, code: string): string {
  if (/^[a-z]$/i.test(key)) return key.toUpperCase();
  const letter = key === "." ? undefined : /^Key([A-Z])$/.exec(code)?.[1];
  return letter ?? key;
}
