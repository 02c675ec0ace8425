import { workerPath } from "../../core/assets";
import type { Context } from "../../core/context";
import { serverBusy } from "../../core/errors";
import { laneOf } from "../../core/turns/fair-queue";
import { WorkerLostError, WorkerQueue } from "../../core/turns/worker-queue";
import { type RenderedMarkdown, renderWithoutWork } from "../../markdown/render";
import { type NameFacts, namesFrom } from "./name-facts";

/** A text to render, with the meanings of the names in it. */
export interface HeavyText {
  source: string;
  facts: NameFacts;
}

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
export const renderThread = new WorkerQueue<HeavyText, RenderedMarkdown>({
  path: workerPath("src/messages/rendering/render-worker.ts"),
  waitingMax,
  jobMsMax,
  idleMs,
  refusal: () => serverBusy("Too many long texts are being prepared", busySeconds),
});

/**
 * Renders a text of the actor off the event loop. Where the thread is lost, it is rendered here
 * with the source of its formulas and code. Refuses (503) where too many texts wait.
 */
export async function renderBeside(ctx: Context, text: HeavyText): Promise<RenderedMarkdown> {
  try {
    return await renderThread.run(laneOf(ctx), text);
  } catch (error) {
    if (!(error instanceof WorkerLostError)) throw error;
    ctx.app.log.error("rendering_thread_lost", { reason: error.message });
    return renderWithoutWork(text.source, namesFrom(text.facts));
  }
}
