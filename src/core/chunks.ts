/** A list in parts that one statement can take. */
export function inChunks<Item>(items: readonly Item[]): Item[][] {
  const chunks: Item[][] = [];
  for (let start = 0; start < items.length; start += rowsPerStatementMax) {
    chunks.push(items.slice(start, start + rowsPerStatementMax));
  }
  return chunks;
}

/** Highest number of values that one statement is given: PostgreSQL takes 65,534 parameters. */
export const rowsPerStatementMax = 500;
