import type { App } from "../core/context";
import { perServer } from "../core/per-server";

const outages = perServer(() => ({ endedAt: 0 }));

/** Notes that the database answers again after it did not. Meanwhile no client could poll. */
export const noteOutageOver = (app: App): void => {
  outages.of(app).endedAt = app.clock.now();
};

/**
 * Time in UNIX seconds from which clients could poll this server without interruption: its start,
 * or the end of the last time in which the database did not answer.
 */
export const reachableSince = (app: App): number =>
  Math.max(app.startedAt, outages.of(app).endedAt);
