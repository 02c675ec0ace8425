/** A thing that is looked for by its name. */
export interface Named {
  readonly name: string;
  /** Further words that it is found by. */
  readonly otherWords?: string;
  /** The greater, the more recently it was used. */
  readonly recency: number;
}

/** A text without case and accents, in which letters are compared. */
export const plainText = (text: string): string =>
  text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();

/**
 * Things that a text finds, the best first: names that begin with it, names with words that begin
 * with its words, names that have its letters in order; among equals the most recently used.
 */
export function rankedBy<Thing extends Named>(
  things: readonly Thing[],
  text: string,
  most: number,
): readonly Thing[] {
  const sought = plainText(text.trim());
  return things
    .map((thing) => ({ thing, rank: rankOf(thing, sought) }))
    .filter(({ rank }) => rank < notFound)
    .sort(
      (one, other) =>
        one.rank - other.rank ||
        other.thing.recency - one.thing.recency ||
        one.thing.name.length - other.thing.name.length ||
        one.thing.name.localeCompare(other.thing.name),
    )
    .slice(0, most)
    .map(({ thing }) => thing);
}

const notFound = 4;

function rankOf({ name, otherWords = "" }: Named, sought: string): number {
  const plain = plainText(name);
  if (plain.startsWith(sought)) return 0;
  const parts = sought.split(/\s+/);
  if (begin(wordsOf(plain), parts)) return 1;
  if (begin(wordsOf(`${plain} ${plainText(otherWords)}`), parts)) return 2;
  return hasInOrder(plain, parts.join("")) ? 3 : notFound;
}

const wordsOf = (text: string): readonly string[] => text.split(/[^\p{L}\p{N}]+/u);

const begin = (words: readonly string[], parts: readonly string[]): boolean =>
  parts.every((part) => words.some((word) => word.startsWith(part)));

function hasInOrder(text: string, letters: string): boolean {
  let from = 0;
  for (const letter of letters) {
    const at = text.indexOf(letter, from);
    if (at < 0) return false;
    from = at + letter.length;
  }
  return true;
}
