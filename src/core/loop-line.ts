import type { Clock } from "./clock";

/** Milliseconds that pieces of long work may take in one turn of the event loop. */
const sliceMs = 1;
/** Number of pieces that one turn of the loop goes on with at most. */
const piecesMax = 16;
/** Number of lanes whose use of the loop is remembered. */
const lanesMax = 1_000;
/** Milliseconds after which what a lane has used counts half. */
const halfLifeMs = 2_000;
/**
 * Use from which on a lane is heavy: in the long run, long work of it was under way for a sixtieth
 * of the time.
 */
const heavyMs = 50;
/** Use that each request counts for at its beginning, so that lanes take turns in a crowd. */
const leastUseMs = 1;
/** Milliseconds after which work of one heavy lane does not keep others from beginning any more. */
const placeMs = 250;

/** Long work of one request, from its beginning to its end. */
export class LongWork {
  lane: string | undefined;
  isHeavy = false;
  beganAt = 0;
}

interface Beginning {
  work: LongWork;
  resolve: () => void;
}

/** Milliseconds for which a lane had work under way, as they count at the time `at`. */
interface Use {
  ms: number;
  at: number;
}

/**
 * Shares the event loop between pieces of long work. In each turn of the loop one piece goes on, and
 * others only while those before them have left time of the slice; all else that is ready runs
 * between two turns. So somebody with many long requests does not make one long turn of them.
 *
 * Lanes that have used much of the loop lately are heavy. Of all their requests only one is under
 * way, because what surrounds the pieces of many, such as their writes and answers, would come
 * together in one turn as well.
 */
export class LoopLine {
  private readonly beginnings: Beginning[] = [];
  private readonly heavyBeginnings: Beginning[] = [];
  private readonly continuations: (() => void)[] = [];
  private readonly uses = new Map<string, Use>();
  /** Work of a heavy lane that is under way. */
  private heavyOne: LongWork | undefined;
  /** Whether a timer is set for the end of its time. */
  private isTimed = false;
  /** Time at which the first piece of this turn of the loop began. */
  private openedAt: number | undefined;
  /** Turns of the loop with pieces so far; the immediates of the next one, and those left of this. */
  private turnCount = 0;
  private armedCount = 0;
  private leftCount = 0;
  private isContinuationNext = false;
  /** Whether work that came in used up the slice of the last turn before anything that waited. */
  private wasPassedOver = false;

  constructor(
    private readonly milliseconds: () => number,
    private readonly after: Clock["after"],
  ) {}

  /**
   * Begins long work of a lane: at once where the slice has time left and nobody waits to begin.
   * Else it waits; lanes that have used least lately begin first. Work that is under way
   * does not begin again. `holdsLoop` is false for work that mostly waits for something else: no other work
   * has to wait until it is done.
   */
  begin(work: LongWork, lane: string, holdsLoop = true): Promise<void> | undefined {
    if (work.lane !== undefined) return undefined;
    work.lane = lane;
    work.isHeavy = holdsLoop && this.useOf(lane) >= heavyMs;
    const mayBegin = !work.isHeavy || this.hasPlace;
    if (mayBegin && this.beginnings.length + this.heavyBeginnings.length === 0 && this.hasTime()) {
      this.start(work);
      // It ends the slice.
      this.arm(1);
      return undefined;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    (work.isHeavy ? this.heavyBeginnings : this.beginnings).push({ work, resolve });
    this.arm();
    this.limitTime();
    return promise;
  }

  /** The work is done, and others may begin. More work of its request begins as any other does. */
  end(work: LongWork) {
    if (work.lane === undefined) return;
    this.addUse(work.lane, this.milliseconds() - work.beganAt);
    work.lane = undefined;
    if (this.heavyOne !== work) return;
    this.heavyOne = undefined;
    this.arm();
  }

  /** Waits for the next turn of work that has begun. */
  turn(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.continuations.push(resolve);
    this.arm();
    return promise;
  }

  /** Looks again when the time of the work in the place is over, while others wait for the place. */
  private limitTime() {
    if (this.isTimed || this.heavyBeginnings.length === 0 || this.hasPlace) return;
    this.isTimed = true;
    this.after(placeMs, () => {
      this.isTimed = false;
      this.arm();
      this.limitTime();
    });
  }

  /** Number of pieces that may go on now. */
  private get readyCount(): number {
    const heavyCount = this.hasPlace ? this.heavyBeginnings.length : 0;
    return this.continuations.length + this.beginnings.length + heavyCount;
  }

  private get hasPlace(): boolean {
    const { heavyOne } = this;
    return heavyOne === undefined || this.milliseconds() - heavyOne.beganAt >= placeMs;
  }

  private useOf(lane: string): number {
    const use = this.uses.get(lane);
    return use ? use.ms * 0.5 ** ((this.milliseconds() - use.at) / halfLifeMs) : 0;
  }

  private addUse(lane: string, ms: number) {
    const total = this.useOf(lane) + ms;
    this.uses.delete(lane);
    this.uses.set(lane, { ms: total, at: this.milliseconds() });
    const [oldest] = this.uses.keys();
    if (this.uses.size > lanesMax && oldest !== undefined) this.uses.delete(oldest);
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
  private arm(countMin = 0) {
    const count = Math.min(piecesMax, Math.max(countMin, this.readyCount));
    if (this.armedCount >= count) return;
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
    const goesOn = this.hasTime() || (isFirst && this.wasPassedOver);
    if (isFirst) this.wasPassedOver = !goesOn;
    if (goesOn) this.release();
    if (this.leftCount === 0) this.openedAt = undefined;
    this.arm();
  }

  /** Work that begins and work that goes on take turns. */
  private release() {
    const isContinuation = this.continuations.length > 0 && this.isContinuationNext;
    this.isContinuationNext = !isContinuation;
    const beginning = isContinuation ? undefined : this.takeBeginning();
    if (beginning) this.start(beginning.work);
    (beginning?.resolve ?? this.continuations.shift())?.();
  }

  private takeBeginning(): Beginning | undefined {
    if (this.beginnings.length > 0) return this.takeLightest(this.beginnings);
    return this.hasPlace ? this.takeLightest(this.heavyBeginnings) : undefined;
  }

  private takeLightest(waiting: Beginning[]): Beginning | undefined {
    let [first, least] = [0, Number.POSITIVE_INFINITY];
    for (const [index, { work }] of waiting.entries()) {
      const use = this.useOf(work.lane ?? "");
      if (use < least) [first, least] = [index, use];
    }
    return waiting.splice(first, 1)[0];
  }

  private start(work: LongWork) {
    work.beganAt = this.milliseconds();
    this.addUse(work.lane ?? "", leastUseMs);
    if (!work.isHeavy) return;
    this.heavyOne = work;
    this.limitTime();
  }
}
