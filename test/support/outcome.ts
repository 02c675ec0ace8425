/*
 * Errors of promises. `expect(work).rejects` of Bun 1.4.5 runs the event loop inside itself, where
 * it learns of a socket that was closed up to half a second late.
 */

/**
 * Gives or throws what has become of some work: `expect(await outcomeOf(work)).toThrow("full")`.
 */
export const outcomeOf = <Value>(work: Promise<Value>): Promise<() => Value> =>
  work.then(
    (value) => () => value,
    (error) => () => {
      throw error;
    },
  );

/** The error of some work; fails where it has none. */
export async function errorOf(work: Promise<unknown>): Promise<unknown> {
  const outcome = await outcomeOf(work);
  try {
    outcome();
  } catch (error) {
    return error;
  }
  throw new Error("It did not fail.");
}
