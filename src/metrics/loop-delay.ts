import { steadyMilliseconds, systemClock } from "../core/clock";
import type { Exposition } from "./exposition";
import { delaySeconds, Histogram } from "./histogram";

const lookMilliseconds = 100;

/** Measures how late the event loop runs a timer: all requests wait for that long. */
export class LoopDelay {
  private readonly delays = new Histogram(delaySeconds);

  /** Starts to measure; the returned function stops it. */
  start(): () => void {
    let lastAt = steadyMilliseconds();
    return systemClock.every(lookMilliseconds, () => {
      const now = steadyMilliseconds();
      this.delays.observe(Math.max(0, now - lastAt - lookMilliseconds) / 1_000);
      lastAt = now;
    });
  }

  addTo(page: Exposition) {
    page.addHistogram("chatd_event_loop_delay_seconds", this.delays);
  }
}
