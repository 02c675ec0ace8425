import { steadyMilliseconds, systemClock } from "../clock";
import type { Context } from "../context";
import { laneOf } from "./fair-queue";
import { LongWork, LoopScheduler } from "./loop-scheduler";

/** One for the process, because all of its servers share the event loop. */
const scheduler = new LoopScheduler(steadyMilliseconds, systemClock.after);

/**
 * Lets other work run. Long loops over data in memory, or in a database inside the process, await
 * it: of several such loops mostly one goes on in a turn of the event loop.
 */
export const turn = (): Promise<void> => scheduler.turn();

/**
 * See `turn`. A request awaits it after it has waited for something else, such as a write, because
 * the time of its work would count for nobody from then on.
 */
export const turnOf = (work: LongWork | undefined): Promise<void> => scheduler.turn(work);

/**
 * To be awaited before a request's work that may take milliseconds at once. It begins now, unless
 * this turn of the event loop has done much already, or the request is of somebody who asked for
 * much lately and another such request is under way. Requests that wait begin in the order that
 * `LoopScheduler` explains: mostly those of people who asked for least lately come first.
 */
export const beginLongWork = (
  ctx: Pick<Context, "app" | "realm" | "actor" | "longWork">,
): Promise<void> | undefined =>
  ctx.longWork
    ? scheduler.begin(ctx.longWork, laneOf(ctx), !ctx.app.engine.isRemote)
    : // Nobody says when it ends, so it must not hold a place.
      scheduler.begin(new LongWork(), laneOf(ctx), false);

/**
 * Call it when a request needs no more long work, at the latest when its answer is made, because
 * its long work may hold a place that others wait for. It does nothing for a request without long
 * work.
 */
export const endLongWork = (work: LongWork | undefined): void => {
  if (work) scheduler.end(work);
};

/**
 * Runs the part of a request that is inside a write, and counts its time: that part has no turn of
 * its own, and those who use much of the loop pause after it, too.
 */
export async function countWork<T>(work: LongWork | undefined, run: () => Promise<T>): Promise<T> {
  if (!work) return run();
  const beganAt = steadyMilliseconds();
  try {
    return await run();
  } finally {
    scheduler.count(work, steadyMilliseconds() - beganAt);
  }
}

/** To be called for each request of somebody who is known. */
export const noteRequest = (ctx: Pick<Context, "app" | "realm" | "actor">): void => {
  if (!ctx.app.engine.isRemote) scheduler.noteRequest(() => laneOf(ctx));
};

/**
 * Makes a function to call after each piece of work, such as `await pace(text.length)`. It lets
 * other work run whenever `workPerTurn` was done since the last time; until then it gives nothing
 * to wait for.
 */
export function makePace(workPerTurn: number): (work: number) => Promise<void> | undefined {
  let done = 0;
  return (work) => {
    done += work;
    if (done < workPerTurn) return undefined;
    done = 0;
    return turn();
  };
}
