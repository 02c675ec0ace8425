/** An emoji with all of its names. */
export interface NamedEmoji {
  /** Hexadecimal code points of a Unicode emoji; the id of a custom emoji of the organization. */
  readonly code: string;
  readonly names: readonly string[];
  readonly isOwn: boolean;
}

/**
 * Blocks of Unicode, in the order in which people look for emoji: faces, hands and people first.
 */
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

/** The rank of an emoji when nothing is typed. Flags come last. */
function blockOf(code: string): number {
  const first = Number.parseInt(code, 16);
  const index = blocks.findIndex(([from, to]) => first >= from && first <= to);
  if (index >= 0) return index;
  return first >= flags[0] && first <= flags[1] ? blocks.length + 1 : blocks.length;
}

/** The Unicode emoji of a table of names by code, in the order in which people look for them. */
export const emojiInOrder = (table: Readonly<Record<string, string>>): readonly NamedEmoji[] =>
  Object.entries(table)
    .map(([code, names]) => ({ code, names: names.split(" "), isOwn: false, at: blockOf(code) }))
    .sort((one, other) => one.at - other.at || one.code.localeCompare(other.code));

/** Whether this person, or most people, use an emoji often. */
type IsUsual = (emoji: NamedEmoji) => boolean;

/**
 * The distance of an emoji from the typed text, 0 for its exact name; undefined if it does not
 * match.
 */
function misfit(emoji: NamedEmoji, typed: string, isUsual: IsUsual): number | undefined {
  const places = emoji.names.map((name, index) => {
    if (name === typed) return index === 0 ? 0 : 2;
    if (name.startsWith(typed)) return index === 0 ? 3 : 4;
    if (name.includes(`_${typed}`)) return 5;
    return name.includes(typed) ? 6 : 7;
  });
  const best = Math.min(...places);
  if (best > 0 && best < 5 && isUsual(emoji)) return 1;
  return best < 7 ? best : undefined;
}

/**
 * Emoji whose names match the typed text, in this order: the emoji with exactly that name, common
 * emoji whose name begins with it, emoji with another name that is equal, emoji whose name begins
 * with it, words inside names, any other part.
 */
export function searchEmoji(
  all: readonly NamedEmoji[],
  typed: string,
  isUsual: IsUsual,
): readonly NamedEmoji[] {
  const wanted = typed
    .trim()
    .toLowerCase()
    .replaceAll(/[\s:-]+/g, "_")
    .replace(/^_|_$/g, "");
  if (wanted === "") return all;
  return all
    .flatMap((emoji) => {
      const at = misfit(emoji, wanted, isUsual);
      return at === undefined ? [] : [{ emoji, at }];
    })
    .sort((one, other) => one.at - other.at)
    .map(({ emoji }) => emoji);
}
