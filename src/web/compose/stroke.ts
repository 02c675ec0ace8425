/** A key by its place on the keyboard, because layouts without Latin letters have none of these. */
export function strokeOf({ code, key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): string {
  const sign = key === "." ? "." : /^Key([A-Z])$/.exec(code)?.[1];
  return [(ctrlKey || metaKey) && "Ctrl", shiftKey && "Shift", altKey && "Alt", sign ?? key]
    .filter(Boolean)
    .join(" ");
}
