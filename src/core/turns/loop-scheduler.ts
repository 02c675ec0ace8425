import type { Clock } from "../clock";
import { LaneThrottle } from "./lane-throttle";
import { LaneUses, settle, type Use } from "./lane-uses";

/** Milliseconds that pieces of long work may take in one turn of the event loop. */
const sliceMs = 1;
/** Number of pieces that one turn of the loop goes on with at most. */
const piecesMax = 16;
/** Milliseconds of recent use that make a lane heavy: steadily a hundredth of the time. */
const heavyMs = 30;
/**
 * A heavy lane pauses for others that have used less than one part of so many of what it has used,
 * and those are not heavy beside it. Where many ask for about as much each, some are just heavy and
 * some are not: pauses would leave the server idle.
 */
const lighterTimes = 4;
/** Milliseconds for which work of one heavy lane holds the slot that all heavy lanes share. */
const heavySlotMs = 250;
/** Milliseconds after which work that waits is overdue. In a shorter rush, light lanes go first. */
const patienceMs = 1_000;
/** Milliseconds after the end of a heavy lane's work for which requests of others are noted. */
const watchedMs = 1_000;

/** Long work of one request, from its beginning to its end. */
export class LongWork {
  lane: string | undefined;
  holdsLoop = true;
  isHeavy = false;
  beganAt = 0;
  /** Use of its lane, where it counts. */
  use: Use | undefined;
}

interface WaitingWork {
  work: LongWork;
  resolve: () => void;
  since: number;
}

/** Requests that wait to begin, the oldest first. */
class WaitingQueue {
  private readonly waiting: WaitingWork[] = [];
  private isOldestNext = false;

  get length(): number {
    return this.waiting.length;
  }

  push(waiting: WaitingWork) {
    if (this.waiting.length === 0) this.isOldestNext = false;
    this.waiting.push(waiting);
  }

  isOverdue(now: number): boolean {
    const [oldest] = this.waiting;
    return oldest !== undefined && now - oldest.since >= patienceMs;
  }

  /**
   * A request of the lane that has used least. While the oldest request is overdue, it takes every
   * other turn, because lanes that have used less may keep coming.
   */
  take(now: number, useOf: (lane: string) => number): WaitingWork | undefined {
    this.isOldestNext = this.isOverdue(now) && !this.isOldestNext;
    return this.isOldestNext ? this.waiting.shift() : this.takeLightest(useOf);
  }

  private takeLightest(useOf: (lane: string) => number): WaitingWork | undefined {
    let [first, least] = [0, Number.POSITIVE_INFINITY];
    for (const [index, { work }] of this.waiting.entries()) {
      const use = useOf(work.lane ?? "");
      if (use < least) [first, least] = [index, use];
    }
    return this.waiting.splice(first, 1)[0];
  }
}

/** Work that waits for its next turn. */
interface Continuation {
  /** Undefined where it is not known whose it is. */
  work: LongWork | undefined;
  resolve: () => void;
}

/**
 * Shares the event loop between pieces of long work. In each turn of the loop one piece goes on,
 * and others only while those before them have left time of the slice; all else that is ready runs
 * between two turns. So somebody with many long requests does not make one long turn of them.
 *
 * Lanes that have used much of the loop lately are heavy. Of all their requests only one is under
 * way, because what surrounds the pieces of many, such as their writes and answers, would come
 * together in one turn as well. While others are there, heavy lanes pause after each millisecond of
 * work or more, also between two requests, because most requests are one piece.
 */
export class LoopScheduler {
  private readonly light = new WaitingQueue();
  private readonly heavy = new WaitingQueue();
  private readonly continuations: Continuation[] = [];
  /** Work whose piece has begun last, until the next immediate of a turn. */
  private running: LongWork | undefined;
  private readonly uses = new LaneUses();
  /** Work of a heavy lane that is under way: it holds the slot of heavy lanes. */
  private heavyWork: LongWork | undefined;
  /** When such work was last under way; undefined if that is long ago. */
  private heavyAt: number | undefined;
  /** Milliseconds that its lane had used when it began. */
  private heavyUseMs = 0;
  /** Whether a timer is set for the end of its time. */
  private isTimed = false;
  private readonly throttle = new LaneThrottle();
  /** Whether a timer is set for the end of a pause. */
  private isPauseTimed = false;
  /** Time at which the first piece of this turn of the loop began. */
  private openedAt: number | undefined;
  /**
   * Turns of the loop with pieces so far; the immediates of the next one, and those left of this.
   */
  private turnCount = 0;
  private armedCount = 0;
  private leftCount = 0;
  private isContinuationNext = false;
  /** Whether work that came in used up the slice of the last turn before anything that waited. */
  private wasPassedOver = false;
  private isHeavyNext = false;

  constructor(
    private readonly milliseconds: () => number,
    private readonly after: Clock["after"],
  ) {}

  /**
   * Begins long work of a lane: at once where the slice has time left and none of the waiting work
   * may begin. Else it waits; lanes that have used least lately begin first. Work that is under way
   * does not begin again. `holdsLoop` is false for work that mostly waits for something else, or
   * whose end nobody tells: no other work waits until it is done, and its time does not count.
   */
  begin(work: LongWork, lane: string, holdsLoop = true): Promise<void> | undefined {
    if (work.lane !== undefined) return undefined;
    work.lane = lane;
    work.holdsLoop = holdsLoop;
    // The clock is read once, because every request for messages comes through here.
    const now = this.milliseconds();
    work.isHeavy = holdsLoop && this.isHeavyUse(this.uses.of(lane, now), now);
    const mayBegin = !work.isHeavy || (this.isHeavySlotFree && this.throttle.leftMs(now) === 0);
    if (mayBegin && this.eligibleCount === 0 && this.hasTime(now)) {
      this.start(work, now);
      // An immediate notices that the turn is over, so that the next one has all of its time.
      this.arm(1);
      return undefined;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    (work.isHeavy ? this.heavy : this.light).push({ work, resolve, since: now });
    this.arm();
    this.limitTime();
    return promise;
  }

  /** The work is done, and others may begin. More work of its request begins as any other does. */
  end(work: LongWork) {
    if (work.lane === undefined) return;
    if (work.use) {
      settle(work.use, this.milliseconds()).underWayCount -= 1;
      work.use = undefined;
    }
    work.lane = undefined;
    if (this.running === work) this.running = undefined;
    if (this.heavyWork !== work) return;
    this.heavyAt = this.milliseconds();
    this.throttle.end(this.heavyAt);
    this.heavyWork = undefined;
    this.arm();
  }

  /** Counts work that is not a piece, such as that inside a write, and has just ended. */
  count(work: LongWork, milliseconds: number) {
    if (work === this.heavyWork) this.throttle.add(milliseconds, this.milliseconds());
  }

  /** Notes a request of any kind, because heavy lanes only pause while much lighter ones ask. */
  noteRequest(lane: () => string) {
    if (this.heavyAt === undefined) return;
    const now = this.milliseconds();
    if (!this.heavyWork && now - this.heavyAt > watchedMs) {
      this.heavyAt = undefined;
      return;
    }
    const use = this.uses.of(lane(), now);
    if (use * lighterTimes < this.heavyUseMs) this.throttle.noteOthers(now);
  }

  /** Whether a lane with this use is heavy. It is not beside one that has used much more lately. */
  private isHeavyUse(use: number, now: number): boolean {
    if (use < heavyMs) return false;
    const isOtherThere = this.heavyAt !== undefined && now - this.heavyAt <= watchedMs;
    return !isOtherThere || use * lighterTimes >= this.heavyUseMs;
  }

  /**
   * Waits for the next turn of work that has begun. `of` names the work where it has waited for
   * something else than a turn, because the scheduler does not see what goes on after that.
   */
  turn(of?: LongWork): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.continuations.push({ work: of?.lane === undefined ? this.running : of, resolve });
    this.arm();
    return promise;
  }

  /** Checks again when the time of the current work is over, if others wait. */
  private limitTime() {
    const { heavyWork } = this;
    if (this.isTimed || this.heavy.length === 0 || !heavyWork || this.isHeavySlotFree) return;
    this.isTimed = true;
    const leftMs = heavyWork.beganAt + heavySlotMs - this.milliseconds();
    this.after(Math.max(1, Math.ceil(leftMs)), () => {
      this.isTimed = false;
      this.arm();
      this.limitTime();
    });
  }

  /** Whether any work waits, even if it may not go on yet. Mostly none does. */
  private get hasWaiting(): boolean {
    return this.light.length + this.heavy.length + this.continuations.length > 0;
  }

  /** Number of pieces that may go on now. */
  private get readyCount(): number {
    return this.goingOnCount + this.eligibleCount;
  }

  /** Number of waiting requests that may begin now. */
  private get eligibleCount(): number {
    const { light, heavy } = this;
    return light.length + (heavy.length > 0 && this.mayHeavyBegin ? heavy.length : 0);
  }

  /** Milliseconds for which the work of heavy lanes still pauses. */
  private get pauseMs(): number {
    const hasHeavy = this.heavyWork !== undefined || this.heavy.length > 0;
    return hasHeavy ? this.throttle.leftMs(this.milliseconds()) : 0;
  }

  private get mayHeavyBegin(): boolean {
    return this.isHeavySlotFree && this.pauseMs === 0;
  }

  private get goingOnCount(): number {
    const { pauseMs, heavyWork, continuations } = this;
    return pauseMs === 0 || heavyWork === undefined
      ? continuations.length
      : continuations.filter(({ work }) => work !== heavyWork).length;
  }

  /** The first work that may go on now. */
  private takeContinuation(): Continuation | undefined {
    const { pauseMs, heavyWork, continuations } = this;
    const isAny = pauseMs === 0 || heavyWork === undefined;
    const first = isAny ? 0 : continuations.findIndex(({ work }) => work !== heavyWork);
    return first < 0 ? undefined : continuations.splice(first, 1)[0];
  }

  private wakeAfterPause() {
    const { pauseMs } = this;
    if (this.isPauseTimed || pauseMs === 0) return;
    if (this.continuations.length + this.heavy.length === 0) return;
    this.isPauseTimed = true;
    this.after(Math.ceil(pauseMs), () => {
      this.isPauseTimed = false;
      this.arm();
    });
  }

  private get isHeavySlotFree(): boolean {
    const { heavyWork } = this;
    return heavyWork === undefined || this.milliseconds() - heavyWork.beganAt >= heavySlotMs;
  }

  private hasTime(now: number): boolean {
    this.openedAt ??= now;
    return now - this.openedAt < sliceMs;
  }

  /**
   * Schedules an immediate for each piece that may continue in the next turn of the loop. The work
   * of a piece is done when the immediate after it runs.
   */
  private arm(countMin = 0) {
    let count = countMin;
    if (this.hasWaiting) {
      this.wakeAfterPause();
      count = Math.min(piecesMax, Math.max(countMin, this.readyCount));
    }
    if (this.armedCount >= count) return;
    this.armedCount += 1;
    const { turnCount } = this;
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
    const now = this.milliseconds();
    this.endPiece(now);
    const goesOn = this.hasTime(now) || (isFirst && this.wasPassedOver);
    if (isFirst) this.wasPassedOver = !goesOn;
    if (goesOn) this.release();
    if (this.leftCount === 0) this.openedAt = undefined;
    this.arm();
  }

  /** Work that begins and work that goes on take turns. */
  private release() {
    if (!this.hasWaiting) {
      this.isContinuationNext = true;
      return;
    }
    const isContinuation = this.isContinuationNext && this.goingOnCount > 0;
    this.isContinuationNext = !isContinuation;
    const waiting = isContinuation ? undefined : this.takeWaiting();
    if (waiting) {
      this.start(waiting.work, this.milliseconds());
      waiting.resolve();
      return;
    }
    const continuation = this.takeContinuation();
    if (!continuation) return;
    this.beginPiece(continuation.work);
    continuation.resolve();
  }

  private beginPiece(work: LongWork | undefined) {
    this.running = work;
    if (!work || work !== this.heavyWork) return;
    this.throttle.begin(this.milliseconds());
    // An immediate notices that the piece is over.
    this.arm(1);
  }

  private endPiece(now: number) {
    this.running = undefined;
    this.throttle.end(now);
  }

  /**
   * Light lanes begin before heavy ones. Where a heavy one is overdue and the slot is free, every
   * other beginning is one of a heavy lane, because a crowd of light ones may last.
   */
  private takeWaiting(): WaitingWork | undefined {
    const { light, heavy } = this;
    const now = this.milliseconds();
    const use = (lane: string) => this.uses.of(lane, now);
    if (heavy.length === 0 || !this.mayHeavyBegin) return light.take(now, use);
    if (light.length === 0) return heavy.take(now, use);
    this.isHeavyNext = heavy.isOverdue(now) && !this.isHeavyNext;
    return (this.isHeavyNext ? heavy : light).take(now, use);
  }

  private start(work: LongWork, now: number) {
    work.beganAt = now;
    const use = this.uses.begin(work.lane ?? "", now);
    if (work.holdsLoop) {
      use.underWayCount += 1;
      work.use = use;
    }
    if (work.isHeavy) {
      this.heavyWork = work;
      this.heavyAt = now;
      this.heavyUseMs = use.ms;
      this.limitTime();
    }
    this.beginPiece(work);
  }
}
