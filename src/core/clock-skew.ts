import type { Engine } from "../../db/engine";
import { isoTime, systemClock } from "./clock";
import type { BackgroundTask } from "./manifest";

/**
 * Difference of two clocks from which on it is told. From 40 s on, a node takes over the background
 * work of another one that is still at it, and from some minutes on it ends its event queues.
 */
const secondsMax = 10;

/** A difference between the clocks of this machine and of the database. */
interface ClockSkew {
  /** By so much this machine is ahead; negative where it is behind. */
  seconds: number;
  /** The time of the database's clock (UNIX seconds). */
  theirs: number;
}

/**
 * Compares this machine's clock with the database's, which all nodes share. Undefined where they
 * agree, and where the database has no clock of its own. The time that the question takes counts
 * for neither.
 */
export async function findClockSkew({ readClock }: Engine): Promise<ClockSkew | undefined> {
  if (!readClock) return undefined;
  const askedAt = systemClock.nowMilliseconds();
  const theirs = await readClock();
  const answeredAt = systemClock.nowMilliseconds();
  const ahead = askedAt > theirs ? askedAt - theirs : Math.min(answeredAt - theirs, 0);
  const seconds = Math.round(ahead / 1_000);
  if (Math.abs(seconds) <= secondsMax) return undefined;
  return { seconds, theirs: Math.floor(theirs / 1_000) };
}

/** Logs a difference of the clocks once, until they agree again. */
export const clockWatch: BackgroundTask = {
  name: "clock",
  at: ["start", "minute"],
  make({ engine, log }) {
    let isTold = false;
    return async () => {
      const skew = await findClockSkew(engine);
      if (skew && !isTold)
        log.warn("clock_differs", {
          seconds: skew.seconds,
          database_time: isoTime(skew.theirs),
          what_to_do:
            "Synchronize the clocks of this machine and of PostgreSQL's machine with the network: timedatectl set-ntp true. Nodes whose clocks differ do background work twice, and end each other's event queues.",
        });
      isTold = skew !== undefined;
    };
  },
};
