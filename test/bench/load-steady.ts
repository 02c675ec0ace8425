import { openActors, runScene } from "./load-mixed";
import type { Figures, LoadTarget } from "./load-target";

/** Sixty clients: most act, with a rest after each request, and the others wait for events. */
const acting = 44;
const waiting = 16;
/** Together 150 requests a second, of them 12 sends. */
const pauseMs = 290;

/**
 * A load that stays as it is, for as many seconds as are asked for: how many requests a second it
 * comes to.
 */
export async function runSteadyLoad(target: LoadTarget): Promise<Figures> {
  const people = await openActors(target, acting);
  const startMs = performance.now();
  const { latenciesMs } = await runScene(target, people, {
    durationMs: target.seconds * 1000,
    waiting,
    pauseMs,
  });
  const count = [...latenciesMs.values()].reduce((sum, { length }) => sum + length, 0);
  return { steadyPerSecond: (count / (performance.now() - startMs)) * 1000 };
}
