export const daySeconds = 86_400;

/** The only source of time and of timers, so that tests can replace it. */
export interface Clock {
  /** UNIX time in seconds, whole. */
  now(): number;
  /** UNIX time in milliseconds. */
  nowMilliseconds(): number;
  /** Milliseconds since some moment. They go on evenly when the clock of the machine is set. */
  steadyMilliseconds(): number;
  /**
   * Calls `run` once after the delay. Returns a function that cancels the call. Does not keep the
   * process alive.
   */
  after(delayMilliseconds: number, run: () => void): () => void;
  /**
   * Calls `run` repeatedly. Returns a function that stops that. Does not keep the process alive.
   */
  every(intervalMilliseconds: number, run: () => void): () => void;
}

/** Milliseconds of a clock that only measures how long something takes. */
export const steadyMilliseconds = (): number => performance.now();

export const systemClock: Clock = {
  now: () => Math.floor(Date.now() / 1000),
  nowMilliseconds: () => Date.now(),
  steadyMilliseconds,
  after(delayMilliseconds, run) {
    const timer = setTimeout(run, delayMilliseconds);
    timer.unref();
    return () => clearTimeout(timer);
  },
  every(intervalMilliseconds, run) {
    const timer = setInterval(run, intervalMilliseconds);
    timer.unref();
    return () => clearInterval(timer);
  },
};

/** ISO 8601 in UTC, to the second. */
export const isoTime = (seconds: number) =>
  new Date(seconds * 1000).toISOString().replace(".000Z", "Z");

/**
 * ISO 8601 in UTC with a numeric offset, as Zulip writes the time when somebody joined. Clients in
 * Python below 3.11 read no "Z" (`datetime.fromisoformat`).
 */
export const isoTimeWithOffset = (seconds: number) => isoTime(seconds).replace("Z", "+00:00");

/** ISO 8601 in UTC, to the millisecond. */
export const isoMilliseconds = (milliseconds: number) => new Date(milliseconds).toISOString();
