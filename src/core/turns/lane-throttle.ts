/** Milliseconds for which a lane that has used much less counts as there after a request of it. */
const othersMs = 1_000;
/** Longest pause, in milliseconds. */
const pauseMsMax = 12;
/** Length of a pause by the work before it: heavy lanes get a fifth of the time. */
const pausePerWork = 4;
/**
 * Milliseconds of work after which there is a pause. The shortest pause is a timer of a
 * millisecond, so a pause after each shorter piece would slow it down to a fraction.
 */
const workMsMin = 1;

/**
 * Slows down the requests of heavy lanes while others ask for something: after a long piece, or
 * several short ones, they pause for four times as long. So heavy lanes get about a fifth of the
 * server's time, and what they leave behind in memory is collected less often. Where nobody else
 * asks, there are no pauses. Times are milliseconds.
 */
export class LaneThrottle {
  private othersAt = Number.NEGATIVE_INFINITY;
  private pieceBeganAt: number | undefined;
  private until = 0;
  /** Time of the pieces since the last pause. */
  private workMs = 0;

  /** A lane that has used much less asks for something. */
  noteOthers(now: number) {
    this.othersAt = now;
  }

  /** A piece of the heavy lane's request begins. */
  begin(now: number) {
    this.pieceBeganAt = now;
  }

  /** The piece that began, if any, is over. */
  end(now: number) {
    if (this.pieceBeganAt === undefined) return;
    const milliseconds = now - this.pieceBeganAt;
    this.pieceBeganAt = undefined;
    this.add(milliseconds, now);
  }

  /** Counts work of the heavy lane's request that has just ended. */
  add(milliseconds: number, now: number) {
    this.workMs += milliseconds;
    if (this.workMs < workMsMin) return;
    if (now - this.othersAt < othersMs)
      this.until = now + Math.min(pausePerWork * this.workMs, pauseMsMax);
    this.workMs = 0;
  }

  /** Milliseconds that are left of the pause; 0 where there is none. */
  leftMs(now: number): number {
    return Math.max(0, this.until - now);
  }
}
