import type { App } from "../context";
import { perServer } from "../per-server";

const outages = perServer(() => ({ endedAt: 0, waiting: new Set<() => void>() }));

/** Notes that the database answers again after it did not. Meanwhile no client could poll. */
export function noteOutageOver(app: App): void {
  const outage = outages.of(app);
  outage.endedAt = app.clock.now();
  for (const run of outage.waiting) run();
}

/**
 * Calls `run` whenever the database answers again after it did not. Returns a function that stops
 * that.
 */
export function onOutageOver(app: App, run: () => void): () => void {
  const { waiting } = outages.of(app);
  waiting.add(run);
  return () => void waiting.delete(run);
}

/**
 * Time in UNIX seconds from which the database has answered this server without interruption, and
 * clients could poll it: its start, or the end of the last time in which the database did not
 * answer.
 */
export const reachableSince = (app: App): number =>
  Math.max(app.startedAt, outages.of(app).endedAt);
