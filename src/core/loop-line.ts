/** Milliseconds that pieces of long work may take in one turn of the event loop. */
const sliceMs = 2;
/** Number of pieces that one turn of the loop goes on with at most. */
const piecesMax = 16;
/** Number of lanes whose last piece is remembered. */
const lanesMax = 1_000;

interface Beginning {
  lane: string;
  resolve: () => void;
}

/**
 * Shares the event loop between pieces of long work. In each turn of the loop one piece goes on, and
 * others only while those before them have left time of the slice; all else that is ready runs
 * between two turns. So somebody with many long requests does not make one long turn of them.
 */
export class LoopLine {
  private readonly beginnings: Beginning[] = [];
  private readonly continuations: (() => void)[] = [];
  /** The number of the last piece of each lane. */
  private readonly served = new Map<string, number>();
  private servedCount = 0;
  /** Time at which the first piece of this turn of the loop began. */
  private openedAt: number | undefined;
  /** Turns of the loop with pieces so far; the immediates of the next one, and those left of this. */
  private turnCount = 0;
  private armedCount = 0;
  private leftCount = 0;
  private isContinuationNext = false;

  constructor(private readonly milliseconds: () => number) {}

  /**
   * Begins long work of a lane: at once where the slice has time left and nobody waits to begin.
   * Else it waits; lanes whose last piece is longest ago begin first.
   */
  begin(lane: string): Promise<void> | undefined {
    if (this.beginnings.length === 0 && this.hasTime()) {
      this.note(lane);
      // It ends the slice.
      this.arm();
      return undefined;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    this.beginnings.push({ lane, resolve });
    this.arm();
    return promise;
  }

  /** Waits for the next turn of work that has begun. */
  turn(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.continuations.push(resolve);
    this.arm();
    return promise;
  }

  private get waitingCount(): number {
    return this.beginnings.length + this.continuations.length;
  }

  private hasTime(): boolean {
    const now = this.milliseconds();
    this.openedAt ??= now;
    return now - this.openedAt < sliceMs;
  }

  /**
   * Has an immediate for each piece that may go on in the next turn of the loop, because what a
   * piece does is done when the immediate after it runs.
   */
  private arm() {
    if (this.armedCount >= Math.min(piecesMax, Math.max(1, this.waitingCount))) return;
    this.armedCount += 1;
    const turnCount = this.turnCount;
    setImmediate(() => this.goOn(turnCount));
  }

  private goOn(turnCount: number) {
    const isFirst = turnCount === this.turnCount;
    if (isFirst) {
      this.turnCount += 1;
      this.leftCount = this.armedCount;
      this.armedCount = 0;
    }
    this.leftCount -= 1;
    if (this.hasTime() || isFirst) this.release();
    if (this.leftCount === 0) this.openedAt = undefined;
    if (this.waitingCount > 0) this.arm();
  }

  /** Work that begins and work that goes on take turns. */
  private release() {
    const isContinuation =
      this.continuations.length > 0 && (this.isContinuationNext || this.beginnings.length === 0);
    this.isContinuationNext = !isContinuation;
    if (isContinuation) this.continuations.shift()?.();
    else this.takeBeginning()?.resolve();
  }

  private takeBeginning(): Beginning | undefined {
    const lastOf = ({ lane }: Beginning) => this.served.get(lane) ?? 0;
    let first = 0;
    for (const [index, one] of this.beginnings.entries()) {
      const best = this.beginnings[first];
      if (best && lastOf(one) < lastOf(best)) first = index;
    }
    const [taken] = this.beginnings.splice(first, 1);
    if (taken) this.note(taken.lane);
    return taken;
  }

  private note(lane: string) {
    this.servedCount += 1;
    this.served.delete(lane);
    this.served.set(lane, this.servedCount);
    const [oldest] = this.served.keys();
    if (this.served.size > lanesMax && oldest !== undefined) this.served.delete(oldest);
  }
}
