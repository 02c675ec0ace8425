/** Highest number of values that one statement is given: PostgreSQL takes 65,534 parameters. */
const valuesPerStatementMax = 500;

/** A list in parts of at most `size` items. By default one statement can take each part. */
export function inChunks<Item>(items: readonly Item[], size = valuesPerStatementMax): Item[][] {
  const chunks: Item[][] = [];
  for (let start = 0; start < items.length; start += size) {
    chunks.push(items.slice(start, start + size));
  }
  return chunks;
}
