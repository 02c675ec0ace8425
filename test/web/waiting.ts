import { patienceMilliseconds } from "./browser";

/*
 * Waiting for what a page shows, because it shows the effect of an action later than a test goes
 * on.
 */

const pauseMilliseconds = 30;

/** Waits until something holds. */
export async function until(holds: () => Promise<boolean>): Promise<void> {
  const patience = AbortSignal.timeout(patienceMilliseconds);
  while (!(await holds())) {
    if (patience.aborted) throw new Error(`This never held: ${holds}`);
    await Bun.sleep(pauseMilliseconds);
  }
}

/** Waits until expectations are met, whose failure is told otherwise. */
export async function eventually(expectations: () => Promise<void>): Promise<void> {
  const patience = AbortSignal.timeout(patienceMilliseconds);
  for (;;)
    try {
      return await expectations();
    } catch (error) {
      if (patience.aborted) throw error;
      await Bun.sleep(pauseMilliseconds);
    }
}
