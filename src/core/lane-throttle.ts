/** Milliseconds for which a lane that is not heavy counts as there after a request of it. */
const othersMs = 1_000;
/** Longest pause after one piece, in milliseconds. */
const pauseMsMax = 10;
/**
 * Milliseconds from which a piece is followed by a pause. Others hardly wait for a shorter one, and
 * the shortest pause, which is a timer of a millisecond, would slow it down to a fraction.
 */
const longPieceMs = 1;

/**
 * Slows down the requests of heavy lanes while others ask for something: after each long piece they
 * pause for as long as the piece took. So long pieces of heavy lanes get about half of the server's
 * time, and what they leave behind in memory is collected half as often. Where nobody else asks,
 * there are no pauses. Times are milliseconds.
 */
export class LaneThrottle {
  private othersAt = Number.NEGATIVE_INFINITY;
  private pieceBeganAt: number | undefined;
  private until = 0;

  /** A lane that is not heavy asks for something. */
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
    const isFelt = tookMs >= longPieceMs && now - this.othersAt < othersMs;
    if (isFelt) this.until = now + Math.min(tookMs, pauseMsMax);
  }

  /** Milliseconds that are left of the pause; 0 where there is none. */
  leftMs(now: number): number {
    return Math.max(0, this.until - now);
  }
}
