/** Index of the first of ascending ids above `id`. */
export function firstAbove(ids: readonly number[], id: number): number {
  let [low, high] = [0, ids.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ids[middle] ?? 0) > id) high = middle;
    else low = middle + 1;
  }
  return low;
}
