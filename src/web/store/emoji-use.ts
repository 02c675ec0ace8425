import type { Message } from "../model/wire";
import { withStorage } from "./kept-rows";
import { me } from "./state";

/** An emoji as the protocol names it. */
export type Emoji = Pick<
  Message["reactions"][number],
  "emoji_name" | "emoji_code" | "reaction_type"
>;

const storageKey = (): string => `chatd emoji ${me.value}`;
const shownMax = 18;

/** The most popular emoji, for people who have not used any yet. */
const popular: readonly Emoji[] = [
  ["1f44d", "+1"],
  ["1f389", "tada"],
  ["1f642", "smile"],
  ["2764", "heart"],
  ["1f440", "eyes"],
  ["2705", "check"],
  ["1f680", "rocket"],
  ["1f602", "joy"],
  ["1f64f", "pray"],
].map(([emoji_code = "", emoji_name = ""]) => ({
  emoji_code,
  emoji_name,
  reaction_type: "unicode_emoji",
}));

interface Use {
  readonly emoji: Emoji;
  readonly count: number;
}

/** The person's uses in this browser; empty if they cannot be read. */
function uses(): readonly Use[] {
  try {
    const kept: readonly Use[] = JSON.parse(localStorage.getItem(storageKey()) ?? "[]");
    return kept;
  } catch {
    return [];
  }
}

const isSame = (one: Emoji, other: Emoji): boolean =>
  one.emoji_code === other.emoji_code && one.reaction_type === other.reaction_type;

/** Counts a use of an emoji. */
export function noteEmojiUse(emoji: Emoji): void {
  const before = uses();
  const count = (before.find((use) => isSame(use.emoji, emoji))?.count ?? 0) + 1;
  const others = before.filter((use) => !isSame(use.emoji, emoji));
  const most = [...others, { emoji, count }].sort((a, b) => b.count - a.count);
  try {
    localStorage.setItem(storageKey(), JSON.stringify(most.slice(0, 4 * shownMax)));
  } catch {
    // A browser without storage shows popular emoji.
  }
}

/** Removes from this browser which emoji the person uses. */
export const forgetEmojiUse = (): void =>
  void withStorage(() => localStorage.removeItem(storageKey()));

/** The emoji that the person uses most, followed by popular ones. */
export function frequentEmoji(): readonly Emoji[] {
  const own = uses().map(({ emoji }) => emoji);
  const others = popular.filter((one) => !own.some((emoji) => isSame(emoji, one)));
  return [...own, ...others].slice(0, shownMax);
}
