const locks = "locks" in navigator ? navigator.locks : undefined;

/** Whether tabs can wait for each other. Browsers offer no locks on unencrypted addresses. */
export const hasLocks = locks !== undefined;

/** The last run under each name in this tab, if there are no locks. */
const lastRuns = new Map<string, Promise<void>>();

/**
 * Runs a function in one tab of the browser at a time. Without locks, each tab runs it, and only
 * the runs of one tab wait for each other.
 */
export const inOneTab = (name: string, run: () => Promise<void>): Promise<void> =>
  locks ? locks.request(`chatd ${name}`, run) : afterOthers(name, run);

/** Runs a function after all earlier runs under its name, whether or not they succeeded. */
export function afterOthers(name: string, run: () => Promise<void>): Promise<void> {
  const own = (lastRuns.get(name) ?? Promise.resolve()).then(run);
  lastRuns.set(
    name,
    own.catch(() => undefined),
  );
  return own;
}
