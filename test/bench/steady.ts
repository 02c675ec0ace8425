import { existsSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Figures } from "./load-target";
import { residentMiB } from "./process-usage";
import { type Program, runLoad, type Server, startServer } from "./servers";
import { slopeOf } from "./statistics";

interface Watch {
  subject: Program;
  scratch: string;
  database: string;
  minutes: number;
}

/**
 * The first part, in which caches fill and code is compiled, is not looked at: twenty minutes of an
 * hour.
 */
const warmUpShare = 1 / 3;
const lookMs = 1_000;
const collectedWithinMs = 30_000;

/**
 * Memory of a server under a load that stays as it is: the slope of the lowest resident size of
 * each minute, with its 95 % interval, and how much the heap has grown after a forced collection,
 * both from a third of the time on.
 */
export async function measureSteady({
  subject,
  scratch,
  database,
  minutes,
}: Watch): Promise<Figures> {
  const heapFile = join(scratch, "heap");
  const environment = {
    BUN_OPTIONS: `--preload ${resolve(import.meta.dir, "heap-probe.ts")}`,
    BENCH_HEAP_FILE: heapFile,
  };
  const server = await startServer({ ...subject, environment }, scratch, database);
  try {
    const seconds = minutes * 60;
    const load = runLoad(server, "steady", seconds, (seconds + 120) * 1000);
    const watched = watch(server, heapFile, minutes);
    const [figures, memory] = await Promise.all([load, watched]);
    return { ...figures, ...memory };
  } finally {
    await server.stop();
  }
}

async function watch({ pid }: Server, heapFile: string, minutes: number): Promise<Figures> {
  const warmUpMinutes = minutes * warmUpShare;
  await Bun.sleep(warmUpMinutes * 60_000);
  const heapBefore = await collectedMiB(pid, heapFile);
  const lowest: number[] = [];
  const startMs = performance.now();
  const endMs = (minutes - warmUpMinutes) * 60_000 - 2 * lookMs;
  for (let elapsedMs = 0; elapsedMs < endMs; elapsedMs = performance.now() - startMs) {
    const minute = Math.floor(elapsedMs / 60_000);
    lowest[minute] = Math.min(lowest[minute] ?? Number.POSITIVE_INFINITY, residentMiB(pid));
    await Bun.sleep(lookMs);
  }
  const heapAfter = await collectedMiB(pid, heapFile);
  const { slope, upper } = slopeOf(lowest);
  return {
    steadyFirstMiB: lowest[0] ?? Number.NaN,
    steadyLastMiB: lowest.at(-1) ?? Number.NaN,
    steadySlopeMiBPerHour: slope * 60,
    steadySlopeUpperMiBPerHour: upper * 60,
    steadyHeapMiB: heapAfter,
    steadyHeapGrowthMiB: heapAfter - heapBefore,
  };
}

/** The heap of a server after a forced collection. */
async function collectedMiB(pid: number, heapFile: string): Promise<number> {
  rmSync(heapFile, { force: true });
  process.kill(pid, "SIGUSR2");
  const untilMs = performance.now() + collectedWithinMs;
  while (!existsSync(heapFile)) {
    if (performance.now() > untilMs)
      throw new Error("the server did not tell how large its heap is");
    await Bun.sleep(20);
  }
  return Number(readFileSync(heapFile, "utf8")) / 1024 ** 2;
}
