import { constants, getPriority, setPriority } from "node:os";

/**
 * Distance of a worker's priority from that of the event loop, in nice values. Where both want one
 * core, the event loop has it three times out of four, because everybody waits for it. With more
 * distance long texts would wait for long on a busy machine.
 */
const niceBehind = 5;

/**
 * Lets the event loop go before the thread that calls this, a worker. Only Linux has priorities of
 * threads; elsewhere this does nothing, because it would hold back the whole process.
 */
export function lowerThreadPriority(): void {
  if (process.platform !== "linux" || Bun.isMainThread) return;
  try {
    setPriority(Math.min(getPriority() + niceBehind, constants.priority.PRIORITY_LOW));
  } catch {
    // A sandbox may forbid it. Both then share a core as equals.
  }
}
