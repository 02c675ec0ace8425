/** Highest number of values that one statement is given: PostgreSQL takes 65,534 parameters. */
const valuesPerStatementMax = 500;

/** A list in parts of at most 500 items, each of which one statement can take. */
export function inChunks<Item>(items: readonly Item[]): Item[][] {
  const chunks: Item[][] = [];
  for (let start = 0; start < items.length; start += valuesPerStatementMax) {
    chunks.push(items.slice(start, start + valuesPerStatementMax));
  }
  return chunks;
}
