/** Lets others have their turn: for what works through many things in memory, or in a database inside the process. */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
