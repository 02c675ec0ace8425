/**
 * Lets other work run. Long loops over data in memory, or in a database inside the process, await
 * it.
 */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Makes a function to call after each piece of work, such as `await pace(text.length)`. It lets
 * other work run whenever `workPerTurn` was done since the last time.
 */
export function makePace(workPerTurn: number): (work: number) => Promise<void> {
  let done = 0;
  return async (work) => {
    done += work;
    if (done < workPerTurn) return;
    done = 0;
    await turn();
  };
}
