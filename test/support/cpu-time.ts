const attemptsMax = 5;

/**
 * The processor time of the fastest of some runs, in milliseconds: how busy the machine is
 * otherwise hardly matters.
 */
export function fastestRun(run: () => void, enoughMilliseconds: number): number {
  let best = Infinity;
  for (let attempt = 0; attempt < attemptsMax && best > enoughMilliseconds; attempt++) {
    const begun = process.cpuUsage();
    run();
    best = Math.min(best, millisecondsSince(begun));
  }
  return best;
}

/** `fastestRun` for work that ends later, such as an answer of a server in this process. */
export async function fastestWork(
  work: () => Promise<unknown>,
  enoughMilliseconds: number,
): Promise<number> {
  let best = Infinity;
  for (let attempt = 0; attempt < attemptsMax && best > enoughMilliseconds; attempt++) {
    const begun = process.cpuUsage();
    await work();
    best = Math.min(best, millisecondsSince(begun));
  }
  return best;
}

function millisecondsSince(begun: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1000;
}
