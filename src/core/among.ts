/**
 * Longer lists are looked up in a set, which is made once: the list is asked about each client that
 * waits.
 */
const listedMax = 32;
const sets = new WeakMap<readonly number[], ReadonlySet<number>>();

/** Whether a list, which never changes, has somebody's id. */
export function isAmong(userIds: readonly number[], userId: number): boolean {
  if (userIds.length <= listedMax) return userIds.includes(userId);
  let set = sets.get(userIds);
  if (!set) {
    set = new Set(userIds);
    sets.set(userIds, set);
  }
  return set.has(userId);
}
