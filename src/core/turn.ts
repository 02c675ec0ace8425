/**
 * Lets others have their turn. Long loops over things in memory, or in a database inside the
 * process, await it.
 */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Gives others their turn whenever so much work was done since the last one: `await
 * pace(text.length)` behind each piece.
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
