const distanceMax = 2;

/** The word that a mistyped one most likely means, if there is one that close. */
export function nearestWord(mistyped: string, words: readonly string[]): string | undefined {
  const candidates = words
    .filter((word) => Math.abs(word.length - mistyped.length) <= distanceMax)
    .map((word) => ({ word, distance: editDistance(mistyped, word) }))
    .filter(({ word, distance }) => distance <= distanceMax && distance * 2 <= word.length);
  return candidates.toSorted((a, b) => a.distance - b.distance)[0]?.word;
}

/** A sentence that suggests the allowed word for a mistyped one, after a space; or nothing. */
export function spellingHint(mistyped: string, allowed: readonly string[]): string {
  const nearest = nearestWord(mistyped, allowed);
  return nearest === undefined ? "" : ` Did you mean '${nearest}'?`;
}

/** Number of letters that are added, removed or replaced to turn one word into the other. */
function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...one].entries()) {
    let left = index + 1;
    row = row.map((above, column) => {
      if (column === 0) return left;
      const replaced = (row[column - 1] ?? 0) + (letter === other[column - 1] ? 0 : 1);
      left = Math.min(above + 1, left + 1, replaced);
      return left;
    });
  }
  return row.at(-1) ?? 0;
}
