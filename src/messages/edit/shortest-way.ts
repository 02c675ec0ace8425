/** Shortest way from one list of words to another. */

/**
 * With more differing words, everything between the first and the last of them counts as changed.
 */
const differencesMax = 200;

export type Step = "same" | "gone" | "come";

/**
 * The shortest edit script from one list of words to another (Myers 1986, An O(ND) Difference
 * Algorithm), between their common beginning and end. With too many differences it removes all of
 * one and adds all of the other.
 */
export function stepsBetween(before: readonly string[], after: readonly string[]): Step[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start])
    start += 1;
  let end = 0;
  const rest = Math.min(before.length, after.length) - start;
  while (end < rest && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const [old, now] = [
    before.slice(start, before.length - end),
    after.slice(start, after.length - end),
  ];
  return [
    ...repeat("same", start),
    ...(shortestWay(old, now) ?? wholesale(old, now)),
    ...repeat("same", end),
  ];
}

const repeat = (step: Step, count: number): Step[] => Array.from({ length: count }, () => step);

const wholesale = (before: readonly string[], after: readonly string[]): Step[] => [
  ...repeat("gone", before.length),
  ...repeat("come", after.length),
];

/**
 * Whether a diagonal is reached, with one more difference, by adding a word (from the diagonal
 * above) or by removing one.
 */
const comesDown = (
  reached: readonly number[],
  diagonal: number,
  differences: number,
  origin: number,
) =>
  diagonal === -differences ||
  (diagonal !== differences &&
    (reached[origin + diagonal - 1] ?? -1) < (reached[origin + diagonal + 1] ?? -1));

function shortestWay(before: readonly string[], after: readonly string[]): Step[] | undefined {
  const origin = differencesMax + 1;
  const reached: number[] = new Array(2 * origin + 1).fill(0);
  const trace: number[][] = [];
  for (let differences = 0; differences <= differencesMax; differences++) {
    trace.push(reached.slice());
    for (let diagonal = -differences; diagonal <= differences; diagonal += 2) {
      const isDown = comesDown(reached, diagonal, differences, origin);
      let x = isDown
        ? (reached[origin + diagonal + 1] ?? 0)
        : (reached[origin + diagonal - 1] ?? 0) + 1;
      while (x < before.length && x - diagonal < after.length && before[x] === after[x - diagonal])
        x += 1;
      reached[origin + diagonal] = x;
      if (x >= before.length && x - diagonal >= after.length)
        return walkBack(trace, before.length, after.length, origin);
    }
  }
  return undefined;
}

function walkBack(
  trace: readonly number[][],
  beforeLength: number,
  afterLength: number,
  origin: number,
): Step[] {
  const steps: Step[] = [];
  let [x, y] = [beforeLength, afterLength];
  for (let differences = trace.length - 1; differences >= 0; differences--) {
    const reached = trace[differences] ?? [];
    const diagonal = x - y;
    const isDown = comesDown(reached, diagonal, differences, origin);
    const previousX = differences === 0 ? 0 : (reached[origin + diagonal + (isDown ? 1 : -1)] ?? 0);
    const previousY = differences === 0 ? 0 : previousX - (diagonal + (isDown ? 1 : -1));
    while (x > previousX && y > previousY && x > 0 && y > 0) {
      steps.push("same");
      x -= 1;
      y -= 1;
    }
    if (differences > 0) steps.push(isDown ? "come" : "gone");
    [x, y] = [previousX, previousY];
  }
  return steps.reverse();
}
