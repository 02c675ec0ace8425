/** An emoji with all of its names. */
export interface NamedEmoji {
  /** Code points in hexadecimal of a Unicode emoji; the id of one of the organization's own. */
  readonly code: string;
  readonly names: readonly string[];
  readonly isOwn: boolean;
}

/** Blocks of Unicode, in the order in which people look for emoji: faces, hands and people first. */
const blocks: readonly (readonly [from: number, to: number])[] = [
  [0x1f600, 0x1f64f],
  [0x1f910, 0x1f93a],
  [0x1f970, 0x1f97a],
  [0x1fae0, 0x1fae8],
  [0x1f440, 0x1f4a0],
  [0x1faf0, 0x1faf8],
  [0x1f400, 0x1f43f],
  [0x1f30d, 0x1f393],
  [0x1f3a0, 0x1f3ff],
  [0x1f680, 0x1f6ff],
];
const flags: readonly [number, number] = [0x1f1e6, 0x1f1ff];

/** Place of an emoji among others that nothing was searched in: flags come last. */
function blockOf(code: string): number {
  const first = Number.parseInt(code, 16);
  const index = blocks.findIndex(([from, to]) => first >= from && first <= to);
  if (index >= 0) return index;
  return first >= flags[0] && first <= flags[1] ? blocks.length + 1 : blocks.length;
}

/** Unicode emoji of a table of names by code, in the order in which people look for them. */
export const emojiInOrder = (table: Readonly<Record<string, string>>): readonly NamedEmoji[] =>
  Object.entries(table)
    .map(([code, names]) => ({ code, names: names.split(" "), isOwn: false, at: blockOf(code) }))
    .sort((one, other) => one.at - other.at || one.code.localeCompare(other.code));

/** Distance of an emoji from what was typed, 0 for a name of it; undefined where it does not fit. */
function misfit({ names }: NamedEmoji, typed: string): number | undefined {
  const places = names.map((name, index) => {
    if (name === typed) return 0;
    if (name.startsWith(typed)) return index === 0 ? 1 : 2;
    if (name.includes(`_${typed}`)) return 3;
    return name.includes(typed) ? 4 : 5;
  });
  const best = Math.min(...places);
  return best < 5 ? best : undefined;
}

/**
 * Emoji whose names fit to what was typed: an equal name first, then those that begin so, then words
 * inside names, then any part.
 */
export function searchEmoji(all: readonly NamedEmoji[], typed: string): readonly NamedEmoji[] {
  const wanted = typed
    .trim()
    .toLowerCase()
    .replaceAll(/[\s:-]+/g, "_")
    .replace(/^_|_$/g, "");
  if (wanted === "") return all;
  return all
    .flatMap((emoji) => {
      const at = misfit(emoji, wanted);
      return at === undefined ? [] : [{ emoji, at }];
    })
    .sort((one, other) => one.at - other.at)
    .map(({ emoji }) => emoji);
}
