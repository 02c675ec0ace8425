/**
 * Runs something in one tab of the browser at a time. Browsers have no locks on addresses that are
 * not encrypted; there each tab runs it.
 */
export const inOneTab = (name: string, run: () => Promise<void>): Promise<void> =>
  "locks" in navigator ? navigator.locks.request(`chatd ${name}`, run) : run();
