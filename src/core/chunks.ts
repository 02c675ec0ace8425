/** Highest number of values that one statement is given: PostgreSQL takes 65,534 parameters. */
const valuesPerStatementMax = 500;

/** A list in parts of at most 500 items, each of which one statement can take, or of another size. */
export function inChunks<Item>(items: readonly Item[], size = valuesPerStatementMax): Item[][] {
  const chunks: Item[][] = [];
  for (let start = 0; start < items.length; start += size) {
    chunks.push(items.slice(start, start + size));
  }
  return chunks;
}
