import { words } from "../words/words";

/** Whether ⌘ is used instead of Ctrl. */
export const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** The keys of a command for people to read: `⌘ K` on Apple keyboards, `Strg K` in German. */
export const keyName = (keys: string, isOfApple = isApple): string =>
  words.keys(
    isOfApple ? keys.replace("Ctrl", "⌘").replace("Alt", "⌥").replace("Shift", "⇧") : keys,
  );
