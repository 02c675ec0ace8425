import { perServer } from "../core/per-server";

/** Most queues that a person opens on a node between two counts of their queues. */
const uncountedMax = 64;
/** Of the queues that a person may still open, one in so many may open without a count. */
const uncountedOneIn = 16;
/** Most people of whom a count is kept. */
const peopleMax = 10_000;

/**
 * Knows of which people the queues need not be counted, because they have far fewer than they may.
 * Nodes do not know of each other's queues, so together they may exceed the limit for a while, by
 * at most `uncountedMax` for each further node. The next count drops the surplus.
 */
export class QueueCounts {
  /** Numbers of queues that people may still open without a count, by their ids. */
  private readonly uncounted = new Map<number, number>();

  /** Whether a person may open a queue without a count. The caller then opens one. */
  takeUncounted(userId: number): boolean {
    const left = this.uncounted.get(userId) ?? 0;
    if (left <= 1) this.uncounted.delete(userId);
    else this.uncounted.set(userId, left - 1);
    return left > 0;
  }

  /**
   * Number of a person's oldest queues that make room for another one, where `count` queues were
   * counted of those that they may have. It is more than one where the limit was higher before.
   * Notes also how many queues the person may now open without a count.
   */
  droppedFor(userId: number, count: number, max: number): number {
    const uncounted = Math.min(uncountedMax, Math.floor((max - count - 1) / uncountedOneIn));
    if (uncounted > 0) {
      if (this.uncounted.size >= peopleMax) this.uncounted.clear();
      this.uncounted.set(userId, uncounted);
    }
    return Math.max(0, count + 1 - max);
  }
}

export const queueCounts = perServer(() => new QueueCounts());
