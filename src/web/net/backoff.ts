/** Waits for some time. */
export const wait = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Pauses grow slowly, so that a page continues soon after a restart of the server. */
const backoffMilliseconds = { first: 500, factor: 1.4, most: 30_000 };

/** The pause before the next attempt. It is random, so that not all tabs return at one moment. */
export function pauseAfter(failures: number, retryAfterSeconds = 0): number {
  const { first, factor, most } = backoffMilliseconds;
  const pause = Math.min(first * factor ** (failures - 1), most) * (0.5 + Math.random() / 2);
  return Math.max(pause, retryAfterSeconds * 1_000);
}
