import { workerPath } from "../../core/assets";
import type { Context } from "../../core/context";
import { serverBusy } from "../../core/errors";
import { laneOf } from "../../core/fair-line";
import { WorkerLine, WorkerLostError } from "../../core/worker-line";
import { type HeavyWork, keyOf, type WorkedOut } from "../../markdown/heavy-work";

/**
 * A text takes the thread some 20 ms, at most 100, so the last text in the queue waits a few
 * seconds at most.
 */
const waitingMax = 64;
const busySeconds = 2;
const jobMsMax = 10_000;
const idleMs = 30_000;

/**
 * One thread for all texts of this process, because a second one would leave no core for the event
 * loop on two cores.
 */
export const engines = new WorkerLine<HeavyWork[], (string | undefined)[]>({
  path: workerPath("src/messages/rendering/engine-worker.ts"),
  waitingMax,
  jobMsMax,
  idleMs,
  refusal: () => serverBusy("Too much code and too many formulas are being prepared", busySeconds),
});

/**
 * Does the works of the actor's text beside the event loop. Where the thread is lost, their source
 * is shown. Refuses (503) where too many texts wait.
 */
export async function workOut(ctx: Context, works: HeavyWork[]): Promise<WorkedOut> {
  const results = await engines.run(laneOf(ctx), works).catch((error: unknown) => {
    if (!(error instanceof WorkerLostError)) throw error;
    ctx.app.log.error("rendering_thread_lost", { reason: error.message });
    return [];
  });
  return new Map(works.map((work, index) => [keyOf(work), results[index]]));
}
