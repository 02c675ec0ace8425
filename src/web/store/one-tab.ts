const locks = "locks" in navigator ? navigator.locks : undefined;

/** Whether tabs wait for each other: browsers have no locks on addresses that are not encrypted. */
export const hasLocks = locks !== undefined;

/** The last thing that runs here under each name, where there are no locks. */
const lastRuns = new Map<string, Promise<void>>();

/**
 * Runs something in one tab of the browser at a time, one after the other. Without locks each tab runs
 * it, and its own runs wait for each other.
 */
export const inOneTab = (name: string, run: () => Promise<void>): Promise<void> =>
  locks ? locks.request(`chatd ${name}`, run) : afterOthers(name, run);

/** Runs something after all that was to run under its name before, whether or not that has worked. */
export function afterOthers(name: string, run: () => Promise<void>): Promise<void> {
  const own = (lastRuns.get(name) ?? Promise.resolve()).then(run);
  lastRuns.set(
    name,
    own.catch(() => undefined),
  );
  return own;
}
