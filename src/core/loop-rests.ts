/** Milliseconds for which a lane that is not heavy counts as there after a request of it. */
const othersMs = 1_000;
/** Longest rest after one piece, in milliseconds. */
const restMsMax = 10;

/**
 * Rests of a heavy lane's request while others ask for something: after each piece as long as the
 * piece took. So heavy lanes take about half of the time, and what they leave behind in memory is
 * collected half as often. Where nobody else asks, there are no rests. Times are milliseconds.
 */
export class Rests {
  private othersAt = Number.NEGATIVE_INFINITY;
  private pieceBeganAt: number | undefined;
  private until = 0;

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
    const tookMs = now - this.pieceBeganAt;
    this.pieceBeganAt = undefined;
    if (now - this.othersAt < othersMs) this.until = now + Math.min(tookMs, restMsMax);
  }

  leftMs(now: number): number {
    return Math.max(0, this.until - now);
  }
}
