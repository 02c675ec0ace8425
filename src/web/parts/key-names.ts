/** Whether ⌘ takes the place of Ctrl. */
export const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** Keys of a command as people read them: `⌘ K` on keyboards of Apple. */
export const keyName = (keys: string, isOfApple = isApple): string =>
  isOfApple ? keys.replace("Ctrl", "⌘").replace("Alt", "⌥").replace("Shift", "⇧") : keys;
