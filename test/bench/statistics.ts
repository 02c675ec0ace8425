/** The value below which `share` (0 to 1) of the values lie; NaN of none. */
export function quantile(values: readonly number[], share: number): number {
  if (values.length === 0) return Number.NaN;
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/**
 * The interval that holds the true median with at least 95 %, whatever the distribution: between
 * two of the sorted values (for nine the second and the eighth). Of fewer than six all of them.
 */
export function medianInterval(values: readonly number[]): [low: number, high: number] {
  const sorted = [...values].sort((a, b) => a - b);
  const count = sorted.length;
  // Likelihood that at most `skipped` of all values lie below the median: added up as long as it is
  // at most 2.5 %.
  let [skipped, term] = [0, 0.5 ** count];
  for (let below = term; skipped < count; skipped++) {
    term *= (count - skipped) / (skipped + 1);
    below += term;
    if (below > 0.025) break;
  }
  return [sorted[skipped] ?? Number.NaN, sorted[count - 1 - skipped] ?? Number.NaN];
}

/**
 * For 95 % between both ends of Student's distribution, by degrees of freedom; between two of them
 * the wider counts.
 */
const studentAt95: [degrees: number, factor: number][] = [
  [1, 12.71],
  [2, 4.3],
  [3, 3.18],
  [5, 2.57],
  [10, 2.23],
  [20, 2.09],
  [30, 2.04],
  [60, 2.0],
];

/**
 * The slope of a straight line through values one step apart (least squares), and the upper end of
 * its 95 % interval.
 */
export function slopeOf(values: readonly number[]): { slope: number; upper: number } {
  const count = values.length;
  const degrees = count - 2;
  if (degrees < 1) return { slope: Number.NaN, upper: Number.NaN };
  const middle = (count - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  const spread = values.reduce((sum, _, index) => sum + (index - middle) ** 2, 0);
  const slope =
    values.reduce((sum, value, index) => sum + (index - middle) * (value - mean), 0) / spread;
  const unexplained = values.reduce(
    (sum, value, index) => sum + (value - mean - slope * (index - middle)) ** 2,
    0,
  );
  const factor = studentAt95.findLast(([least]) => least <= degrees)?.[1] ?? Number.NaN;
  return { slope, upper: slope + factor * Math.sqrt(unexplained / degrees / spread) };
}
