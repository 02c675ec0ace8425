/**
 * Longer lists are searched through a set, which is made once, because each client that waits for
 * an event causes one search.
 */
const listedMax = 32;
const sets = new WeakMap<readonly number[], ReadonlySet<number>>();

/** Whether a list of user ids contains somebody's. The list must never change. */
export function includesUser(userIds: readonly number[], userId: number): boolean {
  if (userIds.length <= listedMax) return userIds.includes(userId);
  let set = sets.get(userIds);
  if (!set) {
    set = new Set(userIds);
    sets.set(userIds, set);
  }
  return set.has(userId);
}
