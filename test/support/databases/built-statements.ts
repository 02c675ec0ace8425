import { spyOn } from "bun:test";
import { SQL } from "drizzle-orm";

/**
 * Number of parts of statements that are put together while something is done: 0 where all of them
 * were prepared before.
 */
export async function partsBuiltBy(run: () => Promise<unknown>): Promise<number> {
  const build = spyOn(SQL.prototype, "buildQueryFromSourceParams");
  await run();
  const parts = build.mock.calls.reduce((sum, [chunks]) => sum + chunks.length, 0);
  build.mockRestore();
  return parts;
}
