/** Numbers counted in buckets, as Prometheus reads them. Counting one costs a few comparisons. */
export class Histogram {
  /** Counts by bucket; the last bucket has the numbers above all bounds. */
  private readonly counts: number[];
  sum = 0;

  /** `bounds`: the highest number of each bucket, ascending. */
  constructor(readonly bounds: readonly number[]) {
    this.counts = new Array<number>(bounds.length + 1).fill(0);
  }

  observe(value: number) {
    let bucket = 0;
    while (value > (this.bounds[bucket] ?? Number.POSITIVE_INFINITY)) bucket += 1;
    this.counts[bucket] = (this.counts[bucket] ?? 0) + 1;
    this.sum += value;
  }

  /** Number of values up to each bound, and at the end of all values. */
  cumulated(): number[] {
    let sum = 0;
    return this.counts.map((count) => {
      sum += count;
      return sum;
    });
  }
}

/** Bounds in seconds for requests that people wait for, up to the longest held poll. */
export const requestSeconds = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60,
];
/** Bounds in seconds for operations of a disk or a database. */
export const diskSeconds = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5,
];
/** Bounds in seconds for the delay of the event loop. */
export const delaySeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
/** Bounds for numbers of writes that share a commit. */
export const groupWrites = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];
