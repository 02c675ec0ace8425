import { words } from "../words/words";

/** Whether ⌘ takes the place of Ctrl. */
export const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** Keys of a command as people read them: `⌘ K` on keyboards of Apple, `Strg K` in German. */
export const keyName = (keys: string, isOfApple = isApple): string =>
  words.keys(
    isOfApple ? keys.replace("Ctrl", "⌘").replace("Alt", "⌥").replace("Shift", "⇧") : keys,
  );
