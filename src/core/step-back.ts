import { setPriority } from "node:os";

/**
 * Priority of threads beside the event loop, as a nice value: where two of them want one core, the
 * event loop has it nine times out of ten, because everybody waits for it.
 */
const threadPriority = 10;

/**
 * Lets the event loop go before the thread that calls this, a worker. Only Linux has priorities of
 * threads; elsewhere this does nothing, because it would hold back the whole process.
 */
export function stepBack(): void {
  if (process.platform !== "linux" || Bun.isMainThread) return;
  try {
    setPriority(0, threadPriority);
  } catch {
    // A sandbox may forbid it. Both then share a core as equals.
  }
}
